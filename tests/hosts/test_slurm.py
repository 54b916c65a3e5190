"""Submits every script of jobs/ to a Slurm of two nodes, and checks states and outputs."""

import functools
import json
import pathlib
import shutil
import signal
import sys
import unittest

from driver import BINARY, DATA, GOOD, RESOURCES, DriverTest, count_gpus, run, unfinished_sizes
from hosts import obstacle, wait_until
from slurm import CORES, Slurm, missing

JOBS = pathlib.Path(__file__).resolve().parents[2] / "jobs"
WHY_NOT = obstacle() or missing()
LONGEST = 90  # seconds of any job here, by far


def again_after_a_crash_of_mpi(test):
    """Open MPI 4.1.4 at times crashes over TCP before a program of two nodes has begun
    (docs/cluster.md). A test that met this crash runs once more."""

    @functools.wraps(test)
    def tried(self):
        try:
            test(self)
        except (AssertionError, RuntimeError):
            # The names of functions in the stack that Open MPI prints.
            if not all(name in self.output("") for name in ("Segmentation fault", "ompi_mpi_init", "mca_btl_tcp")):
                raise
            print(f"{self.id()}: Open MPI crashed in MPI_Init; the test runs again", file=sys.stderr)
            self.slurm.command("scancel", "--user=root")
            self.assert_no_process_left()
            for path in self.folder.glob("*.txt"):
                path.unlink()
            test(self)

    return tried


class OnSlurm(DriverTest):
    def __init_subclass__(cls, **more):
        super().__init_subclass__(**more)
        for name, member in list(vars(cls).items()):
            if name.startswith("test_"):
                setattr(cls, name, again_after_a_crash_of_mpi(member))

    @classmethod
    def setUpClass(cls):
        cls.slurm = Slurm(2)
        cls.addClassCleanup(cls.slurm.stop)

    def assert_no_process_left(self):
        processes = lambda: [process for host in self.slurm.hosts.all for process in host.processes(BINARY)]
        self.assertTrue(wait_until(lambda: not processes(), 10), processes())

    def submit(self, script, *arguments, options=(), nodes=2, cores=CORES):
        """The number of the job. It differs from the script only in the lines that users are to
        edit."""
        options = (f"--nodes={nodes}", f"--cpus-per-task={cores}", *options)
        return self.slurm.submit(*options, JOBS / script, *map(str, arguments), cwd=self.folder, env={"WAYFRONT": BINARY})

    def output(self, number):
        return "".join(path.read_text() for path in sorted(self.folder.glob(f"*-{number}*.txt")))

    def completed(self, number):
        """Waits for a job that ends well. Returns its output."""
        for job in self.slurm.wait(number, LONGEST):
            self.assertEqual((job["JobState"], job["ExitCode"]), ("COMPLETED", "0:0"), self.output(number))
        return self.output(number)


@unittest.skipIf(WHY_NOT, WHY_NOT)
class Jobs(OnSlurm):
    def tearDown(self):
        self.assert_no_process_left()

    def test_graph500_on_cpus(self):
        number = self.submit("graph500-cpu.sh", 12)
        self.assertIn("all 64 searches valid", self.completed(number))
        search = json.loads((self.folder / f"graph500-{number}.json").read_text())["search"]
        self.assertEqual((search["ranks"], search["grid"], search["threads"], search["engine"]), (2, "2x1", CORES, "cpu"))

    @unittest.skipIf(count_gpus() > 0, "there are GPUs, which the nodes of this Slurm do not have")
    def test_graph500_on_gpus_that_are_not_there(self):
        number = self.submit("graph500-gpu.sh", 12, options=("--ntasks-per-node=1", "--gpus-per-node=2"))
        job, = self.slurm.wait(number, LONGEST)
        self.assertEqual((job["JobState"], job["ExitCode"]), ("FAILED", f"{RESOURCES}:0"), self.output(number))
        self.assertEqual(self.output(number).count("wayfront: error: "), 1, self.output(number))

    def test_searches_of_a_file(self):
        """Both at the same time, each on one node and on two. The results are those of one rank
        without Slurm."""
        for script, graph, columns in (("bfs.sh", DATA / "enron.txt", 2), ("sssp.sh", DATA / "new-york.gr.gz", 2)):
            numbers = [self.submit(script, graph, 1, nodes=nodes) for nodes in (1, 2)]
            alone = self.folder / "alone.csv"
            self.good(script.partition(".")[0], graph, "--source", 1, "--output", alone)
            wanted = [line.split(",")[:columns] for line in alone.read_text().splitlines()]
            for number in numbers:
                self.assertIn(", valid\n", self.completed(number))
                result = self.folder / f"{graph.name.partition('.')[0]}-{number}.csv"
                self.assertEqual([line.split(",")[:columns] for line in result.read_text().splitlines()], wanted)

    def test_an_array_over_many_graphs(self):
        shutil.copy(DATA / "enron.txt", self.folder / "one.txt")
        graphs = self.file("list", f"{self.folder / 'one.txt'}\n{DATA / 'gnutella.txt.zst'}\n")
        number = self.submit("many-graphs.sh", graphs, nodes=1, cores=1, options=("--array=1-2",))
        self.completed(number)
        for name, task in (("one", 1), ("gnutella", 2)):
            facts = json.loads((self.folder / f"{name}-{number}-{task}.json").read_text())
            self.assertEqual(len(facts["searches"]), 64)

    def test_weak_scaling(self):
        number = self.submit("weak-scaling.sh", 10)
        self.assertRegex(self.completed(number), r"\| 1 \| 10 \| .* \| 100% \|.*\n\| 2 \| 11 \|")
        self.assertIn("| 2 | 11 |", (self.folder / f"weak-scaling-{number}.md").read_text())
        self.assertEqual((self.folder / f"weak-scaling-{number}.svg").read_text().count("<circle"), 2)

    def test_each_script_is_submitted_here(self):
        text = pathlib.Path(__file__).read_text(encoding="utf-8")
        for script in JOBS.glob("*.sh"):
            self.assertIn(f'"{script.name}"', text)


