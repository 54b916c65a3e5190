"""Injects faults at random times into jobs over 2 and 4 hosts, and checks that each job ends in time and leaves neither a process nor a part of a file.

usage: random_faults.py --faults N --output FILE.json [--at-once N] [--seed N]      as root; WAYFRONT_BINARY is the program

Each job reads a compressed graph, constructs it, and then, for one source after the other, searches, validates and writes the results. The time of the
fault is uniform over the time from the start of the ranks to the end of a job without a fault. A job that has already ended does not count; another one
takes its place.
Exit code 1 if a job hangs, leaves something, leaves a file that is not whole, or ends with an error but says nothing.
"""

import argparse
import concurrent.futures
import datetime
import hashlib
import json
import pathlib
import random
import shutil
import statistics
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "cli"), str(HERE.parents[1] / "bench")]
from driver import BINARY, GOOD, run
from faults import FAULTS, KEEPALIVE, TIMEOUT, Aftermath
from hosts import Hosts, obstacle, wait_until
import side_by_side

RANKS = {2: 2, 4: 1}  # hosts: ranks on each
SOURCES = 16


def job_arguments(graph, output):
    return ["bfs", graph, "--sources", f"random:{SOURCES}", "--deterministic", "--validate", "--threads", "1", "--timeout", str(TIMEOUT), "--output", output]


def digests(folder):
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in pathlib.Path(folder).iterdir()}


def one_run(folder, graph, count, fault, seconds):
    """Runs a job over `count` hosts and injects a fault `seconds` seconds after the start of its
    ranks, or no fault if `fault` is None. Returns the facts of the job's end; None if the job had
    ended before the fault."""
    hosts = Hosts(count)
    try:
        for host in hosts.all:
            host.give_up_soon()
        with tempfile.TemporaryDirectory(dir=folder) as place:
            job = hosts.start(BINARY, *job_arguments(graph, pathlib.Path(place) / "result.csv"), ranks_a_host=RANKS[count], env=KEEPALIVE)
            # Before its ranks run, only the launcher can end a job.
            wait_until(lambda: all(len(host.processes(BINARY)) >= RANKS[count] for host in hosts.all), 20)
            since = time.monotonic()
            if fault is not None:
                time.sleep(seconds)
                struck = hosts[random.Random(seconds).randrange(1, count)]
                if not struck.processes(BINARY):
                    job.communicate()
                    return None
                FAULTS[fault](struck)
                since = time.monotonic()
            after = Aftermath(hosts, job, since)
            return {"hosts": count, "fault": fault, "at_seconds": round(seconds, 3), "lines": len(after.out.splitlines()), "seconds": after.seconds,
                    "code": after.code, "message": after.message, "left": after.left, "files": digests(place), "error_output": after.err}
    finally:
        hosts.remove()


def struck_run(folder, graph, count, fault, longest, seed):
    chance = random.Random(seed)
    while True:
        facts = one_run(folder, graph, count, fault, chance.uniform(0, longest[count]))
        if facts is not None:
            return facts


def verdict(facts, whole):
    """The faults of the end of a job; empty if there are none."""
    if facts["seconds"] is None:
        return "hangs"
    if facts["left"]:
        return "leaves processes"
    if facts["code"] == GOOD and facts["files"] != whole:
        return "ended well with a wrong file"
    if not facts["files"].items() <= whole.items():
        return "leaves a part of a file"
    if facts["code"] != GOOD and not facts["message"]:
        return "says nothing"
    return ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--faults", type=int, required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("--at-once", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if why_not := obstacle():
        sys.exit(why_not)
    commit = side_by_side.commit()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="wayfront-faults-"))
    try:
        graph, expected = folder / "graph.el.gz", folder / "expected"
        expected.mkdir()
        run("generate", "kron:16", "-o", graph)
        run(*job_arguments(graph, expected / "result.csv"))
        whole = digests(expected)
        with concurrent.futures.ThreadPoolExecutor(options.at_once) as pool:
            alone = list(pool.map(lambda count: one_run(folder, graph, count, None, 0), [2, 4] * options.at_once))
            longest = {count: statistics.median(facts["seconds"] for facts in alone if facts["hosts"] == count) for count in RANKS}
            plans = [((2, 4)[i % 2], list(FAULTS)[i // 2 % len(FAULTS)], longest, f"{options.seed} {i}") for i in range(options.faults)]
            runs = list(pool.map(lambda plan: struck_run(folder, graph, *plan), plans))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    wrong = 0
    for facts in runs:
        facts["wrong"] = verdict(facts, whole)
        if facts["wrong"]:
            wrong += 1
            print(json.dumps(facts, indent=1))
        facts["files"] = len(facts["files"])
        del facts["error_output"]
    pathlib.Path(options.output).write_text(json.dumps({
        "title": f"{options.faults} faults at random times in jobs over 2 and 4 hosts", "date": datetime.date.today().isoformat(),
        "commit": commit, "machine": side_by_side.machine(),
        "command": f"tests/hosts/random_faults.py --faults {options.faults} --seed {options.seed} --at-once {options.at_once}",
        "job": "wayfront " + " ".join(map(str, job_arguments("GRAPH", "FILE"))), "timeout_seconds": TIMEOUT, "keepalive": KEEPALIVE, "tcp_retries2": 5,
        "seconds_without_fault": longest, "runs": runs}, indent=1) + "\n", encoding="utf-8")
    print(f"{len(runs)} faults, {sum(facts['code'] != GOOD for facts in runs)} of them ended the job, {wrong} wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
