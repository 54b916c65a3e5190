"""Arguments of the wrong type: the annotations of a function say what was expected."""

from __future__ import annotations

import functools
import inspect
import operator
import os
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, TypeVar, Union, Unpack, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._errors import InputError

F = TypeVar("F", bound=Callable[..., Any])


def typed(function: F) -> F:
    """If a call of the function fails, and one of its arguments is not of the annotated type, the call raises a
    TypeError that names it: "source: expected a whole number, found str". The types of calls that work are not
    checked."""

    @functools.wraps(function)
    def call(*arguments: Any, **keywords: Any) -> Any:
        try:
            return function(*arguments, **keywords)
        except (TypeError, AttributeError, InputError) as error:
            _require_types(function, arguments, keywords, error)
            raise

    return call  # type: ignore[return-value]


def _type_name(value: Any) -> str:
    """With the module, unless Python itself has the type: NumPy's bool is not Python's."""
    name, module = type(value).__name__, type(value).__module__
    return name if module == "builtins" else f"{module}.{name}"


class _Argument(NamedTuple):
    name: str
    value: Any
    annotation: Any


def _require_types(function: Callable[..., Any], arguments: tuple[Any, ...], keywords: dict[str, Any],
                   error: Exception) -> None:
    """Raises an error that names the argument for which a call has failed with `error`. Returns if no argument is at
    fault, or if `error` names it."""
    given = list(_arguments(function, arguments, keywords))
    if isinstance(error, TypeError) and any(str(error).startswith(f"{name}: ") for name, _, _ in given):
        return
    for name, value, annotation in given:
        expected = _unmet(annotation, value)
        if expected is not None:
            raise TypeError(f"{name}: expected {expected}, found {_type_name(value)}") from None
    if "incompatible function arguments" in str(error):  # the types are right, but a number does not fit
        _require_range(given)


def _arguments(function: Callable[..., Any], arguments: tuple[Any, ...],
               keywords: dict[str, Any]) -> Iterator[_Argument]:
    """The arguments that have annotations, and the options among them one by one."""
    try:
        given = inspect.signature(function).bind(*arguments, **keywords).arguments
    except TypeError:  # one is missing, or there are too many
        return
    for name, annotation in _annotations(function).items():
        if name not in given:
            continue
        if get_origin(annotation) is not Unpack:
            yield _Argument(name, given[name], annotation)
            continue
        options = _annotations(get_args(annotation)[0])
        for option, value in given[name].items():
            if option in options:
                yield _Argument(option, value, options[option])


@functools.cache
def _annotations(annotated: Any) -> dict[str, Any]:
    # mpi4py may be missing; communicators are checked when they are used.
    return get_type_hints(annotated, localns={"MPI": types.SimpleNamespace(Comm=Any)})


def _unmet(annotation: Any, value: Any) -> str | None:
    """What the annotation expects, in words, if the value is something else. None for annotations without words."""
    expected = []
    for member in _members(annotation):
        check = _check_of(member)
        if check is None or check.holds(value):
            return None
        expected.append(check.words)
    return " or ".join(dict.fromkeys(expected))


def _members(annotation: Any) -> list[Any]:
    """The members of a union. ArrayLike is one member, also before NumPy 2.5, which has made it a name for a union."""
    if get_origin(annotation) not in (Union, types.UnionType):
        return [annotation]
    members, of_arrays = get_args(annotation), get_args(ArrayLike)
    if not of_arrays or not set(of_arrays) <= set(members):
        return list(members)
    return [ArrayLike, *(member for member in members if member not in of_arrays)]


class _Check(NamedTuple):
    words: str
    holds: Callable[[Any], bool]


def _converts(conversion: Callable[[Any], Any], value: Any) -> bool:
    try:
        conversion(value)
    except OverflowError:
        return True
    except (TypeError, ValueError):
        return False
    return True


def _is_whole(value: Any) -> bool:
    return _converts(operator.index, value)


def _is_number(value: Any) -> bool:
    return not isinstance(value, (str, bytes, bytearray)) and _converts(float, value)


def _is_pair(value: Any) -> bool:
    return isinstance(value, (Sequence, np.ndarray)) and len(value) == 2 and all(map(_is_whole, value))


def _is_array(value: Any) -> bool:
    of_library = any(hasattr(value, name) for name in ("__dlpack__", "__cuda_array_interface__"))
    if of_library and not isinstance(value, np.ndarray):
        return True
    try:
        return np.ndim(value) > 0
    except ValueError:  # of lists of several lengths
        return True


_ARRAY = _Check("an array", _is_array)
_CHECKS = {
    bool: _Check("True or False", lambda value: isinstance(value, bool)),
    float: _Check("a number", _is_number),
    int: _Check("a whole number", _is_whole),
    os.PathLike: _Check("a path", lambda value: isinstance(value, os.PathLike)),
    str: _Check("a string", lambda value: isinstance(value, str)),
    Callable: _Check("a function", callable),
    Iterable: _Check("a list", lambda value: isinstance(value, Iterable)),
    Sequence: _ARRAY,
    ArrayLike: _ARRAY,
    get_origin(NDArray[Any]): _ARRAY,
    type(None): _Check("None", lambda value: value is None),
}


def _check_of(annotation: Any) -> _Check | None:
    if get_origin(annotation) is Literal:
        words = ", ".join(get_args(annotation))
        return _Check(f"one of {words}", lambda value: isinstance(value, str))
    if annotation == tuple[int, int]:
        return _Check("a pair of whole numbers", _is_pair)
    return _CHECKS.get(annotation) or _CHECKS.get(get_origin(annotation))


def _require_range(given: list[_Argument]) -> None:
    """Raises InputError for the number that most likely does not fit its type: one of more than 64 bits, of more than
    32, or a negative one."""
    numbers = [(name, number) for name, value, annotation in given if _unmet(annotation, object()) is not None
               for number in _whole_numbers(value)]
    for least, most in ((-2**63, 2**63 - 1), (-2**31, 2**31 - 1), (0, 2**31 - 1)):
        for name, number in numbers:
            if not least <= number <= most:
                raise InputError(f"{name}: {number} is out of range") from None


def _whole_numbers(value: Any) -> list[int]:
    """The number, or those of a sequence."""
    several = value if isinstance(value, (Sequence, np.ndarray)) and not _is_whole(value) else [value]
    return [operator.index(each) for each in several if _is_whole(each)]
