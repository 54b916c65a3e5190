"""Runs the built program and computes the expected results without it.

Environment variables, which tests/CMakeLists.txt sets:
    WAYFRONT_BINARY       the program
    WAYFRONT_MPIEXEC      mpirun or mpiexec
    WAYFRONT_TEST_DATA    tests/data
    WAYFRONT_SHARED_DATA  larger graphs; tests that need them are skipped if they are missing
    WAYFRONT_FAILING_CALLS  the library of failing_calls.cpp; tests that need it are skipped if it is missing
"""

import collections
import contextlib
import ctypes
import errno
import fcntl
import glob
import json
import os
import pathlib
import platform
import pty
import re
import shutil
import struct
import subprocess
import tempfile
import termios
import unittest

import stuck

HERE = pathlib.Path(__file__).resolve().parent
BINARY = os.environ.get("WAYFRONT_BINARY", str(HERE.parents[1] / "build/release/src/app/wayfront"))
MPIEXEC = os.environ.get("WAYFRONT_MPIEXEC", "mpirun")
DATA = pathlib.Path(os.environ.get("WAYFRONT_TEST_DATA", HERE.parent / "data"))
SHARED_DATA = pathlib.Path(os.environ.get("WAYFRONT_SHARED_DATA") or "/nonexistent")

GOOD, WRONG_RESULT, BAD_INPUT, RESOURCES, STOPPED = 0, 1, 2, 3, 75

NO_GPU = {"CUDA_VISIBLE_DEVICES": ""}  # an environment in which the program sees no GPU

# By default, Open MPI refuses to run as root and to start more ranks than there are cores.
MPI_ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    # Tests run beside each other; the note of other programs is not theirs to see.
    "WAYFRONT_THREADS_OF_OTHERS": "0",
    # Nor is what the user has measured.
    "WAYFRONT_RATES": "none",
}


