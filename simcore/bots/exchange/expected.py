"""Exchange policy `expected`: keeps the hand with the best expected score, by the model of tricks that `expected` bids by.

Of each suit it throws from below, so a hand is told by how many cards of each suit stay, and which colons: some dozens of
hands, some hundreds after twelve cards drawn, and all are weighed. A hand is worth what the contract that pays best is
expected to bring, in the strain that suits it best, less `against` percent of the same for the opponent; means between two
rows of the tables of expected scores are interpolated. All cards are drawn before any is thrown, and what is thrown stays known
to be out of play, so nothing is left to chance but the other hand, over which the model is an average. Whole numbers
throughout, no draws. The method with its figures: docs/bidding.md.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simcore._jit import inlined, kernel
from simcore.bits import U0, U1, I, U, popcount
from simcore.bots.bidding.expected import N_GRID, NT_OPPONENT, NT_OWN, OPPONENT, OWN, PERCENT, SUIT_OPPONENT, SUIT_OWN
from simcore.bots.bidding.hand_features import (
    COMMON,
    PRODUCTS,
    PRODUCTS_AT,
    SIDE_AT,
    SUIT,
    TRUMP_AT,
    SuitFeatures,
    common_features,
    plain_products,
    suit_features,
    trump_products,
)
from simcore.cards import COLONS, LANE, NATURALS, SUIT0
from simcore.codes import GRID_STEP, HUNDREDTHS, N_SUITS, TRICK_UNIT, KeepParam, Strain

NOTRUMP = int(Strain.NOTRUMP)
KEEP_COLONS, AGAINST = int(KeepParam.KEEP_COLONS), int(KeepParam.AGAINST)
MODEL = int(KeepParam.MODEL)
STEP = GRID_STEP * TRICK_UNIT // HUNDREDTHS
"""`TRICK_UNIT`s from one row of the tables to the next."""
_MOST = STEP * (N_GRID - 1)
_LOWEST = -(2**60)
"""Below all worths."""
_LANE1, _LANE2, _LANE3 = U(LANE), U(2 * LANE), U(3 * LANE)


class Keeping(NamedTuple):
    """Models of tricks under one scoring table, as the exchange reads them."""

    weights: np.ndarray
    """int64[model, role, `TrickSet`, feature], in `TRICK_UNIT`s."""
    worth: np.ndarray
    """int64[model, role, who declares, strain, mean on the grid]: declarer's expected points of the contract that pays best,
    undoubled or doubled, whichever is worse for him."""
    deck: np.uint64
    aside: np.uint64
    """All ones where the upcard is out of play, else zero."""
    nt_needs_every_suit: int


class HandView(NamedTuple):
    """What the features of no suit look at."""

    hand: np.uint64
    unseen: np.uint64
    upcard: np.uint64


class Part(NamedTuple):
    """What the cards kept of one suit add to the means, in `TRICK_UNIT`s."""

    cards: np.uint64
    features: SuitFeatures
    own_trump: int
    own_side: int
    own_plain: int
    """In no trump; the same then where the opponent declares."""
    his_trump: int
    his_side: int
    his_plain: int


class Base(NamedTuple):
    """What is the same whichever natural cards are kept."""

    own_suit: int
    own_plain: int
    his_suit: int
    his_plain: int


@inlined
def dot(weights, at, features, n):
    """Sum of weights from a place on, times features. -> int64"""
    total = I(0)
    for i in range(n):
        total += weights[at + i] * features[i]
    return total


@kernel
def part_of(cards, unseen, sets):
    """What cards of a suit add. cards, unseen : uint64 thirteen bits, sets : int64[`TrickSet`, feature] -> Part"""
    found = suit_features(cards, unseen)
    return Part(
        cards,
        found,
        dot(sets[SUIT_OWN], TRUMP_AT, found, SUIT),
        dot(sets[SUIT_OWN], SIDE_AT, found, SUIT),
        dot(sets[NT_OWN], SIDE_AT, found, SUIT),
        dot(sets[SUIT_OPPONENT], TRUMP_AT, found, SUIT),
        dot(sets[SUIT_OPPONENT], SIDE_AT, found, SUIT),
        dot(sets[NT_OPPONENT], SIDE_AT, found, SUIT),
    )


@inlined
def base_of(colons, unseen, upcard, sets):
    """What the colons kept and the upcard add. -> Base"""
    common = common_features(HandView(colons, unseen, upcard))
    return Base(
        dot(sets[SUIT_OWN], 0, common, COMMON),
        dot(sets[NT_OWN], 0, common, COMMON),
        dot(sets[SUIT_OPPONENT], 0, common, COMMON),
        dot(sets[NT_OPPONENT], 0, common, COMMON),
    )


@inlined
def worth_at(row_points, mean):
    """Points at a mean between two rows of a table. row_points : int64[row], mean : `TRICK_UNIT`s -> int64"""
    mean = min(max(mean, 0), _MOST)
    row = mean // STEP
    more = mean - row * STEP
    return (row_points[row] * (STEP - more) + row_points[min(row + 1, N_GRID - 1)] * more) // STEP


class Whole(NamedTuple):
    """Sums over the suits of a hand."""

    voids: int
    singletons: int
    doubletons: int
    masters: int
    without: int
    """Suits without a master."""
    longest: int


@inlined
def _whole(f0, f1, f2, f3):
    """Sums over four `SuitFeatures`. -> Whole"""
    return Whole(
        f0.void + f1.void + f2.void + f3.void,
        f0.singleton + f1.singleton + f2.singleton + f3.singleton,
        f0.doubleton + f1.doubleton + f2.doubleton + f3.doubleton,
        f0.masters + f1.masters + f2.masters + f3.masters,
        f0.no_master + f1.no_master + f2.no_master + f3.no_master,
        max(max(f0.length, f1.length), max(f2.length, f3.length)),
    )


@inlined
def best_contract(features, trump, side, plain, whole, in_suits, in_no_trump, tables, may_play_plain):
    """Points of the contract that pays best.

    features : four SuitFeatures; trump, side, plain : four int64 each, what the suits add; the base is in `side` and `plain`
    whole : Whole; in_suits, in_no_trump : int64[feature] weights; tables : int64[strain, row]; may_play_plain : bool
    -> int64
    """
    all_sides = side[0] + side[1] + side[2] + side[3] + side[4]
    best = I(_LOWEST)
    for suit in range(N_SUITS):
        products = trump_products(features[suit], whole.voids, whole.singletons, whole.doubletons, whole.masters)
        mean = all_sides - side[suit] + trump[suit] + dot(in_suits, PRODUCTS_AT, products, PRODUCTS)
        best = max(best, worth_at(tables[suit], mean))
    if may_play_plain:
        products = plain_products(whole.masters, whole.without, whole.longest)
        mean = plain[0] + plain[1] + plain[2] + plain[3] + plain[4] + dot(in_no_trump, PRODUCTS_AT, products, PRODUCTS)
        best = max(best, worth_at(tables[NOTRUMP], mean))
    return best


@kernel
def worth_of_hand(p0, p1, p2, p3, base, sets, tables, needs_every_suit, against):
    """What a hand is worth, times `PERCENT`.

    p0, p1, p2, p3 : Part; base : Base; sets : int64[`TrickSet`, feature]; tables : int64[who declares, strain, row]
    needs_every_suit, against : int64
    -> int64
    """
    features = (p0.features, p1.features, p2.features, p3.features)
    whole = _whole(p0.features, p1.features, p2.features, p3.features)
    trump = (p0.own_trump, p1.own_trump, p2.own_trump, p3.own_trump)
    side = (p0.own_side, p1.own_side, p2.own_side, p3.own_side, base.own_suit)
    plain = (p0.own_plain, p1.own_plain, p2.own_plain, p3.own_plain, base.own_plain)
    may_play_plain = (whole.voids == 0) | (needs_every_suit == 0)
    worth = PERCENT * best_contract(
        features, trump, side, plain, whole, sets[SUIT_OWN], sets[NT_OWN], tables[OWN], may_play_plain
    )
    if against == 0:
        return worth
    trump = (p0.his_trump, p1.his_trump, p2.his_trump, p3.his_trump)
    side = (p0.his_side, p1.his_side, p2.his_side, p3.his_side, base.his_suit)
    plain = (p0.his_plain, p1.his_plain, p2.his_plain, p3.his_plain, base.his_plain)
    his = best_contract(
        features, trump, side, plain, whole, sets[SUIT_OPPONENT], sets[NT_OPPONENT], tables[OPPONENT], True
    )
    return worth - against * his


@inlined
def cards_of(hand, suit):
    """The cards of a suit as thirteen bits. -> uint64"""
    return (hand >> U(LANE * suit)) & SUIT0


@kernel
def best_naturals(hand, n_keep, unseen, base, sets, tables, needs_every_suit, against):
    """The natural cards to keep: of each suit the highest.

    hand : uint64 natural cards; n_keep : int64; unseen : uint64; others as in `worth_of_hand`
    -> (uint64, int64)   cards, and what they are worth; of equals those with most clubs, then diamonds, hearts
    """
    c0, c1, c2, c3 = cards_of(hand, 0), cards_of(hand, 1), cards_of(hand, 2), cards_of(hand, 3)
    u0, u1, u2, u3 = cards_of(unseen, 0), cards_of(unseen, 1), cards_of(unseen, 2), cards_of(unseen, 3)
    n0, n1, n2, n3 = I(popcount(c0)), I(popcount(c1)), I(popcount(c2)), I(popcount(c3))
    best, best_worth = U0, I(2 * _LOWEST)
    k0 = c0
    for m0 in range(n0, -1, -1):
        left = n_keep - m0
        if 0 <= left <= n1 + n2 + n3:
            p0 = part_of(k0, u0, sets)
            k1 = c1
            for m1 in range(n1, -1, -1):
                rest = left - m1
                if 0 <= rest <= n2 + n3:
                    p1 = part_of(k1, u1, sets)
                    k2 = c2
                    for m2 in range(n2, -1, -1):
                        m3 = rest - m2
                        if 0 <= m3 <= n3:
                            k3 = c3
                            for _ in range(n3 - m3):
                                k3 &= k3 - U1
                            p2, p3 = part_of(k2, u2, sets), part_of(k3, u3, sets)
                            worth = worth_of_hand(p0, p1, p2, p3, base, sets, tables, needs_every_suit, against)
                            if worth > best_worth:
                                best_worth = worth
                                best = k0 | (k1 << _LANE1) | (k2 << _LANE2) | (k3 << _LANE3)
                        k2 &= k2 - U1
                k1 &= k1 - U1
        k0 &= k0 - U1
    return best, best_worth


@kernel
def choose_throw(view, params, seat, keeping):
    """Cards to throw: all but those of the hand that is worth most.

    view : ExchangeView
    params : int64[:, :] rows of `KeepParam`; seat : int64 the own row
    keeping : Keeping
    -> uint64            view.n_throw cards of view.hand
    """
    role, model = 1 - view.is_dealer, params[seat, MODEL]
    sets, tables = keeping.weights[model, role], keeping.worth[model, role]
    unseen = keeping.deck & ~(view.hand | (view.upcard & keeping.aside))
    naturals, colons = view.hand & NATURALS, view.hand & COLONS
    n_hand = I(popcount(view.hand)) - view.n_throw
    n_naturals = I(popcount(naturals))
    best, best_worth = U0, I(2 * _LOWEST)
    kept = colons
    while True:
        n_keep = n_hand - I(popcount(kept))
        if 0 <= n_keep <= n_naturals:
            base = base_of(kept, unseen, view.upcard, sets)
            found, worth = best_naturals(
                naturals, n_keep, unseen, base, sets, tables, keeping.nt_needs_every_suit, params[seat, AGAINST]
            )
            if worth > best_worth:
                best_worth = worth
                best = found | kept
            if params[seat, KEEP_COLONS] != 0:
                break
        if kept == U0:
            break
        kept = (kept - U1) & colons
    return view.hand ^ best
