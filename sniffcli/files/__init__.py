"""Game files: text to values and back, all problems at once, and atomic writing."""
