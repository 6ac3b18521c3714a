"""Fuzzing: the file formats and the prompt are given what nobody would write."""
