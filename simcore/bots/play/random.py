"""Play policy `random`: a legal card at random; six tricks share one random word (docs/random-streams.md, section 5)."""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bits import U0, U1, U, mulhi, pdep
from simcore.rng import word

TRICKS_A_WORD = U(6)
NEW_WORD = U(sum(1 << trick for trick in range(0, 64, 6)))
"""Tricks that begin with a new word, as a mask: cheaper to look up than to divide."""


@inlined
def word_is_due(trick):
    """Whether a trick begins with a new random word. trick : int64 -> bool"""
    return (NEW_WORD >> U(trick)) & U1 != U0


@inlined
def new_word(key, trick):
    """The random word of a trick and of those after it. key : uint64 of the seat's decisions, trick : int64 -> uint64"""
    return word(key, U(trick) // TRICKS_A_WORD, U0)


@inlined
def fresh_note(key, trick, note):
    """The random word to draw a card from: a new one where it is due, else what is left (note). -> uint64"""
    if word_is_due(trick):
        return new_word(key, trick)
    return note


@inlined
def draw_from(note, n_legal):
    """A draw among some cards: a place, as a bit, and what is left of the word. note, n_legal : uint64 -> (uint64, uint64)"""
    return U1 << mulhi(note, n_legal), note * n_legal


@inlined
def choose_drawn(view, drawn):
    """A legal card by a draw. drawn : as `draw_from` gives it -> as `choose_card`"""
    return pdep(drawn[0], view.legal), drawn[1]


@inlined
def choose_fresh(view, note):
    """`choose_card`, with a note that is fresh. -> as `choose_card`"""
    return choose_drawn(view, draw_from(note, view.n_legal))


@inlined
def choose_card(view, note):
    """A legal card, each equally likely.

    view : PlayView
    note : uint64        what is left of the random word
    -> (uint64, uint64)  the card, and what is left then
    """
    return choose_fresh(view, fresh_note(view.key, view.trick, note))
