"""Bots that a user compiled: their view as plain words, the call, and the check of what they return.

A view becomes a row of words in the order of its fields (`simcore.bots.view`), signed numbers as two's complement;
behind it stand the bot's own words, cleared before the first card of a deal. An illegal choice ends the run with an
error.
"""

from __future__ import annotations

from simcore._jit import kernel
from simcore.bits import U0, U1, I, U, call, popcount
from simcore.codes import BID_OFFSET, CALL_PASS, MEMORY_WORDS, PARAM_ADDRESS, VIEW_WORDS


@kernel
def _write_exchange(view, memory, seat):
    """Write the fields of a view into the seat's words."""
    memory[seat, 0] = U(view.hand)
    memory[seat, 1] = U(view.n_throw)
    memory[seat, 2] = U(view.upcard)
    memory[seat, 3] = U(view.is_dealer)
    memory[seat, 4] = U(view.colons)
    memory[seat, 5] = U(view.key)


@kernel
def _write_auction(view, memory, seat):
    """Write the fields of a view into the seat's words."""
    memory[seat, 0] = U(view.hand)
    memory[seat, 1] = U(view.thrown)
    memory[seat, 2] = U(view.upcard)
    memory[seat, 3] = U(view.is_dealer)
    memory[seat, 4] = U(view.own_drawn)
    memory[seat, 5] = U(view.opponent_drawn)
    memory[seat, 6] = U(view.legal)
    memory[seat, 7] = U(view.may_double)
    memory[seat, 8] = U(view.last_bid)
    memory[seat, 9] = U(view.doubling)
    memory[seat, 10] = U(view.own_bids)
    memory[seat, 11] = U(view.opponent_bids)
    memory[seat, 12] = U(view.own_calls)
    memory[seat, 13] = U(view.own_score)
    memory[seat, 14] = U(view.opponent_score)
    memory[seat, 15] = U(view.deals_left)
    memory[seat, 16] = U(view.key)
    memory[seat, 17] = U(view.unseen)


@kernel
def _write_play(view, memory, seat):
    """Write the fields of a view into the seat's words."""
    memory[seat, 0] = U(view.hand)
    memory[seat, 1] = U(view.legal)
    memory[seat, 2] = U(view.n_legal)
    memory[seat, 3] = U(view.led)
    memory[seat, 4] = U(view.winners)
    memory[seat, 5] = U(view.barring)
    memory[seat, 6] = U(view.bar)
    memory[seat, 7] = U(view.unseen)
    memory[seat, 8] = U(view.opponent_void)
    memory[seat, 9] = U(view.trumps)
    memory[seat, 10] = U(view.strain)
    memory[seat, 11] = U(view.level)
    memory[seat, 12] = U(view.doubling)
    memory[seat, 13] = U(view.is_declarer)
    memory[seat, 14] = U(view.own_tricks)
    memory[seat, 15] = U(view.trick)
    memory[seat, 16] = U(view.n_tricks)
    memory[seat, 17] = U(view.own_score)
    memory[seat, 18] = U(view.opponent_score)
    memory[seat, 19] = U(view.key)
    memory[seat, 20] = U(view.opponent_lacks)


@kernel
def choose_throw(view, params, memory, seat):
    """Cards that the user's function throws. -> uint64"""
    _write_exchange(view, memory, seat)
    thrown = call(params[seat, PARAM_ADDRESS], memory, U(seat), I(VIEW_WORDS))
    if thrown & ~view.hand != U0 or popcount(thrown) != U(view.n_throw):
        raise ValueError("a compiled bot chose an illegal throw")
    return thrown


@kernel
def choose_call(view, params, memory, seat):
    """The call that the user's function makes. -> int64"""
    _write_auction(view, memory, seat)
    code = I(call(params[seat, PARAM_ADDRESS], memory, U(seat), I(VIEW_WORDS)))
    is_bid = code >= BID_OFFSET and (view.legal >> U(code - BID_OFFSET)) & U1 != U0
    if not (is_bid or code == CALL_PASS or (view.may_double > 0 and code == view.may_double)):
        raise ValueError("a compiled bot made an illegal call")
    return code


@kernel
def choose_card(view, params, memory, seat):
    """The card that the user's function plays. -> uint64, one bit"""
    if view.trick == 0:
        for i in range(VIEW_WORDS, VIEW_WORDS + MEMORY_WORDS):
            memory[seat, i] = U0
    _write_play(view, memory, seat)
    card = call(params[seat, PARAM_ADDRESS], memory, U(seat), I(VIEW_WORDS))
    if card & ~view.legal != U0 or popcount(card) != U1:
        raise ValueError("a compiled bot played an illegal card")
    return card
