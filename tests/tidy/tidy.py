#!/usr/bin/env python3
"""Runs clang-tidy over the project's own C++ files, several at a time, and remembers which are clean.

usage: tidy.py BUILD_DIR [FILE...]     BUILD_DIR holds compile_commands.json; FILEs, given from the root, are checked alone

Checks visit the project's own code only (own_code.cpp), if clang's headers for plugins are installed (libclang-16-dev, llvm-16-dev); without them
the findings are the same, but take longer.

A file is checked again only when it, a header of the project that it includes (however deep), its compile command, a .clang-tidy, the options or the
tool changed. As ccache does, the user's cache folder keeps a stamp for each clean file, for all clones (WAYFRONT_TIDY_CACHE names another folder); a stamp that
nobody asks for is removed after 30 days. Exit code 1 if any file has a finding.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
CACHE = ROOT / "build" / "tidy"
STAMPS = pathlib.Path(os.environ.get("WAYFRONT_TIDY_CACHE") or pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "wayfront-tidy")
STAMP_SECONDS = 30 * 24 * 3600
FOLDERS = ("src", "graph500", "tests", "bench")
INCLUDE_ROOTS = (ROOT / "src", ROOT, ROOT / "tests")
# clang cannot read g++'s precompiled header, and a file must include what it needs without one.
PRECOMPILED = re.compile(r" -Winvalid-pch| -include \S*/cmake_pch\.hxx")
PLUGIN = pathlib.Path(__file__).with_name("own_code.cpp")
# If a function has very many paths, the analyzer stops after this number of steps. The default is
# 225000, with which graph500/validate_distances.cpp alone takes 50 s; with 75000, the mode "shallow",
# it takes more than half of the time of a typical file.
ANALYZER = [f"--extra-arg={part}" for part in ("-Xclang", "-analyzer-config", "-Xclang", "max-nodes=20000")]
INCLUDE = re.compile(rb'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def find_tool():
    if shutil.which("clang-tidy-16"):
        return "clang-tidy-16"
    sys.exit("tidy: clang-tidy-16 is not installed")


def built_plugin():
    """The option that loads the plugin; none without clang's headers."""
    if not shutil.which("llvm-config-16"):
        return []
    flags = subprocess.run(["llvm-config-16", "--cppflags"], capture_output=True, text=True, check=True).stdout.split()
    folders = [pathlib.Path(flag[2:]) for flag in flags if flag.startswith("-I")]
    if not any((folder / "clang/AST/ASTConsumer.h").is_file() for folder in folders):
        return []
    part = CACHE / f"own_code.{os.getpid()}"
    subprocess.run(["c++", "-std=c++17", "-shared", "-fPIC", "-fno-rtti", *flags, "-o", str(part), str(PLUGIN)], check=True)
    return [f"--load={part.rename(CACHE / 'own_code.so')}"]


def require_known_findings(tool, options):
    """Ends the program unless the tool finds known faults in a file and in a header of the
    project."""
    header, file = CACHE / "src" / "known.hpp", CACHE / "known.cpp"
    header.parent.mkdir(exist_ok=True)
    header.write_text("inline int* in_header() { return 0; }\n", encoding="utf-8")
    file.write_text('#include <vector>\n#include "src/known.hpp"\nint* in_file() { return 0; }\n', encoding="utf-8")
    found = subprocess.run([tool, "--quiet", *options, str(file), "--", "-std=c++20"], capture_output=True, text=True, check=False)
    for place in (header, file):
        if not re.search(rf"^{re.escape(str(place))}:.*modernize-use-nullptr", found.stdout, re.MULTILINE):
            sys.exit(f"tidy: clang-tidy did not find the null pointer in {place}\n{found.stdout}{found.stderr}")


def included_files(file, seen):
    """The file and all files of the project that it includes."""
    if file in seen:
        return seen
    seen.add(file)
    for name in INCLUDE.findall(file.read_bytes()):
        for root in (file.parent, *INCLUDE_ROOTS):
            header = (root / name.decode()).resolve()
            if header.is_file():
                included_files(header, seen)
                break
    return seen


def digest(file, command, fixed):
    state = hashlib.sha256(fixed)
    state.update(command.replace(str(ROOT), "").encode())
    for part in sorted(included_files(file, set())):
        state.update(str(part.relative_to(ROOT)).encode() + b"\0" + part.read_bytes())
    return state.hexdigest()


def remove_old_stamps():
    oldest = time.time() - STAMP_SECONDS
    for stamp in STAMPS.iterdir():
        try:
            if stamp.stat().st_mtime < oldest:
                stamp.unlink()
        except FileNotFoundError:  # another clone has removed it
            pass


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1]).resolve()
    wanted = {(ROOT / name).resolve() for name in sys.argv[2:]}
    tool = find_tool()
    extra = ["--extra-arg=-Wno-unknown-warning-option", *ANALYZER]
    version = subprocess.run([tool, "--version"], capture_output=True, check=True).stdout
    fixed = version + (ROOT / ".clang-tidy").read_bytes() + PLUGIN.read_bytes() + " ".join(extra).encode()

    tests_only = (ROOT / "tests" / ".clang-tidy").read_bytes()

    todo, clean = [], 0
    CACHE.mkdir(parents=True, exist_ok=True)
    STAMPS.mkdir(parents=True, exist_ok=True)
    remove_old_stamps()
    entries = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    for entry in entries:
        entry["command"] = PRECOMPILED.sub("", entry["command"])
    commands = CACHE / "commands" / build.name
    commands.mkdir(parents=True, exist_ok=True)
    (commands / "compile_commands.json").write_text(json.dumps(entries), encoding="utf-8")
    for entry in entries:
        file = pathlib.Path(entry["file"]).resolve()
        if file.suffix != ".cpp" or not any(file.is_relative_to(ROOT / folder) for folder in FOLDERS) or (wanted and file not in wanted):
            continue
        stamp = STAMPS / digest(file, entry["command"], fixed + (tests_only if file.is_relative_to(ROOT / "tests") else b""))
        if stamp.exists():
            stamp.touch()
            clean += 1
        else:
            todo.append((file, stamp))

    options = extra
    if todo:
        options = [*built_plugin(), *extra]
        require_known_findings(tool, options)

    def run(item):
        file, stamp = item
        result = subprocess.run([tool, "-p", str(commands), "--quiet", *options, str(file)], capture_output=True, text=True, check=False)
        if result.returncode == 0:
            stamp.touch()
        return file, result

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for number, (file, result) in enumerate(pool.map(run, todo), 1):
            print(f"[{number}/{len(todo)}] {file.relative_to(ROOT)}{'' if result.returncode == 0 else ': findings'}", flush=True)
            if result.returncode != 0:
                failed += 1
                print(result.stdout + "\n".join(line for line in result.stderr.splitlines() if "warnings generated" not in line), flush=True)
    print(f"tidy: {len(todo) + clean} files, {clean} unchanged since they were clean, {failed} with findings")
    if not todo and not clean:
        sys.exit("tidy: nothing to check")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
