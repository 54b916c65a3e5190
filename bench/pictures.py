#!/usr/bin/env python3
"""Draws docs/pictures/*.svg: measurements and plans of bench/results, and the grid of ranks.

usage: bench/pictures.py [--check]
           --check: change nothing; exit code 1 if a picture is out of date
"""
import html
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench" / "results"
PICTURES = ROOT / "docs" / "pictures"

BLUE, ORANGE, GREY, BLACK, GREEN, PURPLE = "#2b6cb0", "#dd6b20", "#a0aec0", "#1a202c", "#38a169", "#805ad5"


class Drawing:
    """An SVG image of width x height, on white, with a title for those who cannot see it."""

    def __init__(self, width, height, title):
        self.width, self.height, self.title = width, height, title
        self.parts = []

    def box(self, x, y, width, height, colour):
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{colour}"/>')

    def line(self, points, colour=GREY, width=1.0, dashes="", arrow=False):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        dash = f' stroke-dasharray="{dashes}"' if dashes else ""
        end = ' marker-end="url(#arrow)"' if arrow else ""
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}"{dash}{end}/>')

    def dot(self, x, y, colour):
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>')

    def text(self, x, y, words, anchor="middle", colour=BLACK, size=13):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}" font-size="{size}">{html.escape(words)}</text>')

    def svg(self):
        marker = ('<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse">'
                  f'<path d="M0,0 L8,4 L0,8 z" fill="{BLACK}"/></marker></defs>')
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" width="{self.width}" height="{self.height}" '
                f'role="img" font-family="sans-serif">')
        return "\n".join([head, f"<title>{html.escape(self.title)}</title>", marker, f'<rect width="{self.width}" height="{self.height}" fill="white"/>',
                          *self.parts, "</svg>", ""])


def load(name):
    return json.loads((RESULTS / name).read_text(encoding="utf-8"))


def source_of(result):
    return f"{result['machine']['gpus']}, {result['date']}, commit {result['commit']}"


def levels():
    """Times of the levels of the searches of one run: the median, and the range as a thin line."""
    result = load("gpu-scale26-1.json")
    rows = sorted((row for row in result["levels"] if row["name"] == "search" and row["level"] > 0), key=lambda row: row["level"])
    drawing = Drawing(640, 330, "Times of the levels of a breadth-first search")
    left, bottom, height = 60, 270, 210
    top_us = 700
    step = 540 / len(rows)
    drawing.text(320, 24, "Graph500 BFS of scale 26 on one GPU: time of each level", size=15)
    drawing.text(320, 44, "bars: median of the searches; lines: from the fastest to the slowest", colour="#4a5568")
    for tick in range(0, top_us + 1, 100):
        y = bottom - tick / top_us * height
        drawing.line([(left, y), (left + 540, y)], "#e2e8f0")
        drawing.text(left - 8, y + 4, str(tick), "end", size=11)
    drawing.text(left - 8, bottom - height - 10, "µs", "end", size=11)
    for position, row in enumerate(rows):
        x = left + step * position
        y = [bottom - row[f"{name}_seconds"] * 1e6 / top_us * height for name in ("median", "min", "max")]
        drawing.box(x + step * 0.2, y[0], step * 0.6, bottom - y[0], BLUE)
        drawing.line([(x + step / 2, y[1]), (x + step / 2, y[2])], ORANGE, 2)
        drawing.text(x + step / 2, bottom + 18, f"level {row['level']}", size=12)
    drawing.text(320, 316, source_of(result), size=11, colour="#4a5568")
    return drawing


def scaling():
    """Weak scaling of the Graph500 BFS over the GPUs of one host, beside the straight line."""
    runs = {1: "gpu-scale28-1.json", 2: "gpu-scale29-2.json", 4: "gpu-scale30-4.json", 8: "gpu-scale31-8.json"}
    results = {gpus: load(name) for gpus, name in runs.items()}
    speeds = {gpus: result["report"]["bfs"]["harmonic_mean_teps"] / 1e12 for gpus, result in results.items()}
    drawing = Drawing(640, 360, "Speed of the Graph500 BFS on 1 to 8 GPUs")
    left, bottom, width, height = 60, 300, 520, 230
    top = 12.0

    def place(gpus, speed):
        return left + width * gpus / 8, bottom - height * speed / top

    drawing.text(320, 24, "Graph500 BFS on the GPUs of one host, TTEPS", size=15)
    drawing.text(320, 44, "2^32 edges per GPU; dashed: the speed of one GPU, times the number of GPUs", colour="#4a5568")
    for tick in range(0, int(top) + 1, 2):
        drawing.line([place(0, tick), place(8, tick)], "#e2e8f0")
        drawing.text(left - 8, place(0, tick)[1] + 4, str(tick), "end", size=11)
    drawing.line([place(0, 0), place(8, 8 * speeds[1])], GREY, 1.5, "6 5")
    drawing.line([place(gpus, speed) for gpus, speed in speeds.items()], BLUE, 2.5)
    for gpus, speed in speeds.items():
        x, y = place(gpus, speed)
        drawing.dot(x, y, BLUE)
        drawing.text(x + 6, y + 20, f"{speed:.1f}", "start")
        drawing.text(x, bottom + 18, f"{gpus} GPU{'s' if gpus > 1 else ''}", size=12)
        drawing.text(x, bottom + 33, f"scale {results[gpus]['report']['scale']}", size=11, colour="#4a5568")
    drawing.text(320, 352, source_of(results[8]), size=11, colour="#4a5568")
    return drawing


