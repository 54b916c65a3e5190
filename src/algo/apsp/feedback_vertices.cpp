#include "algo/apsp/feedback_vertices.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <limits>

namespace wayfront::algo {

namespace {

/// Vertices with longer lists join the set at once, because the removal of an arc searches two
/// lists.
constexpr std::uint32_t kMostNeighbours = 512;

/// Contractions begin when the largest product, divided by the mean, is at most this number. In
/// random graphs with four arcs a vertex or more, the set is as large as with contractions from the
/// beginning.
constexpr double kContractionProduct = 2;

enum Side : std::uint8_t { out_side, in_side };

constexpr Side opposite(Side side)
{
    return side == out_side ? in_side : out_side;
}

/// The lists of both sides of each vertex that is left, which shrink and sometimes grow.
class ShrinkingLists
{
public:
    ShrinkingLists(const CsrView& out, const CsrView& in, std::uint32_t vertices,
                   const std::vector<std::uint8_t>& removed)
        : lists_(vertices)
    {
        std::size_t entries = kComparedEntries;
        for (std::uint32_t v = 0; v < vertices; ++v)
            if (removed[v] == 0) entries += out.degree(v) + in.degree(v);
        pool_.resize(entries);
        std::uint32_t* const pool = pool_.data();
        std::uint32_t end = 0;
        for (std::uint32_t v = 0; v < vertices; ++v) {
            if (removed[v] != 0) continue;
            for (const Side side : {out_side, in_side}) {
                const CsrView& lists = side == out_side ? out : in;
                const std::uint32_t begin = end;
                const std::uint64_t last = lists.end(v);
                for (std::uint64_t e = lists.begin(v); e < last; ++e) {
                    pool[end] = lists.neighbours[e];
                    end += removed[lists.neighbours[e]] == 0 ? 1 : 0;
                }
                lists_[v].begin[side] = begin;
                lists_[v].size[side] = lists_[v].capacity[side] = static_cast<std::uint16_t>(end - begin);
            }
        }
        pool_.resize(end + kComparedEntries);
    }

    [[nodiscard]] std::uint32_t size(std::uint32_t vertex, Side side) const { return lists_[vertex].size[side]; }
    [[nodiscard]] std::uint32_t product(std::uint32_t vertex) const
    {
        return size(vertex, out_side) * size(vertex, in_side);
    }
    [[nodiscard]] std::uint32_t neighbour(std::uint32_t vertex, Side side, std::uint32_t i) const
    {
        return pool_[lists_[vertex].begin[side] + i];
    }
    [[nodiscard]] bool contains(std::uint32_t vertex, Side side, std::uint32_t neighbour) const
    {
        const std::uint32_t* list = pool_.data() + lists_[vertex].begin[side];
        std::uint32_t left = size(vertex, side);
        for (; left > kComparedEntries; left -= kComparedEntries, list += kComparedEntries)
            if (equal_entries(list, neighbour) != 0) return true;
        return (equal_entries(list, neighbour) & ((1U << left) - 1)) != 0;
    }
    void clear(std::uint32_t vertex) { lists_[vertex].size = {}; }
    void erase(std::uint32_t vertex, Side side, std::uint32_t neighbour)
    {
        *place(vertex, side, neighbour) = pool_[lists_[vertex].begin[side] + size(vertex, side) - 1];
        --lists_[vertex].size[side];
    }
    void replace(std::uint32_t vertex, Side side, std::uint32_t neighbour, std::uint32_t by)
    {
        *place(vertex, side, neighbour) = by;
    }
    void append(std::uint32_t vertex, Side side, std::uint32_t neighbour)
    {
        Lists& lists = lists_[vertex];
        if (lists.size[side] == lists.capacity[side]) {
            const auto begin = static_cast<std::uint32_t>(pool_.size() - kComparedEntries);
            const std::uint32_t capacity = std::max(4U, 2U * lists.capacity[side]);
            pool_.resize(pool_.size() + capacity);
            std::copy_n(pool_.data() + lists.begin[side], lists.size[side], pool_.data() + begin);
            lists.begin[side] = begin;
            lists.capacity[side] = static_cast<std::uint16_t>(capacity);
        }
        pool_[lists.begin[side] + lists.size[side]] = neighbour;
        ++lists.size[side];
    }

private:
    // The number of entries that are compared together, without branches. The pool has this number of entries
    // after the last list, which may be read, too.
    static constexpr std::uint32_t kComparedEntries = 8;

    struct Lists
    {
        std::array<std::uint32_t, 2> begin{};  // in the pool, by side
        std::array<std::uint16_t, 2> size{};
        std::array<std::uint16_t, 2> capacity{};
    };

