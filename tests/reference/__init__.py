"""The game of Bridgette a second time, in plain Python, to compare the engine with.

Written only from the rules, the transcript format and ``docs/random-streams.md``; it shares no code with the engine
and imports nothing but the standard library. Read in this order: cards, deal, exchange, auction, colons, play,
scoring, match; then streams and random_bot; then game, which plays, and check, which judges transcripts.

Marks such as C4 are the rows of the table of colon rules. Cards are strings (``"SA"``, ``"GC"``), hands are lists of
cards, bids are strings (``"3NT"``), ``rules`` is a variant as YAML gives it, with every key.
"""

from __future__ import annotations

from .auction import legal_calls
from .check import check_deal_from_seed, check_match, check_transcript, legal_sets
from .game import play_match
from .play import legal_leads, legal_replies
from .scoring import contract_points

__all__ = [
    "check_deal_from_seed",
    "check_match",
    "check_transcript",
    "contract_points",
    "legal_calls",
    "legal_leads",
    "legal_replies",
    "legal_sets",
    "play_match",
]
