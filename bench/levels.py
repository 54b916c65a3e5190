#!/usr/bin/env python3
"""What the levels of a run's searches took, from a trace (--trace of graph500 or bfs): raw figures for docs/gpu.md.

usage: bench/levels.py TRACE.json [--rank R]      JSON on standard output: seconds of every span, by name and level, of one rank
"""
import argparse
import collections
import json
import statistics


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("trace")
    parser.add_argument("--rank", type=int, default=0)
    arguments = parser.parse_args()
    with open(arguments.trace, encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    spans = collections.defaultdict(list)
    for event in events:
        if event["ph"] == "X" and event["pid"] == arguments.rank:
            spans[event["name"], event["args"]["level"]].append(event["dur"] * 1e-6)
    rows = [{"name": name, "level": level, "spans": len(seconds), "median_seconds": statistics.median(seconds), "min_seconds": min(seconds),
             "max_seconds": max(seconds)} for (name, level), seconds in sorted(spans.items())]
    print(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
