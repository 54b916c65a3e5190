"""report from outside: the page, its numbers, and the verdicts of comparisons."""

import html.parser
import json
import math
import os
import pathlib
import random
import re
import shutil
import statistics
import subprocess
import tempfile
import unittest

from driver import BAD_INPUT, NO_GPU, RESOURCES, DriverTest, run

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
VOID = {"meta", "br", "hr"}  # elements of HTML without an end


class Page(html.parser.HTMLParser):
    """A page: its elements, the texts of some, and what is wrong with it."""

    def __init__(self, text):
        super().__init__()
        self.open, self.faults, self.elements, self.data, self.rows, self.text = [], [], [], [], [], ""
        self.feed(text)
        self.close()
        self.faults += [f"<{name}> has no end" for name in self.open]

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag == "td":
            self.rows[-1].append("")
        if tag == "data":
            self.data.append(float(dict(attrs)["value"]))

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> at {self.getpos()}")

    def handle_data(self, data):
        if "style" not in self.open:
            self.text += data
        if "td" in self.open:
            self.rows[-1][-1] += data


def median_interval(values, confidence):
    """By the binomial distribution in whole numbers; None if there are too few values."""
    n, k, below = len(values), 0, 0
    while k < n:
        below += math.comb(n, k)
        if below * 2 > (1 - confidence) * 2**n:
            break
        k += 1
    return (sorted(values)[k - 1], sorted(values)[n - k]) if k > 0 else None


class ReportTest(DriverTest):
    def setUp(self):
        super().setUp()
        self.page_file = self.folder / "page.html"

    def bfs(self, name, seconds, graph="kron:9", ranks=1, **more):
        """A --json file of bfs whose searches took these times."""
        searches = [{"source": 7 * i, "seconds": time, "edges_per_second": 4096 / time} for i, time in enumerate(seconds)]
        document = {"wayfront": "0.1.0", "command": "bfs", "graph": {"name": graph, "vertices": 512, "edges": 4096, "directed": False, "reversed": False},
                    "search": {"ranks": ranks}, "load_seconds": 0.5, "construction_seconds": 1.5, "searches": searches}
        return self.file(name, json.dumps(document | more))

    def report(self, *files):
        outcome = self.good("report", *files, "-o", self.page_file)
        return outcome, self.checked(self.page_file.read_text(encoding="utf-8"))

    def checked(self, text):
        """The page, which needs nothing from elsewhere and no scripts."""
        page = Page(text)
        self.assertEqual(page.faults, [])
        for tag, attributes in page.elements:
            self.assertNotIn(tag, {"script", "link", "img", "iframe", "object", "embed", "form", "base", "a"})
            for name in attributes:
                self.assertFalse(name.startswith("on") or name in {"src", "href", "srcset", "xlink:href"}, name)
        self.assertNotRegex(text.partition("<body>")[0], r"https?:|url\(|@import")
        return page

    def verdict(self, first, second):
        return re.search(r", bfs: (\w+), ", self.report(first, second)[0].out).group(1)


