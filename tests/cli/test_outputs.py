"""Output never replaces an input or another output, follows links, can be written into pipes, and leaves no file if the program is ended."""

import os
import signal
import stat
import subprocess
import tempfile
import threading
import time
import unittest

from driver import BAD_INPUT, BINARY, GOOD, RESOURCES, DriverTest, command, environment, forbid_nameless_files, nameless_files, run, unfinished_sizes

TRIANGLE = "source,target\n0,1\n1,2\n2,0\n"
RESULT = "# vertex level parent\n0 0 0\n1 1 0\n2 2 1\n"


class FilesThatAreNamedTwice(DriverTest):
    def refused(self, *arguments, **options):
        before = {entry.name: entry.read_bytes() for entry in self.folder.iterdir() if entry.is_file()}
        message = self.fails(BAD_INPUT, *arguments, **options)
        self.assertIn("the same file", message)
        self.assertEqual({entry.name: entry.read_bytes() for entry in self.folder.iterdir() if entry.is_file()}, before)

    def test_inputs_are_not_written(self):
        graph = self.file("g.csv", TRIANGLE)
        (self.folder / "link.csv").symlink_to("g.csv")
        os.link(graph, self.folder / "hard.csv")
        sources = self.file("s.txt", "0\n")
        config = self.file("c.json", "")
        other_config = self.file("c.el", "")
        for name in ("g.csv", "link.csv", "hard.csv"):
            self.refused("bfs", graph, "--source", 0, "-o", self.folder / name)
        self.refused("bfs", graph, "--source", 0, "-o", f"{self.folder}/./g.csv", ranks=3)
        self.refused("bfs", graph, "--sources", sources, "-o", sources)
        self.refused("bfs", graph, "--source", 0, "--config", config, "--json", config)
        self.refused("convert", graph, self.folder / "link.csv")
        self.refused("generate", "ring:5", "-o", other_config, "--config", other_config)
        self.refused("info", graph, "--json", graph)

    def test_unfinished_outputs_of_checkpoints_are_not_inputs(self):
        graph = self.file("z.npy.unfinished", TRIANGLE)
        self.refused("apsp", graph, "--format", "csv", "-o", self.folder / "z.npy", "--checkpoint", self.folder / "c")
        self.good("apsp", graph, "--format", "csv", "-o", self.folder / "z.npy")

    def test_weights_belong_to_tuples(self):
        self.good("generate", "kron:4", "-o", self.folder / "g.tuples")
        self.refused("info", self.folder / "g.tuples", "--json", self.folder / "g.tuples.weights")

    def test_results_of_several_sources(self):
        graph = self.file("g.1.csv", TRIANGLE)
        self.refused("bfs", graph, "--source", 0, "--source", 1, "-o", self.folder / "g.csv")

    def test_outputs_have_names_of_their_own(self):
        (self.folder / "y.json").symlink_to("x.json")
        for name in ("x.json", "y.json"):
            for option in ("--output", "--trace"):
                self.refused("bfs", "ring:5", "--source", 0, "--json", self.folder / "x.json", option, self.folder / name)
        self.good("bfs", "ring:5", "--source", 0, "--json", "/dev/null", "--trace", "/dev/null")
        for name in ("./new.csv", self.folder / "new.csv"):
            self.refused("sssp", "ring:5", "--source", 0, "--output", "new.csv", "--json", name, cwd=self.folder)


class Extensions(DriverTest):
    def test_may_be_in_upper_case(self):
        graph = self.file("G.CSV", TRIANGLE)
        for command_and_source in (("bfs", graph, "--source", 0), ("sssp", graph, "--source", 0), ("apsp", graph)):
            for extension in ("csv", "npy"):
                lower, upper = self.folder / f"lower.{extension}", self.folder / f"upper.{extension.upper()}"
                for output in (lower, upper):
                    self.good(*command_and_source, "-o", output)
                self.assertEqual(upper.read_bytes(), lower.read_bytes())


