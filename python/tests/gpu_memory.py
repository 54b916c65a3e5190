"""Arrays in GPU memory for the tests, by the driver alone, so that they run wherever there is a GPU."""

import ctypes
import os

import numpy as np
import pytest

from wayfront import _core


def require_gpus(count: int = 1) -> None:
    """Skips the test if there are fewer GPUs, or fails it with WAYFRONT_REQUIRE_GPU=1."""
    if _core.gpu_count() >= count:
        return
    words = f"{count} GPU{'s' if count > 1 else ''} needed, {_core.gpu_count()} found"
    if os.environ.get("WAYFRONT_REQUIRE_GPU") == "1":
        pytest.fail(words)
    pytest.skip(words)


class Driver:
    """The calls of CUDA's driver in the context that all libraries of the process share."""

    def __init__(self) -> None:
        self.library = ctypes.CDLL("libcuda.so.1")
        self.call("cuInit", 0)
        context = ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        self.call("cuCtxSetCurrent", context)

    def call(self, function: str, *arguments) -> None:
        code = getattr(self.library, function)(*arguments)
        assert code == 0, f"{function}: {code}"


_driver: list[Driver] = []


def driver() -> Driver:
    if not _driver:
        _driver.append(Driver())
    return _driver[0]


class GpuArray:
    """A copy of a NumPy array in GPU memory, known by ``__cuda_array_interface__`` of this version."""

    def __init__(self, array, version: int = 3) -> None:
        array = np.ascontiguousarray(array)
        self.bytes = array.nbytes
        self.pointer = ctypes.c_uint64()
        if self.bytes:
            driver().call("cuMemAlloc_v2", ctypes.byref(self.pointer), ctypes.c_size_t(self.bytes))
            driver().call("cuMemcpyHtoD_v2", self.pointer, ctypes.c_void_p(array.ctypes.data), ctypes.c_size_t(self.bytes))
        self.__cuda_array_interface__ = {"shape": array.shape, "typestr": array.dtype.str, "strides": None, "version": version,
                                         "data": (self.pointer.value, False)}
        if version >= 3:
            self.__cuda_array_interface__["stream"] = 1
        self.array = array

    def __del__(self) -> None:
        if self.bytes:
            driver().call("cuMemFree_v2", self.pointer)

    def get(self):
        """As CuPy's."""
        return self.array


def read(array):
    """The elements of an array in GPU memory, as its interface describes them."""
    interface = array.__cuda_array_interface__
    assert interface["version"] == 3 and interface["stream"] is None and interface["strides"] is None
    host = np.empty(interface["shape"], dtype=interface["typestr"])
    if host.size:
        driver().call("cuMemcpyDtoH_v2", ctypes.c_void_p(host.ctypes.data), ctypes.c_uint64(interface["data"][0]),
                      ctypes.c_size_t(host.nbytes))
    return host
