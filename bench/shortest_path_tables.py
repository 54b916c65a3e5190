"""The tables of docs/sssp.md, for bench/tables.py."""
import json
import pathlib
import statistics

RESULTS = pathlib.Path(__file__).resolve().parent / "results"


def load(name):
    return json.loads((RESULTS / name).read_text(encoding="utf-8"))


def rounded(value):
    """The value with three digits, or more before the decimal point."""
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"


def spread(values):
    return f"{rounded(statistics.median(values))} ({rounded(min(values))} to {rounded(max(values))})"


def table(head, rows):
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *rows))


def origin(data):
    machine = data["machine"]
    where = machine if isinstance(machine, str) else machine.get("gpus", f"{machine.get('cpu')}, {machine['cores']} cores")
    return f"{data['date']}, commit {data['commit']}, {where}"


def kernel3(names):
    """Reports of graph500 --kernel sssp, one per row. If GPUs exchange messages in any, the table says how they do."""
    rows, commands = [], []
    reports = [load(name) for name in names.split()]
    transports = [data["report"]["search"].get("sssp_transport", data["report"]["search"]["transport"]) for data in reports]
    names_transports = any("stepped" in transport for transport in transports)
    for data, transport in zip(reports, transports):
        report, found = data["report"], data["report"]["sssp"]
        gteps = {key: found[f"{key}_teps"] * 1e-9 for key in ("harmonic_mean", "min", "median", "max")}
        validation = statistics.mean(search["validate_seconds"] for search in found["searches"])
        rows.append([str(report["scale"]), data["machine"]["gpus"], *([transport] if names_transports else []), f"{gteps['harmonic_mean']:.0f} ± {found['harmonic_stddev_teps'] * 1e-9:.1f}",
                     *(f"{gteps[key]:.0f}" for key in ("min", "median", "max")), f"{report['construction_seconds']:.2f}", f"{validation:.3f}"])
        commands.append(f"- `{data['command']}`: {len(found['searches'])} keys, {origin(data)}")
    return "\n".join([table(["scale", "GPUs", *(["transport"] if names_transports else []), "GTEPS: harmonic mean", "min", "median", "max", "kernel 1, s", "validation, s per search"], rows), "", *commands])


STEPS = {"rounds": "rounds", "window": "windows", "settle": "settle", "pull": "first pull", "pull again": "other pulls", "push again": "last pushes"}


def search_steps(name):
    """The time of each kind of step of searches on GPUs (bench/sssp_steps)."""
    data = load(name)
    rows = []
    for run in data["runs"]:
        inside = [run["steps"][step]["ms"] if step in run["steps"] else 0 for step in STEPS]
        cells = [*inside, run["search_ms"] - sum(inside), run["search_ms"]]
        rows.append([str(run["scale"]), str(run.get("gpus", 1)), str(run["searches"]), *(f"{ms:.2f}" for ms in cells),
                     *(f"{run[arcs] * 1e-6:.1f} M" for arcs in ("relaxed_arcs", "pulled_arcs"))])
    head = ["scale", "GPUs", "keys", *STEPS.values(), "results", "whole search", "arcs pushed", "arcs pulled"]
    return f"{table(head, rows)}\n\nMilliseconds, means over the keys; `{data['command']}`, {origin(data)}."


# Tables of Zhang, Qian, Wang, Chen and Tian (2019), by the number of vertices, on a GTX 1080, or a TITAN V, and an Intel Xeon E5-2620 v4. Table 3:
# before and after memory accesses were optimised, which is a tile of the matrix in shared memory by formula (2), or, with 8192 vertices, threads by
# formula (1). Tables 8 and 10 repeat the times of table 4.
PAPER_DENSE = {
    "3, before": {512: 4.64, 1024: 13.89, 2048: 29.07, 8192: 156.61},
    "3, after": {512: 2.72, 1024: 8.26, 2048: 36.43, 8192: 159.08},
    "4, GTX 1080": {512: 2.85, 1024: 4.58, 2048: 16.82, 8192: 112.62},
    "10, TITAN V": {512: 3.51, 1024: 3.62, 2048: 13.24, 8192: 97.87},
    "8, fixed order": {512: 3.7, 1024: 7.8, 2048: 38.2, 8192: 480.8},
    "8, traditional": {512: 28.6, 1024: 228.8, 2048: 1304.5, 8192: 32356.9},
}