class Pages(ReportTest):
    RUNS = {"bfs": ("bfs", "kron:10", "--sources", "random:8"),
            "sssp": ("sssp", "grid:20x20", "--weights", "uniform:1..9", "--sources", "random:8"),
            "apsp": ("apsp", "random:60,200", "--weights", "uniform:1..9"),
            "within": ("apsp", "grid:9x9", "--within", 2, "-o", "w.csv"),
            "vertices": ("apsp", "grid:9x9", "--vertices", "v.csv"),
            "bulk": ("apsp", "--bulk", "graphs.txt"),
            "nearest": ("sssp", "grid:9x9", "--nearest", "--sources", "random:4"),
            "graph500": ("graph500", "--scale", 7, "--keys", 8, "--kernel", "both"),
            "plan": ("plan", "kron:20", "--ranks", 4),
            "cutoff": ("bfs", "path:9", "--source", 0, "--cutoff", 2),
            "pairs": ("bfs", "path:9", "--pairs", "pairs.csv", "-o", "answers.csv")}

    def test_every_kind_of_run(self):
        (self.folder / "pairs.csv").write_text("0 5\n3 1\n")
        (self.folder / "graphs.txt").write_text("grid:5x5\npath:9\n")
        files = []
        for name, arguments in self.RUNS.items():
            files.append(self.folder / f"{name}.json")
            self.good(*arguments, "--json", files[-1], env=NO_GPU, cwd=self.folder)
            with self.subTest(name=name):
                outcome, page = self.report(files[-1])
                self.assertEqual(outcome.out, "")  # a single run is compared with none
                self.assertNotIn("Difference", page.text)
                self.assertIn(json.loads(files[-1].read_text())["command_line"], page.text)
        _, page = self.report(*files)
        for name in files:
            self.assertIn(str(name), page.text)
        self.assertEqual([tag for tag, _ in page.elements if tag == "h1"], ["h1"])

    def test_numbers_are_those_of_the_file(self):
        for kernel in "bfs", "sssp":
            file = self.folder / "run.json"
            self.good("graph500", "--scale", 8, "--keys", 9, "--kernel", kernel, "--json", file)
            written = json.loads(file.read_text())
            _, page = self.report(file)
            seconds = [search["seconds"] for search in written[kernel]["searches"]]
            self.assertEqual(page.data[:3], [min(seconds), statistics.median(seconds), max(seconds)])
            self.assertAlmostEqual(page.data[3] / written[kernel]["harmonic_mean_teps"], 1, places=12)
            self.assertEqual(len([1 for tag, attributes in page.elements if attributes.get("class") == "dot"]), 9)
            titles = [attributes["title"] for tag, attributes in page.elements if tag == "span" and "title" in attributes]
            for phase, expected in ((f"searches of {kernel}", sum(seconds)), (f"validation of {kernel}", sum(search["validate_seconds"] for search in written[kernel]["searches"])),
                                    ("load", written["generation_seconds"]), ("construction", written["construction_seconds"])):
                number, unit = re.search(rf"'{phase}: ([\d.]+) (s|ms|µs|ns)'", str(titles)).groups()
                self.assertAlmostEqual(float(number) * {"s": 1, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}[unit], expected, delta=0.006 * expected)
            for fact in (written["date"], written["machine"]["cpu"], written["wayfront"], "kron:8,ef=16"):
                self.assertIn(fact, page.text)

    def test_phases_and_levels(self):
        levels = [[{"frontier": 1, "seconds": 0.25}, {"frontier": 9, "seconds": 0.5}], [{"frontier": 1, "seconds": 0.75}]]
        searches = [{"source": i, "seconds": 2.0, "levels": level} for i, level in enumerate(levels)]
        _, page = self.report(self.bfs("run.json", [], searches=searches))
        titles = [attributes["title"] for tag, attributes in page.elements if tag == "span" and "title" in attributes]
        self.assertEqual(titles, ["load: 500 ms", "construction: 1.50 s", "searches of bfs: 4.00 s", "level 0: 500 ms", "level 1: 250 ms"])
        widths = [float(re.search(r"width:([\d.]+)%", attributes["style"]).group(1))
                  for tag, attributes in page.elements if tag == "span" and "title" in attributes]
        self.assertEqual(widths, [8.33, 25.0, 66.67, 66.67, 33.33])  # a mean search; the second one has no level 1
        self.assertIn("level 1: 4.50 vertices", page.text)
        self.assertIn("level 0: 1.00 vertices", page.text)

    def test_many_levels_and_many_searches(self):
        searches = [{"source": i, "seconds": 1.0 + i / 1000, "levels": [{"frontier": 2}] * 620} for i in range(300)]
        _, page = self.report(self.bfs("run.json", [], searches=searches))
        self.assertIn("levels 0 to 12: 26.0 vertices", page.text)
        self.assertIn("levels 611 to 619: 18.0 vertices", page.text)
        self.assertNotIn("dot", [attributes.get("class") for _, attributes in page.elements])  # but bars of how many searches there are
        self.assertIn("300 searches, median 1.15 s", [attributes.get("aria-label") for _, attributes in page.elements])
        self.assertEqual(sum(map(int, re.findall(r"(?<![(\d])(\d+) searches(?![,:])", page.text))), 300)

    def test_distances(self):
        file = self.folder / "run.json"
        self.good("apsp", "path:5", "--undirected", "--json", file)
        counts = json.loads(file.read_text())["summary"]["histogram"]["counts"]
        _, page = self.report(file)
        self.assertEqual([float(shown) for shown in re.findall(r"to below [\d.]+: ([\d.]+) pairs", page.text)], counts)

    def test_distances_that_are_all_zero(self):
        file = self.folder / "run.json"
        self.good("apsp", self.file("zeros.wel", "1 0 0.0\n"), "--json", file)
        self.assertEqual(json.loads(file.read_text())["summary"]["histogram"]["bin_width"], 0)
        _, page = self.report(file)
        self.assertIn("0: 1.00 pairs", page.text)

    def test_scaling(self):
        files = [self.bfs(f"{ranks}-{time}.json", [time] * 3, ranks=ranks) for ranks, time in ((1, 8.0), (4, 4.0), (2, 5.0), (2, 20.0))]
        _, page = self.report(*files)
        self.assertEqual([row for row in page.rows if row and row[-1].endswith("%")],
                         [["1", "8.00 s", "1", "100%"], ["2", "5.00 s", "1.6", "80%"], ["4", "4.00 s", "2", "50%"]])
        _, page = self.report(files[2], files[3])
        self.assertNotIn("Scaling", page.text)

    def scaled(self, *searches):
        """The page of a run for each of these, which are members of "search" and of the document."""
        return self.report(*(self.bfs(f"{i}.json", [1.0] * 3, search={"engine": "cpu", "threads": 1, "direction": "auto"} | search, **more)
                             for i, (search, more) in enumerate(searches)))[1]

    def test_scaling_is_of_comparable_runs(self):
        one = ({"ranks": 1}, {})
        for second, words in (({"threads": 2}, "the runs differ in the threads of a rank, too"), ({"engine": "gpu", "device": "H200"}, "the runs differ in the engine, too"),
                              ({"direction": "top-down"}, "the runs differ in the method, too"),
                              ({"threads": 2, "engine": "gpu"}, "the runs differ in the engine and the threads of a rank, too")):
            page = self.scaled(one, ({"ranks": 2} | second, {}))
            self.assertIn(f"bfs of kron:9: no scaling over ranks: {words}", page.text)
            self.assertNotIn("efficiency", page.text)
        for more in ({"graph": "kron:10"}, {"search": {"cutoff": 3}}):  # they are not of one thing at all
            page = self.scaled(one, ({"ranks": 2} | more.pop("search", {}), more))
            self.assertNotIn("Scaling", page.text)
        starts = {"searches": [{"source": 1, "seconds": 1.0}] * 3}
        self.assertIn("the runs differ in the vertices from which they search, too", self.scaled(one, ({"ranks": 2}, starts)).text)
        # Of the runs on two ranks, those that suit are taken. What else differs is named.
        page = self.scaled(one, ({"ranks": 2, "threads": 2}, {}), ({"ranks": 2, "grid": "2x1"}, {"machine": {"cpu": "another", "hosts": ["a"]}}))
        self.assertEqual([row[0] for row in page.rows if row and row[-1].endswith("%")], ["1", "2"])
        self.assertIn("method auto; engine cpu; threads of a rank: 1; not the same in all runs: hosts, processor and grid", page.text)

    def test_scaling_of_the_program(self):
        files = []
        for ranks in (1, 2):
            for kind, arguments in (("sssp", ("sssp", "kron:9", "--sources", "random:3")), ("apsp", ("apsp", "grid:9x9", "--algorithm", "dijkstra")),
                                    ("graph500", ("graph500", "--scale", 8, "--keys", 3, "--kernel", "both"))):
                files.append(self.folder / f"{kind}-{ranks}.json")
                self.good(*arguments, "--threads", 1, "--json", files[-1], ranks=ranks, env=NO_GPU)
        _, page = self.report(*files)
        self.assertEqual([row[0] for row in page.rows if row and row[-1].endswith("%")], ["1", "2"] * 4)
        self.assertIn("sssp of kron:9: speed-up by ranks, of the median time of the fastest run; method push-pull; engine cpu; threads of a rank: 1", page.text)
        self.assertIn("all pairs of grid:9x9, 81 sources: speed-up", page.text)

    def test_whether_results_were_checked(self):
        file = self.folder / "run.json"
        for arguments, checked in ((("bfs", "kron:7", "--sources", "random:3", "--validate"), "yes, all 3 searches are valid"), (("sssp", "kron:7", "--source", 1, "--validate"), "yes, the search is valid"),
                                   (("bfs", "kron:7", "--source", 1), "no"), (("apsp", "grid:3x3", "--validate"), "yes, 9 rows are valid"), (("apsp", "grid:3x3"), "no"),
                                   (("graph500", "--scale", 7, "--keys", 2, "--kernel", "both"), "yes, all 4 searches are valid"), (("graph500", "--scale", 7, "--keys", 2, "--no-validate"), "no"),
                                   (("plan", "kron:20", "--ranks", 4), None)):
            self.good(*arguments, "--json", file, env=NO_GPU)
            _, page = self.report(file)
            with self.subTest(arguments=arguments):
                self.assertEqual(re.findall(r"results checked(.*)", page.text), [checked] if checked else [])

    def test_phases_of_all_pairs(self):
        file = self.folder / "run.json"
        self.good("apsp", "grid:20x20", "--weights", "uniform:1..9", "--algorithm", "elimination", "--json", file)
        written = json.loads(file.read_text())
        _, page = self.report(file)
        titles = dict(attributes["title"].split(": ") for tag, attributes in page.elements if tag == "span" and "title" in attributes)
        self.assertEqual(list(titles), ["load", "gathering", "construction", "choice of the method", "elimination", "preparation", "all pairs"])
        self.assertGreaterEqual(written["prepare_seconds"], written["elimination_seconds"])
        for name, seconds in (("elimination", written["elimination_seconds"]), ("preparation", written["prepare_seconds"] - written["elimination_seconds"])):
            number, unit = titles[name].split()
            self.assertAlmostEqual(float(number) * {"s": 1, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}[unit], seconds, delta=0.006 * seconds)
        self.good("apsp", "grid:20x20", "--json", file)
        self.assertNotIn("elimination_seconds", json.loads(file.read_text()))

    def test_many_graphs(self):
        file = self.folder / "run.json"
        graphs = self.file("list", "grid:5x5\nrandom:60,200\nno-such-file.gr\n")
        run("apsp", "--bulk", graphs, "--json", file)
        summary = json.loads(file.read_text())["graphs"][1]["summary"]
        _, page = self.report(file)
        self.assertIn(["grid:5x5", "25", "40", "bit-parallel", "600", "3.33333", "8"], page.rows)
        self.assertEqual(page.rows[-1][:1], ["no-such-file.gr"])
        self.assertIn("failed: ", page.rows[-1][1])
        self.assertIn(str(summary["diameter"]), [row[-1] for row in page.rows if row and row[0] == "random:60,200"])
        self.assertIn("1 of them failed", page.text)
        good = self.folder / "good.json"
        self.good("apsp", "--bulk", self.file("list", "grid:5x5\n" * 1 + "".join(f"path:{n}\n" for n in range(2, 150))), "--json", good)
        outcome, page = self.report(good, good)
        self.assertIn("all pairs of many graphs: undecided, 1 times as long; one search each: no interval", outcome.out)
        self.assertEqual(len([row for row in page.rows if row and row[0].startswith("path:")]), 99)  # once, though of two runs
        self.assertIn("and 49 further graphs", page.text)

    def test_equal_charts_are_shown_once(self):
        files = [self.folder / f"{threads}.json" for threads in (1, 2)]
        for file, threads in zip(files, (1, 2)):
            self.good("apsp", "grid:5x5", "--threads", threads, "--json", file)
        _, page = self.report(*files)
        self.assertIn(f"1 · {files[0]}; 2 · {files[1]}", page.text)

    def test_standard_input_and_output(self):
        file = self.bfs("run.json", [1.0] * 7)
        with open(file, encoding="utf-8") as opened:
            outcome = self.good("report", file, "-", "-o", "-", stdin=opened)
        self.assertIn("standard input", self.checked(outcome.out).text)
        self.assertIn("standard input against", outcome.err)
        self.assertEqual(self.good("report", file, file, "-o", self.page_file, "--quiet").out, "")

    def test_the_page_replaces_another(self):
        self.page_file.write_text("old")
        self.report(self.bfs("run.json", [1.0]))
        self.assertIn("<!DOCTYPE html>", self.page_file.read_text())

    def test_hostile_texts(self):
        hostile = "</title><script>alert(1)</script><b>&amp;\"'\0\x1b‮é"
        file = self.bfs("a <i>&\"'.json", [1.0, 2.0], graph=hostile, command_line=hostile, machine={"cpu": hostile, "hosts": [hostile] * 2})
        strange = pathlib.Path(os.fsdecode(os.fsencode(str(self.folder)) + b"/\xff\xfe<u>.json"))
        shutil.copy(file, strange)
        _, page = self.report(file, strange)
        self.assertFalse({tag for tag, _ in page.elements} & {"script", "b", "i", "u"} - {"i", "b"})
        seen = hostile.replace("\0", "�").replace("\x1b", "�")
        self.assertIn(seen, page.text)
        self.assertIn(f"{seen}, {seen}", page.text)
        self.assertIn("a <i>&\"'.json", page.text)
        self.assertIn("��<u>.json", page.text)


