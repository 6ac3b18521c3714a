"""Playing at a terminal: sessions, scripts, screens and the prompt."""
