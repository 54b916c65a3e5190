#!/usr/bin/env python3
"""Writes the tables of docs/performance.md and docs/gpu.md from the raw figures in bench/results.

usage: bench/tables.py [--check]      --check: change nothing, exit code 1 where a document is out of date

What stands between a marker and `<!-- end -->` is replaced. Markers:
    <!-- table: FILE.json -->               commands side by side (bench/side_by_side.py): medians, with the smallest and the largest figure; ratios are
                                            taken round by round, of commands that ran in turn
    <!-- graph500: FILE.json FILE.json -->  Graph500 reports, one a line
    <!-- levels: FILE.json -->              what the levels of such a report's searches took (bench/levels.py)
    <!-- memory: FILE.json -->              the most memory that a command held (bench/peak_memory.py)
"""
import json
import pathlib
import re
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench" / "results"
DOCUMENTS = [ROOT / "docs" / "performance.md", ROOT / "docs" / "gpu.md"]


def load(name):
    return json.loads((RESULTS / name).read_text(encoding="utf-8"))


def number(value):
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"


def spread(values):
    return f"{number(statistics.median(values))} ({number(min(values))} to {number(max(values))})"


def side_by_side(name):
    data = load(name)
    first = next(iter(data["figures"]))
    lines = [f"| | {data['unit']}: median (min to max) | {first} / it |", "|---|---|---|"]
    for run, values in data["figures"].items():
        ratios = [a / b for a, b in zip(data["figures"][first], values)]
        lines.append(f"| {run} | {spread(values)} | {'' if run == first else spread(ratios)} |")
    machine = data["machine"]
    rounds = len(data["figures"][first])
    lines.append(f"\n{rounds} rounds in turn, {data['date']}, commit {data['commit']}, {machine['cpu']}, {machine['cores']} cores.")
    if data.get("note"):
        lines.append(data["note"])
    lines.append("")
    lines.extend(f"- {run}: `{command}`" for run, command in data["commands"].items())
    return "\n".join(lines)


def graph500(names):
    lines = ["| scale | GPUs | GTEPS, harmonic mean | min | median | max | kernel 1, s | validation, s a search |", "|---|---|---|---|---|---|---|---|"]
    commands = []
    for name in names.split():
        data = load(name)
        report = data["report"]
        bfs = report["bfs"]
        teps = [f"{bfs[key] * 1e-9:.0f}" for key in ("harmonic_mean_teps", "min_teps", "median_teps", "max_teps")]
        validation = statistics.mean(search["validate_seconds"] for search in bfs["searches"])
        lines.append(f"| {report['scale']} | {report['search']['ranks']} | {' | '.join(teps)} | {report['construction_seconds']:.2f} | {validation:.3f} |")
        commands.append(f"- `{data['command']}`: {len(bfs['searches'])} keys, {data['date']}, commit {data['commit']}, {data['machine']['gpus']}")
    return "\n".join([*lines, "", *commands])


def levels(name):
    lines = ["| | searches | median, us | min | max |", "|---|---|---|---|---|"]
    for span in load(name)["levels"]:
        if span["name"] in ("search", "output"):
            what = f"level {span['level']}" if span["name"] == "search" else "result, launches, and the host's wait"
            seconds = [f"{span[key] * 1e6:.0f}" for key in ("median_seconds", "min_seconds", "max_seconds")]
            lines.append(f"| {what} | {span['spans']} | {' | '.join(seconds)} |")
    return "\n".join(lines)


def memory(name):
    data = load(name)
    machine = data["machine"]
    return (f"`{data['command']}`: {data['peak_bytes'] / 2**30:.1f} GiB in all processes at the peak, as sampled, "
            f"{data['peak_bytes'] / data['edges']:.1f} bytes an edge tuple; {data['date']}, commit {data['commit']}, {machine['cpu']}, {machine['cores']} cores.")


MAKERS = {"table": side_by_side, "graph500": graph500, "levels": levels, "memory": memory}


def main():
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        pattern = re.compile(r"(<!-- (table|graph500|levels|memory): (.+?) -->\n).*?(<!-- end -->)", re.DOTALL)
        new = pattern.sub(lambda found: f"{found[1]}{MAKERS[found[2]](found[3])}\n{found[4]}", text)
        if "--check" in sys.argv[1:]:
            if new != text:
                sys.exit(f"{document.relative_to(ROOT)} is out of date: run bench/tables.py")
        else:
            document.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
