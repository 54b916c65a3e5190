#include "session/output/npz_layout.hpp"

#include "session/output/zip_checksum.hpp"

namespace wayfront::session {

namespace {

std::span<const std::byte> bytes_of(const std::string& text)
{
    return std::as_bytes(std::span(text));
}

}  // namespace

void NpzLayout::add_small(const std::string& name, const NpyArray& array, std::string_view elements)
{
    std::string content = npy_header(array);
    content += elements;
    const std::size_t number = archive_.add(name + ".npy", content.size());
    small_.push_back({number, std::move(content), 0});
}

std::size_t NpzLayout::add_shared(const std::string& name, const NpyArray& array, std::uint64_t bytes)
{
    std::string header = npy_header(array);
    const std::size_t number = archive_.add(name + ".npy", header.size() + bytes);
    shared_.push_back({number, std::move(header), bytes});
    return shared_.size() - 1;
}

std::uint64_t NpzLayout::elements_of(std::size_t shared) const
{
    return archive_.content_of(shared_[shared].number) + shared_[shared].begin.size();
}

void NpzLayout::complete(PartFile& file, std::span<const std::uint32_t> checksums)
{
    const auto write_begin = [&](const Member& member, std::uint32_t checksum_of_elements) {
        ZipChecksum checksum;
        checksum.add(bytes_of(member.begin));
        archive_.set_checksum(member.number,
                              joined_checksum(checksum.value(), checksum_of_elements, member.elements_bytes));
        file.write(bytes_of(archive_.header_text(member.number)), archive_.members()[member.number].position);
        file.write(bytes_of(member.begin), archive_.content_of(member.number));
    };
    for (const Member& member : small_) write_begin(member, 0);
    for (std::size_t i = 0; i < shared_.size(); ++i) write_begin(shared_[i], checksums[i]);
    file.write(bytes_of(archive_.directory_text()), archive_.directory());
}

}  // namespace wayfront::session
