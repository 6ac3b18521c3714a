"""Plots in the terminal: values over time, drawn with characters."""

from __future__ import annotations

from collections.abc import Sequence

from sniffcli.show.style import Look

#: Lines that a plot takes, its title included.
HEIGHT = 12


def line_plot(title: str, values: Sequence[float], look: Look) -> str:
    """Return VALUES as points from left to right."""
    import plotext

    figure = plotext.figure
    figure.clear()
    figure.theme("colorless")
    figure.plot_size(min(look.width, 80), HEIGHT)
    if not look.unicode:
        figure.axes(False)
    marker = "dot" if look.unicode else "*"
    figure.draw(figure.signal(list(range(1, len(values) + 1)), list(values), marker=marker))
    figure.title(title)
    drawn = str(plotext.uncolorize(str(figure.build())))
    return "\n".join(line.rstrip() for line in drawn.splitlines())
