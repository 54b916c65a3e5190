"""tune from outside: its file, and the jobs that read it."""

import json
import unittest

from driver import BAD_INPUT, NO_GPU, RESOURCES, DriverTest
from test_start import SANITIZED


class Tune(DriverTest):
    GRAPH = ("random:300,1200", "--weights", "uniform:1..100", "--summary")

    def rates(self, **changed):
        """A file in which some rates are others."""
        file = self.folder / "rates.json"
        file.write_text(json.dumps({"wayfront_rates": 2, "machine": "a test", "date": "2026-11-27", "core": changed}))
        return file

    @unittest.skipIf(SANITIZED, "times of a build with sanitizers")
    def test_rates_are_measured(self):
        file = self.folder / "home" / "wayfront" / "rates.json"
        env = {**NO_GPU, "WAYFRONT_RATES": "", "XDG_CONFIG_HOME": str(self.folder / "home")}
        outcome = self.good("tune", "--threads", 1, env=env)
        self.assertIn(f"written to {file}\n", outcome.out)
        document = json.loads(file.read_text())
        self.assertEqual(list(document), ["wayfront_rates", "machine", "date", "core"])
        self.assertRegex(document["machine"], r" \(1 thread\)$")
        # Between a picosecond and a microsecond.
        for name, seconds in document["core"].items():
            with self.subTest(rate=name):
                self.assertIn(f"  {name} ", outcome.out)
                self.assertGreater(seconds, 1e-12)
                self.assertLess(seconds, 1e-6)
        # Jobs find the file, and --version names it.
        self.assertIn(f"rates of {document['machine']}, {document['date']}; of GPUs: an H200\n", self.good("--version", env=env).out)
        self.good("apsp", *self.GRAPH, env=env)

    def test_a_file_of_another_version(self):
        """The one that nobody names is left, with a note; one that is named is refused."""
        file = self.folder / "home" / "wayfront" / "rates.json"
        file.parent.mkdir(parents=True)
        file.write_text('{"wayfront_rates": 1}')
        env = {**NO_GPU, "XDG_CONFIG_HOME": str(self.folder / "home"), "WAYFRONT_RATES": ""}
        for command in (("sssp", "grid:100x100", "--weights", "uniform:1..9", "--source", 1), ("apsp", "grid:9x9")):
            for ranks in (1, 2):
                outcome = self.good(*command, env=env, ranks=ranks)
                self.assertEqual(outcome.err.count(f"{file}: is for another version of wayfront, and the built-in rates are used"), 1, outcome)
        self.assertIn("another version", self.good("--version", env=env).out)
        for command, options in ((("apsp", "grid:9x9"), ("--rates", file)), (("sssp", "grid:100x100", "--weights", "uniform:1..9", "--source", 1), ())):
            named = {**NO_GPU, "WAYFRONT_RATES": "" if options else str(file)}
            self.assertIn("another version of wayfront; run wayfront tune again", self.fails(BAD_INPUT, *command, *options, env=named))
        self.assertIn("WAYFRONT_RATES: nosuch.json: ", self.fails(BAD_INPUT, *command, env={**NO_GPU, "WAYFRONT_RATES": "nosuch.json"}))
        file.write_text("{}")
        self.assertIn("expected a file that wayfront tune has written", self.fails(BAD_INPUT, *command, env=env))

    def test_rates_determine_the_choice(self):
        for rates, chosen in (({"search_arc": 1e-3, "search_vertex": 1e-3}, "floyd-warshall"), ({"relaxation": 1, "wide_relaxation": 1}, "(dijkstra|delta-stepping|combined|push-pull)")):
            file = self.rates(**rates)
            for options, env in (("--rates", file), {}), ((), {"WAYFRONT_RATES": str(file)}):
                for ranks in 1, 2:
                    with self.subTest(rates=rates, options=options, ranks=ranks):
                        self.assertRegex(self.good("apsp", *self.GRAPH, *options, env=env, ranks=ranks).out, f"search .*, by {chosen}, since it is the fastest: ")
        dense = ("sssp", "random:4096,65536", "--weights", "float", "--source", 1)
        for rates, chosen in ((None, "delta-stepping"), (self.rates(search_arc=1e-6), "push-pull")):
            self.assertRegex(self.good(*dense, env={**NO_GPU, "WAYFRONT_RATES": str(rates or "none")}).out, f"search .*, by {chosen} .*, since it is the fastest on a core")

    @unittest.skipIf(SANITIZED, "times of a build with sanitizers")
    def test_links_are_measured(self):
        file = self.folder / "network.json"
        outcome = self.good("tune", "-o", file, ranks=3)
        self.assertIn(f"written to {file}\n", outcome.out)
        self.assertIn("note: all ranks are on one host: links between hosts were not measured", outcome.err)
        network = json.loads(file.read_text())
        self.assertEqual(network["ranks_per_host"], 3)
        self.assertEqual(network["inside"], network["between"])  # there is one host
        self.assertEqual({(point["link"], point["step"], point["ranks"]) for point in network["points"]},
                         {("inside", step, ranks) for step in ("all-gather", "all-to-all") for ranks in (2, 3)})
        for point in network["points"]:
            self.assertGreater(point["microseconds"], 0)
            self.assertLess(point["microseconds"], 1e6)
        self.assertEqual(json.loads(self.good("plan", "kron:20", "--ranks", 3, "--network", file, "--json", "-", "--quiet").out)["cluster"]["network"], network["name"])

    def test_faults(self):
        missing = self.folder / "missing.json"
        self.assertIn("missing.json", self.fails(BAD_INPUT, "apsp", *self.GRAPH, "--rates", missing))
        self.assertIn("missing.json", self.fails(BAD_INPUT, "apsp", *self.GRAPH, env={"WAYFRONT_RATES": str(missing)}))
        self.assertIn("missing.json", self.good("--version", env={"WAYFRONT_RATES": str(missing)}).out)
        self.assertRegex(self.fails(BAD_INPUT, "apsp", *self.GRAPH, "--rates", self.rates(search_arc=-1)), "expected seconds above 0 as \"search_arc\", found -1")
        self.assertIn("--output: is required over several ranks", self.fails(BAD_INPUT, "tune", ranks=2))
        self.assertIn("--output: is required", self.fails(BAD_INPUT, "tune"))
        if not SANITIZED:
            self.assertIn("No such file", self.fails(RESOURCES, "tune", "-o", self.folder / "nosuch" / "rates.json"))


if __name__ == "__main__":
    unittest.main()
