"""Analyst and tutor for scoring dominoes."""

__version__ = "0.1.0"
