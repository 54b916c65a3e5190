// Arrays in GPU memory, as Python passes them.
#pragma once

#include "door.hpp"

namespace wayfront::python {

/// An array of the caller in GPU memory, and the object that owns it.
struct CallerArray
{
    DeviceSpan span;
    nb::object owner;
};

void bind_device_arrays(nb::module_& module);

}  // namespace wayfront::python
