"""Rulesets: the frozen model of every switch, its loading with inheritance, the shipped library."""
