"""The game: actions, immutable state and `apply`, settlement, match, views, seeded dealing."""
