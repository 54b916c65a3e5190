"""GraphML and GML: each result against that of the same graph as an edge list of names; the files
of NetworkX, whose distances are an oracle; and messages."""

import gzip
import json
import time
import unittest

from driver import BAD_INPUT, DriverTest, run

# Names, of which one has no edges, and edges with weights.
NAMES = ["Oslo", "Bergen", "Mo i Rana", "Ålesund", "7", "a & <b>", 'say "x"', "alone"]
EDGES = [("Oslo", "Bergen", 463), ("Bergen", "Ålesund", 381), ("Mo i Rana", "Oslo", 1005), ("7", "Oslo", 5), ("a & <b>", "7", 2), ('say "x"', "a & <b>", 1),
         ("Oslo", "Oslo", 9), ("Ålesund", "7", 30), ("Ålesund", "7", 31)]


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


def graphml(directed=False, names=NAMES, edges=EDGES, kind="int", name="weight", default=None):
    default = "" if default is None else f"<default>{default}</default>"
    nodes = "".join(f'  <node id="{escaped(n)}"><data key="d1">x</data></node>\n' for n in names)
    lines = "".join(f'  <edge source="{escaped(u)}" target="{escaped(v)}">' + (f'<data key="d0"> {w} </data>' if w is not None else "") + "</edge>\n"
                    for u, v, w in edges)
    return ('<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
            f' <key id="d0" for="edge" attr.name="{name}" attr.type="{kind}">{default}</key>\n <key id="d1" for="node" attr.name="label" attr.type="string"/>\n'
            f' <graph edgedefault="{"directed" if directed else "undirected"}">\n{nodes}{lines} </graph>\n</graphml>\n')


def gml(directed=False, labels=True, edges=EDGES):
    nodes = "".join(f'  node [\n    id {10 * i}\n' + (f'    label "{escaped(n)}"\n' if labels else "") + "    graphics [ x 1.5 y [ ] ]\n  ]\n"
                    for i, n in enumerate(NAMES))
    lines = "".join(f"  edge [ source {10 * NAMES.index(u)} target {10 * NAMES.index(v)}" + (f" weight {w}" if w is not None else "") + " ]\n" for u, v, w in edges)
    return f'# a comment\nCreator "a program [ ]"\ngraph [\n  directed {int(directed)}\n{nodes}{lines}]\n'


class GraphmlTest(DriverTest):
    def setUp(self):
        super().setUp()
        if "this build does not read GraphML" in run("info", self.file("empty.graphml", graphml())).err:
            self.skipTest("the program was built without Expat")


