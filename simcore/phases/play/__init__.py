"""The play phase: one kind a file."""
