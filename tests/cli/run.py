"""Runs the tests of the files named, and exits with 77 where all of them were skipped: a failure beside a skipped test stays a failure."""

import sys
import unittest

SKIPPED = 77

program = unittest.main(module=None, verbosity=2, exit=False)
result = program.result
if not result.wasSuccessful():
    sys.exit(1)
sys.exit(SKIPPED if result.testsRun > 0 and len(result.skipped) == result.testsRun else 0)
