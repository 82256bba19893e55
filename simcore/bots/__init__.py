"""Bots: what they see (`view`), and their policies, one a file, chosen by code in one switch a stage."""
