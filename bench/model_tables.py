"""Tables of the model of clusters, for bench/tables.py; bench/scale_out.py, plan_check.py and network_contention.py write their files."""
import math
import statistics

from shortest_path_tables import load, rounded, spread

GIGA = 1e9
PARTS = (("work", "work_seconds"), ("results", "result_seconds"), ("latency", "latency_seconds"), ("inside hosts", "inside_hosts_seconds"),
         ("between hosts", "between_hosts_seconds"))


def signed_percent(ratio):
    return f"{100 * (ratio - 1):+.0f}%"


def time_difference(run):
    return run["planned"]["seconds"] / run["measured_seconds"]


KERNELS = {"bfs": "BFS", "sssp": "shortest paths"}
PARTS_OF_CHECK = {"fitted": "fitted", "test": "test", "older": "older program"}


def check(name):
    """Plans beside measurements, one row for each."""
    data = load(name)
    lines = ["| kernel | scale | GPUs | transport | measured | | planned | time | memory | construction: time | memory |", "|---" * 11 + "|"]
    for run in data["runs"]:
        planned = run["planned"]["seconds"]
        differences = (time_difference(run), run["planned_bytes"] / run["measured_bytes"],
                       run["planned_construction_seconds"] / run["measured_construction_seconds"],
                       run["planned_construction_bytes"] / run["measured_construction_bytes"])
        lines.append(f"| {KERNELS[run['kernel']]} | {run['scale']} | {run['gpus']} x {run['gpu'].upper()} | {run['transport']} "
                     f"| {1e3 * run['measured_seconds']:.2f} ms | {PARTS_OF_CHECK[run['part']]}, {run['date']} | {1e3 * planned:.2f} ms | "
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
                 f"difference of the plan. Cores take {rounded(data['processor_factor'])} times as long as the model's. {data['date']}, commit {data['commit']}, {machine['cpu']}, {machine['cores']} cores, load "
                 f"average {rounded(loads[0])} to {rounded(loads[1])}.")
    return "\n".join(lines)


def cores_memory(name):
    """The memory of jobs on cores, one row for each kernel and grid."""
    data = load(name)
    lines = ["| kernel | scale | grid | construction: measured | planned | | searches: measured | planned | |", "|---" * 9 + "|"]
    for run in data["runs"]:
        cells = []
        for phase in ("construction", "searches"):
            measured, planned = run["measured_bytes"][phase], run["planned_bytes"][phase]
            cells.append(f"{measured / 2**20:.0f} MiB | {planned / 2**20:.0f} MiB | {signed_percent(planned / measured)}")
        lines.append(f"| {KERNELS[run['kernel']]} | {run['scale']} | {run['grid']} | {' | '.join(cells)} |")
    lines.append(f"\nAll ranks: the peak of construction, without the input; and, with the input, what is held while searches run. {data['date']}, "
                 f"commit {data['commit']}.")
    return "\n".join(lines)


def in_limit(ratios, limit):
    """The worst of some ratios of plan and measurement by name, and the names of those beyond the limit."""
    worst = max(ratios.values(), key=lambda ratio: abs(ratio - 1))
    missed = [f"{name} ({signed_percent(ratio)})" for name, ratio in ratios.items() if abs(ratio - 1) > limit]
    return f"| {len(ratios)} | {signed_percent(worst)} | {100 * limit:.0f}% | {'; '.join(missed) or 'none'} |"


def model_summary(names):
    """The model against measurements, one row for each check."""
    check_file, cores_file, memory_file, message_file = (load(name) for name in names.split())
    runs = check_file["runs"]

    def of_gpus(condition, ratio):
        names = (f"{KERNELS[run['kernel']]} {run['scale']}, {run['gpus']} x {run['gpu'].upper()}{', NCCL' if run['transport'].startswith('nccl') else ''}"
                 for run in runs)
        return {name: ratio(run) for name, run in zip(names, runs) if condition(run)}

    lines = ["| check | cases | worst | limit | cases that miss it |", "|---" * 5 + "|"]
    for kernel in ("bfs", "sssp"):
        of_kernel = [run for run in message_file["runs"] if run["kernel"] == kernel]
        wrong = [f"{run['graph']} on {run['grid']}" for run in of_kernel if not run["equal"]]
        ranks = [run["ranks"] for run in of_kernel]
        lines.append(f"| steps and bytes of {KERNELS[kernel]} on {min(ranks)} to {max(ranks)} ranks of cores | {len(of_kernel)} "
                     f"| {'different' if wrong else 'equal'} | equal | {'; '.join(wrong) or 'none'} |")
    for words, part in (("time on GPUs, records that a rate is fitted to", "fitted"), ("time on GPUs, other records of today's program", "test"),
                        ("time on GPUs, records of older programs, which took longer", "older")):
        lines.append(f"| {words} {in_limit(of_gpus(lambda run, part=part: run['part'] == part, time_difference), 0.15)}")
    slow = {f"{run['mbit']} Mbit/s, {run['grid']}": run["planned"]["seconds"] / statistics.median(run["measured_seconds"]) for run in cores_file["runs"]}
    lines.append(f"| time of BFS on cores over shaped links {in_limit(slow, 0.25)}")
    lines.append(f"| memory of GPUs: searches {in_limit(of_gpus(lambda run: True, lambda run: run['planned_bytes'] / run['measured_bytes']), 0.1)}")
    lines.append("| memory of GPUs: construction "
                 + in_limit(of_gpus(lambda run: True, lambda run: run["planned_construction_bytes"] / run["measured_construction_bytes"]), 0.1))
    for phase in ("construction", "searches"):
        of_cores = {f"{KERNELS[run['kernel']]} {run['scale']}, {run['grid']}": run["planned_bytes"][phase] / run["measured_bytes"][phase]
                    for run in memory_file["runs"]}
        lines.append(f"| memory of cores: {phase} {in_limit(of_cores, 0.1)}")
    return "\n".join(lines)


