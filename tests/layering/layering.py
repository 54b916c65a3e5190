#!/usr/bin/env python3
"""Checks that the includes of src/ and graph500/ follow the arrows between the layers.

    base -> gpu/runtime -> comm -> graph -> {algo | graph500} -> {cpu | gpu} -> plan -> session -> wayfront -> app

and the one of the job, which begins after graph and ends before plan:

    graph -> job -> plan

the one of the model of clusters:

    algo -> model -> app

the one of the page that compares runs:

    session -> report -> app

app includes only base, job, session, wayfront, model and report, whose headers have the types of lower layers that it needs.

and those inside gpu:

    gpu/runtime -> gpu/exchange -> gpu/graph -> {gpu/construction -> gpu/kron | gpu/bfs | gpu/sssp -> gpu/apsp}
    gpu/sssp -> gpu/apsp/rows -> gpu/papers -> gpu/apsp

and those of all pairs on GPUs:

    gpu/graph -> gpu/apsp/rows -> {gpu/apsp/matrix -> gpu/apsp/bulk | gpu/apsp/hops | gpu/apsp/elimination} -> gpu/apsp

A layer includes itself and the layers to its left. Layers in the same braces never include each other. CUDA's headers belong to src/gpu, MPI's to
src/comm. Headers that are installed include only installed headers of the project. A file that needs nvcc ends in .cu or .cuh, any other in .cpp or
.hpp: a .hpp or .cpp file includes no .cuh file.

An exception that leaves an OpenMP region ends the process, so regions are opened by the functions of base/parallel.hpp, which throw it again behind
the region. Only plain reductions, which throw nothing, are written elsewhere.

usage: layering.py [ROOT]     prints each violation as FILE:LINE: text; exit code 1 if there is one, 2 if there was nothing to read
"""

import pathlib
import re
import sys

