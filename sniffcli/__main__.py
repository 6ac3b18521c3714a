"""Start of the `sniff` command and of `python -m sniffcli`."""

from __future__ import annotations

import atexit
import gc
import sys

# Starting makes many objects that stay; looking through them as often as Python does by itself
# took a twelfth of the time of a whole hint, and once more at the end, where nothing of it will be
# used again, a fifth. Files and databases are closed where they are used.
gc.set_threshold(20_000, 20, 20)
atexit.register(gc.freeze)

try:
    from sniffcli.cli.main import main
except ModuleNotFoundError as missing:
    # A module of our own that is missing is a defect; a library may be hidden, as by `python -S`.
    if missing.name is None or missing.name.startswith("sniffcli"):
        raise
    sys.stderr.write(
        f"sniff: this Python does not find {missing.name}, which sniff needs; "
        f"`python -S` hides what is installed, and `pip install sniffcli` installs it\n"
    )
    sys.exit(2)

if __name__ == "__main__":
    sys.exit(main())
