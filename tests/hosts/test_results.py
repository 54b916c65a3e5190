"""Jobs over several hosts: their results are those of one rank, over plain links and over slow ones that lose packets."""

import json
import unittest

from driver import BINARY, DATA, GOOD, DriverTest, Outcome
from hosts import WIRE, Hosts, obstacle, wait_until

WHY_NOT = obstacle()
LONGEST = 120  # seconds of any job here, by far
ALL_PAIRS = ("apsp", "random:600,2400", "--weights", "uniform:1..100", "--validate")


class JobsOverHosts(DriverTest):
    """Tests that share four hosts."""

    LINKS = {}

    @classmethod
    def setUpClass(cls):
        cls.hosts = Hosts(4, **cls.LINKS)
        cls.addClassCleanup(cls.hosts.remove)

    def over(self, hosts, *arguments, ranks_a_host=1):
        """Runs the program on the first `hosts` hosts. It must end well."""
        names = ",".join(f"{host.name}:{ranks_a_host}" for host in self.hosts.all[:hosts])
        job = self.hosts.start(BINARY, *arguments, "--threads", "1", names=names)
        out, err = job.communicate(timeout=LONGEST)
        outcome = Outcome(job.returncode, out, err)
        self.assertEqual(outcome.code, GOOD, outcome)
        # The process that watches mpirun for rank 0 ends after mpirun.
        self.assertTrue(wait_until(lambda: not self.hosts.left(), 10), self.hosts.left())
        return outcome

    def graph500(self, hosts, *arguments):
        report = self.folder / "report.json"
        outcome = self.over(hosts, "graph500", "--scale", "12", "--keys", "8", "--json", report, *arguments)
        self.assertRegex(outcome.out, r"all (8|16) searches valid")
        return json.loads(report.read_text())

    def assert_same_files(self, arguments, ways):
        """The file that one rank writes is that of each of `ways`: number of hosts, ranks on each,
        further options."""
        one_rank = self.folder / "one-rank.csv"
        self.good(*arguments, "--output", one_rank)
        wanted = one_rank.read_bytes()
        for hosts, ranks, *options in ways:
            with self.subTest(hosts=hosts, ranks_a_host=ranks, options=options):
                output = self.folder / "over-hosts.csv"
                self.over(hosts, *arguments, "--output", output, *options, ranks_a_host=ranks)
                self.assertEqual(output.read_bytes(), wanted)


@unittest.skipIf(WHY_NOT, WHY_NOT)
class PlainLinks(JobsOverHosts):
    def test_searches_write_the_same_file_over_every_grid(self):
        for search, graph, source, ways in (
                ("bfs", "kron:14", "7", [(2, 1), (4, 1, "--grid", "1x4", "--overlap", "on"), (4, 1, "--grid", "4x1", "--overlap", "on"),
                                         (4, 1, "--grid", "2x2", "--overlap", "off"), (2, 3, "--grid", "3x2")]),
                ("bfs", DATA / "enron.txt", "1", [(4, 1)]),
                ("sssp", "kron:13", "7", [(2, 1), (4, 1), (4, 1, "--grid", "1x4"), (2, 2, "--grid", "4x1"), (2, 3, "--grid", "3x2")])):
            self.assert_same_files((search, graph, "--source", source, "--deterministic", "--validate"), ways)

    def test_all_pairs_write_the_same_file(self):
        self.assert_same_files(ALL_PAIRS, [(2, 1), (4, 1), (2, 3)])

    def test_graph500_and_the_grid_that_it_chooses(self):
        for hosts, grid in ((2, "2x1"), (4, "2x2")):
            report = self.graph500(hosts, "--kernel", "both")
            self.assertEqual([len(report[kernel]["searches"]) for kernel in ("bfs", "sssp")], [8, 8])
            self.assertEqual((report["search"]["ranks"], report["search"]["grid"], report["search"]["engine"]), (hosts, grid, "cpu"))

    def test_ranks_of_one_host_choose_another_grid(self):
        output = self.folder / "facts.json"
        self.over(1, "bfs", "kron:10", "--source", "1", "--json", output, ranks_a_host=4)
        self.assertEqual(json.loads(output.read_text())["search"]["grid"], "4x1")


@unittest.skipIf(WHY_NOT, WHY_NOT)
@unittest.skipUnless(WIRE, "the program wayfront_wire was not built")
class SlowLinksThatLosePackets(JobsOverHosts):
    LINKS = {"delay_us": 100, "mbit": 1000, "loss": 0.002}

    def test_the_answers_stay_the_same(self):
        for search, graph in (("bfs", "kron:14"), ("sssp", "kron:12")):
            self.assert_same_files((search, graph, "--source", "7", "--deterministic", "--validate"), [(4, 1), (2, 2, "--grid", "4x1")])
        self.assert_same_files(ALL_PAIRS, [(4, 1)])
        self.graph500(4)


if __name__ == "__main__":
    unittest.main()
