# shellcheck shell=bash
# Functions that quickstart, check and .ci/run share. To be sourced from the project's root, with
# `set -euo pipefail` in force.

say() { printf '\n==> %s\n' "$*"; }

cores() { nproc 2>/dev/null || getconf _NPROCESSORS_ONLN; }

# Open MPI refuses root unless it is told twice; containers often forbid the system call by which it
# copies between processes; and a few ranks on a machine with fewer cores are what we want. Other
# MPIs ignore these variables.
mpi_environment() {
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    export OMPI_MCA_btl_vader_single_copy_mechanism=none
    export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
    export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe PRTE_MCA_hwloc_default_binding_policy=none
}

# The packages that a build needs, by their names in Debian and Ubuntu. With PACKAGE=COMMAND, the
# package is needed only if there is no such command.
build_packages=(
    cmake=cmake g++=c++ ninja-build=ninja
    libopenmpi-dev=mpicxx openmpi-bin=mpirun
    libboost-program-options-dev libboost-iostreams-dev zlib1g-dev libbz2-dev liblzma-dev libzstd-dev
    libfmt-dev nlohmann-json3-dev libexpat1-dev
)

# install_packages ENTRY...: installs the packages that are missing, as root or through sudo. If
# neither works, it prints the command for an administrator and ends with exit code 3. An entry that
# begins with ? is left out if the machine's archive has no such package.
install_packages() {
    local entry package missing=() wanted=()
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        for entry in "$@"; do
            [[ $entry == [!?]*=* ]] && ! command -v "${entry#*=}" >/dev/null && missing+=("${entry#*=}")
        done
        if ((${#missing[@]} > 0)); then
            echo "There is no apt on this machine; please install, by its own means: ${missing[*]}" >&2
            exit 3
        fi
        return 0
    fi
    local installed
    installed=$(dpkg-query -W -f='${binary:Package} ${db:Status-Status}\n' 2>/dev/null | sed -n 's/^\([^ :]*\)[^ ]* installed$/\1/p')
    for entry in "$@"; do
        package=${entry%%=*}
        package=${package#\?}
        if [[ $entry == *=* ]] && command -v "${entry#*=}" >/dev/null; then continue; fi
        grep -qxF -- "$package" <<<"$installed" || missing+=("${entry%%=*}")
    done
    ((${#missing[@]} > 0)) || return 0

    local as_root=() status=0
    if [[ $(id -u) != 0 ]]; then as_root=(sudo); fi
    if [[ $(id -u) == 0 ]] || { command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [[ -t 0 && -z ${CI:-} ]]; }; }; then
        say "Missing: ${missing[*]//\?/}"
        "${as_root[@]}" apt-get update -q || status=$?
        for package in "${missing[@]}"; do
            [[ $package == \?* ]] && ! apt-cache show "${package#\?}" >/dev/null 2>&1 && continue
            wanted+=("${package#\?}")
        done
        if ((status == 0 && ${#wanted[@]} > 0)); then
            "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
                apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=300 "${wanted[@]}" || status=$?
        fi
    else
        for package in "${missing[@]}"; do
            [[ $package == \?* ]] || wanted+=("$package")
        done
        ((${#wanted[@]} > 0)) || return 0
        status=1
    fi
    # What is left out if the archive does not have it is left out without an archive, too.
    if ! printf '%s\n' "${missing[@]}" | grep -qv '^?'; then status=0; fi
    if ((status != 0)); then
        printf '\nThe packages could not be installed from here. Please have this done, then start again:\n\n' >&2
        printf '    apt-get update && apt-get install -y --no-install-recommends %s\n\n' "${wanted[*]}" >&2
        exit 3
    fi
}

# configure PRESET [--always]: once, or each time with --always; ninja itself configures anew when a
# CMake file changes.
configure() {
    [[ ${2:-} != --always && -f build/$1/build.ninja ]] && return 0
    cmake --preset "$1" </dev/null
}