    /// A bit for each of the first kComparedEntries entries: whether it is equal to `neighbour`. Entries
    /// after the end of the list are compared, too.
    [[nodiscard]] static std::uint32_t equal_entries(const std::uint32_t* list, std::uint32_t neighbour)
    {
        std::uint32_t bits = 0;
        for (std::uint32_t i = 0; i < kComparedEntries; ++i) bits |= (list[i] == neighbour ? 1U : 0U) << i;
        return bits;
    }
    /// The first entry that is equal to `neighbour`. Pre: there is one.
    [[nodiscard]] std::uint32_t* place(std::uint32_t vertex, Side side, std::uint32_t neighbour)
    {
        std::uint32_t* list = pool_.data() + lists_[vertex].begin[side];
        for (;; list += kComparedEntries)
            if (const std::uint32_t bits = equal_entries(list, neighbour); bits != 0)
                return list + std::countr_zero(bits);
    }

    std::vector<Lists> lists_;
    std::vector<std::uint32_t> pool_;
};

/// Vertices by classes of their products. If a product becomes larger, its vertex is moved to
/// another class at once; if it becomes smaller, when the vertex is taken.
class ProductQueue
{
public:
    explicit ProductQueue(std::uint32_t vertices)
        : classes_(vertices, kNone), members_(class_of(std::numeric_limits<std::uint32_t>::max()) + 1)
    {
    }

    /// Products of up to 16 have a class each; larger ones share it if they differ in less than a
    /// sixteenth.
    [[nodiscard]] static std::uint32_t class_of(std::uint32_t product)
    {
        constexpr std::uint32_t bits = 4;
        const auto width = static_cast<std::uint32_t>(std::bit_width(product));
        const std::uint32_t shift = width <= bits + 1 ? 0 : width - bits - 1;
        return (shift << bits) + (product >> shift);
    }

    [[nodiscard]] bool empty()
    {
        while (highest_ > 0 && members_[highest_].empty()) --highest_;
        return highest_ == 0;
    }
    /// Pre: not empty.
    [[nodiscard]] std::uint32_t highest_class() const { return highest_; }
    /// Puts a vertex into the class of its product if that is higher than its class now.
    void raise(std::uint32_t vertex, std::uint32_t product)
    {
        const std::uint32_t of_product = class_of(product);
        if (classes_[vertex] == kNone || of_product > classes_[vertex]) put(vertex, of_product);
    }
    /// Takes an entry of the highest class. Returns whether the product of its vertex is in this
    /// class. If not, the vertex has been moved to the class of its product, or the entry was out
    /// of date.
    template <typename Product>
    [[nodiscard]] bool take(std::uint32_t& vertex, Product&& product_of)
    {
        vertex = members_[highest_].back();
        members_[highest_].pop_back();
        if (classes_[vertex] != highest_) return false;
        const std::uint32_t of_product = class_of(product_of(vertex));
        if (of_product == highest_) return true;
        put(vertex, of_product);
        return false;
    }

private:
    static constexpr std::uint16_t kNone = 0xFFFF;

    void put(std::uint32_t vertex, std::uint32_t of_product)
    {
        classes_[vertex] = static_cast<std::uint16_t>(of_product);
        members_[of_product].push_back(vertex);
        highest_ = std::max(highest_, of_product);
    }

    std::vector<std::uint16_t> classes_;  // of each vertex
    // The vertices of each class. Class 0 has those that the rules remove.
    std::vector<std::vector<std::uint32_t>> members_;
    std::uint32_t highest_ = 0;
};

class FeedbackSearch
{
public:
    FeedbackSearch(const CsrView& out, const CsrView& in, std::uint32_t vertices, const FeedbackVertexOptions& options,
                   const MemberListener& listener)
        : options_(options),
          listener_(listener),
          removed_(join_hubs(out, in, vertices)),
          lists_(out, in, vertices, removed_),
          queue_(vertices)
    {
    }

