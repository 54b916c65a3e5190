"""Faults of hosts: how they are brought about, and what a job leaves after one."""

import contextlib
import os
import re
import signal
import subprocess
import time

from driver import BINARY, GOOD
from hosts import Hosts

TIMEOUT = 4  # seconds of --timeout
# A launcher whose ranks have ended, or not begun, waits for a host that is gone until keepalive
# messages detect this: here after 3 + 2 * 2 seconds, by default after 8 minutes.
KEEPALIVE = {"OMPI_MCA_oob_tcp_keepalive_time": "3", "OMPI_MCA_oob_tcp_keepalive_intvl": "2", "OMPI_MCA_oob_tcp_keepalive_probes": "2"}
LONGEST = 40  # the most seconds from a fault to the end of the job, on a machine that is busy with other tests


def stop_one_rank(host):
    ranks = host.processes(BINARY)
    if ranks:
        with contextlib.suppress(ProcessLookupError):
            os.kill(ranks[-1], signal.SIGSTOP)


def kill_one_rank(host):
    ranks = host.processes(BINARY)
    if ranks:
        with contextlib.suppress(ProcessLookupError):
            os.kill(ranks[-1], signal.SIGKILL)


# The faults, which strike a host other than the first, on which mpirun runs.
FAULTS = {
    "one rank is killed": kill_one_rank,
    "all ranks of a host are killed": lambda host: host.signal(signal.SIGKILL, BINARY),
    "the launcher's daemon is killed": lambda host: host.signal(signal.SIGKILL, "/usr/bin/orted"),
    "one rank is stopped": stop_one_rank,
    "all ranks of a host are stopped": lambda host: host.signal(signal.SIGSTOP, BINARY),
    "the link is cut": lambda host: host.cut_link(),
}


class Aftermath:
    """How a job ended after a fault: seconds from the fault to the end of mpirun (None: it did not
    end), exit code, output, processes left."""

    def __init__(self, hosts, job, since):
        self.out = self.err = ""
        try:
            self.out, self.err = job.communicate(timeout=LONGEST)
            self.seconds = time.monotonic() - since
        except subprocess.TimeoutExpired:
            self.seconds = None
        self.code = job.poll()
        self.left = hosts.left()
        while self.left and time.monotonic() - since < LONGEST:
            time.sleep(0.2)
            self.left = hosts.left()
        self.messages = [line for line in self.err.splitlines() if line.startswith("wayfront: error: ")]

    @property
    def message(self):
        """The message that names the cause: the program's, or the launcher's."""
        if self.messages:
            return self.messages[0]
        for pattern in (r"mpirun noticed that process rank \d+ .*", r"Remote daemon: .*", r"mpirun was unable .*", r"ORTE has lost communication .*",
                        r"ORTE was unable to reliably start .*", r"Primary job  terminated normally, but .*"):
            if found := re.search(pattern, self.err):
                return found[0]
        return ""

    def check(self, test, code, message):
        """Fails the test unless the job ended with this exit code (None: any but 0), left nothing, and named the cause."""
        test.assertIsNotNone(self.seconds, self)
        test.assertEqual(self.left, {}, self)
        test.assertNotEqual(self.code, GOOD, self)
        if code is not None:
            test.assertEqual(self.code, code, self)
        test.assertLessEqual(len(self.messages), 1, self)
        test.assertRegex(self.message, message, self)

    def __repr__(self):
        return f"ended after {self.seconds} s, exit code {self.code}, left: {self.left}\nstdout:\n{self.out}\nstderr:\n{self.err}"


def aftermath(fault, start):
    """How a job over two hosts, which start(hosts) starts, ends if the fault strikes the second host during its searches."""
    hosts = Hosts(2)
    try:
        job = start(hosts)
        for line in job.stdout:
            if line.startswith("construction"):
                break
        time.sleep(2)  # both hosts have heard from each other
        fault(hosts[1])
        return Aftermath(hosts, job, time.monotonic())
    finally:
        hosts.remove()
