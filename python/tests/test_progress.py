"""Progress of long work, its end by an exception of the callback or Ctrl-C, results in arrays of the caller, and the benchmark."""

import io
import json
import pathlib
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from conftest import random_matrix
from tqdm import tqdm

import wayfront

GRID = wayfront.load("grid:20x20")
PAIRS = [(v, 399 - v) for v in range(60)]
# The last report of each kind of work, by its callback.
WORK = {
    "all_pairs": (lambda progress: wayfront.all_pairs(GRID, progress=progress), ("rows", 400, 400)),
    "rows": (lambda progress: wayfront.AllPairs(GRID, progress=progress).rows(lambda rows: None), ("rows", 400, 400)),
    "floyd-warshall": (lambda progress: wayfront.all_pairs(GRID, algorithm="floyd-warshall", progress=progress), ("rows", 400, 400)),
    "summary": (lambda progress: wayfront.AllPairs(GRID, progress=progress).summary(), ("rows", 400, 400)),
    "figures": (lambda progress: wayfront.AllPairs(GRID, progress=progress).vertex_figures(), ("rows", 400, 400)),
    "within": (lambda progress: wayfront.AllPairs(GRID, progress=progress).within(2), ("search", 400, 400)),
    "pairs": (lambda progress: wayfront.ShortestPaths.between(GRID, PAIRS, progress=progress), ("pairs", 60, 60)),
    "pairs of bfs": (lambda progress: wayfront.Bfs.between(GRID, PAIRS, deterministic=True, progress=progress), ("pairs", 60, 60)),
    "graph500": (lambda progress: wayfront.graph500(7, keys=9, progress=progress), ("graph500 bfs", 9, 9)),
}


@pytest.mark.parametrize("name", WORK)
def test_progress_is_reported(name):
    work, last = WORK[name]
    reports = []
    work(lambda *report: reports.append(report))
    assert reports[-1] == last
    assert (last[0], 0, last[2]) in reports
    for (step, done, total), (next_step, next_done, next_total) in zip(reports, reports[1:]):
        assert 0 <= done <= total or total == 0
        assert next_step != step or next_done >= done or next_done == 0
    work(None)


class Enough(Exception):
    pass


@pytest.mark.parametrize("name", WORK)
def test_an_exception_ends_the_work_and_is_raised(name):
    work, (step, _, _) = WORK[name]
    reports = []

    def end(*report):
        reports.append(report)
        if report[0] == step:
            raise Enough(report)

    with pytest.raises(Enough) as caught:
        work(end)
    assert caught.value.args[0] == reports[-1], "there is no report after it"
    assert reports[-1][1] == 0
    assert wayfront.bfs(GRID, 0).depth == 38


def test_an_exception_ends_the_work_soon():
    pairs = wayfront.AllPairs("grid:150x150", algorithm="dijkstra", progress=lambda step, done, total: done and 1 / 0)
    rows = []
    with pytest.raises(ZeroDivisionError):
        pairs.rows(lambda batch: rows.append(len(batch.sources)))
    assert 0 < sum(rows) < 22500 / 2


def test_tqdm():
    for name, (work, (step, done, total)) in WORK.items():
        written = io.StringIO()
        with tqdm(file=written, mininterval=0) as bar:
            work(bar)
            assert (bar.n, bar.total, bar.desc) == (done, total, f"{step}: "), name
        assert f"{step}: 100%" in written.getvalue()
    with tqdm(disable=True) as bar:
        wayfront.all_pairs(GRID, progress=bar)


def test_callbacks_that_cannot_be_called():
    for callback in (7, lambda: None):
        for work, _ in WORK.values():
            with pytest.raises(TypeError):
                work(callback)
    with pytest.raises(wayfront.InputError):  # other errors stay
        wayfront.AllPairs("ring:9", targets=[1], progress=lambda *report: None).summary()


@pytest.mark.parametrize("work", ["wayfront.AllPairs(graph, algorithm='dijkstra').summary()", "wayfront.AllPairs(graph).within(4000)",
                                  "wayfront.all_pairs_of_many([graph] * 3, algorithm='dijkstra')",
                                  "wayfront.all_pairs_of_many(['grid:44x44'] * 500, algorithm='floyd-warshall', weights='uniform:1..100')",
                                  "wayfront.ShortestPaths.between(graph, [(v, 1) for v in range(30000)], paths=False, deterministic=True)",
                                  "wayfront.graph500(15, keys=100000, kernel='both')"])