def count_gpus():
    """The number of GPUs that the program can see."""
    try:
        listed = subprocess.run(["nvidia-smi", "-L"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=60).stdout
    except (OSError, subprocess.TimeoutExpired):
        return 0
    found = sum(line.startswith("GPU ") for line in listed.splitlines())
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    return found if visible is None else min(found, len([name for name in visible.split(",") if name]))


class Outcome:
    """The outcome of a run: exit code, standard output, standard error, and the program's own
    messages in standard error."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err
        self.messages = [line for line in err.splitlines() if line.startswith("wayfront: error: ")]

    @property
    def message(self):
        """The only message, without the number of the rank that printed it."""
        return re.sub(r" \(rank \d+\)$", "", self.messages[0]) if len(self.messages) == 1 else None

    def __repr__(self):
        return f"exit code {self.code}\nstdout:\n{self.out}\nstderr:\n{self.err}"


def command(arguments, ranks=1):
    program = [BINARY, *map(str, arguments)]
    return program if ranks == 1 else [MPIEXEC, "-n", str(ranks), *program]


def environment(**more):
    return {**os.environ, **MPI_ENVIRONMENT, **more}


def run(*arguments, ranks=1, timeout=300, env=None, stdin=subprocess.DEVNULL, **options):
    words = command(arguments, ranks)
    with subprocess.Popen(words, env=environment(**(env or {})), stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=stdin,
                          errors="replace", text=True, **options) as process:
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            doing = stuck.describe(process.pid)
            stuck.kill(process.pid)
            out = err = "(not complete)"
            with contextlib.suppress(subprocess.TimeoutExpired):  # a process that nobody knows of may keep the pipes open
                out, err = process.communicate(timeout=stuck.LONGEST)
            raise AssertionError(f"{words} did not end within {timeout} s.\n{doing}\nstdout:\n{out}\nstderr:\n{err}") from None
        except BaseException:
            stuck.kill(process.pid)
            raise
    return Outcome(process.returncode, out, err)


def on_a_terminal(*arguments, columns=80):
    """Runs the program with a terminal as its output. Returns the exit code and the bytes that the
    terminal received."""
    ours, programs = pty.openpty()
    fcntl.ioctl(programs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    shown = b""
    with subprocess.Popen(command(arguments), env=environment(), stdin=subprocess.DEVNULL, stdout=programs, stderr=programs) as process:
        os.close(programs)
        try:
            while piece := os.read(ours, 4096):
                shown += piece
        except OSError:  # the program has ended
            pass
    os.close(ours)
    return process.returncode, shown


def unfinished_sizes(folder):
    """The sizes of the files in a folder that are being written: those with the name of a part, and
    those that have no name yet."""
    sizes = []
    for path in map(pathlib.Path, glob.glob(f"{folder}/*.part-*") + glob.glob("/proc/[0-9]*/fd/*")):
        with contextlib.suppress(OSError):  # processes and files come and go
            if ".part-" in path.name or re.fullmatch(re.escape(f"{folder}/#") + r"\d+ \(deleted\)", os.readlink(path)):
                sizes.append(path.stat().st_size)
    return sizes


def nameless_files():
    """Whether the file system of the tests' folders has files without names."""
    try:
        os.close(os.open(tempfile.gettempdir(), os.O_WRONLY | os.O_TMPFILE))
        return True
    except OSError:
        return False


def forbid_nameless_files():
    """From now on, this process and its children cannot open files without a name, as on file
    systems that have none: a filter of system calls (seccomp) refuses O_TMPFILE."""
    def instruction(code, jump_if, jump_else, value):
        return struct.pack("HBBI", code, jump_if, jump_else, value)

    load, equal, any_bit, answer = 0x20, 0x15, 0x45, 0x06  # of the Berkeley packet filter
    number_at, flags_at, own_bit_of_tmpfile = 0, 32, 0x400000
    openat = 257 if platform.machine() == "x86_64" else 56
    refused, allowed = 0x50000 | errno.EOPNOTSUPP, 0x7FFF0000
    program = b"".join([instruction(load, 0, 0, number_at), instruction(equal, 0, 3, openat), instruction(load, 0, 0, flags_at),
                        instruction(any_bit, 0, 1, own_bit_of_tmpfile), instruction(answer, 0, 0, refused), instruction(answer, 0, 0, allowed)])
    instructions = ctypes.create_string_buffer(program, len(program))
    filter_program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(instructions)))
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    no_new_privileges, set_filter, filter_mode = 38, 22, 2
    if prctl(no_new_privileges, 1, 0, 0, 0) != 0 or prctl(set_filter, filter_mode, filter_program) != 0:
        raise OSError(ctypes.get_errno(), "no filter of system calls")