def grid():
    """The blocks of a grid of 2 x 3 ranks, and the directions of messages."""
    drawing = Drawing(590, 330, "A grid of 2 x 3 ranks")
    left, top, side = 130, 70, 100
    drawing.text(295, 26, "The adjacency matrix on a grid of 2 x 3 ranks", size=15)
    shades = ("#bee3f8", "#c6f6d5", "#feebc8")
    for row in range(2):
        for column in range(3):
            x, y = left + column * side, top + row * side
            drawing.box(x + 2, y + 2, side - 4, side - 4, shades[column])
            drawing.text(x + side / 2, y + side / 2 + 5, f"rank {3 * row + column}")
    for column in range(3):
        x = left + column * side + side / 2
        drawing.line([(x, top + 2 * side + 40), (x, top + 2 * side + 6)], BLACK, 1.5, arrow=True)
    drawing.text(left + 1.5 * side, top + 2 * side + 56, "expand: each grid column gathers the frontier of its vertices")
    for row in range(2):
        y = top + row * side + side / 2
        drawing.line([(left + 3 * side + 4, y), (left + 3 * side + 40, y)], BLACK, 1.5, arrow=True)
    drawing.text(left + 3 * side + 46, top + side - 4, "fold: along", "start")
    drawing.text(left + 3 * side + 46, top + side + 14, "rows, to", "start")
    drawing.text(left + 3 * side + 46, top + side + 32, "owners", "start")
    drawing.text(left - 10, top + side + 5, "found vertices", "end")
    drawing.text(left + 1.5 * side, top - 12, "sources of edges")
    return drawing


def large_search():
    """The times of the levels of a 1.5D search on 8192 GPUs, as planned: what takes them, one on the other."""
    data = load("model-scale-out.json")
    search = data["search"]
    parts = (("work", "work_seconds", BLUE), ("latency", "latency_seconds", GREY), ("inside hosts", "inside_hosts_seconds", GREEN),
             ("between hosts", "between_hosts_seconds", ORANGE), ("results", "result_seconds", PURPLE))
    bars = [(f"level {number}", level) for number, level in enumerate(search["levels"], 1)] + [("results", {"result_seconds": search["result_seconds"]})]
    drawing = Drawing(720, 380, f"Times of the levels of a planned search on {search['gpus']} GPUs")
    left, bottom, height, width = 60, 300, 210, 640
    most = max(sum(level.get(key, 0) for _, key, _ in parts) for _, level in bars) * 1e3
    unit = 0.5 if most > 2 else 0.25
    top = unit * (int(most / unit) + 1)
    whole = sum(level.get(key, 0) for _, level in bars for _, key, _ in parts)
    drawing.text(360, 24, f"A 1.5D search of {search['graph']} on {search['gpus']} H100, as planned: {1e3 * whole:.1f} ms", size=15)
    tick = 0.0
    while tick <= top + 1e-9:
        y = bottom - tick / top * height
        drawing.line([(left, y), (left + width, y)], "#e2e8f0")
        drawing.text(left - 8, y + 4, f"{tick:g}", "end", size=11)
        tick += unit
    drawing.text(left - 8, bottom - height - 10, "ms", "end", size=11)
    step = width / len(bars)
    for position, (words, level) in enumerate(bars):
        y = bottom
        for _, key, colour in parts:
            part = level.get(key, 0) * 1e3 / top * height
            y -= part
            drawing.box(left + step * (position + 0.2), y, step * 0.6, part, colour)
        middle = left + step * (position + 0.5)
        drawing.text(middle, bottom + 18, words, size=11)
        if "direction" in level:
            drawing.text(middle, bottom + 33, level["direction"], size=9, colour="#4a5568")
    for position, (words, _, colour) in enumerate(parts):
        drawing.box(left + 130 * position, 42, 12, 12, colour)
        drawing.text(left + 130 * position + 18, 53, words, "start", size=12)
    drawing.text(360, 368, f"{search['network']}, a typical search; plan of {data['date']}, commit {data['commit']}", size=11, colour="#4a5568")
    return drawing


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    outdated = []
    for draw in (levels, scaling, grid, large_search):
        path = PICTURES / f"{draw.__name__}.svg"
        image = draw().svg()
        if path.exists() and path.read_text(encoding="utf-8") == image:
            continue
        outdated.append(path.name)
        if sys.argv[1:] != ["--check"]:
            PICTURES.mkdir(exist_ok=True)
            path.write_text(image, encoding="utf-8")
    if sys.argv[1:] == ["--check"] and outdated:
        sys.exit(f"out of date, run bench/pictures.py: {', '.join(outdated)}")


if __name__ == "__main__":
    main()
