"""bfs --validate finds every kind of wrong result. wrong_searches.cpp is the program with searches that report wrong results."""

import os
import subprocess
import unittest

from driver import GOOD, MPIEXEC, NO_GPU, WRONG_RESULT, DriverTest, environment

PROGRAM = os.environ.get("WAYFRONT_WRONG_SEARCHES", "")


@unittest.skipUnless(PROGRAM, "WAYFRONT_WRONG_SEARCHES names no program")
class WrongResults(DriverTest):
    CASES = {
        "nothing": (GOOD, ""),
        "level": (WRONG_RESULT, "vertex 7 is reported as level 3, but according to the parents it is level 7"),
        "unreached": (WRONG_RESULT, "vertex 7 is reported as not reached, but according to the parents it is level 7"),
        "parent": (WRONG_RESULT, "validation failed, rule "),
        "reached": (WRONG_RESULT, "11 vertices are reported as reached, but according to the parents there are 10"),
        "record": (WRONG_RESULT, "level 0 is reported with 2 vertices, but according to the parents it has 1"),
    }

    def test_wrong_results(self):
        output = self.folder / "levels.csv"
        for ranks in (1, 3):
            launch = [] if ranks == 1 else [MPIEXEC, "-n", str(ranks)]
            for wrong, (code, message) in self.CASES.items():
                output.unlink(missing_ok=True)
                with self.subTest(wrong=wrong, ranks=ranks):
                    finished = subprocess.run([*launch, PROGRAM, "bfs", "path:10", "--source", "0", "--validate", "-o", str(output)],
                                              env=environment(WAYFRONT_WRONG=wrong, **NO_GPU), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                              timeout=60)
                    self.assertEqual(finished.returncode, code, finished.stderr)
                    self.assertIn(message, finished.stderr)
                    self.assertEqual(output.exists(), code == GOOD)  # no wrong result is written


if __name__ == "__main__":
    unittest.main()
