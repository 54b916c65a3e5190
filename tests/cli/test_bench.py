"""The scripts of bench/ that read what the program writes."""

import json
import os
import pathlib
import shlex
import subprocess
import sys
import unittest
import unittest.mock

from driver import BINARY, MPIEXEC, NO_GPU, DriverTest, environment

BENCH = pathlib.Path(__file__).resolve().parents[2] / "bench"
sys.path.insert(0, str(BENCH))
import all_pairs_tables
import levels
import shortest_path_tables
import side_by_side
import tables


def script(name, *arguments):
    return subprocess.run([sys.executable, BENCH / name, *map(str, arguments)], env=environment(**NO_GPU), stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=300, check=False)


class Levels(DriverTest):
    def test_searches(self):
        trace = self.folder / "trace.json"
        facts = self.folder / "facts.json"
        self.good("bfs", "kron:8", "--sources", "random:3", "--trace", trace, "--json", facts, "--engine", "cpu", ranks=2)
        done = script("levels.py", trace, "--searches", "--rank", 1)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = [json.loads(line) for line in done.stdout.splitlines()]
        expected = json.loads(facts.read_text())["searches"]
        self.assertEqual([[(level["direction"], level["vertices"]) for level in search["levels"]] for search in found],
                         [[(level["direction"], level["frontier"]) for level in search["levels"]] for search in expected])
        for search in found:
            self.assertGreaterEqual(search["microseconds"], sum(level["microseconds"] for level in search["levels"]))


def cells_beside_the_paper(lines):
    """The column of the table with the project's own measurements, by condition."""
    first = lines.index("| | the paper | here |") + 2
    rows = [line.strip("| ").split(" | ") for line in lines[first:lines.index("", first)]]
    return {condition: here for condition, _, here in rows}


class Figures(DriverTest):
    def figures(self, *arguments):
        output = self.folder / "figures.json"
        done = script("figures.py", "--title", "a test", "--scale", 6, "--keys", 3, "--output", output, "--program", BINARY, "--mpirun",
                      shlex.quote(MPIEXEC), *arguments)
        return done, json.loads(output.read_text()) if output.exists() else None

    @staticmethod
    def searches_of(run):
        return [dict(zip(run["searches"]["columns"], row)) for row in run["searches"]["rows"]]

    def test_without_git(self):
        with unittest.mock.patch.dict(os.environ, PATH=str(self.folder)):
            self.assertEqual(side_by_side.commit(), "unknown")

    def test_on_cpus(self):
        done, document = self.figures("--ranks", 1, 4, "--engines", "cpu", "--", "--grid", "auto")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([(run["engine"], run["ranks"], run["scale"], len(run["searches"]["rows"])) for run in document["runs"]],
                         [("cpu", 1, 6, 3), ("cpu", 4, 8, 3)])
        alone, four = document["runs"]
        for row in alone["searches"]["rows"]:
            self.assertIn(json.dumps(row)[1:-1], (self.folder / "figures.json").read_text(), "a line each")
        self.assertEqual(alone["figures"]["communication_seconds"]["max"], 0)
        for run in (alone, four):
            for search in self.searches_of(run):
                parts = [search[name] for name in ("computation_seconds", "communication_least_seconds", "output_seconds")]
                self.assertTrue(all(part >= 0 for part in parts), search)
                self.assertLessEqual(search["communication_least_seconds"], search["communication_seconds"])
                self.assertLessEqual(max(search["computation_seconds"], search["communication_seconds"]), search["seconds"])
        self.assertTrue(all(search["communication_least_seconds"] > 0 for search in self.searches_of(four)))
        self.assertIn("wayfront graph500 --scale 8 ", four["command"])
        with unittest.mock.patch.object(tables, "RESULTS", self.folder):
            table = tables.figures("figures.json").splitlines()
        titles = [i for i, line in enumerate(table) if line == "| ranks | CPU only |"]
        self.assertEqual([table[i - 2].split(",")[0] for i in titles], ["Throughput", "Computation", "Communication"])
        for i in titles:
            self.assertEqual([line.split(" | ")[0] for line in table[i + 2:i + 4]], ["| 1", "| 4"])
            self.assertEqual({line.count("|") for line in table[i:i + 4]}, {3})
        here = cells_beside_the_paper(table)
        self.assertEqual((here["graph"], here["ranks"]), ("Graph500's, 2^6 vertices per rank, 16 edges per vertex", "1, 4"))
        self.assertEqual((here["partition"], here["directions"]), ("rows x columns: 1x1, 4x1", "alpha 10, beta 14"))
        self.assertEqual((here["CPU + GPU"], here["computation (figure 10)"]), ("-", "-"))

    def test_missing_engines(self):
        done, document = self.figures("--ranks", 1, "--engines", "gpu", "--transport", "p2p")
        self.assertEqual((done.returncode, document), (1, None))
        self.assertIn("--engine gpu", done.stderr)
        done, document = self.figures("--ranks", 1, "--engines", "gpu", "cpu", "--skip-missing", "--transport", "p2p")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([run["engine"] for run in document["runs"]], ["cpu"])
        self.assertEqual([(run["engine"], run["ranks"]) for run in document["missing"]], [("gpu", 1)])
        done, document = self.figures("--ranks", 1, "--engines", "resident")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(([], 1), (document["runs"], len(document["missing"])))

    def test_ranks_that_would_share_a_gpu_are_left_out(self):
        smi = self.folder / "nvidia-smi"
        smi.write_text("#!/bin/sh\necho Some GPU\n")
        smi.chmod(0o755)
        with unittest.mock.patch.dict(os.environ, {"PATH": f"{self.folder}:{os.environ['PATH']}"}):
            done, document = self.figures("--ranks", 2, "--engines", "resident")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(document["machine"]["gpus"], "1 x Some GPU")
        self.assertEqual(document["missing"], [{"engine": "resident", "ranks": 2, "message": "several ranks share a GPU"}])

    def test_a_wrong_option_is_never_left_out(self):
        done, _ = self.figures("--ranks", 1, "--engines", "cpu", "--skip-missing", "--", "--frobnicate")
        self.assertEqual(done.returncode, 1)
        self.assertIn("frobnicate", done.stderr)

    def test_a_run_over_the_limit(self):
        done, _ = self.figures("--ranks", 1, "--engines", "cpu", "--limit", "0.001")
        self.assertEqual(done.returncode, 1)
        self.assertIn("took longer than", done.stderr)


