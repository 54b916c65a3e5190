#include "base/failure.hpp"

#include <exception>
#include <new>
#include <string>
#include <system_error>

#include "base/agreed.hpp"

namespace wayfront {

Failure describe_current_exception()
{
    try {
        throw;
    } catch (const Error& error) {
        return {error.code(), error.what(), dynamic_cast<const Agreed*>(&error) != nullptr};
    } catch (const std::bad_alloc&) {
        return {ExitCode::resources, "out of memory; use more ranks or a smaller graph"};
    } catch (const std::system_error& error) {
        if (error.code() == std::errc::resource_unavailable_try_again)
            return {ExitCode::resources,
                    "a thread cannot be created: the number of processes or the memory is limited"};
        return {ExitCode::wrong_result, std::string("internal error (please report): ") + error.what()};
    } catch (const std::exception& error) {
        return {ExitCode::wrong_result, std::string("internal error (please report): ") + error.what()};
    } catch (...) {
        return {ExitCode::wrong_result, "internal error (please report): an exception of unknown type"};
    }
}

}  // namespace wayfront
