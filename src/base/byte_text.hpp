// Numbers, texts and lists of numbers as bytes, to be sent between the ranks of a job. A reader takes them in the order
// in which a writer put them.
#pragma once

#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace wayfront {

class ByteWriter
{
public:
    template <typename T>
    requires std::is_arithmetic_v<T>
    void put(T value) { append(&value, sizeof value); }
    void put(std::string_view text)
    {
        put(text.size());
        append(text.data(), text.size());
    }
    template <typename T>
    requires std::is_arithmetic_v<T>
    void put(const std::vector<T>& list)
    {
        put(list.size());
        append(list.data(), list.size() * sizeof(T));
    }

    [[nodiscard]] std::string take() && { return std::move(bytes_); }

private:
    void append(const void* first, std::size_t size) { bytes_.append(static_cast<const char*>(first), size); }

    std::string bytes_;
};

/// Throws std::logic_error if there are fewer bytes than are taken.
class ByteReader
{
public:
    /// `bytes` outlives the object.
    explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

    [[nodiscard]] bool at_end() const { return rest_.empty(); }
    template <typename T>
    requires std::is_arithmetic_v<T>
    void take(T& value) { copy(&value, sizeof value); }
    void take(std::string& text)
    {
        text.resize(size(1));
        copy(text.data(), text.size());
    }
    template <typename T>
    requires std::is_arithmetic_v<T>
    void take(std::vector<T>& list)
    {
        list.resize(size(sizeof(T)));
        copy(list.data(), list.size() * sizeof(T));
    }

private:
    void require(std::size_t bytes) const
    {
        if (bytes > rest_.size()) throw std::logic_error("a message between ranks ends too early");
    }
    /// The number of elements that follow.
    [[nodiscard]] std::size_t size(std::size_t element_bytes)
    {
        std::size_t elements = 0;
        take(elements);
        require(elements * element_bytes);
        return elements;
    }
    void copy(void* to, std::size_t size)
    {
        require(size);
        if (size > 0) std::memcpy(to, rest_.data(), size);
        rest_.remove_prefix(size);
    }

    std::string_view rest_;
};

}  // namespace wayfront