class Tables(DriverTest):
    """Tables of invented reports."""

    def setUp(self):
        super().setUp()
        patch = unittest.mock.patch.object(tables, "RESULTS", self.folder)
        patch.start()
        self.addCleanup(patch.stop)

    def report(self, name, scale, ranks, gteps=1.0, gpus="8 x Some GPU of one host", edge_factor=16, durations=None, search="resident", **facts):
        """`durations`: microseconds of the spans of each name. Returns the name of the file."""
        transport = f"none ({search}, one GPU)" if ranks == 1 else f"p2p ({search})"
        spans = [{"name": step, "args": {"level": 0}, "dur": value} for step, values in (durations or {}).items() for value in values]
        self.file(name, json.dumps({
            "date": "2026-11-22", "commit": "abc", "machine": {"gpus": gpus}, "command": f"wayfront of {name}", "levels": levels.by_level(spans),
            "report": {"scale": scale, "edgefactor": edge_factor, "search": {"ranks": ranks, "transport": transport},
                       "bfs": {"harmonic_mean_teps": gteps * 1e9}}, **facts}))
        return name

    def refused(self, maker, *names):
        with self.assertRaises(SystemExit) as ended:
            tables.MAKERS[maker](" ".join(names))
        for name in names:
            self.assertIn(name, str(ended.exception))
        return str(ended.exception)


