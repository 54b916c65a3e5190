// A source of tuples: the edges from which construction makes a graph, with self-loops and duplicates.
// They are generated (gpu/kron/kron_tuples.cuh), or those of an edge list (edge_tuples.cuh).
//
// Construction goes through all tuples several times, in passes. An *end* is the number that tuples
// have for a vertex; the source knows the vertex of each end. tuple_kernels.cuh implements the passes
// for a type of tuples.
#pragma once

#include <cstdint>

#include "gpu/graph/column_numbers.hpp"

namespace wayfront::gpu {
class Stream;
}  // namespace wayfront::gpu

namespace wayfront::gpu::construction {

/// The ends of a tuple that are rows of the lists which are made; the other end is the column.
enum class RowEnds {
    both,     // undirected: each tuple is in two lists
    targets,  // lists of in-edges
    sources,  // lists of out-edges
};

/// The degrees of vertices, by any of their numbers. In an undirected graph there is one array.
struct DegreeArrays
{
    std::uint32_t* in;
    std::uint32_t* out;  // null in an undirected graph
};

/// The numbers that are sorted to number a rank's vertices, by local number.
struct OrderArrays
{
    DegreeArrays degrees;
    std::uint8_t* class_keys;  // kNoEdgesKey - class of the degree
    std::uint32_t* locals;     // the local numbers themselves
};

/// Degree classes are sorted by 63 - class, so that the busiest come first and vertices without
/// edges last. A 32-bit degree has classes 0 .. 63.
inline constexpr std::uint8_t kNoEdgesKey = 63;

/// The entry of column_of_end for a vertex without edges.
inline constexpr std::uint32_t kNoColumn = ~0U;

/// Rows whose edges are sorted together.
struct Batch
{
    std::uint32_t first_row = 0;
    std::uint32_t rows = 0;
    std::uint64_t keys = 0;  // duplicates counted
    int column_bits = 0;
};

/// Where the keys of a batch's edges are written, in any order, and *end, which was 0 at first, is
/// their number.
struct KeyArrays
{
    std::uint64_t* keys;
    std::uint32_t* weights;  // the bits of their weights; null if they have none
    unsigned long long* end;
};

/// Calls start work in the stream, and may return before it is done.
class TupleSource
{
public:
    TupleSource() = default;
    TupleSource(const TupleSource&) = delete;  // owns the memory of the tuples
    TupleSource& operator=(const TupleSource&) = delete;
    virtual ~TupleSource() = default;

    [[nodiscard]] virtual std::uint64_t vertices() const = 0;
    [[nodiscard]] virtual bool directed() const = 0;

    // Passes over all tuples.

    /// Adds the degrees of own vertices, by end. Duplicates are counted, self-loops are not.
    virtual void count_degrees(const ColumnNumbers& ranks, const DegreeArrays& of_ends, const Stream& stream) const = 0;
    /// Makes the keys of the batch's edges (edge_keys.cuh).
    virtual void make_keys(RowEnds rows, const ColumnNumbers& columns, const std::uint32_t* column_of_end,
                           const Batch& batch, const KeyArrays& keys, const Stream& stream) const = 0;

    // Passes over all vertices.

    /// Stores the degrees of own vertices by local number, and prepares the arrays for sorting.
    virtual void deal_degrees(const ColumnNumbers& ranks, const DegreeArrays& of_ends, const OrderArrays& own,
                              const Stream& stream) const = 0;
    /// Writes the columns of all vertices by end, and the vertices by column. Rank r gave its local
    /// vertices the slots at slots[r * part] onwards.
    virtual void place_columns(const ColumnNumbers& columns, const std::uint32_t* slots, std::uint64_t part,
                               std::uint32_t* column_of_end, std::uint32_t* vertex_of_column,
                               const Stream& stream) const = 0;
};

}  // namespace wayfront::gpu::construction
