"""Callbacks that use graphs. Each runs in a process of its own, which a call that never returns does not keep from ending."""

import signal
import subprocess
import sys
import time

import pytest

BEGIN = """
import threading

import wayfront

graph = wayfront.load("grid:10x10")
search = wayfront.Bfs(graph)
pairs = wayfront.AllPairs(graph)
other = wayfront.Bfs("grid:20x20")
"""

USES = {
    "run": "search.run(0)",
    "path": "search.path(5)",
    "summary": "pairs.summary()",
    "bfs": "wayfront.bfs(graph, 0)",
    "between": "wayfront.ShortestPaths.between(graph, [(0, 7)])",
    "many": "wayfront.all_pairs_of_many([graph])",
}

CALLS = {
    "rows": "pairs.rows(lambda rows: {use})",
    "progress": "wayfront.AllPairs(graph, progress=lambda *report: {use}).summary()",
    "progress of pairs": "wayfront.Bfs.between(graph, [(0, 5)], progress=lambda *report: {use})",
    "progress of many graphs": "wayfront.all_pairs_of_many([other._graph, graph, graph], progress=lambda *report: {use})",
}


def output_of(code):
    run = subprocess.run([sys.executable, "-c", BEGIN + code], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    return run.stdout.splitlines()


@pytest.mark.parametrize("call", CALLS)
def test_a_callback_cannot_use_the_graph_of_its_call(call):
    lines = output_of("search.run(0)\n" + "".join(f"""
try:
    {CALLS[call].format(use=use)}
except RuntimeError as error:
    print(error)
print(search.run(0).depth)
""" for use in USES.values()))
    assert lines == ["the graph is in use by the call that runs this callback: search it after the call, or load it again", "18"] * len(USES)


@pytest.mark.parametrize("call", CALLS)
def test_a_callback_can_use_another_graph(call):
    use = "found.append(wayfront.bfs('grid:9x9', 0).depth)" if "many" in call else "found.append(other.run(0).depth)"
    depth = "16" if "many" in call else "38"
    assert output_of(f"found = []\n{CALLS[call].format(use=use)}\nprint(*set(found))\n") == [depth]


def test_another_thread_waits_for_its_turn_in_a_callback():
    assert output_of("""
depths = []
thread = threading.Thread(target=lambda: depths.append(search.run(0).depth))

def take(rows):
    if thread.ident is None:
        thread.start()
        thread.join(0.2)
        print(depths)

pairs.rows(take)
thread.join()
print(depths)
""") == ["[]", "[18]"]


def test_ctrl_c_ends_the_wait_for_a_turn():
    code = BEGIN + """
import signal, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
enough = threading.Event()

def take(rows):
    print("begins", flush=True)
    enough.wait()

thread = threading.Thread(target=lambda: pairs.rows(take))
thread.start()
time.sleep(0.5)
try:
    print("waits", flush=True)
    search.run(0)
except KeyboardInterrupt:
    print("interrupted")
enough.set()
thread.join()
print(search.run(0).depth)
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert sorted(process.stdout.readline() for _ in range(2)) == ["begins\n", "waits\n"]
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    try:
        output, _ = process.communicate(timeout=30)
    finally:
        process.kill()
    assert output == "interrupted\n18\n"


def test_threads_in_callbacks_do_not_wait_for_each_other():
    """Each thread has a graph, and its callback searches the graph of the other one."""
    assert output_of("""
both_begin = threading.Barrier(2, timeout=50)
errors = []

def search_other(own, others):
    def take(rows):
        both_begin.wait()
        try:
            others.run(0)
        except RuntimeError as error:
            errors.append(str(error))
        both_begin.wait()
    wayfront.AllPairs(own._graph, sources=[0]).rows(take)

threads = [threading.Thread(target=search_other, args=pair) for pair in ((search, other), (other, search))]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(*errors, sep="\\n")
""") == ["another thread uses the graph, for which a callback cannot wait: search it after the call, or load it again"] * 2


def test_many_graphs_in_threads():
    assert output_of("""
graphs = [wayfront.load(f"grid:{n}x{n}") for n in (5, 6, 7)]
threads = [threading.Thread(target=lambda: [wayfront.all_pairs_of_many(order) for _ in range(20)]) for order in (graphs, graphs[::-1])]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("done")
""") == ["done"]
