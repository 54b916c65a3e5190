"""The command line: help, options, configuration files."""

import os
import pathlib
import re
import subprocess
import sys
import unittest

from driver import BAD_INPUT, BINARY, GOOD, MPIEXEC, NO_GPU, RESOURCES, DriverTest, environment, on_a_terminal, run

ROOT = pathlib.Path(__file__).resolve().parents[2]

SUBCOMMANDS = ["graph500", "bfs", "sssp", "apsp", "generate", "convert", "info", "plan", "tune", "report"]


class Help(DriverTest):
    def test_alone_prints_the_usage_and_fails(self):
        outcome = run()
        self.assertEqual(outcome.code, BAD_INPUT, outcome)
        self.assertIn("Usage: wayfront SUBCOMMAND", outcome.err)
        self.assertEqual(outcome.out, "")

    def test_help_names_every_subcommand(self):
        outcome = self.good("--help")
        for name in SUBCOMMANDS:
            self.assertIn(f"\n  {name} ", outcome.out)

    def test_help_of_each_subcommand(self):
        for name in SUBCOMMANDS:
            for option in ("--help", "-h"):
                outcome = self.good(name, option)
                self.assertIn(f"Usage: wayfront {name}", outcome.out)
                self.assertIn("--threads", outcome.out)

    def test_layout_of_help(self):
        for name in SUBCOMMANDS:
            basic, everything = self.good(name, "--help").out, self.good(name, "--help-all").out
            for line in (basic + everything).splitlines():
                self.assertLessEqual(len(line), 100, line)
                self.assertEqual(line, line.rstrip())
            entries = re.findall(r"^  (--[a-z][a-z0-9-]+)", everything, re.MULTILINE)
            self.assertEqual(sorted(entries), sorted(set(entries)), f"{name} has an option twice")
            options = [set(re.findall(r"--[a-z][a-z0-9-]+", text)) for text in (basic, everything)]
            self.assertLessEqual(options[0], options[1])
            self.assertIn(f"'wayfront {name} --help-all'", basic)
        self.assertNotIn("--alpha A", self.good("bfs", "--help").out)
        self.assertIn("--alpha A", self.good("bfs", "--help-all").out)

    def test_generate_has_no_options_of_files(self):
        shown = self.good("generate", "--help-all").out
        for option in ("--format", "--directed"):
            self.assertNotRegex(shown, rf"(?m)^  {option}\b")
            self.assertIn(f"unknown option '{option}'", self.fails(BAD_INPUT, "generate", "ring:4", self.folder / "g.el", option, "el"))

    def test_help_on_a_narrow_terminal(self):
        code, shown = on_a_terminal("bfs", "--help-all", columns=60)
        self.assertEqual(code, GOOD)
        self.assertEqual([line for line in shown.decode().splitlines() if len(line) > 60], [])

    def output_of(self, command):
        """A file with the output of a shell's command."""
        with open(self.folder / "given", "w+b") as file:
            subprocess.run(command, shell=True, stdout=file, check=True)
        file = open(self.folder / "given", "rb")
        self.addCleanup(file.close)
        return file

    def test_examples_work(self):
        for name in SUBCOMMANDS:
            text = self.good(name, "--help").out.partition("Examples:\n")[2]
            examples = re.findall(r"^  wayfront (.+)$", text, re.MULTILINE)
            self.assertGreaterEqual(len(examples), 2)
            for example in examples:
                with self.subTest(example=example):
                    self.good(*example.split(), cwd=self.folder, env=NO_GPU)
            for given, example in re.findall(r"^  (printf .+) \| wayfront (.+)$", text, re.MULTILINE):
                with self.subTest(example=example):
                    self.good(*example.split(), cwd=self.folder, env=NO_GPU, stdin=self.output_of(given))

    def test_help_needs_no_other_option(self):
        self.assertIn("--source", self.good("bfs", "nosuchfile.gr", "--help").out)

    def test_version(self):
        self.assertRegex(self.good("--version").out,
                         r"^wayfront \d+\.\d+\.\d+\n(no CUDA|CUDA [\d.]+ for \S[^;]*); (no NCCL|NCCL \d+\.\d+\.\d+); OpenMP \d\.\d; [^\n,]*MPI[^\n,]*\nrates of a core of a server of 2024, \S+; of GPUs: an H200\n$")

    def test_only_one_rank_speaks(self):
        self.assertEqual(self.good("--version", ranks=3).out.count("wayfront"), 1)
        self.assertEqual(run(ranks=3).err.count("Usage:"), 1)
        self.assertEqual(self.good("bfs", "ring:5", "--source", 1, ranks=3).out.count("source 1"), 1)


