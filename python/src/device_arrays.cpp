// Arrays in GPU memory: edges of the caller, and results.
#include "device_arrays.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "wayfront/edges_on_gpu.hpp"

namespace wayfront::python {

namespace {

struct TypeOfElements
{
    const char* name;     // NumPy's
    const char* typestr;  // of __cuda_array_interface__
    ElementType type;
};

constexpr std::array<TypeOfElements, 4> kTypes{{{"int32", "<i4", ElementType::int32},
                                                {"int64", "<i8", ElementType::int64},
                                                {"float32", "<f4", ElementType::float32},
                                                {"float64", "<f8", ElementType::float64}}};

const TypeOfElements& type_of(ElementType type)
{
    for (const TypeOfElements& each : kTypes)
        if (each.type == type) return each;
    return kTypes.front();
}

ElementType type_of(std::string_view typestr)
{
    for (const TypeOfElements& each : kTypes)
        if (typestr == each.typestr) return each.type;
    throw nb::type_error("expected an array of int32, int64, float32 or float64 in GPU memory");
}

nb::dlpack::dtype dlpack_type(ElementType type)
{
    switch (type) {
        case ElementType::int32:
            return nb::dtype<std::int32_t>();
        case ElementType::int64:
            return nb::dtype<std::int64_t>();
        case ElementType::float32:
            return nb::dtype<float>();
        case ElementType::float64:
            break;
    }
    return nb::dtype<double>();
}

/// An array of a caller that is known by DLPack.
using GpuArray = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig>;

CallerArray array_of_dlpack(const GpuArray& array)
{
    constexpr int managed = 13;  // kDLCUDAManaged
    if (array.device_type() != nb::device::cuda::value && array.device_type() != managed)
        throw nb::type_error("expected an array in GPU memory");
    for (const TypeOfElements& each : kTypes)
        if (array.dtype() == dlpack_type(each.type)) {
            nb::capsule owner(new GpuArray(array), [](void* kept) noexcept { delete static_cast<GpuArray*>(kept); });
            return {{array.data(), array.size(), each.type}, std::move(owner)};
        }
    throw nb::type_error("expected an array of int32, int64, float32 or float64 in GPU memory");
}

nb::dict interface_of(const DeviceArray& array)
{
    nb::dict interface;
    interface["shape"] = nb::make_tuple(array.size());
    interface["typestr"] = type_of(array.type()).typestr;
    interface["data"] = nb::make_tuple(reinterpret_cast<std::uintptr_t>(array.data()), false);
    interface["strides"] = nb::none();
    interface["version"] = 3;
    interface["stream"] = nb::none();  // there is nothing to wait for
    return interface;
}

/// A capsule of DLPack. The values are there, so that no stream has to wait.
nb::object capsule_of(const nb::object& self)
{
    const auto& array = nb::cast<const DeviceArray&>(self);
    const std::size_t shape[] = {array.size()};
    const nb::ndarray<> exported(array.data(), 1, shape, self, nullptr, dlpack_type(array.type()),
                                 nb::device::cuda::value, array.device());
    return nb::cast(exported);
}

nb::object copied_to_host(const DeviceArray& array)
{
    const auto copy = [&]<typename T>(T) -> nb::object {
        std::vector<T> values(array.size());
        {
            const nb::gil_scoped_release released;
            array.copy_to(values.data());
        }
        return nb::cast(array_of(std::move(values)));
    };
    switch (array.type()) {
        case ElementType::int32:
            return copy(std::int32_t{});
        case ElementType::int64:
            return copy(std::int64_t{});
        case ElementType::float32:
            return copy(float{});
        case ElementType::float64:
            break;
    }
    return copy(double{});
}

}  // namespace

void bind_device_arrays(nb::module_& module)
{
    nb::class_<CallerArray>(module, "CallerArray")
        .def_static("of_dlpack", array_of_dlpack, nb::arg("array").noconvert())
        .def_static(
            "of_memory",
            [](std::uintptr_t data, std::size_t size, std::string_view typestr, nb::object owner) {
                return CallerArray{{reinterpret_cast<const void*>(data), size, type_of(typestr)}, std::move(owner)};
            },
            nb::arg("data"), nb::arg("size"), nb::arg("typestr"), nb::arg("owner"))
        .def_prop_ro("on_search_gpu", [](const CallerArray& self) { return on_search_gpu(self.span); })
        .def_prop_ro("dtype", [](const CallerArray& self) { return type_of(self.span.type).name; });
    nb::class_<DeviceArray>(
        module, "DeviceArray",
        "An array of one dimension in GPU memory, which CuPy, PyTorch and others take without a copy.")
        .def_prop_ro("__cuda_array_interface__", interface_of)
        .def(
            "__dlpack__",
            [](const nb::object& self, const nb::object& /*stream*/, const nb::object& /*max_version*/,
               const nb::object& dl_device, const nb::object& copy) {
                const auto& array = nb::cast<const DeviceArray&>(self);
                const bool elsewhere =
                    !dl_device.is_none() && !dl_device.equal(nb::make_tuple(nb::device::cuda::value, array.device()));
                const bool wants_copy = !copy.is_none() && nb::cast<bool>(copy);
                if (elsewhere || wants_copy) throw nb::buffer_error("a DeviceArray is exported without a copy");
                return capsule_of(self);
            },
            nb::kw_only(), nb::arg("stream").none() = nb::none(), nb::arg("max_version").none() = nb::none(),
            nb::arg("dl_device").none() = nb::none(), nb::arg("copy").none() = nb::none())
        .def("__dlpack_device__",
             [](const DeviceArray& self) { return std::pair<int, int>(nb::device::cuda::value, self.device()); })
        .def("__len__", &DeviceArray::size)
        .def("__repr__",
             [](const DeviceArray& self) {
                 return "<wayfront.DeviceArray: " + std::to_string(self.size()) + " of " + type_of(self.type()).name +
                        " on GPU " + std::to_string(self.device()) + ">";
             })
        .def_prop_ro("shape", [](const DeviceArray& self) { return nb::make_tuple(self.size()); })
        .def_prop_ro(
            "dtype", [](const DeviceArray& self) { return type_of(self.type()).name; }, "NumPy's name of the type.")
        .def_prop_ro("device", &DeviceArray::device, "The number of the GPU.")
        .def("to_host", copied_to_host, "A copy as a NumPy array.");
}

}  // namespace wayfront::python
