// Distances and paths between pairs of vertices as a file, a row for each pair, in their order.
//
// The form is determined by the file extension, and standard output (-) gets the form of .txt:
//   .csv    with the header `source,target,distance,path`; the vertices of a path are separated by
//           blanks
//   .txt    the same, separated by blanks, with the header behind #
//   .json   an object with the names of the columns, and the rows; a path is an array
// Without paths there is no such column. Vertices have the input's numbers or names. If there is no path, its
// column is empty, and the distance is `inf`, or null in JSON; a level is -1.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "algo/pairs.hpp"
#include "job/job.hpp"
#include "session/input/graph_input.hpp"

namespace wayfront::session {

/// Throws InputError for an extension that is none of these.
void check_pair_extension(const std::string& path);

/// Rank 0 writes.
class PairFile
{
public:
    struct Columns
    {
        bool paths = true;
        bool levels = false;  // whether distances are levels
    };

    /// Throws an AgreedError if the disk has not even the space that the pairs take without their
    /// paths, whose lengths are not known. Collective.
    static void require_space(const job::Job& job, const std::string& path, const LoadedGraph& input,
                              std::span<const algo::VertexPair> pairs);

    /// Opens the file, and writes its beginning. `input` outlives it. Throws an AgreedError. Collective.
    PairFile(const job::Job& job, const std::string& path, const LoadedGraph& input, Columns columns);
    PairFile(PairFile&&) noexcept;
    PairFile& operator=(PairFile&&) noexcept;
    ~PairFile();

    /// Throws an AgreedError. Collective.
    void write(std::span<const algo::VertexPair> pairs, std::span<const algo::PairAnswer> answers);
    /// Writes the end, and gives the file its name. Throws an AgreedError. Collective.
    void commit();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace wayfront::session
