"""The files that the program writes are as docs/formats.md describes them."""

import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

from driver import BINARY, DATA, NO_GPU, DriverTest, environment, run

ROOT = pathlib.Path(__file__).resolve().parents[2]
FORMATS = ROOT / "docs" / "formats.md"


def documented(subcommand):
    """The keys of --json in the tables of a subcommand, and the ones among them that are always
    present."""
    text = FORMATS.read_text(encoding="utf-8").split("### `--json FILE`")[1].split("\n### ")[0]
    keys, always = set(), set()
    applies = False
    for line in text.splitlines():
        if line.endswith(":") and not line.startswith("|"):
            applies = line == "All of them:" or f"`{subcommand}`" in line
        elif applies and line.startswith("| `"):
            names, _, _, meaning = (cell.strip() for cell in line.strip("|").split("|"))
            keys |= set(re.findall("`([^`]+)`", names))
            if not meaning.startswith("only "):
                always |= set(re.findall("`([^`]+)`", names))
    return keys, always


def written(value, name=""):
    """The keys of a document as they are written in the tables: those of leaves and of their
    parents."""
    leaves, inner = set(), set()
    if isinstance(value, dict):
        parts = [written(part, f"{name}.{key}".lstrip(".")) for key, part in value.items()]
        inner.add(name)
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        parts = [written(part, f"{name}[]") for part in value]
        inner.add(f"{name}[]")
    else:
        return {name}, inner
    return leaves.union(*(part[0] for part in parts)), inner.union(*(part[1] for part in parts))


