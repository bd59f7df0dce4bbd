"""Packages beside Python's own that some tests need. Where this interpreter lacks one the program goes on under Debian's,
for which scripts/lib.sh installs them; where that lacks one too, its tests are skipped by its name."""

import importlib.util
import os
import sys

from world import SKIPPED

DEBIANS = "/usr/bin/python3"


def need(*names):
    """Called before the first import of one of them."""
    missing = [name for name in names if importlib.util.find_spec(name) is None]
    if not missing:
        return
    if os.path.exists(DEBIANS) and os.environ.get("SLUICE_PYTHON_TRIED") != DEBIANS:
        os.environ["SLUICE_PYTHON_TRIED"] = DEBIANS
        os.execv(DEBIANS, [DEBIANS, "-B", *sys.argv])
    print("skipped: not installed are", ", ".join(f"python3-{name}" for name in missing))
    sys.exit(SKIPPED)
