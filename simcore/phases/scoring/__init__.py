"""The scoring phase: one kind a file."""
