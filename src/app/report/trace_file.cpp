#include "app/report/trace_file.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>

#include "base/bytes_in_words.hpp"
#include "session/output/text_output.hpp"

namespace wayfront::app {

namespace {

std::string events_of(const PhaseLog& log, Clock::time_point start, int rank)
{
    constexpr double microseconds = 1e6;
    std::string text =
        fmt::format(R"({{"name":"process_name","ph":"M","pid":{0},"args":{{"name":"rank {0}"}}}})", rank);
    // Names of spans that have threads of their own in the trace.
    std::vector<std::string_view> lanes;
    std::vector<Span> spans = log.spans();
    std::ranges::stable_sort(spans, {}, &Span::end);  // some spans are added long after they ended
    for (const Span& span : spans) {
        std::string arguments;
        const auto add = [&](std::string_view name, auto value) {
            arguments += fmt::format(R"({}"{}":{})", arguments.empty() ? "" : ",", name, value);
        };
        if (span.search > 0) {
            add("search", span.search);
            add("source", span.source);
        }
        if (span.level > 0) add("level", span.level);
        std::size_t lane = 0;
        if (span.stretch != Span::kNoStretch) {
            add("stretch", span.stretch);
            lane = static_cast<std::size_t>(std::ranges::find(lanes, span.name) - lanes.begin()) + 1;
            if (lane > lanes.size()) {
                lanes.push_back(span.name);
                text += fmt::format(
                    ",\n"
                    R"({{"name":"thread_name","ph":"M","pid":{},"tid":{},"args":{{"name":"{}"}}}})",
                    rank, lane, span.name);
            }
        }
        if (!span.direction.empty()) {
            add("direction", fmt::format(R"("{}")", span.direction));
            add("vertices", span.vertices);
            add("out_edges", span.out_edges);
        }
        if (span.received.steps > 0) {
            add("steps", span.received.steps);
            add("bytes", span.received.bytes);
        }
        text += fmt::format(
            ",\n"
            R"({{"name":"{}","cat":"wayfront","ph":"X","pid":{},"tid":{},"ts":{:.3f},"dur":{:.3f},"args":{{{}}}}})",
            span.name, rank, lane, seconds_between(start, span.begin) * microseconds, span.seconds() * microseconds,
            arguments);
    }
    return text;
}

}  // namespace

Trace::Trace(const job::Job& job, std::string path, bool verbose) : path_(std::move(path)), verbose_(verbose)
{
    if (log() != nullptr) job.world().barrier();
    start_ = Clock::now();
}

void Trace::add_search(std::string_view name, std::int64_t number, Vertex source, Clock::time_point begin)
{
    if (log() == nullptr) return;
    log_.add({.name = name, .begin = begin, .end = Clock::now(), .search = static_cast<int>(number), .source = source});
}

void Trace::write(const job::Job& job) const
{
    if (verbose_) print_phases(job, log_);
    if (!path_.empty()) write_file(job);
}

void print_phases(const job::Job& job, const PhaseLog& log)
{
    struct Sum
    {
        std::string_view name;
        std::size_t times;
        double seconds;
        std::uint64_t bytes;
    };
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    constexpr std::int64_t kibibyte = 1024;
    const std::int64_t peak = job.world().all_reduce(std::int64_t{usage.ru_maxrss} * kibibyte, comm::Reduction::max);
    if (!job.first()) return;
    std::vector<Span> spans = log.spans();
    std::ranges::stable_sort(spans, {}, &Span::begin);  // phases before their parts
    std::vector<Sum> sums;
    for (const Span& span : spans) {
        auto sum = std::ranges::find(sums, span.name, &Sum::name);
        if (sum == sums.end()) sum = sums.insert(sum, {span.name, 0, 0, 0});
        ++sum->times;
        sum->seconds += span.seconds();
        sum->bytes += span.received.bytes;
    }
    std::string text = fmt::format("{:<19} {:>7} {:>12} {:>12}\n", "phase of rank 0", "times", "seconds", "received");
    for (const Sum& sum : sums)
        text += fmt::format("{:<19} {:>7} {:>12.6f} {:>12}\n", sum.name, sum.times, sum.seconds,
                            bytes_in_words(static_cast<double>(sum.bytes)));
    std::cout << text << "peak of memory      " << bytes_in_words(static_cast<double>(peak)) << " of a rank\n";
}

void Trace::write_file(const job::Job& job) const
{
    session::write_texts_of_ranks(job, path_, {"{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n", ",\n", "\n]}\n"},
                                  events_of(log_, start_, job.world().rank()));
}

}  // namespace wayfront::app
