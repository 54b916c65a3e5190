"""Graphs with weights and their shortest paths, found by Dijkstra's algorithm with a heap, which
results are compared with."""

import collections
import heapq
import math
import random
import struct

ALGORITHMS = ("auto", "dijkstra", "delta-stepping", "bellman-ford", "push-pull")


def float32(value):
    return struct.unpack("f", struct.pack("f", value))[0]


class WeightedGraph:
    """A graph in memory and its shortest paths. Shares no code with the program."""

    def __init__(self, vertices, edges, directed, first=0, rounded=lambda value: value):
        """`edges` are (source, target, weight); `rounded` rounds sums to the precision of the
        program's sums."""
        self.first, self.vertices, self.edges, self.directed, self.rounded = first, vertices, list(edges), directed, rounded
        self.out = collections.defaultdict(list)
        for u, v, w in self.edges:
            self.out[u].append((v, w))
            if not directed:
                self.out[v].append((u, w))

    def numbers(self):
        return range(self.first, self.first + self.vertices)

    def reversed(self):
        return WeightedGraph(self.vertices, [(v, u, w) for u, v, w in self.edges], self.directed, self.first, self.rounded)

    def distances(self, source):
        found = {}
        queue = [(0, source)]
        while queue:
            distance, u = heapq.heappop(queue)
            if u in found:
                continue
            found[u] = distance
            for v, w in self.out[u]:
                if v not in found:
                    heapq.heappush(queue, (self.rounded(distance + w), v))
        return found

    def smallest_parents(self, source):
        """The smallest neighbour at a smaller distance with a tight edge; without one, the smallest
        of those with the fewest tight edges back to one."""
        distances = self.distances(source)
        tight = [(u, v) for u in distances for v, w in self.out[u] if v != source and self.rounded(distances[u] + w) == distances[v]]
        parents = {source: source}
        for u, v in sorted(edge for edge in tight if distances[edge[0]] < distances[edge[1]]):
            parents.setdefault(v, u)
        while len(parents) < len(distances):
            for u, v in sorted((u, v) for u, v in tight if u in parents and v not in parents):
                parents.setdefault(v, u)
        return parents

    def as_edge_list(self):
        return "".join(f"{u} {v} {w}\n" for u, v, w in self.edges)

    def as_dimacs(self):
        return f"p sp {self.vertices} {len(self.edges)}\n" + "".join(f"a {u} {v} {w}\n" for u, v, w in self.edges)


def tangle(directed, first=0, vertices=61, edges=150, weight=lambda draw: draw.randrange(8), rounded=lambda value: value):
    """A random graph with weights of 0, self-loops, parallel edges, isolated vertices and several
    components."""
    draw = random.Random(5)
    triples = [(first + draw.randrange(vertices - 5), first + draw.randrange(vertices - 5), weight(draw)) for _ in range(edges)]
    triples += [(u, v, weight(draw)) for u, v, _ in triples[:15]] + [(first + 3, first + 3, weight(draw))]
    triples.append((first, first + vertices - 1, weight(draw)))  # edge lists have the vertices up to the largest one named
    return WeightedGraph(vertices, triples, directed, first, rounded)


def check_result(test, graph, source, rows, cutoff=math.inf):
    """`rows`: (vertex, distance, parent) of all vertices in order; any tree of shortest paths is
    accepted."""
    rows = [(v, graph.rounded(d), parent) for v, d, parent in rows]  # the shortest text of a float is read as a nearby double
    distances = {v: d for v, d in graph.distances(source).items() if d <= cutoff}
    test.assertEqual([row[0] for row in rows], list(graph.numbers()))
    test.assertEqual({v: d for v, d, _ in rows if d != math.inf}, distances)
    parents = {v: parent for v, _, parent in rows}
    depth = {source: 0}
    for v in graph.numbers():
        if v not in distances:
            test.assertEqual(parents[v], -1, f"vertex {v} is not reached")
            continue
        way = []
        while v not in depth:
            test.assertNotIn(v, way, "the parents have a cycle")
            way.append(v)
            v = parents[v]
        for child in reversed(way):
            parent = parents[child]
            sums = [graph.rounded(distances[parent] + w) for to, w in graph.out[parent] if to == child]
            test.assertIn(distances[child], sums, f"an edge joins vertex {child} and its parent {parent}")
            depth[child] = depth[parent] + 1
    test.assertEqual(parents[source], source)


def number(text):
    return int(text) if text.lstrip("-").isdigit() else float(text)


def read_csv(path):
    header, *lines = path.read_text().splitlines()
    assert header == "vertex,distance,parent", header
    return [tuple(map(number, line.split(","))) for line in lines]
