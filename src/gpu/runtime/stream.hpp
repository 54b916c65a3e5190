// Streams and events: move-only owners.
#pragma once

#include <utility>

#include <cuda_runtime.h>

#include "gpu/runtime/check.hpp"

namespace wayfront::gpu {

/// Converts the result of a query to whether the work is complete. Throws CudaError if the work
/// failed.
inline bool is_done(cudaError_t answer)
{
    if (answer != cudaErrorNotReady)
        check(answer);
    else
        cudaGetLastError();  // not an error, but the next launch would report it
    return answer == cudaSuccess;
}

enum class StreamPriority { normal, high };

/// A stream that does not wait for the default stream.
class Stream
{
public:
    Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
    /// With high priority, the blocks of this stream's kernels start before waiting blocks of other
    /// streams.
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
    /// Whether all work in the stream is complete.
    [[nodiscard]] bool done() const { return is_done(cudaStreamQuery(stream_)); }

private:
    cudaStream_t stream_ = nullptr;
};

/// A point in a stream, without a time: the host measures synchronised work with its own clock.
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
    /// Whether the stream's work before this point is complete.
    [[nodiscard]] bool done() const { return is_done(cudaEventQuery(event_)); }

protected:
    explicit Event(unsigned flags) { check(cudaEventCreateWithFlags(&event_, flags)); }

private:
    cudaEvent_t event_ = nullptr;
};

/// An event that records its time, for work for which no thread waits.
class TimedEvent : public Event
{
public:
    TimedEvent() : Event(cudaEventDefault) {}

    /// Pre: the work before both events is complete.
    [[nodiscard]] double seconds_since(const TimedEvent& earlier) const
    {
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, earlier.get(), get()));
        return milliseconds * 1e-3;
    }
};

}  // namespace wayfront::gpu