# Each row: what is measured, our figure, the paper's tables, and their figures.
DENSE_ROWS = [
    ("all vertices in each pass, matrix in global memory", lambda run: run["table_3"]["matrix_in_global_memory_all_vertices_ms"], "3, before",
     ["3, before"]),
    ("all vertices, tiles by the formulas", lambda run: run["table_3"]["formulas_all_vertices_ms"], "3, after", ["3, after"]),
    ("changed vertices in fixed order", lambda run: run["table_4"]["fixed_order_ms"], "4, 8, 10: GTX 1080 / TITAN V", ["4, GTX 1080", "10, TITAN V"]),
    ("the same, with upload at once", lambda run: run["table_5"]["with_upload_at_once_ms"], "5: shares only", []),
    ("the same, with upload in streams", lambda run: run["table_5"]["with_upload_in_streams_ms"], "5: shares only", []),
    ("fixed order on one core of the CPU", lambda run: run["table_6_and_8"]["serial_fixed_order_on_the_cpu_ms"], "8, fixed order", ["8, fixed order"]),
    ("all vertices on the CPU, not measured here", None, "8, traditional", ["8, traditional"]),
]


def fixed_order(name):
    """Dense Bellman-Ford: ours, and beside each figure those of the paper's tables."""
    data = load(name)
    rows = []
    for what, of_run, label, papers in DENSE_ROWS:
        cells = []
        for run in data["dense"]:
            figures = [f"{PAPER_DENSE[paper][run['n']]:.7g}" for paper in papers if run["n"] in PAPER_DENSE[paper]]
            cells.append(" / ".join([rounded(of_run(run)) if of_run else "–", *figures]))
        rows.append([what, label, *cells])
    head = ["", "the paper's table", *(f"n = {run['n']}" for run in data["dense"])]
    return f"{table(head, rows)}\n\nMilliseconds, ours / the paper's; `{data['command']}`, {origin(data)}."


# Means over 1000 sources of the adaptive-thread paper, figure 7 and section 6, on a Tesla K20c.
PHASE_MODES = ("conventional", "selection", "adaptive")
PAPER_PHASES = {
    "the paper's main roads, 0.31 M vertices": ["no figure", "60", "the same as conventional"],
    "the paper's map, 1.43 M vertices": ["107", "251", "about 90 (18% better)"],
}
# Phases of figures 4 and 5: the first of searches from five sources, the others of 1000 sources.
PAPER_FEW_VERTICES = 10000
PAPER_TIMES_OF_PHASES = ["the paper's map", "all", "about 230", "a curve", "above 500000", "59%"]


def phase_times(data):
    """The time of the phases of one search, over those in the file (figure 6 of the paper)."""
    rows = []
    for graph in data["phases"]:
        for mode in PHASE_MODES:
            shown = graph["figure_6"][mode]
            few = sum(phase["vertices"] <= PAPER_FEW_VERTICES for phase in shown)
            rows.append([graph["graph"], mode, f"{graph['figure_7'][mode]['steps_of_first_source']} ({len(shown)})",
                         spread([phase["us"] for phase in shown]), str(max(phase["vertices"] for phase in shown)), f"{few / len(shown):.0%}"])
    return table(["figure 6", "", "phases", "µs a phase: median (min to max)", "most vertices in a phase", f"phases of at most {PAPER_FEW_VERTICES} vertices"],
                 [*rows, PAPER_TIMES_OF_PHASES])


