"""The tables of docs/python.md from bench/results/python-*.json (bench/python_package.py)."""
import json
import pathlib
import statistics

from shortest_path_tables import spread, table

RESULTS = pathlib.Path(__file__).resolve().parent / "results"


def ratios(of, to):
    """Round by round: how many times as long `of` took."""
    return spread([one / other for one, other in zip(of, to)])


def python_package(name):
    data = json.loads((RESULTS / name).read_text(encoding="utf-8"))
    lines = ["| graph | work | wayfront | wayfront, prepared | SciPy | SciPy ÷ wayfront | SciPy ÷ prepared |", "|---|---|---|---|---|---|---|"]
    for run in data["runs"]:
        taken = run["ms"]
        medians = [f"{statistics.median(taken[who]):.3g}" for who in ("wayfront", "prepared", "scipy")]
        lines.append(" | ".join(["| " + run["graph"], run["work"], *medians, ratios(taken["scipy"], taken["wayfront"]),
                                 ratios(taken["scipy"], taken["prepared"]) + " |"]))
    machine = data["machine"]
    lines.append(f"""
Milliseconds of `dijkstra`, medians; of ratios, round by round, the median, with the smallest and the largest; {data["threads"]} threads, on a machine
that other programs used, too. SciPy {data["scipy"]} uses one thread. `{data["command"].replace("wayfront", "LIBRARY_BFS")}`, {data["date"]}, commit
{data["commit"]}, {machine["cpu"]}, {machine["cores"]} cores.""")
    return "\n".join(lines)


def python_searches(name):
    data = json.loads((RESULTS / name).read_text(encoding="utf-8"))
    machine = data["machine"]
    rows = []
    for run in data["runs"]:
        python, library = run["ms"]["python"], run["ms"]["library"]
        rows.append([f"`{run['graph']}`", *(f"{statistics.median(times):.3g}" for times in (python, library)), ratios(python, library)])
    return f"""{table(["graph", "from Python", "from C++", "Python ÷ C++"], rows)}

Milliseconds of a call: the median of {data["searches"]} searches, and of {data["rounds"]} rounds in turn; of ratios, round by round, the median, with the
smallest and the largest; {data["threads"]} threads, nothing else running. `{data["command"]}`, {data["date"]}, commit {data["commit"]}, {machine["cpu"]}, {machine["cores"]} cores."""


def python_libraries(name):
    """Least times, since other programs only make one slower."""
    data = json.loads((RESULTS / name).read_text(encoding="utf-8"))
    versions, machine = data["versions"], data["machine"]
    others = [library for library in versions if library != "wayfront"]
    rows = []
    for run in data["runs"]:
        least, whole = ({library: min(times) for library, times in run[kind].items()} for kind in ("ms", "whole_ms"))

        def cell(library, least=least, whole=whole, share=run["share"]):
            star = "*" if share < 1 and library != "wayfront" else ""
            return f"{least[library]:.3g} ({whole[library]:.3g}){star}" if library in least else ""

        fastest = [f"{min(time for library, time in times.items() if library != 'wayfront') / times['wayfront']:.2g}" for times in (least, whole)]
        rows.append([run["graph"], run["work"], *map(cell, ("wayfront", *others)), f"{fastest[0]} ({fastest[1]})"])
    head = ["graph", "work", "wayfront", *others, "fastest of the others ÷ wayfront"]
    named = ", ".join(f"{library} {version}" for library, version in versions.items())
    return f"""{table(head, rows)}

Milliseconds in a graph that is converted and prepared, and in parentheses with the conversion; the least of five times (networkx and rustworkx: of
one; *: of two times for 256 random vertices, times the vertices ÷ 256); {data["threads"]} threads, on a machine that other programs used, too. {named}.
`{data["command"].replace("wayfront", "FOLDER")}`, {data["date"]}, commit {data["commit"]}, {machine["cpu"]}, {machine["cores"]} cores."""


NETWORKX = ("networkx", "wayfront", "converted")


def python_networkx(name):
    data = json.loads((RESULTS / name).read_text(encoding="utf-8"))
    rows = []
    for run in data["runs"]:
        taken = run["ms"]
        star = "*" if run["networkx_share"] < 1 else ""
        rows.append([run["graph"], run["work"], *(f"{statistics.median(taken[who]):.3g}{star if who == 'networkx' else ''}" for who in NETWORKX),
                     ratios(taken["networkx"], taken["wayfront"]), ratios(taken["networkx"], taken["converted"])])
    head = ["graph", "work", "NetworkX", "wayfront with conversion", "wayfront", "NetworkX ÷ with conversion", "NetworkX ÷ wayfront"]
    machine = data["machine"]
    return f"""{table(head, rows)}

Milliseconds, medians; of ratios, round by round, the median, with the smallest and the largest; {data["threads"]} threads, on a machine that other
programs used, too. NetworkX {data["networkx"]} uses one thread. * Its loop for 8 random nodes, times the nodes ÷ 8. `{data["command"]}`,
{data["date"]}, commit {data["commit"]}, {machine["cpu"]}, {machine["cores"]} cores."""


def python_networkx_sizes(name):
    data = json.loads((RESULTS / name).read_text(encoding="utf-8"))
    sizes = [100, 1000, 10000]
    fastest = {(run["work"], run["nodes"]): "; ".join(f"{min(run['ms'][who]):.3g}" for who in NETWORKX) for run in data["runs"]}
    works = dict.fromkeys(run["work"] for run in data["runs"])
    rows = [[work, *(fastest.get((work, nodes), "") for nodes in sizes)] for work in works]
    return f"""{table(["work", *(f"{nodes} nodes" for nodes in sizes)], rows)}

Milliseconds of NetworkX, of wayfront with the conversion, and of wayfront with a converted graph, the fastest of three; random graphs with 5 edges a
node. `{data["command"]}`, {data["date"]}, commit {data["commit"]}, {data["machine"]["cpu"]}, {data["machine"]["cores"]} cores."""


MAKERS = {"python libraries": python_libraries, "python package": python_package, "python searches": python_searches, "python networkx": python_networkx,
          "python networkx sizes": python_networkx_sizes}
