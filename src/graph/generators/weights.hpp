// Random weights for the edges of a graph without weights.
//
// The weight of edge e depends only on the seed, the distribution, and e, the edge's number in the
// whole edge list. Ranks and threads therefore make equal weights, however the list is shared. An
// edge of an undirected graph has one weight, for both ways.
//
//     uniform:LO..HI   whole numbers from LO to HI, both included, equally likely; HI may be n, the
//                      number of vertices. LO is at least -2^31, HI at most 2^32 - 1
//     unit             1
//     float            floats in [0, 1)
//     lognormal:MU,SIGMA
//                      floats: exp of a normal distribution of mean MU and standard deviation SIGMA
//     lognormal:mean=83666,sd=184384,min=10,max=1000000
//                      whole numbers: a log-normal distribution of this mean and standard
//                      deviation, rounded, and cut off at min and max. The defaults are those of
//                      the road and rail map of the adaptive thread creation paper (table 1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "base/types.hpp"
#include "graph/edge_list.hpp"

namespace wayfront {

class WeightSpec
{
public:
    /// Throws InputError, which names the text, the mistake, and what is accepted.
    static WeightSpec parse(std::string_view text, Vertex vertex_count);

    /// Whether the weights are whole numbers rather than floats.
    [[nodiscard]] bool integral() const noexcept { return kind_ != Kind::real && kind_ != Kind::real_lognormal; }
    /// The number of values, if they are equally likely and begin at 0, or nearly 0; infinity for floats. Otherwise 0.
    [[nodiscard]] double values_from_zero() const noexcept
    {
        constexpr std::int64_t nearly = 20;  // times less than the largest
        if (kind_ == Kind::real) return std::numeric_limits<double>::infinity();
        return kind_ == Kind::uniform && low_ >= 0 && low_ * nearly < high_ ? static_cast<double>(high_ - low_ + 1) : 0;
    }
    /// Whether they are whole numbers that do not fit std::int32_t.
    [[nodiscard]] bool wide() const noexcept;

    /// Writes the weights of the edges from `first` on. Pre: integral(), but not wide().
    void fill(std::uint64_t seed, EdgeCount first, std::span<std::int32_t> out) const;
    /// Pre: integral().
    void fill(std::uint64_t seed, EdgeCount first, std::span<std::int64_t> out) const;
    /// The same for floats; whole numbers are converted.
    void fill(std::uint64_t seed, EdgeCount first, std::span<float> out) const;
    /// Makes the weights of the edges first to first + count - 1 on all threads, in the type that
    /// the spec implies.
    [[nodiscard]] Weights make(std::uint64_t seed, EdgeCount first, std::size_t count) const;

private:
    enum class Kind { unit, uniform, real, lognormal, real_lognormal };

    void read_lognormal(std::string_view text, std::string_view parameters);
    [[nodiscard]] double lognormal(std::uint64_t key, EdgeCount e) const;
    [[nodiscard]] std::int64_t whole(std::uint64_t key, EdgeCount e) const;
    [[nodiscard]] float real(std::uint64_t key, EdgeCount e) const;

    Kind kind_ = Kind::unit;
    std::int64_t low_ = 1;
    std::int64_t high_ = 1;
    double mu_ = 0;  // the mean of the underlying normal distribution
    double sigma_ = 0;
};

/// Converts floats in [0, 1) to whole numbers from 1 to 255, 1 + floor(255 w), for files of kron
/// graphs that hold no floats. 255 is the largest weight that GAPBS gives.
HostBuffer<std::int32_t> whole_weights(std::span<const float> weights);

}  // namespace wayfront
