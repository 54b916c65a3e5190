"""All pairs from outside: jobs that are stopped, killed or fail, and resumed from their
checkpoints."""

import json
import re
import signal
import subprocess
import time
import unittest

from driver import BAD_INPUT, RESOURCES, STOPPED, DriverTest, WithFailingCalls, command, environment
from weighted_graph import tangle


class Checkpoints(DriverTest):
    GRAPH = ("random:6000,24000", "--weights", "uniform:1..100", "--threads", "1", "--algorithm", "dijkstra")

    def setUp(self):
        super().setUp()
        self.names = {"checkpoint": self.folder / "c", "output": self.folder / "d.npy", "json": self.folder / "j.json"}
        self.unfinished = self.folder / "d.npy.unfinished"

    def words(self, *options):
        return ("apsp", *self.GRAPH, "-o", self.names["output"], "--json", self.names["json"], "--checkpoint", self.names["checkpoint"], *options)

    def has_rows(self, since):
        """Whether the unfinished file was changed after the time `since`, and its first row is
        written."""
        if not self.unfinished.exists() or self.unfinished.stat().st_mtime_ns <= since:
            return False
        with self.unfinished.open("rb") as file:
            file.seek(128)
            return any(file.read(64))

    def start(self, *options):
        """Starts a job with a checkpoint, and waits until it makes rows."""
        before = self.unfinished.stat().st_mtime_ns if self.unfinished.exists() else 0
        process = subprocess.Popen(command(self.words(*options)), env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        while process.poll() is None and not self.has_rows(before):
            time.sleep(0.01)
        return process

    def end(self, process, number):
        process.send_signal(number)
        _, err = process.communicate(timeout=60)
        return process.returncode, err

    def test_targets(self):
        """A job for some columns stops between its batches, too, and is not resumed for others."""
        targets, whole = ("--targets", "random:40"), self.folder / "whole.npy"
        self.good("apsp", *self.GRAPH, *targets, "-o", whole)
        code, err = self.end(self.start(*targets), signal.SIGTERM)
        self.assertEqual(code, STOPPED, err)
        for others in ((), ("--targets", "random:41")):
            self.assertIn("is the checkpoint of another job", self.fails(BAD_INPUT, *self.words(*others, "--resume")))
        self.good(*self.words(*targets, "--resume"))
        self.assertEqual(self.names["output"].read_bytes(), whole.read_bytes())

    def test_killed_and_resumed_runs_give_the_same_bytes(self):
        whole, facts = self.folder / "whole.npy", self.folder / "whole.json"
        self.good("apsp", *self.GRAPH, "-o", whole, "--json", facts)
        first = self.start()
        message = self.fails(RESOURCES, *self.words()[:-2], "--checkpoint", self.folder / "other")
        self.assertEqual(message, f"wayfront: error: {self.names['output']}: another job is writing {self.unfinished}")
        self.assertTrue(self.unfinished.exists())
        code, err = self.end(first, signal.SIGTERM)
        self.assertEqual(code, STOPPED, err)
        self.assertRegex(err, r"stopped by SIGTERM after \d+ of 6000 rows; the same command with --resume goes on from ")
        self.assertFalse(self.names["output"].exists())

        message = self.fails(BAD_INPUT, "apsp", *self.GRAPH, "--checkpoint", self.names["checkpoint"])
        self.assertIn("exists; add --resume", message)
        message = self.fails(BAD_INPUT, "apsp", "random:6000,24000,seed=2", *self.words()[2:], "--resume")
        self.assertIn("is the checkpoint of another graph", message)
        message = self.fails(BAD_INPUT, "apsp", *self.GRAPH, "--json", self.names["json"], "--checkpoint", self.names["checkpoint"], "--resume")
        self.assertIn("is the checkpoint of another job", message)

        code, err = self.end(self.start("--resume"), signal.SIGKILL)
        self.assertEqual(code, -signal.SIGKILL, err)
        code, err = self.end(self.start("--resume"), signal.SIGTERM)
        self.assertEqual(code, STOPPED, err)
        self.assertTrue((self.folder / "c.before").exists())
        content = bytearray(self.names["checkpoint"].read_bytes())
        content[len(content) // 2] ^= 1
        self.names["checkpoint"].write_bytes(content)
        outcome = self.good(*self.words("--resume"), ranks=2)
        self.assertRegex(outcome.err, r"note: .*/c is damaged: the job goes on from the previous checkpoint, .*/c\.before\n")
        done = int(re.search(r"note: (\d+) of 6000 rows are done", outcome.err)[1])
        self.assertRegex(outcome.out, rf"computed {6000 - done} rows by .* in .* s; {done} were done before\n")
        self.assertEqual(self.names["output"].read_bytes(), whole.read_bytes())
        summaries = [json.loads(path.read_text())["summary"] for path in (facts, self.names["json"])]
        self.assertEqual(*summaries)
        self.assertEqual(json.loads(self.names["json"].read_text())["resumed_rows"], done)
        self.assertEqual(sorted(f.name for f in self.folder.iterdir()), ["d.npy", "j.json", "whole.json", "whole.npy"])


class SmallJobs(WithFailingCalls):
    """Jobs with one graph."""

    def names(self):
        return sorted(f.name for f in self.folder.iterdir() if f != self.graph)


class MatrixCheckpoints(SmallJobs):
    """Floyd-Warshall with negative weights and predecessors, in 3 steps of 3 x 3 tiles, with a
    checkpoint after each. A step's file alternates between c.matrix-0 and c.matrix-1."""

    def setUp(self):
        super().setUp()
        self.words = {}
        self.start("")

    def start(self, fraction):
        """The graph, and the job's expected outputs. Potentials make weights negative, and no
        cycle."""
        n = 300
        ends = [(u, (u * 7 + k * k * 11 + k) % n) for u in range(n) for k in range(6)]
        lines = (f"{u} {v} {u * v % 20 + 1 + u * 37 % 50 - v * 37 % 50}{fraction if u % 3 == 0 else ''}" for u, v in ends if u != v)
        self.graph = self.file("g.wel", "\n".join(lines) + "\n")
        self.expected = [self.folder / "expected-d.npy", self.folder / "expected-p.npy"]
        self.good("apsp", self.graph, "-o", self.expected[0], "--predecessors", self.expected[1], "--validate")
        self.outputs = [self.folder / "d.npy", self.folder / "p.npy"]
        self.words = ("apsp", self.graph, "--threads", "1", "-o", self.outputs[0], "--predecessors", self.outputs[1], "--checkpoint", self.folder / "c")

    def check_outputs(self, context):
        for output, whole in zip(self.outputs, self.expected):
            self.assertEqual(output.read_bytes(), whole.read_bytes(), context)
            output.unlink()
        self.assertEqual(self.names(), [path.name for path in self.expected], context)

    def killed(self, call):
        died = self.run_with(call, "killed", *self.words, "--checkpoint-every", 0)
        self.assertEqual(died.code, -signal.SIGKILL, (call, died))

    def test_killed_at_any_moment(self):
        calls = [(f"pwrite:c.matrix-0:{call}", 0 if call < 10 else 2) for call in (1, 9, 10, 18)] + [("pwrite:c.matrix-1:5", 1), ("rename:/c:1", 1)]
        calls += [("fsync:c.matrix-0:1", 0), ("fsync:c.matrix-1:1", 1), ("rename:/c.before:1", 1), ("rename:/c:2", 2), ("pwrite:d.npy.unfinished:2", 3)]
        calls += [("rename:/c.before:3", 3), ("rename:/p.npy:1", None), ("remove:/c.before:1", None)]
        for fraction in ("", ".1"):
            self.start(fraction)
            for call, steps in calls:
                self.killed(call)
                resumed = self.good(*self.words, "--resume")
                if steps is None:
                    self.assertIn("note: 300 of 300 rows are done", resumed.err)
                elif steps == 0:
                    self.assertIn("there is no checkpoint", resumed.err)
                else:
                    self.assertIn(f"note: {steps} of 3 steps are done; the job goes on", resumed.err, call)
                    self.assertIn(f"; {steps} {'step was' if steps == 1 else 'steps were'} done before", resumed.out)
                self.check_outputs((call, resumed))

    def test_killed_while_checkpoints_are_removed(self):
        """The output is complete by then, and has its name. The last checkpoint, which knows, is removed last."""
        words = ("apsp", "grid:20x20", "--weights", "uniform:1..255", "--algorithm", "push-pull", "--threads", "1")
        output, whole = self.folder / "d.raw", self.folder / "whole.raw"
        self.good(*words, "-o", whole)
        words += ("-o", output, "--checkpoint", self.folder / "c", "--checkpoint-every", 0)
        for call in ("remove:/c.before:1", "remove:/c:1"):
            died = self.run_with(call, "killed", *words)
            self.assertEqual(died.code, -signal.SIGKILL, (call, died))
            if call == "remove:/c.before:1":
                self.assertIn("note: 400 of 400 rows are done", self.good(*words, "--resume").err)
            self.assertEqual(output.read_bytes(), whole.read_bytes(), call)
            self.assertEqual([file.name for file in self.folder.glob("c*")], [], call)
            output.unlink()

    def test_sigterm_and_other_numbers_of_ranks(self):
        self.start(".1")
        for before, after in ((1, 4), (3, 1)):
            stopped = self.run_with("pwrite:c.matrix-0:1", "terminated", *self.words, "--checkpoint-every", 0, ranks=before)
            self.assertEqual((stopped.code, stopped.message),
                             (STOPPED, f"wayfront: error: stopped by SIGTERM after 1 of 3 steps; the same command with --resume goes on from {self.folder}/c"))
            self.assertIn("1 of 3 steps are done", self.good(*self.words, "--resume", ranks=after).err)
            self.check_outputs((before, after))

    def test_sigterm_while_rows_are_written(self):
        """The matrix is saved, although no checkpoint is due. A batch has 699 rows."""
        graph = ("random:1500,4000", "--weights", "float", "--threads", "1", "--algorithm", "floyd-warshall")
        self.good("apsp", *graph, "-o", self.expected[0], "--predecessors", self.expected[1])
        words = ("apsp", *graph, *self.words[4:])
        for before, after in ((1, 3), (2, 1)):
            stopped = self.run_with("pwrite:d.npy.unfinished:2", "terminated", *words, ranks=before)
            self.assertEqual(stopped.code, STOPPED, stopped)
            done = int(re.search(r"stopped by SIGTERM after (\d+) of 1500 rows", stopped.message)[1])
            resumed = self.good(*words, "--resume", ranks=after)
            self.assertIn(f"note: {done} of 1500 rows are done", resumed.err)
            self.assertIn("note: 12 of 12 steps are done", resumed.err)
            self.check_outputs((before, after))

    def damage(self, name):
        content = bytearray((self.folder / name).read_bytes())
        content[len(content) // 2] ^= 1
        (self.folder / name).write_bytes(content)

    def test_damaged_and_foreign_checkpoints(self):
        self.killed("rename:/c:2")
        self.damage("c.matrix-1")
        resumed = self.good(*self.words, "--resume")
        self.assertIn(f"note: {self.folder}/c.matrix-1 is damaged or missing: the job goes on from the previously saved matrix\n", resumed.err)
        self.assertIn("note: 1 of 3 steps are done", resumed.err)
        self.check_outputs(resumed)

        self.killed("rename:/c:2")
        self.damage("c")
        resumed = self.good(*self.words, "--resume")
        self.assertIn("c is damaged: the job goes on from the previous checkpoint", resumed.err)
        self.assertIn("note: 1 of 3 steps are done", resumed.err)
        self.check_outputs(resumed)

        self.killed("rename:/c:2")
        self.damage("c.matrix-0")
        (self.folder / "c.matrix-1").unlink()
        message = self.fails(BAD_INPUT, *self.words, "--resume", ranks=3)
        self.assertEqual(message, f"wayfront: error: --resume: {self.folder}/c.matrix-1 is damaged or missing, and {self.folder}/c.matrix-0 is damaged or "
                         "missing; remove the checkpoint to begin anew")
        other = self.file("other.wel", self.graph.read_text().replace("0 ", "1 ", 1))
        self.assertIn("c is the checkpoint of another graph", self.fails(BAD_INPUT, "apsp", other, *self.words[2:], "--resume"))
        self.assertIn("c is the checkpoint of another job", self.fails(BAD_INPUT, *self.words, "--resume", "--dtype", "float64"))
        self.damage("c")
        self.damage("c.before")
        self.assertEqual(self.fails(BAD_INPUT, *self.words, "--resume"), f"wayfront: error: --resume: {self.folder}/c is damaged, and {self.folder}/c.before is "
                         f"damaged; remove {self.folder}/c and {self.folder}/c.before to begin anew")
        (self.folder / "c").unlink()
        self.assertEqual(self.fails(BAD_INPUT, *self.words, "--resume"), f"wayfront: error: --resume: {self.folder}/c is missing, and {self.folder}/c.before is "
                         f"damaged; remove {self.folder}/c.before to begin anew")

    def test_outputs_without_rows_may_be_missing(self):
        self.killed("rename:/c:2")
        for output in self.outputs:
            output.with_name(output.name + ".unfinished").unlink()
        self.assertIn("note: 2 of 3 steps are done", self.good(*self.words, "--resume").err)
        self.check_outputs("missing outputs")

    def test_a_full_disk(self):
        for call in ("pwrite:c.matrix-1:3", "fsync:c.matrix-1:1", "rename:/c:2"):
            outcome = self.run_with(call, "full", *self.words, "--checkpoint-every", 0)
            self.assertEqual(outcome.code, 0, outcome)
            self.assertRegex(outcome.err, r"note: no checkpoint after step 2, the job goes on: \S+ cannot be written: No space left on device\n")
            self.check_outputs(call)
        outcome = self.run_with("statvfs:*:3", "full", *self.words)
        self.assertEqual(outcome.code, RESOURCES)
        self.assertRegex(outcome.message, r"--checkpoint: \S+/c: cannot be written: at least .* are needed.*; Floyd-Warshall keeps two saved copies of the matrix")
        self.assertEqual(self.names(), [path.name for path in self.expected])


class FailingCalls(SmallJobs):
    """Jobs of rows that do not depend on each other."""

    def setUp(self):
        super().setUp()
        self.graph = self.file("g.gr", tangle(directed=True, first=1).as_dimacs())

    def test_a_job_that_dies_after_its_last_row_can_be_resumed(self):
        for form in ("npy", "raw", "csv"):
            expected = [self.folder / f"expected-{name}.{form}" for name in "dp"]
            self.good("apsp", self.graph, "-o", expected[0], "--predecessors", expected[1])
            outputs = [self.folder / f"{name}.{form}" for name in "dp"]
            words = ("apsp", self.graph, "-o", outputs[0], "--predecessors", outputs[1], "--checkpoint", self.folder / "c", "--json", self.folder / "j.json")
            for call in ("rename:/c:1", f"rename:/d.{form}:1", f"rename:/p.{form}:1", "rename:/j.json:1"):
                died = self.run_with(call, "killed", *words)
                self.assertEqual(died.code, -signal.SIGKILL, (call, died))
                resumed = self.good(*words, "--resume")
                self.assertRegex(resumed.err, r"note: 61 of 61 rows are done", (call, resumed))
                self.assertRegex(resumed.out, r"computed 0 rows by .*; 61 were done before")
                for output, whole in zip(outputs, expected):
                    self.assertEqual(output.read_bytes(), whole.read_bytes(), (call, form))
                self.assertEqual(json.loads((self.folder / "j.json").read_text())["summary"]["sources"], 61)
                for path in (*outputs, self.folder / "j.json"):
                    path.unlink()
                self.assertEqual(self.names(), sorted(path.name for path in expected), call)
            for path in expected:
                path.unlink()

    def test_elimination_is_resumed(self):
        """A batch has 36 groups of 16 rows. The vertices are eliminated anew."""
        words = ("apsp", "grid:60x60", "--weights", "uniform:1..9", "--threads", "1", "--algorithm", "elimination", "-o")
        expected, output = self.folder / "expected.npy", self.folder / "d.npy"
        self.good(*words, expected)
        stopped = self.run_with("pwrite:d.npy.unfinished:3", "terminated", *words, output, "--checkpoint", self.folder / "c")
        self.assertEqual(stopped.code, STOPPED, stopped)
        self.assertIn("stopped by SIGTERM after 1152 of 3600 rows", stopped.message)
        resumed = self.good(*words, output, "--checkpoint", self.folder / "c", "--resume")
        self.assertIn("note: 1152 of 3600 rows are done", resumed.err)
        self.assertEqual(output.read_bytes(), expected.read_bytes())

    def test_rows_of_a_job_that_is_stopped_are_not_lost(self):
        """A batch has 512 rows. SIGTERM comes during the second."""
        graph = ("random:1500,4000", "--threads", "1", "--algorithm", "bit-parallel")
        for form, header in (("npy", 1), ("raw", 0), ("csv", 0)):
            expected, output = self.folder / f"expected.{form}", self.folder / f"d.{form}"
            self.good("apsp", *graph, "-o", expected)
            words = ("apsp", *graph, "-o", output, "--checkpoint", self.folder / "c")
            stopped = self.run_with(f"pwrite:d.{form}.unfinished:{header + 2}", "terminated", *words)
            self.assertEqual(stopped.code, STOPPED, stopped)
            self.assertIn("stopped by SIGTERM after 1024 of 1500 rows", stopped.message)
            self.assertEqual(self.names(), ["c", f"d.{form}.unfinished", expected.name])
            resumed = self.good(*words, "--resume", ranks=1)
            self.assertIn("note: 1024 of 1500 rows are done", resumed.err)
            self.assertEqual(output.read_bytes(), expected.read_bytes())
            output.unlink()
            expected.unlink()

    def test_a_job_that_fails_before_its_first_checkpoint_leaves_nothing(self):
        words = ("apsp", self.graph, "-o", self.folder / "d.npy", "--checkpoint", self.folder / "c")
        for number in (1, 2):  # the header, and the first rows
            self.assertEqual(self.run_with(f"pwrite:d.npy.unfinished:{number}", "full", *words).code, RESOURCES)
            self.assertEqual(self.names(), [])

    def test_a_job_whose_first_checkpoint_fails_leaves_nothing(self):
        words = ("apsp", self.graph, "-o", self.folder / "d.npy", "--checkpoint", self.folder / "c")
        for ranks in (1, 2):
            self.assertEqual(self.run_with("rename:/c:1", "full", *words, ranks=ranks).code, RESOURCES)
            self.assertEqual(self.names(), [])
        two = (*words, "--predecessors", self.folder / "p.npy")
        for call in ("fsync:d.npy.unfinished:1", "fsync:p.npy.unfinished:1"):
            with self.subTest(call=call):
                self.assertEqual(self.run_with(call, "full", *two).code, RESOURCES)
                self.assertEqual(self.names(), [])

    def test_damaged_rows_are_found(self):
        outputs = [self.folder / f"{name}.npy" for name in "dp"]
        words = ("apsp", self.graph, "-o", outputs[0], "--predecessors", outputs[1], "--checkpoint", self.folder / "c")
        self.assertEqual(self.run_with("rename:/c:1", "killed", *words).code, -signal.SIGKILL)
        for output in outputs:
            unfinished = output.with_name(output.name + ".unfinished")
            good = unfinished.read_bytes()
            for at in (130, len(good) - 1):
                damaged = bytearray(good)
                damaged[at] ^= 1
                unfinished.write_bytes(damaged)
                for ranks in (1, 3):
                    self.assertEqual(self.fails(BAD_INPUT, *words, "--resume", ranks=ranks), f"wayfront: error: --resume: {unfinished} is damaged: rows differ "
                                     "from those that the earlier job wrote; remove the checkpoint to begin anew")
            unfinished.write_bytes(good)
        self.assertIn("note: 61 of 61 rows are done", self.good(*words, "--resume", ranks=2).err)

    def test_the_numbering_of_vertices_belongs_to_the_job(self):
        from_0 = self.file("a.wel", "0 1 5\n1 2 3\n2 0 4\n")
        from_1 = self.file("a.gr", "p sp 3 3\na 1 2 5\na 2 3 3\na 3 1 4\n")
        words = ("--predecessors", self.folder / "p.npy", "--checkpoint", self.folder / "c")
        self.assertEqual(self.run_with("rename:/p.npy:1", "killed", "apsp", from_0, *words).code, -signal.SIGKILL)
        message = self.fails(BAD_INPUT, "apsp", from_1, *words, "--resume")
        self.assertRegex(message, "c is the checkpoint of another job: .* vertices from 0 on, .* this job has .* vertices from 1 on, ")

    def test_the_direction_of_edges_belongs_to_the_job(self):
        # A cycle in both directions is its own reverse.
        graph = self.file("a.wel", "0 1 5\n1 2 5\n2 0 5\n1 0 5\n2 1 5\n0 2 5\n")
        words = ("apsp", graph, "--predecessors", self.folder / "p.npy", "--checkpoint", self.folder / "c")
        self.assertEqual(self.run_with("rename:/p.npy:1", "killed", *words, "--reverse").code, -signal.SIGKILL)
        self.assertRegex(self.fails(BAD_INPUT, *words, "--resume"),
                         "c is the checkpoint of another graph: it has 3 vertices and 6 edges, reversed, .* has 3 vertices and 6 edges with ")
        self.good(*words, "--reverse", "--resume")

    def test_the_numbers_of_compact_belong_to_the_job(self):
        dense, gaps, others = (self.file(f"{a}.wel", f"0 {a} 5\n{a} {b} 3\n{b} 0 4\n") for a, b in ((1, 2), (7, 9000000000), (8, 9000000000)))
        words = ("--predecessors", self.folder / "p.npy", "--checkpoint", self.folder / "c")
        self.assertEqual(self.run_with("rename:/p.npy:1", "killed", "apsp", gaps, *words, "--compact").code, -signal.SIGKILL)
        for other in ((dense,), (others, "--compact")):
            self.assertRegex(self.fails(BAD_INPUT, "apsp", *other, *words, "--resume"), "c is the checkpoint of another job: .* whose numbers have checksum ")
        self.good("apsp", gaps, *words, "--compact", "--resume")

    def test_validation_does_not_go_with_checkpoints(self):
        self.assertEqual(self.fails(BAD_INPUT, "apsp", self.graph, "--validate", "--checkpoint", self.folder / "c"),
                         "wayfront: error: --validate and --checkpoint do not go together: a job that is resumed cannot validate the rows of the earlier job")

    def test_text_needs_space_beside_the_numbers(self):
        outputs = [("-o", self.folder / "d.csv"), ("--predecessors", self.folder / "p.csv")]
        for some in (outputs[:1], outputs):
            words = ("apsp", self.graph, *(word for output in some for word in output))
            # The numbers of each output have their place first.
            outcome = self.run_with(f"statvfs:*:{len(some) + 1}", "full", *words)
            self.assertEqual(outcome.code, RESOURCES, outcome)
            needed = float(re.search(r"at least ([0-9.]+) KiB are needed", outcome.message)[1])
            self.good(*words)
            text = sum(path.stat().st_size for _, path in some) / 1024
            self.assertTrue(text <= needed + 0.1 and needed < 2 * text, (needed, text))

    def test_sigterm_before_the_first_row(self):
        """SIGTERM comes while the header is written, and the job ends with a checkpoint."""
        expected, output = self.folder / "expected.npy", self.folder / "d.npy"
        self.good("apsp", self.graph, "-o", expected)
        words = ("apsp", self.graph, "-o", output, "--checkpoint", self.folder / "c")
        self.assertEqual(self.run_with("pwrite:d.npy.unfinished:1", "terminated", *words).code, STOPPED)
        self.good(*words, "--resume")
        self.assertEqual(output.read_bytes(), expected.read_bytes())

    def test_another_file_is_not_taken_for_the_finished_one(self):
        words = ("apsp", self.graph, "-o", self.folder / "d.npy", "--checkpoint", self.folder / "c")
        self.assertEqual(self.run_with("rename:/d.npy:1", "killed", *words).code, -signal.SIGKILL)
        (self.folder / "d.npy").write_bytes((self.folder / "d.npy").read_bytes())
        self.assertIn("is missing or has another size", self.fails(BAD_INPUT, *words, "--resume"))

    def test_a_report_that_fails_keeps_the_checkpoint(self):
        missing = self.folder / "missing"
        missing.mkdir()
        words = ("apsp", self.graph, "-o", self.folder / "d.npy", "--checkpoint", self.folder / "c", "--json", missing / "j.json")
        outcome = self.run_with("rename:/j.json:1", "full", *words)
        self.assertEqual((outcome.code, outcome.message), (RESOURCES, f"wayfront: error: {missing}/j.json: cannot be written: No space left on device"))
        self.assertIn("note: 61 of 61 rows are done", self.good(*words, "--resume").err)
        self.assertEqual(self.names(), ["d.npy", "missing"])

    def test_sigterm_while_results_are_written_and_reported(self):
        """The output is finished, and the job ends without the report."""
        words = ("apsp", self.graph, "-o", self.folder / "d.npy", "--checkpoint", self.folder / "c", "--json", self.folder / "j.json")
        self.assertEqual(self.run_with("rename:/d.npy:1", "terminated", *words).code, 0)
        self.assertEqual(self.names(), ["d.npy", "j.json"])
        self.assertEqual(self.run_with("rename:/j.json:1", "terminated", *words).code, -signal.SIGTERM)
        self.assertIn("note: 61 of 61 rows are done", self.good(*words, "--resume").err)
        self.assertEqual(self.names(), ["d.npy", "j.json"])

    def test_full_disk(self):
        for fate in ("full", "nothing"):
            outcome = self.run_with("pwrite:.npy.part*:2", fate, "apsp", self.graph, "-o", self.folder / "d.npy")
            self.assertEqual((outcome.code, outcome.message), (RESOURCES, f"wayfront: error: {self.folder}/d.npy: cannot be written: No space left on device"))
            self.assertEqual(self.names(), [])

    def test_names_last_through_a_power_failure(self):
        """The folder is synchronised after the file has got its name."""
        self.assertEqual(self.run_with(f"fsync:{self.folder.name}:0", "counted", "apsp", self.graph, "-o", self.folder / "d.npy").code, 0)
        self.assertEqual((self.folder / "count").read_text(), "1")


if __name__ == "__main__":
    unittest.main()
