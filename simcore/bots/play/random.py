"""Play policy `random`: a legal card at random; six tricks share one random word (docs/random-streams.md, section 5)."""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bits import U0, U1, U, mulhi, pdep
from simcore.rng import word

TRICKS_A_WORD = U(6)
NEW_WORD = U(sum(1 << trick for trick in range(0, 64, 6)))
"""Tricks that begin with a new word, as a mask: cheaper to look up than to divide."""


@inlined
def draw_of(key, trick, note, n_legal):
    """The draw of a card: its place among the legal ones, as a bit, and what is left of the random word.

    key : uint64         of the seat's decisions
    trick : int64
    note : uint64        what is left of the word so far
    n_legal : uint64
    -> (uint64, uint64)
    """
    number = U(trick)
    if (NEW_WORD >> number) & U1 != U0:
        note = word(key, number // TRICKS_A_WORD, U0)
    return U1 << mulhi(note, n_legal), note * n_legal


@inlined
def choose_drawn(view, drawn):
    """A legal card by a draw. drawn : as `draw_of` gives it -> as `choose_card`"""
    return pdep(drawn[0], view.legal), drawn[1]


@inlined
def choose_card(view, note):
    """A legal card, each equally likely.

    view : PlayView
    note : uint64        what is left of the random word
    -> (uint64, uint64)  the card, and what is left then
    """
    return choose_drawn(view, draw_of(view.key, view.trick, note, view.n_legal))
