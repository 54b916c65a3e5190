// The layout of a .npz file, NumPy's ZIP archive of arrays, some of which ranks write at positions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "session/output/array_text.hpp"
#include "session/output/part_file.hpp"
#include "session/output/zip_archive.hpp"

namespace wayfront::session {

class NpzLayout
{
public:
    /// Adds an array that complete() writes; `elements` are its bytes.
    void add_small(const std::string& name, const NpyArray& array, std::string_view elements);

    /// Adds an array of `count` whole numbers, such as those of vertices, which complete() writes.
    /// number_of(i) is element i.
    template <typename F>
    void add_numbers(const std::string& name, std::size_t count, F&& number_of)
    {
        std::vector<std::int64_t> numbers(count);
        for (std::size_t i = 0; i < count; ++i) numbers[i] = number_of(i);
        add_small(name, npy_list("<i8", count),
                  {reinterpret_cast<const char*>(numbers.data()), count * sizeof(std::int64_t)});
    }

    /// Adds an array whose elements others write, `bytes` in all. Returns its number, from 0.
    std::size_t add_shared(const std::string& name, const NpyArray& array, std::uint64_t bytes);

    /// The position of the first element of such an array in the file.
    [[nodiscard]] std::uint64_t elements_of(std::size_t shared) const;
    /// The size of the whole file.
    [[nodiscard]] std::uint64_t bytes() const { return archive_.bytes(); }

    /// Writes all but the elements of shared arrays, whose checksums are given by number.
    void complete(PartFile& file, std::span<const std::uint32_t> checksums);

private:
    struct Member
    {
        std::size_t number = 0;            // the number of the member in the archive
        std::string begin;                 // the header of the array, and the elements of a small one
        std::uint64_t elements_bytes = 0;  // the bytes of the elements of a shared array
    };

    ZipArchive archive_;
    std::vector<Member> small_;
    std::vector<Member> shared_;
};

}  // namespace wayfront::session
