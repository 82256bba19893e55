"""Policies of the play stage; `switch` chooses by code."""
