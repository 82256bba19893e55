"""Play policy `random`: a legal card at random; six tricks share one random word (docs/random-streams.md, section 5)."""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bits import U0, U, mulhi, nth_bit
from simcore.rng import word

TRICKS_A_WORD = U(6)


@inlined
def choose_card(view, note):
    """A legal card, each equally likely.

    view : PlayView
    note : uint64        what is left of the random word
    -> (uint64, uint64)  the card, and what is left then
    """
    trick = U(view.trick)
    if trick % TRICKS_A_WORD == U0:
        note = word(view.key, trick // TRICKS_A_WORD, U0)
    return nth_bit(view.legal, mulhi(note, view.n_legal)), note * view.n_legal
