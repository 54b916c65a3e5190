#!/usr/bin/env python3
"""Writes tables of docs/performance.md, gpu.md, cluster.md, sssp.md, apsp.md, python.md and scale-out.md from bench/results.

usage: bench/tables.py [--check]
           --check: change nothing; exit code 1 if a document is out of date

The text between a marker and `<!-- end -->` is replaced. Markers:
    <!-- table: FILE.json -->
        commands side by side (bench/side_by_side.py): medians, with the smallest and the largest
        figure; ratios are taken round by round, for commands that ran in turn
    <!-- graph500: FILE.json FILE.json -->
        Graph500 reports, one per row
    <!-- scaling: FILE.json FILE.json -->
        weak scaling of such reports: harmonic mean on P GPUs / (P times that on one GPU, of a graph
        with 1/P of the edges)
    <!-- levels: FILE.json -->
        times of the levels of such a report's searches (bench/levels.py)
    <!-- steps: FILE.json FILE.json -->
        times of the steps of such reports' constructions on GPUs, on one rank (bench/levels.py)
    <!-- runs: FILE.json -->
        Graph500 reports of one machine, one per row, each with a name
    <!-- large diameter: FILE.json -->
        seconds of a run's searches
    <!-- profile: FILE.json -->
        launches of a search, by the hardware's counters
    <!-- memory: FILE.json -->
        the most memory that a command held (bench/peak_memory.py)
    <!-- figures: FILE.json -->
        the paper's measurement repeated (bench/figures.py), with its conditions and results beside
        ours
    <!-- links, faults: FILE.json -->
        jobs over several hosts (bench/cluster_tables.py)
    <!-- kernel3, search-steps, fixed-order, phases, arcs, crossovers: FILE.json -->
        tables of shortest paths (bench/shortest_path_tables.py)
    <!-- batched: FILE.json FILE.json -->
    <!-- batched-densities, batched-weights, batched-shapes, one-matrix, many-matrices, cores,
        two-gpus: FILE.json -->
        tables of all pairs (bench/all_pairs_tables.py)
    <!-- model-check, model-cores, model-cores-memory, scale-out, scale-out-parts, paths-out, construction-out, listed-hubs, purchases, earlier, plan-times, contention,
        contention-steps: FILE.json -->
    <!-- model-summary: CHECK.json CORES.json MEMORY.json MESSAGES.json -->
        plans of jobs on clusters (bench/model_tables.py)
    <!-- regret, choices, gap: FILE.json -->
        the choice of auto beside all methods, two programs with other choices, and the GAP benchmark's rules (bench/comparison_tables.py)
    <!-- python package: FILE.json -->
        wayfront.csgraph beside SciPy (bench/python_tables.py)
    <!-- python libraries: FILE.json -->
        the package beside SciPy, NetworkX, igraph, NetworKit and rustworkx (bench/python_tables.py)
    <!-- python networkx, python networkx sizes: FILE.json -->
        the backend of NetworkX beside NetworkX (bench/python_tables.py)
"""
import collections
import json
import pathlib
import re
import statistics
import sys

import all_pairs_tables
import cluster_tables
import comparison_tables
import model_tables
import python_tables
import shortest_path_tables
from shortest_path_tables import rounded, spread

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench" / "results"
DOCUMENTS = [ROOT / "docs" / name for name in ("performance.md", "gpu.md", "cluster.md", "sssp.md", "apsp.md", "python.md", "scale-out.md")] + [ROOT / "README.md"]


def load(name):
    return json.loads((RESULTS / name).read_text(encoding="utf-8"))


def side_by_side(name):
    data = load(name)
    first = next(iter(data["figures"]))
    unit = data["unit"].replace(" a search", " per search")
    lines = [f"| | {unit}: median (min to max) | {first} ÷ this row |", "|---|---|---|"]
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


def gpus_in_words(count):
    return f"{count} GPU" if count == 1 else f"{count} GPUs"


