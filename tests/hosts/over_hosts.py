#!/usr/bin/env python3
"""Runs a program over hosts that are made of this machine's namespaces, one rank on each. Needs root.

usage: over_hosts.py [--hosts N] [--delay-us T] [--mbit M] [--loss SHARE] PROGRAM [ARGUMENT...]

With any of the last three options, the links are those of wire.cpp: WAYFRONT_WIRE names that program, which is build/release/tests/wayfront_wire.
"""

import argparse
import sys

from hosts import Hosts, obstacle


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--hosts", type=int, default=4)
    parser.add_argument("--delay-us", type=int, default=0)
    parser.add_argument("--mbit", type=int, default=0)
    parser.add_argument("--loss", type=float, default=0.0)
    parser.add_argument("program", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    if why_not := obstacle():
        sys.exit(why_not)
    hosts = Hosts(options.hosts, options.delay_us, options.mbit, options.loss)
    try:
        sys.exit(hosts.start(*options.program, stdout=None, stderr=None).wait())
    finally:
        hosts.remove()


if __name__ == "__main__":
    main()