class Comparisons(ReportTest):
    def test_verdicts(self):
        rng = random.Random(7)
        times = [rng.lognormvariate(0, 0.3) for _ in range(32)]
        base = self.bfs("base.json", times)
        for name, factor, expected in (("same", lambda: 1, "same"), ("doubled", lambda: 2, "slower"), ("halved", lambda: 0.5, "faster"),
                                       ("one per cent", lambda: 1.01, "same"), ("three per cent", lambda: 1.03, "slower"),
                                       ("noisy", lambda: rng.lognormvariate(0, 0.5), "ambiguous"), ("noise below", lambda: rng.uniform(0.99, 1.01), "same")):
            with self.subTest(name=name):
                self.assertEqual(self.verdict(base, self.bfs("other.json", [time * factor() for time in times])), expected)

    def test_the_page_says_what_is_printed(self):
        base, other = self.bfs("base.json", [1.0] * 8), self.bfs("other.json", [2.0] * 8)
        outcome, page = self.report(base, other, base)
        self.assertEqual(outcome.out, f"{other} against {base}, bfs: slower, 2 times as long (95%: 2 to 2); 8 searches in pairs\n"
                                      f"{base} against {base}, bfs: same, 1 times as long (95%: 1 to 1); 8 searches in pairs\n")
        self.assertIn("2 times as long (95%: 2 to 2); 8 searches in pairs", page.text)
        self.assertEqual([attributes["class"] for _, attributes in page.elements if "verdict" in attributes.get("class", "")], ["verdict slower", "verdict same"])

    def test_intervals(self):
        rng = random.Random(11)
        for n, m in ((6, 6), (7, 7), (16, 16), (64, 64), (7, 9), (40, 64), (200, 150)):
            first, second = ([rng.lognormvariate(0, 0.4) for _ in range(size)] for size in (n, m))
            out = self.report(self.bfs("a.json", first), self.bfs("b.json", second))[0].out
            found = re.search(r" ([\d.]+) times as long(?: \(95%: ([\d.e-]+) to ([\d.e-]+)\))?; (.*)\n", out)
            if n == m:
                ratios = [after / before for before, after in zip(first, second)]
                ratio, (low, high) = statistics.median(ratios), median_interval(ratios, 0.95)
                self.assertEqual(found[4], f"{n} searches in pairs")
            else:
                ratio = statistics.median(second) / statistics.median(first)
                (low, high), (other_low, other_high) = median_interval(first, 0.975), median_interval(second, 0.975)
                low, high = other_low / high, other_high / low
                self.assertEqual(found[4], f"times per edge of {n} searches and {m} searches; the searches start from different vertices")
            with self.subTest(n=n, m=m):
                self.assertEqual((found[1], found[2], found[3]), tuple(f"{value:.4g}" for value in (ratio, low, high)))

    def test_few_searches(self):
        for n, m, basis in ((1, 1, "one search each: no interval"), (5, 5, "5 searches in pairs: too few for an interval"),
                            (9, 1, "times per edge of 9 searches and 1 search: too few for an interval; the searches start from different vertices")):
            outcome, page = self.report(self.bfs("a.json", [1.0] * n), self.bfs("b.json", [3.0] * m))
            self.assertTrue(outcome.out.endswith(f"undecided, 3 times as long; {basis}\n"), outcome.out)
            self.assertIn(basis, page.text)
            self.assertIn("ratio 3, no interval", [attributes.get("aria-label") for _, attributes in page.elements])
            self.assertEqual([attributes["class"] for tag, attributes in page.elements if tag == "circle" and "mean" in attributes["class"]], ["open-mean"])

    def test_the_chart_shows_the_interval(self):
        """The ends of the line are the bounds, by logarithms between the ends of the axis; the dot is the ratio."""
        times = [1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7]
        _, page = self.report(self.bfs("a.json", [1.0] * 8), self.bfs("b.json", times))
        plot = next(i for i, (_, attributes) in enumerate(page.elements) if attributes.get("aria-label", "").startswith("ratio"))
        self.assertEqual(page.elements[plot][1]["aria-label"], "ratio 1.35, interval from 1 to 1.7")
        lines = [attributes for tag, attributes in page.elements[plot:] if tag == "line" and attributes["class"] == "line"]
        dot = next(float(attributes["cx"].rstrip("%")) for tag, attributes in page.elements[plot:] if tag == "circle" and attributes["class"] == "mean")
        low, high = math.log(1 / 1.1 / 1.05), math.log(1.7 * 1.05)
        expected = [100 * (math.log(value) - low) / (high - low) for value in (1, 1.7, 1.35)]
        for found, position in zip([*(float(lines[0][end].rstrip("%")) for end in ("x1", "x2")), dot], expected):
            self.assertAlmostEqual(found, position, delta=0.01)
        self.assertEqual([line["x1"] for line in lines[1:3]], [lines[0]["x1"], lines[0]["x2"]])  # the ends

    def test_no_scale_is_shared_by_other_work(self):
        """Runs of other graphs, commands or work: no ratio is drawn, and no chart has two of them."""
        runs = [self.bfs("base.json", [1.0] * 8), self.bfs("graph.json", [1.0] * 8, graph="kron:8"),
                self.bfs("cutoff.json", [1.0] * 8, search={"ranks": 2, "cutoff": 3}),
                self.bfs("command.json", [], command="graph500", bfs={"searches": [{"key": 7 * i, "seconds": 1.0, "edges": 4096} for i in range(8)]})]
        outcome, page = self.report(*runs)
        self.assertEqual([line.partition("bfs: ")[2].partition(",")[0] for line in outcome.out.splitlines()], ["different work", "different work", "same"])
        self.assertEqual(len([1 for _, attributes in page.elements if attributes.get("aria-label", "").startswith("ratio")]), 1)
        captions = re.findall(r"^(.*): (edges per second|phases)", page.text, re.MULTILINE)
        self.assertEqual([subject for subject, kind in captions if kind == "phases"],
                         ["bfs of kron:9, 8 searches", "bfs of kron:8, 8 searches", "bfs of kron:9, 8 searches", "graph500 of kron:9, 8 searches"])
        self.assertEqual([subject for subject, kind in captions if kind != "phases"],
                         ["bfs of kron:9", "bfs of kron:8", "bfs of kron:9, cutoff 3", "graph500, bfs of kron:9"])
        self.assertNotIn("Scaling", page.text)

    def test_rates_of_the_benchmark_count_other_edges(self):
        other = self.bfs("b.json", [], command="graph500", bfs={"searches": [{"key": i, "seconds": 2.0, "edges": 8192} for i in range(9)]})
        self.assertIn("slower, 2 times as long (95%: 2 to 2); times of 8 searches and 9 searches", self.report(self.bfs("a.json", [1.0] * 8), other)[0].out)

    def test_different_graphs(self):
        a, b = self.bfs("a.json", [1.0] * 9), self.bfs("b.json", [1.0] * 9, graph="kron:8")
        self.assertIn("different work, 1 times as long (95%: 1 to 1); times per edge of 9 searches and 9 searches; the graphs differ in name\n",
                      self.report(a, b)[0].out)
        moved = self.bfs("c.json", [1.0] * 9, graph="/elsewhere/kron:9")
        self.assertIn("9 searches in pairs\n", self.report(a, moved)[0].out)

    def test_different_work(self):
        """Runs of the program itself, of other graphs or other work: nothing is compared in pairs, and a note says why."""
        def run(name, *arguments):
            file = self.folder / f"{name}.json"
            self.good(*arguments, "--quiet", "--json", file)
            return file

        sources = ("--sources", self.file("sources.txt", " ".join(map(str, range(1, 10)))))
        pairs = [self.file(f"{n}.pairs", "1 2\n" * n) for n in (3, 4)]
        for first, second, note in (
            (("sssp", "grid:9x9", "--weights", "uniform:1..9", *sources), ("sssp", "grid:9x9", "--weights", "uniform:1..90", *sources), "the graphs differ"),
            (("bfs", "random:99,300", *sources), ("bfs", "random:99,300", "--seed", 7, *sources), "the graphs differ"),
            (("bfs", "grid:9x9", *sources), ("bfs", "grid:9x9", "--cutoff", 3, *sources), "the work differs: all versus cutoff 3"),
            (("sssp", "kron:7", *sources), ("sssp", "kron:7", "--cutoff", "0.5", *sources), "the work differs: all versus cutoff 0.5"),
            (("apsp", "grid:9x9", "--summary"), ("apsp", "grid:9x9", "--sources", "random:9", "--summary"), "the work differs: 81 sources versus 9 sources"),
            (("apsp", "grid:9x9", "--within", 2, "-o", self.folder / "w.csv"), ("apsp", "grid:9x9", "--within", 5, "-o", self.folder / "w.csv"), "the work differs: 81 sources, limit 2 versus 81 sources, limit 5"),
            (("bfs", "grid:9x9", "--pairs", pairs[0]), ("bfs", "grid:9x9", "--pairs", pairs[1]), "the work differs: 3 pairs versus 4 pairs"),
            (("apsp", "grid:9x9"), ("apsp", "grid:9x9", "--validate", "--summary"), "the work differs: 81 sources versus 81 sources, validated"),
            (("apsp", "grid:9x9"), ("apsp", "grid:9x9", "--summary", "-o", self.folder / "m.npy"), "the work differs: 81 sources versus 81 sources, with output"),
            (("apsp", "grid:9x9"), ("apsp", "grid:9x9", "--vertices", self.folder / "v.csv"), "the work differs: 81 sources versus 81 sources, figures of vertices"),
            (("bfs", "grid:9x9", "--nearest", *sources), ("bfs", "grid:9x9", "--nearest", "--sources", "random:2"), "the work differs: nearest of 9 sources versus nearest of 2 sources"),
        ):
            with self.subTest(first=first, second=second):
                out = self.report(run("first", *first), run("second", *second))[0].out
                self.assertIn(note, out)
                self.assertIn(": different work, ", out)
                self.assertNotIn("in pairs", out)
        other = run("second", "sssp", "grid:9x9", "--pairs", pairs[0])
        self.assertIn("has no algorithm in common with", self.report(run("first", "bfs", "grid:9x9", "--pairs", pairs[0]), other)[0].out)

    def test_plans(self):
        plan = self.folder / "plan.json"
        self.good("plan", "kron:10", "--for", "sssp", "--ranks", 2, "--quiet", "--json", plan)
        self.assertIn(", sssp: ", self.report(plan, plan)[0].out)
        self.fails(RESOURCES, "plan", "kron:34", "--ranks", 8, "--grid", "8x1", "--quiet", "--json", plan)
        self.assertIn("does not fit 32-bit indices", self.report(plan)[1].text)

    def test_implausible_rates_count_as_unknown(self):
        for rate in (0, 1e-300, 1e300, None):
            a = self.bfs("a.json", [], searches=[{"source": i, "seconds": 1.0, "edges_per_second": rate} for i in range(9)])
            out, page = self.report(a, self.bfs("b.json", [1.0] * 8))
            self.assertIn("same, 1 times as long (95%: 1 to 1); times of 9 searches and 8 searches", out.out)
            self.assertIn("seconds of each search", page.text)

    def test_runs_without_a_common_algorithm(self):
        other = self.file("other.json", (self.folder / self.bfs("a.json", [1.0])).read_text().replace('"bfs"', '"sssp"'))
        outcome, page = self.report(self.bfs("a.json", [1.0]), other)
        self.assertEqual(outcome.out, f"{other} has no algorithm in common with {self.folder / 'a.json'}\n")
        self.assertIn("No further run has searches of an algorithm of the first one.", page.text)


