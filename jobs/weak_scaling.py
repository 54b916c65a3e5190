#!/usr/bin/env python3
"""Makes a table and a plot of Graph500 reports whose graphs have the same size per rank.

usage: weak_scaling.py NAME REPORT.json...      writes NAME.md and NAME.svg
"""

import json
import pathlib
import sys

WIDTH, HEIGHT, MARGIN = 480, 320, 60


def read_run(path):
    report = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    return {"ranks": report["search"]["ranks"], "scale": report["scale"],
            "gteps": report["bfs"]["harmonic_mean_teps"] * 1e-9,
            "construction_seconds": report["construction_seconds"]}


def table(runs):
    per_rank = runs[0]["gteps"] / runs[0]["ranks"]
    lines = ["| ranks | scale | GTEPS, harmonic mean | parallel efficiency | construction, s |",
             "|---|---|---|---|---|"]
    for run in runs:
        efficiency = run["gteps"] / run["ranks"] / per_rank
        lines.append(f"| {run['ranks']} | {run['scale']} | {run['gteps']:.4g} | {efficiency:.0%} "
                     f"| {run['construction_seconds']:.3g} |")
    return "\n".join(lines) + "\n"


def plot(runs):
    """GTEPS over ranks, both from 0, with a dashed line for an efficiency of 100%."""
    most_ranks = runs[-1]["ranks"]
    ideal = runs[0]["gteps"] / runs[0]["ranks"] * most_ranks
    most_gteps = max(ideal, *(run["gteps"] for run in runs))

    def x(ranks):
        return round(MARGIN + (WIDTH - 2 * MARGIN) * ranks / most_ranks, 1)

    def y(gteps):
        return round(HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * gteps / most_gteps, 1)

    def line(points, style):
        places = " ".join(f"{x(ranks)},{y(gteps)}" for ranks, gteps in points)
        return f'<polyline points="{places}" fill="none" {style}/>'

    def text(ranks, gteps, shift, words):
        return f'<text x="{x(ranks)}" y="{y(gteps) + shift}" text-anchor="middle">{words}</text>'

    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
        line([(0, most_gteps), (0, 0), (most_ranks, 0)], 'stroke="black"'),
        line([(0, 0), (most_ranks, ideal)], 'stroke="gray" stroke-dasharray="4"'),
        line([(run["ranks"], run["gteps"]) for run in runs], 'stroke="blue"'),
        *(f'<circle cx="{x(run["ranks"])}" cy="{y(run["gteps"])}" r="3" fill="blue"/>'
          for run in runs),
        *(text(run["ranks"], run["gteps"], -8, f"{run['gteps']:.3g}") for run in runs),
        *(text(run["ranks"], 0, 16, run["ranks"]) for run in runs),
        text(most_ranks / 2, 0, 36, "ranks"),
        text(0, most_gteps, -24, "GTEPS"),
        "</svg>"]) + "\n"


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    name = sys.argv[1]
    runs = sorted((read_run(path) for path in sys.argv[2:]), key=lambda run: run["ranks"])
    pathlib.Path(f"{name}.md").write_text(table(runs), encoding="utf-8")
    pathlib.Path(f"{name}.svg").write_text(plot(runs), encoding="utf-8")
    print(table(runs), end="")


if __name__ == "__main__":
    main()