class Results(GraphmlTest):
    def distances(self, path, *options, ranks=1):
        out = self.folder / "out.json"
        self.good("sssp", path, "--source", "Oslo", "--deterministic", "--validate", *options, "-o", out, "--quiet", ranks=ranks)
        return {row[0]: row[1:] for row in json.loads(out.read_text())["rows"]}

    def test_the_same_graph_as_an_edge_list(self):
        listed = self.file("g.tsv", "".join(f"{u}\t{v}\t{w}\n" for u, v, w in EDGES).replace('say "x"', '"say ""x"""'))
        for directed in (False, True):
            expected = self.distances(listed, "--names", *(() if directed else ("--undirected",)))
            expected["alone"] = [None, -1]
            xml, text = self.file("g.graphml", graphml(directed)), self.file("g.gml", gml(directed))
            packed = self.folder / "g.graphml.gz"
            packed.write_bytes(gzip.compress(xml.read_bytes()))
            for path in (xml, text, packed):
                for ranks in (1, 3):
                    with self.subTest(path=path, directed=directed, ranks=ranks):
                        self.assertEqual(self.distances(path, ranks=ranks), expected)

    def test_weights(self):
        facts = self.folder / "facts.json"
        plain = [(u, v, None) for u, v, _ in EDGES]
        mixed = [(u, v, w + 0.5 if w > 400 else w) for u, v, w in EDGES]
        large = [(u, v, w * 2**40) for u, v, w in EDGES]
        for text, extension, kind, least in ((graphml(), "graphml", "int32", 1), (graphml(edges=mixed), "graphml", "float32", 1),
                                             (graphml(edges=large), "graphml", "int64", 2**40), (graphml(edges=plain), "graphml", None, None),
                                             (graphml(edges=plain, default=4), "graphml", "int32", 4), (graphml(name="km"), "graphml", None, None),
                                             (gml(), "gml", "int32", 1), (gml(edges=mixed), "gml", "float32", 1), (gml(edges=plain), "gml", None, None)):
            path = self.file(f"g.{extension}", text)
            outcome = self.good("info", path, "--json", facts)
            weights = json.loads(facts.read_text())["weights"]
            self.assertEqual(weights and (weights["kind"], weights["min"]), kind and (kind, least))
            self.assertEqual("--weight-column NAME" in outcome.err, 'attr.name="km"' in text)
        path = self.file("g.graphml", graphml(name="km"))
        self.good("info", path, "--weight-column", "km", "--json", facts)
        self.assertEqual(json.loads(facts.read_text())["weights"]["kind"], "int32")
        self.assertIn("'miles' of edges, as --weight-column says", self.fails(BAD_INPUT, "info", path, "--weight-column", "miles"))
        self.assertIn("'miles' of edges", self.fails(BAD_INPUT, "info", self.file("g.gml", gml()), "--weight-column", "miles"))

    def test_ids_without_labels(self):
        outcome = self.good("bfs", self.file("g.gml", gml(labels=False)), "--source", 0, "--target", 30, "--deterministic")
        self.assertIn("path of 2 edges: 0 10 30\n", outcome.out)

    def test_other_elements_are_skipped(self):
        """Whatever is in them, such as the drawings of yEd."""
        expected = self.distances(self.file("g.graphml", graphml()))
        drawing = '<data key="d1"><y:E xmlns:y="urn:y"><node id="x"/><edge source="x" target="y"/><graph/><data>7</data></y:E></data>'
        text = graphml().replace("</edge>", drawing + "</edge>").replace("<graph ", "<desc><node/></desc><graph ").replace("<node id", '<node xml:id="z" id')
        self.assertEqual(self.distances(self.file("g.graphml", text)), expected)
        self.assertEqual(self.distances(self.file("p.graphml", graphml().replace("</node>", '<port name="p"><data key="none"/></port></node>'))), expected)

    def test_numbers_with_other_names(self):
        for text, noted in ((gml().replace(" weight ", " value "), True), (gml().replace(" weight ", " id "), False), (gml(), False),
                            (gml().replace(" ]\n", " value 2 ]\n"), False)):
            outcome = self.good("info", self.file("g.gml", text))
            self.assertEqual("--weight-column NAME reads one as weights" in outcome.err, noted)
        path = self.file("g.gml", gml().replace(" weight ", " value "))
        self.assertNotIn("--weight-column", self.good("info", path, "--weight-column", "none").err)

    def test_entities(self):
        """Also many that do not end."""
        names = ["&" * 2_000_000, "&#x10FFFF; &#38;amp; &nbsp; &", "&#x110000;"]
        nodes = "".join(f'node [ id {i} label "{name}" ]\n' for i, name in enumerate(names))
        path, listed = self.file("g.gml", f"graph [ {nodes} edge [ source 0 target 1 ] ]"), self.folder / "names.txt"
        begin = time.monotonic()
        self.good("convert", path, self.folder / "g.el", "--vertex-numbers", listed)
        self.assertLess(time.monotonic() - begin, 10)
        self.assertEqual(listed.read_text(), "".join(f"{name}\n" for name in sorted([names[0], "\U0010FFFF &amp; &nbsp; &", names[2]])))

    def test_networkx(self):
        try:
            import networkx
        except ImportError:
            self.skipTest("NetworkX is not installed")
        for directed in (False, True):
            graph = (networkx.DiGraph if directed else networkx.Graph)()
            graph.add_nodes_from(NAMES)
            graph.add_weighted_edges_from((u, v, w + 0.25) for u, v, w in EDGES)
            expected = networkx.single_source_dijkstra_path_length(graph, "Oslo")
            for extension, write in (("graphml", networkx.write_graphml_xml), ("gml", networkx.write_gml)):
                path = self.folder / f"n.{extension}"
                write(graph, path)
                found = {name: distance for name, (distance, _) in self.distances(path).items()}
                self.assertEqual(found, {name: expected.get(name) for name in NAMES})


