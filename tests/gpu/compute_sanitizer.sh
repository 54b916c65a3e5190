#!/usr/bin/env bash
# The GPU tests that are small enough under CUDA's compute-sanitizer: memcheck (accesses outside of memory, leaks of errors) and racecheck (shared
# memory), in one process and in two ranks that share a GPU.
# usage: compute_sanitizer.sh PROGRAM [MPIRUN...]      PROGRAM: wayfront_gpu_tests. Exit code 77 where there is no GPU or no compute-sanitizer
set -uo pipefail

program=$1
shift
launcher=("${@:-mpirun}")
command -v compute-sanitizer >/dev/null || { echo "no compute-sanitizer here"; exit 77; }
nvidia-smi -L 2>/dev/null | grep -q GPU || { echo "no GPU here"; exit 77; }

searches='Resident.OneSmallSearchForSanitizers:Resident.RandomGraph:SteppedOverRanks.OneSmallSearchForSanitizers'
host_loop='GpuEngineTest.AFrontierInEitherForm:GpuEngineTest.LevelsOfOneSearchFollowEachOther'
construction='GpuConstruction.BatchesDoNotChangeTheGraph:GpuConstruction.EqualsTheOracleOnOneRank:KronDevice.*'
validation='GpuValidation.AcceptsAnIsolatedKey:GpuValidation.RejectsACycle:GpuValidation.TellsLevelsOfDeepTrees:DeviceExchangeOverRanks.ValidationAndCounting'
failed=0

# run NAME COMMAND...: its summary, and all of it where something was found
run() {
    local name=$1 log
    log=$(mktemp)
    shift
    if "$@" >"$log" 2>&1; then
        echo "$name: $(grep -aE 'SUMMARY' "$log" | tail -n 1), $(grep -aE 'PASSED' "$log" | tail -n 1)"
    else
        echo "$name: FAILED"
        cat "$log"
        failed=1
    fi
    rm -f "$log"
}

export WAYFRONT_REQUIRE_GPU=1
# GpuListSort is CUB's and Thrust's: under racecheck it does not end.
run memcheck compute-sanitizer --tool memcheck --error-exitcode 9 "$program" --gtest_filter="$searches:$host_loop:$construction:$validation:GpuListSort.*"
run racecheck compute-sanitizer --tool racecheck --error-exitcode 9 "$program" --gtest_filter="$searches:$host_loop:$construction:$validation"
run "memcheck, two ranks" "${launcher[@]}" -n 2 compute-sanitizer --tool memcheck --error-exitcode 9 "$program" \
    --gtest_filter='SteppedOverRanks.OneSmallSearchForSanitizers:DeviceExchangeOverRanks.ValidationAndCounting'
exit "$failed"
