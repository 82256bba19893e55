"""Policies of one stage, one a file, and the switch between them."""
