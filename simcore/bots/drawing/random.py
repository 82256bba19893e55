"""Exchange policy `random` in phase 1 of Draw Bridge: a legal card at random (docs/random-streams.md, section 5)."""

from __future__ import annotations

from simcore.bots.play import random

choose_card, choose_drawn = random.choose_card, random.choose_drawn
"""The same draws as in the play, with the key of the exchange."""