class BadInput(ReportTest):
    def refused(self, contents, message):
        with self.subTest(contents=contents[:60]):
            file = self.file("run.json", contents)
            self.assertRegex(self.fails(BAD_INPUT, "report", file, "-o", self.page_file).replace(str(file), "FILE"), message)
            self.assertFalse(self.page_file.exists())

    def test_files_of_others(self):
        self.refused("", "FILE: is not JSON: line 1, column 1: ")
        self.refused("graph {\n}", "FILE: is not JSON: line 1, column 1: ")
        self.refused('{"wayfront": "0.1.0",\n "command": }', "FILE: is not JSON: line 2, column 13: ")
        self.refused(b'{"a": "\xff"}', "FILE: is not JSON: line 1, column 8: ")
        self.refused("[" * 99, "FILE: is not JSON: line 1, ")
        self.refused("[" * 100000 + "]" * 100000, "FILE: is nested more than 100 deep")
        deep = "[" * 400000 + "]" * 400000
        self.refused('{"wayfront": ' + deep + ', "command": "bfs", "searches": [{"source": 1, "seconds": 1}]}', "FILE: is nested more than 100 deep")
        self.refused('{"wayfront": "1", "command": "bfs", "search": {"device": [[1]]}, "searches": [{"source": 1, "seconds": 1}]}', "FILE: search.device: expected a text or a number")
        for text in ("[]", "{}", "7", "null", '{"command": "bfs"}', '{"wayfront": null, "command": "bfs"}'):
            self.refused(text, 'FILE: expected a file that --json has written; "wayfront" and "command" are missing')

    def test_runs_without_a_search(self):
        self.refused('{"wayfront": "0.1.0", "command": "bfs", "searches": []}', "FILE: this run of bfs has no search")
        self.refused('{"wayfront": "0.1.0", "command": "apsp", "graphs": []}', "FILE: seconds: expected seconds above 0, found nothing")
        self.good("info", "ring:5", "--json", self.folder / "run.json")
        self.refused((self.folder / "run.json").read_text(), 'FILE: command: expected bfs, sssp, apsp, graph500 or plan, found "info"')
        self.refused('{"wayfront": "1", "command": "\\u001b[31m' + "x" * 300 + '"}', r'FILE: command: expected .*, found "\\u001b\[31mx+\.\.\.')

    def test_members_of_other_types(self):
        def document(**members):
            return json.dumps({"wayfront": "0.1.0", "command": "bfs", "searches": [{"source": 1, "seconds": 1.0}], **members})

        for seconds in (-1, 0, "1", None, [], 1e300, 1e-300, True):
            self.refused(document(searches=[{"source": 1, "seconds": 1.0}, {"seconds": seconds}]), r"FILE: searches\[1\]\.?.*seconds: expected ")
        for members, message in (({"searches": 1}, "searches: expected an array, found 1"), ({"searches": [3]}, r"searches\[0\].seconds: expected seconds above 0, found nothing"),
                                 ({"load_seconds": -1}, "load_seconds: expected a number from 0 to 1e30, found -1"), ({"search": {"ranks": "x" * 99}}, 'search.ranks: expected .*, found "x+\\.\\.\\.'),
                                 ({"searches": [{"seconds": 1, "levels": [{"frontier": -2}]}]}, r"searches\[0\].levels\[0\].frontier: expected a number from 0 to 1e30, found -2"),
                                 ({"graph": {"name": {}}}, "graph.name: expected a text or a number, found an object"),
                                 ({"summary": {"histogram": {"first": 0, "counts": [1]}}}, "summary.histogram.bin_width: expected a value, found nothing")):
            self.refused(document(**members), f"FILE: {message}")
        self.refused('{"wayfront": "0.1.0", "command": "bfs", "searches": [{"seconds": 1e999}]}', "FILE: is not JSON: number overflow parsing '1e999'")

    def test_names_of_files(self):
        run_file = self.bfs("run.json", [1.0])
        self.assertIn("RUN is missing: wayfront report RUN...", self.fails(BAD_INPUT, "report", "-o", self.page_file))
        self.assertIn("--output: is required", self.fails(BAD_INPUT, "report", run_file))
        self.assertIn("--output: expected a file that ends in .html, found 'page.pdf'", self.fails(BAD_INPUT, "report", run_file, "-o", "page.pdf"))
        self.assertIn("missing.json", self.fails(BAD_INPUT, "report", run_file, self.folder / "missing.json", "-o", self.page_file))
        self.assertIn("is a directory", self.fails(BAD_INPUT, "report", self.folder, "-o", self.page_file))
        same = self.bfs("same.html", [1.0])
        self.assertIn("same file", self.fails(BAD_INPUT, "report", same, "-o", same))
        self.assertIn("standard input", self.fails(BAD_INPUT, "report", "-", "-", "-o", self.page_file))
        self.assertIn("no/page.html", self.fails(RESOURCES, "report", run_file, "-o", self.folder / "no" / "page.html"))
        self.assertIn("report runs on one rank, but 2 were started", self.fails(BAD_INPUT, "report", run_file, "-o", self.page_file, ranks=2))
        self.assertFalse(self.page_file.exists())


