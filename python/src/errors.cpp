// The library's exceptions as those of wayfront/_errors.py.
#include <exception>
#include <string>
#include <vector>

#include <nanobind/stl/vector.h>

#include "door.hpp"

namespace wayfront::python {

namespace {

template <typename... Arguments>
nb::object made(const char* type, Arguments&&... arguments)
{
    return nb::module_::import_("wayfront._errors").attr(type)(std::forward<Arguments>(arguments)...);
}

void translate(const std::exception_ptr& thrown, void* /*unused*/)
{
    const nb::object error = error_object(thrown);
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
}

}  // namespace

nb::object error_object(const std::exception_ptr& thrown)
{
    try {
        std::rethrow_exception(thrown);
    } catch (const NegativeCycleError& error) {
        return made("NegativeCycleError", error.what(), error.vertices());
    } catch (const RankFailure& error) {
        return made("RankFailure", error.what(), static_cast<int>(error.code()));
    } catch (const InputError& error) {
        return made("InputError", error.what());
    } catch (const ResourceError& error) {
        return made("ResourceError", error.what());
    } catch (const Error& error) {
        return made("ResultError", error.what());
    }
}

void bind_errors()
{
    nb::register_exception_translator(translate);
}

}  // namespace wayfront::python
