"""Bidding policy `perfect`: knows what every contract makes with these two hands, and bids what nothing can beat.

With both hands known the auction is a game without secrets: after every call it is clear what the opponent may call. So it is
solved backwards, from the highest bid down: each seat makes the call that is worth most to it, points of this deal less the
opponent's, when the opponent answers as well as he can. A contract is worth what the scoring table gives for the tricks that
perfect play for tricks makes. Of calls that are worth the same: a pass, else the lowest bid, else a double or redouble. Against
an opponent who bids or plays worse the result can only be better, as far as points grow with tricks. It draws nothing.
"""

from __future__ import annotations

from simcore._jit import inlined, kernel
from simcore.bits import U0, I, U, call, ctz, lowest
from simcore.codes import BID_OFFSET, CALL_PASS, N_BIDS, N_DOUBLINGS, N_STRAINS, OracleWord

HAND, OTHER, PAYOFF = int(OracleWord.HAND), int(OracleWord.OTHER), int(OracleWord.PAYOFF)
_BITS_A_VALUE, _VALUE = 4, U(15)


@inlined
def _better(value, than, seat):
    """Whether a value, seat 0's view, is better for a seat."""
    return value > than if seat == 0 else value < than


@kernel
def _best_bid(oracle, seat, last, value, code):
    """The best of a pass and all bids. value, code : int64 what the pass is worth, its code -> int64 value, int64 code"""
    legal = oracle.legal[seat, last + 1]
    while legal != U0:
        bid = I(ctz(legal))
        legal ^= lowest(legal)
        if _better(oracle.values[seat, bid, 0], value, seat):
            value, code = oracle.values[seat, bid, 0], bid + BID_OFFSET
    return value, code


@kernel
def solve_auction(oracle, doubles, opener, first, second):
    """Work out the best call of either seat in every state of the auction, into `oracle.calls`.

    oracle : Oracle      with the legal bids; modified
    doubles : int64      whether there are doubles
    opener : int64       the seat that calls first
    first, second : uint64  hands of seats 0 and 1
    """
    words = oracle.words
    words[0, HAND] = first
    words[0, OTHER] = second
    tricks = call(oracle.contracts, words, U0, I(PAYOFF))
    for lower in range(N_BIDS):
        bid = N_BIDS - 1 - lower
        level, strain = bid // N_STRAINS, bid % N_STRAINS
        for bidder in range(2):
            taken = (tricks >> U(_BITS_A_VALUE * (N_STRAINS * bidder + strain))) & _VALUE
            for less in range(N_DOUBLINGS):
                doubling = N_DOUBLINGS - 1 - less
                seat = bidder if doubling == 1 else 1 - bidder  # who calls now
                worth = I(oracle.tenths[level, strain, doubling, taken])
                value, code = _best_bid(oracle, seat, bid, worth if bidder == 0 else -worth, CALL_PASS)
                if doubles != 0 and doubling + 1 < N_DOUBLINGS:
                    doubled = oracle.values[bidder, bid, doubling + 1]
                    if _better(doubled, value, seat):
                        value, code = doubled, doubling + 1
                oracle.values[bidder, bid, doubling] = value
                oracle.calls[seat, bid + 1, doubling] = code
    value, code = _best_bid(oracle, 1 - opener, -1, 0, CALL_PASS)
    oracle.calls[1 - opener, 0, 0] = code
    value, code = _best_bid(oracle, opener, -1, value, CALL_PASS)
    oracle.calls[opener, 0, 0] = code


@inlined
def choose_call(view, seat, oracle):
    """The call that `solve_auction` found. -> int64"""
    return oracle.calls[seat, view.last_bid + 1, view.doubling]