class DriverTest(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="wayfront-cli-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def spans(self, trace):
        """The spans of a file of --trace. Each has the names of the spans around it in "path":
        "outer/inner". Checks that the spans of a thread are nested, that they are listed in the
        order in which they ended, and that a span in a level belongs to this level."""
        rounding = 0.002  # microseconds
        spans = [event for event in json.loads(trace.read_text())["traceEvents"] if event["ph"] == "X"]
        ends = {}  # of the last span of each rank
        around = {}  # the spans that have not ended, of each thread
        for span in spans:
            span["end"] = span["ts"] + span["dur"]
            self.assertTrue(span["ts"] >= 0 and span["dur"] >= 0, span)
            self.assertGreaterEqual(span["end"] + rounding, ends.get(span["pid"], 0), span)
            ends[span["pid"]] = span["end"]
        for span in sorted(spans, key=lambda span: (span["ts"], -span["dur"])):
            outer = around.setdefault((span["pid"], span["tid"]), [])
            while outer and outer[-1]["end"] <= span["ts"] + rounding:
                outer.pop()
            if outer:
                self.assertLessEqual(span["end"], outer[-1]["end"] + rounding, (span, outer[-1]))
                if "level" in outer[-1]["args"]:
                    self.assertEqual(span["args"].get("level"), outer[-1]["args"]["level"], (span, outer[-1]))
            outer.append(span)
            span["path"] = "/".join(each["name"] for each in outer)
        return spans

    def file(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def good(self, *arguments, **options):
        outcome = run(*arguments, **options)
        self.assertEqual(outcome.code, GOOD, outcome)
        return outcome

    def fails(self, code, *arguments, **options):
        """Checks that the program fails with `code` and a single message. Returns the message."""
        outcome = run(*arguments, **options)
        self.assertEqual(outcome.code, code, outcome)
        self.assertEqual(len(outcome.messages), 1, outcome)
        return outcome.message

    def fails_alike(self, code, *arguments, ranks=(1, 3), **options):
        """Checks that the program fails with the same message on every number of ranks. Returns the
        message."""
        messages = {self.fails(code, *arguments, ranks=number, **options) for number in ranks}
        self.assertEqual(len(messages), 1, messages)
        return messages.pop()

    def assert_nothing_left(self, name):
        """Checks that there is no file of this name, and no unfinished file in its folder."""
        self.assertEqual([entry.name for entry in self.folder.iterdir() if entry.name.startswith(name)], [])


class WithFailingCalls(DriverTest):
    """Runs in which a system call fails, or is the last one before the program is killed
    (failing_calls.cpp)."""

    def setUp(self):
        super().setUp()
        self.library = os.environ.get("WAYFRONT_FAILING_CALLS", "")
        if not self.library:
            self.skipTest("a build with sanitizers")

    def run_with(self, call, fate, *words, **options):
        return run(*words, env={"LD_PRELOAD": self.library, "WAYFRONT_CALL": call, "WAYFRONT_FATE": fate, "WAYFRONT_COUNT": str(self.folder / "count")},
                   **options)


class Graph:
    """A graph in memory, and a serial breadth-first search with a queue. Shares no code with the
    program."""

    def __init__(self, vertices, edges, directed, first=0):
        """The vertices are numbered from `first` to first + vertices - 1, as in the file; `edges`
        uses these numbers."""
        self.first, self.vertices, self.edges, self.directed = first, vertices, list(edges), directed
        self.out = collections.defaultdict(set)
        for u, v in self.edges:
            self.out[u].add(v)
            if not directed:
                self.out[v].add(u)

    def numbers(self):
        return range(self.first, self.first + self.vertices)

    def undirected(self):
        return Graph(self.vertices, self.edges, False, self.first)

    def reversed(self):
        return Graph(self.vertices, [(v, u) for u, v in self.edges], self.directed, self.first)

    def levels(self, source):
        level = {source: 0}
        queue = collections.deque([source])
        while queue:
            u = queue.popleft()
            for v in self.out[u]:
                if v not in level:
                    level[v] = level[u] + 1
                    queue.append(v)
        return level

    def smallest_parents(self, source):
        level = self.levels(source)
        parent = {source: source}
        for u in sorted(level):
            for v in self.out[u]:
                if level[v] == level[u] + 1:
                    parent.setdefault(v, u)
        return parent

    def as_edge_list(self):
        return "".join(f"{u}\t{v}\n" for u, v in self.edges)


def check_result(test, graph, source, rows, cutoff=None):
    """Checks a result against a search with a queue. `rows`: (vertex, level, parent), all vertices
    in order. Any valid parent is accepted."""
    level = graph.levels(source)
    if cutoff is not None:
        level = {v: d for v, d in level.items() if d <= cutoff}
    test.assertEqual([row[0] for row in rows], list(graph.numbers()))
    test.assertEqual({v: d for v, d, _ in rows if d >= 0}, level)
    for v, d, parent in rows:
        if v not in level:
            test.assertEqual((d, parent), (-1, -1), f"vertex {v} is not reached")
        elif v == source:
            test.assertEqual(parent, source)
        else:
            test.assertEqual(level.get(parent), d - 1, f"parent {parent} of vertex {v}")
            test.assertIn(v, graph.out[parent], f"an edge joins vertex {v} and its parent {parent}")


def read_csv(path, value="level"):
    header, *lines = path.read_text().splitlines()
    assert header == f"vertex,{value},parent", header
    return [tuple(map(int, line.split(","))) for line in lines]
