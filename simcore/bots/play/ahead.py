"""Random words and draws of random bots made ahead: before it is known who leads to the next trick, so that no card waits.

Where not all bots of a run are random, nothing is drawn ahead, and what stands for it drops out of the kernels.
"""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bits import U0, U1, U, select
from simcore.bots.play.random import NEW_WORD, draw_from, new_word, word_is_due
from simcore.rng import play_key


@inlined
def first_notes(only_random, key):
    """What both seats note before their first cards, by seat. Worked out before an auction, it does not wait for its contract.

    only_random : int64 or None, key : uint64 of the deal -> (uint64, uint64)
    """
    if only_random is not None:
        return new_word(play_key(key, 0), 0), new_word(play_key(key, 1), 0)
    return U0, U0


@inlined
def first_draw(only_random, note, n_legal):
    """The draw of a seat for its first card. note : uint64 as of `first_notes`, n_legal : uint64 -> as of `draw_from`"""
    if only_random is not None:
        return draw_from(note, n_legal)
    return U0, U0


@inlined
def words_of_tricks(n_tricks):
    """Tricks that need a new random word where every trick takes a card of a hand: not the last, a forced card. -> uint64"""
    return NEW_WORD & ((U1 << U(n_tricks - 1)) - U1)


@inlined
def draw_ahead(only_random, key, trick, note, n_legal, words=NEW_WORD):
    """What a seat notes before its card of a trick, a new word where one is due, and its draw from so many legal cards.

    only_random : int64 or None, key : uint64 of the seat's decisions, trick : int64, note, n_legal : uint64
    words : uint64       tricks that begin with a new word
    -> (uint64, (uint64, uint64))   the draw as of `draw_from`
    """
    if only_random is not None:
        if (words >> U(trick)) & U1 != U0:
            note = new_word(key, trick)
        return note, draw_from(note, n_legal)
    return note, (U0, U0)


@inlined
def notes_ahead(only_random, key, trick, players, notes):
    """New words for all seats, where they are due. key : uint64 of the deal, players : int64, notes : uint64[:] modified"""
    if only_random is not None:
        if word_is_due(trick):
            for seat in range(players):
                notes[seat] = new_word(play_key(key, seat), trick)


@inlined
def draw_again(ahead, differs, note, n_legal):
    """The draw made ahead, or where the number of legal cards differs from what was known then, a new one. -> as `draw_from`"""
    if differs:
        return draw_from(note, n_legal)
    return ahead


@inlined
def change_draws(moves, a, b):
    """(b, a) where moves holds, (a, b) where not. a, b : as `draw_from` gives them"""
    return (
        (select(moves, b[0], a[0]), select(moves, b[1], a[1])),
        (select(moves, a[0], b[0]), select(moves, a[1], b[1])),
    )
