#!/usr/bin/env bash
# Searches many graphs, each in its own task of a job array.
# usage: sbatch --array=1-N many-graphs.sh LIST
# LIST is a file with the name of one graph per line; N is its number of lines. A % limits the
# number of tasks that run at a time: --array=1-1000%20.
# Edit: the lines #SBATCH; --mpi (docs/cluster.md); WAYFRONT, if the program is not on PATH.
# Writes NAME-ARRAY-TASK.json for each graph: 64 searches from random sources, with their times and
# the number of vertices of each level.
#SBATCH --job-name=many-graphs
#SBATCH --array=1-1
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=16
#SBATCH --time=00:30:00
#SBATCH --output=many-graphs-%A-%a.txt
set -euo pipefail
graph=$(sed -n "${SLURM_ARRAY_TASK_ID}p" "$1")
name=$(basename "${graph:?the list has no line $SLURM_ARRAY_TASK_ID}")

srun --mpi=pmix --cpus-per-task="$SLURM_CPUS_PER_TASK" --cpu-bind=cores \
    "${WAYFRONT:-wayfront}" bfs "$graph" --sources random:64 \
    --json "${name%%.*}-$SLURM_ARRAY_JOB_ID-$SLURM_ARRAY_TASK_ID.json"
