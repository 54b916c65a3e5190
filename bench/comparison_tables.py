"""Tables of wayfront's own choice beside all of its methods (bench/regret.py), of programs before and after a change
of these choices, and of the GAP benchmark's rules (bench/gap.py)."""
import json
import pathlib
import statistics

from shortest_path_tables import rounded

RESULTS = pathlib.Path(__file__).resolve().parent / "results"


def load(name):
    return json.loads((RESULTS / name).read_text(encoding="utf-8"))


def machine_in_words(data):
    machine = data["machine"]
    gpus = f", {machine['gpus']}" if "gpus" in machine else ""
    return f"{data['date']}, commit {data['commit']}, {machine['cpu']}, {data['threads']} threads{gpus}"


WORKS = {"bfs": "BFS", "sssp": "SSSP", "apsp --summary --sources random:64": "64 rows", "apsp --summary": "all rows",
         "apsp --summary --weights unit": "all rows, no weights"}


def work_of(cell):
    words = cell["work"].partition(" --sources random:")[0] if cell["work"].startswith(("bfs", "sssp")) else cell["work"]
    return WORKS.get(words, words) + (", the whole command" if cell.get("choice") == "--engine auto" else "")


def method_of(cell):
    return cell["best"].replace("--engine ", "").replace("--algorithm ", "").replace("--direction ", "") or "auto"


def regret(name):
    """The cells in which auto is not within a tenth of the best method, the worst one first."""
    data = load(name)
    cells = sorted(data["cells"], key=lambda cell: -cell["regret"])
    worse = [cell for cell in cells if cell["regret"] >= 1.1]
    counts = ", ".join(f"{sum(cell['regret'] > limit for cell in cells)} above {limit}" for limit in (1.3, 1.1))
    lines = [f"{len(cells)} cells, {len({cell['graph'] for cell in cells})} graphs: regret {counts}; its median is "
             f"{statistics.median(cell['regret'] for cell in cells):.2f}.", "",
             "| graph | work | auto, ms | best method | its time, ms | regret |", "|---|---|---|---|---|---|"]
    lines.extend(f"| {cell['graph']} | {work_of(cell)} | {rounded(1e3 * cell['auto_seconds'])} | {method_of(cell)} | "
                 f"{rounded(1e3 * cell['best_seconds'])} | {cell['regret']:.2f} |" for cell in worse)
    lines += ["", machine_in_words(data) + "."]
    return "\n".join(lines)


def gap(name):
    data = load(name)
    programs = list(data["rows"][0]["seconds"])
    others = [program for program in programs if not program.startswith("wayfront")]
    lines = [f"| graph | kernel | {' | '.join(f'{program}, ms' for program in programs)} |" + "".join(f" {other} ÷ wayfront |" for other in others),
             "|---|---|" + "---|" * (len(programs) + len(others))]
    for row in data["rows"]:
        means = {program: [1e3 * statistics.mean(seconds) for seconds in rounds] for program, rounds in row["seconds"].items()}
        cells = [f"{rounded(statistics.median(values))} ({rounded(min(values))} to {rounded(max(values))})" for values in means.values()]
        for other in others:
            ratios = [theirs / own for theirs, own in zip(means[other], means["wayfront"])]
            cells.append(f"{rounded(statistics.median(ratios))} ({rounded(min(ratios))} to {rounded(max(ratios))})")
        kernel = {"bfs": "BFS", "sssp": f"SSSP, delta {row['delta']}" if "delta" in row else "SSSP"}[row["kernel"]]
        lines.append(f"| {row['graph']} | {kernel} | {' | '.join(cells)} |")
    rounds = len(next(iter(data["rows"][0]["seconds"].values())))
    lines += ["", f"Mean time of {data['searches']} searches: the {'median' if rounds > 2 else 'mean'} of {rounds} rounds in turn (min to max). {machine_in_words(data)}."]
    return "\n".join(lines)


def choices(name):
    """A command a line: its times before and after a change, and how each program searched if that differs."""
    data = load(name)
    lines = ["| command | before, ms | after, ms | searched before | and after |", "|---|---|---|---|---|"]
    for row in data["rows"]:
        times = [f"{rounded(statistics.median(row['ms'][side]))} ({rounded(min(row['ms'][side]))} to {rounded(max(row['ms'][side]))})" for side in ("old", "new")]
        says = [row["says"].get(side, "") for side in ("old", "new")]
        lines.append(f"| `{row['command']}` | {times[0]} | {times[1]} | {says[0] if says[0] != says[1] else ''} | {says[1] if says[0] != says[1] else ''} |")
    commits = data["commits"]
    lines += ["", f"{data['date']}, commits {commits['old']} and {commits['new']}, {data['machine']['gpus']}; two or three rounds in turn."]
    return "\n".join(lines)


MAKERS = {"regret": regret, "gap": gap, "choices": choices}
