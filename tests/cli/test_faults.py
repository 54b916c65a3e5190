"""Full disks, exhausted memory, killed ranks: the program prints one message, returns the right exit code, leaves no unfinished file and does not hang."""

import gzip
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import time
import unittest

from driver import BAD_INPUT, BINARY, GOOD, MPIEXEC, RESOURCES, DriverTest, Outcome, WithFailingCalls, environment, nameless_files, run
from killed_rank import expect_end_of_job, expect_end_without_launcher

SANITIZED = os.environ.get("WAYFRONT_SANITIZE", "") != ""


@unittest.skipUnless(pathlib.Path("/dev/full").exists(), "there is no /dev/full")
class FullDisk(DriverTest):
    """Writes through a link to /dev/full, which accepts no byte; the link's extension selects the
    format."""

    def full(self, name):
        link = self.folder / name
        link.symlink_to("/dev/full")
        return link

    def test_everything_that_is_written(self):
        for name, arguments in [("out.csv", ["bfs", "kron:10", "--source", 1, "-o"]), ("out.npy", ["bfs", "kron:10", "--source", 1, "-o"]),
                                ("facts.json", ["bfs", "kron:10", "--source", 1, "--json"]), ("trace.json", ["bfs", "kron:10", "--source", 1, "--trace"]),
                                ("report.json", ["graph500", "--scale", 5, "--keys", 2, "--json"]), ("g.tuples", ["generate", "kron:10", "-o"]),
                                ("g.gr.gz", ["convert", "ring:1000"]), ("info.json", ["info", "ring:5", "--json"])]:
            with self.subTest(name=name, subcommand=arguments[0]):
                message = self.fails_alike(RESOURCES, *arguments, self.full(name))
                self.assertIn(name, message)
                self.assertIn("No space left on device", message)

    def test_standard_output(self):
        for ranks in (1, 3) if not SANITIZED else (1,):
            with open("/dev/full", "w") as full:
                finished = subprocess.run([BINARY, "info", "ring:5"], env=environment(), stdout=full, stderr=subprocess.PIPE, text=True)
            self.assertEqual(finished.returncode, RESOURCES, finished.stderr)
            self.assertIn("standard output", finished.stderr)


class FilesThatMayNotGrow(DriverTest):
    """A limit on the size of files simulates a disk that becomes full during the work."""

    LIMIT = 24 << 20  # more than the size of MPI's own files

    def run_limited(self, *arguments, ranks=1):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (self.LIMIT, self.LIMIT))
        return run(*arguments, ranks=ranks, preexec_fn=limit)

    def test_no_half_file_and_the_old_one_stays(self):
        for name, arguments in [("out.npy", ["bfs", "star:2000000", "--source", 0, "-o"]), ("g.tuples", ["generate", "star:3000000", "-o"])]:
            for ranks in (1, 3):
                with self.subTest(name=name, ranks=ranks):
                    outcome = self.run_limited(*arguments, self.folder / name, ranks=ranks)
                    self.assertEqual(outcome.code, RESOURCES, outcome)
                    self.assertIn(name, outcome.message)
                    self.assert_nothing_left(name)
            old = self.file(name, "old")
            self.assertEqual(self.run_limited(*arguments, old).code, RESOURCES)
            self.assertEqual(old.read_text(), "old")
            self.assertEqual([entry.name for entry in self.folder.iterdir() if entry.name.startswith(name)], [name])

    def test_missing_folders(self):
        for option in ("-o", "--json", "--trace"):
            started = time.monotonic()
            message = self.fails_alike(RESOURCES, "bfs", "ring:5", "--source", 1, option, self.folder / "nosuch" / "out.csv")
            self.assertIn("No such file or directory", message)
            self.assertLess(time.monotonic() - started, 60)


