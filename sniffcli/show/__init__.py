"""Values to text: the table as arms (text and SVG), tables, numbers. No rules, no input."""
