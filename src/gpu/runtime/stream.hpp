// Streams and events: move-only owners.
#pragma once

#include <utility>

#include <cuda_runtime.h>

#include "gpu/runtime/check.hpp"

namespace wayfront::gpu {

/// Converts the answer of a query: whether the work is done. Throws CudaError if it failed.
inline bool is_done(cudaError_t answer)
{
    if (answer != cudaErrorNotReady)
        check(answer);
    else
        cudaGetLastError();  // this is not an error, but the next launch would report it
    return answer == cudaSuccess;
}

enum class StreamPriority { normal, high };

/// A stream that does not wait for the default stream.
class Stream
{
public:
    Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
    /// High: the blocks of its kernels start before those of other streams that wait for a place.
    explicit Stream(StreamPriority priority)
    {
        int least = 0;
        int greatest = 0;
        check(cudaDeviceGetStreamPriorityRange(&least, &greatest));
        check(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking,
                                           priority == StreamPriority::high ? greatest : least));
    }
    Stream(Stream&& other) noexcept : stream_(std::exchange(other.stream_, nullptr)) {}
    Stream& operator=(Stream&& other) noexcept
    {
        std::swap(stream_, other.stream_);
        return *this;
    }
    Stream(const Stream&) = delete;  // owns the stream
    Stream& operator=(const Stream&) = delete;
    ~Stream()
    {
        if (stream_ != nullptr) cudaStreamDestroy(stream_);
    }

    [[nodiscard]] cudaStream_t get() const noexcept { return stream_; }
    void synchronize() const { check(cudaStreamSynchronize(stream_)); }
    /// Whether all work that was put into the stream is done.
    [[nodiscard]] bool done() const { return is_done(cudaStreamQuery(stream_)); }

private:
    cudaStream_t stream_ = nullptr;
};

/// A point in a stream. It has no time: the host measures synchronised work with its own clock.
class Event
{
public:
    Event() : Event(cudaEventDisableTiming) {}
    Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
    Event& operator=(Event&& other) noexcept
    {
        std::swap(event_, other.event_);
        return *this;
    }
    Event(const Event&) = delete;  // owns the event
    Event& operator=(const Event&) = delete;
    ~Event()
    {
        if (event_ != nullptr) cudaEventDestroy(event_);
    }

    [[nodiscard]] cudaEvent_t get() const noexcept { return event_; }
    void record(const Stream& stream) { check(cudaEventRecord(event_, stream.get())); }
    void block(const Stream& stream) const { check(cudaStreamWaitEvent(stream.get(), event_, 0)); }
    void synchronize() const { check(cudaEventSynchronize(event_)); }
    /// Whether the stream's work before this point is done.
    [[nodiscard]] bool done() const { return is_done(cudaEventQuery(event_)); }

protected:
    explicit Event(unsigned flags) { check(cudaEventCreateWithFlags(&event_, flags)); }

private:
    cudaEvent_t event_ = nullptr;
};

/// An event that records its time, for work that no thread waits for.
class TimedEvent : public Event
{
public:
    TimedEvent() : Event(cudaEventDefault) {}

    /// Pre: both events are done.
    [[nodiscard]] double seconds_since(const TimedEvent& earlier) const
    {
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, earlier.get(), get()));
        return milliseconds * 1e-3;
    }
};

}  // namespace wayfront::gpu
