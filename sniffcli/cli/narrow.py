"""Output that cannot take every letter: what is missing is written as JSON escapes it."""

from __future__ import annotations

import codecs
import os
from io import TextIOWrapper

#: ASCII under a name of our own. click takes an output that calls itself ASCII for one that was
#: set up wrongly and writes UTF-8 into it; this one it leaves alone.
PLAIN = "sniff-ascii"

#: The way of writing letters that are missing; JSON reads it back.
ESCAPED = "sniff-escaped"


def speaks_plainly() -> bool:
    """Whether the surroundings ask for plain ASCII in so many words: the C or POSIX locale."""
    named = next((os.environ[k] for k in ("LC_ALL", "LC_CTYPE", "LANG") if os.environ.get(k)), "")
    told = os.environ.get("PYTHONUTF8") == "1" or "PYTHONIOENCODING" in os.environ
    return named in ("C", "POSIX") and not told


def narrowed(stream: TextIOWrapper) -> None:
    """Let STREAM write what its encoding has, and escape the rest."""
    _register()
    ascii_ = speaks_plainly() or codecs.lookup(stream.encoding).name in ("ascii", PLAIN)
    stream.reconfigure(encoding=PLAIN if ascii_ else stream.encoding, errors=ESCAPED)


def _register() -> None:
    codecs.register(_plain)
    codecs.register_error(ESCAPED, _escaped)


def _plain(name: str) -> codecs.CodecInfo | None:
    if name.replace("_", "-") != PLAIN:
        return None
    ascii_ = codecs.lookup("ascii")
    return codecs.CodecInfo(
        name=PLAIN,
        encode=ascii_.encode,
        decode=ascii_.decode,
        incrementalencoder=ascii_.incrementalencoder,
        incrementaldecoder=ascii_.incrementaldecoder,
        streamreader=ascii_.streamreader,
        streamwriter=ascii_.streamwriter,
    )


def _escaped(problem: UnicodeError) -> tuple[str, int]:
    if not isinstance(problem, UnicodeEncodeError):
        raise problem
    units = problem.object[problem.start : problem.end].encode("utf-16-be", "surrogatepass")
    pairs = zip(units[::2], units[1::2], strict=True)
    return "".join(f"\\u{high:02x}{low:02x}" for high, low in pairs), problem.end
