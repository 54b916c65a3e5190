#!/usr/bin/env python3
"""Writes the tables of docs/performance.md and docs/gpu.md from the raw figures in bench/results.

usage: bench/tables.py [--check]      --check: change nothing, exit code 1 where a document is out of date

What stands between a marker and `<!-- end -->` is replaced. Markers:
    <!-- table: FILE.json -->               commands side by side (bench/side_by_side.py): medians, with the smallest and the largest figure; ratios are
                                            taken round by round, of commands that ran in turn
    <!-- graph500: FILE.json FILE.json -->  Graph500 reports, one a line
    <!-- levels: FILE.json -->              what the levels of such a report's searches took (bench/levels.py)
    <!-- scaling: FILE.json FILE.json -->   their harmonic means, as parts of what one GPU with as many edges reaches, times the GPUs
    <!-- roads: FILE.json -->               seconds of a run's searches
    <!-- profile: FILE.json -->             launches of a search, by the hardware's counters
    <!-- memory: FILE.json -->              the most memory that a command held (bench/peak_memory.py)
    <!-- figures: FILE.json -->             the paper's measurement repeated (bench/figures.py), with its conditions and results beside ours
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


def machine_of(data):
    machine = data["machine"]
    return ", ".join([machine["gpus"], *([machine["mpi"]] if "mpi" in machine else [])])


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
        commands.append(f"- `{data['command']}`: {len(bfs['searches'])} keys, {data['date']}, commit {data['commit']}, {machine_of(data)}")
    return "\n".join([*lines, "", *commands])


def scaling(names):
    files = [load(name) for name in names.split()]
    if len({(data["commit"], data["date"]) for data in files}) != 1:
        sys.exit(f"scaling of runs that were not made together: {names}")
    teps = {(data["report"]["scale"], data["report"]["search"]["ranks"]): data["report"]["bfs"]["harmonic_mean_teps"] for data in files}
    counts = sorted({ranks for _, ranks in teps} - {1})
    lines = [f"| on one GPU | {' | '.join(f'{ranks} GPUs' for ranks in counts)} |", "|---" * (len(counts) + 1) + "|"]
    for scale in sorted(scale for scale, ranks in teps if ranks == 1):
        cells = [f"scale {scale}"]
        for ranks in counts:
            larger = scale + ranks.bit_length() - 1
            cells.append(f"{teps[larger, ranks] / (ranks * teps[scale, 1]):.0%} (scale {larger})" if (larger, ranks) in teps else "")
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def levels(name):
    lines = ["| | searches | median, us | min | max |", "|---|---|---|---|---|"]
    for span in load(name)["levels"]:
        if span["name"] in ("search", "output"):
            what = f"level {span['level']}" if span["name"] == "search" else "result, launches, and the host's wait"
            seconds = [f"{span[key] * 1e6:.0f}" for key in ("median_seconds", "min_seconds", "max_seconds")]
            lines.append(f"| {what} | {span['spans']} | {' | '.join(seconds)} |")
    return "\n".join(lines)


def roads(name):
    data = load(name)
    runs = [f"{statistics.median(run) * 1e3:.2f} ({min(run) * 1e3:.2f} to {max(run) * 1e3:.2f})" for run in data["runs"]]
    return (f"`{data['command']}`, {len(data['runs'])} runs: {', '.join(runs)} ms, median (min to max) of {len(data['runs'][0])} searches; {data['date']}, "
            f"commit {data['commit']}, {data['machine']['gpus']}.")


LAUNCHES = {"make_items_step": "the frontier becomes work items", "follow_items": "top-down level", "survey_step": "out-edges of the frontier",
            "publish_step": "the frontier becomes a bitmap of all columns", "bottom_up_step": "bottom-up level", "write_result": "the result"}


def profile(name):
    data = load(name)
    lines = ["| | us | device memory, MB | of its rate | of the L2 cache's | instructions a cycle, of 4 |", "|---|---|---|---|---|---|"]
    for launch in data["launches"]:
        moved = launch["dram_read_bytes"] + launch["dram_written_bytes"]
        lines.append(f"| {LAUNCHES[launch['kernel']]} | {launch['seconds'] * 1e6:.0f} | {moved * 1e-6:.0f} | {launch['dram_percent']:.0f}% "
                     f"| {launch['l2_percent']:.0f}% | {launch['instructions_a_cycle']:.1f} |")
    lines.append(f"\n`{data['command']}`, {data['date']}, commit {data['commit']}, {data['machine']['gpus']}.")
    return "\n".join(lines)


def memory(name):
    data = load(name)
    machine = data["machine"]
    return (f"`{data['command']}`: {data['peak_bytes'] / 2**30:.1f} GiB in all processes at the peak, as sampled, "
            f"{data['peak_bytes'] / data['edges']:.1f} bytes an edge tuple; {data['date']}, commit {data['commit']}, {machine['cpu']}, {machine['cores']} cores.")


ENGINES = {"cpu": "CPU only", "gpu": "GPU only", "split": "CPU + GPU", "resident": "whole search in one kernel"}


def figures(name):
    data = load(name)
    runs = {(run["engine"], run["ranks"]): run for run in data["runs"]}
    engines = [engine for engine in ENGINES if any(run["engine"] == engine for run in data["runs"])]
    ranks = sorted({run["ranks"] for run in data["runs"]})
    columns = ["ranks"]
    for engine in engines:
        columns.append(f"{ENGINES[engine]}: GTEPS, median (min to max)")
        if engine != "resident":
            columns += ["computation, ms", "communication, ms"]
    lines = [f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    for count in ranks:
        cells = [str(count)]
        for engine in engines:
            run = runs.get((engine, count))
            cells += figures_of_run(run) if run else ["-"] * (1 if engine == "resident" else 3)
        lines.append(f"| {' | '.join(cells)} |")
    lines += ["", f"Medians over {data['keys']} keys, {data['date']}, commit {data['commit']}.", "", *beside_the_paper(data, runs, ranks), ""]
    lines.extend(f"- {ENGINES[run['engine']]}: `{run['command']}`" for run in data["runs"])
    lines.extend(f"- {ENGINES[run['engine']]} with -n {run['ranks']} left out: {run['message']}" for run in data["missing"])
    return "\n".join(lines)


def figures_of_run(run):
    gteps = run["figures"]["gteps"]
    cells = [f"{number(gteps['median'])} ({number(gteps['min'])} to {number(gteps['max'])})"]
    if run["engine"] != "resident":
        cells += [number(run["figures"][name]["median"] * 1e3) for name in ("computation_seconds", "communication_seconds")]
    return cells


def beside_the_paper(data, runs, ranks):
    """The conditions and results of Hiragushi and Takahashi (2013), sections 4 and 5, and those of a file."""
    def median(engine, count, figure):
        return runs[engine, count]["figures"][figure]["median"]

    machine = data["machine"]
    speedups = []
    for engine in ("gpu", "split"):
        ratios = [median("cpu", count, "computation_seconds") / median(engine, count, "computation_seconds") for count in ranks
                  if ("cpu", count) in runs and (engine, count) in runs]
        if ratios:
            speedups.append(f"{ENGINES[engine]}: {number(min(ratios))} to {number(max(ratios))} times as fast as CPU only")
    messages = [f"{number(median('split', count, 'communication_seconds') * 1e3)} ms on {count}" for count in ranks if ("split", count) in runs]
    return ["| | machine | graph | ranks | computation | communication of CPU + GPU |", "|---|---|---|---|---|---|",
            "| the paper | HA-PACS, a node: 2 x Intel Xeon E5-2670, 4 x NVIDIA Tesla M2090, 2 x InfiniBand 4x QDR; MVAPICH2 1.9b, CUDA 5.0 "
            "| 2^23 vertices a node, 16 edges a vertex | 2^(2n+1), on 1 to 64 nodes | with GPUs 1.4 to 3.3 times as fast as CPU only "
            "| grows about linearly with the nodes |",
            f"| here | {machine['cpu']}, {machine['cores']} cores, {machine.get('gpus', 'no GPU')} "
            f"| 2^{data['scale_a_rank']} vertices a rank, {data['edge_factor']} edges a vertex | {', '.join(map(str, ranks))} "
            f"| {'; '.join(speedups) or '-'} | {', '.join(messages) or '-'} |"]


MAKERS = {"table": side_by_side, "graph500": graph500, "scaling": scaling, "levels": levels, "memory": memory, "figures": figures, "roads": roads, "profile": profile}


def main():
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        pattern = re.compile(rf"(<!-- ({'|'.join(MAKERS)}): (.+?) -->\n).*?(<!-- end -->)", re.DOTALL)
        new = pattern.sub(lambda found: f"{found[1]}{MAKERS[found[2]](found[3])}\n{found[4]}", text)
        if "--check" in sys.argv[1:]:
            if new != text:
                sys.exit(f"{document.relative_to(ROOT)} is out of date: run bench/tables.py")
        else:
            document.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
