# Spack's recipe, for `spack repo add containers/spack`. It builds the main branch of the checkout that it lies in.
# docs/building.md says what of it has been run.

import pathlib

from spack.package import *

CHECKOUT = pathlib.Path(__file__).resolve().parents[4]


class Wayfront(CMakePackage, CudaPackage):
    """Breadth-first search and shortest paths on clusters of CPUs and GPUs."""

    git = f"file://{CHECKOUT}"
    license("MIT")

    version("main", branch="main")

    variant("graphml", default=True, description="Read GraphML files")
    variant("parquet", default=False, description="Write results as .parquet")
    variant("nccl", default=False, when="+cuda", description="Exchange between GPUs over NCCL")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("mpi")
    depends_on("boost@1.74: +iostreams+program_options")
    depends_on("zlib-api")
    depends_on("bzip2")
    depends_on("xz")
    depends_on("zstd")
    depends_on("fmt@8:")
    depends_on("nlohmann-json@3.10:")
    depends_on("expat", when="+graphml")
    depends_on("arrow +parquet", when="+parquet")
    depends_on("cuda@12:", when="+cuda")
    for arch in CudaPackage.cuda_arch_values:
        depends_on(f"nccl@2.14: cuda_arch={arch}", when=f"+nccl cuda_arch={arch}")
    conflicts("cuda_arch=none", when="+nccl", msg="NCCL is compiled for the values of cuda_arch; name them")

    generator("ninja")

    def cmake_args(self):
        args = [
            self.define("BUILD_TESTING", False),
            self.define("WAYFRONT_ARCH", ""),  # Spack's compiler wrapper names the target
            self.define("WAYFRONT_STATIC_BOOST", False),
            self.define("WAYFRONT_CUDA", "ON" if "+cuda" in self.spec else "OFF"),
            self.define("CMAKE_DISABLE_FIND_PACKAGE_EXPAT", "~graphml" in self.spec),
            self.define_from_variant("WAYFRONT_PARQUET", "parquet"),
        ]
        if "+cuda" in self.spec and "none" not in self.spec.variants["cuda_arch"].value:
            args.append(self.define("CMAKE_CUDA_ARCHITECTURES", list(self.spec.variants["cuda_arch"].value)))
        return args
