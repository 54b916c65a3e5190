#!/usr/bin/env python3
"""Writes the tables of docs/performance.md from the raw figures in bench/results.

usage: bench/tables.py [--check]      --check: change nothing, exit code 1 where the document is out of date

A table stands between `<!-- table: FILE.json -->` and `<!-- end -->`; what stands there is replaced. Figures are medians, with the smallest and the
largest; ratios are taken round by round, of commands that ran in turn (bench/side_by_side.py).
"""
import json
import pathlib
import re
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs" / "performance.md"


def number(value):
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"


def spread(values):
    return f"{number(statistics.median(values))} ({number(min(values))} to {number(max(values))})"


def table(path):
    data = json.loads(path.read_text(encoding="utf-8"))
    first = next(iter(data["figures"]))
    lines = [f"| | {data['unit']}: median (min to max) | {first} / it |", "|---|---|---|"]
    for name, values in data["figures"].items():
        ratios = [a / b for a, b in zip(data["figures"][first], values)]
        lines.append(f"| {name} | {spread(values)} | {'' if name == first else spread(ratios)} |")
    machine = data["machine"]
    rounds = len(data["figures"][first])
    lines.append(f"\n{rounds} rounds in turn, {data['date']}, commit {data['commit']}, {machine['cpu']}, {machine['cores']} cores.")
    if data.get("note"):
        lines.append(data["note"])
    lines.append("")
    lines.extend(f"- {name}: `{command}`" for name, command in data["commands"].items())
    return "\n".join(lines)


def main():
    text = DOCUMENT.read_text(encoding="utf-8")
    pattern = re.compile(r"(<!-- table: (\S+) -->\n).*?(<!-- end -->)", re.DOTALL)
    new = pattern.sub(lambda found: f"{found[1]}{table(ROOT / 'bench' / 'results' / found[2])}\n{found[3]}", text)
    if "--check" in sys.argv[1:]:
        if new != text:
            sys.exit("docs/performance.md is out of date: run bench/tables.py")
    else:
        DOCUMENT.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
