"""Tables of jobs over several hosts, for bench/tables.py."""
import collections
import re
import statistics

from shortest_path_tables import load, rounded, spread


def links(name):
    """Searches over hosts with fast and slow links (bench/slow_links.py), one row for each grid."""
    data = load(name)
    runs = {(run["link"], run["hosts"], run["grid"], run["overlap"]): run["gteps"] for run in data["runs"]}
    ways = list(dict.fromkeys(run[1:] for run in runs))
    lines = [f"| hosts | grid | {' | '.join(data['links'])} |", "|---" * (len(data["links"]) + 2) + "|"]
    for hosts, grid, overlap in ways:
        first = next(way for way in ways if way[0] == hosts)
        cells = []
        for link in data["links"]:
            values = runs[link, hosts, grid, overlap]
            ratios = [a / b for a, b in zip(values, runs[link, *first])]
            compared = "" if (hosts, grid, overlap) == first else f"<br>÷ {first[1]}: {spread(ratios)}"
            cells.append(spread(values) + compared)
        lines.append(f"| {hosts} | {grid}{'' if overlap == 'auto' else ', overlap ' + overlap} | {' | '.join(cells)} |")
    machine, loads = data["machine"], data["load_average"]
    lines.append(f"\nGTEPS: median (min to max). {data['rounds']} rounds in turn, `{data['command']}`, {data['date']}, commit {data['commit']}, {machine['cpu']}, "
                 f"{machine['cores']} cores of a shared machine with a load average of {rounded(loads[0])} to {rounded(loads[1])}.")
    return "\n".join(lines)


def counted(values, separator):
    """Values and how often each occurs, the most frequent first: '137 (30), 3 (2)'; without the
    number if there is only one."""
    counts = collections.Counter(values).most_common()
    return separator.join(value if len(counts) == 1 else f"{value} ({count})" for value, count in counts)


def without_names(message):
    """A message of the program or of mpirun with letters in place of the numbers of ranks and
    processes and of the names of hosts."""
    for pattern, put in ((r"^wayfront: error: | \(rank \d+\)$", ""), (r" \(\d+ ranks, from rank \d+\)| \(rank \d+\)", ""), (r"\bh\d+", "H"),
                         (r"(?<=rank )\d+|(?<=process )\d+|(?<=PID )\d+", "N"), (r"\[\[\d+,0\],\d+\]", "N"), (r" \(rank N on H\)$", "")):
        message = re.sub(pattern, put, message)
    return message


def code_in_a_shell(code):
    """The exit code of a program, or 128 + N if signal N ended it."""
    return str(128 - code if code < 0 else code)


def faults(name):
    """How jobs ended after faults (tests/hosts/random_faults.py), one row for each fault."""
    data = load(name)
    jobs = collections.defaultdict(list)
    for run in data["runs"]:
        jobs[run["fault"]].append(run)
    lines = ["| fault | jobs | seconds until the end: median (max) | exit codes | messages |", "|---" * 5 + "|"]
    for fault, of_fault in jobs.items():
        ended = [run for run in of_fault if run["code"] != 0 and not run["wrong"]]
        seconds = [run["seconds"] for run in ended]
        lines.append(f"| {fault} | {len(of_fault)} | {statistics.median(seconds):.1f} ({max(seconds):.1f}) "
                     f"| {counted((code_in_a_shell(run['code']) for run in ended), ', ')} "
                     f"| {counted((without_names(run['message']) for run in ended), '<br>')} |")
    wrong = [run for run in data["runs"] if run["wrong"]]
    found = "; ".join(f"{run['fault']} after {run['at_seconds']:.1f} s: {run['wrong']}" for run in wrong)
    lines.append(f"\n{len(data['runs'])} jobs; hangs, processes left, parts of files and wrong files: {found or 'none'}. `{data['command']}`, {data['date']}, "
                 f"commit {data['commit']}, {data['machine']['cores']} cores of a busy machine.")
    return "\n".join(lines)


MAKERS = {"links": links, "faults": faults}
