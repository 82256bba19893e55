"""Play policy `random`: a legal card at random; six tricks share one random word (docs/random-streams.md, section 5)."""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bits import U0, U, mulhi, nth_bit
from simcore.rng import word

TRICKS_A_WORD = U(6)


@inlined
def choose_card(view, notes, seat):
    """A legal card, each equally likely. view : PlayView; notes[seat, 0] : what is left of the word -> uint64, one bit"""
    trick = U(view.trick)
    if trick % TRICKS_A_WORD == U0:
        notes[seat, 0] = word(view.key, trick // TRICKS_A_WORD, U0)
    left = notes[seat, 0]
    notes[seat, 0] = left * view.n_legal
    return nth_bit(view.legal, mulhi(left, view.n_legal))
