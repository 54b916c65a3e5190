// Compressed sparse rows in device memory, in the host's numbering and form (graph/csr.hpp), for
// algorithms without a layout of their own.
//
// `DeviceCsr` owns the memory; its view() is the CsrView that kernels read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "gpu/runtime/device_arrays.hpp"
#include "gpu/runtime/memory_plan.hpp"
#include "gpu/runtime/staging.hpp"
#include "gpu/runtime/stream.hpp"
#include "graph/csr.hpp"

namespace wayfront::gpu {

struct DeviceCsrPlan : MemoryPlan
{
    DeviceCsrPlan(std::uint32_t lists, std::size_t edges)
        : group_offsets(array<std::uint64_t>("group offsets", (lists >> kOffsetGroupBits) + 1)),
          relative_offsets(array<std::uint32_t>("relative offsets", std::size_t{lists} + 1)),
          neighbours(array<std::uint32_t>("neighbours", edges))
    {
    }
    explicit DeviceCsrPlan(const CsrView& host) : DeviceCsrPlan(host.lists, host.begin(host.lists)) {}

    PlannedArray<std::uint64_t> group_offsets;
    PlannedArray<std::uint32_t> relative_offsets;
    PlannedArray<std::uint32_t> neighbours;
};

class DeviceCsr
{
public:
    DeviceCsr() = default;
    /// Copies the host's lists; the caller may destroy them afterwards. The copy is complete when
    /// the current work of the stream is complete. Throws ResourceError if the device memory does
    /// not suffice.
    DeviceCsr(const CsrView& host, Staging& staging, const Stream& stream)
    {
        const DeviceCsrPlan plan(host);
        memory_ = DeviceArrays(plan);
        const auto copy = [&]<typename T>(const T* from, const PlannedArray<T>& array) {
            const std::span<T> to = memory_[array];
            staging.to_device(std::span(from, to.size()), to.data(), stream);
            return to.data();
        };
        view_ = {copy(host.group_offsets, plan.group_offsets), copy(host.relative_offsets, plan.relative_offsets),
                 copy(host.neighbours, plan.neighbours), host.lists};
    }

    // The view is valid while this object, or the object to which it is moved, exists.
    [[nodiscard]] const CsrView& view() const { return view_; }
    [[nodiscard]] std::size_t bytes() const { return memory_.bytes(); }

private:
    DeviceArrays memory_;
    CsrView view_;
};

}  // namespace wayfront::gpu