class FilesThatExist(DriverTest):
    def test_names_may_begin_with_a_dash(self):
        for arguments in (["generate", "ring:3", "-o", "-x.csv"], ["convert", "ring:3", "--", "-y.csv"]):
            self.good(*arguments, cwd=self.folder)
        self.assertEqual(sorted(os.listdir(self.folder)), ["-x.csv", "-y.csv"])

    def test_options_are_no_values(self):
        for options in (["-o"], ["--output"], ["--quiet", "-o"]):
            message = self.fails(BAD_INPUT, "bfs", "ring:5", "--source", 0, *options, "--json", "x.json", cwd=self.folder)
            self.assertIn("--output: a value is missing before --json", message)
        self.assertEqual(os.listdir(self.folder), [])
        self.good("generate", "ring:3", "--output=--x.csv", cwd=self.folder)
        self.good("generate", "--quiet", "--", "ring:3", "--y.csv", cwd=self.folder)
        self.assertEqual(sorted(os.listdir(self.folder)), ["--x.csv", "--y.csv"])

    def test_on_file_systems_without_nameless_files(self):
        output = self.file("g.el", "old")
        output.chmod(0o640)
        self.good("generate", "path:3", "-o", output, preexec_fn=forbid_nameless_files)
        self.assertEqual(output.read_text().splitlines()[-1], "1 2")
        self.assertEqual((output.stat().st_mode & 0o777, os.listdir(self.folder)), (0o640, ["g.el"]))

    def test_the_mode_is_kept(self):
        path = self.file("g.el", "old")
        path.chmod(0o640)
        self.good("generate", "ring:3", "-o", path)
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o640)
        self.assertIn("# Nodes: 3", path.read_text())

    def test_a_file_without_permission_to_write_stays(self):
        path = self.file("g.el", "old")
        path.chmod(0o444)
        self.assertIn("Permission denied", self.fails_alike(RESOURCES, "generate", "ring:3", "-o", path))
        self.assertEqual((path.read_text(), stat.S_IMODE(path.stat().st_mode)), ("old", 0o444))

    def test_links_are_followed(self):
        (self.folder / "d").mkdir()
        (self.folder / "a.el").symlink_to("d/b.el")
        (self.folder / "d" / "b.el").symlink_to("c.el")
        for _ in range(2):  # first without c.el, then with it
            self.good("generate", "ring:3", "-o", self.folder / "a.el")
            self.assertTrue((self.folder / "a.el").is_symlink() and (self.folder / "d" / "b.el").is_symlink())
            self.assertEqual(sorted(os.listdir(self.folder / "d")), ["b.el", "c.el"])
            self.assertFalse((self.folder / "d" / "c.el").is_symlink())


class Pipes(DriverTest):
    def read_pipe(self, name, *arguments, ranks=1):
        """The bytes that a reader of the pipe receives until its end."""
        path = self.folder / name
        os.mkfifo(path)
        texts = []
        reader = threading.Thread(target=lambda: texts.append(path.read_text()), daemon=True)
        reader.start()
        self.good(*arguments, path, ranks=ranks, timeout=60)
        reader.join(10)
        self.assertTrue(stat.S_ISFIFO(path.stat().st_mode))
        return texts[0]

    def test_take_outputs(self):
        graph = self.file("g.csv", TRIANGLE)
        self.assertEqual(self.read_pipe("p.txt", "bfs", graph, "--source", 0, "-o"), RESULT)
        self.assertEqual(self.read_pipe("q.txt", "bfs", graph, "--source", 0, "-o", ranks=3), RESULT)
        self.assertEqual(self.read_pipe("p.csv", "convert", graph), TRIANGLE)
        self.assertTrue(self.read_pipe("p.json", "info", graph, "--json").startswith("{"))


class StandardOutput(DriverTest):
    def test_takes_outputs_and_nothing_else(self):
        graph = self.file("g.csv", TRIANGLE)
        for name in ("-", "/dev/stdout", "/dev/fd/1"):
            outcome = self.good("bfs", graph, "--source", 0, "-o", name)
            self.assertEqual(outcome.out, RESULT)
            self.assertIn("reached", outcome.err)
        self.assertEqual(self.good("bfs", graph, "--source", 0, "-o", "-", ranks=3).out, RESULT)
        self.assertTrue(self.good("info", graph, "--json", "-").out.startswith("{"))
        (self.folder / "l.csv").symlink_to("/dev/stdout")
        self.assertEqual(self.good("convert", graph, self.folder / "l.csv").out, TRIANGLE)
        self.assertTrue((self.folder / "l.csv").is_symlink())
        self.assertIn("one source", self.fails(BAD_INPUT, "bfs", graph, "--source", 0, "--source", 1, "-o", "-"))
        self.assertIn("the same file", self.fails(BAD_INPUT, "bfs", graph, "--source", 0, "-o", "-", "--json", "/dev/stdout"))

    def test_rows_wait_in_a_file_whose_folder_is_named(self):
        folder = self.folder / "nowhere"
        self.assertIn(f"{folder}/wayfront-", self.fails(RESOURCES, "apsp", "ring:5", "-o", "-", env={"TMPDIR": str(folder)}))

    def test_redirected_to_a_file(self):
        graph = self.file("g.csv", TRIANGLE)
        result = self.file("result", "")
        device = os.lstat("/dev/stdout")
        for name in ("-", "/dev/stdout"):
            with open(result, "w") as out:
                print("before", file=out, flush=True)
                finished = subprocess.run([BINARY, "bfs", graph, "--source", "0", "-o", name], env=environment(), stdout=out, stderr=subprocess.PIPE)
            self.assertEqual(finished.returncode, GOOD, finished.stderr)
            self.assertEqual(result.read_text(), "before\n" + RESULT)
        self.assertEqual(os.lstat("/dev/stdout").st_ino, device.st_ino)