class BesideThePaper(Tables):
    @staticmethod
    def run_of(engine, ranks, gteps, computation, **more):
        figures = {"gteps": gteps, "computation_seconds": computation, "communication_seconds": 1e-3 * (ranks - 1)}
        search = {"threads": 8, "grid": f"{ranks}x1", "engine": "split:0.25" if engine == "split" else engine, "alpha": 10, "beta": 14, **more}
        return {"engine": engine, "ranks": ranks, "search": search, "command": "wayfront",
                "figures": {name: {"median": value, "min": value, "max": value} for name, value in figures.items()}}

    def here(self, runs, machine):
        self.file("figures.json", json.dumps({"date": "2026-11-22", "commit": "abc", "scale_a_rank": 22, "edge_factor": 16, "keys": 64, "missing": [],
                                              "machine": {"cpu": "Some CPU", "cores": 64, **machine}, "runs": runs}))
        return cells_beside_the_paper(tables.MAKERS["figures"]("figures.json").splitlines())

    def test_all_engines(self):
        runs = [self.run_of("cpu", 1, 10, 8), self.run_of("gpu", 1, 20, 2), self.run_of("split", 1, 15, 4),
                self.run_of("resident", 1, 90, 1, alpha=20, beta=100),
                self.run_of("cpu", 2, 10, 4, threads=4), self.run_of("gpu", 2, 5, 5), self.run_of("split", 2, 10, 2),
                self.run_of("resident", 2, 90, 1, alpha=30, beta=100)]
        here = self.here(runs, {"gpus": "2 x Some GPU"})
        self.assertEqual(here, {
            "machine": "Some CPU, 64 cores, 2 x Some GPU", "graph": "Graph500's, 2^22 vertices per rank, 16 edges per vertex", "ranks": "1, 2",
            "per rank": "4 to 8 threads, one GPU", "partition": "rows x columns: 1x1, 2x1",
            "directions": "alpha 10, beta 14; on-GPU search: alpha 20 to 30, beta 100", "CPU + GPU": "the CPU takes 0.25 of a rank's edges",
            "figures": "medians of 64 random keys",
            "whole search (figure 9)": "GPU only 0.5 to 2 times as fast as CPU only; CPU + GPU 1 to 1.5 times as fast as CPU only; "
                                       "CPU + GPU 0.75 to 2 times as fast as GPU only",
            "computation (figure 10)": "GPU only 0.8 to 4 times as fast as CPU only; CPU + GPU 2 times as fast as CPU only",
            "communication of CPU + GPU (figure 12)": "0 ms on 1, 1 ms on 2"})

    def test_gpus_that_are_shared_or_not_used(self):
        runs = [self.run_of("cpu", 2, 10, 8), self.run_of("gpu", 2, 20, 2)]
        self.assertEqual(self.here(runs, {"gpus": "1 x Some GPU"})["per rank"], "8 threads")
        self.assertEqual(self.here(runs[:1], {"gpus": "2 x Some GPU"})["per rank"], "8 threads")


class Graph500(Tables):
    def rows(self, *runs):
        """The table of runs, each of ranks, transport and number of keys."""
        names = []
        for i, (ranks, transport, keys) in enumerate(runs):
            bfs = {f"{which}_teps": (10 + j) * 1e9 for j, which in enumerate(("harmonic_mean", "min", "median", "max"))}
            bfs["searches"] = [{"validate_seconds": 0.25}] * keys
            names.append(self.report(f"{i}.json", 20, ranks, report={
                "scale": 20, "construction_seconds": 1.5, "search": {"ranks": ranks, "transport": transport}, "bfs": bfs}))
        lines = tables.MAKERS["graph500"](" ".join(names)).splitlines()
        table = lines[:lines.index("")]
        self.assertEqual(len({line.count("|") for line in table}), 1)
        return [line.strip("| ").split(" | ") for line in (table[0], *table[2:])]

    def test_transports(self):
        transports = {"none (resident, one GPU)": "none", "p2p (resident)": "p2p", "nccl (stepped)": "nccl",
                      "mpi (stepped, device memory)": "mpi, GPU-aware", "mpi (stepped, staged)": "mpi, staged",
                      "none (host-driven, one rank)": "none", "host (messages over mpi)": "host"}
        head, *rows = self.rows(*((1 if name.startswith("none") else 2, name, 4) for name in transports))
        self.assertEqual(head[:4], ["scale", "GPUs", "transport", "GTEPS: harmonic mean"])
        self.assertEqual([row[2] for row in rows], list(transports.values()))
        self.assertEqual(rows[1], ["20", "2", "p2p", "10", "11", "12", "13", "1.50", "0.250"])

    def test_an_unknown_transport(self):
        with self.assertRaises(SystemExit) as ended:
            self.rows((2, "pigeons", 4))
        self.assertIn("unknown transport 'pigeons'", str(ended.exception))

    def test_numbers_of_keys(self):
        head, *rows = self.rows((2, "p2p (resident)", 64), (2, "nccl (stepped)", 16))
        self.assertEqual(head[3], "keys")
        self.assertEqual([row[3] for row in rows], ["64", "16"])


class Runs(Tables):
    def test_one_row_each(self):
        def run(what, engine, teps):
            bfs = {f"{which}_teps": teps for which in ("harmonic_mean", "min", "median", "max")}
            return {"what": what, "command": f"run {what}", "report": {"search": {"engine": engine}, "bfs": bfs}}

        path = self.file("runs.json", json.dumps({"date": "2026-01-02", "commit": "abc", "machine": {"gpus": "1 x GPU", "cores": 3},
                                                  "runs": [run("one", "cpu", 2e9), run("two", "split:0.5", 3.25e9)]}))
        lines = tables.MAKERS["runs"](str(path)).splitlines()
        self.assertEqual(lines[2:4], ["| one | cpu | 2.0 | 2.0 | 2.0 | 2.0 |", "| two | split:0.5 | 3.2 | 3.2 | 3.2 | 3.2 |"])
        self.assertIn("2026-01-02, commit abc, 1 x GPU, 3 cores", lines[5])
        self.assertEqual(lines[7:], ["- one: `run one`", "- two: `run two`"])


