// Short waits for other threads.
#pragma once

#include <atomic>
#include <thread>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace wayfront::cpu {

/// Waits for a moment at a time: first in a loop, then by giving the core to another thread, which
/// may be the thread that this one waits for.
class Spin
{
public:
    void wait()
    {
        if (turns_ < kBusyTurns) {
            ++turns_;
            pause();
        } else {
            std::this_thread::yield();
        }
    }

private:
    static constexpr int kBusyTurns = 1000;  // some 10 microseconds

    static void pause()
    {
#if defined(__x86_64__)
        _mm_pause();
#elif defined(__aarch64__)
        asm volatile("yield");
#endif
    }

    int turns_ = 0;
};

/// A lock for a few instructions.
class SpinLock
{
public:
    void lock()
    {
        Spin spin;
        while (flag_.test_and_set(std::memory_order_acquire)) spin.wait();
    }
    void unlock() { flag_.clear(std::memory_order_release); }

private:
    std::atomic_flag flag_;
};

}  // namespace wayfront::cpu