class GraphsInStreams(DriverTest):
    def test_formats_are_options(self):
        """Pipes, files of any name, and standard input and output."""
        graph = self.file("g.csv", TRIANGLE)
        metis = self.good("convert", graph, "-", "--undirected", "--output-format", "graph").out
        self.assertEqual(metis, "3 3\n2 3\n1 3\n1 2\n")
        for ranks in (1, 3):
            with open(self.file("data", "ignored\n" + metis)) as stream:
                os.lseek(stream.fileno(), len("ignored\n"), os.SEEK_SET)
                outcome = self.good("convert", "-", "-o", "-", "--format", ".graph", "--output-format", "csv", ranks=ranks, stdin=stream)
            self.assertEqual(sorted(outcome.out.split()[1:]), ["0,1", "0,2", "1,2"])
        self.good("generate", "kron:4", self.folder / "x.dat", "--output-format", "tuples", "--quiet")
        self.assertEqual(sorted(entry.name for entry in self.folder.glob("x.*")), ["x.dat", "x.dat.weights"])
        self.assertIn("weight", self.good("info", self.folder / "x.dat", "--format", "tuples").out)
        self.assertIn("the same file", self.fails(BAD_INPUT, "info", self.folder / "x.dat", "--format", "tuples", "--json", self.folder / "x.dat.weights"))

    def test_input_and_output_may_be_one_device(self):
        with open(self.file("g.el", "0 1\n")) as stream:
            self.assertEqual(self.good("bfs", "-", "--format", "el", "--source", 0, "-o", "-", stdin=stream).out, "# vertex level parent\n0 0 0\n1 1 0\n")
        self.assertIn("empty", self.fails(BAD_INPUT, "info", "-", "--format", "el", "--json", "/dev/null"))

    def test_tuples_need_a_file(self):
        (self.folder / "l.tuples").symlink_to("/dev/stdout")
        for output in (["-", "--output-format", "tuples"], ["l.tuples"]):
            outcome = run("generate", "kron:4", *output, cwd=self.folder)
            self.assertEqual((outcome.code, outcome.out), (BAD_INPUT, ""))
            self.assertIn("cannot be written to standard output", outcome.message)
        self.assertEqual(os.listdir(self.folder), ["l.tuples"])

    def test_mistakes(self):
        self.assertIn("such as --format el", self.fails(BAD_INPUT, "info", "-"))
        self.assertIn("such as --output-format el", self.fails(BAD_INPUT, "generate", "ring:3", "-o", "-"))
        self.assertIn("found 'nosuch'", self.fails(BAD_INPUT, "info", "-", "--format", "nosuch"))
        self.assertIn("without .gz", self.fails(BAD_INPUT, "generate", "ring:3", "-o", "-", "--output-format", "el.gz"))
        self.assertIn("not supported in compressed form", self.fails(BAD_INPUT, "generate", "ring:3", "x.gz", "--output-format", "sg"))
        self.assertIn("is for files", self.fails(BAD_INPUT, "info", "ring:3", "--format", "el"))


class FreeSpace(DriverTest):
    def test_is_looked_at_first(self):
        for name, least in (("g.tuples", "256.0 TiB"), ("g.el", "64.0 TiB")):
            message = self.fails(RESOURCES, "generate", "kron:40", "-o", self.folder / name)
            self.assertIn(f"at least {least} are needed", message)
            self.assertRegex(message, r": [0-9.]+ TiB too little$")
        self.assertEqual(list(self.folder.iterdir()), [])


class EndedBySignals(DriverTest):
    """Also on file systems on which unfinished files need names."""

    def start_writing(self, ranks=1, **options):
        """Starts a run that writes for a long time, and returns when it has begun to write. mpirun
        gives ranks a second between SIGTERM and SIGKILL, in which a busy disk may not have removed
        a file; here they have four."""
        process = subprocess.Popen(command(["generate", "random:1000000000,4000000000", "-o", self.folder / "g.el", "--quiet"], ranks),
                                   env=environment(OMPI_MCA_odls_base_sigkill_timeout="4"), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   text=True, **options)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.kill)
        deadline = time.monotonic() + 60
        while not any(unfinished_sizes(self.folder)):
            self.assertIsNone(process.poll())
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)
        return process

    def parts(self):
        return len(list(self.folder.iterdir()))

    @unittest.skipUnless(nameless_files(), "the file system has no files without names")
    def test_nothing_is_left(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            process = self.start_writing()
            self.assertEqual(self.parts(), 0)
            process.send_signal(number)
            self.assertEqual(process.wait(20), -number)
            self.assertEqual(self.parts(), 0)

    def test_nothing_with_a_name_is_left(self):
        for number, left in ((signal.SIGINT, 0), (signal.SIGTERM, 0), (signal.SIGKILL, 1)):
            process = self.start_writing(preexec_fn=forbid_nameless_files)
            self.assertEqual(self.parts(), 1)
            process.send_signal(number)
            self.assertEqual(process.wait(20), -number)
            self.assertEqual(self.parts(), left)

    def test_nothing_with_a_name_is_left_by_several_ranks(self):
        process = self.start_writing(ranks=3, preexec_fn=forbid_nameless_files)
        self.assertEqual(self.parts(), 1)
        process.send_signal(signal.SIGTERM)
        self.assertNotEqual(process.wait(20), GOOD)
        self.assertEqual(self.parts(), 0)


if __name__ == "__main__":
    unittest.main()
