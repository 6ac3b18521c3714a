"""The tutor: what a game or a position has to teach, from what a seat could know."""