class Messages(GraphmlTest):
    def test_faults_and_their_places(self):
        head = '<graphml><key id="w" for="edge" attr.name="weight" attr.type="int"/>\n<graph edgedefault="directed">\n<node id="a"/><node id="b"/>\n'
        tail = "</graph></graphml>\n"
        edge = '<edge source="a" target="b"><data key="w">1</data></edge>\n'
        for text, place, words in (
                (head + edge, ":5:1:", "well-formed XML"), ("<gexf></gexf>", ":1:1:", "found <gexf>"), ("<graphml></graphml>", ":", "<graph>"),
                (head + '<node id="a"/>' + tail, ":4:1:", "'a' once more"), (head + '<edge source="a"/>' + tail, ":4:1:", "`target` of <edge>"),
                (head + '<edge source="a" target="c"/>' + tail, ":4:1:", "'c'"), (head + edge + '<edge source="a" target="b"/>' + tail, ":5:1:", "weight"),
                (head + edge.replace(">1<", ">x<") + tail, ":4:1:", "as a weight, found 'x'"),
                (head + edge.replace(">1<", ">nan<") + tail, ":4:1:", "as a weight"), (head + "<hyperedge/>" + tail, ":4:1:", "<hyperedge>"),
                (head + '<edge source="a" target="b" directed="false"/>' + tail, ":4:1:", "directed edges, as the graph says"),
                (head.replace('"directed"', '"both"') + tail, ":2:1:", "'both'"), (head + "</graph><graph edgedefault='directed'/></graphml>", ":4:9:", "one graph"),
                (head + "</graph><node id='c'/></graphml>", ":4:9:", "<node> in <graph>"), (head + "<node id='c'><edge/></node>" + tail, ":4:14:", "<edge> in <graph>"),
                (head + edge.replace('"w"', '"x"') + tail, ":4:29:", "the id of a <key> above, found 'x'"),
                (head + edge.replace(">1<", ">1<b>2</b><") + tail, ":4:44:", "a number, found <b>"), (head + "<node xml:id='c'/>" + tail, ":4:1:", "`id` of <node>"),
                (head.replace("<graph ", "<key id='v' attr.name='weight'/>\n<graph ") + tail, ":2:1:", "one attribute 'weight' of edges"),
                (head + "<node id='c'><graph edgedefault='directed'/></node>" + tail, ":4:14:", "nodes without graphs"),
                ('<!DOCTYPE graphml [<!ENTITY x SYSTEM "/etc/passwd">]>' + head + '<node id="&x;"/>' + tail, ":1:", "without declarations"),
                ('<!DOCTYPE graphml []>' + head + tail, ":1:", "without declarations"),
                ('<!DOCTYPE graphml SYSTEM "x.dtd">' + head + '<node id="&x;"/>' + tail, ":1:", "without declarations"),
                ('<!DOCTYPE graphml PUBLIC "x" "y">' + head + tail, ":1:", "without declarations"),
                ('<!DOCTYPE graphml>' + head + '<node id="&x;"/>' + tail, ":", "undefined entity")):
            with self.subTest(text=text):
                path = self.file("g.graphml", text)
                message = self.fails(BAD_INPUT, "info", path)
                self.assertIn(f"{path}{place}", message)
                self.assertIn(words, message)
        node = "graph [ node [ id 1 label \"a\" ]\n node [ id 2 label \"b\" ]\n"
        for text, place, words in (
                ("x", ":1:2:", "a value"), (node, ":3:1:", "a key or ']'"), ("x 1", ":1:1:", "`graph [`"), (node + "edge [ source 1 target 3 ] ]", ":3:1:", "the id 3"),
                (node + "edge [ source 1 ] ]", ":3:1:", "a source and a target"), (node + "node [ id 1 label \"c\" ] ]", ":3:1:", "the id 1 again"),
                (node + "node [ id 3 label \"a\" ] ]", ":3:1:", "'a' once more"), (node + "node [ label \"a\" ] ]", ":3:1:", "with an id"),
                (node + "edge [ source 1 target 2 weight \"x\" ] ]", ":3:1:", "as a weight"), (node + 'name "open ]', ":3:6:", "double quote"),
                (node + "directed 2 ]", ":3:10:", "0 or 1"), (node + "]\n]", ":4:1:", "a key"), (node + "] graph [ ]", ":3:3:", "one graph")):
            with self.subTest(text=text):
                path = self.file("g.gml", text)
                message = self.fails(BAD_INPUT, "info", path)
                self.assertIn(f"{path}{place}", message)
                self.assertIn(words, message)

    def test_formats_that_are_read_and_not_written(self):
        for form in ("graphml", "gml"):
            out = self.folder / f"out.{form}"
            for command in (("convert", "path:5", out), ("generate", "path:5", "-o", out)):
                self.assertIn("is read, and not written", self.fails(BAD_INPUT, *command))
                self.assertFalse(out.exists())
        path = self.file("g.graphml", graphml())
        self.assertIn("always has names", self.fails(BAD_INPUT, "info", path, "--names"))
        self.assertIn("--source-column", self.fails(BAD_INPUT, "info", path, "--source-column", "x"))
        self.assertIn("--format graphml", self.fails(BAD_INPUT, "info", self.file("g.el", graphml())))
        self.good("info", self.file("unknown", graphml()))


if __name__ == "__main__":
    unittest.main()
