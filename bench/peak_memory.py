#!/usr/bin/env python3
"""Runs a command and reports the largest amount of memory that its processes used at one time.

usage: bench/peak_memory.py --title TEXT --edges M --output bench/results/FILE.json COMMAND

Some ten times a second, the proportional set sizes of the command and all its descendants are added
up (PSS: a page shared by n processes counts 1/n for each). M is the number of the graph's edge
tuples. Prints the command's output and the peak in GiB and in bytes per edge tuple, and writes the
peak as JSON, with machine, commit, date and command. Exit code: the command's.
"""
import argparse
import datetime
import json
import pathlib
import subprocess
import sys
import time

from side_by_side import commit, machine


def descendants(pid):
    try:
        found = [int(child) for task in pathlib.Path(f"/proc/{pid}/task").iterdir()
                 for child in (task / "children").read_text(encoding="ascii").split()]
    except (FileNotFoundError, ProcessLookupError):
        return  # the process has ended meanwhile
    for child in found:
        yield child
        yield from descendants(child)


def held_bytes(root):
    total = 0
    for pid in [root, *descendants(root)]:
        try:
            for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1]) * 1024
        except (FileNotFoundError, ProcessLookupError):
            pass  # the process has ended meanwhile
    return total


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--title", required=True)
    parser.add_argument("--edges", type=int, required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("command")
    options = parser.parse_args()
    peak = 0
    with subprocess.Popen(["bash", "-c", options.command]) as process:
        while process.poll() is None:
            peak = max(peak, held_bytes(process.pid))
            time.sleep(0.1)
    if process.returncode != 0:
        sys.exit(process.returncode)
    print(f"\n{options.title}: seen at the peak {peak / 2**30:.2f} GiB, {peak / options.edges:.1f} bytes per edge tuple")
    with open(options.output, "w", encoding="utf-8") as output:
        json.dump({"title": options.title, "date": datetime.date.today().isoformat(), "commit": commit(), "machine": machine(),
                   "command": options.command, "edges": options.edges, "peak_bytes": peak}, output, indent=1)
        output.write("\n")


if __name__ == "__main__":
    main()
