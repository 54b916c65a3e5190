"""Jobs in which a rank is killed during a search."""

import os
import pathlib
import signal
import subprocess
import time

from driver import BINARY, GOOD, MPIEXEC, environment

LONGEST = 20  # the most seconds that the other ranks may outlive a killed one


def expect_end_of_job(test, *arguments, ranks, victim):
    """Runs the program and kills a rank during a search. Checks that the job soon ends with an
    error, and that none of its processes is left."""
    job = subprocess.Popen([MPIEXEC, "-n", str(ranks), BINARY, *map(str, arguments)], env=environment(), stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True)
    test.addCleanup(job.stdout.close)
    test.addCleanup(job.stderr.close)
    test.addCleanup(job.kill)
    for line in job.stdout:
        if line.startswith("construction"):
            break
    time.sleep(0.5)
    test.assertIsNone(job.poll(), "the searches take longer than this")
    processes = processes_of(job)
    test.assertEqual(len(processes), ranks)
    os.kill(processes[victim], signal.SIGKILL)
    killed = time.monotonic()
    job.communicate(timeout=3 * LONGEST)
    test.assertLess(time.monotonic() - killed, LONGEST)
    test.assertNotEqual(job.returncode, GOOD)
    while any(runs(process) for process in processes):
        test.assertLess(time.monotonic() - killed, LONGEST, "no rank outlives the job")
        time.sleep(0.1)


def expect_end_without_launcher(test, *arguments, ranks, victim, program=BINARY):
    """Runs a program that prints "construction" before its searches, stops the launcher and kills a
    rank during a search. Checks that the other ranks end by themselves, and that one of them prints
    the cause."""
    job = subprocess.Popen([MPIEXEC, "-n", str(ranks), program, *map(str, arguments)], env=environment(), stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True)
    test.addCleanup(job.stdout.close)
    test.addCleanup(job.stderr.close)
    test.addCleanup(job.kill)
    for line in job.stdout:
        if line.startswith("construction"):
            break
    processes = processes_of(job, program)
    test.assertEqual(len(processes), ranks)
    os.kill(job.pid, signal.SIGSTOP)
    test.addCleanup(job.send_signal, signal.SIGCONT)
    os.kill(processes[victim], signal.SIGKILL)
    killed = time.monotonic()
    while any(runs(process, program) for process in processes):
        test.assertLess(time.monotonic() - killed, LONGEST, "ranks outlive the killed one")
        time.sleep(0.1)
    test.assertGreater(time.monotonic() - killed, 3, "the launcher gets time to end the job")
    job.send_signal(signal.SIGCONT)
    _, messages = job.communicate(timeout=3 * LONGEST)
    test.assertNotEqual(job.returncode, GOOD)
    told = [line for line in messages.splitlines() if line.startswith("wayfront: error: ")]
    test.assertEqual(len(told), 1, messages)
    test.assertIn(f"(process {processes[victim]}) has ended before its work was done", told[0])


def processes_of(job, binary=BINARY):
    """The ranks: the processes of the program among the descendants of a launcher, without their
    own children."""
    children = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
            program = os.readlink(folder / "exe")
        except OSError:
            continue
        children.setdefault(int(fields[1]), []).append((int(folder.name), program))
    found, waiting = [], [job.pid]
    while waiting:
        for process, program in children.get(waiting.pop(), []):
            if os.path.realpath(program) == os.path.realpath(binary):
                found.append(process)
            else:
                waiting.append(process)
    return sorted(found)


def runs(process, binary=BINARY):
    try:
        return os.path.realpath(os.readlink(f"/proc/{process}/exe")) == os.path.realpath(binary)
    except OSError:  # the process is gone, or its parent has not waited for it yet
        return False
