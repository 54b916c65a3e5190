#!/usr/bin/env python3
"""Which depot is the nearest one of each crossing of a town? Draws the answer as a map.

usage: depots.py [MAP.svg]      needs the program wayfront on PATH

The town is a grid of streets; driving along a block takes a time that differs from block to block.
One search from all depots finds the nearest one of each crossing.
"""
import collections
import csv
import pathlib
import subprocess
import sys
import tempfile

ROWS, COLUMNS = 60, 90
DEPOTS = {(10, 12): "#3182ce", (14, 70): "#dd6b20", (45, 40): "#38a169", (52, 84): "#805ad5"}  # (row, column): colour
BLOCK = 8  # pixels


def vertex_of(row, column):
    return row * COLUMNS + column


def nearest_depots():
    """(travel time, depot) of each crossing, by its number."""
    with tempfile.TemporaryDirectory() as folder:
        result = pathlib.Path(folder) / "nearest.csv"
        sources = [word for place in DEPOTS for word in ("--source", str(vertex_of(*place)))]
        subprocess.run(["wayfront", "sssp", f"grid:{ROWS}x{COLUMNS}", "--weights", "lognormal:1,0.8", "--nearest", *sources, "--output", result, "--quiet"],
                       check=True, stdout=subprocess.DEVNULL)
        with result.open() as file:
            return {int(row["vertex"]): (float(row["distance"]), int(row["source"])) for row in csv.DictReader(file)}


def draw(nearest, path):
    """A square for each crossing, in the colour of its depot, paler where the way is longer."""
    longest = max(time for time, _ in nearest.values())
    colour_of = {vertex_of(*place): colour for place, colour in DEPOTS.items()}
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{COLUMNS * BLOCK}" height="{ROWS * BLOCK}">']
    for vertex, (time, depot) in nearest.items():
        row, column = divmod(vertex, COLUMNS)
        opacity = 1 - 0.8 * time / longest
        parts.append(f'<rect x="{column * BLOCK}" y="{row * BLOCK}" width="{BLOCK}" height="{BLOCK}" fill="{colour_of[depot]}" opacity="{opacity:.2f}"/>')
    for row, column in DEPOTS:
        parts.append(f'<circle cx="{(column + 0.5) * BLOCK}" cy="{(row + 0.5) * BLOCK}" r="{BLOCK}" fill="black"/>')
    path.write_text("\n".join([*parts, "</svg>", ""]))


def main():
    if len(sys.argv) > 2 or "--help" in sys.argv:
        sys.exit(__doc__)
    nearest = nearest_depots()
    crossings = collections.Counter(depot for _, depot in nearest.values())
    for row, column in DEPOTS:
        depot = vertex_of(row, column)
        farthest = max(time for time, served_by in nearest.values() if served_by == depot)
        print(f"depot at row {row}, column {column}: {crossings[depot]} crossings, the farthest one at {farthest:.1f}")
    if len(sys.argv) == 2:
        draw(nearest, pathlib.Path(sys.argv[1]))
        print(f"map: {sys.argv[1]}")


if __name__ == "__main__":
    main()