class FailingCalls(WithFailingCalls):
    def test_ranks_that_cannot_share_memory_send_distances(self):
        def distances(fate):
            output, facts = self.folder / f"{fate}.csv", self.folder / f"{fate}.json"
            outcome = self.run_with("memfd_create:wayfront:1", fate, "sssp", "kron:11", "--source", 1, "--algorithm", "push-pull", "--engine", "cpu", "--validate", "-o", output,
                                    "--json", facts, ranks=2)
            self.assertEqual(outcome.code, GOOD, outcome)
            report = json.loads(facts.read_text())
            self.assertEqual("in shared memory" in report["search"]["algorithm"], fate == "counted", report)
            self.assertGreater(report["searches"][0]["reached"], 1000)
            return [line.split(",")[:2] for line in output.read_text().splitlines()]

        self.assertEqual(distances("full"), distances("counted"))

    def parts(self, name):
        """The contents of a tuple file and of its weights; None for a missing file."""
        files = [self.folder / f"{name}.tuples", self.folder / f"{name}.tuples.weights"]
        return [file.read_bytes() if file.exists() else None for file in files]

    def test_tuples_are_never_beside_the_weights_of_another_graph(self):
        """Both graphs have as many edges, so that a reader could not tell. The tuples and the
        weights are synchronized with the disk when they are complete; as long as they have no name,
        also before they get one."""
        generate = lambda name, seed: ("generate", f"kron:6,seed1={seed}", "-o", self.folder / f"{name}.tuples")
        for name, seed in (("old", 5), ("new", 6)):
            self.good(*generate(name, seed))
        whole = self.parts("old"), self.parts("new")
        self.assertFalse(set(whole[0]) & set(whole[1]))
        ways = [("full", f"fsync:{self.folder}/*:{number}") for number in range(1, 5 if nameless_files() else 3)]
        ways += [(fate, f"rename:g.tuples{ending}:1") for ending in (".weights", "") for fate in ("full", "killed")]
        for fate, call in ways:
            with self.subTest(call=call, fate=fate):
                self.good(*generate("g", 5))
                outcome = self.run_with(call, fate, *generate("g", 6))
                if fate == "full":
                    self.assertEqual(outcome.code, RESOURCES, outcome)
                    self.assertRegex(outcome.message, r"g\.tuples(\.weights)?: cannot be written: No space left on device")
                else:
                    self.assertEqual(outcome.code, -signal.SIGKILL, outcome)
                found = self.parts("g")
                self.assertTrue(found[0] is None or found in whole, "there are either both parts of a graph, or no tuples")
                for file in self.folder.glob("*.part-*"):
                    self.assertEqual(fate, "killed", f"{file} is left")
                    file.unlink()

    def test_convert_compares_the_output_with_the_free_space(self):
        for name, least in (("g.tuples", "11.7 KiB"), ("g.sg", "11.7 KiB"), ("g.el", "3.9 KiB")):
            outcome = self.run_with(f"statvfs:{self.folder}/:1", "full", "convert", "ring:1000", self.folder / name)
            self.assertEqual((outcome.code, outcome.message),
                             (RESOURCES, f"wayfront: error: {self.folder}/{name}: cannot be written: at least {least} are needed, and 0 bytes are free on "
                              f"the disk: {least} too little"))
            self.assert_nothing_left(name)

    def test_searches_compare_their_outputs_with_the_free_space(self):
        """Before the search. The file is at least as large as the message says."""
        pairs = self.file("pairs.txt", 100 * "0 17\n")
        bytes_of_vertices = 10 + 2 * 90 + 3 * 900
        for words, name, least, in_words in (
            (("bfs", "--source", 0), "r.npy", 16_000, "15.6 KiB"),
            (("bfs", "--source", 0), "r.csv", bytes_of_vertices + 5_000, "7.7 KiB"),
            (("sssp", "--source", 0), "r.json", bytes_of_vertices + 9_000, "11.6 KiB"),
            (("sssp", "--sources", "random:2", "--nearest"), "r.npy", 24_000, "23.4 KiB"),
            (("bfs", "--source", 7, "--nearest"), "r.txt", bytes_of_vertices + 7_000, "9.7 KiB"),
            (("sssp", "--sources", "random:3"), "r.npy", 48_000, "46.9 KiB"),
            (("bfs", "--pairs", pairs), "r.csv", 700, "700 bytes"),
            (("sssp", "--pairs", pairs, "--no-paths"), "r.txt", 700, "700 bytes"),
        ):
            with self.subTest(words=words, name=name):
                command, *options = words
                job = (command, "ring:1000", *options, "-o", self.folder / name)
                outcome = self.run_with(f"statvfs:{self.folder}/:1", "full", *job)
                self.assertEqual(outcome.code, RESOURCES, outcome)
                self.assertIn(f"{self.folder}/{name}: cannot be written: at least {in_words} are needed, and 0 bytes are free on the disk", outcome.message)
                self.assertEqual(list(self.folder.glob("r.*")), [])
                self.good(*job)
                written = list(self.folder.glob("r.*"))
                self.assertGreaterEqual(sum(file.stat().st_size for file in written), least)
                for file in written:
                    file.unlink()

    def test_names_compare_their_outputs_with_the_free_space(self):
        edges = self.file("g.el", "alice bob\nbob carol\n")
        outcome = self.run_with(f"statvfs:{self.folder}/:1", "full", "bfs", edges, "--source", "bob", "-o", self.folder / "r.csv")
        self.assertIn(f"at least {5 + 3 + 5 + 3 * 5} bytes are needed", outcome.message)
        pairs = self.file("pairs.txt", "alice bob\nalice alice\n")
        outcome = self.run_with(f"statvfs:{self.folder}/:1", "full", "bfs", edges, "--pairs", pairs, "-o", self.folder / "r.csv")
        self.assertIn(f"at least {3 * 5 + 3 + 2 * 4} bytes are needed", outcome.message)


