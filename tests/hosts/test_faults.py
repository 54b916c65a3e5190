"""Hosts that fail, and hosts that do not fit together: the job ends in time, says which host it was, and leaves nothing."""

import concurrent.futures
import pathlib
import time
import unittest

from driver import BAD_INPUT, BINARY, GOOD, RESOURCES, DriverTest, Outcome
from faults import FAULTS, TIMEOUT, aftermath
from hosts import Hosts, obstacle, wait_until

WHY_NOT = obstacle()
LONG_JOB = ("bfs", "kron:17", "--sources", "random:60000", "--threads", "1", "--timeout", TIMEOUT, "--json")


@unittest.skipIf(WHY_NOT, WHY_NOT)
class HostsThatFail(DriverTest):
    # The exit codes: of the program, of a shell whose command was killed, and of mpirun if it loses
    # a daemon.
    WANTED = {
        "one rank is killed": (137, r"process rank 3 .* on node h1 exited on signal 9"),
        "all ranks of a host are killed": (137, r"process rank [23] .* on node h1 exited on signal 9"),
        "the launcher's daemon is killed": (205, r"on node h1"),
        "one rank is stopped": (RESOURCES, r"error: rank 3 \(process \d+\) on h1 has been stopped for 4 seconds \(--timeout\) \(rank 2\)"),
        "all ranks of a host are stopped": (RESOURCES, r"error: host h1 \(2 ranks, from rank 2\) has not answered for 4 seconds \(--timeout\) \(rank 0\)"),
        "the link is cut": (None, r"error: host h1 \(2 ranks, from rank 2\) has not answered for 4 seconds \(--timeout\) \(rank 0\)"),
    }

    def aftermath(self, number, fault):
        output = self.folder / f"{number}.json"
        return aftermath(fault, lambda hosts: hosts.start(BINARY, *LONG_JOB, output, ranks_a_host=2))

    def test_the_job_ends_and_names_the_host(self):
        self.assertEqual(self.WANTED.keys(), FAULTS.keys())
        with concurrent.futures.ThreadPoolExecutor(len(FAULTS)) as pool:
            ends = {name: pool.submit(self.aftermath, number, fault) for number, (name, fault) in enumerate(FAULTS.items())}
        for name, end in ends.items():
            with self.subTest(fault=name):
                end.result().check(self, *self.WANTED[name])
        self.assert_nothing_left("")


@unittest.skipIf(WHY_NOT, WHY_NOT)
class HostsThatDoNotFit(DriverTest):
    @classmethod
    def setUpClass(cls):
        cls.hosts = Hosts(2)
        cls.addClassCleanup(cls.hosts.remove)

    def outcome(self, *program, **options):
        job = self.hosts.start(*program, **options)
        out, err = job.communicate(timeout=60)
        self.assertTrue(wait_until(lambda: self.hosts.left() == {}, 10), self.hosts.left())
        return Outcome(job.returncode, out, err)

    def refused(self, message, *program, **options):
        outcome = self.outcome(*program, **options)
        self.assertEqual(outcome.code, BAD_INPUT, outcome)
        self.assertEqual(len(outcome.messages), 1, outcome)
        self.assertRegex(outcome.messages[0], message)

    def on_second_host(self, path, other):
        """The second host sees the file `other` under the name `path`."""
        self.hosts[1].run("mount", "--bind", other, path)
        self.addCleanup(self.hosts[1].run, "umount", path)

    def test_different_files(self):
        graph = self.file("g.el", "0 1\n1 2\n")
        for other, described in (("0 1\n1 3\n", "8 bytes"), ("0 1\n", "4 bytes")):
            self.on_second_host(graph, self.file(f"other-{len(other)}.el", other))
            self.refused(rf"the hosts see different files under the name {graph}: 8 bytes with checksum \w+ \(rank 0 on h0\), "
                         rf"{described} with checksum \w+ \(rank 1 on h1\)", BINARY, "bfs", graph, "--source", 0)

    def test_a_file_that_is_missing_on_one_host(self):
        folder, empty = self.folder / "graphs", self.folder / "empty"
        folder.mkdir(), empty.mkdir()
        (folder / "g.el").write_text("0 1\n")
        self.on_second_host(folder, empty)
        self.refused(r"different files .*: 4 bytes .*\(rank 0 on h0\), there is no such file \(rank 1 on h1\)", BINARY, "bfs", folder / "g.el", "--source", 0)

    def test_different_versions(self):
        program, other = self.folder / "wayfront", self.folder / "other"
        program.write_bytes(pathlib.Path(BINARY).read_bytes())
        other.write_bytes(program.read_bytes().replace(b"0.2.0\0", b"0.2.9\0"))
        self.assertNotEqual(program.read_bytes(), other.read_bytes(), "the version was found in the program")
        program.chmod(0o755), other.chmod(0o755)
        self.on_second_host(program, other)
        self.refused(r"different versions of wayfront: 0\.2\.0 \(rank 0 on h0\), 0\.2\.9 \(rank 1 on h1\)", program, "bfs", "ring:9", "--source", 0)

    def test_different_arguments(self):
        other = (":", "-host", "h1", "-n", "1", BINARY, "bfs", "ring:9", "--source", "1")
        self.refused(r"different arguments: bfs ring:9 --source 0 \(rank 0 on h0\), bfs ring:9 --source 1 \(rank 1 on h1\)",
                     BINARY, "bfs", "ring:9", "--source", "0", *other, names="h0:1")

    def test_a_host_name_that_does_not_resolve(self):
        outcome = self.outcome(BINARY, "bfs", "ring:9", "--source", "0", names="h0:1,h9:1")
        self.assertNotEqual(outcome.code, GOOD, outcome)
        self.assertIn("could not resolve the host name h9", outcome.err)

    def test_a_rank_that_is_stopped_after_all_work_is_done(self):
        """The other ranks have ended, and the launcher waits."""
        script = self.file("rank.sh", f'#!/bin/sh\n{BINARY} "$@"\nkill -STOP $$\n')
        script.chmod(0o755)
        outcome = self.outcome("sh", "-c", f'test "$(hostname)" = h0 && exec {BINARY} "$@" || exec {script} "$@"', "sh",
                               "bfs", "ring:9", "--source", "0", "--timeout", "2")
        self.assertNotEqual(outcome.code, GOOD, outcome)
        self.assertEqual(outcome.messages, ["wayfront: error: mpirun has not ended, although rank 0 ended 17 seconds ago (--timeout)"], outcome)

    def test_a_link_that_is_cut_for_a_short_time(self):
        job = self.hosts.start(BINARY, "bfs", "kron:14", "--sources", "random:2000", "--threads", "1", "--timeout", "20", "--quiet")
        time.sleep(1.5)
        self.hosts[1].cut_link()
        time.sleep(1.5)
        self.assertIsNone(job.poll(), "the job waits for the link")
        self.hosts[1].mend_link()
        _, err = job.communicate(timeout=60)
        self.assertEqual(job.returncode, GOOD, err)


if __name__ == "__main__":
    unittest.main()