class Scaling(Tables):
    def test_parts_of_linear(self):
        one = self.report("one.json", 20, 1, 100, "1 of 8 x Some GPU of one host")
        two = self.report("two.json", 21, 2, 180, "2 of 8 x Some GPU of one host")
        eight = self.report("eight.json", 23, 8, 400)
        self.assertEqual(tables.MAKERS["scaling"](f"{eight} {one} {two}").splitlines()[2:],
                         ["| graph on one GPU | 2 GPUs | 8 GPUs |", "|---|---|---|", "| scale 20 | 90% (scale 21) | 50% (scale 23) |"])

    def test_a_size_that_was_not_measured(self):
        names = [self.report("20.json", 20, 1, 100), self.report("21.json", 21, 1, 110), self.report("two.json", 22, 2, 110)]
        self.assertEqual(tables.MAKERS["scaling"](" ".join(names)).splitlines()[4:], ["| scale 20 |  |", "| scale 21 | 50% (scale 22) |"])

    def test_runs_that_must_not_be_compared(self):
        one = self.report("one.json", 20, 1)
        for what, other in {"commits": {"commit": "def"}, "dates": {"date": "2026-11-23"}, "edge factors": {"edge_factor": 32},
                            "hosts": {"gpus": "2 of 4 x Some GPU of one host"}, "kinds of search": {"search": "stepped"}}.items():
            with self.subTest(what):
                self.assertIn(f"different {what}: ", self.refused("scaling", one, self.report("two.json", 21, 2, **other)))
        self.assertIn("different hosts: 8 x Some GPU of one host: one.json; 8 x Another GPU",
                      self.refused("scaling", one, self.report("two.json", 21, 2, gpus="2 of 8 x Another GPU of one host")))

    def test_two_runs_of_a_size(self):
        one, two = self.report("one.json", 20, 1), self.report("two.json", 21, 2)
        self.assertIn("both are scale 21 on 2 GPUs", self.refused("scaling", two, self.report("again.json", 21, 2)))
        self.assertIn("both are scale 20 on 1 GPU", self.refused("scaling", one, one))

    def test_a_number_of_gpus_that_is_not_a_power_of_two(self):
        self.assertIn("expected a power of two", self.refused("scaling", self.report("three.json", 21, 3)))


class Steps(Tables):
    ONCE = {"count degrees": [1000], "number vertices": [2000], "make keys": [4000], "sort keys": [8000], "compact lists": [16000], "join lists": [100],
            "complete graph": [32000], "construct": [70000]}

    def table(self, *names):
        lines = tables.MAKERS["steps"](" ".join(names)).splitlines()
        return dict(line.strip("| ").split(" | ", 1) for line in lines if line.startswith("| ")), lines

    def test_each_once(self):
        more = {"search": [5], "validate": [7]}
        table, lines = self.table(self.report("one.json", 26, 1, durations={**self.ONCE, **more}))
        self.assertEqual(table, {"ms": "scale 26, 1 GPU", "count degrees": "1.0", "number vertices": "2.0", "make keys": "4.0", "sort keys": "8.0",
                                 "compact lists": "16.0", "join lists": "0.1", "complete graph": "32.0", "outside the steps": "6.9", "construct": "70.0"})
        self.assertEqual(list(table), ["ms", *list(self.ONCE)[:-1], "outside the steps", "construct"])
        self.assertEqual(lines[-1], "- `wayfront of one.json`: 2026-11-22, commit abc, 8 x Some GPU of one host")

    def test_batches(self):
        """The table shows the sum of the spans, although the file contains only their median,
        minimum and maximum."""
        batches = [9000, 1000, 2500, 300]
        for count in range(1, 5):
            with self.subTest(count):
                spans = {**self.ONCE, "construct": [100000], **{step: batches[:count] for step in ("make keys", "sort keys", "compact lists")}}
                table, _ = self.table(self.report("one.json", 28, 1, durations=spans))
                self.assertEqual(table["ms"], "scale 28, 1 GPU" + (f", {count} batches" if count > 1 else ""))
                self.assertEqual(table["sort keys"], f"{sum(batches[:count]) * 1e-3:.1f}")
                self.assertEqual(table["outside the steps"], f"{(100000 - 35100 - 3 * sum(batches[:count])) * 1e-3:.1f}")

    def test_files_side_by_side(self):
        names = [self.report("one.json", 26, 1, durations=self.ONCE), self.report("eight.json", 29, 8, durations={**self.ONCE, "sort keys": [5000]})]
        table, _ = self.table(*names)
        self.assertEqual((table["ms"], table["sort keys"]), ("scale 26, 1 GPU | scale 29, 8 GPUs", "8.0 | 5.0"))

    def test_preparations(self):
        """Spans that older files do not contain."""
        before = self.report("before.json", 26, 1, durations=self.ONCE)
        after = self.report("after.json", 26, 1, durations={**self.ONCE, "prepare exchange": [500], "prepare search": [1400]})
        table, _ = self.table(before, after)
        self.assertEqual([table[row] for row in ("prepare exchange", "prepare search", "outside the steps")], ["- | 0.5", "- | 1.4", "6.9 | 5.0"])

    def test_sums_that_the_file_does_not_tell(self):
        self.assertIn("5 spans of sort keys", self.refused("steps", self.report("one.json", 28, 1, durations={**self.ONCE, "sort keys": [1, 2, 3, 4, 5]})))

    def test_a_construction_of_other_steps(self):
        there = {step: durations for step, durations in self.ONCE.items() if step not in ("count degrees", "join lists")}
        self.assertEqual(self.refused("steps", self.report("one.json", 26, 1, durations=there)),
                         "steps of one.json: no count degrees, join lists among its levels")


