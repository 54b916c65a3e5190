#!/usr/bin/env bash
# Breadth-first search of a graph file from one source. All nodes must see the file.
# usage: sbatch [--nodes=N] bfs.sh GRAPH SOURCE
# Edit: the lines #SBATCH; --mpi (docs/cluster.md); WAYFRONT, if the program is not on PATH.
# Writes NAME-JOB.csv, the level and the parent of every vertex, and bfs-JOB.txt, the summary.
#SBATCH --job-name=bfs
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=64
#SBATCH --time=01:00:00
#SBATCH --output=bfs-%j.txt
set -euo pipefail
graph=$1 source=$2
name=$(basename "$graph")

srun --mpi=pmix --cpus-per-task="$SLURM_CPUS_PER_TASK" --cpu-bind=cores \
    "${WAYFRONT:-wayfront}" bfs "$graph" --source "$source" --validate \
    --output "${name%%.*}-$SLURM_JOB_ID.csv"
