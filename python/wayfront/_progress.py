"""Progress of long work."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol


class Bar(Protocol):
    """A progress bar, such as ``tqdm.tqdm()``."""

    def reset(self, total: float | None = None) -> Any: ...
    def set_description(self, desc: str) -> Any: ...
    def update(self, n: int) -> Any: ...


ProgressCallback = Callable[[str, int, int], object]

#: Receives the progress of long work: a function of a step, such as "rows", how many of its units are done,
#: and how many there are, or 0 if that is not known; or a bar of tqdm. What it raises ends the work, and is
#: raised by the call. It may search other graphs, but not that of the call, which raises a RuntimeError.
Progress = ProgressCallback | Bar


def callback_of(progress: Progress | None) -> ProgressCallback | None:
    """The function that the library calls. Raises TypeError for other objects."""
    if progress is None or callable(progress):
        return progress
    if not all(callable(getattr(progress, name, None)) for name in ("reset", "set_description", "update")):
        raise TypeError("progress: expected a function of (step, done, total) or a bar of tqdm, found "
                        f"{type(progress).__name__}")
    bar = progress
    shown_step, shown = "", 0

    def show(step: str, done: int, total: int) -> None:
        nonlocal shown_step, shown
        if step != shown_step or done < shown:
            bar.reset(total or None)
            bar.set_description(step)
            shown_step, shown = step, 0
        bar.update(done - shown)
        shown = done

    return show
