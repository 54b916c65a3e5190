#!/usr/bin/env python3
"""Checks the recipes of Spack, conda and Python's wheels against the build files. No tool of theirs is needed.

Each option that a recipe sets must be one of CMakeLists.txt or of CMake, versions must be the project's, and Spack's recipe is
executed with stand-ins for Spack's directives. If Python finds rattler-build (py-rattler-build), it renders conda's recipe.
"""

import pathlib
import re
import sys
import types
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SPACK = ROOT / "containers/spack/packages/wayfront/package.py"
CONDA = ROOT / "containers/conda/recipe.yaml"
OF_CMAKE = {"BUILD_TESTING", "CMAKE_BUILD_TYPE", "CMAKE_CUDA_ARCHITECTURES", "CMAKE_CUDA_FLAGS", "CMAKE_DISABLE_FIND_PACKAGE_EXPAT"}


def options_of_the_build():
    """The names of option() and of cache variables."""
    text = "".join(path.read_text() for path in [ROOT / "CMakeLists.txt", *(ROOT / "cmake").glob("*.cmake")])
    return set(re.findall(r"\boption\((\w+)", text)) | set(re.findall(r"\bset\((\w+) [^\n)]*\bCACHE\b", text))


def project_version():
    return re.search(r"project\(wayfront VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


def least_version(package):
    """The version that find_package() asks for."""
    text = "".join(path.read_text() for path in (ROOT / "cmake").glob("*.cmake"))
    return re.search(rf"\bfind_package\({package} ([\d.]+)", text).group(1)


class Directives:
    """What Spack's recipe says, as lists of calls."""

    def __init__(self):
        self.calls = {}

    def module(self):
        module = types.ModuleType("spack.package")
        for name in ("license", "version", "variant", "depends_on", "conflicts", "generator"):
            setattr(module, name, lambda *args, _name=name, **kwargs: self.calls.setdefault(_name, []).append((args, kwargs)))
        module.CMakePackage = type("CMakePackage", (), {})
        module.CudaPackage = type("CudaPackage", (), {"cuda_arch_values": ("80", "90")})
        module.__all__ = [name for name in vars(module) if not name.startswith("_")]
        return module


class Spec:
    """A spec whose variants are given as words such as "+cuda"."""

    def __init__(self, words, cuda_arch=("none",)):
        self.words = words
        self.variants = {"cuda_arch": types.SimpleNamespace(value=cuda_arch)}

    def __contains__(self, word):
        return word in self.words


def load_spack_recipe():
    directives = Directives()
    modules = {"spack": types.ModuleType("spack"), "spack.package": directives.module()}
    saved = {name: sys.modules.get(name) for name in modules}
    sys.modules.update(modules)
    try:
        names = {"__file__": str(SPACK), "__name__": "package"}
        exec(compile(SPACK.read_text(), SPACK, "exec"), names)
    finally:
        for name, module in saved.items():
            sys.modules.pop(name) if module is None else sys.modules.update({name: module})
    return names["Wayfront"], directives.calls


class Spack(unittest.TestCase):
    def setUp(self):
        self.recipe, self.calls = load_spack_recipe()

    def arguments(self, *words, **spec):
        package = self.recipe()
        package.spec = Spec(words, **spec)
        package.define = lambda name, value: (name, value)
        package.define_from_variant = lambda name, variant: (name, f"+{variant}" in package.spec)
        return dict(package.cmake_args())

    def test_options_are_those_of_the_build(self):
        for words in ((), ("+cuda",), ("+graphml", "+parquet"), ("~graphml",)):
            self.assertLessEqual(set(self.arguments(*words)), options_of_the_build() | OF_CMAKE)

    def test_variants_choose_options(self):
        self.assertEqual(self.arguments("+graphml")["WAYFRONT_CUDA"], "OFF")
        self.assertNotIn("CMAKE_CUDA_ARCHITECTURES", self.arguments("+cuda"))
        with_gpus = self.arguments("+cuda", "~graphml", "+parquet", cuda_arch=("80", "90"))
        self.assertEqual(with_gpus["WAYFRONT_CUDA"], "ON")
        self.assertEqual(with_gpus["CMAKE_CUDA_ARCHITECTURES"], ["80", "90"])
        self.assertTrue(with_gpus["CMAKE_DISABLE_FIND_PACKAGE_EXPAT"])
        self.assertTrue(with_gpus["WAYFRONT_PARQUET"])

    def test_dependencies_have_the_versions_of_the_build(self):
        specs = " ".join(args[0] for args, _ in self.calls["depends_on"])
        for name, version in (("fmt", least_version("fmt")), ("nlohmann-json", least_version("nlohmann_json"))):
            self.assertIn(f"{name}@{version}:", specs)
        self.assertIn("boost@1.74:", specs)
        cmake = re.search(r"cmake_minimum_required\(VERSION (\S+)\)", (ROOT / "CMakeLists.txt").read_text()).group(1)
        self.assertIn(f"cmake@{cmake}:", specs)

    def test_nccl_is_compiled_for_the_same_gpus(self):
        conditions = {args[0]: kwargs["when"] for args, kwargs in self.calls["depends_on"] if args[0].startswith("nccl")}
        self.assertEqual(conditions, {f"nccl@2.14: cuda_arch={arch}": f"+nccl cuda_arch={arch}" for arch in ("80", "90")})

    def test_the_checkout_is_this_one(self):
        self.assertEqual(self.recipe.git, f"file://{ROOT}")


class Conda(unittest.TestCase):
    text = CONDA.read_text()

    def test_options_are_those_of_the_build(self):
        options = set(re.findall(r"-D(\w+)=", self.text))
        self.assertTrue(options)
        self.assertLessEqual(options, options_of_the_build() | OF_CMAKE)

    def test_versions_are_those_of_the_project(self):
        self.assertIn(f'version: "{project_version()}"', self.text)
        for name, package in (("fmt", "fmt"), ("nlohmann_json", "nlohmann_json")):
            self.assertIn(f"- {name} >={least_version(package)}", self.text)

    def test_it_is_a_recipe(self):
        try:
            import yaml
        except ImportError:
            self.skipTest("PyYAML is not installed")
        recipe = yaml.safe_load(self.text)
        self.assertLessEqual(set(recipe), {"context", "package", "source", "build", "requirements", "tests", "about"})
        self.assertEqual(recipe["package"], {"name": "wayfront", "version": "${{ version }}"})
        self.assertTrue((CONDA.parent / recipe["source"]["path"] / "CMakeLists.txt").is_file())
        self.assertTrue((ROOT / recipe["about"]["license_file"]).is_file())

    def test_rattler_build_renders_it(self):
        """With the variants beside it, which the tool finds itself."""
        try:
            import rattler_build
        except ImportError:
            self.skipTest("py-rattler-build is not installed")
        variants = rattler_build.VariantConfig.from_file(CONDA.with_name("variants.yaml"))
        config = rattler_build.RenderConfig(rattler_build.PlatformConfig(target_platform="linux-64"))
        (rendered,) = rattler_build.Stage0Recipe.from_file(CONDA).render(variants, config)
        recipe = rendered.recipe.to_dict()
        self.assertEqual(recipe["package"], {"name": "wayfront", "version": project_version()})
        self.assertIn("gxx_linux-64", recipe["requirements"]["build"])
        self.assertIn("sysroot_linux-64 2.28.*", recipe["requirements"]["build"])


class Wheels(unittest.TestCase):
    def test_options_are_those_of_the_build(self):
        for name in ("pyproject.toml", "python/cuda_wheel.toml"):
            text = (ROOT / name).read_text()
            options = set(re.findall(r"cmake\.define\.(\w+)", text)) | set(re.findall(r"^(WAYFRONT_\w+) =", text, re.M))
            self.assertTrue(options, name)
            self.assertLessEqual(options, options_of_the_build() | OF_CMAKE, name)


if __name__ == "__main__":
    unittest.main()
