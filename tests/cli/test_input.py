"""The properties that the program reads from a graph file (direction, numbers of vertices, columns), and which of them converting preserves."""

import csv
import gzip
import json
import shutil
import unittest

from driver import BAD_INPUT, DriverTest, read_csv, run

KONECT_BIPARTITE = "% bip unweighted\n% 3 2 4\n1 1\n2 3\n2 4\n"


class InputTest(DriverTest):
    def facts(self, path, *options, ranks=1):
        output = self.folder / "facts.json"
        self.good("info", path, "--json", output, *options, ranks=ranks)
        facts = json.loads(output.read_text())
        return {**facts["graph"], "weights": facts["weights"] and facts["weights"]["kind"]}

    def notes(self, outcome):
        return [line.removeprefix("wayfront: note: ") for line in outcome.err.splitlines() if line.startswith("wayfront: note: ")]


class Direction(InputTest):
    def test_an_undirected_graph_remains_so(self):
        graph = self.folder / "g.txt"
        self.good("generate", "grid:5x5", "-o", graph)
        for ranks in (1, 3):
            outcome = self.good("bfs", graph, "--source", 24, ranks=ranks)
            self.assertIn("25 vertices, 40 edges, undirected\n", outcome.out)
            self.assertIn("25 reached", outcome.out)
        one_way = self.good("bfs", graph, "--source", 24, "--directed")
        self.assertIn("40 edges, directed\n", one_way.out)
        self.assertIn(" 1 reached", one_way.out)

    def test_every_rank_learns_of_a_header(self):
        # A compressed file is read by rank 0 alone. In the other file, the header is in the first
        # rank's part.
        edges = "".join(f"{u}\t{u + 1}\n" for u in range(1, 200))
        packed = self.folder / "g.Txt.GZ"
        packed.write_bytes(gzip.compress(("# Undirected graph: g\n# Nodes: 205 Edges: 199\n" + edges).encode()))
        konect = self.file("konect.TSV", "% sym unweighted\n% 199 205 205\n" + edges)
        self.assertEqual(self.facts(packed, ranks=3), self.facts(packed))
        self.assertEqual(self.facts(konect, ranks=3), self.facts(konect))
        for path, vertices, first in ((packed, 205, 0), (konect, 205, 1)):
            facts = self.facts(path)
            self.assertEqual((facts["directed"], facts["direction_from"], facts["vertices"], facts["first_vertex"]), (False, "header", vertices, first))

    def test_assumptions_are_reported(self):
        path = self.file("g.el", "0 1\n2 1\n")
        self.assertIn("2 edges, directed (assumed: the file does not give the direction; if its edges are undirected, add --undirected)\n",
                      self.good("bfs", path, "--source", 0).out)
        self.assertEqual(self.facts(path)["direction_from"], "assumed")
        self.assertEqual(self.facts(path, "--undirected")["direction_from"], "option")

    def test_options_that_do_not_suit(self):
        path = self.file("g.el", "0 1\n")
        self.assertIn("do not go together", self.fails(BAD_INPUT, "info", path, "--directed", "--undirected"))
        self.assertIn("ring:5 is undirected by its name", self.fails_alike(BAD_INPUT, "info", "ring:5", "--directed"))
        matrix = self.file("g.gr", "p tw 2 1\n1 2\n")
        self.assertIn("undirected by its format", self.fails(BAD_INPUT, "info", matrix, "--directed"))
        self.assertIn("determines the number of the first vertex", self.fails(BAD_INPUT, "bfs", matrix, "--source", 1, "--one-based"))
        self.assertIn("do not go together", self.fails(BAD_INPUT, "info", path, "--zero-based", "--one-based"))


class Numbers(InputTest):
    TEXT = "p sp 5 3\na 1 2 7\na 2 3 8\na 3 1 9\n"  # vertices 4 and 5 have no edges

    def test_convert_to_an_edge_list_and_back(self):
        graph = self.file("g.gr", self.TEXT)
        for options, first, notes in (((), 0, 1), (("--one-based",), 1, 0)):
            edges, back = self.folder / "g.wel", self.folder / "back.gr"
            outcome = self.good("convert", graph, edges, *options)
            self.assertEqual(len(self.notes(outcome)), notes)
            if notes:
                self.assertIn(f"{graph} numbers vertices from 1, {edges} from 0: vertex 1 becomes 0 (--one-based keeps the numbers)", self.notes(outcome))
            facts = self.facts(edges)
            self.assertEqual((facts["vertices"], facts["first_vertex"], facts["directed"], facts["weights"]), (5, first, True, "int32"))
            self.good("convert", edges, back)
            self.assertEqual(back.read_text(), self.TEXT)

    def test_convert_to_a_serialized_graph(self):
        graph = self.file("g.gr", self.TEXT)
        for name, options in (("g.sg", ("--no-weights",)), ("g.wsg", ())):
            output = self.folder / name
            outcome = self.good("convert", graph, output, *options, ranks=2)
            self.assertEqual(self.notes(outcome), [f"{graph} numbers vertices from 1, {output} from 0: vertex 1 becomes 0"])
            facts = self.facts(output)
            self.assertEqual((facts["vertices"], facts["first_vertex"]), (5, 0))

    def test_options_override_the_header(self):
        path = self.file("g.el", "# Vertices are numbered from 1\n1 2\n")
        self.assertEqual(self.facts(path)["vertices"], 2)
        self.assertEqual(self.facts(path, "--zero-based")["vertices"], 3)
        plain = self.file("h.el", "1 2\n3 1\n")
        output = self.folder / "levels.csv"
        self.good("bfs", plain, "--one-based", "--source", 1, "-o", output)
        self.assertEqual([row[0] for row in read_csv(output)], [1, 2, 3])
        self.assertIn("expected a vertex from 1", self.fails(BAD_INPUT, "info", self.file("i.el", "0 1\n"), "--one-based"))

    def test_bipartite_graphs_of_konect(self):
        path = self.file("b.tsv", KONECT_BIPARTITE)
        outcome = self.good("convert", path, self.folder / "b.el", "--one-based", ranks=3)
        self.assertIn(f"{path} is bipartite: its vertices on the right are numbered from 3, after those on the left", self.notes(outcome))
        self.assertTrue((self.folder / "b.el").read_text().endswith("\n1 3\n2 5\n2 6\n"))

    def test_graphs_without_edges(self):
        for name in ("g.txt", "g.el.gz", "g.gr", "g.mtx", "g.graph", "g.sg"):
            path = self.folder / name
            self.good("generate", "random:5,0", "-o", path)
            self.assertEqual(self.facts(path)["vertices"], 5, name)
        self.assertIn("this graph has no edges", self.fails(BAD_INPUT, "generate", "random:5,0", "-o", self.folder / "g.tuples"))
        self.assert_nothing_left("g.tuples")

    def test_what_a_file_does_not_contain_is_reported(self):
        graph = self.file("g.gr", "p tw 4 1\n1 2\n")
        lost = "the last 2 vertices, which have no edges"
        self.assertIn(lost, self.good("convert", graph, self.folder / "g.tuples").err)
        outcome = self.good("convert", graph, self.folder / "g.csv", "--one-based")
        self.assertIn(lost, outcome.err)
        self.assertIn(f"a CSV file does not record that its edges are undirected or that vertices are numbered from 1: read {self.folder / 'g.csv'} with "
                      "--undirected --one-based", outcome.err)
        self.assertEqual(self.good("convert", graph, self.folder / "g.csv", "--quiet").err, "")


