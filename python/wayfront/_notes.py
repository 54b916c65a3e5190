"""Notes of the library, such as why the CPU searches although there is a GPU, go to ``logging``."""

import logging

_logger = logging.getLogger("wayfront")
_logger.addHandler(logging.NullHandler())


def receive(text: str) -> None:
    _logger.info("%s", text)