    std::vector<std::uint32_t> run()
    {
        const auto vertices = static_cast<std::uint32_t>(removed_.size());
        double sum = 0;
        for (std::uint32_t v = 0; v < vertices; ++v) {
            if (removed_[v] != 0) continue;
            queue_.raise(v, lists_.product(v));
            note(v);
            sum += lists_.product(v);
        }
        apply_rules();
        const double most = std::max(1.0, kContractionProduct * sum / std::max(1U, vertices));
        const std::uint32_t class_of_most = ProductQueue::class_of(static_cast<std::uint32_t>(most));
        while (!queue_.empty()) {
            if (!contracts_ && queue_.highest_class() <= class_of_most) {
                contracts_ = true;
                for (std::uint32_t v = 0; v < vertices; ++v)
                    if (removed_[v] == 0) note(v);
                apply_rules();
                continue;
            }
            std::uint32_t vertex = 0;
            if (!queue_.take(vertex, [&](std::uint32_t v) { return lists_.product(v); })) continue;
            join(vertex);
            apply_rules();
        }
        if (listener_ && reported_ < members_.size())
            listener_(std::span<const std::uint32_t>(members_).subspan(reported_));
        return std::move(members_);
    }

private:
    /// Lets the vertices with many arcs join the set. Returns these vertices.
    std::vector<std::uint8_t> join_hubs(const CsrView& out, const CsrView& in, std::uint32_t vertices)
    {
        members_.reserve(vertices);
        std::vector<std::uint8_t> joined(vertices, 0);
        for (std::uint32_t v = 0; v < vertices; ++v) {
            if (options_.most_arcs > 0 && out.degree(v) <= options_.most_arcs && in.degree(v) <= kMostNeighbours)
                continue;
            joined[v] = 1;
            members_.push_back(v);
        }
        report();
        return joined;
    }
    void report()
    {
        if (!listener_ || members_.size() - reported_ < options_.members_at_once || members_.empty()) return;
        listener_(std::span<const std::uint32_t>(members_).subspan(reported_));
        reported_ = members_.size();
    }

    /// Remembers a vertex if a rule may apply to it.
    void note(std::uint32_t vertex)
    {
        const std::uint32_t most = contracts_ ? 1 : 0;
        if (lists_.size(vertex, out_side) <= most || lists_.size(vertex, in_side) <= most) noted_.push_back(vertex);
    }
    void apply_rules()
    {
        while (!noted_.empty()) {
            const std::uint32_t vertex = noted_.back();
            noted_.pop_back();
            if (removed_[vertex] != 0) continue;
            if (lists_.product(vertex) == 0)
                remove(vertex);
            else if (contracts_ && lists_.size(vertex, in_side) == 1)
                contract(vertex, in_side);
            else if (contracts_ && lists_.size(vertex, out_side) == 1)
                contract(vertex, out_side);
        }
    }

    void remove(std::uint32_t vertex)
    {
        removed_[vertex] = 1;
        for (const Side side : {out_side, in_side})
            for (std::uint32_t i = 0; i < lists_.size(vertex, side); ++i) {
                const std::uint32_t neighbour = lists_.neighbour(vertex, side, i);
                lists_.erase(neighbour, opposite(side), vertex);
                note(neighbour);
            }
        lists_.clear(vertex);
    }
    void join(std::uint32_t vertex)
    {
        remove(vertex);
        members_.push_back(vertex);
        report();
    }
    /// Contracts a vertex into its only neighbour on a side.
    void contract(std::uint32_t vertex, Side side)
    {
        const std::uint32_t into = lists_.neighbour(vertex, side, 0);
        const Side other = opposite(side);
        bool loop = false;
        removed_[vertex] = 1;
        lists_.erase(into, other, vertex);
        for (std::uint32_t i = 0; i < lists_.size(vertex, other); ++i) {
            const std::uint32_t neighbour = lists_.neighbour(vertex, other, i);
            const bool shorter = lists_.size(neighbour, side) < lists_.size(into, other);
            if (neighbour == into) {
                lists_.erase(into, side, vertex);
                loop = true;
            } else if (shorter ? lists_.contains(neighbour, side, into) : lists_.contains(into, other, neighbour)) {
                lists_.erase(neighbour, side, vertex);
                note(neighbour);
            } else {
                lists_.replace(neighbour, side, vertex, into);
                lists_.append(into, other, neighbour);
            }
        }
        lists_.clear(vertex);
        if (loop || lists_.size(into, other) > kMostNeighbours) {
            join(into);
        } else {
            note(into);
            queue_.raise(into, lists_.product(into));
        }
    }

    const FeedbackVertexOptions& options_;
    const MemberListener& listener_;
    std::vector<std::uint32_t> members_;
    std::size_t reported_ = 0;           // members
    std::vector<std::uint8_t> removed_;  // of each vertex: joined, removed or contracted
    ShrinkingLists lists_;
    ProductQueue queue_;
    std::vector<std::uint32_t> noted_;
    bool contracts_ = false;
};

}  // namespace

std::vector<std::uint32_t> feedback_vertices(const CsrView& out, const CsrView& in, std::uint32_t vertices,
                                             const FeedbackVertexOptions& options, const MemberListener& listener)
{
    return FeedbackSearch(out, in, vertices, options, listener).run();
}

}  // namespace wayfront::algo
