"""Bidding policy `perfect`: knows what every contract makes with these two hands, and bids what nothing can beat.

With both hands known the auction is a game without secrets: after every call it is clear what the opponent may call. So it is
solved backwards, from the highest bid down: each seat makes the call that is worth most to it, points of this deal less the
opponent's, when the opponent answers as well as he can. A contract is worth what the scoring table gives for the tricks that
perfect play for tricks makes. Of calls that are worth the same it makes the one that is worth most if the opponent passes now;
of equals a pass, else the lowest bid, else a double or redouble. It draws nothing.
"""

from __future__ import annotations

from simcore._jit import inlined, kernel
from simcore.bits import U0, I, U, call, ctz, lowest
from simcore.codes import BID_OFFSET, CALL_PASS, N_BIDS, N_DOUBLINGS, N_STRAINS, OracleWord

HAND, OTHER, PAYOFF = int(OracleWord.HAND), int(OracleWord.OTHER), int(OracleWord.PAYOFF)
BITS_A_VALUE, _VALUE = 4, U(15)


@inlined
def _better(value, now, than, than_now, seat):
    """Whether a call is better for a seat than another: its value, of equals what it is worth now. All are seat 0's view."""
    if value == than:
        return now > than_now if seat == 0 else now < than_now
    return value > than if seat == 0 else value < than


@kernel
def _best_call(oracle, doubles, seat, bidder, last, doubling, worth):
    """The best call in a state of the auction.

    seat : int64         who calls
    bidder, last, doubling : int64  the standing bid (last -1: none), its bidder, how often it was doubled
    worth : int64        value of a pass
    -> (int64, int64)    value, seat 0's view, and the call
    """
    value, now, code = worth, worth, CALL_PASS
    legal = oracle.legal[seat, last + 1]
    while legal != U0:
        bid = I(ctz(legal))
        legal ^= lowest(legal)
        if _better(oracle.values[seat, bid, 0], oracle.worth[seat, bid, 0], value, now, seat):
            value, now, code = oracle.values[seat, bid, 0], oracle.worth[seat, bid, 0], bid + BID_OFFSET
    if doubles != 0 and last >= 0 and doubling + 1 < N_DOUBLINGS:
        doubled, doubled_now = oracle.values[bidder, last, doubling + 1], oracle.worth[bidder, last, doubling + 1]
        if _better(doubled, doubled_now, value, now, seat):
            value, code = doubled, doubling + 1
    return value, code


@kernel
def value_contracts(oracle, tricks):
    """What every contract is worth, seat 0's view, into `oracle.worth`. tricks : uint64 as `Oracle.contracts` gives them"""
    for bidder in range(2):
        for bid in range(N_BIDS):
            level, strain = bid // N_STRAINS, bid % N_STRAINS
            taken = (tricks >> U(BITS_A_VALUE * (N_STRAINS * bidder + strain))) & _VALUE
            for doubling in range(N_DOUBLINGS):
                tenths = I(oracle.tenths[level, strain, doubling, taken])
                oracle.worth[bidder, bid, doubling] = tenths if bidder == 0 else -tenths


@kernel
def solve_auction(oracle, doubles, opener, first, second):
    """Work out the best call of either seat in every state of the auction, into `oracle.calls`.

    oracle : Oracle      with the legal bids; modified
    doubles : int64      whether there are doubles
    opener : int64       the seat that calls first
    first, second : uint64  hands of seats 0 and 1
    """
    oracle.words[0, HAND] = first
    oracle.words[0, OTHER] = second
    value_contracts(oracle, call(oracle.contracts, oracle.words, U0, I(PAYOFF)))
    solve_valued(oracle, doubles, opener)


@kernel
def solve_valued(oracle, doubles, opener):
    """The same where `oracle.worth` has what every contract is worth.

    oracle : Oracle; doubles : int64; opener : int64   as for `solve_auction`
    """
    for lower in range(N_BIDS):
        bid = N_BIDS - 1 - lower
        for bidder in range(2):
            for less in range(N_DOUBLINGS):
                doubling = N_DOUBLINGS - 1 - less
                seat = bidder if doubling == 1 else 1 - bidder
                worth = oracle.worth[bidder, bid, doubling]
                value, code = _best_call(oracle, doubles, seat, bidder, bid, doubling, worth)
                oracle.values[bidder, bid, doubling] = value
                oracle.calls[seat, bid + 1, doubling] = code
    value, code = _best_call(oracle, 0, 1 - opener, 0, -1, 0, 0)
    oracle.calls[1 - opener, 0, 0] = code
    value, code = _best_call(oracle, 0, opener, 0, -1, 0, value)
    oracle.calls[opener, 0, 0] = code


@inlined
def choose_call(view, seat, oracle):
    """The call that `solve_auction` found. -> int64"""
    return oracle.calls[seat, view.last_bid + 1, view.doubling]
