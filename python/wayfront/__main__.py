"""``python -m wayfront ...`` is the program ``wayfront ...``, which the package brings."""

import os
import pathlib
import sys


def main() -> None:
    program = pathlib.Path(__file__).parent / "bin" / "wayfront"
    if not program.exists():
        sys.exit(f"wayfront: {program} is missing; install the package again")
    os.execv(program, ["wayfront", *sys.argv[1:]])


if __name__ == "__main__":
    main()
