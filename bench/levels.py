#!/usr/bin/env python3
"""Reads the times of a run's levels from a trace (--trace of graph500 or bfs), for docs/gpu.md.

usage: bench/levels.py TRACE.json [--rank R]
           prints JSON: seconds of every span, by name and level, of one rank
       bench/levels.py TRACE.json [--rank R] --searches
           prints a line of JSON for each search of the trace, with its levels: direction, the
           frontier's vertices and their out-edges (0: not counted), microseconds on one rank
"""
import argparse
import collections
import json
import statistics

OUTPUT = "output"  # the span that ends a search
MESSAGES = {"all-gather", "all-reduce", "all-to-all", "broadcast", "reduce"}
PARTS_OF_SEARCHES = {"counts", "expand", "search", "fold", OUTPUT} | MESSAGES  # without the spans of levels, which contain them


def spans_of_ranks(path):
    """The spans of each rank of a trace, in the order in which they ended."""
    with open(path, encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    spans = collections.defaultdict(list)
    for event in events:
        if event["ph"] == "X":
            spans[event["pid"]].append(event)
    return dict(sorted(spans.items()))


def searches(spans):
    """The spans of each search, in the order of searches."""
    found = [[]]
    for span in spans:
        if span["name"] in PARTS_OF_SEARCHES:
            found[-1].append(span)
            if span["name"] == OUTPUT:
                found.append([])
    return found[:-1]


def by_level(spans):
    seconds = collections.defaultdict(list)
    for span in spans:
        seconds[span["name"], span["args"].get("level", 0)].append(span["dur"] * 1e-6)
    return [{"name": name, "level": level, "spans": len(values), "median_seconds": statistics.median(values), "min_seconds": min(values),
             "max_seconds": max(values)} for (name, level), values in sorted(seconds.items())]


def by_search(spans):
    for number, search in enumerate(searches(spans)):
        levels = [{**{key: span["args"][key] for key in ("direction", "vertices", "out_edges")}, "microseconds": span["dur"]}
                  for span in search if span["name"] == "search"]
        whole = search[-1]["ts"] + search[-1]["dur"] - min(span["ts"] for span in search)
        yield {"search": number, "microseconds": round(whole, 3), "levels": levels}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("trace")
    parser.add_argument("--rank", type=int, default=0)
    parser.add_argument("--searches", action="store_true")
    arguments = parser.parse_args()
    spans = spans_of_ranks(arguments.trace)[arguments.rank]
    if not arguments.searches:
        print(json.dumps(by_level(spans), indent=1))
        return
    for search in by_search(spans):
        print(json.dumps(search))


if __name__ == "__main__":
    main()
