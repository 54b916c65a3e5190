"""Distances and paths between pairs of vertices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._errors import InputError
from ._names import Names


class Paths(Sequence[NDArray[np.int64]]):
    """Paths between pairs, in the order of the pairs. A path is made when it is asked for: an array of its
    vertices, both ends included, that cannot be written; empty if there is none."""

    __slots__ = ("_offsets", "_vertices")

    def __init__(self, offsets: NDArray[np.int64], vertices: NDArray[np.int64]):
        vertices.flags.writeable = False
        self._offsets = offsets
        self._vertices = vertices

    def __len__(self) -> int:
        return len(self._offsets) - 1

    @overload
    def __getitem__(self, index: int) -> NDArray[np.int64]: ...
    @overload
    def __getitem__(self, index: slice) -> list[NDArray[np.int64]]: ...

    def __getitem__(self, index: int | slice) -> NDArray[np.int64] | list[NDArray[np.int64]]:
        if isinstance(index, slice):
            return [self[i] for i in range(len(self))[index]]
        try:
            i = range(len(self))[index]
        except IndexError:
            raise IndexError(f"there is no path {index}: there are {len(self)} pairs") from None
        return self._vertices[self._offsets[i]:self._offsets[i + 1]]

    def __repr__(self) -> str:
        return f"<wayfront.Paths of {len(self)} pairs, {len(self._vertices)} vertices>"


@dataclass(frozen=True, eq=False, repr=False)
class PairsResult:
    """Distances and paths between pairs of vertices. Element i is that of pair i, on every rank."""

    #: The ends of the pairs.
    sources: NDArray[np.int64]
    targets: NDArray[np.int64]
    #: int64, and exact, if weights are whole numbers, there are none, or edges were counted; otherwise
    #: float64.
    distances: NDArray[np.int64] | NDArray[np.float64]
    #: Of a reversed graph, paths lead from the target to the source. None unless wanted.
    paths: Paths | None
    #: The time of all searches, on the slowest rank.
    seconds: float

    @property
    def unreached(self) -> int | float:
        """The distance between vertices without a path: 2**63 - 1, or infinity."""
        return np.inf if self.distances.dtype == np.float64 else int(np.iinfo(np.int64).max)

    def __len__(self) -> int:
        return len(self.distances)

    def __repr__(self) -> str:
        connected = np.count_nonzero(self.distances != self.unreached)
        return f"<wayfront.PairsResult of {len(self)} pairs: {connected} with a path, {self.seconds:.3g} s>"


def pair_array(pairs: ArrayLike, names: Names) -> NDArray[np.int64]:
    """Rows of a source and a target. Raises InputError for other shapes, and TypeError for numbers that are
    not whole."""
    array = np.asarray(pairs)
    if array.size == 0 or array.ndim != 2 or array.shape[1] != 2:
        raise InputError("pairs: expected a list of at least one (source, target), found an array of shape "
                         f"{array.shape}")
    array = names.vertices("pairs", pairs, array)
    if array.dtype.kind not in "iu":
        raise TypeError(f"pairs: expected whole numbers, found {array.dtype}")
    if array.dtype == np.uint64 and array.max() > np.iinfo(np.int64).max:
        raise InputError(f"pairs: there is no vertex {array.max()}")
    return np.ascontiguousarray(array, dtype=np.int64)
