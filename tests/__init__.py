"""The tests; a package, so that `python -m tests.regenerate` finds this one and no other."""
