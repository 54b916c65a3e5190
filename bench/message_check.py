#!/usr/bin/env python3
"""Compares the messages that `wayfront plan` counts with those that the program sends, on 1 to 16 ranks of this machine.

usage: bench/message_check.py

Writes bench/results/model-messages.json: for each graph and grid, whether steps and bytes of each rank are equal in each level of a
breadth-first search, and in each round of a search for shortest paths (over several columns, where rounds do not depend on the order
of work). WAYFRONT_BINARY names the program.
"""
import datetime
import json
import pathlib
import sys
import tempfile

import side_by_side

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / "cli")]
from driver import run

GRAPHS = (("kron:11", (), 7), ("rmat:10,directed=1", ("--weights", "float"), 5))
MOST_RANKS = 16
PATHS_FROM_RANKS = 8


def sent(kernel, graph, options, source, ranks, grid, file):
    """[steps, bytes] of each rank in each level or round, and behind the last one, from a search's trace."""
    run(kernel, graph, *options, "--source", source, "--engine", "cpu", "--grid", grid, "--trace", file, ranks=ranks)
    levels, results = {}, [[0, 0] for _ in range(ranks)]
    names = ("level",) if kernel == "bfs" else ("counts", "expand", "refresh", "fold")
    for event in json.loads(file.read_text())["traceEvents"]:
        received = event["args"].get("steps", 0), event["args"].get("bytes", 0)
        if event["name"] in names:
            of_rank = levels.setdefault(event["args"].get("level", 0), [[0, 0] for _ in range(ranks)])[event["pid"]]
            of_rank[0] += received[0]
            of_rank[1] += received[1]
        if kernel == "bfs" and event["name"] == "output" and "level" not in event["args"]:
            results[event["pid"]] = list(received)
    return {"levels": [levels[level] for level in sorted(levels)], "results": results if kernel == "bfs" else []}


def grids(ranks):
    return [f"{rows}x{ranks // rows}" for rows in range(1, ranks + 1) if ranks % rows == 0]


def compared(kernel, graph, options, source, ranks, grid, folder):
    planned = folder / "plan.json"
    options = options if kernel == "sssp" else ()
    run("plan", graph, *options, "--for", kernel, "--source", source, "--ranks", ranks, "--ranks-per-host", ranks, "--grid", grid, "--quiet", "--json", planned)
    messages = json.loads(planned.read_text())["messages"]
    if kernel == "sssp":  # a trace has no event of a last round without messages
        while messages["levels"] and not any(map(any, messages["levels"][-1])):
            messages["levels"].pop()
    return {"kernel": kernel, "graph": graph, "ranks": ranks, "grid": grid, "levels": len(messages["levels"]),
            "equal": messages == sent(kernel, graph, options, source, ranks, grid, folder / "trace.json")}


def main():
    if len(sys.argv) > 1:
        sys.exit(__doc__)
    commit = side_by_side.commit()
    with tempfile.TemporaryDirectory(prefix="wayfront-messages-") as name:
        folder = pathlib.Path(name)
        runs = [compared("bfs", *graph, ranks, grid, folder) for graph in GRAPHS for ranks in range(1, MOST_RANKS + 1) for grid in grids(ranks)]
        runs += [compared("sssp", *graph, ranks, grid, folder) for graph in GRAPHS for ranks in range(PATHS_FROM_RANKS, MOST_RANKS + 1) for grid in grids(ranks)
                 if not grid.endswith("x1")]
    data = {"title": "Messages of searches beside their plans", "date": datetime.date.today().isoformat(), "commit": commit, "machine": side_by_side.machine(),
            "runs": runs}
    (ROOT / "bench" / "results" / "model-messages.json").write_text(json.dumps(data, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
