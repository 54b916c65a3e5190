"""Exceptions, one for each kind of failure (docs/library.md#errors)."""


class Error(Exception):
    """The base of all errors that wayfront reports itself. The text is for the user."""


class InputError(Error, ValueError):
    """Bad arguments, or a malformed graph."""


class ResourceError(Error, RuntimeError):
    """Not enough memory or disk space, no usable GPU, or a failure of MPI."""


class ResultError(Error, RuntimeError):
    """A result that failed its validation, or a defect of wayfront."""


class NegativeCycleError(ResultError):
    """There are no shortest paths, since the graph has a cycle of negative length."""

    def __init__(self, message: str, vertices: list[int]):
        super().__init__(message)
        #: The vertices of such a cycle, in the order of its edges.
        self.vertices = vertices

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return type(self), (str(self), self.vertices)


class RankFailure(Error, RuntimeError):
    """A failure of one of several ranks, of which the others do not know: the job can only end
    (``comm.Abort(error.code)``)."""

    def __init__(self, message: str, code: int):
        super().__init__(message)
        #: The exit code that the program ``wayfront`` would end with.
        self.code = code

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return type(self), (str(self), self.code)
