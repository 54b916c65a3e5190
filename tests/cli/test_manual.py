"""Manual pages, completion in shells, and the page of all options: they name every option of the
help, and shells complete with them."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import unittest

from driver import BAD_INPUT, GOOD, DriverTest, run
from test_usage import SUBCOMMANDS

ROOT = pathlib.Path(__file__).resolve().parents[2]


def help_of(subcommand):
    return run(subcommand, "--help-all").out


def entries(subcommand):
    """(names, value) of each option in the help: (["-o", "--output"], "FILE")."""
    found = []
    for short, long, value in re.findall(r"^  (?:(-\w) \[ )?(--[a-z][a-z0-9-]*)(?: \])?(?: (\S+))?(?=  |$)", help_of(subcommand), re.MULTILINE):
        found.append(([name for name in (short, long) if name], value))
    return found


def page(name):
    return run("manual", name).out


def bash(*words):
    """The completions that a bash offers for the last of the words."""
    script = page("wayfront.bash") + """
compopt() { :; }
_wayfront
((${#COMPREPLY[@]} == 0)) || printf '%s\\n' "${COMPREPLY[@]}"
"""
    script = f"COMP_WORDS=({shlex.join(words)}) COMP_CWORD={len(words) - 1}\n{script}"
    done = subprocess.run(["bash", "--norc", "-c", script], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stderr == "", done
    return done.stdout.splitlines()


class Manual(DriverTest):
    def test_list_names_every_page(self):
        pages = self.good("manual").out.split()
        for name in ("wayfront.1", "wayfront.bash", "_wayfront", "wayfront.fish", "options.md", *(f"wayfront-{each}.1" for each in SUBCOMMANDS)):
            self.assertIn(name, pages)
            self.assertGreater(len(page(name)), 500)
        self.assertEqual(self.good("manual", "_wayfront", ranks=2).out.count("#compdef"), 1)

    def test_bad_usage(self):
        self.assertIn("there is no page 'wayfront-bsf.1'; did you mean 'wayfront-bfs.1'?", self.fails(BAD_INPUT, "manual", "wayfront-bsf.1"))
        self.assertIn("too many arguments", self.fails(BAD_INPUT, "manual", "wayfront.1", "wayfront.1"))

    def test_every_option_is_in_every_page(self):
        fish, zsh = page("wayfront.fish"), page("_wayfront")
        sections = dict(re.findall(r"^## wayfront (\S+)\n(.*?)(?=^## )", page("options.md"), re.MULTILINE | re.DOTALL))
        self.assertEqual(sorted(sections), sorted(SUBCOMMANDS))
        for subcommand in SUBCOMMANDS:
            options = entries(subcommand)
            self.assertGreaterEqual(len(options), 8)
            manual = page(f"wayfront-{subcommand}.1").replace("\\-", "-")
            of_zsh = re.search(rf"^    {subcommand}\)\n(.*?)^        ;;", zsh, re.MULTILINE | re.DOTALL)[1]
            of_fish = [line for line in fish.splitlines() if f"from {subcommand}'" in line]
            offered = bash("wayfront", subcommand, "-")
            for names, value in options:
                with self.subTest(subcommand=subcommand, option=names):
                    heads = ", ".join(f"\\fB{name}\\fR" for name in names) + (f" \\fI{value}\\fR" if value else "")
                    self.assertTrue(f".TP\n{heads}\n" in manual, heads)
                    for name in names:
                        self.assertIn(name, offered)
                        self.assertRegex(of_zsh, rf"(?<![\w-]){name}(?![\w-])")
                    self.assertTrue(any(f" -l {names[-1][2:]} " in line for line in of_fish))
                    self.assertIn(f"`{names[-1]}{' ' + value if value else ''}`: ", sections[subcommand])

    def test_date_of_the_build(self):
        self.assertIn(" 1 2001-09-09 ", self.good("manual", "wayfront.1", env={"SOURCE_DATE_EPOCH": "1000000000"}).out)

    def test_page_of_options_in_the_documents(self):
        self.assertEqual((ROOT / "docs" / "options.md").read_text(encoding="utf-8"), page("options.md"),
                         "docs/options.md is out of date: wayfront manual options.md > docs/options.md")

    @unittest.skipUnless(shutil.which("mandoc"), "mandoc is not installed")
    def test_formatters_have_no_warnings(self):
        checks = [["mandoc", "-Tlint", "-W", "warning"], ["groff", "-man", "-Tutf8", "-ww"]]
        for subcommand in ("", *(f"-{name}" for name in SUBCOMMANDS)):
            file = self.folder / f"wayfront{subcommand}.1"
            file.write_text(page(file.name))
            for words in checks:
                if shutil.which(words[0]):
                    done = subprocess.run([*words, file], capture_output=True, text=True, timeout=60)
                    self.assertEqual((done.returncode, done.stderr), (0, ""), words)
                    if words[0] == "mandoc":
                        self.assertEqual(done.stdout, "")


class Completion(DriverTest):
    def test_bash_offers_subcommands(self):
        self.assertEqual(bash("wayfront", "gr"), ["graph500"])
        self.assertLessEqual(set(SUBCOMMANDS), set(bash("wayfront", "")))
        self.assertEqual(bash("wayfront", "help", "b"), ["bfs"])

    def test_bash_offers_options(self):
        self.assertEqual(bash("wayfront", "bfs", "ring:5", "--eng"), ["--engine"])
        self.assertEqual(bash("wayfront", "info", "--eng"), [])
        self.assertEqual(bash("wayfront", "bfs", "--validate", "--dir"), ["--directed", "--direction"])

    def test_bash_offers_values(self):
        self.assertEqual(bash("wayfront", "bfs", "--engine", ""), ["auto", "cpu", "gpu", "split"])
        self.assertEqual(bash("wayfront", "bfs", "--engine", "=", "g"), ["gpu"])
        self.assertEqual(bash("wayfront", "bfs", "--engine", "="), ["auto", "cpu", "gpu", "split"])
        self.assertEqual(bash("wayfront", "bfs", "--transport", "p"), ["p2p"])
        self.assertEqual(bash("wayfront", "sssp", "--algorithm", "dij"), ["dijkstra"])
        self.assertEqual(bash("wayfront", "apsp", "--dtype", "f"), ["float32", "float64"])
        self.assertEqual(bash("wayfront", "bfs", "--sources", "ra"), ["random:"])
        self.assertEqual(bash("wayfront", "bfs", "kr"), ["kron:"])
        self.assertEqual(bash("wayfront", "bfs", "--source", ""), [])

    def test_every_value_of_the_help_is_offered(self):
        fish = page("wayfront.fish").splitlines()
        found = 0
        for subcommand in SUBCOMMANDS:
            for names, value in entries(subcommand):
                for word in (part for part in value.split("|") if re.fullmatch(r"[a-z][a-z0-9-]*", part)):
                    with self.subTest(subcommand=subcommand, option=names, word=word):
                        self.assertIn(word, bash("wayfront", subcommand, names[-1], ""))
                        of_fish = next(line for line in fish if f"from {subcommand}'" in line and f" -l {names[-1][2:]} " in line)
                        self.assertIn(word, re.search(r" -a '([^']*)'", of_fish)[1].split())
                        found += 1
        self.assertGreater(found, 50)

    def test_every_offered_value_is_accepted(self):
        """The program refuses no value that completion offers. These jobs end at a later error."""
        jobs = {"graph500": (), "tune": ("--output", "/nonexistent/rates.json")}
        tried = 0
        for subcommand in SUBCOMMANDS:
            for names, value in entries(subcommand):
                for word in bash("wayfront", subcommand, names[-1], "") if value and "FILE" not in value else ():
                    if word.endswith(":"):
                        continue
                    outcome = run(subcommand, *jobs.get(subcommand, ("/nonexistent.gr",)), names[-1], word)
                    self.assertNotEqual(outcome.code, GOOD)
                    self.assertNotIn("expected", outcome.err, (subcommand, names, word))
                    tried += 1
        self.assertGreater(tried, 50)
        self.assertIn("--engine: expected", run("bfs", "/nonexistent.gr", "--engine", "aut").err)

    def test_bash_offers_files(self):
        (self.folder / "roads of town.gr").touch()
        (self.folder / "sub").mkdir()
        start = pathlib.Path.cwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, start)
        for words in (("bfs", "ro"), ("bfs", "ring:5", "--output", "ro"), ("bfs", "ring:5", "-o", "ro"), ("apsp", "--json", "=", "ro"),
                      ("convert", "ring:5", "ro")):
            self.assertEqual(bash("wayfront", *words), ["roads of town.gr"], words)
        self.assertEqual(bash("wayfront", "generate", "ring:5", "s"), ["star:"])
        self.assertEqual(bash("wayfront", "bfs", "--cutoff", "ro"), [])

    @unittest.skipUnless(shutil.which("fish"), "fish is not installed")
    def test_fish(self):
        file = self.file("wayfront.fish", page("wayfront.fish"))
        self.file("graph.gr", "")
        for line, expected in (("wayfront bfs --engine ", ["auto", "cpu", "gpu", "split"]), ("wayfront bfs --eng", ["--engine"]),
                               ("wayfront graph5", ["graph500"]), ("wayfront bfs --output gra", ["graph.gr"]),
                               ("wayfront bfs --source ", [])):
            done = subprocess.run(["fish", "--no-config", "-c", f"source {file}; complete -C '{line}'"], cwd=self.folder, capture_output=True, text=True,
                                  env={**os.environ, "HOME": str(self.folder)}, timeout=60)
            self.assertEqual(([each.split("\t")[0] for each in done.stdout.splitlines()], done.stderr), (expected, ""), line)

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_syntax_in_zsh(self):
        done = subprocess.run(["zsh", "-n", self.file("_wayfront", page("_wayfront"))], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