class PapersFigures(Tables):
    def setUp(self):
        super().setUp()
        patch = unittest.mock.patch.object(shortest_path_tables, "RESULTS", self.folder)
        patch.start()
        self.addCleanup(patch.stop)

    def table(self, maker, document):
        document = {"date": "2026-11-22; sizes: 2026-11-23", "commit": "abc; sizes: def", "machine": "1 x Some GPU", "command": "bench", "note": "", **document}
        (self.folder / "papers.json").write_text(json.dumps(document))
        return tables.MAKERS[maker]("papers.json").splitlines()

    def test_figures_that_are_missing(self):
        self.assertEqual([all_pairs_tables.beside(*pair) for pair in ((1.2345, 1150800), (None, 52.0), (7, None))], ["1.23 / 1150800", "– / 52", "7 / –"])

    def test_matrices_that_were_not_measured(self):
        runs = [{"matrices": matrices, "n": n, "steps_of_32": 1, "tasks_of_32": 2, "automatic": 3} for matrices, n in ((4, 64), (4, 128), (8, 64))]
        lines = self.table("many-matrices", {"blocked_floyd_warshall": {"table_2": runs}})
        self.assertEqual(lines[2], "| 4 | tiles of 32, three kernels | 1 / 0.0406 | 1 / 0.0837 |")
        self.assertEqual(lines[5:8], ["| 8 | tiles of 32, three kernels | 1 / 0.047 | – / 0.1041 |", "|  | tiles of 32, one kernel | 2 / 0.0437 | – / 0.0959 |",
                                      "|  | `floyd-warshall` | 3 | – |"])
        self.assertEqual(lines[-1], "Milliseconds, ours / the paper's; 2026-11-22, commit abc, 1 x Some GPU.")

    def test_phases_of_a_search(self):
        shown = [{"vertices": vertices, "us": us} for vertices, us in ((1, 2), (10000, 3), (10001, 9))]
        one = {"mean_ms": 5, "searches": 7, "steps_of_first_source": 30}
        graph = {"graph": "roads", "vertices": 20000, "figure_6": dict.fromkeys(shortest_path_tables.PHASE_MODES, shown),
                 "figure_7": dict.fromkeys(shortest_path_tables.PHASE_MODES, one),
                 "figure_8": [{"up_us": 3, "mean_ms": 2, "searches": 4}, {"up_us": 5, "mean_ms": 1, "searches": 6}],
                 "near_far": [{"mean_ms": 1, "searches": 7, "window_of_mean_weights": 6}]}
        lines = self.table("phases", {"phases": [graph]})
        self.assertIn("| roads | adaptive | 30 (3) | 3 (2 to 9) | 10001 | 67% |", lines)
        self.assertTrue(any("the best of these thresholds is 5 µs for roads (1 ms)." in line for line in lines), lines)


if __name__ == "__main__":
    unittest.main()
