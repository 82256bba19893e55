"""The auction phase: one kind a file."""
