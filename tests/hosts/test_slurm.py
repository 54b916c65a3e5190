"""Submits every script of jobs/ to a Slurm of two nodes, and checks states and outputs."""

import json
import pathlib
import shutil
import signal
import unittest

from driver import BINARY, DATA, RESOURCES, DriverTest, count_gpus
from hosts import obstacle, wait_until
from slurm import CORES, Slurm, missing

JOBS = pathlib.Path(__file__).resolve().parents[2] / "jobs"
WHY_NOT = obstacle() or missing()
LONGEST = 90  # seconds of any job here, by far


class OnSlurm(DriverTest):
    @classmethod
    def setUpClass(cls):
        cls.slurm = Slurm(2)
        cls.addClassCleanup(cls.slurm.stop)

    def stop_ranks(self):
        for host in self.slurm.hosts.all:
            host.signal(signal.SIGSTOP, BINARY)

    def assert_no_process_left(self):
        processes = lambda: [process for host in self.slurm.hosts.all for process in host.processes(BINARY)]
        self.assertTrue(wait_until(lambda: not processes(), 10), processes())

    def submit(self, script, *arguments, options=(), nodes=2, cores=CORES):
        """The number of the job. It differs from the script only in what the script says is to be edited."""
        options = (f"--nodes={nodes}", f"--cpus-per-task={cores}", *options)
        return self.slurm.submit(*options, JOBS / script, *map(str, arguments), cwd=self.folder, env={"WAYFRONT": BINARY})

    def output(self, number):
        return "".join(path.read_text() for path in sorted(self.folder.glob(f"*-{number}*.txt")))

    def completed(self, number):
        """Waits for a job that ends well. Returns what it printed."""
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
        """Both at the same time, each on one node and on two. The results are those of one rank without Slurm."""
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
    """Each is ended while it writes its output, and leaves no part of it."""

    def stopped_while_it_writes(self, nodes):
        """A job whose ranks are stopped while the output is being written."""
        graph = self.folder / "star.el"
        self.good("generate", "star:3000000", "-o", graph)
        number = self.submit("bfs.sh", graph, 0, nodes=nodes)
        self.assertTrue(wait_until(lambda: list(self.folder.glob(f"star-{number}.csv.part*")), LONGEST), self.output(number))
        self.stop_ranks()
        self.assertEqual(len(list(self.folder.glob(f"star-{number}.csv.part*"))), 1, "the output is not complete")
        return number

    def ended(self, number, state, message):
        job, = self.slurm.wait(number, LONGEST)
        self.assertEqual(job["JobState"], state, self.output(number))
        self.assertIn(message, self.output(number))
        self.assert_no_process_left()
        self.assert_nothing_left(f"star-{number}.csv")

    def test_by_scancel(self):
        number = self.stopped_while_it_writes(nodes=2)
        self.slurm.command("scancel", number)
        self.ended(number, "CANCELLED", "CANCELLED AT")

    def test_at_the_time_limit(self):
        number = self.stopped_while_it_writes(nodes=2)
        # The shortest limit of Slurm is a minute; an administrator can let the time end now.
        self.slurm.command("scontrol", "update", f"JobId={number}", "EndTime=now")
        self.ended(number, "TIMEOUT", "DUE TO TIME LIMIT")


@unittest.skipIf(WHY_NOT, WHY_NOT)
class AllPairsInPieces(OnSlurm):
    """Jobs that are stopped with a checkpoint. Each is held when it begins to write rows, until Slurm lets it go on and sends SIGTERM."""

    def setUp(self):
        super().setUp()
        self.graph = self.folder / "random.wel"
        self.good("generate", "random:6000,24000", "--weights", "uniform:1..100", "-o", self.graph)
        whole = self.folder / "whole.npy"
        self.good("apsp", self.graph, "--output", whole)
        self.whole = whole.read_bytes()

    def held(self, *name, options=()):
        """A job that is stopped by SIGSTOP, and the beginning of the names of its results."""
        number = self.submit("apsp.sh", self.graph, *name, nodes=1, cores=1, options=options)
        result = self.folder / (name[0] if name else f"random-{number}")
        self.assertTrue(wait_until(result.with_suffix(".npy.unfinished").exists, LONGEST), self.output(number))
        self.stop_ranks()
        return number, result

    def assert_whole(self, number, result):
        self.assertRegex(self.completed(number), r"\d+ of 6000 rows are done; the job goes on\n(.*\n)*diameter")
        self.assertEqual(result.with_suffix(".npy").read_bytes(), self.whole)
        self.assert_no_process_left()
        self.assertEqual(sorted(path.name for path in self.folder.glob(f"{result.name}*")), [result.name + ".npy"])

    def test_near_the_time_limit(self):
        """Slurm warns the ranks, and the job queues again."""
        number, result = self.held(options=("--time=1",))
        self.assert_whole(number, result)
        self.assertRegex(self.output(number), r"error: stopped by SIGTERM after \d+ of 6000 rows")
        self.assertGreaterEqual(int(self.slurm.job(number)[0]["Restarts"]), 1)

    def test_after_scancel(self):
        """The job does not queue again. Another one goes on from its checkpoint."""
        number, result = self.held("mine")
        self.slurm.command("scancel", number)
        job, = self.slurm.wait(number, LONGEST)
        self.assertEqual((job["JobState"], job["Restarts"]), ("CANCELLED", "0"), self.output(number))
        self.assert_no_process_left()
        self.assertTrue(result.with_suffix(".checkpoint").exists(), self.output(number))
        self.assert_whole(self.submit("apsp.sh", self.graph, "mine", nodes=1), result)


if __name__ == "__main__":
    unittest.main()
