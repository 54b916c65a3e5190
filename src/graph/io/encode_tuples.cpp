// Writing Graph500 tuple files, and their weights into a second file.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include <unistd.h>

#include "base/error.hpp"
#include "graph/io/encoders.hpp"

namespace wayfront::io {

namespace {

class TupleEncoder : public Encoder
{
public:
    TupleEncoder(std::string path, const GraphHeader& header) : path_(std::move(path)), edges_(path_)
    {
        if (header.weights != WeightKind::none) weights_.emplace(weights_path());
    }

    void append(std::span<const PackedEdge> edges, const WeightSpan& weights) override
    {
        edges_.write_array(edges);
        visit_weights(weights, [this]<typename Weight>(std::span<const Weight> some) {
            if constexpr (std::is_same_v<Weight, float>)
                weights_->write_array(some);
            else
                append_as_floats(some);
        });
    }

    /// Edges must never be beside the weights of another graph, or without their own weights,
    /// because a reader cannot detect this. The old edges are therefore removed first, and the new
    /// ones appear last, when the whole new graph is on the disk. If the program is ended in
    /// between, there is no tuple file at all.
    void commit() override
    {
        edges_.complete();
        if (weights_) {
            weights_->complete();
            edges_.remove_old();
            weights_->commit();
        } else if (old_weights_exist()) {
            edges_.remove_old();
            remove_old_weights();
        }
        edges_.commit();
    }

private:
    [[nodiscard]] bool old_weights_exist() const { return ::access(weights_path().c_str(), F_OK) == 0; }

    void remove_old_weights() const
    {
        if (::unlink(weights_path().c_str()) != 0 && errno != ENOENT)
            throw ResourceError(weights_path() +
                                ": the weights of an older graph cannot be removed: " + std::strerror(errno));
    }

    [[nodiscard]] std::string weights_path() const { return path_ + ".weights"; }

    template <typename Weight>
    void append_as_floats(std::span<const Weight> weights)
    {
        std::vector<float> floats;
        floats.reserve(std::min(weights.size(), kChunk));
        while (!weights.empty()) {
            const auto chunk = weights.first(std::min(weights.size(), kChunk));
            floats.clear();
            for (const Weight weight : chunk) {
                const auto value = static_cast<float>(weight);
                // A long double holds every weight of 64 bits exactly.
                if (static_cast<long double>(value) != static_cast<long double>(weight))
                    throw InputError(path_ + ": weights of tuple files are floats, which cannot represent the weight " +
                                     std::to_string(weight) + " exactly");
                floats.push_back(value);
            }
            weights_->write_array(std::span<const float>(floats));
            weights = weights.subspan(chunk.size());
        }
    }

    static constexpr std::size_t kChunk = std::size_t{1} << 16;

    std::string path_;
    OutputFile edges_;
    std::optional<OutputFile> weights_;
};

}  // namespace

std::unique_ptr<Encoder> make_tuple_encoder(const std::string& path, const GraphHeader& header)
{
    if (header.directed)
        throw InputError(
            path +
            ": Graph500 tuples are undirected edges, and this graph is directed (--undirected makes it undirected)");
    if (header.edge_count == 0)
        throw InputError(path + ": a tuple file contains edges only, and this graph has no edges");
    return std::make_unique<TupleEncoder>(path, header);
}

}  // namespace wayfront::io
