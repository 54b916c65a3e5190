#!/usr/bin/env python3
"""Measures several commands in turn, so that changes of the machine's speed affect all of them.

usage: bench/side_by_side.py --title TEXT --unit UNIT --rounds N --output bench/results/FILE.json \
           --run NAME 'COMMAND' 'REGEX' [SCALE] ...

Each --run names a command, which the shell runs, and a regular expression, whose first group is the
command's figure in its output; the last match counts. The optional SCALE converts the figure to the
common unit: it is a factor, and "1/x" takes the reciprocal first ("1e-9", "1/x*16777216e-9"). The
other commands are compared with the first --run: the ratio is taken round by round.

Prints a table (minimum, median, maximum; median ratio and its spread) and writes the raw figures as
JSON, with machine, commit, date and commands. Exit code 1 if a command fails or prints no figure.
"""
import argparse
import datetime
import json
import os
import platform
import re
import statistics
import subprocess
import sys


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--title", required=True)
    parser.add_argument("--unit", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--output", required=True)
    parser.add_argument("--run", action="append", nargs="+", required=True, metavar="NAME COMMAND REGEX [SCALE]")
    parsed = parser.parse_args()
    for run in parsed.run:
        if len(run) not in (3, 4):
            parser.error("--run takes NAME COMMAND REGEX [SCALE]")
    return parsed


def scaled(figure, scale):
    reciprocal, _, factor = scale.rpartition("*") if scale.startswith("1/x") else ("", "", scale)
    if scale == "1/x":
        reciprocal, factor = "1/x", "1"
    return (1 / figure if reciprocal else figure) * float(factor)


def measure(name, command, pattern, scale="1"):
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    matches = re.findall(pattern, done.stdout + done.stderr, re.MULTILINE)
    if done.returncode != 0 or not matches:
        sys.exit(f"{name}: exit code {done.returncode}, {len(matches)} matches\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    return scaled(float(matches[-1]), scale)


def machine():
    model = platform.processor() or platform.machine()
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as cpuinfo:
        for line in cpuinfo:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    return {"cpu": model, "cores": os.cpu_count()}


def gpu_name():
    """The first GPU, as its driver names it."""
    asked = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader", "-i", "0"], capture_output=True, text=True, check=False)
    return asked.stdout.strip()


def commit():
    """The commit of this folder; "unknown" without git or outside of a repository."""
    try:
        described = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False,
                                   cwd=os.path.dirname(os.path.abspath(__file__)))
    except FileNotFoundError:
        return "unknown"
    return described.stdout.strip() or "unknown"


def main():
    options = arguments()
    figures = {run[0]: [] for run in options.run}
    for _ in range(options.rounds):
        for run in options.run:
            figures[run[0]].append(measure(*run))
    first = options.run[0][0]
    print(f"{options.title}, {options.unit}, {options.rounds} rounds\n")
    print(f"{'':28}{'min':>9}{'median':>9}{'max':>9}   {first} / it: median (min to max)")
    for name, values in figures.items():
        ratios = [a / b for a, b in zip(figures[first], values)]
        ratio = f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})" if name != first else ""
        print(f"{name:28}{min(values):9.3f}{statistics.median(values):9.3f}{max(values):9.3f}   {ratio}")
    with open(options.output, "w", encoding="utf-8") as output:
        json.dump({"title": options.title, "unit": options.unit, "date": datetime.date.today().isoformat(), "commit": commit(), "machine": machine(),
                   "commands": {run[0]: run[1] for run in options.run}, "regex": {run[0]: run[2] for run in options.run},
                   "scale": {run[0]: run[3] if len(run) == 4 else "1" for run in options.run}, "figures": figures}, output, indent=1)
        output.write("\n")


if __name__ == "__main__":
    main()
