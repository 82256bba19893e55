"""The exchange phase: one kind a file."""
