"""Prints why the tests over several hosts, or with the argument slurm those on Slurm, cannot run here; nothing if they can."""

import sys

import hosts
import slurm

print(hosts.obstacle() or ("slurm" in sys.argv[1:] and slurm.missing()) or "")
