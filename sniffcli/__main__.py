"""Start of the `sniff` command and of `python -m sniffcli`."""

from __future__ import annotations

import sys

from sniffcli.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
