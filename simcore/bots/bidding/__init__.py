"""Policies of the bidding stage; `switch` chooses by code."""