class Options(DriverTest):
    def test_unknown_subcommand_suggests(self):
        self.assertIn("did you mean 'bfs'?", self.fails_alike(BAD_INPUT, "bsf", "ring:5"))
        self.assertNotIn("did you mean", self.fails(BAD_INPUT, "frobnicate"))

    def test_unknown_option_suggests(self):
        self.assertIn("'--sorce'; did you mean '--source'?", self.fails_alike(BAD_INPUT, "bfs", "ring:5", "--sorce", 1))
        self.assertIn("'--sour'; did you mean '--source'?", self.fails_alike(BAD_INPUT, "bfs", "ring:5", "--sour", 1))
        message = self.fails(BAD_INPUT, "bfs", "ring:5", "--frobnicate")
        self.assertNotIn("did you mean", message)
        self.assertIn("'--frobnicate' (see 'wayfront bfs --help')", message)

    def test_names_that_other_programs_use(self):
        for subcommand, word, option in [("bfs", "max-depth", "cutoff"), ("bfs", "depth-limit", "cutoff"), ("bfs", "depth_limit", "cutoff"),
                                         ("bfs", "src", "source"), ("bfs", "root", "source"), ("bfs", "start", "source"), ("graph500", "nbfs", "keys"),
                                         ("graph500", "roots", "keys"), ("graph500", "ef", "edgefactor"), ("graph500", "edge-factor", "edgefactor"),
                                         ("graph500", "edge_factor", "edgefactor"), ("bfs", "nthreads", "threads")]:
            with self.subTest(word=word):
                message = self.fails(BAD_INPUT, subcommand, "kron:5", f"--{word}", 3)
                self.assertTrue(message.endswith(f"'--{word}'; did you mean '--{option}'? (see 'wayfront {subcommand} --help')"), message)
        self.assertNotIn("did you mean", self.fails(BAD_INPUT, "info", "kron:5", "--src", 3), "info has no --source")

    def test_graphs_that_are_neither_file_nor_spec(self):
        self.assertIn("did you mean --scale 20?", self.fails_alike(BAD_INPUT, "graph500", "20"))
        for word in ("20", "kron10"):
            message = self.fails_alike(BAD_INPUT, "bfs", word, "--source", 1)
            self.assertRegex(message, f"{word}: there is no such file; for a generated graph write its spec, such as kron:20$")
        self.assertNotIn("kron:20", self.fails(BAD_INPUT, "bfs", "g.doc", "--source", 1))
        self.assertIn("for a file of that name write ./data:g.gr", run("bfs", "data:g.gr", "--source", 1).err)

    def test_short_options_of_other_programs(self):
        self.assertIn("did you mean '--scale'?", self.fails(BAD_INPUT, "graph500", "-s", 10))
        self.assertIn("did you mean '--scale'?", self.fails(BAD_INPUT, "graph500", "-g", 10))
        self.assertIn("did you mean '--source'?", self.fails(BAD_INPUT, "bfs", "ring:5", "-s", 1))
        self.assertIn("write its spec, such as kron:20", self.fails(BAD_INPUT, "bfs", "-g", 10))
        self.assertIn("did you mean '--undirected'?", self.fails(BAD_INPUT, "bfs", "ring:5", "--symmetrize"))
        self.assertEqual(self.good("version").out, self.good("--version").out)

    def test_output_as_argument_or_option(self):
        for subcommand in ("generate", "convert"):
            for arguments in (("a.el",), ("-o", "a.el"), ("--output", "a.el")):
                self.good(subcommand, "ring:5", *arguments, cwd=self.folder)
                (self.folder / "a.el").unlink()
            self.assertIn("more than once", self.fails(BAD_INPUT, subcommand, "ring:5", "a.el", "-o", "b.el"))

    def test_options_are_not_abbreviated(self):
        self.fails(BAD_INPUT, "bfs", "ring:5", "--sour", 1)

    def test_option_before_the_subcommand(self):
        self.assertIn("expected a subcommand first", self.fails(BAD_INPUT, "--scale", 5, "graph500"))

    def test_missing_things(self):
        self.assertIn("GRAPH is missing", self.fails_alike(BAD_INPUT, "bfs"))
        self.assertIn("no source", self.fails_alike(BAD_INPUT, "bfs", "ring:5"))
        self.assertIn("--threads: a value is missing", self.fails_alike(BAD_INPUT, "bfs", "ring:5", "--source", 1, "--threads"))
        self.assertIn("--scale is missing", self.fails_alike(BAD_INPUT, "graph500"))
        self.assertIn("OUTPUT is missing", self.fails_alike(BAD_INPUT, "generate", "ring:5"))
        self.assertIn("OUTPUT is missing", self.fails_alike(BAD_INPUT, "convert", "ring:5"))

    def test_too_many_things(self):
        self.assertIn("too many arguments", self.fails(BAD_INPUT, "bfs", "ring:5", "ring:6", "--source", 1))
        self.assertIn("more than once", self.fails(BAD_INPUT, "bfs", "ring:5", "--source", 1, "--threads", 1, "--threads", 2))
        self.assertIn("takes no value", self.fails(BAD_INPUT, "bfs", "ring:5", "--source", 1, "--quiet=yes"))

    def test_values_that_do_not_fit(self):
        for option, value in [("--threads", "0"), ("--threads", "two"), ("--threads", "1x"), ("--alpha", "0"), ("--alpha", "-1"), ("--beta", "nan"),
                              ("--direction", "sideways"), ("--engine", "tpu"), ("--transport", "post"), ("--grid", "2by2"), ("--grid", "0x1"), ("--exchange", "post"),
                              ("--overlap", "yes"),
                              ("--cutoff", "-1"), ("--source", "-1"), ("--source", "x"), ("--seed", "-3"), ("--source", "99999999999999999999")]:
            with self.subTest(option=option, value=value):
                message = self.fails(BAD_INPUT, "bfs", "ring:5", "--source", "1", option, value)
                self.assertIn(option, message)
                self.assertIn("expected", message)
                self.assertIn(f"'{value}'", message)

    def test_empty_values(self):
        for option, value_name in (("--output", "FILE"), ("--checkpoint", "FILE"), ("--sources", "FILE|random:K")):
            message = self.fails(BAD_INPUT, "apsp", "ring:5", option, "")
            self.assertEqual(message, f"wayfront: error: {option}: expected {value_name}, found ''")

    def test_grid_of_another_size(self):
        self.assertIn("2x2 is a grid of 4 ranks", self.fails(BAD_INPUT, "bfs", "ring:5", "--source", 1, "--grid", "2x2", ranks=3))

    def test_options_that_exclude_each_other(self):
        self.assertIn("--validate and --cutoff", self.fails(BAD_INPUT, "bfs", "ring:5", "--source", 1, "--validate", "--cutoff", 2))
        self.assertIn("--scale and a GRAPH", self.fails(BAD_INPUT, "graph500", "kron:5", "--scale", 5))
        message = self.fails_alike(BAD_INPUT, "graph500", "kron:8", "--edgefactor", 32)
        self.assertIn("--edgefactor and a GRAPH do not go together: the spec contains the edge factor, for example kron:20,ef=32", message)
        for engine in ("cpu", "split"):
            for arguments in (["bfs", "ring:5", "--source", 1], ["graph500", "--scale", 5]):
                for transport in ("p2p", "nccl"):
                    message = self.fails_alike(BAD_INPUT, *arguments, "--engine", engine, "--transport", transport)
                    self.assertIn(f"--transport {transport}: requires --engine gpu or auto", message)

    def test_seeds_of_graphs_that_are_named(self):
        message = self.fails_alike(BAD_INPUT, "graph500", "rmat:11", "--seed", 3)
        self.assertIn("'--seed'; the seed of a GRAPH is part of its spec, for example rmat:11,seed=3", message)

    def test_options_without_effect(self):
        for options, note in ((("--overlap", "on"), "--overlap on has an effect only on host-driven searches on GPUs alone"),):
            for command in (("bfs", "ring:5", "--source", 1), ("graph500", "--scale", 5, "--keys", 1)):
                self.assertIn(f"wayfront: note: {note}", self.good(*command, *options, env=NO_GPU).err)
                self.assertNotIn("wayfront: ", self.good(*command, *options, "--quiet", env=NO_GPU).err)

    def test_missing_engines(self):
        for arguments in (["bfs", "ring:5", "--source", 1], ["graph500", "--scale", 5]):
            message = self.fails_alike(RESOURCES, *arguments, "--engine", "gpu", env=NO_GPU)
            self.assertRegex(message, r"--engine gpu: (no GPU was found; --engine cpu searches on the CPU|this wayfront was built without CUDA; put nvcc .*)$")
            self.assertIn("--engine split", self.fails_alike(RESOURCES, *arguments, "--engine", "split", env=NO_GPU))

    def test_a_missing_gpu_is_told_before_anything_is_read(self):
        self.assertIn("--engine gpu", self.fails(RESOURCES, "bfs", "nosuchfile.gr", "--source", 1, "--engine", "gpu", env=NO_GPU))
        self.assertIn("--engine gpu", self.fails(RESOURCES, "graph500", "--scale", 47, "--engine", "gpu", env=NO_GPU))

    def test_missing_transports(self):
        for arguments in (["bfs", "nosuchfile.gr", "--source", 1], ["graph500", "--scale", 47]):
            for transport in ("p2p", "nccl"):
                message = self.fails_alike(RESOURCES, *arguments, "--transport", transport, env=NO_GPU)
                self.assertRegex(message, rf"--transport {transport}: (no GPU was found|this wayfront was built without CUDA)")
            for transport in ("mpi", "host"):
                self.assertIn("--engine gpu: ", self.fails(RESOURCES, *arguments, "--engine", "gpu", "--transport", transport, env=NO_GPU))

    def test_a_busy_host_is_noted(self):
        for others, notes in (("500", 1), ("0", 0)):
            outcome = run("bfs", "path:3", "--source", "0", "--threads", "2", env={"WAYFRONT_THREADS_OF_OTHERS": others})
            self.assertEqual(outcome.err.count("cores busy; threads wait for each other"), notes, outcome)

    def test_messages_of_the_cpu_travel_over_mpi(self):
        for engine in ("auto", "cpu"):
            for transport in ("mpi", "host"):
                outcome = self.good("bfs", "ring:5", "--source", 1, "--engine", engine, "--transport", transport, ranks=2, env=NO_GPU)
                self.assertIn("search         cpu engine, ", outcome.out)
                self.assertNotIn("wayfront: ", outcome.err)

    def test_auto_is_the_cpu_if_there_is_no_gpu(self):
        for engine in ("auto", "cpu"):
            for ranks in (1, 3):
                outcome = self.good("bfs", "ring:5", "--source", 1, "--engine", engine, ranks=ranks, env=NO_GPU)
                self.assertIn("search         cpu engine, ", outcome.out)
                self.assertNotIn("wayfront: ", outcome.err)
        self.assertIn("engine:                         cpu\n", self.good("graph500", "--scale", 5, "--keys", 2, env=NO_GPU).out)

    def test_share_of_the_cpu(self):
        for share in ("-0.1", "1.5", "half", "", "nan", "0.2x"):
            with self.subTest(share=share):
                message = self.fails(BAD_INPUT, "bfs", "ring:5", "--source", 1, "--engine", "split", f"--cpu-share={share}")
                self.assertIn("--cpu-share", message)
        for engine in ("cpu", "gpu", "auto"):
            message = self.fails_alike(BAD_INPUT, "bfs", "ring:5", "--source", 1, "--engine", engine, "--cpu-share", "0.5")
            self.assertIn("--engine split", message)
        for share in ("auto", "0", "0.25", "1"):
            outcome = run("bfs", "ring:5", "--source", 1, "--engine", "split", "--cpu-share", share)
            self.assertIn(outcome.code, (GOOD, RESOURCES), outcome)  # without a GPU, the run ends with RESOURCES

    def test_specs_that_are_wrong(self):
        for spec in ("nosuch:5", "kron:0", "kron:99", "kron:x", "ring:2", "random:5", "grid:3", "regular:3,1", "kron:5,bogus=1", "kron:5,"):
            with self.subTest(spec=spec):
                self.assertIn(spec, self.fails(BAD_INPUT, "bfs", spec, "--source", 1))

    def test_graphs_past_the_memory(self):
        self.assertIn("kron:42", self.fails(RESOURCES, "bfs", "kron:42", "--source", 1, ranks=2))


