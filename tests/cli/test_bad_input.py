"""Malformed and hostile files: a single message with the file, the line and the expected text, and exit code 2; the same on every number of ranks."""

import gzip
import lzma
import os
import struct
import unittest

from driver import BAD_INPUT, RESOURCES, DriverTest, run

GOOD_ARCS = "".join(f"a {u} {u + 1} 3\n" for u in range(1, 400))


class BadInput(DriverTest):
    def refused(self, name, content, *expected, reader="info"):
        """`expected`: texts that the message must contain; {} in them is replaced by the file's
        name."""
        path = self.file(name, content)
        message = self.fails_alike(BAD_INPUT, reader, path, *(["--source", 1] if reader == "bfs" else []))
        self.assertIn(str(path), message)
        for text in expected:
            self.assertIn(text.format(path), message)
        return message

    # Files that cannot be read.

    def test_missing_file(self):
        self.assertIn("No such file", self.fails_alike(BAD_INPUT, "info", self.folder / "nosuch.gr"))
        self.assertIn("No such file", self.fails_alike(BAD_INPUT, "convert", self.folder / "nosuch.gr", self.folder / "out.gr"))
        self.assert_nothing_left("out")

    def test_directory(self):
        (self.folder / "folder.gr").mkdir()
        self.assertIn("directory", self.fails_alike(BAD_INPUT, "info", self.folder / "folder.gr").lower())

    @unittest.skipIf(os.geteuid() == 0, "root may read every file")
    def test_unreadable_file(self):
        path = self.file("g.gr", "p sp 1 0\n")
        path.chmod(0)
        self.assertIn("Permission denied", self.fails_alike(BAD_INPUT, "info", path))

    def test_unreadable_file_for_root_too(self):
        loop = self.folder / "loop.gr"
        loop.symlink_to(loop)
        self.fails_alike(BAD_INPUT, "info", loop)

    def test_unknown_extension(self):
        self.refused("graph.doc", "0 1\n", "unknown file extension; known are .gr .mtx")

    def test_compressed_binary_file(self):
        self.refused("g.sg.gz", gzip.compress(bytes(40)), "GAPBS .sg files are not supported in compressed form")

    def test_empty_files(self):
        for name in ("g.gr", "g.mtx", "g.graph", "g.sg", "g.tuples"):
            self.refused(name, b"", "empty")

    # Compressed files.

    def test_truncated_compressed_files(self):
        text = (f"p sp 400 {399}\n" + GOOD_ARCS).encode()
        self.refused("g.gr.gz", gzip.compress(text)[:-20])
        self.refused("g.gr.xz", lzma.compress(text)[:-20])

    def test_damaged_compressed_files(self):
        packed = bytearray(gzip.compress((f"p sp 400 {399}\n" + GOOD_ARCS).encode()))
        packed[len(packed) // 2] ^= 0xFF
        self.refused("g.gr.gz", bytes(packed))
        self.refused("h.gr.gz", "p sp 2 1\na 1 2 3\n")
        self.refused("i.gr.xz", gzip.compress(b"p sp 2 1\na 1 2 3\n"))

    # Headers.

    def test_counts_that_lie(self):
        self.refused("few.gr", "p sp 400 398\n" + GOOD_ARCS, "398", "399")
        self.refused("many.gr", "p sp 400 401\n" + GOOD_ARCS, "401", "399")
        self.refused("few.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2\n2 3\n")
        self.refused("many.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 5\n1 2\n2 3\n", "5")
        self.refused("many.graph", "3 5\n2\n1 3\n2\n")
        self.refused("vertices.graph", "4 2\n2\n1 3\n2\n")

    def test_counts_that_are_huge(self):
        self.refused("g.gr", "p sp 2 4000000000000\na 1 2 3\n", "4000000000000")
        self.refused("h.gr", "p sp 99999999999999999999 1\na 1 2 3\n", "{}:1:")
        self.refused("g.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 4000000000000\n1 2\n")
        self.refused("g.graph", "3 4000000000000\n2\n1\n\n")
        self.refused("g.sg", struct.pack("<?qq", True, 1 << 60, 4))

    def test_vertices_past_the_memory(self):
        # The vertices would need some petabytes on any number of hosts; no memory is allocated.
        for name, content in [("g.gr", "p sp 200000000000000 1\na 1 2 3\n"), ("g.el", "0 200000000000000\n"),
                              ("g.mtx", "%%MatrixMarket matrix coordinate pattern general\n200000000000000 200000000000000 1\n1 2\n")]:
            path = self.file(name, content)
            for reader in (["info"], ["bfs", "--source", 1], ["bfs", "--source", 1, "--undirected"]):
                with self.subTest(name=name, reader=reader):
                    for ranks in (1, 3):
                        self.assertRegex(self.fails(RESOURCES, *reader, path, ranks=ranks), f"constructing {path} needs .* PiB on each host, but only .* are available")

    def test_headers_that_are_missing(self):
        self.refused("g.mtx", "1 2\n2 3\n", "{}:1:", "expected", "%%MatrixMarket")
        self.refused("g.gr", "a 1 2 3\n", "{}:1:", "expected")
        self.refused("g.graph", "% only a comment\n")

    # Lines.

    def test_words_instead_of_numbers(self):
        self.refused("g.gr", "p sp 3 2\na 1 2 3\na 2 three 1\n", "{}:3:5:", "expected", "'three'")
        self.refused("g.el", "0 1\n1 x\n", "{}:2:3:", "'x'")
        self.refused("g.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2 heavy\n", "{}:3:5:", "'heavy'")
        self.refused("g.graph", "3 2\n2\n1 q\n2\n", "{}:3:3:", "'q'")

    def test_lines_cut_short(self):
        self.refused("g.gr", "p sp 3 2\na 1 2 3\na 2", "{}:3:", "expected")
        self.refused("g.el", "0 1\n1\n", "{}:2:", "expected")

    def test_negative_numbers(self):
        self.refused("g.el", "0 1\n-1 2\n", "{}:2:1:", "'-1'")
        self.refused("g.gr", "p sp 3 1\na -1 2 3\n", "{}:2:3:", "'-1'")

    def test_numbers_that_overflow(self):
        self.refused("g.el", "0 1\n0 99999999999999999999\n", "{}:2:3:", "99999999999999999999")
        self.refused("h.el", f"0 1\n0 {1 << 48}\n", "{}:2:3:")
        self.refused("g.gr", "p sp 3 1\na 1 2 9223372036854775808\n", "{}:2:7:")

    def test_vertices_out_of_range(self):
        self.refused("g.gr", "p sp 3 1\na 1 4 3\n", "{}:2:5:", "'4'")
        self.refused("h.gr", "p sp 3 1\na 0 1 3\n", "{}:2:3:", "'0'")
        self.refused("g.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 4\n", "{}:3:3:", "'4'")
        self.refused("g.graph", "3 2\n2\n1 4\n2\n", "{}:3:3:", "'4'")

    def test_bad_weights(self):
        self.refused("g.wel", "0 1 nan\n", "{}:1:5:")
        self.refused("g.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2 inf\n", "{}:3:5:")

    def test_a_line_that_another_rank_reads(self):
        # The text is long enough to be read in shares: the bad line is in the last third, which
        # rank 2 of 3 reads.
        lines = ["p sp 400 50000\n"] + ["a 1 2 3\n"] * 50000
        lines[49000] = "a 1 2 x\n"
        path = self.file("g.gr", "".join(lines))
        self.assertIn(f"{path}:49001:7: expected", self.fails_alike(BAD_INPUT, "info", path, ranks=(1, 2, 3)))
        outcome = run("info", path, ranks=3)
        self.assertRegex(outcome.messages[0], r" \(rank \d\)$")

    # Binary files.

    def test_tuples(self):
        self.refused("g.tuples", bytes(13), "12 bytes")
        self.file("h.tuples.weights", bytes(5))
        message = self.fails_alike(BAD_INPUT, "info", self.file("h.tuples", bytes(24)))
        self.assertIn("h.tuples.weights", message)

    def test_gapbs(self):
        self.refused("g.sg", b"\x01\x02\x03")
        offsets, neighbours = [0, 1, 2], [1, 0]
        whole = struct.pack("<?qq", True, 2, 2) + struct.pack("<3q", *offsets) + struct.pack("<2i", *neighbours)
        self.refused("h.sg", whole[:-4])

    def test_weights_asked_for_wrongly(self):
        path = self.file("g.el", "0 1\n")
        for spec in ("uniform", "uniform:5..1", "uniform:a..b", "lognormal:mean=-1", "lognormal:size=3", "gold"):
            self.assertIn(f"weights '{spec}'", self.fails(BAD_INPUT, "info", path, "--weights", spec))


if __name__ == "__main__":
    unittest.main()
