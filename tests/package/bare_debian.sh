#!/usr/bin/env bash
# Installs a package on a bare Debian, and runs what it brings. The bare Debian is the base system of
# this machine's release, which debootstrap puts into a folder.
# usage: tests/package/bare_debian.sh deb PACKAGE.deb      after lintian; removes the package, too
#        tests/package/bare_debian.sh wheel PACKAGE.whl    runs python/tests of the last commit
# Needs root; for a wheel, which must be one for Debian's version of Python, also pip. Exit code 0: all
# passed; 2: bad usage; others: something failed. BARE_DEBIAN (default /tmp/wayfront-bare-debian) is
# the folder of the base system, which is made once.
set -euo pipefail
if [[ $# != 2 || ! ${1:-} =~ ^(deb|wheel)$ || ! -f ${2:-} ]]; then
    sed -n '2,/^set /s/^# //p' "${BASH_SOURCE[0]}" >&2
    exit 2
fi
readonly kind=$1
package=$(readlink -f "$2")
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."
source .ci/common.sh
readonly folder=${BARE_DEBIAN:-/tmp/wayfront-bare-debian}

install_packages debootstrap=debootstrap lintian=lintian
if [[ ! -e $folder/base.done ]]; then
    say "Base system in $folder/base"
    release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
    # shellcheck disable=SC2016  # apt-get expands it
    archive=$(apt-get indextargets --format '$(REPO_URI)' "Codename: $release" | head -n 1)
    rm -rf "$folder/base"
    mkdir -p "$folder"
    debootstrap --variant=minbase "$release" "$folder/base" "$archive" >"$folder/debootstrap.log" || { tail -n 5 "$folder/debootstrap.log"; exit 1; }
    cp -a /etc/apt/apt.conf.d/. "$folder/base/etc/apt/apt.conf.d/"  # the way to the archive
    # A user who is not root runs what is installed.
    chroot "$folder/base" useradd --create-home --shell /bin/bash tester
    touch "$folder/base.done"
fi

if [[ $kind == deb ]]; then
    say "lintian"
    lintian --allow-root --fail-on error --tag-display-limit 0 "$package" || exit 1
fi

root=$(mktemp -d "$folder/run.XXXXXX")
trap 'rm -rf --one-file-system "$root"' EXIT
cp -a "$folder/base/." "$root/"
cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
home=$root/home/tester
cp "$package" "tests/package/bare_debian/$kind.sh" "$home"
cp tests/data/gnutella.txt.zst "$home"
if [[ $kind == wheel ]]; then
    # pip needs no network in the bare system: what the tests need is put beside the wheel.
    say "What the tests need"
    python=$(apt-cache show --no-all-versions python3 | sed -n 's/^Version: \([0-9.]*\).*/\1/p')
    python3 -m pip download --quiet --only-binary :all: --python-version "$python" --dest "$home/wheels" "${package}[test]"
    mkdir "$home/project"
    git archive HEAD CMakeLists.txt python/tests tests/data docs examples README.md pyproject.toml | tar -x -C "$home/project"
fi
chroot "$root" chown -R tester:tester /home/tester

# The mounts end with the namespace.
mount_and_run() {
    local name
    for name in proc sys dev; do
        mount --rbind "/$name" "$1/$name"
    done
    cd /
    exec env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none \
        chroot "$1" bash "/home/tester/$2.sh" "/home/tester/$3"
}
export -f mount_and_run
unshare --mount --propagation private bash -euc 'mount_and_run "$@"' bash "$root" "$kind" "$(basename "$package")"
say "$kind: passed on a bare Debian"
