#include "model/field_paths.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

#include "algo/sssp/push_pull_rules.hpp"

namespace wayfront::model {

namespace {

constexpr int kMostRounds = 500;
constexpr double kManyArrivals = 50;  // from this number of arrivals on, means replace drawn numbers
constexpr double kNoVertex = 0.5;

// The bins: of a quarter of a window, then growing.
constexpr int kBinsOfAWindow = 4;
constexpr int kFineWindows = 24;
constexpr double kGrowth = 1.06;
constexpr double kFarthest = 6;

/// A vertex that was reached while there are few.
struct Reached
{
    std::size_t vertex_class = 0;
    double distance = 0;
    double arcs = 0;
    bool changed = true;
};

double total(const ClassBins& bins)
{
    double sum = 0;
    for (const std::vector<double>& of_class : bins) sum = std::accumulate(of_class.begin(), of_class.end(), sum);
    return sum;
}

/// Along one arc, sums arrive at each distance from that of the other end on with the density of the weights, 1, and
/// up to a distance 1 more. The result is the same for vertices of all classes but for a factor, and is divided over
/// the classes behind.
void add_arrivals(const std::vector<double>& vertices, const std::vector<double>& edges, double end,
                  std::vector<double>& arrivals)
{
    const std::size_t bins = vertices.size() - 1;  // without the vertices that were not reached
    double below = 0;
    double beyond = 0;  // vertices whose heaviest arc ends below this bin
    std::size_t last = 0;
    for (std::size_t bin = 0; bin < bins && edges[bin] < end; ++bin) {
        for (; last < bin && edges[last] + 1 < edges[bin]; ++last) beyond += vertices[last];
        const double width = std::min(end, edges[bin + 1]) - edges[bin];
        arrivals[bin] += (below - beyond + vertices[bin] / 2) * width;
        below += vertices[bin];
    }
}

/// For each class, the sums along one arc from each of its vertices that has relaxed the arc.
ClassBins arrivals_of(const Relaxed& relaxed, const std::vector<double>& edges)
{
    ClassBins arrivals(relaxed.vertices.size(), std::vector<double>(edges.size() - 1, 0));
    for (std::size_t k = 0; k < arrivals.size(); ++k) {
        add_arrivals(relaxed.vertices[k], edges, relaxed.end, arrivals[k]);
        add_arrivals(relaxed.whole[k], edges, edges.back(), arrivals[k]);
    }
    return arrivals;
}

class FieldPathSearch
{
public:
    FieldPathSearch(const VertexClasses& classes, std::mt19937_64& random)
        : classes_(classes), random_(random), delta_(window_width(classes))
    {
    }

    FieldPaths run();

private:
    void reach_first();
    [[nodiscard]] bool draw_round();
    [[nodiscard]] Reached drawn_end(const Reached& from, double distance);
    void reach_along(const Reached& from, double first, double end, std::vector<Reached>& found);
    void make_bins();
    void push_windows();
    void push_nearest();
    void pull();
    /// Adds a round: the sums that arrive in the round follow from the vertices that are relaxed after it.
    void finish(FieldRound round);
    [[nodiscard]] double arcs_of(const ClassBins& vertices) const;
    [[nodiscard]] ClassBins none() const { return {classes_.count(), std::vector<double>(search_.bins(), 0)}; }
    [[nodiscard]] FieldRound next(FieldRound::Kind kind) const;
    [[nodiscard]] double least_of(const ClassBins& vertices) const;

