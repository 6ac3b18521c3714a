"""Plots in the terminal: values over time, drawn with characters."""

from __future__ import annotations

from collections.abc import Sequence

from sniffcli.show.style import Look

#: Lines that a plot takes, its title included.
HEIGHT = 12


#: The most numbers below a plot.
MOST_TICKS = 9


def line_plot(title: str, values: Sequence[float], look: Look, numbers: Sequence[int] = ()) -> str:
    """Return VALUES as points from left to right, at their NUMBERS (default: 1, 2, 3...)."""
    import plotext

    figure = plotext.figure
    figure.clear()
    figure.theme("colorless")
    figure.plot_size(min(look.width, 80), HEIGHT)
    if not look.unicode:
        figure.axes(False)
    marker = "dot" if look.unicode else "*"
    places = list(numbers) or list(range(1, len(values) + 1))
    every = -(-len(places) // MOST_TICKS)
    figure.ruler(0, 0).ticks(places[::every], [str(one) for one in places[::every]])
    figure.draw(figure.signal(places, list(values), marker=marker))
    figure.title(title)
    drawn = str(plotext.uncolorize(str(figure.build())))
    return "\n".join(line.rstrip() for line in drawn.splitlines())