@unittest.skipUnless(BROWSER, "no browser is installed: chromium, chromium-browser or google-chrome")
class Browser(ReportTest):
    def browse(self, file, *options):
        with tempfile.TemporaryDirectory() as profile:
            done = subprocess.run([BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", f"--user-data-dir={profile}", *options,
                                   f"file://{file}"], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("CONSOLE", done.stderr)
        return done.stdout

    def test_layout(self):
        """In windows of a phone and of a desktop, nothing is wider than the page, and no text of a chart covers another one. The copy of the
        page has a script that measures."""
        files = [self.folder / f"{name}.json" for name in ("bfs", "graph500", "apsp")]
        for file in files:
            self.good(*Pages.RUNS[file.stem], "--json", file)
        self.report(*files, *(self.bfs(f"{ranks} {'long name ' * 12}.json", [time, 1.5] * 9, ranks=ranks) for ranks, time in ((1, 3.0), (2, 1.0), (16, 0.01))))
        measured = self.folder / "measured.html"
        script = """<script>
            const root = document.documentElement, boxes = Array.from(document.querySelectorAll("svg text"), text => text.getBoundingClientRect());
            const covers = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
            const covered = boxes.filter((box, i) => boxes.slice(0, i).some(other => covers(box, other))).length;
            document.title = [root.scrollWidth, root.clientWidth, boxes.length, Math.max(...boxes.map(box => Math.round(box.right))), covered].join(" ");
            </script>"""
        measured.write_text(self.page_file.read_text(encoding="utf-8").replace("</body>", script + "</body>"), encoding="utf-8")
        for width in (500, 1200):
            title = Page(self.browse(measured, f"--window-size={width},800", "--dump-dom").partition("</title>")[0]).text
            page, window, texts, right, covered = map(int, title.split())
            with self.subTest(width=width):
                self.assertLessEqual(page, window)
                self.assertLessEqual(right, window)
                self.assertGreater(texts, 20)
                self.assertEqual(covered, 0)

    def test_a_picture_of_the_page(self):
        self.report(self.bfs("a.json", [1.0, 1.5] * 9), self.bfs("b.json", [1.0, 2.5] * 9))
        picture = self.folder / "page.png"
        self.browse(self.page_file, "--window-size=800,1200", f"--screenshot={picture}")
        self.assertTrue(picture.read_bytes().startswith(b"\x89PNG"))


if __name__ == "__main__":
    unittest.main()
