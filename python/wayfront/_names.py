"""Names of vertices."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._errors import InputError

#: A vertex: its number, or its name if the graph has names.
VertexLike = int | str


class Names:
    """The names of a graph's vertices: those of its file, which the library keeps, or the nodes of a NetworkX
    graph."""

    __slots__ = ("_core", "_nodes", "_vertices")

    def __init__(self, core: _core.Graph | None = None, nodes: list[Hashable] | None = None):
        self._core = core if core is not None and core.named else None
        self._nodes = nodes
        self._vertices: dict[Hashable, int] | None = None  # by their names, unless the library has them

    def __reduce__(self) -> tuple[type, tuple[()]]:
        return type(self), ()  # a result that is pickled has numbers only

    def nodes(self) -> list[Hashable] | None:
        """The names by their vertices; None if there are none. The list is made once."""
        if self._nodes is None and self._core is not None:
            self._nodes = self._core.names()
        return self._nodes

    def vertex(self, parameter: str, vertex: VertexLike) -> int:
        """The number of the vertex that an argument means. Raises InputError for a name that no vertex has, and
        TypeError for any name if there are none."""
        if not isinstance(vertex, str):
            return vertex
        if self._core is not None:
            try:
                found = self._core.vertex_named(vertex.encode(errors="surrogateescape"))
            except UnicodeEncodeError:
                found = None
        elif self._nodes is not None:
            if self._vertices is None:
                self._vertices = {name: number for number, name in enumerate(self._nodes) if isinstance(name, str)}
            found = self._vertices.get(vertex)
        else:
            raise TypeError(f"{parameter}: expected a whole number, found {type(vertex).__name__}; "
                            "the vertices have no names here")
        if found is None:
            raise InputError(f"{parameter}: there is no vertex '{vertex}'")
        return found

    def vertices(self, parameter: str, given: ArrayLike, array: NDArray[Any]) -> NDArray[Any]:
        """The numbers of the vertices in an argument, of which `array` was made; itself unless it has strings."""
        if array.dtype.kind not in "OTU":
            return array
        mixed = np.asarray(given, dtype=object)  # in `array`, numbers beside names may be strings
        if not any(isinstance(vertex, str) for vertex in mixed.flat):
            return array
        numbers = [self.vertex(parameter, vertex) for vertex in mixed.flat]
        return np.array(numbers).reshape(array.shape)


NO_NAMES = Names()
