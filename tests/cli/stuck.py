"""What a process that does not end is doing, for the message of a test that gave up on it."""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess

LONGEST = 60  # seconds that a debugger may take


def tree(pid):
    """The process and all that it has started, directly or not."""
    children = {}
    for status in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            children.setdefault(int(status.read_text().rpartition(")")[2].split()[1]), []).append(int(status.parent.name))
    found = [pid]
    for parent in found:
        found.extend(children.get(parent, ()))
    return found


def _read(path):
    try:
        return path.read_text(errors="replace").replace("\0", " ").strip()
    except OSError as error:
        return f"({error.strerror})"


def describe(pid):
    """A line for each thread of the process and of all that it has started: its state, the function
    of the kernel in which it sleeps, and its system call. With gdb, their stacks as well."""
    lines = []
    for process in tree(pid):
        folder = pathlib.Path(f"/proc/{process}")
        lines.append(f"process {process}: {_read(folder / 'cmdline')}")
        for thread in sorted(folder.glob("task/[0-9]*")):
            state = _read(thread / "stat").rpartition(")")[2].split()[:1]
            lines.append(f"  thread {thread.name}: state {' '.join(state)}, in {_read(thread / 'wchan')}, system call {_read(thread / 'syscall')}")
        if shutil.which("gdb"):
            with contextlib.suppress(subprocess.TimeoutExpired):
                stacks = subprocess.run(["gdb", "--batch", "-nx", "-p", str(process), "-ex", "thread apply all backtrace 30"], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace", timeout=LONGEST, check=False)
                lines += ["  " + line for line in stacks.stdout.splitlines() if line.startswith(("#", "Thread"))]
    return "\n".join(lines)


def kill(pid):
    """Kills the process and all that it has started."""
    for process in tree(pid):
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