@unittest.skipIf(WHY_NOT, WHY_NOT)
class JobsThatAreEnded(OnSlurm):
    """Searches are ended while they write their output, and leave no part of it. Jobs of all pairs
    are ended between two rows or steps, and leave a checkpoint."""

    # By a search per row, or by Floyd-Warshall in steps: the program chooses.
    PROGRESS = r"\d+ of (4000 rows|\d+ steps)"
    STAR = 12_000_000  # vertices of searches, whose output takes a while to write

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.graph, matrix = (cls.slurm.folder / name for name in ("random.wel", "random.npy"))
        weights = ("--weights", "uniform:1..100")
        for arguments in (("generate", "random:4000,16000", *weights, "-o", cls.graph), ("apsp", cls.graph, "--output", matrix)):
            outcome = run(*arguments)
            assert outcome.code == GOOD, outcome
        cls.matrix = matrix.read_bytes()

    def stop_ranks(self):
        for host in self.slurm.hosts.all:
            host.signal(signal.SIGSTOP, BINARY)

    def search_that_writes(self, cores=CORES):
        """A job on both nodes. Its ranks are stopped while the output is being written."""
        graph = self.folder / "star.el"
        self.good("generate", f"star:{self.STAR}", "-o", graph)
        for _ in range(5):
            number = self.submit("bfs.sh", graph, 0, cores=cores)
            result = self.folder / f"star-{number}.csv"
            self.assertTrue(wait_until(lambda: any(unfinished_sizes(self.folder)) or result.exists(), LONGEST), self.output(number))
            self.stop_ranks()
            if any(unfinished_sizes(self.folder)):
                return number
            # On a busy machine, the ranks may have completed the output before the signal.
            self.slurm.command("scancel", number)
            self.slurm.wait(number, LONGEST)
            result.unlink(missing_ok=True)
        self.fail("the output was complete before the ranks stopped, five times")

    def search_ended(self, number, state, message):
        job, = self.slurm.wait(number, LONGEST)
        self.assertEqual(job["JobState"], state, self.output(number))
        self.assertIn(message, self.output(number))
        self.assert_no_process_left()
        # Slurm lets the ranks go on before its signal ends them. Some complete the output meanwhile, and none leaves a part of it.
        result = self.folder / f"star-{number}.csv"
        if result.exists():
            with result.open(encoding="ascii") as lines:
                self.assertEqual(sum(1 for _ in lines), 1 + self.STAR)
            result.unlink()
        self.assert_nothing_left(result.name)

    def all_pairs(self, *name):
        """A job that is stopped when it begins to make rows, and the beginning of the names of its
        results. Slurm lets it go on when it sends SIGTERM."""
        number = self.submit("apsp.sh", self.graph, *name, nodes=1, cores=1)
        result = self.folder / (name[0] if name else f"random-{number}")
        self.assertTrue(wait_until(result.with_suffix(".npy.unfinished").exists, LONGEST), self.output(number))
        self.stop_ranks()
        return number, result

    def all_pairs_completed(self, number, result):
        """The job goes on from its checkpoint, its result is that of one run without Slurm, and the
        checkpoint is gone."""
        self.assertRegex(self.completed(number), rf"{self.PROGRESS} are done; the job goes on\n(.*\n)*diameter")
        self.assertEqual(result.with_suffix(".npy").read_bytes(), self.matrix)
        self.assertEqual(sorted(path.name for path in self.folder.glob(f"{result.name}*")), [result.name + ".npy"])

    def test_a_search_by_scancel(self):
        number = self.search_that_writes()
        self.slurm.command("scancel", number)
        self.search_ended(number, "CANCELLED", "CANCELLED AT")

    def test_all_pairs_by_scancel(self):
        """The job does not queue again. Another one goes on from its checkpoint."""
        number, result = self.all_pairs("mine")
        self.slurm.command("scancel", number)
        job, = self.slurm.wait(number, LONGEST)
        self.assertEqual((job["JobState"], job["Restarts"]), ("CANCELLED", "0"), self.output(number))
        self.assert_no_process_left()
        self.assertTrue(result.with_suffix(".checkpoint").exists(), self.output(number))
        self.all_pairs_completed(self.submit("apsp.sh", self.graph, "mine", nodes=1), result)

    def test_at_the_time_limit(self):
        """A search is ended. All pairs get SIGTERM before and queue again. Both jobs run at the
        same time, since Slurm looks at limits twice a minute."""
        all_pairs, result = self.all_pairs()
        search = self.search_that_writes(cores=1)
        self.slurm.command("scontrol", "update", f"JobId={all_pairs}", "TimeLimit=5")
        # The shortest limit of Slurm is a minute; an administrator can let the time end now.
        self.slurm.command("scontrol", "update", f"JobId={search}", "EndTime=now")
        self.assertTrue(wait_until(lambda: self.slurm.job(all_pairs)[0]["Restarts"] == "1", LONGEST), self.output(all_pairs))
        self.slurm.command("scontrol", "update", f"JobId={all_pairs}", "TimeLimit=60")
        self.all_pairs_completed(all_pairs, result)
        self.assertRegex(self.output(all_pairs), f"error: stopped by SIGTERM after {self.PROGRESS};")
        self.search_ended(search, "TIMEOUT", "DUE TO TIME LIMIT")


if __name__ == "__main__":
    unittest.main()