HOST = ["base", "gpu/runtime", "comm", "graph", "algo", "graph500"]
ALL_PAIRS = ["gpu/apsp/rows", "gpu/apsp/matrix", "gpu/apsp/bulk", "gpu/apsp/hops", "gpu/apsp/elimination"]
ENGINES = ["cpu", "gpu/exchange", "gpu/graph", "gpu/construction", "gpu/kron", "gpu/bfs", "gpu/sssp", "gpu/papers", "gpu/apsp"] + ALL_PAIRS
LAYERS_BEFORE = {
    "base": [],
    "gpu/runtime": ["base"],
    "comm": ["base", "gpu/runtime"],
    "graph": ["base", "gpu/runtime", "comm"],
    "algo": ["base", "gpu/runtime", "comm", "graph"],
    "graph500": ["base", "gpu/runtime", "comm", "graph"],
    "model": ["base", "gpu/runtime", "comm", "graph", "algo"],
    "cpu": HOST,
    "gpu/exchange": HOST,
    "gpu/graph": HOST + ["gpu/exchange"],
    "gpu/construction": HOST + ["gpu/exchange", "gpu/graph"],
    "gpu/kron": HOST + ["gpu/exchange", "gpu/graph", "gpu/construction"],
    "gpu/bfs": HOST + ["gpu/exchange", "gpu/graph"],
    "gpu/sssp": HOST + ["gpu/exchange", "gpu/graph"],
    "gpu/apsp/rows": HOST + ["gpu/exchange", "gpu/graph", "gpu/sssp"],
    "gpu/apsp/matrix": HOST + ["gpu/exchange", "gpu/graph", "gpu/apsp/rows"],
    "gpu/apsp/bulk": HOST + ["gpu/exchange", "gpu/graph", "gpu/apsp/rows", "gpu/apsp/matrix"],
    "gpu/apsp/hops": HOST + ["gpu/exchange", "gpu/graph", "gpu/apsp/rows"],
    "gpu/apsp/elimination": HOST + ["gpu/exchange", "gpu/graph", "gpu/apsp/rows"],
    "gpu/papers": HOST + ["gpu/exchange", "gpu/graph", "gpu/sssp", "gpu/apsp/rows"],
    "gpu/apsp": HOST + ["gpu/exchange", "gpu/graph", "gpu/papers"] + ALL_PAIRS,
    "job": ["base", "gpu/runtime", "comm", "graph"],
    "gpu/none": HOST + ENGINES,
    "plan": HOST + ENGINES + ["job"],
    "session": HOST + ENGINES + ["job", "plan"],
    "wayfront": HOST + ENGINES + ["job", "plan", "session"],
    "report": ["base", "graph500", "session"],
    "app": ["base", "job", "session", "wayfront", "model", "report"],
}
# The program starts MPI, signals and profilers before it has a job, and names the version of MPI.
ALSO = {
    "src/app/program.cpp": {"comm/session.hpp", "gpu/runtime/profiler.hpp", "graph/io/unfinished_files.hpp"},
    "src/app/cli/command_line.cpp": {"comm/session.hpp"},
}
INSTALLED = {  # by cmake/WayfrontInstall.cmake
    *(f"src/wayfront/{name}.hpp" for name in ("all_pairs", "bfs", "device_arrays", "graph", "graph500", "search", "shortest_paths", "wayfront")),
    "src/base/error.hpp",
    "src/plan/engine.hpp",
}
SUFFIXES = {".hpp", ".h", ".cpp", ".cu", ".cuh"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
CUDA_HEADER = re.compile(r"^(cuda|nvtx3/|nccl|cub/|thrust/|cooperative_groups|curand|nvml)")
REGION = re.compile(r"^\s*#\s*pragma\s+omp\s+parallel\b(?!.*\breduction\()")
REGIONS = "src/base/parallel.hpp"
MPI_HEADER = re.compile(r"^(mpi\.h|mpi-ext\.h|mpi/)")


def layer_of(path):
    """The layer of a file, from its path under the root of the project or of an include
    ("comm/nccl.hpp"); None if it belongs to no layer."""
    parts = path.removeprefix("src/").split("/")
    for length in (3, 2, 1):
        layer = "/".join(parts[:length])
        if len(parts) > length and layer in LAYERS_BEFORE:
            return layer
    return None


def violation(path, quote, header):
    """The reason why the file at `path` must not include `header`; None if it may."""
    layer = layer_of(path)
    if MPI_HEADER.match(header) and layer != "comm":
        return f"<{header}> outside src/comm"
    if CUDA_HEADER.match(header) and layer.split("/")[0] != "gpu":
        return f"<{header}> outside src/gpu"
    if quote != '"':
        return None
    if path in INSTALLED and f"src/{header}" not in INSTALLED:
        return f'"{header}" is not installed, but {path} is'
    if header.endswith(".cuh") and not path.endswith((".cu", ".cuh")):
        return f'"{header}" needs nvcc, which compiles .cu and .cuh files only'
    target = layer_of(header)
    if target is None:
        return f'"{header}" names no layer; includes are written from src/ or the root, as "graph/csr.hpp"'
    if target != layer and target not in LAYERS_BEFORE[layer] and header not in ALSO.get(path, ()):
        return f'{layer} includes "{header}": the arrow runs from {layer} to {target}, never back' if layer in LAYERS_BEFORE[target] else (
            f'{layer} includes "{header}": it includes only {", ".join(LAYERS_BEFORE[layer])}')
    return None


def check(root):
    """All violations under `root` as strings, and the number of files read."""
    problems, files = [], 0
    for folder in ("src", "graph500"):
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in SUFFIXES:
                continue
            files += 1
            path = file.relative_to(root).as_posix()
            if layer_of(path) is None:
                problems.append(f"{path}:1: belongs to no layer")
                continue
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                if REGION.match(line) and path != REGIONS:
                    problems.append(f"{path}:{number}: a parallel region outside {REGIONS}")
                match = INCLUDE.match(line)
                text = match and violation(path, match.group(1), match.group(2))
                if text:
                    problems.append(f"{path}:{number}: {text}")
    return problems, files


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]
    problems, files = check(root)
    print("\n".join(problems + [f"layering: {files} files, {len(problems)} violations"]))
    return 2 if files == 0 else 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
