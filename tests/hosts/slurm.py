"""A Slurm cluster whose nodes are the hosts of hosts.py: a controller, one daemon per node, and munge, all as root and in a folder of their own.

The machine's own Slurm and munge, if there are any, are not touched: all files and sockets are in that folder, and all ports belong to the hosts.
"""

import os
import shutil
import signal
import subprocess
import time

from hosts import Hosts, wait_until

PROGRAMS = ("slurmctld", "slurmd", "munged", "sbatch", "srun", "scontrol", "scancel")
CORES = os.cpu_count()  # the nodes share them
GPUS = 8  # of each node in Slurm's configuration; there are none in fact

CONFIGURATION = """
ClusterName=test
SlurmctldHost=h0
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/affinity
TmpFS={folder}/tmp-%n
GresTypes=gpu
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
MessageTimeout=30
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1,batch_sched_delay=0,sched_min_interval=0,sched_max_job_start=0
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
{nodes}
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def missing():
    """The programs of Slurm that are not installed; empty if all are."""
    absent = [program for program in PROGRAMS if shutil.which(program) is None]
    return f"not installed: {', '.join(absent)}" if absent else None


class Slurm:
    """A running cluster. stop() ends its daemons and its jobs."""

    def __init__(self, count):
        self.hosts = Hosts(count)
        self.folder = self.hosts.folder
        self.daemons = []
        try:
            self._start()
        except BaseException:
            self.stop()
            raise

    def _start(self):
        for name in ("state", *(f"tmp-{host.name}" for host in self.hosts.all)):
            (self.folder / name).mkdir()
        (self.folder / "gres.conf").write_text(f"Name=gpu File=/dev/tty[1-{GPUS}]\n")
        nodes = "\n".join(f"NodeName={host.name} NodeAddr={host.address} CPUs={CORES} CoresPerSocket={CORES} Gres=gpu:{GPUS}" for host in self.hosts.all)
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(folder=self.folder, nodes=nodes))
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        # munge refuses a folder that others may write to, or not enter.
        self.folder.chmod(0o755)
        self.environment = self.hosts.environment(SLURM_CONF=str(self.folder / "slurm.conf"))
        first = self.hosts[0]
        self._daemon(first, "munged", "--foreground", "--force", f"--key-file={key}", f"--socket={self.folder}/munge.socket",
                     f"--pid-file={self.folder}/munge.pid", f"--log-file={self.folder}/munge.log", f"--seed-file={self.folder}/munge.seed")
        if not wait_until((self.folder / "munge.socket").exists, 20):
            raise RuntimeError("munged did not start")
        self._daemon(first, "slurmctld", "-D")
        for host in self.hosts.all:
            self._daemon(host, "slurmd", "-D", "-N", host.name)
        if not wait_until(lambda: self.states() == {host.name: "idle" for host in self.hosts.all}, 60):
            raise RuntimeError(f"the nodes are not idle: {self.states()}")

    def _daemon(self, host, *command):
        self.daemons.append(subprocess.Popen(host.enter(*command), env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                             stderr=subprocess.DEVNULL))

    def command(self, *words, cwd="/", env=None):
        """Runs a command of Slurm on the first node. Returns what it prints."""
        done = subprocess.run(self.hosts[0].enter("env", "--chdir", cwd, *words), env={**self.environment, **(env or {})}, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, words))}: {done.stdout}")
        return done.stdout

    def states(self):
        """The state of each node; empty if the controller does not answer."""
        try:
            return dict(line.split() for line in self.command("sinfo", "--noheader", "--Node", "--format=%N %T").splitlines())
        except RuntimeError:
            return {}

    def submit(self, *words, **more):
        """The number of the job."""
        return self.command("sbatch", "--parsable", *words, **more).strip()

    def job(self, number):
        """Slurm's facts about a job, or about each task of an array: one dictionary for each."""
        jobs = self.command("scontrol", "--oneliner", "show", "job", number).splitlines()
        return [dict(word.split("=", 1) for word in line.split() if "=" in word) for line in jobs if line.strip()]

    def wait(self, number, seconds, states=("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL")):
        """Waits until a job is in one of the states. Returns job() of that time."""
        deadline = time.monotonic() + seconds
        while True:
            jobs = self.job(number)
            if all(job["JobState"] in states for job in jobs):
                return jobs
            if time.monotonic() > deadline:
                raise RuntimeError(f"the job {number} is not in any of the states {states}: {jobs}")
            time.sleep(0.3)

    def stop(self):
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for host in self.hosts.all:
            host.signal(signal.SIGTERM)
        wait_until(lambda: not self.hosts.left(), 5)
        self.hosts.remove()
        for daemon in self.daemons:
            daemon.wait()