def name_of(design):
    hubs = design.get("hubs")
    if not hubs:
        return design["grid"]
    listed = f", 2^{math.log2(design['listed_hubs']):.0f} listed" if "listed_hubs" in design else ""
    return f"2^{math.log2(hubs):.0f} hubs{listed}"


def rate(plan, search, seconds="seconds"):
    """GTEPS a rank."""
    return plan["graph"]["edges"] / search[seconds] / GIGA / plan["cluster"]["ranks"]


def best_of(plan, scheme, one_dimensional=False):
    return next((design for design in plan["designs"] if design["scheme"] == scheme and design["grid"].endswith("x1") == (one_dimensional or scheme == "1.5D")), None)


H100_BYTES = 78 * 2**30
TOO_LARGE = " \\*"


def fits(design):
    return design["rank_bytes"] <= H100_BYTES


SCHEMES = (("1D", "2D", True), ("2D", "2D", False), ("2D, blocks in turn", "rotation", False), ("1.5D", "1.5D", False))


def scaling_table(plans, rows=SCHEMES):
    lines = ["| GPUs | graph | " + " | ".join(title for title, *_ in rows) + " |", "|---" * (len(rows) + 2) + "|"]
    for plan in plans:
        cells = []
        for _, scheme, one_dimensional in rows:
            design = best_of(plan, scheme, one_dimensional)
            search = design["search"]
            cells.append(f"{rounded(rate(plan, search))} ({rounded(rate(plan, search, 'most_seconds'))} to {rounded(rate(plan, search, 'least_seconds'))})"
                         f"<br>{name_of(design)}{'' if fits(design) else TOO_LARGE}")
        lines.append(f"| {plan['cluster']['ranks']:.0f} | `{plan['graph']['name']}` | {' | '.join(cells)} |")
    return lines


def paths_out(name):
    """GTEPS a GPU of searches for shortest paths, and the rounds of one."""
    data = load(name)
    lines = []
    for run in data["paths"]:
        lines += [f"**{run['weak'][0]['cluster']['network']}**, 2^27 vertices on each GPU:", "",
                  *scaling_table(run["weak"], [row for row in SCHEMES if row[1] != "rotation"]), ""]
    of_first = {plan["cluster"]["ranks"]: best_of(plan, "1.5D")["search"] for plan in data["paths"][0]["weak"]}
    few, many = min(of_first), max(of_first)
    lines.append(f"GTEPS for each H100, the best hubs or grid of each; in brackets what the uncertainty leaves open. \\*: does "
                 f"not fit the memory of an H100. A search in 1.5D has "
                 f"{of_first[few]['levels']:.0f} rounds on {few:.0f} GPUs and {of_first[many]['levels']:.0f} on {many:.0f}.")
    return "\n".join(lines)


def construction_out(name):
    """Seconds of construction: all tuples on each GPU, or exchanged."""
    data = load(name)
    lines = ["| GPUs | graph | " + " | ".join(f"{words}, {run['network']}" for run in data["runs"] for words in ("all tuples on each", "exchanged")) + " |",
             "|---" * (2 + 2 * len(data["runs"])) + "|"]
    for plans in zip(*(run["weak"] for run in data["runs"])):
        seconds = [best_of(plan, scheme)["construction_seconds"] for plan in plans for scheme in ("2D", "1.5D")]
        lines.append(f"| {plans[0]['cluster']['ranks']:.0f} | `{plans[0]['graph']['name']}` | {' | '.join(f'{rounded(each)} s' for each in seconds)} |")
    return "\n".join(lines)


def scale_out(name):
    """GTEPS a GPU of each partition, for each network: with as many vertices on each GPU, and of one graph."""
    data = load(name)
    lines = []
    for run in data["runs"]:
        lines += [f"\n**{run['weak'][0]['cluster']['network']}**, 2^28 vertices on each GPU:\n", *scaling_table(run["weak"]), "\nThe same graph on more GPUs:\n",
                  *scaling_table(run["strong"]), "\nLarge graphs on more GPUs:\n", *scaling_table(run["large"])]
    lines.append(f"\nGTEPS for each H100: mean (least to most that the uncertainties leave open), and the best grid or number of hubs. \\*: the search does "
                 f"not fit the memory of an H100. Plans of {data['date']}, commit {data['commit']}.")
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


