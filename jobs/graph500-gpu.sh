#!/usr/bin/env bash
# Graph500 on GPU nodes: one rank per GPU. Each rank sees all GPUs of its node and takes its own,
# so that GPUs of a node can reach each other's memory (--gpu-bind=none).
# usage: sbatch [--nodes=N] graph500-gpu.sh [SCALE]
# Edit: the lines #SBATCH; --mpi (docs/cluster.md); WAYFRONT, if the program is not on PATH.
# Writes graph500-JOB.txt, the report, and graph500-JOB.json, which has every search.
#SBATCH --job-name=graph500
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=8
#SBATCH --gpus-per-node=8
#SBATCH --cpus-per-task=8
#SBATCH --exclusive
#SBATCH --time=01:00:00
#SBATCH --output=graph500-%j.txt
set -euo pipefail
scale=${1:-31}

srun --mpi=pmix --cpus-per-task="$SLURM_CPUS_PER_TASK" --cpu-bind=cores --gpu-bind=none \
    "${WAYFRONT:-wayfront}" graph500 --scale "$scale" --engine gpu \
    --json "graph500-$SLURM_JOB_ID.json"
