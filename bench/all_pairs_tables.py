"""The tables of docs/apsp.md, for bench/tables.py."""
import statistics

from shortest_path_tables import load, origin, rounded, table


def beside(ours, papers):
    """Our figure and the paper's; a dash if one is missing."""
    return f"{'–' if ours is None else rounded(ours)} / {'–' if papers is None else f'{papers:.7g}'}"


def first_origin(data):
    """The origin of a file without the parts that were measured again later."""
    return origin({**data, **{key: data[key].split(";")[0].split(",")[0] for key in ("date", "commit")}})


# Okuyama, Ino and Hagihara (2008), GeForce 8800 GTX, milliseconds. Table 1, by 2^10 to 2^15 vertices.
METHODS = {"iterated": "iterated", "batched": "batched", "batched_unshared": "batched-unshared", "floyd_warshall": "floyd-warshall"}
PAPER_RANDOM = {
    "iterated": [827, 1813, 4316, 10117, 27506, 75300],
    "batched": [44, 125, 407, 1400, 5478, 21437],
    "batched_unshared": [54, 164, 583, 2147, 8634, 34408],
    "floyd_warshall": [131, 629, 3863, 27804, None, None],
}
# Table 2, which has seconds with one decimal. Without shared memory, the paper has no figures.
PAPER_SHAPES = {
    "random": {"iterated": 5900, "batched": 600, "floyd_warshall": 5400},
    "R-MAT": {"iterated": 10300, "batched": 1000, "floyd_warshall": 3200},
    "ring": {"iterated": 1150800, "batched": 67800, "floyd_warshall": 3800},
    "complete": {"iterated": 1446300, "batched": 8900, "floyd_warshall": 10200},
}


def batched(names):
    """Table 1 of the paper: random graphs by size. The second file has newer times of `combined`."""
    papers, newer = (load(name) for name in names.split())
    combined = {row["vertices"]: row["combined"] for row in newer["combined_rows"]}
    rows = []
    for row in papers["batched_searches"]["table_1"]:
        n = row["vertices"]
        index = n.bit_length() - 11
        own = combined[n]
        rows.append([str(n), *(beside(row[method]["ms"], PAPER_RANDOM[method][index]) for method in METHODS), rounded(row["block"]["ms"]),
                     f"{rounded(own['ms'])} ({rounded(own['planning_on_the_cpu_alone_ms'])})"])
    head = ["n", *(f"`{name}`" for name in METHODS.values()), "`block`", "`combined`"]
    return f"{table(head, rows)}\n\nMilliseconds, ours / the paper's; {first_origin(papers)}; `combined`: {first_origin(newer)}."


def batched_cases(name, part, first, title):
    """Rows of a part of the file, without figures of the paper. `first` returns the first cell."""
    data = load(name)
    rows = []
    for row in data["batched_searches"][part]:
        phases = " / ".join(f"{row[method]['phases_a_batch']:.1f}" for method in ("iterated", "batched"))
        rows.append([first(row), *(rounded(row[method]["ms"]) for method in METHODS), rounded(row["block"]["ms"]), phases])
    head = [title, *(f"`{name}`" for name in METHODS.values()), "`block`", "phases of `iterated` / `batched`"]
    return f"{table(head, rows)}\n\nMilliseconds; {first_origin(data)}."


def batched_densities(name):
    """Figure 5 of the paper: by the number of edges."""
    return batched_cases(name, "figure_5", lambda row: str(row["edges"]), "edges")


def batched_weights(name):
    """Figure 6 of the paper: by the largest weight."""
    return batched_cases(name, "figure_6", lambda row: str(row["largest_weight"]), "largest weight")


def batched_shapes(name):
    """Table 2 of the paper: graphs of several shapes."""
    data = load(name)
    rows, few = [], []
    for row in data["batched_searches"]["table_2"]:
        shape, n = row["graph"], row["vertices"]
        rows.append([f"{shape}, {row['edges']} edges", *(beside(row[method]["ms"], PAPER_SHAPES[shape].get(method)) for method in METHODS),
                     rounded(row["block"]["ms"])])
        few.extend(f"{row[method]['measured_sources']} (`{METHODS[method]}`, {shape})" for method in METHODS
                   if row[method].get("measured_sources", n) < n)
    sources = f" Scaled up from fewer sources: {', '.join(few)}." if few else ""
    head = ["graph", *(f"`{name}`" for name in METHODS.values()), "`block`"]
    return f"{table(head, rows)}\n\nMilliseconds, ours / the paper's; {first_origin(data)}.{sources}"


