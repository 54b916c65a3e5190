"""Runs the tests of the given files. Exits with 77 if all tests were skipped; a failure is reported as one, also if other tests were skipped."""

import sys
import unittest

SKIPPED = 77

program = unittest.main(module=None, verbosity=2, exit=False)
result = program.result
if not result.wasSuccessful():
    sys.exit(1)
sys.exit(SKIPPED if result.testsRun > 0 and len(result.skipped) == result.testsRun else 0)