def listed_hubs(name):
    """Milliseconds and gigabytes of 1.5D searches by hubs and lists of hubs, a table for each number of GPUs."""
    lines = []
    for planned in load(name)["runs"][0]["weak"]:
        design = best_of(planned, "1.5D")
        if "tried" not in design:
            continue
        tried = {(each["hubs"], each["listed_hubs"]): each for each in design["tried"] if 2**22 <= each["hubs"] <= 2**30}
        listed = sorted({few for _, few in tried if few >= 2**20})
        lines += [f"\n{planned['cluster']['ranks']:.0f} GPUs, `{planned['graph']['name']}`:\n",
                  f"| hubs | {' | '.join(f'2^{math.log2(few):.0f} listed' for few in listed)} |",
                  "|---" * (len(listed) + 1) + "|"]
        for hubs in sorted({hubs for hubs, _ in tried}):
            cells = [tried.get((hubs, few)) for few in listed]
            words = (f"{1e3 * cell['seconds']:.2f} ms, {cell['rank_bytes'] / GIGA:.0f} GB" if cell else "" for cell in cells)
            lines.append(f"| 2^{math.log2(hubs):.0f} | {' | '.join(words)} |")
    lines.append("\nMean time of a search, and its bytes on each GPU, which has 84 GB.")
    return "\n".join(lines).lstrip("\n")


def purchases(name):
    """What other links and GPUs bring: GTEPS a GPU, and the ratio to the first row."""
    data = load(name)["purchases"]
    columns = [(plan["cluster"]["ranks"], scheme) for plan in data[0]["plans"] for scheme in ("1.5D", "2D")]
    lines = ["| | " + " | ".join(f"{scheme} on {gpus:.0f}" for gpus, scheme in columns) + " |", "|---" * (len(columns) + 1) + "|"]
    first = None
    for row in data:
        rates = [rate(plan, best_of(plan, scheme)["search"]) for plan in row["plans"] for scheme in ("1.5D", "2D")]
        first = first or rates
        lines.append(f"| {row['change']} | " + " | ".join(rounded(value) + (f" ({value / before:.2f})" if first is not rates else "")
                                                          for value, before in zip(rates, first)) + " |")
    lines.append("\nGTEPS for each H100, and the ratio to the first row; the best hubs or grid of each. `infiniband-400`, with one number changed; graphs with "
                 "2^28 vertices on each GPU.")
    return "\n".join(lines)


def earlier(name):
    """The same networks in an earlier count on paper."""
    data = load(name)["earlier"]
    lines = ["| network | GPUs | earlier count | this model | ratio | hubs |", "|---" * 6 + "|"]
    for row in data:
        design = best_of(row["plan"], "1.5D")
        search = design["search"]
        now = rate(row["plan"], search)
        lines.append(f"| {row['network']} | {row['gpus']} | {row['earlier_gteps']} | {rounded(now)} ({rounded(rate(row['plan'], search, 'most_seconds'))} to "
                     f"{rounded(rate(row['plan'], search, 'least_seconds'))}) | {now / row['earlier_gteps']:.2f} | {name_of(design)} |")
    parts_of = next(row for row in data if row["earlier_parts"])
    search = best_of(parts_of["plan"], "1.5D")["search"]
    lines += ["\nGTEPS for each H100.\n", "| milliseconds on 8192 GPUs, base | " + " | ".join(title for title, _ in PARTS) + " |",
              "|---" * (len(PARTS) + 1) + "|",
              "| earlier count | " + " | ".join(f"{parts_of['earlier_parts'][title]:.1f}" for title, _ in PARTS) + " |",
              "| this model | " + " | ".join(f"{1e3 * search[key]:.1f}" for _, key in PARTS) + " |"]
    return "\n".join(lines)


def plan_times(name):
    data = load(name)
    lines = ["| job | seconds | of processors |", "|---" * 3 + "|"]
    for run in data["runs"]:
        lines.append(f"| `{run['job']}` | {spread(run['seconds'])} | {spread(run['processor_seconds'])} |")
    loads, machine = data["load_average"], data["machine"]
    lines.append(f"\nMedian (min to max) of {data['rounds']} rounds in turn, {data['date']}, commit {data['commit']}, {machine['cpu']}, "
                 f"{machine['cores']} cores, load average {rounded(loads[0])} to {rounded(loads[1])}.")
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


MAKERS = {"model-check": check, "model-summary": model_summary, "listed-hubs": listed_hubs, "purchases": purchases, "earlier": earlier,
          "plan-times": plan_times, "model-cores": cores, "model-cores-memory": cores_memory, "scale-out": scale_out, "scale-out-parts": parts,
          "contention": contention, "contention-steps": contention_steps, "paths-out": paths_out, "construction-out": construction_out}
