""".ci/release makes a tag and an archive, or says what is in the way."""

import hashlib
import os
import pathlib
import shutil
import subprocess
import tarfile
import unittest

from driver import DriverTest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = {"CMakeLists.txt": "project(wayfront VERSION 1.2.3 LANGUAGES CXX)\n", "pyproject.toml": '[project]\nversion = "1.2.3"\n',
         "containers/conda/recipe.yaml": 'context:\n  version: "1.2.3"\n', "CITATION.cff": "version: 1.2.3\n",
         "CHANGELOG.md": "# Changelog\n\n## [1.2.3] - 2026-12-01\n",
         "README.md": "find_package(wayfront 1.2 REQUIRED)\n", "docs/library.md": "find_package(wayfront 1.2 REQUIRED)\n", "docs/index.md": "# wayfront\n"}


@unittest.skipUnless(shutil.which("git"), "git is not installed")
class Release(DriverTest):
    def setUp(self):
        super().setUp()
        (self.folder / ".ci").mkdir()
        (self.folder / "containers" / "conda").mkdir(parents=True)
        (self.folder / "docs").mkdir()
        shutil.copy(ROOT / ".ci" / "release", self.folder / ".ci")
        for name, text in {**FILES, ".gitignore": "/build/\n"}.items():
            self.file(name, text)
        self.git("init", "--quiet")
        self.commit()

    def git(self, *words):
        variables = {f"GIT_{role}_{what}": "tester" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        return subprocess.run(["git", *words], cwd=self.folder, env={**os.environ, **variables}, check=True, capture_output=True, text=True).stdout

    def commit(self):
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "a change")

    def release(self, *words):
        variables = {"GIT_COMMITTER_NAME": "tester", "GIT_COMMITTER_EMAIL": "tester"}
        return subprocess.run([".ci/release", *words], cwd=self.folder, env={**os.environ, **variables}, capture_output=True, text=True, timeout=60)

    def test_tag_and_archive(self):
        self.assertEqual(self.release("--check", "1.2.3").returncode, 0)
        self.assertEqual(self.git("tag"), "")
        self.assertEqual(self.release("1.2.3").returncode, 0)
        self.assertEqual(self.git("tag"), "v1.2.3\n")
        archive = self.folder / "build" / "release-1.2.3" / "wayfront-1.2.3.tar.gz"
        with tarfile.open(archive) as files:
            self.assertLessEqual({f"wayfront-1.2.3/{name}" for name in FILES}, set(files.getnames()))
        digest = archive.with_name(archive.name + ".sha256").read_text().split()[0]
        self.assertEqual(digest, hashlib.sha256(archive.read_bytes()).hexdigest())
        self.assertIn("the tag v1.2.3 exists", self.release("1.2.3").stderr)

    def test_obstacles(self):
        for name, text in FILES.items():
            if "1.2" not in text:
                continue
            with self.subTest(file=name):
                self.file(name, text.replace("1.2", "1.3"))
                self.commit()
                done = self.release("1.2.3")
                self.assertEqual(done.returncode, 1)
                self.assertIn(name, done.stderr)
                self.file(name, text)
                self.commit()
        self.file("CHANGELOG.md", FILES["CHANGELOG.md"].replace("2026-12-01", "unreleased"))
        self.file("README.md", FILES["README.md"] + "Version 1.2, not yet released.\n")
        done = self.release("1.2.3")
        self.assertIn("not committed", done.stderr)
        self.assertIn("CHANGELOG.md has no heading of the version with a date", done.stderr)
        self.assertIn("README.md or docs/index.md says that the version is not yet released", done.stderr)
        self.assertEqual(self.git("tag"), "")

    def test_bad_usage(self):
        for words in ((), ("1.2",), ("v1.2.3",), ("1.2.3", "more")):
            self.assertEqual(self.release(*words).returncode, 2)


if __name__ == "__main__":
    unittest.main()