# The names of transports in the program's reports. A single GPU does not exchange.
TRANSPORTS = {"none (resident, one GPU)": "none", "none (stepped, one GPU)": "none", "p2p (resident)": "p2p", "nccl (stepped)": "nccl",
              "mpi (stepped, device memory)": "mpi, GPU-aware", "mpi (stepped, host memory)": "mpi, host memory",
              "mpi (stepped, staged)": "mpi, staged", "none (host-driven, one rank)": "none", "host (messages over mpi)": "host",
              "none (grid, one GPU)": "none", "p2p (grid)": "p2p, grid", "nccl (grid)": "nccl, grid",
              "mpi (grid, device memory)": "mpi, GPU-aware, grid", "mpi (grid, host memory)": "mpi, host memory, grid",
              "mpi (grid, staged)": "mpi, staged, grid", None: "-"}


def transport_of(name, data):
    transport = data["report"]["search"].get("transport")
    if transport not in TRANSPORTS:
        sys.exit(f"graph500 of {name}: unknown transport '{transport}'")
    return TRANSPORTS[transport]


def graph500(names):
    names = names.split()
    files = [load(name) for name in names]
    keys = [len(data["report"]["bfs"]["searches"]) for data in files]
    several = len(set(keys)) > 1  # numbers of keys
    columns = ["scale", "GPUs", "transport", *(["keys"] if several else []), "GTEPS: harmonic mean", "min", "median", "max", "kernel 1, s",
               "validation, s per search"]
    lines = [f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    commands = []
    for name, data, count in zip(names, files, keys):
        report = data["report"]
        bfs, search = report["bfs"], report["search"]
        teps = [f"{bfs[key] * 1e-9:.0f}" for key in ("harmonic_mean_teps", "min_teps", "median_teps", "max_teps")]
        validation = statistics.mean(one["validate_seconds"] for one in bfs["searches"])
        cells = [str(report["scale"]), str(search["ranks"]), transport_of(name, data), *([str(count)] if several else []), *teps,
                 f"{report['construction_seconds']:.2f}", f"{validation:.3f}"]
        lines.append(f"| {' | '.join(cells)} |")
        commands.append(f"- `{data['command']}`: {count} keys, {data['date']}, commit {data['commit']}, {machine_of(data)}")
    return "\n".join([*lines, "", *commands])


def host_of(data):
    """The GPUs of a run: some of a host's ('2 of 8 x NVIDIA H200 of one host') or all of them ('8 x
    NVIDIA H200 of one host')."""
    return re.sub(r"^\d+ of (?=\d+ x )", "", data["machine"]["gpus"])


# Properties that must be the same in all reports that are compared with each other.
COMMON = {"commits": lambda data: data["commit"], "dates": lambda data: data["date"], "hosts": host_of,
          "edge factors": lambda data: data["report"]["edgefactor"],
          "kinds of search": lambda data: re.search(r"resident|stepped|host", data["report"]["search"]["transport"])[0]}


def scaling(names):
    files = [(name, load(name)) for name in names.split()]
    for what, of_file in COMMON.items():
        found = collections.defaultdict(list)
        for name, data in files:
            found[of_file(data)].append(name)
        if len(found) > 1:
            sys.exit(f"scaling of runs with different {what}: " + "; ".join(f"{value}: {', '.join(having)}" for value, having in found.items()))
    teps, named = {}, {}
    for name, data in files:
        run = data["report"]["scale"], data["report"]["search"]["ranks"]
        if run[1].bit_count() != 1:
            sys.exit(f"scaling of {name}: {run[1]} GPUs, expected a power of two")
        if run in named:
            sys.exit(f"scaling of {named[run]} and {name}: both are scale {run[0]} on {gpus_in_words(run[1])}")
        named[run], teps[run] = name, data["report"]["bfs"]["harmonic_mean_teps"]
    counts = sorted({ranks for _, ranks in teps} - {1})
    lines = ["**Weak scaling: parallel efficiency against one GPU with the same number of edges per GPU**", "",
             f"| graph on one GPU | {' | '.join(map(gpus_in_words, counts))} |", "|---" * (len(counts) + 1) + "|"]
    for scale in sorted(scale for scale, ranks in teps if ranks == 1):
        cells = [f"scale {scale}"]
        for ranks in counts:
            larger = scale + ranks.bit_length() - 1
            cells.append(f"{teps[larger, ranks] / (ranks * teps[scale, 1]):.0%} (scale {larger})" if (larger, ranks) in teps else "")
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def levels(name):
    lines = ["| | searches | median, µs | min, µs | max, µs |", "|---|---|---|---|---|"]
    for span in load(name)["levels"]:
        if span["name"] in ("search", "output"):
            what = f"level {span['level']}" if span["name"] == "search" else "outside the levels (launch, writing the result, host wait)"
            seconds = [f"{span[key] * 1e6:.0f}" for key in ("median_seconds", "min_seconds", "max_seconds")]
            lines.append(f"| {what} | {span['spans']} | {' | '.join(seconds)} |")
    return "\n".join(lines)


# The spans of construction on GPUs, in order. They do not overlap, and 'construct' contains all of
# them. The spans from keys to compact lists occur once for each batch of the rows. Old reports have
# no spans of preparations; their row is left out if no report has it.
STEPS = ["prepare exchange", "count degrees", "number vertices", "make keys", "sort keys", "compact lists", "join lists", "complete graph", "prepare search"]
PREPARATIONS = {"prepare exchange", "prepare search"}
MOST_BATCHES = 4


def steps(names):
    rows = {row: [] for row in ["ms", *STEPS, "outside the steps", "construct"]}
    commands = []
    for name in names.split():
        data = load(name)
        spans = {span["name"]: span for span in data["levels"]}
        missing = [step for step in [*STEPS, "construct"] if step not in spans and step not in PREPARATIONS]
        if missing:
            sys.exit(f"steps of {name}: no {', '.join(missing)} among its levels")
        seconds = {step: seconds_of_all(name, spans[step]) if step in spans else 0 for step in [*STEPS, "construct"]}
        seconds["outside the steps"] = seconds["construct"] - sum(seconds[step] for step in STEPS)
        report, batches = data["report"], spans["make keys"]["spans"]
        rows["ms"].append(f"scale {report['scale']}, {gpus_in_words(report['search']['ranks'])}" + (f", {batches} batches" if batches > 1 else ""))
        for step, value in seconds.items():
            rows[step].append(f"{value * 1e3:.1f}" if step in spans or step == "outside the steps" else "-")
        commands.append(f"- `{data['command']}`: {data['date']}, commit {data['commit']}, {machine_of(data)}")
    lines = [f"| {' | '.join([row, *cells])} |" for row, cells in rows.items() if set(cells) != {"-"}]
    return "\n".join([lines[0], "|---" * (len(commands) + 1) + "|", *lines[1:], "", *commands])


def seconds_of_all(name, span):
    """The total time of all spans of a name. It follows from minimum, maximum and median if there
    are at most four spans; the median of an even number of spans is the mean of two of them."""
    count = span["spans"]
    if count > MOST_BATCHES:
        sys.exit(f"steps of {name}: {count} spans of {span['name']}; median, min and max tell the sum of up to {MOST_BATCHES}")
    in_the_middle = 2 - count % 2
    at_the_ends = span["min_seconds"] + span["max_seconds"] if count > 2 else 0
    return in_the_middle * span["median_seconds"] + at_the_ends


def runs(name):
    data = load(name)
    lines = ["| | engine, as it reports itself | GTEPS: harmonic mean | min | median | max |", "|---|---|---|---|---|---|"]
    for run in data["runs"]:
        report = run["report"]
        teps = [f"{report['bfs'][key] * 1e-9:.1f}" for key in ("harmonic_mean_teps", "min_teps", "median_teps", "max_teps")]
        lines.append(f"| {run['what']} | {report['search']['engine']} | {' | '.join(teps)} |")
    machine = data["machine"]
    lines.append(f"\nSingle runs, {data['date']}, commit {data['commit']}, {machine['gpus']}, {machine['cores']} cores.\n")
    lines.extend(f"- {run['what']}: `{run['command']}`" for run in data["runs"])
    return "\n".join(lines)


def large_diameter(name):
    data = load(name)
    lines = ["| graph | vertices | depth of a search | by levels, ms | near-far, or rounds, ms | times as fast |", "|---|---|---|---|---|---|"]
    for row in data["rows"]:
        if row["search of near-far"] == row["search of levels"]:  # its diameter is not large
            continue
        kind = " (rounds)" if "rounds" in row["search of near-far"] else ""
        times = {way: [seconds * 1e3 for run in row[way] for seconds in run] for way in ("levels", "near-far")}
        medians = {way: statistics.median(values) for way, values in times.items()}
        cells = [f"{medians[way]:.2f} ({min(values):.2f} to {max(values):.2f})" for way, values in times.items()]
        lines.append(f"| `{row['graph']}` | {row['vertices']} | {row['depth']} | {' | '.join(cells)}{kind} | {medians['levels'] / medians['near-far']:.1f} |")
    lines.append(f"\nMedian (min to max) of {data['rounds']} x {data['sources']} searches, in turn; {data['date']}, commit {data['commit']}, one "
                 f"{data['machine']['gpu']}; `bench/large_diameter.py`.")
    return "\n".join(lines)


def grid_runs(name):
    """Searches over a grid of several columns."""
    data = load(name)
    lines = ["| graph | search | transport | searches | GTEPS: harmonic mean | median (min to max), ms | commit |", "|---|---|---|---|---|---|---|"]
    for run in data["runs"]:
        graph = run.get("graph", f"kron:{run.get('scale')}")
        times = f"{run['median_ms']:.2f} ({run['min_ms']:.2f} to {run['max_ms']:.2f})" if "max_ms" in run else "-"
        teps = f"{run['harmonic_mean_gteps']:.1f}" if "harmonic_mean_gteps" in run else "-"
        searches = f"{run['keys']}{', valid' if run['validated'] else ''}" if "keys" in run else str(run["searches"])
        kind = "shortest paths" if "--kernel sssp" in run["command"] else "BFS"
        how = f", {run['how']}" if "how" in run else ""
        lines.append(f"| `{graph}` | {kind}{how} | {TRANSPORTS[run['transport']]} | {searches} | {teps} | {times} | {run['commit']} |")
    lines.append(f"\n{data['date']}, {data['machine']['gpus']}, grid {data['runs'][0]['grid']}. {data['note']}")
    return "\n".join(lines)


LAUNCHES = {"make_items_step": "the frontier becomes work items", "follow_items": "top-down level", "survey_step": "out-edges of the frontier",
            "publish_step": "the frontier becomes a bitmap of all columns", "bottom_up_step": "bottom-up level", "write_result": "the result"}


def profile(name):
    data = load(name)
    lines = ["| | time, µs | DRAM traffic, MB | DRAM bandwidth, % of peak | L2 throughput, % of peak | IPC per SM (max. 4) |", "|---|---|---|---|---|---|"]
    for launch in data["launches"]:
        moved = launch["dram_read_bytes"] + launch["dram_written_bytes"]
        lines.append(f"| {LAUNCHES[launch['kernel']]} | {launch['seconds'] * 1e6:.0f} | {moved * 1e-6:.0f} | {launch['dram_percent']:.0f}% "
                     f"| {launch['l2_percent']:.0f}% | {launch['instructions_a_cycle']:.1f} |")
    lines.append(f"\n`{data['command']}`, {data['date']}, commit {data['commit']}, {data['machine']['gpus']}.")
    return "\n".join(lines)


def shared_memory(name):
    data = load(name)
    lines = ["| KiB | " + " | ".join(data["jobs"]) + " |", "|" + "---|" * (len(data["jobs"]) + 1)]
    for kib, of_jobs in data["gteps"].items():
        cells = [" to ".join(f"{x:.4g}" for x in sorted({min(of_jobs[job]), max(of_jobs[job])})) if job in of_jobs else "" for job in data["jobs"]]
        lines.append(f"| {kib} | " + " | ".join(cells) + " |")
    lines.append(f"\nGTEPS by scale; `{data['command']}`, 64 keys, {data['date']}, commit {data['commit']}, {data['machine']['gpu']}.")
    return "\n".join(lines)


def memory(name):
    data = load(name)
    machine = data["machine"]
    return (f"`{data['command']}`: {data['peak_bytes'] / 2**30:.1f} GiB in all processes at the peak, as sampled, "
            f"{data['peak_bytes'] / data['edges']:.1f} bytes per edge tuple; {data['date']}, commit {data['commit']}, {machine['cpu']}, "
            f"{machine['cores']} cores.")


ENGINES = {"cpu": "CPU only", "gpu": "GPU only", "split": "CPU + GPU", "resident": "on-GPU search"}
HOST_DRIVEN = [engine for engine in ENGINES if engine != "resident"]


def figures(name):
    data = load(name)
    runs = {(run["engine"], run["ranks"]): run for run in data["runs"]}
    engines = [engine for engine in ENGINES if any(run["engine"] == engine for run in data["runs"])]
    host_driven = [engine for engine in engines if engine in HOST_DRIVEN]
    ranks = sorted({run["ranks"] for run in data["runs"]})

    def table(title, table_engines, cell):
        if not table_engines:
            return []
        rows = [["ranks", *(ENGINES[engine] for engine in table_engines)], ["---"] * (len(table_engines) + 1)]
        for count in ranks:
            found = [runs.get((engine, count)) for engine in table_engines]
            rows.append([str(count), *(cell(run["figures"]) if run else "-" for run in found)])
        return [title, "", *(f"| {' | '.join(row)} |" for row in rows), ""]

    def milliseconds(figure):
        return lambda values: rounded(values[figure]["median"] * 1e3)

    def gteps(values):
        return f"{rounded(values['gteps']['median'])} ({rounded(values['gteps']['min'])} to {rounded(values['gteps']['max'])})"

    lines = [*table("Throughput, GTEPS, median (min to max):", engines, gteps),
             *table("Computation, ms, median:", host_driven, milliseconds("computation_seconds")),
             *table("Communication, ms, median:", host_driven, milliseconds("communication_seconds")),
             f"{data['keys']} keys, {data['date']}, commit {data['commit']}.", "", *beside_the_paper(data, runs, ranks), ""]
    lines.extend(f"- {ENGINES[run['engine']]}: `{run['command']}`" for run in data["runs"])
    lines.extend(f"- {ENGINES[run['engine']]} with -n {run['ranks']} left out: {run['message']}" for run in data["missing"])
    return "\n".join(lines)


def beside_the_paper(data, runs, ranks):
    """The conditions and results of Hiragushi and Takahashi (2013), sections 2.3, 2.4, 4 and 5,
    next to those of a file."""
    def median(engine, count, figure):
        return runs[engine, count]["figures"][figure]["median"]

    def compared(figure, *pairs):
        """For each pair of engines, how many times as fast the first one is as the second one."""
        texts = []
        for fast, slow in pairs:
            ratios = [median(fast, count, figure) / median(slow, count, figure) for count in ranks if (fast, count) in runs and (slow, count) in runs]
            if figure.endswith("_seconds"):
                ratios = [1 / ratio for ratio in ratios]
            if ratios:
                texts.append(f"{ENGINES[fast]} {between(ratios)} times as fast as {ENGINES[slow]}")
        return "; ".join(texts) or "-"

    machine = data["machine"]
    facts = [run["search"] for run in data["runs"]]
    shares = sorted({run["search"]["engine"].removeprefix("split:") for run in data["runs"] if run["engine"] == "split"})
    messages = [f"{rounded(median('split', count, 'communication_seconds') * 1e3)} ms on {count}" for count in ranks if ("split", count) in runs]
    gpu_count = sum(map(int, re.findall(r"(\d+) x ", machine.get("gpus", ""))))
    own_gpu = ", one GPU" if any(run["engine"] != "cpu" for run in data["runs"]) and max(ranks) <= gpu_count else ""
    rows = [("machine", "HA-PACS, per node: 2 x Intel Xeon E5-2670, 4 x NVIDIA Tesla M2090, 2 x InfiniBand 4x QDR; MVAPICH2 1.9b, CUDA 5.0",
             f"{machine['cpu']}, {machine['cores']} cores, {machine.get('gpus', 'no GPU')}"),
            ("graph", "Graph500's, 2^23 vertices per node, 16 edges per vertex",
             f"Graph500's, 2^{data['scale_a_rank']} vertices per rank, {data['edge_factor']} edges per vertex"),
            ("ranks", "2^(2n+1), on up to 64 nodes: 2 per node on 2^(2n) nodes, 4 on 2^(2n+1)", ", ".join(map(str, ranks))),
            ("per rank", "8 cores and 2 GPUs if 2 ranks share a node, 4 cores and 1 GPU if 4 do; one thread per core",
             f"{between([search['threads'] for search in facts])} threads{own_gpu}"),
            ("partition", "2D; on P ranks a block holds 1/sqrt(2P) of a vertex's edges on average; if a rank has two GPUs, each holds a block",
             "rows x columns: " + ", ".join(dict.fromkeys(search["grid"] for search in facts))),
            ("directions", "alpha 10, beta 14", directions(data["runs"])),
            ("CPU + GPU", "CPU : GPU = 1 : 3, the best of 0 : 1, 1 : 3 and 1 : 1",
             f"the CPU takes {', '.join(shares)} of a rank's edges" if shares else "-"),
            ("figures", "medians of 64 random sources", f"medians of {data['keys']} random keys"),
            ("whole search (figure 9)",
             "with GPUs faster than CPU only; CPU + GPU faster than GPU only on some numbers of nodes, slower on others",
             compared("gteps", ("gpu", "cpu"), ("split", "cpu"), ("split", "gpu"))),
            ("computation (figure 10)", "with GPUs about 1.4 to 3.3 times as fast as CPU only",
             compared("computation_seconds", ("gpu", "cpu"), ("split", "cpu"))),
            ("communication of CPU + GPU (figure 12)", "grows about linearly with the nodes", ", ".join(messages) or "-")]
    return ["| | the paper | here |", "|---|---|---|", *(f"| {' | '.join(row)} |" for row in rows)]


def between(values):
    if not values:
        return "-"
    least, most = rounded(min(values)), rounded(max(values))
    return least if least == most else f"{least} to {most}"


def directions(runs):
    """The limits at which searches change their direction, first of host-driven searches, then of
    on-GPU searches."""
    by_kind = {"": [run["search"] for run in runs if run["engine"] != "resident"],
               f"{ENGINES['resident']}: ": [run["search"] for run in runs if run["engine"] == "resident"]}
    return "; ".join(f"{kind}alpha {between([search['alpha'] for search in found])}, beta {between([search['beta'] for search in found])}"
                     for kind, found in by_kind.items() if found) or "-"


MAKERS = {
    "table": side_by_side,
    "graph500": graph500,
    "scaling": scaling,
    "levels": levels,
    "steps": steps,
    "runs": runs,
    "large diameter": large_diameter,
    "grid": grid_runs,
    "profile": profile,
    "memory": memory,
    "shared_memory": shared_memory,
    "figures": figures,
    **cluster_tables.MAKERS,
    **model_tables.MAKERS,
    **shortest_path_tables.MAKERS,
    **all_pairs_tables.MAKERS,
    **python_tables.MAKERS,
    **comparison_tables.MAKERS,
}


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
