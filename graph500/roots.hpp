// The vertices to which parents lead: the key of a search or, after a search from several keys, the
// nearest key of each vertex.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "base/types.hpp"

namespace wayfront::graph500 {

/// `Id` is int32 or int64, the type of parents.
template <typename Id>
class Roots
{
public:
    Roots(Vertex key) : key_(static_cast<Id>(key)) {}  // NOLINT(google-explicit-constructor): a key is a root
    /// `keys` are ascending. `nearest` are those of a rank's vertices, by local number; kUnreached if
    /// not reached. Both outlive the object.
    Roots(std::span<const Vertex> keys, std::span<const Id> nearest) : keys_(keys), nearest_(nearest) {}

    [[nodiscard]] bool are_several() const { return !keys_.empty(); }
    /// The keys, if there are several.
    [[nodiscard]] std::span<const Vertex> keys() const { return keys_; }
    /// The nearest keys of the rank's vertices, if there are several keys.
    [[nodiscard]] std::span<const Id> nearest() const { return nearest_; }
    /// The key to which the parents of the rank's vertex lead.
    [[nodiscard]] Id of(std::size_t local) const { return are_several() ? nearest_[local] : key_; }
    [[nodiscard]] bool is_key(Vertex vertex) const
    {
        return are_several() ? std::ranges::binary_search(keys_, vertex) : vertex == static_cast<Vertex>(key_);
    }

private:
    Id key_ = 0;
    std::span<const Vertex> keys_;
    std::span<const Id> nearest_;
};

}  // namespace wayfront::graph500
