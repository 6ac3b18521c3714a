"""Numbers as players read them: estimates with their error, percents, signs. Never NaN."""

from __future__ import annotations

import math

#: What stands where there is no number.
NOTHING = "-"


def known(value: float | None) -> bool:
    """Whether VALUE is a number that can be shown."""
    return value is not None and math.isfinite(value)


def decimal(value: float | None, digits: int = 1) -> str:
    """Return a number with that many decimals; a zero has no sign."""
    if value is None or not math.isfinite(value):
        return NOTHING
    text = f"{value:.{digits}f}"
    return text.removeprefix("-") if float(text) == 0 else text


def signed(value: float | None, digits: int = 1) -> str:
    """Return a number with its sign; zero has none."""
    text = decimal(value, digits)
    if text == NOTHING or text.startswith("-") or float(text) == 0:
        return text
    return f"+{text}"


def estimate(
    value: float | None, error: float | None, *, unicode: bool = True, digits: int = 1
) -> str:
    """Return `3.7 ±2.4`; ERROR is half the width of the interval, None or 0 for an exact value."""
    text = decimal(value, digits)
    if text == NOTHING or error is None or not math.isfinite(error) or error == 0:
        return text
    return f"{text} {'±' if unicode else '+/-'}{decimal(abs(error), digits)}"


def percent(share: float | None, digits: int = 0) -> str:
    """Return a share from 0 to 1 as `37 %`; only a certain one shows as 0 % or 100 %."""
    if share is None or not math.isfinite(share):
        return NOTHING
    text = decimal(100 * share, digits)
    step = 10.0**-digits
    if float(text) == 0 and share > 0:
        return f"<{decimal(step, digits)} %"
    if float(text) == 100 and share < 1:
        return f">{decimal(100 - step, digits)} %"
    return f"{text} %"


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return `1 draw` or `3 draws`; MANY is the plural where it is not ONE with an s."""
    return f"{number} {one if number == 1 else many or one + 's'}"
