#!/usr/bin/env bash
# Runs the GPU tests that are small enough under CUDA's compute-sanitizer: memcheck (accesses
# outside of memory, errors of CUDA calls) and racecheck (shared memory) in one process, memcheck in
# two ranks that share a GPU.
# usage: compute_sanitizer.sh PROGRAM GRID_PROGRAM [MPIRUN...]
# The programs are wayfront_gpu_tests and wayfront_gpu_grid_tests.
# The exit code is 77 if there is no GPU or no compute-sanitizer, or 1 with WAYFRONT_REQUIRE_GPU=1.
set -fuo pipefail  # names of tests have stars

program=$1
grid_program=$2
shift 2
launcher=("${@:-mpirun}")
missing() {
    echo "no $1 here"
    [[ ${WAYFRONT_REQUIRE_GPU:-} == 1 ]] && exit 1
    exit 77
}
command -v compute-sanitizer >/dev/null || missing compute-sanitizer
nvidia-smi -L 2>/dev/null | grep -q GPU && [[ -n ${CUDA_VISIBLE_DEVICES-0} ]] || missing GPU

searches='BarrierOverRanks.ReducesAndOrdersStores:Resident.OneSmallSearchForSanitizers:Resident.RandomGraph:ResidentNearest.OneSmallSearchForSanitizers:SteppedOverRanks.OneSmallSearchForSanitizers:GridOverRanks.OneSmallSearchForSanitizers:Stepped/SsspOverRanks.OneSmallSearchForSanitizers/*'
paths='FloydWarshallForms.SmallOnesForSanitizers:RowEngines.OneSmallGraphForSanitizers:RowEngines.OneLongListForSanitizers:ResidentSsspTest.OneSmallSearchForSanitizers:NearestSsspTest.OneSmallSearchForSanitizers:ResidentSsspTest.PushPullFromAVertexWithoutOutEdges:PhasesTest.OneSmallSearchForSanitizers:DenseTest.OneSmallSearchForSanitizers'
host_loop='GpuEngineTest.AFrontierInEitherForm'
construction='EdgeConstruction.OneSmallGraphForSanitizers:GpuWeightedConstruction.BatchesDoNotChangeTheGraph:GpuConstruction.BatchesDoNotChangeTheGraph:GpuConstruction.EqualsTheOracleOnOneRank:KronDevice.*'
validation='GpuDistanceValidation.RejectsAParentThatIsNotAdjacent:GpuValidation.AcceptsAnIsolatedKey:GpuValidation.RejectsACycle:DeviceExchangeOverRanks.ValidationAndCounting'
grid='GpuGridSssp.OneSmallSearchForSanitizers'
failed=0

# all_there --gtest_filter=NAME:... LOG: whether each name, or one test of it, ran
all_there() {
    local name
    for name in $(tr ':' ' ' <<<"${1#--gtest_filter=}"); do
        grep -aqE "\[ +OK \] .*${name//\*/}" "$2" || { echo "$name did not run" >>"$2"; return 1; }
    done
}

# clean LOG PROCESSES: whether the tool reports no error in each process
clean() {
    (($(grep -acE 'SUMMARY: ' "$1") == $2 && $(grep -acE 'SUMMARY: 0 (errors|hazards)' "$1") == $2))
}

# run NAME PROCESSES COMMAND...: prints the summary of the output, and all of it if there is an
# error. Checks that every named test ran, because gtest ignores names that no test has.
run() {
    local name=$1 processes=$2 log
    log=$(mktemp)
    shift 2
    if "$@" >"$log" 2>&1 && clean "$log" "$processes" && all_there "${!#}" "$log"; then
        echo "$name: $(grep -aE 'SUMMARY' "$log" | tail -n 1), $(grep -aE 'PASSED' "$log" | tail -n 1)"
    else
        echo "$name: FAILED"
        cat "$log"
        failed=1
    fi
    rm -f "$log"
}

export WAYFRONT_REQUIRE_GPU=1
# Racecheck leaves out the tests that do not end under it: GpuListSort (CUB and Thrust), and
# LevelsOfOneSearchFollowEachOther and TellsLevelsOfDeepTrees (hundreds of small levels).
run memcheck 1 compute-sanitizer --tool memcheck --error-exitcode 9 "$program" \
    --gtest_filter="$searches:$paths:$host_loop:$construction:$validation:GpuListSort.*:GpuEngineTest.LevelsOfOneSearchFollowEachOther:GpuValidation.TellsLevelsOfDeepTrees"
run racecheck 1 compute-sanitizer --tool racecheck --error-exitcode 9 "$program" --gtest_filter="$searches:$paths:$host_loop:$construction:$validation"
run "memcheck, grids" 1 compute-sanitizer --tool memcheck --error-exitcode 9 "$grid_program" --gtest_filter="$grid"
run "racecheck, grids" 1 compute-sanitizer --tool racecheck --error-exitcode 9 "$grid_program" --gtest_filter="$grid"
visible=${CUDA_VISIBLE_DEVICES-0}
export CUDA_VISIBLE_DEVICES=${visible%%,*}
run "memcheck, two ranks" 2 "${launcher[@]}" -n 2 compute-sanitizer --tool memcheck --error-exitcode 9 "$program" \
    --gtest_filter='SteppedOverRanks.OneSmallSearchForSanitizers:Stepped/SsspOverRanks.OneSmallSearchForSanitizers/*:GridOverRanks.OneSmallSearchForSanitizers:DeviceExchangeOverRanks.ValidationAndCounting:WeightedConstructionOverRanks.EqualsTheOracle:DistanceValidationOverRanks.SaysWhatTheHostSays'
run "memcheck, grids of two ranks" 2 "${launcher[@]}" -n 2 compute-sanitizer --tool memcheck --error-exitcode 9 "$grid_program" \
    --gtest_filter="$grid"
exit "$failed"