    const VertexClasses& classes_;
    std::mt19937_64& random_;
    double delta_;
    FieldPaths search_;
    std::vector<Reached> first_reached_;
    double window_ = 0;
    ClassBins distances_;  // the distances of all vertices
    ClassBins changed_;
    ClassBins known_;  // arrivals so far
};

FieldPaths FieldPathSearch::run()
{
    reach_first();
    while (draw_round()) {
    }
    make_bins();
    push_windows();
    push_nearest();
    pull();
    for (const std::vector<double>& of_class : distances_)
        search_.reached += std::accumulate(of_class.begin(), of_class.end() - 1, 0.0);
    return std::move(search_);
}

void FieldPathSearch::reach_first()
{
    std::vector<double> connected;
    for (std::size_t k = 0; k < classes_.count(); ++k)
        connected.push_back(classes_.sizes[k] * -std::expm1(-classes_.degrees[k]));
    const auto key = std::discrete_distribution<std::size_t>(connected.begin(), connected.end())(random_);
    constexpr double least_mean = 1e-2;
    std::int64_t arcs = 0;
    while (arcs == 0)
        arcs = std::poisson_distribution<std::int64_t>(std::max(classes_.degrees[key], least_mean))(random_);
    first_reached_ = {{key, 0, static_cast<double>(arcs), true}};
}

/// A round among few vertices. Returns false, and does nothing, if it would reach many.
bool FieldPathSearch::draw_round()
{
    const bool any_changed = std::ranges::any_of(first_reached_, &Reached::changed);
    std::vector<double> arcs;
    arcs.reserve(first_reached_.size());
    for (const Reached& vertex : first_reached_) arcs.push_back(vertex.arcs);
    // If nothing has changed, the window moves to the next sum.
    const double sum = std::accumulate(arcs.begin(), arcs.end(), 0.0);
    const double first = any_changed ? window_ : window_ + std::exponential_distribution<double>(sum)(random_);
    const double end = first + delta_;
    double arrivals = 0;
    for (const Reached& vertex : first_reached_)
        arrivals += vertex.arcs * (end - (vertex.changed ? vertex.distance : first));
    if (arrivals > kManyArrivals || search_.drawn.size() > kMostRounds) return false;

    std::vector<Reached> found;
    if (!any_changed) {
        const auto from = std::discrete_distribution<std::size_t>(arcs.begin(), arcs.end())(random_);
        found.push_back(drawn_end(first_reached_[from], first));
    }
    for (const Reached& vertex : first_reached_)
        reach_along(vertex, vertex.changed ? vertex.distance : first, end, found);
    search_.drawn.push_back({static_cast<double>(std::ranges::count_if(first_reached_, &Reached::changed)), arrivals});
    for (Reached& vertex : first_reached_) vertex.changed = false;
    first_reached_.insert(first_reached_.end(), found.begin(), found.end());
    window_ = end;
    return true;
}

Reached FieldPathSearch::drawn_end(const Reached& from, double distance)
{
    const std::vector<double>& ends = classes_.ends[from.vertex_class];
    const auto to = std::discrete_distribution<std::size_t>(ends.begin(), ends.end())(random_);
    return {to, distance, classes_.degrees[to], true};
}

/// The ends of arcs whose sums are from `first` to `end`.
void FieldPathSearch::reach_along(const Reached& from, double first, double end, std::vector<Reached>& found)
{
    const double mean = from.arcs * (end - first);
    if (mean <= 0) return;
    const auto arcs = std::poisson_distribution<std::int64_t>(mean)(random_);
    for (std::int64_t i = 0; i < arcs; ++i) {
        const Reached to = drawn_end(from, std::uniform_real_distribution<double>(first, end)(random_));
        // A class may have few vertices, which are reached.
        const auto same = [&to](const Reached& vertex) { return vertex.vertex_class == to.vertex_class; };
        const auto reached = std::ranges::count_if(first_reached_, same) + std::ranges::count_if(found, same);
        const double share = static_cast<double>(reached) / classes_.sizes[to.vertex_class];
        if (!std::bernoulli_distribution(std::min(1.0, share))(random_)) found.push_back(to);
    }
}

/// Divides the distances into bins. From here on, a vertex that was drawn has the mean degree of its class.
void FieldPathSearch::make_bins()
{
    // Distances of more than two windows before do not change any more, and share a bin.
    constexpr double windows_before = 2;
    const double first = std::max(0.0, window_ - windows_before * delta_);
    if (first > 0) search_.edges.push_back(0);
    for (int bin = 0; bin <= kFineWindows * kBinsOfAWindow; ++bin)
        search_.edges.push_back(first + delta_ * bin / kBinsOfAWindow);
    for (double width = delta_ / kBinsOfAWindow; search_.edges.back() < kFarthest; width *= kGrowth)
        search_.edges.push_back(search_.edges.back() + width);
    search_.edges.push_back(search_.edges.back() + 1);  // not reached
    distances_ = none();
    changed_ = none();
    ClassBins relaxed = none();
    for (std::size_t k = 0; k < classes_.count(); ++k)
        distances_[k].back() = classes_.sizes[k];  // including vertices without arcs, which no sum reaches
    for (const Reached& vertex : first_reached_) {
        const auto above = std::ranges::upper_bound(search_.edges, vertex.distance);
        const auto before = static_cast<std::size_t>(above - search_.edges.begin()) - 1;
        const std::size_t bin = std::max<std::size_t>(first > 0 ? 1 : 0, before);
        const std::size_t k = vertex.vertex_class;
        const double one = std::min(1.0, distances_[k].back());
        distances_[k][bin] += one;
        distances_[k].back() -= one;
        (vertex.changed ? changed_ : relaxed)[k][bin] += one;
    }
    known_ = arrivals_of({relaxed, none(), window_}, search_.edges);
}

/// A round of this kind, before which the reached vertices have relaxed their arcs up to the end of the window.
FieldRound FieldPathSearch::next(FieldRound::Kind kind) const
{
    FieldRound round;
    round.kind = kind;
    round.window = window_;
    round.changed = changed_;
    round.open = distances_;
    round.relaxed = {distances_, none(), window_};
    for (std::vector<double>& of_class : round.relaxed.vertices) of_class.back() = 0;
    return round;
}

void FieldPathSearch::finish(FieldRound round)
{
    round.arrivals = arrivals_of(round.relaxed, search_.edges);
    for (std::size_t k = 0; k < classes_.count(); ++k)
        for (std::size_t bin = 0; bin < search_.bins(); ++bin)
            round.arrivals[k][bin] -= std::exchange(known_[k][bin], round.arrivals[k][bin]);
    const ClassBins sums = new_sums(classes_, round, std::vector<double>(classes_.count(), 1));
    changed_ = none();
    for (std::size_t j = 0; j < classes_.count(); ++j) {
        const std::vector<double>& open = round.open[j];
        const double unreached = for_each_improved_bin(open, sums[j], [&](std::size_t bin, const ImprovedBin& found) {
            changed_[j][bin] = found.improved;
            distances_[j][bin] += found.improved - (open[bin] - found.kept);
        });
        distances_[j].back() -= open.back() - unreached;
    }
    search_.rounds.push_back(std::move(round));
}

double FieldPathSearch::arcs_of(const ClassBins& vertices) const
{
    double arcs = 0;
    for (std::size_t k = 0; k < classes_.count(); ++k)
        arcs += classes_.degrees[k] * std::accumulate(vertices[k].begin(), vertices[k].end() - 1, 0.0);
    return arcs;
}

/// The smallest distance of the vertices.
double FieldPathSearch::least_of(const ClassBins& vertices) const
{
    double sum = 0;
    std::size_t bin = 0;
    for (; bin + 1 < search_.bins() && sum < kNoVertex; ++bin)
        for (const std::vector<double>& of_class : vertices) sum += of_class[bin];
    return search_.edges[bin > 0 ? bin - 1 : 0];
}

void FieldPathSearch::push_windows()
{
    bool settling = false;
    while (search_.rounds.size() < kMostRounds && window_ < kFarthest) {
        if (total(changed_) < kNoVertex && settling) return;
        settling = settling || arcs_of(distances_) > algo::kPushShare * classes_.arcs() * classes_.distinct;
        FieldRound round = next(FieldRound::Kind::push_window);
        if (!settling) window_ += delta_;
        round.relaxed.end = window_;
        finish(std::move(round));
    }
}

/// Pushes the whole lists of the nearest vertices, if they have few of the arcs together.
void FieldPathSearch::push_nearest()
{
    changed_ = none();
    FieldRound round = next(FieldRound::Kind::push_lists);
    double arcs = 0;
    std::size_t bin = 0;
    for (; bin + 1 < search_.bins() && search_.edges[bin] < window_; ++bin) {
        for (std::size_t k = 0; k < classes_.count(); ++k) arcs += classes_.degrees[k] * distances_[k][bin];
        if (arcs > algo::kNearestShare * classes_.arcs() * classes_.distinct) break;
        for (std::size_t k = 0; k < classes_.count(); ++k)
            std::swap(round.relaxed.vertices[k][bin], round.relaxed.whole[k][bin]);
    }
    round.changed = round.relaxed.whole;
    round.least = search_.edges[bin];
    finish(std::move(round));
}

/// Pulls until nothing changes. A partition that prefers pushes to a pull finds the same.
void FieldPathSearch::pull()
{
    double least = search_.rounds.back().least;
    for (bool is_first = true; search_.rounds.size() < kMostRounds; is_first = false) {
        FieldRound round = next(is_first ? FieldRound::Kind::pull_first : FieldRound::Kind::pull);
        round.all_sent = search_.rounds.back().kind == FieldRound::Kind::pull_first;
        round.least = least;
        std::swap(round.relaxed.vertices, round.relaxed.whole);
        for (std::vector<double>& of_class : round.open)
            for (std::size_t bin = 0; bin + 1 < search_.bins() && search_.edges[bin] < window_; ++bin)
                of_class[bin] = 0;
        finish(std::move(round));
        if (total(changed_) < kNoVertex) return;
        least = is_first ? window_ : least_of(changed_);
    }
}

}  // namespace

double FieldRound::changed_vertices() const
{
    return all_sent ? 0 : total(changed);
}

double FieldRound::changed_arcs(const VertexClasses& classes) const
{
    double arcs = 0;
    for (std::size_t k = 0; k < changed.size(); ++k) arcs += classes.degrees[k] * total({changed[k]});
    return arcs;
}

FieldPaths field_paths(const VertexClasses& classes, std::mt19937_64& random)
{
    return FieldPathSearch(classes, random).run();
}

ClassBins new_sums(const VertexClasses& classes, const FieldRound& round, const std::vector<double>& from_share)
{
    const std::size_t count = classes.count();
    const std::size_t bins = round.arrivals.front().size();
    ClassBins sums(count, std::vector<double>(bins, 0));
    for (std::size_t k = 0; k < count; ++k) {
        const std::vector<double>& arrivals = round.arrivals[k];
        const auto is_any = [](double x) { return x != 0; };
        const auto first = static_cast<std::size_t>(std::ranges::find_if(arrivals, is_any) - arrivals.begin());
        const auto behind = std::find_if(arrivals.rbegin(), arrivals.rend(), is_any).base();
        const auto last = static_cast<std::size_t>(behind - arrivals.begin());
        for (std::size_t j = 0; from_share[k] > 0 && j < count; ++j) {
            const double arcs = from_share[k] * classes.degrees[k] * classes.ends[k][j] / classes.sizes[j];
            for (std::size_t bin = first; bin < last; ++bin) sums[j][bin] += arcs * arrivals[bin];
        }
    }
    // After a distance has decreased, sums beyond the distance and the heaviest weight no longer arrive.
    for (std::vector<double>& of_class : sums)
        for (double& sum : of_class) sum = std::max(0.0, sum);
    return sums;
}

double window_width(const VertexClasses& classes)
{
    // Degrees have duplicates, weights have not.
    const double degree_at_ends = classes.degree_at_ends();
    const double all = classes.lighter_arcs(1);
    double mean_weight = 0;
    constexpr int parts = 100;
    for (int i = 0; i < parts; ++i) mean_weight += (1 - classes.lighter_arcs((i + 0.5) / parts) / all) / parts;
    double least = 0;
    double most = 1;
    constexpr int halvings = 50;
    for (int i = 0; i < halvings; ++i) {
        const double middle = (least + most) / 2;
        (classes.lighter_arcs(middle) < algo::window_share(degree_at_ends) * all ? least : most) = middle;
    }
    return algo::window_width(degree_at_ends, mean_weight, most);
}

}  // namespace wayfront::model
