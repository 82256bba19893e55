"""Play policy `random`: a legal card at random; six tricks share one random word (docs/random-streams.md, section 5)."""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bits import U0, U1, U, mulhi, nth_bit
from simcore.rng import word

TRICKS_A_WORD = U(6)
NEW_WORD = U(sum(1 << trick for trick in range(0, 64, 6)))
"""Tricks that begin with a new word, as a mask: cheaper to look up than to divide."""


@inlined
def choose_card(view, note):
    """A legal card, each equally likely.

    view : PlayView
    note : uint64        what is left of the random word
    -> (uint64, uint64)  the card, and what is left then
    """
    trick = U(view.trick)
    if (NEW_WORD >> trick) & U1 != U0:
        note = word(view.key, trick // TRICKS_A_WORD, U0)
    return nth_bit(view.legal, mulhi(note, view.n_legal)), note * view.n_legal
