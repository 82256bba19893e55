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


class DrawView(NamedTuple):
    """What a seat sees when it must play a card of phase 1, whose tricks draw cards (Draw Bridge)."""

    hand: np.uint64
    """Own cards that may be played in phase 1."""
    waiting: np.uint64
    """Own cards drawn and laid aside for phase 2 (option)."""
    legal: np.uint64
    n_legal: np.uint64
    led: np.uint64
    """The card led to this trick, one bit; zero when this seat leads."""
    winners: np.uint64
    """Cards that would win the trick when led to; zero when this seat leads."""
    visible: np.uint64
    """The card that the winner of this trick will draw, where it lies open (option); else zero."""
    unseen: np.uint64
    """Cards this seat has not seen: in the opponent's hand or in the stock."""
    opponent_known: np.uint64
    """Cards known to be in the opponent's hand: drawn openly and not played since (option)."""
    trick: int
    """Number of the trick of phase 1, from 0."""
    n_tricks: int
    is_dealer: int
    key: np.uint64
    """The seat's random stream for the exchange."""


class ChooseView(NamedTuple):
    """What a seat sees when it has looked at the first card of its turn and must keep or throw it (Draw and Discard)."""

    hand: np.uint64
    """Cards kept so far."""
    first: np.uint64
    """The card looked at, one bit."""
    unseen: np.uint64
    """Cards this seat has not seen: not held, not looked at, not thrown openly."""
    opponent_thrown: np.uint64
    """Cards the opponent threw openly (option); else zero."""
    turn: int
    """Number of this seat's turn, from 0."""
    n_turns: int
    """Turns of this seat, and cards of its final hand."""
    is_dealer: int
    key: np.uint64


class CallView(NamedTuple):
    """What a seat sees when it must call how many tricks it will take."""

    hand: np.uint64
    trumps: np.uint64
    strain: int
    turned: np.uint64
    """The card turned for trumps, one bit; zero where none is."""
    unseen: np.uint64
    """Cards that others may hold."""
    lowest: int
    highest: int
    overtricks: int
    """Tricks beyond a call with which it is still made; `MAX_TRICKS` where more never hurt."""
    bonus_from: int
    """The lowest bonus call; beyond all calls where there are none."""
    bonus_overtricks: int
    """Tricks beyond a bonus call with which it is still made."""
    forbidden: int
    """The call that the last caller may not make (option), -1 for none."""
    position: int
    """Calls made before this one."""
    players: int
    seat: int
    calls: np.ndarray
    """int64[seat]: calls made so far, -1 for seats to come."""
    n_tricks: int
    totals: np.ndarray
    """int64[seat]: match score before this deal, in tenths."""
    key: np.uint64


class StepView(NamedTuple):
    """What a seat sees when it may bid for tricks in steps (Pit)."""

    hand: np.uint64
    trumps: np.uint64
    strain: int
    turned: np.uint64
    unseen: np.uint64
    legal: np.uint64
    """Bids this seat may make: bit b for a bid of b tricks."""
    may_pass: int
    may_say_alone: int
    """1 where this would be the seat's first bid and the variant knows "alone"."""
    last_bid: int
    """The standing bid in tricks, 0 for none."""
    last_alone: int
    bidder: int
    """Seat of the standing bid, -1 for none."""
    own_calls: int
    """Calls of this seat in this auction, passes included."""
    position: int
    """Calls of all seats so far."""
    players: int
    seat: int
    quotas: np.ndarray
    """int64[seat]: cards each seat still has to shed."""
    totals: np.ndarray
    """int64[seat]: match score before this deal, in tenths."""
    key: np.uint64
    target: int
    """Points in tenths that win the match, 0 where getting rid of one's cards does."""
    sheds: int
    """Cards that each trick of a made contract gets rid of, as a rule: one, or those of a trick, or all of a hand."""
    passed: np.uint64
    """Seats that are out of the auction since a pass is final: bit s for seat s."""


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
    """Deals left in the match, this one included; extra deals after a tie not counted. Beyond reach in matches to a target."""
    key: np.uint64
    unseen: np.uint64
    """Cards that may be in the opponent's hand for all this seat has seen: in Draw Bridge, exactly those he holds."""


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
    opponent_lacks: np.uint64
    """Cards that the opponent has shown not to hold: the suits of his voids, and what a rule would have made him play."""


class ManyView(NamedTuple):
    """What a seat sees when it must play a card among any number of players."""

    hand: np.uint64
    legal: np.uint64
    n_legal: np.uint64
    led: np.uint64
    """The card led to this trick, one bit; zero when this seat leads."""
    best: np.uint64
    """The card that wins the trick so far, one bit; zero when this seat leads."""
    winners: np.uint64
    """Cards that would beat it; zero when this seat leads."""
    best_seat: int
    """Who played it, -1 when this seat leads."""
    to_play: int
    """Seats with cards that will play after this one in this trick."""
    unseen: np.uint64
    """Cards that others may hold for all this seat has seen: not held, not played, not turned."""
    trumps: np.uint64
    strain: int
    seat: int
    players: int
    voids: np.ndarray
    """uint64[seat]: suits in which a seat has shown a void."""
    shown: np.uint64
    """All of them together: suits in which somebody has shown a void."""
    calls: np.ndarray
    """int64[seat]: what each seat called, in games of calls."""
    overtricks: int
    """Tricks beyond this seat's call with which it is still made; `MAX_TRICKS` where more never hurt, as in shedding games."""
    taken: np.ndarray
    """int64[seat]: tricks taken so far."""
    quotas: np.ndarray
    """int64[seat]: cards each seat has to shed, in games of shedding."""
    declarer: int
    """Seat that plays the contract in games of steps, -1 in games of calls."""
    bid: int
    """Tricks declarer bid, 0 in games of calls."""
    alone: int
    trick: int
    n_tricks: int
    totals: np.ndarray
    """int64[seat]: match score before this deal, in tenths."""
    key: np.uint64
