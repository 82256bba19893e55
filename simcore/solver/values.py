"""Whole deals: tricks in every strain with either leader; points of a contract."""

from __future__ import annotations

from simcore._jit import inlined, kernel
from simcore.bits import U0, I, popcount
from simcore.cards import high_card_points
from simcore.codes import N_STRAINS, N_SUITS
from simcore.solver.colons import tricks
from simcore.solver.free import free_tricks
from simcore.solver.layout import SUIT, colon_set, trumps_first, with_borders
from simcore.solver.mode import EVERY_RUN
from simcore.solver.points import best_points

_TRICK, _POINT, _POINT_NT, _TRUMP = 1000, 175, 224, 520
"""A first guess in thousandths of a trick: what a high-card point and a trump more are worth."""


@inlined
def first_guess(points, trumps_more, n, is_trump):
    """A guess of the leader's tricks. -> int64"""
    if is_trump:
        return (n * 546 + points * _POINT + trumps_more * _TRUMP) // _TRICK
    return (n * 569 + points * _POINT_NT) // _TRICK


@kernel
def free_deals(tables, scratch, hands, first, end, mode, out):
    """Tricks of the first seat in every strain, with either leader, no colons.

    tables, scratch : uint64  addresses
    hands : uint64[:, 2] in the kernels' layout, as many cards each
    first, end : int64   rows to solve
    mode : uint64
    out : int8[:, 5, 2]  output: tricks of seat 0 by strain and leader
    """
    for row in range(first, end):
        n = I(popcount(hands[row, 0]))
        points = high_card_points(hands[row, 0]) - high_card_points(hands[row, 1])
        for strain in range(N_STRAINS):
            is_trump = strain < N_SUITS
            trumps = SUIT if is_trump else U0
            one = trumps_first(with_borders(hands[row, 0]), strain)
            two = trumps_first(with_borders(hands[row, 1]), strain)
            more = I(popcount(one & SUIT)) - I(popcount(two & SUIT))
            guess = first_guess(points, more, n, is_trump)
            value = free_tricks(tables, scratch, trumps, n, one, two, guess, mode)
            out[row, strain, 0] = value
            out[row, strain, 1] = n - free_tricks(tables, scratch, trumps, n, two, one, n - value, mode)


@kernel
def colon_deals(tables, scratch, hands, first, end, mode, out):
    """The same with colons, under any options; arguments as of `free_deals`."""
    for row in range(first, end):
        n = I(popcount(hands[row, 0]))
        own, other = colon_set(hands[row, 0]), colon_set(hands[row, 1])
        points = high_card_points(hands[row, 0]) - high_card_points(hands[row, 1])
        for strain in range(N_STRAINS):
            is_trump = strain < N_SUITS
            trumps = SUIT if is_trump else U0
            one = trumps_first(with_borders(hands[row, 0]), strain)
            two = trumps_first(with_borders(hands[row, 1]), strain)
            more = I(popcount(one & SUIT)) - I(popcount(two & SUIT))
            guess = first_guess(points, more, n, is_trump)
            value = tricks(tables, scratch, trumps, mode, n, one, two, own, other, U0, guess)
            out[row, strain, 0] = value
            out[row, strain, 1] = n - tricks(tables, scratch, trumps, mode, n, two, one, other, own, U0, n - value)


@kernel
def point_deals(tables, scratch, point_scratch, hands, first, end, mode, strains, declarers, leaders, payoffs, out):
    """Points that declarer can make sure of, in one contract a deal.

    tables, scratch, point_scratch : uint64  addresses
    hands : uint64[:, 2] in the kernels' layout, as many cards each
    first, end : int64   rows to solve
    mode : uint64
    strains, declarers, leaders : int64[:]
    payoffs : int32[:, 14]  by declarer's tricks
    out : int32[:]       output
    """
    for row in range(first, end):
        n = I(popcount(hands[row, 0]))
        strain, leader = strains[row], leaders[row]
        declares = leader == declarers[row]
        lead, follow = hands[row, leader], hands[row, 1 - leader]
        own, other = colon_set(lead), colon_set(follow)
        points = high_card_points(lead) - high_card_points(follow)
        is_trump = strain < N_SUITS
        trumps = SUIT if is_trump else U0
        one, two = trumps_first(with_borders(lead), strain), trumps_first(with_borders(follow), strain)
        more = I(popcount(one & SUIT)) - I(popcount(two & SUIT))
        guess = first_guess(points, more, n, is_trump)
        value = tricks(tables, scratch, trumps, mode, n, one, two, own, other, U0, guess)
        declared = value if declares else n - value
        position = (n, one, two, own, other, U0, declares)
        every = mode | EVERY_RUN
        guess = I(payoffs[row, declared])
        out[row] = best_points(tables, point_scratch, trumps, every, *position, payoffs[row], I(0), guess)
