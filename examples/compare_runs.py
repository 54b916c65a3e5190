#!/usr/bin/env python3
"""Is one way to run the Graph500 benchmark faster than another? Runs both in turn, and compares them search by search.

usage: compare_runs.py SCALE PAGE.html [OPTION...] -- [OPTION...]      needs the program wayfront on PATH

    compare_runs.py 14 page.html --threads 1 -- --threads 2

Each OPTION... is that of one of the two ways. A machine that does other work is slower for some seconds, so that they run
in turn, several times; of each the fastest run counts, which had the least other work beside it.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

ROUNDS = 3


def run(scale, options, path):
    """Writes a report. Returns the harmonic mean of the traversed edges per second."""
    command = ["wayfront", "graph500", "--scale", scale, "--keys", "32", *options, "--json", path, "--quiet"]
    if subprocess.run(command, check=False, stdout=subprocess.DEVNULL).returncode != 0:
        sys.exit(f"options: {' '.join(options)}")  # the program has said what is wrong
    return json.loads(path.read_text(encoding="utf-8"))["bfs"]["harmonic_mean_teps"]


def main():
    if "--help" in sys.argv or sys.argv[3:].count("--") != 1:
        sys.exit(__doc__)
    scale, page, *options = sys.argv[1:]
    middle = options.index("--")
    ways = (options[:middle], options[middle + 1:])
    with tempfile.TemporaryDirectory() as folder:
        best = {}
        for turn in range(ROUNDS):
            for way, of_way in enumerate(ways):
                path = pathlib.Path(folder) / f"{way}-{turn}.json"
                teps = run(scale, of_way, path)
                best[way] = max(best.get(way, (0, path)), (teps, path))
        for way, of_way in enumerate(ways):
            print(f"{' '.join(of_way) or 'defaults'}: {best[way][0] / 1e9:.3f} GTEPS")
        first, second = (best[way][1] for way in range(len(ways)))
        done = subprocess.run(["wayfront", "report", first, second, "--output", page], check=True, capture_output=True, text=True)
        print(done.stdout, end="")
    print(f"page: {page}")


if __name__ == "__main__":
    main()
