#!/usr/bin/env bash
# Distances between all pairs of vertices of a graph file, on one node. If the time is too short,
# the job saves a checkpoint and goes back into the queue, until it is done.
# usage: sbatch apsp.sh GRAPH [NAME]
# NAME begins the names of the results (default: that of the graph, and the job's number). With the
# NAME of an earlier job that was cancelled, this job goes on from its checkpoint.
# Edit: the lines #SBATCH; --mpi (docs/cluster.md); WAYFRONT, if the program is not on PATH.
# Writes NAME.npy, the distances, and apsp-JOB.txt, the summary; until then NAME.checkpoint.
#SBATCH --job-name=apsp
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=64
#SBATCH --time=12:00:00
#SBATCH --signal=TERM@300
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=apsp-%j.txt
set -euo pipefail
graph=$1
name=$(basename "$graph")
result=${2:-${name%%.*}-$SLURM_JOB_ID}

code=0
srun --mpi=pmix --cpus-per-task="$SLURM_CPUS_PER_TASK" --cpu-bind=cores \
    "${WAYFRONT:-wayfront}" apsp "$graph" --summary --output "$result.npy" \
    --checkpoint "$result.checkpoint" --resume || code=$?
# Exit code 75: SIGTERM has come (--signal), and the checkpoint is written.
if ((code == 75)); then scontrol requeue "$SLURM_JOB_ID"; fi
exit "$code"
