"""Play policy `perfect`: sees both hands and plays a card that keeps what perfect play of both sides makes of them.

It plays for the points of the contract, or for tricks (`aim`; always for tricks where no contract was bid). Of the cards that
keep the value it plays the lowest rank, of equals the lowest suit, colons last; so it does not look for cards with which an
opponent could go wrong. The solver works behind an address (`simcore.solver.entries`). It draws nothing.
"""

from __future__ import annotations

from simcore._jit import kernel
from simcore.bits import I, U, call
from simcore.codes import N_RANKS, Aim, OracleWord, PerfectPlayParam

HAND, OTHER, LED, BAR, STRAIN, DECLARES, TAKEN = (int(word) for word in list(OracleWord)[4:11])
AIM, GUESS, PAYOFF = int(OracleWord.AIM), int(OracleWord.GUESS), int(OracleWord.PAYOFF)
AIM_PARAM, FOR_TRICKS = int(PerfectPlayParam.AIM), int(Aim.TRICKS)
_HALF, _LOW_HALF = U(32), U(0xFFFFFFFF)


@kernel
def choose_card(view, params, seat, note, oracle, other):
    """A best card, and what the policy notes: what it expects.

    view : PlayView; params : int64[:, :] rows of `PerfectPlayParam`; seat, note : uint64
    oracle : Oracle      modified
    other : uint64       the other hand, without the card on the table
    -> (uint64, uint64)
    """
    words = oracle.words
    words[seat, HAND] = view.hand
    words[seat, OTHER] = other
    words[seat, LED] = view.led
    words[seat, BAR] = view.bar
    words[seat, STRAIN] = U(view.strain)
    words[seat, DECLARES] = U(view.is_declarer)
    words[seat, TAKEN] = U(view.own_tricks if view.is_declarer else view.trick - view.own_tricks)
    words[seat, AIM] = U(FOR_TRICKS if view.level < 0 else params[seat, AIM_PARAM])
    words[seat, GUESS] = note
    if view.level >= 0:
        level, strain, doubling = U(view.level), U(view.strain), U(view.doubling)
        for pair in range((N_RANKS + 1) // 2):
            low = U(oracle.tenths[level, strain, doubling, 2 * pair]) & _LOW_HALF
            high = U(oracle.tenths[level, strain, doubling, 2 * pair + 1]) & _LOW_HALF
            words[seat, PAYOFF + pair] = low | (high << _HALF)
    card = call(oracle.card, words, U(seat), I(PAYOFF))
    return card, words[seat, GUESS]
