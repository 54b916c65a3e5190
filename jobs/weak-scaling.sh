#!/usr/bin/env bash
# Weak scaling of Graph500: 1, 2, 4, ... nodes of the job, with a graph that doubles with the nodes.
# usage: sbatch [--nodes=N] weak-scaling.sh [SCALE_ON_ONE_NODE]
# Edit: the lines #SBATCH; --mpi (docs/cluster.md); WAYFRONT, if the program is not on PATH.
# Writes weak-scaling-JOB-NODES.json, the report of each run; weak_scaling.py, beside this script,
# makes a table of them, weak-scaling-JOB.md, and a plot, weak-scaling-JOB.svg.
#SBATCH --job-name=weak-scaling
#SBATCH --nodes=8
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=64
#SBATCH --exclusive
#SBATCH --time=04:00:00
#SBATCH --output=weak-scaling-%j.txt
set -euo pipefail
scale=${1:-26}
result=weak-scaling-$SLURM_JOB_ID
# Slurm runs a copy of this script, elsewhere.
script=$(scontrol show job "$SLURM_JOB_ID" | sed -n 's/^ *Command=\([^ ]*\).*/\1/p')

for ((nodes = 1; nodes <= SLURM_JOB_NUM_NODES; nodes *= 2, scale += 1)); do
    srun --mpi=pmix --nodes="$nodes" --ntasks="$((nodes * SLURM_NTASKS_PER_NODE))" \
        --cpus-per-task="$SLURM_CPUS_PER_TASK" --cpu-bind=cores \
        "${WAYFRONT:-wayfront}" graph500 --scale "$scale" --json "$result-$nodes.json"
done
python3 "${script%/*}/weak_scaling.py" "$result" "$result"-*.json
