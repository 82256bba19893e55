"""Policies of the exchange stage; `switch` chooses by code."""
