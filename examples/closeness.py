#!/usr/bin/env python3
"""Who is central in a social network? Lists the vertices with the largest closeness.

usage: closeness.py GRAPH [K]      an edge list, taken as undirected; K vertices, 10 by default

Needs the Python package (docs/python.md). No matrix of distances is stored.
"""
import sys

import numpy as np

import wayfront


def main():
    if not 2 <= len(sys.argv) <= 3 or "--help" in sys.argv:
        sys.exit(__doc__)
    count = int(sys.argv[2]) if len(sys.argv) == 3 else 10
    graph = wayfront.load(sys.argv[1], direction="undirected")
    pairs = wayfront.AllPairs(graph)
    figures = pairs.summary()
    print(f"{graph.vertex_count} members, {figures.average:.2f} steps from one to another on average, at most {figures.diameter:.0f}")
    # Closeness favours small components: of those who reach most others, the closest ones.
    order = np.lexsort((-figures.closeness, -figures.reached))
    for position in order[:count]:
        print(f"{pairs.sources[position]:>8}  closeness {figures.closeness[position]:.4f}, reaches {figures.reached[position]}")


if __name__ == "__main__":
    main()