# Takafuji, Nakano and Ito (2019), Tesla V100, milliseconds: three kernels a step, and one kernel.
# Table I, by 2^6 to 2^15 vertices, at the best number of threads.
PAPER_ONE_MATRIX = {
    "steps_of_32": [0.0441, 0.0795, 0.159, 0.401, 1.39, 7.33, 51.8, 400, 3149, 25674],
    "tasks_of_32": [0.0388, 0.0737, 0.146, 0.388, 1.36, 7.04, 48.3, 378, 3020, 24897],
}
# Table II, by the number of matrices, then by 2^6 to 2^10 vertices.
PAPER_MANY = {
    "steps_of_32": {
        4: [0.0406, 0.0837, 0.209, 0.720, 3.90], 8: [0.0470, 0.1041, 0.313, 1.21, 7.11], 16: [0.0527, 0.136, 0.456, 2.05, 13.5],
        32: [0.0625, 0.191, 0.728, 3.73, 26.4], 64: [0.0838, 0.260, 1.11, 7.11, 52.0], 128: [0.104, 0.391, 2.05, 13.9, 103],
        256: [0.148, 0.632, 3.92, 27.4, 206], 512: [0.225, 1.15, 7.64, 54.5, 411], 1024: [0.409, 2.19, 15.1, 109, 822],
        2048: [0.682, 4.24, 29.9, 217, 1643],
    },
    "tasks_of_32": {
        4: [0.0394, 0.0777, 0.211, 0.654, 3.54], 8: [0.0437, 0.0959, 0.227, 1.04, 6.58], 16: [0.0465, 0.104, 0.360, 1.84, 12.7],
        32: [0.0525, 0.124, 0.552, 3.46, 25.2], 64: [0.0601, 0.181, 1.00, 6.75, 50.2], 128: [0.080, 0.303, 1.91, 13.4, 100],
        256: [0.107, 0.567, 3.74, 26.7, 200], 512: [0.198, 1.09, 7.43, 53.2, 401], 1024: [0.349, 2.15, 14.8, 106, 802],
        2048: [0.644, 4.27, 29.5, 213, 1603],
    },
}
FORMS = {"steps_of_32": "three kernels", "tasks_of_32": "one kernel"}


def one_matrix(name):
    """Table I of the paper, and our own kernels."""
    data = load(name)
    rows = []
    for row in data["blocked_floyd_warshall"]["table_1"]:
        index = row["n"].bit_length() - 7
        rows.append([str(row["n"]), *(beside(min(row[form].values()), PAPER_ONE_MATRIX[form][index]) for form in FORMS),
                     *(rounded(row[type]) for type in ("automatic", "int32", "uint16"))])
    head = ["n", *(f"tiles of 32, {form}" for form in FORMS.values()), "`floyd-warshall`, float32", "int32", "uint16"]
    return f"{table(head, rows)}\n\nMilliseconds, ours / the paper's; {origin(data)}."


def many_matrices(name):
    """Table II of the paper: many matrices of a size in one launch."""
    data = load(name)
    runs = {(run["matrices"], run["n"]): run for run in data["blocked_floyd_warshall"]["table_2"]}
    sizes = sorted({n for _, n in runs})
    rows = []
    for matrices in sorted({matrices for matrices, _ in runs}):
        found = [runs.get((matrices, n)) for n in sizes]
        for form, what in FORMS.items():
            cells = [beside(run and run[form], papers) for run, papers in zip(found, PAPER_MANY[form][matrices])]
            rows.append([str(matrices) if form == "steps_of_32" else "", f"tiles of 32, {what}", *cells])
        rows.append(["", "`floyd-warshall`", *(rounded(run["automatic"]) if run else "–" for run in found)])
    head = ["matrices", "", *(f"n = {n}" for n in sizes)]
    return f"{table(head, rows)}\n\nMilliseconds, ours / the paper's; {first_origin(data)}."


# Okuyama, Ino and Hagihara (2008), table 1, 2048 vertices on an Intel Core2 Extreme X6800, seconds.
# The words that the names of our results begin with.
PAPER_CORES = {"Dijkstra per source, n = 2048": "0.645, Dijkstra repeated", "Floyd-Warshall, n = 2048": "5.281, on two threads"}


def cores(name):
    """All pairs on the cores beside other programs, in one run (bench/all_pairs)."""
    data = load(name)
    rows = []
    for what, run in data["results"].items():
        paper = next((figure for begin, figure in PAPER_CORES.items() if what.startswith(begin)), "–")
        rows.append([what, rounded(run["wayfront_seconds"]), run["peer"], rounded(run["peer_seconds"]), rounded(run["ratio"]), paper])
    machine = data["machine"]
    commit = f"commit {data['commit']}" if "commit" in data else "the commit was not recorded"
    return (f"{table(['', 'wayfront, s', 'beside it', 's', 'times as long', 'paper, s'], rows)}\n\n"
            f"`{data['command']}`, {data['date']}, {commit}, {machine['cpu']}, {machine['cores']} cores. {data['note']}")


def two_gpus(name):
    """Jobs on one GPU and on two of the same host; the medians of runs in turn."""
    data = load(name)
    rows = []
    for run in data["runs"]:
        one, two = run["one_gpu"], run["two_gpus"]
        linear = sorted(50 * a / b for a, b in zip(one, two))
        ends = f" ({linear[0]:.0f} to {linear[-1]:.0f})" if len(linear) > 1 else ""
        rows.append([run["job"], *(f"{rounded(statistics.median(times))} {run['unit']}" for times in (one, two)), f"{statistics.median(linear):.0f}%{ends}",
                     f"`{run['command']}`, {run['commit']}"])
    head = ["job", "one GPU", "two GPUs", "of linear", "command (on two GPUs behind `mpirun -n 2`), commit"]
    return f"{table(head, rows)}\n\n{data['note']} {data['date']}, {data['machine']['gpus']}."


MAKERS = {
    "batched": batched,
    "batched-densities": batched_densities,
    "batched-weights": batched_weights,
    "batched-shapes": batched_shapes,
    "one-matrix": one_matrix,
    "many-matrices": many_matrices,
    "cores": cores,
    "two-gpus": two_gpus,
}
