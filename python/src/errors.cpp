// The library's exceptions as those of wayfront/_errors.py.
#include <exception>
#include <string>
#include <vector>

#include <nanobind/stl/vector.h>

#include "door.hpp"

namespace wayfront::python {

namespace {

/// Sets Python's current exception.
template <typename... Arguments>
void raise(const char* type, Arguments&&... arguments)
{
    const nb::object made = nb::module_::import_("wayfront._errors").attr(type)(std::forward<Arguments>(arguments)...);
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
}

void translate(const std::exception_ptr& thrown, void* /*unused*/)
{
    try {
        std::rethrow_exception(thrown);
    } catch (const NegativeCycleError& error) {
        raise("NegativeCycleError", error.what(), error.vertices());
    } catch (const RankFailure& error) {
        raise("RankFailure", error.what(), static_cast<int>(error.code()));
    } catch (const InputError& error) {
        raise("InputError", error.what());
    } catch (const ResourceError& error) {
        raise("ResourceError", error.what());
    } catch (const Error& error) {
        raise("ResultError", error.what());
    }
}

}  // namespace

void bind_errors()
{
    nb::register_exception_translator(translate);
}

}  // namespace wayfront::python
