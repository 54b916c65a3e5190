#!/usr/bin/env bash
# Installs the wheel that is named into a virtual environment, beside Debian's Open MPI, and runs the
# tests of the package. tests/package/bare_debian.sh runs this as root in a bare Debian.
set -euo pipefail
readonly wheel=$1
cd /home/tester

say() { printf '\n==> %s\n' "$*"; }
as_user() { runuser -u tester -- env HOME=/home/tester PYTHONDONTWRITEBYTECODE=1 "$@"; }

say "Python, and MPI of the machine"
apt-get update --quiet=2
apt-get install --yes --quiet=2 --no-install-recommends python3-venv openmpi-bin >/tmp/apt.log 2>&1 || { tail -n 20 /tmp/apt.log; exit 1; }

say "The wheel alone"
ls -l "$wheel"
as_user python3 -m venv alone
as_user alone/bin/pip install --quiet --no-index --find-links wheels "$wheel"
as_user alone/bin/pip list
as_user alone/bin/python -c 'import wayfront; assert wayfront.bfs("ring:9", 2).depth == 4'
as_user alone/bin/wayfront bfs gnutella.txt.zst --source 0 --validate

say "Its tests"
as_user python3 -m venv with_tests
as_user with_tests/bin/pip install --quiet --no-index --find-links wheels "${wheel}[test]"
cd project
as_user ../with_tests/bin/python -m pytest -q -ra python/tests
