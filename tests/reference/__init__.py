"""The five games a second time, in plain Python, to compare the engine with.

Written only from the rules, the transcript format and ``docs/random-streams.md``; it shares no code with the engine
and imports nothing but the standard library. Read in this order: cards, deal; before the auction: exchange, draw_tricks,
look_and_choose; auctions: auction (bridge), calls, steps; tricks: duties, colons and play (two players), table_play (more);
points: scoring, trick_value, call_scoring, shedding; course (of a deal), match; then streams and random_bot; then game, which
plays, and review and check, which judge transcripts. bridgette and games hold the rules of the games themselves.

Marks such as C4 are the rows of the table of colon rules. Cards are strings (``"SA"``, ``"GC"``), hands are lists of
cards, bids are strings (``"3NT"``), ``rules`` is a variant as YAML gives it, with every key.
"""

from __future__ import annotations

from .auction import legal_calls
from .call_scoring import call_points
from .calls import legal_numbers
from .check import check_deal_from_seed, check_match, check_transcript, legal_sets
from .duties import legal_cards
from .game import play_match
from .play import legal_leads, legal_replies
from .scoring import contract_points
from .steps import legal_step_calls

__all__ = [
    "call_points",
    "check_deal_from_seed",
    "check_match",
    "check_transcript",
    "contract_points",
    "legal_calls",
    "legal_cards",
    "legal_leads",
    "legal_numbers",
    "legal_replies",
    "legal_sets",
    "legal_step_calls",
    "play_match",
]
