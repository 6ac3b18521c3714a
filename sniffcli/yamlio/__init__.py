"""Strict YAML: text to nodes with places, nodes to plain data, plain data to canonical text."""

from sniffcli.yamlio.nodes import Mark, Node, place, scalar_value, value
from sniffcli.yamlio.reading import MAX_BYTES, MAX_DEPTH, parse
from sniffcli.yamlio.writing import dump

__all__ = [
    "MAX_BYTES",
    "MAX_DEPTH",
    "Mark",
    "Node",
    "dump",
    "parse",
    "place",
    "scalar_value",
    "value",
]