class Threads(DriverTest):
    def test_more_threads_than_anybody_wants(self):
        for threads in ("1000000000", "100000", "99999999999999999999"):
            message = self.fails(BAD_INPUT, "info", "ring:5", env={"OMP_NUM_THREADS": threads}, timeout=60)
            self.assertIn(f"OMP_NUM_THREADS: expected at most 4096 threads, found '{threads}'", message)

    @unittest.skipIf(SANITIZED, "sanitizers map more memory than the limit")
    def test_threads_that_cannot_be_created(self):
        def limit():  # 2000 stacks of 8 MiB exceed the limit
            resource.setrlimit(resource.RLIMIT_STACK, (8 << 20, 8 << 20))
            resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        for ranks in (1, 2):
            message = self.fails(RESOURCES, "info", "ring:5", "--threads", 2000, ranks=ranks, preexec_fn=limit)
            self.assertRegex(message, r"only \d+ of 2000 threads can be created")


class LimitedAddressSpace(DriverTest):
    @unittest.skipIf(SANITIZED, "sanitizers map more memory than the limit")
    def test_files_that_cannot_be_mapped(self):
        path = self.file("g.el", "0 1\n")
        os.truncate(path, 4 << 30)  # a hole: it takes no space
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
        message = self.fails_alike(RESOURCES, "info", path, "--threads", 2, preexec_fn=limit)
        self.assertEqual(message, f"wayfront: error: {path}: cannot be read: Cannot allocate memory")


