"""Play policy `random` among any number of hands: a legal card at random (docs/random-streams.md, section 5)."""

from __future__ import annotations

from simcore.bots.play import random

choose_card, choose_fresh = random.choose_card, random.choose_fresh
"""The same draws as between two hands: a view of either kind has what they need."""