class Binding(DriverTest):
    """Ranks that mpirun binds to a part of the cores."""

    LAUNCH = [MPIEXEC, "-n", "1", "--bind-to"]

    def notes(self, launch, *options, **env):
        program = [*launch, BINARY, "info", "ring:5", *options]
        finished = subprocess.run(program, env={**environment(), **env}, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        self.assertEqual(finished.returncode, GOOD, finished)
        return [line for line in finished.stderr.splitlines() if line.startswith("wayfront: ")]

    def setUp(self):
        super().setUp()
        self.cores = len(os.sched_getaffinity(0))
        count = [sys.executable, "-c", "import os; print(len(os.sched_getaffinity(0)))"]
        bound = subprocess.run([*self.LAUNCH, "core", *count], env=environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        if bound.returncode != 0 or int(bound.stdout) >= self.cores:
            self.skipTest("nothing is bound to a part of the cores here")
        self.bound = int(bound.stdout)

    def test_one_note(self):
        notes = self.notes([*self.LAUNCH, "core"])
        self.assertEqual(len(notes), 1, notes)
        self.assertRegex(notes[0], rf"^wayfront: note: the ranks of this host may use {self.bound} of its \d+ cores; "
                                   r"if mpirun bound them to cores, its option --bind-to none lets them use all$")

    def test_none_if_threads_are_given_or_nothing_is_bound(self):
        bound = [*self.LAUNCH, "core"]
        for launch, options, env in ((bound, ("--quiet",), {}), (bound, ("--threads", "1"), {}), (bound, (), {"OMP_NUM_THREADS": "1"}),
                                     ([*self.LAUNCH, "none"], (), {}), (["taskset", "-c", str(min(os.sched_getaffinity(0)))], (), {}),
                                     ([], (), {})):
            with self.subTest(launch=launch, options=options, env=env):
                self.assertEqual(self.notes(launch, *options, **env), [])


class Scripts(unittest.TestCase):
    def test_quickstart_takes_no_options(self):
        for arguments, code in [(["--help"], GOOD), (["--foo"], BAD_INPUT), ([""], BAD_INPUT), (["--help", "more"], BAD_INPUT)]:
            with self.subTest(arguments=arguments):
                finished = subprocess.run([ROOT / "quickstart", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)
                self.assertEqual((finished.returncode, finished.stderr), (code, ""))
                self.assertIn("usage: ./quickstart", finished.stdout)


class Configuration(DriverTest):
    def test_any_option_and_comments(self):
        config = self.file("job.conf", "# a job\nthreads = 1\ngraph = path:10   ; the graph\nquiet\nsource = 3\n\n[bfs]\ntarget=5\n[info]\njson = x.json\n")
        self.assertEqual(self.good("bfs", "--config", config).out, "path of 2 edges: 3 4 5\n")
        self.assertEqual(self.good("bfs", "--config", config, ranks=3).out, "path of 2 edges: 3 4 5\n")

    def test_command_line_goes_first(self):
        config = self.file("job.conf", "source = 3\nquiet = true\ntarget = 9\n")
        self.assertEqual(self.good("bfs", "path:10", "--config", config, "--source", 1, "--target", 2).out, "path of 1 edge: 1 2\n")

    def test_edge_factors_for_other_graphs_are_passed_over(self):
        config = self.file("c.cfg", "edgefactor = 8\nseed1 = 5\n")
        self.assertIn("edge_tuples:                    1024\n", self.good("graph500", "kron:6", "--keys", 1, "--config", config, env=NO_GPU).out)
        self.assertIn("edge_tuples:                    512\n", self.good("graph500", "--scale", 6, "--keys", 1, "--config", config, env=NO_GPU).out)
        self.good("bfs", "ring:5", "--source", 1, "--config", config)

    def test_options_of_other_subcommands_are_passed_over(self):
        config = self.file("job.conf", "scale = 10\nquiet = false\nkeys = 5\nsource = 3\n")
        self.assertIn("source 3", self.good("bfs", "path:10", "--config", config).out)

    def test_mistakes_have_a_line(self):
        for text, expected in [("\nthread = 1\n", ":2: unknown option 'thread'; did you mean 'threads'?"), ("[bsf]\nsource=1\n", ":2: there is no subcommand"),
                               ("quiet = maybe\n", ":1: quiet: expected true or false"), ("a b = 3\n", ":1: expected NAME = VALUE"),
                               ("threads\n", ":1: threads: a value is missing"), ("config = x.conf\n", ":1: config: a configuration file cannot name another"),
                               ("[bfs]\nscale = 10\n", ":2: unknown option 'scale'")]:
            with self.subTest(text=text):
                config = self.file("job.conf", text)
                self.assertIn(f"{config}{expected}", self.fails_alike(BAD_INPUT, "bfs", "path:10", "--source", 1, "--config", config))

    def test_values_are_checked(self):
        self.assertIn("--threads: expected", self.fails(BAD_INPUT, "bfs", "path:10", "--source", 1, "--config", self.file("job.conf", "threads = many\n")))

    def test_threads_decide_how_they_wait(self):
        # GNU's OpenMP reports how threads wait; if there are more threads than cores, they sleep.
        many = self.file("many.conf", f"[bfs]\nthreads = 1\n[info]\nthreads = {2 * os.cpu_count()}\n")
        shown = {"OMP_DISPLAY_ENV": "true"}
        if "OMP_WAIT_POLICY" not in self.good("info", "ring:5", env=shown).err:
            self.skipTest("another OpenMP")
        passive = "OMP_WAIT_POLICY = 'PASSIVE'"
        self.assertIn(passive, self.good("info", "ring:5", "--threads", 2 * os.cpu_count(), env=shown).err)
        self.assertIn(passive, self.good("info", "ring:5", "--config", many, env=shown).err)
        self.assertIn(passive, self.good("info", "ring:5", f"--config={many}", env=shown).err)

    def test_missing_file(self):
        self.assertIn("nosuch.conf", self.fails_alike(BAD_INPUT, "bfs", "path:10", "--config", self.folder / "nosuch.conf"))
        self.assertIn("is a directory", self.fails_alike(BAD_INPUT, "bfs", "path:10", "--config", self.folder))


if __name__ == "__main__":
    unittest.main()
