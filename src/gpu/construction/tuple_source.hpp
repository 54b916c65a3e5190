// A source of tuples. Tuples are the edges from which construction makes a graph, with self-loops
// and duplicates. They are generated (gpu/kron/kron_tuples.cuh), or are those of an edge list
// (edge_tuples.cuh).
//
// Construction goes over all tuples several times, in passes. An *end* is the number that tuples
// contain for a vertex; the source knows the vertex of each end. tuple_kernels.cuh implements the
// passes for a type of tuples.
#pragma once

#include <cstdint>

#include "gpu/graph/column_numbers.hpp"

namespace wayfront::gpu {
class Stream;
}  // namespace wayfront::gpu

namespace wayfront::gpu::construction {

/// The ends of a tuple that are rows of the lists; the other end is the column.
enum class RowEnds {
    both,     // undirected: each tuple is in two lists
    targets,  // lists of in-edges
    sources,  // lists of out-edges
};

/// Arrays of the degrees of vertices. An undirected graph has one array.
struct DegreeArrays
{
    std::uint32_t* in;
    std::uint32_t* out;  // null in an undirected graph
};

/// The arrays by local number that are sorted to number a rank's vertices.
struct OrderArrays
{
    DegreeArrays degrees;
    std::uint8_t* class_keys;  // kNoEdgesKey - degree class
    std::uint32_t* locals;     // the local numbers
};

/// The sort key of a vertex without edges. Degree classes are sorted by 63 - class, so that the
/// vertices of the largest degrees come first and vertices without edges last. A 32-bit degree has classes 0 ..
/// 63.
inline constexpr std::uint8_t kNoEdgesKey = 63;

/// The entry of column_of_end for a vertex without edges.
inline constexpr std::uint32_t kNoColumn = ~0U;

/// The slots of the vertices of all ranks: those of rank r begin at slots[r * part], by local number.
struct SlotsOfRanks
{
    const std::uint32_t* slots;
    std::uint64_t part;
};

/// The arrays that TupleSource::place_columns() fills.
struct ColumnArrays
{
    std::uint32_t* column_of_end;
    std::uint32_t* vertex_of_column;
};

/// The numbering of columns, and the column of each end.
struct EndColumns
{
    ColumnNumbers numbers;
    const std::uint32_t* column_of_end;
};

/// Rows whose edges are sorted together.
struct Batch
{
    std::uint32_t first_row = 0;
    std::uint32_t rows = 0;
    std::uint64_t keys = 0;  // number of edges, including duplicates
    int column_bits = 0;
};

/// The arrays to which the keys of a batch's edges are written, in any order. *end is 0 at first,
/// and then the number of keys.
struct KeyArrays
{
    std::uint64_t* keys;
    std::uint32_t* weights;  // bits of the weights; null if edges have no weights
    unsigned long long* end;
};

/// The functions that have a stream start work in it, and may return before the work is complete.
class TupleSource
{
public:
    TupleSource() = default;
    TupleSource(const TupleSource&) = delete;  // owns the memory of the tuples
    TupleSource& operator=(const TupleSource&) = delete;
    virtual ~TupleSource() = default;

    [[nodiscard]] virtual std::uint64_t vertices() const = 0;
    [[nodiscard]] virtual bool directed() const = 0;

    // Passes over all tuples:

    /// Adds the degrees of own vertices, by end. Duplicates are counted, self-loops are not
    /// counted.
    virtual void count_degrees(const ColumnNumbers& ranks, const DegreeArrays& of_ends, const Stream& stream) const = 0;
    /// Makes the keys of the batch's edges (edge_keys.cuh).
    virtual void make_keys(RowEnds rows, const EndColumns& columns, const Batch& batch, const KeyArrays& keys,
                           const Stream& stream) const = 0;

    // Passes over all vertices:

    /// Stores the degrees of own vertices by local number, and fills the arrays that are then
    /// sorted.
    virtual void deal_degrees(const ColumnNumbers& ranks, const DegreeArrays& of_ends, const OrderArrays& own,
                              const Stream& stream) const = 0;
    /// Writes the columns of all vertices by end, and the vertices by column.
    virtual void place_columns(const ColumnNumbers& columns, const SlotsOfRanks& slots, const ColumnArrays& arrays,
                               const Stream& stream) const = 0;
};

}  // namespace wayfront::gpu::construction
