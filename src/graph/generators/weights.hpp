// Random weights for the edges of a graph that has none.
//
// The weight of edge e depends on (seed, e) and the distribution alone, e being the edge's number in the whole edge list: ranks and threads make
// equal weights however the list is shared out. An edge of an undirected graph has one weight, for both ways.
//
//     uniform:LO..HI   whole numbers from LO to HI, both included, each as likely; HI may be n, the number of vertices
//     unit             1
//     float            floats in [0, 1)
//     lognormal:mean=83666,sd=184384,min=10,max=1000000
//                      whole numbers: a log-normal distribution of this mean and standard deviation, rounded, and moved to min or max where beyond
//                      them. The defaults are those of the road and rail map of the adaptive thread creation paper (table 1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/types.hpp"
#include "graph/edge_list.hpp"

namespace wayfront {

class WeightSpec
{
public:
    /// Throws InputError, naming the text, what is wrong with it, and what is accepted.
    static WeightSpec parse(std::string_view text, Vertex vertex_count);

    /// Whether the weights are whole numbers (std::int32_t) rather than floats.
    [[nodiscard]] bool integral() const noexcept { return kind_ != Kind::real; }

    /// Writes the weights of edges first, first + 1, ... Pre: integral().
    void fill(std::uint64_t seed, EdgeCount first, std::span<std::int32_t> out) const;
    /// The same of floats; whole numbers are converted.
    void fill(std::uint64_t seed, EdgeCount first, std::span<float> out) const;
    /// The weights of edges first .. first + count - 1 in the type that the spec says, made by all threads.
    [[nodiscard]] Weights make(std::uint64_t seed, EdgeCount first, std::size_t count) const;

private:
    enum class Kind { unit, uniform, real, lognormal };

    [[nodiscard]] std::int32_t whole(std::uint64_t key, EdgeCount e) const;

    Kind kind_ = Kind::unit;
    std::int64_t low_ = 1;
    std::int64_t high_ = 1;
    double mu_ = 0;  // of the normal distribution under the log-normal one
    double sigma_ = 0;
};

}  // namespace wayfront
