"""Tables of the model of clusters, for bench/tables.py; bench/scale_out.py, plan_check.py and network_contention.py write their files."""
import math
import statistics

from shortest_path_tables import load, rounded, spread

GIGA = 1e9
PARTS = (("work", "work_seconds"), ("results", "result_seconds"), ("latency", "latency_seconds"), ("inside hosts", "inside_hosts_seconds"),
         ("between hosts", "between_hosts_seconds"))


def signed_percent(ratio):
    return f"{100 * (ratio - 1):+.0f}%"


def check(name):
    """Plans beside measurements, one row for each."""
    data = load(name)
    lines = ["| kernel | scale | GPUs | transport | measured | planned | time | memory | construction: time | memory |", "|---" * 10 + "|"]
    for run in data["runs"]:
        planned = run["planned"]["seconds"]
        differences = (planned / run["measured_seconds"], run["planned_bytes"] / run["measured_bytes"],
                       run["planned_construction_seconds"] / run["measured_construction_seconds"],
                       run["planned_construction_bytes"] / run["measured_construction_bytes"])
        kernel = {"bfs": "BFS", "sssp": "shortest paths"}[run["kernel"]]
        lines.append(f"| {kernel} | {run['scale']} | {run['gpus']} | {run['transport']} | {1e3 * run['measured_seconds']:.2f} ms | {1e3 * planned:.2f} ms | "
                     + " | ".join(map(signed_percent, differences)) + " |")
    lines.append(f"\nMean time of a search; then the differences of the plan in this time, in graph and search state on a GPU, and in time and memory of "
                 f"construction. Plans of {data['date']}, commit {data['commit']}.")
    return "\n".join(lines)


def cores(name):
    """Searches over hosts with slow links, one row for each link and grid."""
    data = load(name)
    lines = ["| link | hosts | grid | planned | measured | time |", "|---" * 6 + "|"]
    for run in data["runs"]:
        planned, measured = run["planned"]["seconds"], run["measured_seconds"]
        lines.append(f"| {run['delay_us']} µs, {run['mbit']} Mbit/s | {run['hosts']} | {run['grid']} | {1e3 * planned:.1f} ms "
                     f"| {spread([1e3 * seconds for seconds in measured])} ms | {signed_percent(planned / statistics.median(measured))} |")
    loads, machine = data["load_average"], data["machine"]
    lines.append(f"\nMean time of a search of scale {data['scale']}, planned before it was measured: median (min to max) of {data['rounds']} {'run' if data['rounds'] == 1 else 'runs'} of 64 searches; the "
                 f"difference of the plan. Cores take {rounded(data['processor_factor'])} times as long as the model's. {data['date']}, commit {data['commit']}, {machine['cpu']}, {machine['cores']} cores, load average "
                 f"{rounded(loads[0])} to {rounded(loads[1])}.")
    return "\n".join(lines)


def cores_memory(name):
    """The memory of construction on cores, one row for each grid."""
    data = load(name)
    lines = ["| scale | grid | measured | planned | |", "|---" * 5 + "|"]
    for run in data["memory"]:
        lines.append(f"| {run['scale']} | {run['grid']} | {run['measured_bytes'] / 2**20:.0f} MiB | {run['planned_bytes'] / 2**20:.0f} MiB "
                     f"| {signed_percent(run['planned_bytes'] / run['measured_bytes'])} |")
    lines.append(f"\nThe peak of construction of all ranks, without the input. {data['date']}, commit {data['commit']}.")
    return "\n".join(lines)


def name_of(design):
    hubs = design.get("hubs")
    return f"2^{math.log2(hubs):.0f} hubs" if hubs else design["grid"]


def rate(plan, search, seconds="seconds"):
    """GTEPS a rank."""
    return plan["graph"]["edges"] / search[seconds] / GIGA / plan["cluster"]["ranks"]


def best_of(plan, scheme, one_dimensional=False):
    return next((design for design in plan["designs"] if design["scheme"] == scheme and design["grid"].endswith("x1") == (one_dimensional or scheme == "1.5D")), None)


def scaling_table(plans):
    rows = (("1D", "2D", True), ("2D", "2D", False), ("2D, blocks in turn", "rotation", False), ("1.5D", "1.5D", False))
    lines = ["| GPUs | graph | " + " | ".join(title for title, *_ in rows) + " |", "|---" * (len(rows) + 2) + "|"]
    for plan in plans:
        cells = []
        for _, scheme, one_dimensional in rows:
            design = best_of(plan, scheme, one_dimensional)
            search = design["search"]
            cells.append(f"{rounded(rate(plan, search))} ({rounded(rate(plan, search, 'most_seconds'))} to {rounded(rate(plan, search, 'least_seconds'))})"
                         f"<br>{name_of(design)}")
        lines.append(f"| {plan['cluster']['ranks']:.0f} | `{plan['graph']['name']}` | {' | '.join(cells)} |")
    return lines


def scale_out(name):
    """GTEPS a GPU of each partition, for each network: with as many vertices on each GPU, and of one graph."""
    data = load(name)
    lines = []
    for run in data["runs"]:
        lines += [f"\n**{run['weak'][0]['cluster']['network']}**, 2^28 vertices on each GPU:\n", *scaling_table(run["weak"]), "\nThe same graph on more GPUs:\n",
                  *scaling_table(run["strong"])]
    lines.append(f"\nGTEPS for each H100: mean (least to most that the uncertainties leave open), and the best grid or number of hubs. Plans of {data['date']}, "
                 f"commit {data['commit']}.")
    return "\n".join(lines).lstrip("\n")


