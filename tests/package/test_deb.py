#!/usr/bin/env python3
"""Makes the Debian package of a build, and runs the program that is in it, also as conda's recipe does to test its package.

usage: test_deb.py BUILD_FOLDER WORK_FOLDER
The libraries that the package depends on are not looked up: those of CUDA, which the build may have found, are in no package.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD, WORK = (pathlib.Path(folder) for folder in sys.argv[1:3])
COMMANDS = ("apsp", "bfs", "convert", "generate", "graph500", "info", "plan", "report", "sssp", "tune")


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@unittest.skipUnless(shutil.which("dpkg-deb"), "dpkg-deb is not installed")
class Deb(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(WORK, ignore_errors=True)
        output_of("cpack", "--config", BUILD / "CPackConfig.cmake", "-G", "DEB", "-B", WORK, "-D", "CPACK_DEBIAN_PACKAGE_SHLIBDEPS=OFF")
        (cls.package,) = WORK.glob("*.deb")
        cls.root = WORK / "root"
        output_of("dpkg-deb", "--extract", cls.package, cls.root)

    def test_the_version_is_that_of_the_project(self):
        version = re.search(r"project\(wayfront VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
        self.assertEqual(output_of("dpkg-deb", "--field", self.package, "Version").strip(), version)
        self.assertEqual(output_of(self.root / "usr/bin/wayfront", "--version").split()[1], version)

    def test_what_users_look_for_is_in_it(self):
        pages = [f"share/man/man1/wayfront{name}.1.gz" for name in ["", *(f"-{command}" for command in COMMANDS)]]
        documents = [f"share/doc/wayfront/{name}" for name in ("copyright", "changelog.gz", "NEWS.md.gz", "README.md", "docs/python.md", "jobs/bfs.sh")]
        completion = ["share/bash-completion/completions/wayfront", "share/fish/vendor_completions.d/wayfront.fish"]
        for name in [*pages, *documents, *completion, "include/wayfront/wayfront.hpp"]:
            self.assertTrue((self.root / "usr" / name).is_file(), name)
        self.assertEqual(len(list(self.root.glob("usr/lib*/**/wayfront.pc"))), 1)

    def test_examples_are_those_of_the_repository(self):
        """Without what notebooks that ran leave beside them."""
        listed = {path.name for path in (ROOT / "examples").iterdir() if path.suffix in (".py", ".ipynb")}
        self.assertEqual({path.name for path in (self.root / "usr/share/doc/wayfront/examples").iterdir()}, listed)

    def test_the_program_searches(self):
        self.assertIn("9 reached, depth 4", output_of(self.root / "usr/bin/wayfront", "bfs", "ring:9", "--source", "0", "--engine", "cpu"))

    def test_commands_of_condas_recipe_run(self):
        commands = re.findall(r"^      - ((?:wayfront|mpiexec) .*)$", (ROOT / "containers/conda/recipe.yaml").read_text(), re.M)
        self.assertEqual(len(commands), 3)
        for command in commands:
            done = subprocess.run(command.split(), env={**os.environ, "PATH": f"{self.root / 'usr/bin'}:{os.environ['PATH']}"}, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, f"{command}: {done.stderr}")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
