"""What a bot sees. A policy gets one of these views and its own parameters; the deal itself is out of its reach.

Everything here is public or the seat's own: its hand, the cards it has seen or thrown, the auction, the cards played.
Hands are masks in the kernels' form (`simcore.cards`), bids are masks with bit 5 * level + strain. Scores are whole
tenths of a point.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class ExchangeView(NamedTuple):
    """What a seat sees when it has drawn and must throw."""

    hand: np.uint64
    """Own hand, the cards just drawn included."""
    n_throw: int
    """Cards to throw."""
    upcard: np.uint64
    """The card turned, one bit; zero where none is."""
    is_dealer: int
    colons: np.uint64
    """Colons of the pack in play."""
    key: np.uint64
    """The seat's random stream for this stage."""


class AuctionView(NamedTuple):
    """What a seat sees when it must call."""

    hand: np.uint64
    thrown: np.uint64
    """Cards this seat threw in the exchange."""
    upcard: np.uint64
    is_dealer: int
    own_drawn: int
    """Cards this seat drew in the exchange."""
    opponent_drawn: int
    legal: np.uint64
    """Bids this seat may make."""
    may_double: int
    """1 a double is legal, 2 a redouble is legal, 0 neither."""
    last_bid: int
    """Index of the last bid, -1 before the first."""
    doubling: int
    """0, 1, 2: how often the last bid was doubled."""
    own_bids: np.uint64
    opponent_bids: np.uint64
    own_calls: int
    """Number of calls this seat has made."""
    own_score: int
    """Match score before this deal, in tenths."""
    opponent_score: int
    deals_left: int
    """Deals left in the match, this one included; extra deals after a tie not counted."""
    key: np.uint64


class PlayView(NamedTuple):
    """What a seat sees when it must play a card."""

    hand: np.uint64
    legal: np.uint64
    """Cards this seat may play."""
    n_legal: np.uint64
    """How many."""
    led: np.uint64
    """The card led to this trick, one bit; zero when this seat leads."""
    winners: np.uint64
    """Cards that would win the trick when led to; zero when this seat leads."""
    barring: np.uint64
    """The colon whose range holds the card led: it loses, and bars the leader (C1-C3); zero when this seat leads."""
    bar: np.uint64
    """Cards the bar (C3) forbids this leader; zero without a bar."""
    unseen: np.uint64
    """Cards that may be in the opponent's hand for all this seat has seen: not held, thrown by it, played or set aside."""
    opponent_void: np.uint64
    """Suits in which the opponent has shown a void, as a mask of cards."""
    trumps: np.uint64
    strain: int
    level: int
    """-1 where no contract was bid and every trick counts (contracts: all)."""
    doubling: int
    is_declarer: int
    own_tricks: int
    trick: int
    """Number of the trick, from 0."""
    n_tricks: int
    """Tricks of the deal."""
    own_score: int
    opponent_score: int
    key: np.uint64