class LimitedMemory(DriverTest):
    """Runs in a control group (version 1) below the test's own. The program must respect its limit
    before the kernel enforces it."""

    def setUp(self):
        super().setUp()
        groups = pathlib.Path("/proc/self/cgroup").read_text().splitlines()
        own = next((path for _, controllers, path in (line.split(":", 2) for line in groups) if "memory" in controllers.split(",")), None)
        if own is None:
            self.skipTest("there is no memory controller of version 1")
        self.group = pathlib.Path("/sys/fs/cgroup/memory") / own.lstrip("/") / f"wayfront-test-{os.getpid()}"
        try:
            self.group.mkdir()
        except OSError as error:
            self.skipTest(f"control groups cannot be made here: {error}")
        self.addCleanup(self.leave)

    def leave(self):
        for _ in range(100):
            try:
                return self.group.rmdir()
            except OSError:  # the last process is still ending
                time.sleep(0.1)

    def fails_within(self, limit, *arguments):
        (self.group / "memory.limit_in_bytes").write_text(str(limit))
        return self.fails(RESOURCES, *arguments, preexec_fn=lambda: (self.group / "cgroup.procs").write_text(str(os.getpid())))

    @unittest.skipIf(SANITIZED, "sanitizers take more memory than the limit")
    def test_lists_that_are_sorted_for_writing(self):
        for name in ("out.sg", "out.graph"):
            self.assertRegex(self.fails_within(150 << 20, "generate", "kron:18", "-o", self.folder / name), "writing .* needs .* are available")
            self.assert_nothing_left(name)

    @unittest.skipIf(SANITIZED, "sanitizers take more memory than the limit")
    def test_text_that_is_unpacked(self):
        packed = self.folder / "g.el.gz"
        with gzip.open(packed, "wb", 1) as file:
            file.write(b"1234567 7654321\n" * 8_000_000)
        self.assertRegex(self.fails_within(120 << 20, "info", packed), "reading .* needs .* are available")

    @unittest.skipIf(SANITIZED, "sanitizers take more memory than the limit")
    def test_nearest_sources(self):
        """Constructing a graph takes more memory than most searches; few edges of many vertices leave 14 MiB on each side of this limit."""
        nearest = ("random:8000000,1000", "--nearest", "--source", 0, "-o", self.folder / "out.csv")
        self.assertRegex(self.fails_within(254 << 20, "sssp", *nearest), "searching for the nearest sources needs .* are available")
        self.assert_nothing_left("out.csv")

    @unittest.skipIf(SANITIZED, "sanitizers take more memory than the limit")
    def test_nearest_sources_of_the_library(self):
        """An object does not know before its first search that it will be one from several sources."""
        program = pathlib.Path(BINARY).parents[2] / "bench" / "library_bfs"
        if not program.exists():
            self.skipTest("bench/library_bfs is not built")
        (self.group / "memory.limit_in_bytes").write_text(str(264 << 20))
        for sources, code, expected in ((1, GOOD, "^$"), (2, RESOURCES, "searching for the nearest sources needs .* are available")):
            done = subprocess.run([program, "random:8000000,1000", "1", str(sources)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                  timeout=300, check=False, preexec_fn=lambda: (self.group / "cgroup.procs").write_text(str(os.getpid())))
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertRegex(done.stderr, expected)

    @unittest.skipIf(SANITIZED, "sanitizers take more memory than the limit")
    def test_long_paths_of_many_pairs(self):
        """All paths together have twice as many bytes as the limit allows."""
        (self.group / "memory.limit_in_bytes").write_text(str(120 << 20))
        pairs = self.file("pairs.txt", "".join(f"{v} {99999 - v}\n" for v in range(300)))
        for command in ("bfs", "sssp"):
            outcome = run(command, "path:100000", "--pairs", pairs, "-o", self.folder / "out.txt",
                          preexec_fn=lambda: (self.group / "cgroup.procs").write_text(str(os.getpid())))
            self.assertEqual(outcome.code, GOOD, outcome)
            with open(self.folder / "out.txt") as file:
                rows = [line.split() for line in file if not line.startswith("#")]
            self.assertEqual([(int(row[0]), int(row[2])) for row in rows], [(v, 99999 - 2 * v) for v in range(300)])
            self.assertEqual(rows[7][3:], [str(v) for v in range(7, 99993)])


class Pipes(DriverTest):
    """A pipe can be read only once, so rank 0 reads it for all ranks."""

    def pipe(self, name, text):
        path = self.folder / name
        os.mkfifo(path)
        writer = subprocess.Popen(["sh", "-c", 'printf "$0" > "$1"', text, path])
        self.addCleanup(writer.wait)
        self.addCleanup(writer.kill)
        return path

    def test_sources_and_options_come_from_pipes(self):
        sources = self.pipe("sources", "1\n3\n".replace("\n", "\\n"))
        config = self.pipe("config", f"sources = {sources}\\n")
        outcome = self.good("bfs", "path:10", "--config", config, "--json", self.folder / "out.json", ranks=3, timeout=60)
        self.assertEqual([search["source"] for search in json.loads((self.folder / "out.json").read_text())["searches"]], [1, 3], outcome)


class RanksThatFail(DriverTest):
    def bad_file(self):
        """The file is long enough to be divided: rank 1 of 2 reads the bad line."""
        return self.file("g.gr", "".join(["p sp 400 50000\n"] + ["a 1 2 3\n"] * 49999 + ["a 1 2 x\n"]))

    def test_the_rank_that_met_the_cause_is_named(self):
        self.assertTrue(run("info", self.bad_file(), ranks=2).messages[0].endswith(" (rank 1)"))

    @unittest.skipUnless(shutil.which("unshare") and subprocess.run(["unshare", "--uts", "true"], stderr=subprocess.DEVNULL).returncode == 0,
                         "hosts cannot be given names here")
    def test_its_host_is_named_if_there_are_several(self):
        host = 'hostname "node${OMPI_COMM_WORLD_RANK:-$PMI_RANK}"; exec "$@"'
        program = [MPIEXEC, "-n", "2", "unshare", "--uts", "sh", "-c", host, "sh", BINARY, "info", self.bad_file()]
        finished = subprocess.run(program, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, text=True)
        outcome = Outcome(finished.returncode, finished.stdout, finished.stderr)
        self.assertEqual(len(outcome.messages), 1, outcome)
        self.assertTrue(outcome.messages[0].endswith(" (rank 1 on node1)"), outcome)

    def test_a_rank_killed_in_mid_search(self):
        for victim in (0, 2):
            with self.subTest(victim=victim):
                expect_end_of_job(self, "bfs", "kron:14", "--sources", "random:8000", ranks=3, victim=victim)

    def test_a_rank_killed_while_the_launcher_is_stopped(self):
        expect_end_without_launcher(self, "bfs", "kron:14", "--sources", "random:8000", ranks=3, victim=1)

    @unittest.skipUnless("WAYFRONT_WATCHED_LIBRARY_JOB" in os.environ, "the path of a program that uses the library is missing")
    def test_the_library_watches_ranks_if_its_caller_asks_for_it(self):
        expect_end_without_launcher(self, ranks=3, victim=1, program=os.environ["WAYFRONT_WATCHED_LIBRARY_JOB"])

    @unittest.skipIf(SANITIZED, "sanitizers map more memory than the limit")
    def test_memory_that_ends_on_one_rank(self):
        # Only rank 1 has a limit on the memory that it may map. It fails in construction while the
        # others wait in an exchange. The memory that MPI itself maps depends on the machine, so the
        # limit is raised until MPI starts.
        script = 'if [ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 1 ]; then ulimit -v $0; fi; exec "$@"'
        for limit in (int(300e3 * 1.25**step) for step in range(10)):
            finished = subprocess.run([MPIEXEC, "-n", "3", "sh", "-c", script, str(limit), BINARY, "bfs", "kron:20", "--source", "1"], env=environment(),
                                      stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, text=True)
            outcome = Outcome(finished.returncode, finished.stdout, finished.stderr)
            self.assertNotEqual(outcome.code, GOOD, f"{limit} kB are enough")
            if outcome.messages:
                break
        self.assertEqual(outcome.code, RESOURCES, outcome)
        self.assertEqual(len(outcome.messages), 1, outcome)
        self.assertRegex(outcome.messages[0], r"out of memory.* \(rank 1\)$")


if __name__ == "__main__":
    unittest.main()
