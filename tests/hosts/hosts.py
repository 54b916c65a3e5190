"""Hosts on one machine: each is a set of Linux namespaces with a host name and a network address of its own, and a bridge joins them.

A host sees the machine's files, but has a /dev/shm of its own. A process belongs to the host whose network it sees. mpirun starts its daemons through the
script `agent`. Needs root.
"""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
AGENT = HERE / "agent"
WIRE = os.environ.get("WAYFRONT_WIRE", "")  # the program that shapes links (wire.cpp)
PROGRAMS = ("ip", "unshare", "nsenter", "setpriv", "mount", "mpirun")
NAMESPACES = ("--mount", "--uts", "--ipc", "--net")

MPI_SETTINGS = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMPI_MCA_plm": "rsh",
    "OMPI_MCA_plm_rsh_agent": str(AGENT),
}


def obstacle():
    """The reason why hosts cannot be made here; None if they can."""
    if os.geteuid() != 0:
        return "hosts are made of namespaces, which needs root"
    missing = [program for program in PROGRAMS if shutil.which(program) is None]
    if missing:
        return f"not installed: {', '.join(missing)}"
    tried = subprocess.run(["unshare", *NAMESPACES, "sh", "-c", "ip link add wf-a type veth peer name wf-b && ip link add wf-c type bridge"],
                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return f"namespaces or links cannot be made here: {tried.stderr.strip()}" if tried.returncode != 0 else None


def wait_until(condition, seconds):
    """Whether the condition became true within this number of seconds."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def check(*command):
    subprocess.run(list(map(str, command)), check=True, stdout=subprocess.DEVNULL)


class Host:
    """One host. Its first process holds the namespaces while nothing else runs there, and ends with
    this program."""

    def __init__(self, name, address, folder):
        self.name, self.address = name, address
        ready = folder / f"{name}.ready"
        start = (f"hostname {name} && mount --bind {folder}/names /etc/hosts && mount -t tmpfs tmpfs /dev/shm && ip link set lo up && touch {ready} && "
                 "exec sleep infinity")
        self._holder = subprocess.Popen(["unshare", *NAMESPACES, "setpriv", "--pdeathsig", "KILL", "sh", "-c", start], stdin=subprocess.DEVNULL)
        self.first = self._holder.pid
        wait_until(lambda: ready.exists() or self._holder.poll() is not None, 20)
        if not ready.exists():
            raise RuntimeError(f"the host {name} could not be made")
        self._network = os.readlink(f"/proc/{self.first}/ns/net")
        (folder / name).write_text(str(self.first))

    def enter(self, *command):
        """The command line that runs a command on the host."""
        return ["nsenter", "--target", str(self.first), *NAMESPACES, "--", *map(str, command)]

    def run(self, *command):
        check(*self.enter(*command))

    def processes(self, program=None):
        """The processes of the host, without the one that holds it; those of one program if it is
        given."""
        found = []
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if os.readlink(folder / "ns/net") != self._network or int(folder.name) == self.first:
                    continue
                if program is None or os.path.realpath(os.readlink(folder / "exe")) == os.path.realpath(program):
                    found.append(int(folder.name))
        return sorted(found)

    def signal(self, number, program=None):
        for process in self.processes(program):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, number)

    def give_up_soon(self):
        """TCP gives up after some 13 seconds without an answer, instead of 15 minutes."""
        self.run("sh", "-c", "echo 5 > /proc/sys/net/ipv4/tcp_retries2")

    def cut_link(self):
        self.run("ip", "link", "set", "eth0", "down")

    def mend_link(self):
        self.run("ip", "link", "set", "eth0", "up")

    def remove(self):
        self.signal(signal.SIGKILL)
        self._holder.kill()
        self._holder.wait()


def command_of(process):
    """The beginning of a process's command line; None if there is no such process any more."""
    try:
        return pathlib.Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")[:150]
    except OSError:
        return None


class Hosts:
    """`count` hosts h0, h1, ... on one bridge, or on one shaped wire: `delay_us` each way, `mbit`
    per second out of each host, and a share `loss` of lost packets."""

    def __init__(self, count, delay_us=0, mbit=0, loss=0.0):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="wayfront-hosts-"))
        self.all, self._bridge, self._wire = [], "", None
        try:
            names = {f"h{i}": f"10.77.0.{i + 1}" for i in range(count)}
            (self.folder / "names").write_text("127.0.0.1 localhost\n" + "".join(f"{address} {name}\n" for name, address in names.items()))
            for name, address in names.items():
                self.all.append(Host(name, address, self.folder))
            if delay_us or mbit or loss:
                self._join_by_wire(delay_us, mbit, loss)
            else:
                self._join_by_bridge()
            for host in self.all:
                host.run("ip", "address", "add", f"{host.address}/24", "dev", "eth0")
                host.run("ip", "link", "set", "eth0", "up")
        except BaseException:
            self.remove()
            raise

    def _join_by_bridge(self):
        # The bridge is on the first host, so that both end together.
        first = self.all[0]
        first.run("ip", "link", "add", "bridge", "type", "bridge")
        first.run("ip", "link", "set", "bridge", "up")
        for i, host in enumerate(self.all):
            first.run("ip", "link", "add", f"port{i}", "type", "veth", "peer", "name", "eth0" if i == 0 else f"end{i}")
            first.run("ip", "link", "set", f"port{i}", "master", "bridge", "up")
            if i > 0:
                check("nsenter", "--target", first.first, "--net", "ip", "link", "set", f"end{i}", "netns", host.first)
                host.run("ip", "link", "set", f"end{i}", "name", "eth0")

    def _join_by_wire(self, delay_us, mbit, loss):
        arguments = [WIRE, str(delay_us), str(mbit), str(loss), *(str(host.first) for host in self.all)]
        self._wire = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)
        if self._wire.stdout.readline() != "ready\n":
            raise RuntimeError("the wire between the hosts could not be made")

    def __getitem__(self, index):
        return self.all[index]

    def names(self, ranks_a_host=1):
        return ",".join(f"{host.name}:{ranks_a_host}" for host in self.all)

    def environment(self, **more):
        return {**os.environ, **MPI_SETTINGS, "WAYFRONT_HOSTS": str(self.folder), "OMPI_MCA_orte_tmpdir_base": str(self.folder), **more}

    def start(self, *program, ranks_a_host=1, names=None, options=(), env=None, **popen):
        """mpirun on the first host, with ranks on all of them."""
        hosts = names or self.names(ranks_a_host)
        ranks = sum(int(part.partition(":")[2] or 1) for part in hosts.split(","))
        command = self.all[0].enter("mpirun", "--host", hosts, "-n", ranks, *options, *program)
        settings = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL, "text": True, "errors": "replace", **popen}
        return subprocess.Popen(command, env=self.environment(**(env or {})), **settings)

    def left(self):
        """The processes that are on any host: none once a job has ended."""
        commands = {host.name: [command for process in host.processes() if (command := command_of(process)) is not None] for host in self.all}
        return {name: of_host for name, of_host in commands.items() if of_host}

    def remove(self):
        for host in self.all:
            host.remove()
        if self._wire is not None:
            self._wire.terminate()
            self._wire.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