class Columns(InputTest):
    def test_csv_is_plain_csv(self):
        path = self.folder / "g.csv"
        self.good("generate", "path:3", "-o", path, "--weights", "uniform:5..5")
        with path.open(newline="") as lines:
            self.assertEqual(list(csv.DictReader(lines)), [{"source": str(u), "target": str(u + 1), "weight": "5"} for u in range(2)])
        self.assertEqual(self.facts(path)["weights"], "int32")
        without = self.file("h.csv", "".join(path.read_text().splitlines(keepends=True)[1:]))
        self.assertEqual({**self.facts(without), "name": ""}, {**self.facts(path), "name": ""})
        self.assertIn(":1:3: expected a vertex", self.fails(BAD_INPUT, "info", self.file("i.csv", "0,,1\n")))

    def test_timestamps_are_skipped_with_a_note(self):
        path = self.file("g.tsv", "1\t2\t1\t1082040961\n2\t3\t1\t1082155839\n" * 50)
        outcome = self.good("info", path, ranks=3)
        self.assertEqual(self.notes(outcome), [f"the column of timestamps of {path} is skipped"])
        self.assertIn("vertices       4,", outcome.out)

    def test_networkx(self):
        plain = self.file("g.edges", "0 1 {}\n1 2 {}\n")
        self.assertIsNone(self.facts(plain)["weights"])
        weighted = self.file("h.edges", "0 1 {'weight': 3}\n1 2 {'weight': 2.5}\n")
        self.assertEqual(self.facts(weighted)["weights"], "float32")
        self.assertIn("nx.write_edgelist(G, path, data=['weight'])", self.fails(BAD_INPUT, "info", self.file("i.edges", "0 1 {'color': 'red'}\n")))

    def test_gexf_is_refused_with_a_command(self):
        path = self.file("g.gexf", "<gexf/>\n")
        message = self.fails(BAD_INPUT, "info", path)
        self.assertIn(f"nx.read_gexf('{path}')", message)
        self.assertNotIn("\n", message)


class Names(InputTest):
    def test_missing_files_and_folders(self):
        for name in ("nosuch", "nosuch.xyz"):
            message = self.fails_alike(BAD_INPUT, "info", self.folder / name)
            self.assertIn("there is no such file", message)
            self.assertNotIn("extension", message)
        self.assertIn("is a folder", self.fails(BAD_INPUT, "info", self.folder))

    def test_extensions_in_any_case(self):
        graph = self.folder / "G.GR"
        self.good("generate", "grid:3x3", "-o", graph)
        with graph.open("rb") as plain, gzip.open(self.folder / "H.Gr.GZ", "wb") as packed:
            shutil.copyfileobj(plain, packed)
        self.assertEqual({**self.facts(graph), "name": ""}, {**self.facts(self.folder / "H.Gr.GZ"), "name": ""})

    def test_weights_of_kron_reach_wsg_files(self):
        generated, converted = self.folder / "a.wsg", self.folder / "b.wsg"
        self.assertIn("becomes 1 + floor(255 w)", self.good("generate", "kron:8", "-o", generated).err)
        self.good("convert", "kron:8", converted, ranks=3)
        self.assertEqual(generated.read_bytes(), converted.read_bytes())
        self.assertEqual(self.facts(generated)["weights"], "int32")

    def test_edgefactor_suggests_ef(self):
        self.assertIn("did you mean 'ef'?", run("info", "kron:5,edgefactor=8").err)


class SearchKeys(InputTest):
    def test_as_many_as_there_are_vertices_with_edges(self):
        output = self.folder / "report.json"
        for keys, expected in ((8, 8), (64, 8)):
            self.good("graph500", "complete:8", "--keys", keys, "--json", output, ranks=1)
            found = [search["key"] for search in json.loads(output.read_text())["bfs"]["searches"]]
            self.assertEqual(sorted(found), list(range(expected)))


if __name__ == "__main__":
    unittest.main()
