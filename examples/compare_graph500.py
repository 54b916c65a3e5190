#!/usr/bin/env python3
"""Compares two Graph500 runs, search by search. Is the second one faster?

usage: compare_graph500.py FIRST.json SECOND.json      of wayfront graph500 --json

Both runs search the same graph from the same keys, if they have the same scale and seeds, so that
each search of one has its counterpart in the other. The interval is that of the mean ratio of two
counterparts, at 95%: it is about the searches of these two runs. What a machine does at other times
takes more runs to tell.
"""
import json
import math
import statistics
import sys

T_95 = 2.0  # of Student's distribution, for 60 searches and more


def searches_of(path):
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    if report.get("command") != "graph500" or "bfs" not in report:
        sys.exit(f"{path}: is no report of the BFS of wayfront graph500")
    return report, {search["key"]: search["edges"] / search["seconds"] for search in report["bfs"]["searches"]}


def main():
    if len(sys.argv) != 3 or "--help" in sys.argv:
        sys.exit(__doc__)
    (first, speeds), (second, other_speeds) = map(searches_of, sys.argv[1:])
    if first["graph"]["name"] != second["graph"]["name"] or first["seeds"] != second["seeds"] or speeds.keys() != other_speeds.keys():
        sys.exit("the runs do not search the same graph from the same keys")
    for path, report in zip(sys.argv[1:], (first, second), strict=True):
        validated = "" if report["validated"] else ", not validated"
        print(f"{path}: {report['bfs']['harmonic_mean_teps'] / 1e9:.3f} GTEPS, {report['search']['ranks']} ranks, {report['search']['engine']}{validated}")
    ratios = [math.log(other_speeds[key] / speeds[key]) for key in speeds]
    if len(ratios) < 2:
        sys.exit("a comparison takes two searches or more")
    mean, error = statistics.mean(ratios), T_95 * statistics.stdev(ratios) / math.sqrt(len(ratios))
    low, high = math.exp(mean - error), math.exp(mean + error)
    print(f"second / first: {math.exp(mean):.3f} (95%: {low:.3f} to {high:.3f}, {len(ratios)} searches)")
    means = [report["bfs"]["harmonic_mean_teps"] for report in (first, second)]
    if (low > 1 and means[1] < means[0]) or (high < 1 and means[1] > means[0]):
        print("the harmonic means say the opposite: a few slow searches decide them")
    print("most searches of the second run are faster" if low > 1 else "most searches of the second run are slower" if high < 1 else "no difference beyond the spread of the searches")


if __name__ == "__main__":
    main()
