// Vertices that the input names instead of numbering them.
//
// Names are sequences of bytes, at least one each. While a text is read, each block of it has a
// table of its names, and an edge stores the places of its ends in the table. The vertices of the
// graph are then all names in order, and every rank has the whole list.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/host_buffer.hpp"
#include "base/types.hpp"
#include "graph/edge_list.hpp"

namespace wayfront {

/// The order of names: those that consist of digits alone come first, in the order of their values,
/// and then the others, in the order of their bytes. Different names are never equal: `7` precedes
/// `07`.
[[nodiscard]] bool name_less(std::string_view one, std::string_view other);

/// A list of names, whose bytes lie one after the other.
class VertexNames
{
public:
    VertexNames() = default;
    /// Copies the names.
    explicit VertexNames(std::span<const std::string_view> names);
    /// `ends[i]` is the position in `bytes` after name i.
    VertexNames(HostBuffer<char> bytes, HostBuffer<std::uint64_t> ends)
        : bytes_(std::move(bytes)), ends_(std::move(ends))
    {
    }

    [[nodiscard]] std::size_t size() const { return ends_.size(); }
    [[nodiscard]] bool empty() const { return ends_.empty(); }
    [[nodiscard]] std::string_view operator[](std::size_t i) const
    {
        const std::uint64_t begin = i == 0 ? 0 : ends_[i - 1];
        return {bytes_.data() + begin, static_cast<std::size_t>(ends_[i] - begin)};
    }
    /// The place of a name; no value if it is not in the list. Pre: the list is in the order of
    /// name_less().
    [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;

    [[nodiscard]] std::span<const char> bytes() const { return bytes_.span(); }
    [[nodiscard]] std::span<const std::uint64_t> ends() const { return ends_.span(); }

private:
    HostBuffer<char> bytes_;
    HostBuffer<std::uint64_t> ends_;
};

/// The names of a block of a text, each once: a hash table with open addressing.
class NameTable
{
public:
    /// The place of a name, which is added if it is new, with the line that has it.
    [[nodiscard]] std::size_t place_of(std::string_view name, std::size_t line = 0);

    [[nodiscard]] std::size_t size() const { return ends_.size(); }
    [[nodiscard]] std::string_view operator[](std::size_t place) const
    {
        const std::size_t begin = place == 0 ? 0 : ends_[place - 1];
        return {bytes_.data() + begin, ends_[place] - begin};
    }
    /// The line with which a name was added.
    [[nodiscard]] std::size_t line(std::size_t place) const { return lines_[place]; }
    /// The bytes of all names together.
    [[nodiscard]] std::size_t bytes() const { return bytes_.size(); }
    /// Drops the hashes. Names can no longer be added.
    void freeze() { slots_ = {}; }

private:
    struct Slot
    {
        std::uint32_t hash = 0;
        std::uint32_t place_plus_1 = 0;  // 0: the slot is free
    };

    void grow();

    std::vector<Slot> slots_;  // a power of two, at most half of them occupied
    std::vector<char> bytes_;
    std::vector<std::size_t> ends_;
    std::vector<std::uint32_t> lines_;  // a block has about a megabyte
};

/// The names of a share's edges, by blocks.
class BlockNames
{
public:
    BlockNames() = default;
    /// Empty tables.
    explicit BlockNames(std::size_t blocks)
        : tables_(blocks),
          lines_(blocks),
          place_bits_(kVertexBits - static_cast<int>(std::bit_width(blocks == 0 ? 0 : blocks - 1)))
    {
    }
    /// Sets the table and the number of lines of a block. Several threads may set different ones at
    /// the same time.
    void set(std::size_t block, NameTable table, std::size_t lines = 0)
    {
        table.freeze();
        tables_[block] = std::move(table);
        lines_[block] = lines;
    }
    [[nodiscard]] std::span<const NameTable> tables() const { return tables_; }

    /// Sets the number of lines that the share has before its blocks.
    void set_first_lines(std::size_t lines) { first_lines_ = lines; }
    /// The number of lines of the share.
    [[nodiscard]] std::size_t lines() const;
    /// The first line of the share that has a name, from 1; no value if there is none.
    [[nodiscard]] std::optional<std::size_t> line_of(std::string_view name) const;

    /// How an edge stores the name at a place of a block's table.
    [[nodiscard]] Vertex stored(std::size_t block, std::size_t place) const
    {
        return static_cast<Vertex>((block << place_bits_) + place);
    }
    [[nodiscard]] std::size_t block_of(Vertex stored) const { return static_cast<std::size_t>(stored) >> place_bits_; }
    [[nodiscard]] std::size_t place_of(Vertex stored) const
    {
        return static_cast<std::size_t>(stored) & ((std::size_t{1} << place_bits_) - 1);
    }

private:
    // The bits of a vertex in a PackedEdge. A block has about a megabyte (text_blocks.cpp), so that 2^24
    // blocks have room for their places.
    static constexpr int kVertexBits = 48;

    std::vector<NameTable> tables_;
    std::vector<std::size_t> lines_;  // the number of lines in each block
    std::size_t first_lines_ = 0;
    int place_bits_ = kVertexBits;
};

/// About the memory that list_names() and then number_by_name() take, with the list. Large numbers
/// of names are estimated by a sample, since a name may be in many blocks.
[[nodiscard]] double numbering_bytes(const BlockNames& names);

/// The names of all blocks, each once, in order.
[[nodiscard]] VertexNames list_names(const BlockNames& names);

/// Two names that are one whole number, if there are any: digits with a sign, or without one, such as
/// `7`, `07` and `+7`. Pre: the list is in the order of name_less().
[[nodiscard]] std::optional<std::pair<std::string_view, std::string_view>> two_spellings(const VertexNames& names);

/// Replaces the names that the edges store by their positions in `vertices`, an ordered list that has
/// all of them.
void number_by_name(std::span<PackedEdge> edges, const BlockNames& names, const VertexNames& vertices);

}  // namespace wayfront