def anchors(document):
    """The names by which links reach the headings of a document."""
    headings = re.findall(r"^#+ (.*)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()).replace(" ", "-") for heading in headings}


class Links(unittest.TestCase):
    def test_links_between_documents_lead_somewhere(self):
        documents = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
        self.assertGreater(len(documents), 10)
        for document in documents:
            for target in re.findall(r"\]\(([^)\s]+)\)", document.read_text(encoding="utf-8")):
                if target.startswith("http"):
                    continue
                path, _, anchor = target.partition("#")
                linked = document.parent / path if path else document
                with self.subTest(document=document.name, target=target):
                    self.assertTrue(linked.exists())
                    if anchor:
                        self.assertIn(anchor, anchors(linked))


class Json(DriverTest):
    def test_many_graphs(self):
        """The keys of `apsp --bulk`; each of its graphs has those of one graph, too."""
        output = self.folder / "facts.json"
        folders = ("-o", self.folder / "d", "--predecessors", self.folder / "p")
        keys, always = documented("apsp --bulk")
        of_one, _ = documented("apsp")
        for graphs, code in (("ring:5\n", 0), ("missing.gr\nring:5\n", 2)):
            self.assertEqual(run("apsp", "--bulk", self.file("list", graphs), *folders, "--json", output, env=NO_GPU).code, code)
            leaves, inner = written(json.loads(output.read_text()))
            self.assertEqual({key for key in leaves - keys if not key.startswith("graphs[].") or key.removeprefix("graphs[].") not in of_one}, set())
            self.assertEqual({key for key in always - leaves - inner if not key.startswith("graph.")}, set())

    def test_within_a_limit(self):
        output = self.folder / "facts.json"
        self.good("apsp", "path:5", "--within", 2, "-o", self.folder / "w.csv", "--json", output)
        leaves, inner = written(json.loads(output.read_text()))
        keys, always = documented("apsp --within")
        self.assertLessEqual(leaves, keys)
        self.assertEqual(always - leaves - inner, set())

    def test_every_key_is_documented(self):
        for subcommand, *arguments in (("bfs", "path:5", "--source", 0, "--target", 4, "--validate"), ("bfs", "path:5", "--source", 0),
                                       ("graph500", "--scale", 5, "--keys", 2), ("graph500", "--scale", 5, "--keys", 2, "--no-validate"),
                                       ("graph500", "--scale", 5, "--keys", 2, "--kernel", "both"),
                                       ("graph500", "--scale", 5, "--keys", 2, "--kernel", "sssp"),
                                       ("sssp", "path:5", "--source", 0, "--target", 4, "--validate"), ("sssp", "kron:5", "--source", 0),
                                       ("apsp", "path:5", "--validate"), ("apsp", "path:5", "--sources", "random:2"),
                                       ("apsp", "path:5", "--sources", "random:2", "--vertices", self.folder / "f.csv"),
                                       ("apsp", "path:5", "--vertices", self.folder / "f.npy"),
                                       ("info", "kron:5"), ("info", "ring:5")):
            with self.subTest(subcommand=subcommand, arguments=arguments):
                output = self.folder / "facts.json"
                self.good(subcommand, *arguments, "--json", output, env=NO_GPU)
                leaves, inner = written(json.loads(output.read_text()))
                keys, always = documented(subcommand)
                self.assertLessEqual(leaves, keys)
                missing = always - leaves - inner
                self.assertEqual({key for key in missing if not key.startswith("weights.")}, set(), "weights are null if there are none")


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def pattern_of(shown):
    """A regular expression for an output that a page shows. Three dots stand for any lines; times,
    speeds and what depends on the machine may differ, all else may not."""
    number = r"[\d.]+(?:e[+-]\d+)?"
    pattern = ""
    for line in shown.splitlines():
        if line.strip() == "...":
            pattern += r"(?:.*\n)*?"
            continue
        words = r"\s+".join(re.escape(word) for word in line.split())
        if re.search(r"\d s\b|edges/s|time:|TEPS|graph_generation|^load|^construction", line):
            words = re.sub(r"\d+(?:\\\.\d+)(?:e[-+\\]*\d+)?|\d+e[-+\\]*\d+", lambda _: number, words)
        words = re.sub(r"\d+\\s\+threads?\\s\+per", r"\\d+\\s+threads?\\s+per", words)
        pattern += rf"\s*{words}\s*\n"
    return pattern


class Commands(DriverTest):
    """The commands of the documents run without changes, and print what the documents show."""

    PAGES = ("tour.md", "running.md", "sssp.md", "reports.md", "scale-out.md", "tutorials/roads.md", "tutorials/social-networks.md",
             "tutorials/graph500.md", "tutorials/cluster.md", "tutorials/python.md")
    # Their commands build the program, or need GPUs, hosts or Slurm.
    NOT_RUN = ("building.md", "apsp.md", "cluster.md", "gpu.md", "performance.md", "python.md", "library.md", "formats.md", "engines.md")

    def setUp(self):
        super().setUp()
        (self.folder / "tests").mkdir()
        (self.folder / "tests" / "data").symlink_to(DATA)
        (self.folder / "examples").symlink_to(ROOT / "examples")
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "wayfront").symlink_to(BINARY)

    def shell(self, command):
        path = f"{self.folder / 'bin'}:{os.environ['PATH']}"
        done = subprocess.run(["bash", "-euc", command], cwd=self.folder, env=environment(PATH=path, **NO_GPU), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, f"{command}\n{done.stdout}{done.stderr}")
        return done.stdout

    def test_every_page_with_commands_is_named(self):
        pages = {str(page.relative_to(ROOT / "docs")) for page in (ROOT / "docs").rglob("*.md") if blocks(page, "sh") or blocks(page, "console")}
        self.assertEqual(pages - {*self.PAGES, *self.NOT_RUN}, set())

    def test_commands(self):
        for name in (*self.PAGES, "../README.md"):
            page = ROOT / "docs" / name
            for language, block in re.findall(r"^```(sh|console)\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE):
                with self.subTest(page=name, block=block):
                    if language == "sh":
                        if name in self.PAGES:  # those of README.md build the program
                            self.shell(block)
                        continue
                    for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
                        output = self.shell(command)
                        self.assertTrue(re.fullmatch(pattern_of(shown), output), f"{command}\nshown:\n{shown}\nprinted:\n{output}")


class Examples(DriverTest):
    def example(self, name, *arguments):
        path = f"{pathlib.Path(BINARY).parent}:{os.environ['PATH']}"
        return subprocess.run([sys.executable, ROOT / "examples" / name, *map(str, arguments)], cwd=self.folder, env=environment(PATH=path, **NO_GPU),
                              capture_output=True, text=True, timeout=60)

    def test_comparison_of_runs(self):
        done = self.example("compare_runs.py", 10, "page.html", "--threads", 1, "--", "--direction", "top-down", "--threads", 1)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"(?m)^--threads 1: [0-9.]+ GTEPS$")
        self.assertRegex(done.stdout, r"bfs: (same|faster|slower|ambiguous), [0-9.]+ times as long")
        self.assertIn("top-down", (self.folder / "page.html").read_text(encoding="utf-8"))
        for arguments in ((10, "page.html"), (10, "--", "--threads", 1), (10, "page.html", "--nonsense", "--")):
            with self.subTest(arguments=arguments):
                failed = self.example("compare_runs.py", *arguments)
                self.assertEqual(failed.returncode, 1)
                self.assertNotIn("Traceback", failed.stderr)


if __name__ == "__main__":
    unittest.main()
