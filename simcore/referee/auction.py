"""Referee of the auction: bids, doubles and passes of a bridge auction, or one call each."""

from __future__ import annotations

import numpy as np

from simcore import codes, notation
from simcore.bits import U
from simcore.errors import InputError
from simcore.notation import Contract, parse_bid
from simcore.phases.auction.bridge import holding, legal_bids, legal_double
from simcore.phases.auction.calls import forbidden_call
from simcore.referee.base import Referee, Violation
from simcore.transcript_events import CALL_TEXT

_CALL_CODES = {text: code for code, text in CALL_TEXT.items()}


def check_bridge_auction(referee: Referee) -> tuple[Contract | None, int]:
    """All calls, up to the pass that ends the auction.

    Parameters
    ----------
    referee : Referee

    Returns
    -------
    tuple
        The contract, None when passed out, and its declarer.
    """
    auction = referee.rules.auction
    assert auction is not None
    seat = referee.dealer if auction.opener == codes.Role.DEALER else 1 - referee.dealer
    declarer, last_bid, doubling, n_calls = codes.NO_SEAT, codes.NO_BID, 0, 0
    while True:
        text = referee.field(referee.event_of("call", seat), "call", str)
        n_calls += 1
        if text in ("Pass", "P"):
            if last_bid >= 0 or n_calls == 2:
                break
        elif text in _CALL_CODES:
            due = int(legal_double(auction, seat, last_bid, declarer, doubling))
            if due != _CALL_CODES[text]:
                raise Violation("double" if text == "X" else "redouble", f"seat {seat} may not call {text} here")
            doubling += 1
        else:
            last_bid = _check_bid(referee, seat, text, last_bid)
            declarer, doubling = seat, 0
        seat = 1 - seat
    if last_bid < 0:
        return None, codes.NO_SEAT
    level, strain = divmod(last_bid, codes.N_STRAINS)
    return Contract(level, strain, doubling), declarer


def _check_bid(referee: Referee, seat: int, text: str, last_bid: int) -> int:
    auction, hand = referee.rules.auction, U(referee.hands[seat])
    assert auction is not None
    try:
        bid = parse_bid(text)
    except InputError as error:
        raise Violation("no_such_bid", str(error)) from None
    may_bid = holding(auction, hand, auction.min_suit_length)
    may_jump = holding(auction, hand, auction.min_jump_length)
    if int(legal_bids(auction, may_bid, may_jump, np.int64(last_bid))) >> bid & 1:
        return bid
    if not int(auction.bids) >> bid & 1:
        raise Violation("no_such_bid", f"{referee.variant.name} has no bid {text}")
    if bid <= last_bid:
        raise Violation("bid_too_low", f"{text} is not above {notation.bid_text(last_bid)}")
    if bid % codes.N_STRAINS == codes.Strain.NOTRUMP:
        raise Violation("nt_needs_every_suit", f"seat {seat} bids {text} without a natural card in every suit")
    if not int(may_bid) >> bid & 1:
        raise Violation("suit_length", f"seat {seat} bids {text} with too few cards of the suit")
    raise Violation("jump_length", f"seat {seat} jumps to {text} with too few cards of the suit")


def check_calls(referee: Referee) -> list[int]:
    """One call each, from the seat after the dealer on.

    Parameters
    ----------
    referee : Referee

    Returns
    -------
    list of int
        The calls by seat.
    """
    calls = referee.rules.calls
    assert calls is not None
    n_tricks, total = referee.rules.deal.final_cards, 0
    by_seat = [0] * referee.players
    allowed = {str(call): call for call in range(calls.lowest, calls.highest + 1)}
    for position, seat in enumerate(referee.seats_from(referee.next_seat(referee.dealer))):
        text = referee.field(referee.event_of("call", seat), "call", str)
        if text not in allowed:
            raise Violation("call_range", f"seat {seat} calls {text}; allowed are {calls.lowest} .. {calls.highest}")
        call = allowed[text]
        if call == int(forbidden_call(calls, position, referee.players, n_tricks, total)):
            raise Violation("forbidden_total", f"seat {seat} may not call {call}: the calls would equal the {n_tricks} tricks")
        by_seat[seat] = call
        total += call
    return by_seat