def phases(name):
    """Searches by phases on roads: the paper's figures 6, 7 and 8, and near-far beside them."""
    data = load(name)
    rows, limits, best_limits, counts = [], [], [], []
    for graph in data["phases"]:
        best = min(graph["near_far"], key=lambda run: run["mean_ms"])
        rows.append([f"{graph['graph']}, {graph['vertices']} vertices",
                     *(f"{rounded(graph['figure_7'][mode]['mean_ms'])} ({graph['figure_7'][mode]['searches']})" for mode in PHASE_MODES),
                     f"{rounded(best['mean_ms'])} ({best['searches']}; windows of {best['window_of_mean_weights']:g})"])
        limits.append([graph["graph"], *(rounded(run["mean_ms"]) for run in graph["figure_8"])])
        best_limit = min(graph["figure_8"], key=lambda run: run["mean_ms"])
        best_limits.append(f"{best_limit['up_us']:g} µs for {graph['graph']} ({rounded(best_limit['mean_ms'])} ms)")
        counts.extend(run["searches"] for run in graph["figure_8"])
    rows.extend([f"{what}, Tesla K20c", *figures, ""] for what, figures in PAPER_PHASES.items())
    thresholds = [f"{run['up_us']:g}" for run in data["phases"][0]["figure_8"]]
    figure_8 = table(["adaptive, by the threshold above which it changes to all vertices, in µs", *thresholds], limits)
    return (f"{table(['figure 7', *PHASE_MODES, 'near-far'], rows)}\n\n{figure_8}\n\n"
            f"Figure 8: the best of these thresholds is {', '.join(best_limits)}. The paper's best is 350 µs, and with any threshold in a range of a good "
            f"800 µs its adaptive search takes less time than the 107 ms of conventional.\n\n{phase_times(data)}\n\n"
            f"Figures 7 and 8 in milliseconds per search (in brackets: searches, of 1000 sources; windows in mean weights; of each threshold, "
            f"{min(counts)} to {max(counts)} searches); figure 6: one search from the first source, in brackets the number of its phases that the row is of; `{data['command']}`, {origin(data)}. {data['note']}")


def arcs(name):
    """Arcs that searches on CPUs look at, in percent of all."""
    data = load(name)
    ways = list(dict.fromkeys((run["algorithm"], run["threads"]) for run in data["runs"]))
    cells = {(run["graph"], run["weights"], run["algorithm"], run["threads"]): run for run in data["runs"]}
    rows = []
    for graph, weights in dict.fromkeys((run["graph"], run["weights"]) for run in data["runs"]):
        found = [cells[graph, weights, *way] for way in ways]
        shares = [[100 * looked_at / run["arcs"] for looked_at in run["looked_at"]] for run in found]
        rows.append([f"`{graph}`", weights, str(found[0]["arcs"]), *(rounded(share[0]) if rounded(min(share)) == rounded(max(share)) else spread(share) for share in shares)])
    head = [f"{algorithm}, {threads} {'thread' if threads == 1 else 'threads'}" for algorithm, threads in ways]
    return (f"{table(['graph', 'weights', 'arcs', *head], rows)}\n\nPercent of all arcs, means of {data['sources']} sources; if they differ, the median of "
            f"{data['repeats']} runs, with the smallest and the largest; `{data['command']}`, {origin(data)}.")


def crossovers(name):
    """Times of push-pull and delta-stepping on CPUs."""
    data = load(name)
    rows = []
    for graph in dict.fromkeys(run["graph"] for run in data["runs"]):
        runs = [run for run in data["runs"] if run["graph"] == graph]
        degree = runs[0]["end_degree"]
        cells = []
        for run in runs:
            push_pull, delta = run["median_ms"]["push-pull"], run["median_ms"]["delta-stepping"]
            ratios = [one / other for one, other in zip(delta, push_pull)]
            cells.append(f"{rounded(statistics.median(push_pull))}, {rounded(statistics.median(delta))}: {spread(ratios)}")
        rows.append([f"`{graph}`", str(runs[0]["vertices"]), str(runs[0]["edges"]), "" if degree is None else rounded(degree), *cells])
    head = ["graph", "vertices", "edges", "end degree", "1 thread", "2 threads", "2 ranks of 1 thread"]
    return (f"{table(head, rows)}\n\nMilliseconds of push-pull, of delta-stepping, and how many times as long delta-stepping takes: medians of "
            f"{data['sources']} random sources, the two algorithms in turn; of {data['rounds']} rounds, the median (of the ratio also the smallest and the "
            f"largest); `{data['command']}`, {origin(data)}.")


MAKERS = {
    "kernel3": kernel3,
    "search-steps": search_steps,
    "fixed-order": fixed_order,
    "phases": phases,
    "arcs": arcs,
    "crossovers": crossovers,
}
