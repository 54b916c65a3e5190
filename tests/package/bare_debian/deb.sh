#!/usr/bin/env bash
# Installs the Debian package that is named, uses all that it brings, and removes it.
# tests/package/bare_debian.sh runs this as root in a bare Debian.
set -euo pipefail
readonly package=$1
cd /home/tester

say() { printf '\n==> %s\n' "$*"; }
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }
as_user() { runuser -u tester -- env HOME=/home/tester "$@"; }
# expect PATTERN COMMAND...: runs the command as a user; a line of its output matches the pattern.
expect() {
    local pattern=$1 output
    shift
    printf '$ %s\n' "$*"
    output=$(as_user "$@" 2>&1) || fail "exit code $?: $output"
    printf '%s\n' "$output" | head -n 8
    grep -qE -- "$pattern" <<<"$output" || fail "no line of the output matches: $pattern"
}
install() { apt-get install --yes --quiet=2 "$@" >/tmp/apt.log 2>&1 || { tail -n 20 /tmp/apt.log; fail "apt-get install $*"; }; }

say "Install"
apt-get update --quiet=2
install "$package"
dpkg --status wayfront | grep -E '^(Version|Installed-Size|Depends)'
mapfile -t files < <(dpkg --listfiles wayfront)

say "The program"
expect '9 reached, depth 4' wayfront bfs ring:9 --source 0
expect '[1-9][0-9]* reached, depth' wayfront bfs gnutella.txt.zst --source 0 --validate
expect '900 reached.*, valid' wayfront sssp grid:30x30 --weights uniform:1..9 --source 0 --validate
expect '^Wiener index +90$' wayfront apsp ring:9
expect '9 reached, depth 4' mpirun -n 2 wayfront bfs ring:9 --source 0

say "Manual pages"
install man-db
for page in "${files[@]}"; do
    [[ $page == */man1/*.1.gz ]] || continue
    name=$(basename "$page" .1.gz)
    as_user man "$name" 2>/tmp/man.log | grep -q '^NAME' || fail "man $name prints no page"
    [[ ! -s /tmp/man.log ]] || fail "man $name: $(cat /tmp/man.log)"
    echo "man $name"
done

say "Completion"
install bash-completion fish zsh
expect 'wayfront' bash -c '. /usr/share/bash-completion/bash_completion; _completion_loader wayfront; complete -p wayfront'
# shellcheck disable=SC2016  # zsh expands it
expect 'wayfront' zsh -c 'autoload -Uz compinit && compinit -D && print -r -- $_comps[wayfront]'
expect '^bfs' fish -c 'complete --do-complete "wayfront b"'

say "The library"
# the packages that the package suggests, with the tools of the page
mapfile -t suggested < <(dpkg --status wayfront | sed -n 's/^Suggests: //p' | tr ',' '\n' | tr -d ' ')
install cmake ninja-build pkg-config "${suggested[@]}"
page=/usr/share/doc/wayfront/docs/library.md
# block LANGUAGE: the first block of the page in this language
block() { awk -v fence="\`\`\`$1" '$0 == fence { inside = 1; next } inside && /^```$/ { exit } inside' "$page"; }
as_user mkdir hops
block cpp >hops/hops.cpp
block cmake >hops/CMakeLists.txt
expected=$(block text)
flags=$(pkg-config --cflags --libs wayfront)
echo "pkg-config --cflags --libs wayfront: $flags"
# shellcheck disable=SC2086  # each flag is a word
as_user c++ -std=c++20 hops/hops.cpp -o hops/by_pkg_config $flags
as_user cmake -S hops -B hops/build -G Ninja -DCMAKE_BUILD_TYPE=Release >/dev/null
as_user cmake --build hops/build >/dev/null
for program in hops/by_pkg_config hops/build/hops; do
    output=$(as_user "$program" path:6 1 4)
    [[ $output == "$expected" ]] || fail "$program printed: $output"
    expect 'vertices reached, depth' "$program" gnutella.txt.zst 0 1
done

say "Remove"
apt-get purge --yes --quiet=2 wayfront >/tmp/apt.log 2>&1 || { tail -n 20 /tmp/apt.log; fail "apt-get purge wayfront"; }
! dpkg --status wayfront 2>/dev/null || fail "the package is still known"
for file in "${files[@]}"; do
    [[ $file != *wayfront* || ! -e $file ]] || fail "left behind: $file"
done
echo "${#files[@]} files and folders were listed; none that names wayfront is left"