def parts(name):
    """Where the time of 1.5D searches goes."""
    data = load(name)
    lines = ["| network | GPUs | hubs | whole | " + " | ".join(title for title, _ in PARTS) + " | steps | limited by | memory |", "|---" * (len(PARTS) + 7) + "|"]
    for run in data["runs"]:
        for plan in run["weak"]:
            design = best_of(plan, "1.5D")
            search = design["search"]
            lines.append(f"| {run['network']} | {plan['cluster']['ranks']:.0f} | {name_of(design)} | {1e3 * search['seconds']:.1f} ms | "
                         + " | ".join(f"{1e3 * search[key]:.2f}" for _, key in PARTS) + f" | {search['steps']:.0f} | {search['limit']} | {design['rank_bytes'] / GIGA:.0f} GB |")
    lines.append("\nMilliseconds of a search of a graph with 2^28 vertices on each GPU.")
    return "\n".join(lines)


TOPOLOGIES = {"fat-tree": "fat tree", "fat-tree-2": "fat tree, 2:1", "dragonfly": "dragonfly"}


def milliseconds(seconds):
    return f"{rounded(1e3 * seconds)} ms"


def beside_plan(planned, simulated):
    """A simulated time, and its ratio to the planned one."""
    return f"{milliseconds(simulated)} ({simulated / planned:.2f})"


def replay_on(run, topology):
    return next((replay for replay in run["replays"] if replay["topology"] == topology), None)


def seconds_in_rank_order(replay):
    """The time of all messages if none of the algorithms knows the network."""
    return sum(step["count"] * min(seconds for algorithm, seconds in step["seconds_by_algorithm"].items() if "spread" not in algorithm and "far first" not in algorithm)
               for step in replay["steps"])


def of_search(planned, replay):
    """The time of all messages of a search, and of usual algorithms if they take longer."""
    best, usual = replay["simulated_seconds"], seconds_in_rank_order(replay)
    return beside_plan(planned, best) + (f"<br>in rank order {usual / planned:.2f}" if usual > 1.01 * best else "")


def contention(name):
    """Planned and simulated times of all messages of a search, a table for each network."""
    data = load(name)
    lines = []
    for network in dict.fromkeys(run["network"] for run in data["runs"]):
        runs = [run for run in data["runs"] if run["network"] == network]
        topologies = [topology for topology in TOPOLOGIES if replay_on(runs[0], topology)]
        lines += [f"\n`{network}`:\n", "| GPUs | partition | search | its messages | " + " | ".join(TOPOLOGIES[each] for each in topologies) + " |",
                  "|---" * (4 + len(topologies)) + "|"]
        for run in runs:
            planned = run["replays"][0]["planned_seconds"]
            cells = [of_search(planned, replay_on(run, each)) for each in topologies]
            lines.append(f"| {run['gpus']} | {run['scheme']}, {name_of(run)} | {milliseconds(run['search_seconds'])} | {milliseconds(planned)} | {' | '.join(cells)} |")
    wall = sum(replay["wall_seconds"] for run in data["runs"] for replay in run["replays"])
    lines.append(f"\nA typical search of a graph with 2^28 vertices on each GPU; its messages as planned, without the time of a level that does not depend on links; "
                 f"then as simulated, and the ratio to the plan; the ratio with algorithms that go by the numbers of ranks, if it is larger. SimGrid {data['runs'][0]['replays'][0]['simgrid']}, {wall / 60:.0f} minutes in all; plans of {data['date']}, "
                 f"commit {data['commit']}.")
    return "\n".join(lines).lstrip("\n")


def contention_steps(name):
    """The longest step of each kind on the largest cluster, with the algorithm that is the fastest on each topology."""
    data = load(name)
    most = max(run["gpus"] for run in data["runs"])
    runs = [run for run in data["runs"] if run["gpus"] == most]
    lines = ["| partition | step | a GPU receives | planned | " + " | ".join(TOPOLOGIES.values()) + " |", "|---" * (4 + len(TOPOLOGIES)) + "|"]
    for run in runs:
        steps = run["replays"][0]["steps"]
        for kind in dict.fromkeys((step["collective"], step["group"]) for step in steps):
            longest = max((i for i, step in enumerate(steps) if (step["collective"], step["group"]) == kind), key=lambda i: steps[i]["planned_seconds"])
            planned = steps[longest]
            cells = []
            for topology in TOPOLOGIES:
                step = replay_on(run, topology)["steps"][longest]
                cells.append(f"{beside_plan(planned['planned_seconds'], step['simulated_seconds'])}<br>{next(iter(step['seconds_by_algorithm']))}")
            lines.append(f"| {run['scheme']} | {kind[0]}, {kind[1]} | {rounded(planned['received_bytes'] / 1e6)} MB | {milliseconds(planned['planned_seconds'])} | {' | '.join(cells)} |")
    lines.append(f"\nThe longest step of each kind on {most} GPUs, and its fastest algorithm.")
    return "\n".join(lines)


MAKERS = {"model-check": check, "model-cores": cores, "model-cores-memory": cores_memory, "scale-out": scale_out, "scale-out-parts": parts,
          "contention": contention, "contention-steps": contention_steps}