def test_ctrl_c(work):
    code = f"""
import wayfront
graph = wayfront.load("grid:200x200", weights="uniform:1..100")
print("begins", flush=True)
try:
    {work}
    print("done")
except KeyboardInterrupt:
    print("interrupted", wayfront.bfs(graph, 0).depth)
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "begins\n"
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    begin = time.monotonic()
    output, _ = process.communicate(timeout=60)
    assert output == "interrupted 398\n"
    assert time.monotonic() - begin < 10


def test_levels_in_arrays_of_the_caller():
    search = wayfront.Bfs(GRID)
    expected = search.run(7)
    levels, parents = np.full(400, -7, np.int32), np.full(400, -7, np.int64)
    result = search.run(7, out=(levels, parents))
    assert (result.levels is levels, result.parents is parents) == (True, True)
    np.testing.assert_array_equal(levels, expected.levels)
    np.testing.assert_array_equal(parents, expected.parents)
    assert result.path(399).tolist() == search.path(399).tolist()
    rows = np.empty((3, 400), np.int32)
    for row, source in zip(rows, (1, 2, 3)):
        assert wayfront.bfs(GRID, source, out=row).levels is row
        np.testing.assert_array_equal(row, search.run(source).levels)
    result = search.run(9, out=(None, parents))
    np.testing.assert_array_equal(result.levels, search.run(9).levels)
    np.testing.assert_array_equal(parents, search.run(9).parents)


def test_distances_in_arrays_of_the_caller(weight_type):
    matrix = random_matrix(2, dtype=weight_type)
    graph = wayfront.Graph.from_scipy(matrix)
    whole = np.dtype(weight_type).kind == "i"
    distances, parents = np.empty(60, np.int64 if whole else np.float64), np.empty(60, np.int64)
    for run in (wayfront.ShortestPaths(graph).run, lambda source, out: wayfront.shortest_paths(graph, source, out=out)):
        result = run(5, out=(distances, parents))
        assert result.distances is distances and result.parents is parents
        expected = wayfront.shortest_paths(graph, 5)
        np.testing.assert_array_equal(distances, expected.distances)
        np.testing.assert_array_equal(parents, expected.parents)
        distances[:] = 0
        with pytest.raises(TypeError, match="distances: expected an array of"):
            run(5, out=np.empty(60, np.float64 if whole else np.int64))


def read_only():
    array = np.empty(400, np.int32)
    array.flags.writeable = False
    return array


BAD_ARRAYS = [
    (TypeError, "out: levels: expected a NumPy array, found list", [0] * 400),
    (TypeError, "out: levels: expected an array of int32, found int64", np.empty(400, np.int64)),
    (TypeError, "out: levels: expected an array of int32, found >i4", np.empty(400, ">i4")),
    (TypeError, "out: parents: expected an array of int64, found int32", (None, np.empty(400, np.int32))),
    (wayfront.InputError, r"out: levels: expected an array of shape \(400,\), found \(399,\)", np.empty(399, np.int32)),
    (wayfront.InputError, r"found \(1, 400\)", np.empty((1, 400), np.int32)),
    (wayfront.InputError, "consecutive", np.empty(800, np.int32)[::2]),
    (wayfront.InputError, "consecutive", np.frombuffer(bytearray(1601), np.uint8)[1:].view(np.int32)),
    (wayfront.InputError, "cannot be written", read_only()),
    (wayfront.InputError, "share memory", (lambda memory: (memory.view(np.int32)[:400], memory))(np.empty(400, np.int64))),
    (wayfront.InputError, "pair of arrays", (np.empty(400, np.int32),) * 3),
]


@pytest.mark.parametrize("error, words, out", BAD_ARRAYS, ids=[str(i) for i in range(len(BAD_ARRAYS))])
def test_arrays_that_do_not_suit(error, words, out):
    for run in (wayfront.Bfs(GRID).run, lambda source, out: wayfront.bfs(GRID, source, out=out)):
        with pytest.raises(error, match=words):
            run(0, out=out)


def test_the_benchmark_against_the_program(tmp_path):
    run = wayfront.graph500(8, keys=9, kernel="both", seeds=(5, 6), edge_factor=8)
    report = tmp_path / "run.json"
    subprocess.run([sys.executable, "-m", "wayfront", "graph500", "--scale", "8", "--edgefactor", "8", "--keys", "9", "--kernel", "both", "--seed1", "5",
                    "--seed2", "6", "--json", report], check=True, capture_output=True)
    written = json.loads(pathlib.Path(report).read_text())
    assert (run["scale"], run["edge_factor"], run["vertices"], run["edges"], run["engine"], run["validated"]) == (8, 8, 256, 2048, "cpu", True)
    for kernel in ("bfs", "sssp"):
        searches = run[kernel]
        assert searches["keys"].tolist() == [search["key"] for search in written[kernel]["searches"]]
        assert searches["edges"].tolist() == [search["edges"] for search in written[kernel]["searches"]]
        teps = searches["edges"] / searches["seconds"]
        assert searches["harmonic_mean_teps"] == pytest.approx(9 / (1 / teps).sum())
        assert searches["median_teps"] == pytest.approx(1 / np.median(1 / teps))
        assert (searches["min_teps"], searches["max_teps"]) == (pytest.approx(teps.min()), pytest.approx(teps.max()))
        assert (searches["validate_seconds"] > 0).all()
    one = wayfront.graph500(6, keys=1, validate=False, threads=1)
    assert (one["validated"], len(one["bfs"]["validate_seconds"]), one["threads"], "sssp" in one) == (False, 0, 1, False)
    assert np.isnan(one["bfs"]["harmonic_stddev_teps"])


def test_benchmarks_that_are_refused():
    for words, scale, options in (("scale: expected a number from 1 to 47", 0, {}), ("scale", 48, {}), ("keys", 6, {"keys": 0}), ("edge_factor", 6, {"edge_factor": 0}),
                                  ("warmups", 6, {"warmups": -1}), ("kernel: expected one of bfs, sssp, both", 6, {"kernel": "pagerank"}), ("engine", 6, {"engine": "fpga"}),
                                  ("grid", 6, {"grid": (2, 2)}), ("threads", 6, {"threads": -1}), ("not on both", 6, {"kernel": "sssp", "engine": "split"})):
        with pytest.raises(wayfront.InputError, match=words):
            wayfront.graph500(scale, **options)
    with pytest.raises(TypeError):
        wayfront.graph500("8")
    with pytest.raises(TypeError):
        wayfront.graph500(8, speed=1)
