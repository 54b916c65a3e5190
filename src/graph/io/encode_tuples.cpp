// Writing Graph500 tuple files, and their weights into a second file.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
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
        if (const auto* floats = std::get_if<std::span<const float>>(&weights)) weights_->write_array(*floats);
        if (const auto* integers = std::get_if<std::span<const std::int32_t>>(&weights)) append_integers(*integers);
    }

    /// At no time may edges be found beside weights of another graph, or without their own: a reader
    /// cannot tell. So the old edges go first, and the new ones appear last, when all of the new
    /// graph is on the disk. If the program is ended in between, there is no tuple file at all.
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
            throw ResourceError(weights_path() + ": the weights of an older graph cannot be removed: " + std::strerror(errno));
    }

    [[nodiscard]] std::string weights_path() const { return path_ + ".weights"; }

    void append_integers(std::span<const std::int32_t> integers)
    {
        std::vector<float> floats;
        floats.reserve(std::min(integers.size(), kChunk));
        while (!integers.empty()) {
            const auto chunk = integers.first(std::min(integers.size(), kChunk));
            floats.clear();
            for (const std::int32_t weight : chunk) {
                const auto value = static_cast<float>(weight);
                if (static_cast<double>(value) != static_cast<double>(weight))
                    throw InputError(path_ + ": weights of tuple files are floats, which cannot represent the weight " + std::to_string(weight) +
                                     " exactly");
                floats.push_back(value);
            }
            weights_->write_array(std::span<const float>(floats));
            integers = integers.subspan(chunk.size());
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
        throw InputError(path + ": Graph500 tuples are undirected edges, and this graph is directed (--undirected makes it undirected)");
    if (header.edge_count == 0) throw InputError(path + ": a tuple file contains edges only, and this graph has no edges");
    return std::make_unique<TupleEncoder>(path, header);
}

}  // namespace wayfront::io
