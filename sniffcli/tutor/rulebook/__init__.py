"""The rulebook: what a ruleset says, in sentences; one module for each part of the book."""
