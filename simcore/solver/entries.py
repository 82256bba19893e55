"""What policies that see all cards ask the solver, as kernels that are called by address: a simple run never meets them.

A question is a row of words (`OracleWord`). Nobody but the course writes the hands into it.
"""

from __future__ import annotations

import numpy as np

from simcore._jit import entry, inlined, kernel
from simcore.bits import U0, I, U, array_at, popcount
from simcore.cards import high_card_points, trump_cards
from simcore.codes import N_RANKS, N_STRAINS, N_SUITS, NO_GUESS, Aim, OracleWord
from simcore.rules import PlayRules
from simcore.solver.best_card import best_lead, best_point_lead, best_point_reply, best_reply
from simcore.solver.mode import EVERY_RUN
from simcore.solver.position import search_between_tricks
from simcore.solver.values import first_guess

TABLES, SCRATCH, POINT_SCRATCH, MODE = (int(word) for word in list(OracleWord)[:4])
HAND, OTHER, LED, BAR, STRAIN, DECLARES, TAKEN = (int(word) for word in list(OracleWord)[4:11])
AIM, GUESS, PLAY = int(OracleWord.AIM), int(OracleWord.GUESS), int(OracleWord.PLAY)
N_WORDS, N_PAYOFFS = int(OracleWord.END), N_RANKS + 1
FOR_TRICKS = U(int(Aim.TRICKS))
_BITS_A_VALUE = 4


@inlined
def play_of(words, first):
    """The rules of the play from their words, as for a deck with colons, which suits any.

    words : uint64[:] a question to the solver, first : int64 where the rules begin -> PlayRules
    """
    return PlayRules(
        trump=I(words[first]),
        must_ruff=words[first + 1],
        any_ruff=words[first + 2],
        must_underruff=words[first + 3],
        must_head=words[first + 4],
        duties=words[first + 5],
        must_follow=words[first + 6],
        held_back=words[first + 7],
        barred_colons=words[first + 8],
        lifts_without=words[first + 9],
        bar_when_void=I(words[first + 10]),
        must_beat=words[first + 11],
        colons=1,
    )


@inlined
def guess_of(strain, hand, other):
    """A guess of a hand's tricks against another, as whole hands. -> int64"""
    n = I(popcount(hand))
    trumps = trump_cards(strain)
    more = I(popcount(hand & trumps)) - I(popcount(other & trumps))
    return first_guess(high_card_points(hand) - high_card_points(other), more, n, strain < N_SUITS)


@kernel
def best_card(words, payoff):
    """A best card of the seat that asks. words : uint64[:] `OracleWord`, the guess modified; payoff : int32[:] -> uint64"""
    tables, scratch, mode, play = words[TABLES], words[SCRATCH], words[MODE], play_of(words, PLAY)
    strain, hand, other, led, bar = I(words[STRAIN]), words[HAND], words[OTHER], words[LED], words[BAR]
    guess, noted = I(words[GUESS]) - NO_GUESS, words[GUESS] != U0
    if words[AIM] == FOR_TRICKS or not noted:
        # the first guess of points is what play for tricks scores
        expected = guess if noted else guess_of(strain, hand, other)
        if led == U0:
            card, value = best_lead(tables, scratch, mode, play, strain, hand, other, bar, expected)
        else:
            card, value = best_reply(tables, scratch, mode, play, strain, other, hand, led, expected)
    if words[AIM] != FOR_TRICKS:
        taken, declares = I(words[TAKEN]), words[DECLARES] != U0
        if not noted:
            guess = I(payoff[taken + (value if declares else I(popcount(hand)) - value)])
        mode |= EVERY_RUN
        scratch = words[POINT_SCRATCH]
        if led == U0:
            contract = (declares, payoff, taken, guess)
            card, value = best_point_lead(tables, scratch, mode, play, strain, hand, other, bar, *contract)
        else:
            contract = (not declares, payoff, taken, guess)
            card, value = best_point_reply(tables, scratch, mode, play, strain, other, hand, led, *contract)
    words[GUESS] = U(value + NO_GUESS)
    return card


@kernel
def tricks_of_contracts(words):
    """Declarer's tricks in every strain from both sides, play for tricks; the first hand is that of seat 0.

    -> uint64            four bits each, at 4 * (5 * declarer + strain)
    """
    tables, scratch, mode = words[TABLES], words[SCRATCH], words[MODE]
    first, second = words[HAND], words[OTHER]
    n = I(popcount(first))
    packed = U0
    for strain in range(N_STRAINS):
        guess = guess_of(strain, second, first)
        defended = search_between_tricks(tables, scratch, mode, strain, second, first, U0, guess)
        packed |= U(n - defended) << U(_BITS_A_VALUE * strain)
        guess = n - defended
        defended = search_between_tricks(tables, scratch, mode, strain, first, second, U0, guess)
        packed |= U(n - defended) << U(_BITS_A_VALUE * (N_STRAINS + strain))
    return packed


@entry
def card_entry(words, payoff):
    """`best_card`, for a pointer to the words and one to the points."""
    return best_card(array_at(words, N_WORDS), array_at(payoff, N_PAYOFFS, np.int32))


@entry
def contracts_entry(words, payoff):
    """`tricks_of_contracts`, for a pointer to the words."""
    return tricks_of_contracts(array_at(words, N_WORDS))
