// The messages that a process received from other ranks, counted where they are sent for.
#pragma once

#include <atomic>
#include <cstdint>

namespace wayfront {

struct MessageCount
{
    std::uint64_t steps = 0;  // collective operations, ends of messages; several if over 1 GiB
    std::uint64_t bytes = 0;  // received from other ranks; of a reduction, those of its result

    friend MessageCount operator-(const MessageCount& a, const MessageCount& b)
    {
        return {a.steps - b.steps, a.bytes - b.bytes};
    }
    friend MessageCount operator+(const MessageCount& a, const MessageCount& b)
    {
        return {a.steps + b.steps, a.bytes + b.bytes};
    }
    friend bool operator==(const MessageCount&, const MessageCount&) = default;
};

/// Counts from any thread.
class MessageCounter
{
public:
    /// One step, in which this process receives `bytes` from other ranks.
    void add(std::uint64_t bytes) noexcept
    {
        steps_.fetch_add(1, std::memory_order_relaxed);
        bytes_.fetch_add(bytes, std::memory_order_relaxed);
    }
    [[nodiscard]] MessageCount count() const noexcept
    {
        return {steps_.load(std::memory_order_relaxed), bytes_.load(std::memory_order_relaxed)};
    }

private:
    std::atomic<std::uint64_t> steps_ = 0;
    std::atomic<std::uint64_t> bytes_ = 0;
};

/// The messages of this process since its start. Every layer sends messages, and spans of time
/// (base/phase.hpp) state what they received; so there is one counter for the program.
inline MessageCounter message_counter;

}  // namespace wayfront
