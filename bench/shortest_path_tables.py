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
    """Reports of graph500 --kernel sssp, one per row."""
    rows, commands = [], []
    for name in names.split():
        data = load(name)
        report, found = data["report"], data["report"]["sssp"]
        gteps = {key: found[f"{key}_teps"] * 1e-9 for key in ("harmonic_mean", "min", "median", "max")}
        validation = statistics.mean(search["validate_seconds"] for search in found["searches"])
        rows.append([str(report["scale"]), data["machine"]["gpus"], f"{gteps['harmonic_mean']:.0f} ± {found['harmonic_stddev_teps'] * 1e-9:.1f}",
                     *(f"{gteps[key]:.0f}" for key in ("min", "median", "max")), f"{report['construction_seconds']:.2f}", f"{validation:.3f}"])
        commands.append(f"- `{data['command']}`: {len(found['searches'])} keys, {origin(data)}")
    return "\n".join([table(["scale", "GPUs", "GTEPS: harmonic mean", "min", "median", "max", "kernel 1, s", "validation, s per search"], rows), "", *commands])


STEPS = {"rounds": "rounds", "window": "windows", "settle": "settle", "pull": "first pull", "pull again": "other pulls"}


def search_steps(name):
    """The time of each kind of step of searches on GPUs (bench/sssp_steps)."""
    data = load(name)
    rows = []
    for run in data["runs"]:
        inside = [run["steps"][step]["ms"] for step in STEPS]
        cells = [*inside, run["search_ms"] - sum(inside), run["search_ms"]]
        rows.append([str(run["scale"]), str(run.get("gpus", 1)), *(f"{ms:.2f}" for ms in cells),
                     *(f"{run[arcs] * 1e-6:.1f} M" for arcs in ("relaxed_arcs", "pulled_arcs"))])
    head = ["scale", "GPUs", *STEPS.values(), "results", "whole search", "arcs pushed", "arcs pulled"]
    return f"{table(head, rows)}\n\nMilliseconds, means of {data['runs'][0]['searches']} keys; `{data['command']}`, {origin(data)}."


# Tables of Zhang, Qian, Wang, Chen and Tian (2019), by the number of vertices. Table 3: before and after memory accesses were optimised, which is a tile
# of the matrix in shared memory by formula (2), or, with 8192 vertices, threads by formula (1). GTX 1080, but table 10, which is of a TITAN V.
PAPER_DENSE = {
    "table 3, before": {512: 4.64, 1024: 13.89, 2048: 29.07, 8192: 156.61},
    "table 3, after": {512: 2.72, 1024: 8.26, 2048: 36.43, 8192: 159.08},
    "table 4": {512: 2.85, 1024: 4.58, 2048: 16.82, 8192: 112.62},
    "table 6, 8": {512: 3.7, 1024: 7.8, 2048: 38.2, 8192: 480.8},
    "table 10": {512: 3.51, 1024: 3.62, 2048: 13.24, 8192: 97.87},
}


def fixed_order(name):
    """Dense Bellman-Ford: the tables of the paper, and ours beside each figure."""
    data = load(name)
    ours = {
        "table 3, before": ("all vertices in each pass, matrix in global memory", lambda run: run["table_3"]["matrix_in_global_memory_all_vertices_ms"]),
        "table 3, after": ("all vertices, tiles by the formulas", lambda run: run["table_3"]["formulas_all_vertices_ms"]),
        "table 4": ("changed vertices in fixed order", lambda run: run["table_4"]["fixed_order_ms"]),
        "table 5": ("the same, with upload at once", lambda run: run["table_5"]["with_upload_at_once_ms"]),
        "table 5, 10": ("the same, with upload in streams", lambda run: run["table_5"]["with_upload_in_streams_ms"]),
        "table 6, 8": ("fixed order on one core of the CPU", lambda run: run["table_6_and_8"]["serial_fixed_order_on_the_cpu_ms"]),
    }
    runs = {run["n"]: run for run in data["dense"]}
    rows = []
    for where, (what, of_run) in ours.items():
        paper = PAPER_DENSE["table 10" if where == "table 5, 10" else where] if where != "table 5" else {}
        rows.append([what, where, *(" / ".join([rounded(of_run(run)), *([f"{paper[n]:g}"] if n in paper else [])]) for n, run in runs.items())])
    head = ["", "paper's", *(f"n = {n}" for n in runs)]
    return f"{table(head, rows)}\n\nMilliseconds, ours / the paper's; `{data['command']}`, {origin(data)}."


# Means over 1000 sources of the adaptive-thread paper, figure 7, on a Tesla K20c.
PAPER_PHASES_MS = {"conventional": "107", "selection": "251", "adaptive": "about 90"}


def phases(name):
    """Searches by phases on roads: the paper's figures 7 and 8, and near-far beside them."""
    data = load(name)
    rows, limits = [], []
    for graph in data["phases"]:
        near_far = {run["window_of_mean_weights"]: run for run in graph["near_far"]}
        best = min(near_far.values(), key=lambda run: run["mean_ms"])
        methods = [graph["figure_7"][method] for method in PAPER_PHASES_MS]
        rows.append([f"{graph['graph']}, {graph['vertices']} vertices", *(f"{rounded(run['mean_ms'])} ({run['searches']})" for run in methods),
                     f"{rounded(best['mean_ms'])} ({best['searches']}; windows of {best['window_of_mean_weights']:g})"])
        limits.append([graph["graph"], *(rounded(run["mean_ms"]) for run in graph["figure_8"])])
    rows.append(["the paper's map, 1.43 M vertices, on a Tesla K20c", *PAPER_PHASES_MS.values(), ""])
    thresholds = [f"{run['up_us']:g}" for run in data["phases"][0]["figure_8"]]
    figure_8 = table(["adaptive, by the threshold above which it changes to all vertices, in µs", *thresholds], limits)
    return (f"{table(['', *PAPER_PHASES_MS, 'near-far'], rows)}\n\n{figure_8}\n\n"
            f"Milliseconds per search (in brackets: searches, of 1000 sources; windows in mean weights); `{data['command']}`, {origin(data)}. {data['note']}")


def arcs(name):
    """Arcs that searches on CPUs look at, in percent of all."""
    data = load(name)
    methods = list(dict.fromkeys(run["algorithm"] for run in data["runs"]))
    cells = {(run["graph"], run["weights"], run["algorithm"]): run for run in data["runs"]}
    rows = []
    for graph, weights in dict.fromkeys((run["graph"], run["weights"]) for run in data["runs"]):
        found = [cells.get((graph, weights, method)) for method in methods]
        total = next(run["arcs"] for run in found if run)
        rows.append([f"`{graph}`", weights, str(total), *(rounded(100 * run['looked_at'] / run['arcs']) if run else "" for run in found)])
    return f"{table(['graph', 'weights', 'arcs', *methods], rows)}\n\nPercent of all arcs, means of {data['sources']} sources; `{data['command']}`, {origin(data)}."


MAKERS = {
    "kernel3": kernel3,
    "search-steps": search_steps,
    "fixed-order": fixed_order,
    "phases": phases,
    "arcs": arcs,
}
