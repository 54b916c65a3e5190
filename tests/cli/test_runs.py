"""What runs say of themselves: in --json, in the line `search`, and with --verbose."""

import datetime
import json
import re
import shlex
import socket
import unittest

from driver import BAD_INPUT, NO_GPU, DriverTest


class Runs(DriverTest):
    COMMANDS = (("bfs", "path:5", "--source", 0), ("sssp", "kron:5", "--source", 0), ("apsp", "path:5"), ("apsp", "path:5", "--within", 2, "-o", "w.csv"),
                ("apsp", "--bulk", "a list"), ("graph500", "--scale", 5, "--keys", 2), ("info", "ring:5"), ("bfs", "path:5", "--pairs", "a list", "-o", "p.csv"))

    def test_every_json_has_the_facts_of_the_run(self):
        (self.folder / "a list").write_text("ring:5\n")
        (self.folder / "pairs").write_text("0 1\n")
        version = self.good("--version").out.split()[1]
        with open("/proc/cpuinfo", encoding="utf-8") as cpus:
            models = {line.partition(":")[2].strip() for line in cpus if line.startswith("model name")} or {"unknown processor"}
        file = self.folder / "it's a run.json"
        for ranks in (1, 3):
            for arguments in (*self.COMMANDS, *([("plan", "kron:9", "--ranks", 2)] if ranks == 1 else [])):
                words = ["pairs" if word == "a list" and "--pairs" in arguments else str(word) for word in (*arguments, "--json", file)]
                with self.subTest(arguments=arguments, ranks=ranks):
                    before = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
                    self.good(*words, ranks=ranks, cwd=self.folder, env={**NO_GPU, "TZ": "Asia/Kolkata"})
                    written = json.loads(file.read_text())
                    date = datetime.datetime.fromisoformat(written["date"])
                    self.assertRegex(written["date"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+05:30$")
                    self.assertEqual(date.utcoffset(), datetime.timedelta(hours=5, minutes=30))
                    self.assertLessEqual(before, date)
                    self.assertLessEqual(date, datetime.datetime.now(datetime.timezone.utc))
                    self.assertEqual(shlex.split(written["command_line"]), ["wayfront", *words])
                    self.assertEqual((written["wayfront"], written["command"]), (version, arguments[0]))
                    self.assertEqual(written["machine"]["hosts"], [socket.gethostname()])
                    self.assertIn(written["machine"]["cpu"], models)
                    file.unlink()

    def test_one_line_says_how_it_is_searched(self):
        file = self.folder / "run.json"
        for arguments, method in ((("bfs", "kron:7", "--source", 1), "top-down and bottom-up levels, as alpha 10 and beta 14 decide"),
                                  (("bfs", "kron:7", "--source", 1, "--direction", "top-down"), "top-down levels"),
                                  (("sssp", "kron:9", "--source", 1), r"push-pull in windows of width \S+(, in shared memory)?, since .*"),
                                  (("apsp", "path:5"), r"bit-parallel, since .*; distances as uint16; about .*"),
                                  (("apsp", "path:5", "--algorithm", "dijkstra"), "dijkstra; distances as uint16; about .*"),
                                  (("apsp", "path:5", "--within", 2, "-o", self.folder / "w.csv"), "dijkstra up to the limit"),
                                  (("graph500", "--scale", 7, "--keys", 2), "top-down and bottom-up levels, as alpha 10 and beta 14 decide"),
                                  (("graph500", "--scale", 9, "--keys", 2, "--kernel", "sssp"), "push-pull in windows of .*")):
            for ranks in (1, 2):
                with self.subTest(arguments=arguments, ranks=ranks):
                    outcome = self.good(*arguments, "--threads", 1, "--json", file, ranks=ranks, env=NO_GPU)
                    found = re.findall(r"^(?:search  |in_words:) +(.*)$", outcome.out, re.MULTILINE)
                    self.assertEqual(len(found), 1, outcome)
                    self.assertRegex(found[0], rf"^cpu engine, {ranks} ranks?( \(grid \dx1\))?, 1 thread per rank, by {method}$")
                    self.assertEqual(json.loads(file.read_text())["search"]["in_words"], found[0])
                    self.assertLessEqual({line.partition("each edge has length 1")[1] for line in outcome.err.splitlines()}, {"each edge has length 1"})

    def test_verbose(self):
        for arguments, phases in ((("bfs", "kron:7", "--source", 1, "--validate"), ("load", "construct", "bfs", "level", "expand", "validate")),
                                  (("sssp", "kron:7", "--source", 1), ("load", "construct", "sssp")),
                                  (("apsp", "path:5"), ("load", "gather", "construct", "choose method", "prepare search", "search")),
                                  (("apsp", "path:5", "--weights", "uniform:1..9", "--algorithm", "elimination"), ("load", "gather", "construct", "choose method", "eliminate", "prepare search", "search")),
                                  (("apsp", "path:5", "--within", 2, "-o", self.folder / "w.csv"), ("load", "gather", "construct", "choose method", "prepare search", "search")),
                                  (("graph500", "--scale", 7, "--keys", 2), ("load", "construct", "warm-up", "bfs", "validate"))):
            for ranks in (1, 3):
                with self.subTest(arguments=arguments, ranks=ranks):
                    out = self.good(*arguments, "--verbose", ranks=ranks, env=NO_GPU).out
                    rows = {name: (int(times), float(seconds)) for name, times, seconds in
                            re.findall(r"^(\w[\w -]*?)  +(\d+) +(\d+\.\d{6}) +[\d.]+ \w+$", out, re.MULTILINE)}
                    self.assertLessEqual(set(phases), set(rows), out)
                    self.assertEqual((rows["load"][0], rows["construct"][0]), (1, 1))
                    self.assertGreater(rows["construct"][1], 0)
                    if arguments[0] == "bfs":  # whole and parts
                        construction = float(re.search(r"^construction +(\S+) s", out, re.MULTILINE)[1])
                        self.assertAlmostEqual(rows["construct"][1], construction, delta=0.5 * construction + 0.05)
                        self.assertEqual(rows["level"][0], rows["expand"][0] + 1)
                        self.assertGreaterEqual(rows["bfs"][1], rows["level"][1])
                    self.assertRegex(out, r"\npeak of memory +[\d.]+ MiB of a rank\n")
                    self.assertIn("--quiet and --verbose do not go together", self.fails(BAD_INPUT, *arguments, "--verbose", "--quiet"))
        self.assertIn("--bulk and --verbose do not go together", self.fails(BAD_INPUT, "apsp", "--bulk", self.file("list", "ring:5\n"), "--verbose"))

    def test_seconds_of_levels(self):
        file = self.folder / "run.json"
        for ranks in (1, 2):
            self.good("bfs", "grid:40x40", "--source", 0, "--json", file, ranks=ranks, env=NO_GPU)
            search, = json.loads(file.read_text())["searches"]
            seconds = [level["seconds"] for level in search["levels"]]
            self.assertEqual(len(seconds), 79)
            self.assertGreater(min(seconds), 0)
            self.assertLessEqual(sum(seconds), search["seconds"])


if __name__ == "__main__":
    unittest.main()
