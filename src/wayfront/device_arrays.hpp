// Arrays in the memory of a GPU: edges of the caller, and results of searches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace wayfront {

/// The type of the elements of an array in GPU memory.
enum class ElementType { int32, int64, float32, float64 };

/// An array of the caller in GPU memory, whose elements are contiguous.
struct DeviceSpan
{
    const void* data = nullptr;
    std::size_t size = 0;  // elements
    ElementType type = ElementType::int32;
};

/// Edges as two arrays in the memory of one GPU: edge i leads from sources[i] to targets[i], which are
/// whole numbers.
struct DeviceEdgeArrays
{
    DeviceSpan sources;
    DeviceSpan targets;
    std::optional<DeviceSpan> weights{};
    /// The streams of CUDA, as numbers, in which the arrays are written: their work so far is waited for.
    std::vector<std::uintptr_t> streams{};
};

/// An array in GPU memory that wayfront has made. Copies share its memory, which is freed with the last one.
class DeviceArray
{
public:
    /// An array without elements.
    DeviceArray() = default;
    DeviceArray(std::shared_ptr<void> memory, std::size_t size, ElementType type, int device)
        : memory_(std::move(memory)), size_(size), type_(type), device_(device)
    {
    }

    /// The first element, in the memory of the GPU. Its value is there: nothing is left to wait for.
    [[nodiscard]] void* data() const { return memory_.get(); }
    /// The number of elements.
    [[nodiscard]] std::size_t size() const { return size_; }
    /// The type of the elements.
    [[nodiscard]] ElementType type() const { return type_; }
    /// The number of the GPU.
    [[nodiscard]] int device() const { return device_; }
    /// Copies the elements to memory of the host, which has room for them. Throws ResourceError.
    void copy_to(void* host) const;

private:
    std::shared_ptr<void> memory_;
    std::size_t size_ = 0;
    ElementType type_ = ElementType::int32;
    int device_ = 0;
};

/// The bytes of an element.
[[nodiscard]] constexpr std::size_t size_of(ElementType type)
{
    return type == ElementType::int32 || type == ElementType::float32 ? 4 : 8;
}

}  // namespace wayfront
