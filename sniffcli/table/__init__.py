"""The table: what is open for joining and counting (frontier), and what lies where (layout)."""
