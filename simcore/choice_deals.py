"""Kernels: what each seat of Draw and Discard held after each of its turns, for the fit of what such hands are worth."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simcore._jit import kernel
from simcore.bits import U0, U1, I, U, select
from simcore.bots.choosing.expected import write_choice_features
from simcore.course import prepare_deal
from simcore.rng import below, deal_key, derive, match_key


class ChoiceHands(NamedTuple):
    """Hands in the making, a row a deal."""

    held: np.ndarray
    """uint64[turn, seat, row]: cards kept, that of this turn included."""
    unseen: np.ndarray
    """uint64[turn, seat, row]: cards that the seat had not seen when it kept that of this turn."""


@kernel
def collect_choices(rules, seed, first_match, choices, given, table, found):
    """Deal once more, and follow the choices.

    rules : Rules, seed, first_match : uint64; choices : uint64[:] of each deal, as `exchange_by_choice` leaves them
    given : Given, table : Table   scratch
    found : ChoiceHands   filled; its rows say how many deals
    """
    choose = rules.choose
    n_turns = found.held.shape[0]
    for row in range(found.held.shape[2]):
        match = first_match + U(row)
        key = match_key(seed, match)
        dealer = I(below(derive(key, U0), U0, U(rules.deal.players)))
        prepare_deal(rules.choose, rules.common, deal_key(key, U0), match, dealer, given, table)
        for role in range(2):
            seat = 1 - dealer if role == 0 else dealer
            hand, unseen = U0, rules.deal.deck
            for turn in range(n_turns):
                place = 2 * turn + role
                first, second = table.stock[2 * place], table.stock[2 * place + 1]
                keeps = (choices[row] >> U(place)) & U1 != U0
                card = select(keeps, first, second)
                hand |= card
                unseen &= ~(first | card)
                found.held[turn, seat, row] = hand
                found.unseen[turn, seat, row] = unseen
                unseen &= ~select(keeps, second & choose.second_seen, U0)


@kernel
def write_choice_rows(hands, unseen, rows):
    """Write the features of hands. hands, unseen : uint64[:], rows : float64[hand, feature] modified"""
    for i in range(hands.shape[0]):
        write_choice_features(hands[i], unseen[i], rows[i])
