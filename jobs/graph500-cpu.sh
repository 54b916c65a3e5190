#!/usr/bin/env bash
# Graph500 on CPU nodes: one rank per node, with all of its cores.
# usage: sbatch [--nodes=N] graph500-cpu.sh [SCALE]
# Edit: the lines #SBATCH; --mpi (docs/cluster.md); WAYFRONT, if the program is not on PATH.
# Writes graph500-JOB.txt, the report, and graph500-JOB.json, which has every search.
#SBATCH --job-name=graph500
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=64
#SBATCH --exclusive
#SBATCH --time=01:00:00
#SBATCH --output=graph500-%j.txt
set -euo pipefail
scale=${1:-28}

srun --mpi=pmix --cpus-per-task="$SLURM_CPUS_PER_TASK" --cpu-bind=cores \
    "${WAYFRONT:-wayfront}" graph500 --scale "$scale" --engine cpu \
    --json "graph500-$SLURM_JOB_ID.json"
