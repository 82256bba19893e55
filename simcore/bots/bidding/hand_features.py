"""What a model of tricks looks at in a hand: features of each suit, features of the whole, products.

Own cards and those that the opponent may hold (`unseen`), nothing else; whole numbers all. A model has a weight for each
common feature, for each feature of the trump suit, for the sum of each feature over the other suits, and for each product,
in this order.
"""

from __future__ import annotations

from typing import NamedTuple

from simcore._jit import inlined, kernel
from simcore.bits import U0, U1, I, U, clz, popcount
from simcore.cards import COLONS, GRAND, LANE, LITTLE, ROYAL, SUIT0, UPCARD_CLASS, rank_index
from simcore.codes import N_RANKS, N_SUITS


class CommonFeatures(NamedTuple):
    """Features of a hand that belong to no suit."""

    one: int
    face_turned: int
    """Whether the upcard is a face or the Royal."""
    ace_turned: int
    """Whether it is an ace or the Grand."""
    grand: int
    royal: int
    little: int
    colons_unseen: int


class SuitFeatures(NamedTuple):
    """Features of one suit."""

    length: int
    void: int
    singleton: int
    doubleton: int
    over_four: int
    """Cards beyond four."""
    over_six: int
    ace: int
    king: int
    queen: int
    jack: int
    ten: int
    masters: int
    """Cards with no unseen card above them."""
    above_1: int
    """Cards with one unseen card above them; and so on."""
    above_2: int
    above_3: int
    above_4: int
    unseen: int
    """Cards of the suit that the opponent may hold."""
    unseen_0: int
    """Whether there is none of them; one; two."""
    unseen_1: int
    unseen_2: int
    masters_length: int
    """Masters times length."""
    no_master: int
    below_0: int
    """Unseen cards with no own card above them; with one."""
    below_1: int


class Products(NamedTuple):
    """Products of features: of the trump suit and the suits aside; in no trump, of all suits."""

    length_voids: int
    """Trump length times voids aside; in no trump, masters times suits without a master."""
    length_singletons: int
    """Trump length times singletons aside; in no trump, masters times the longest suit."""
    length_doubletons: int
    length_masters: int
    """Trump length times masters aside."""
    length_unseen: int
    """Trump length times unseen trumps."""
    masters_masters: int
    """Masters in trumps times masters aside."""


COMMON, SUIT, PRODUCTS = (len(kind._fields) for kind in (CommonFeatures, SuitFeatures, Products))
TRUMP_AT = COMMON
SIDE_AT = TRUMP_AT + SUIT
PRODUCTS_AT = SIDE_AT + SUIT
N_FEATURES = PRODUCTS_AT + PRODUCTS
FEATURES = (
    *CommonFeatures._fields,
    *(f"trump_{name}" for name in SuitFeatures._fields),
    *(f"side_{name}" for name in SuitFeatures._fields),
    *Products._fields,
)
"""Names of all features, in the order of the weights."""
FACE_CLASS, ACE_CLASS = 1, 2
_TOP_BIT = U(63)
_LONG, _VERY_LONG = 4, 6
_RANK_ACE = N_RANKS - 1


@inlined
def _highest(cards):
    """The highest card of a suit, one bit; 0 for none. -> uint64"""
    return U0 if cards == U0 else U1 << (_TOP_BIT - clz(cards))


@inlined
def _above(card):
    """All bits above a card of one bit; all bits for none. -> uint64"""
    return ~((card << U1) - U1) if card != U0 else ~U0


@inlined
def _held(own, below_ace):
    """1 where the card so far below the ace is held. -> int64"""
    return I((own >> U(_RANK_ACE - below_ace)) & U1)


@inlined
def suit_features(own, unseen):
    """Features of a suit.

    own, unseen : uint64   thirteen bits each, twos lowest
    -> SuitFeatures
    """
    n, left = I(popcount(own)), I(popcount(unseen))
    first = _highest(unseen)
    rest = unseen ^ first
    second = _highest(rest)
    rest ^= second
    third = _highest(rest)
    rest ^= third
    fourth = _highest(rest)
    rest ^= fourth
    fifth = _highest(rest)
    n0 = I(popcount(own & _above(first)))
    n1 = I(popcount(own & _above(second)))
    n2 = I(popcount(own & _above(third)))
    n3 = I(popcount(own & _above(fourth)))
    n4 = I(popcount(own & _above(fifth)))
    best = _highest(own)
    next_best = _highest(own ^ best)
    b0 = I(popcount(unseen & _above(best)))
    b1 = I(popcount(unseen & _above(next_best)))
    return SuitFeatures(
        n,
        I(n == 0),
        I(n == 1),
        I(n == 2),
        max(n - _LONG, 0),
        max(n - _VERY_LONG, 0),
        _held(own, 0),
        _held(own, 1),
        _held(own, 2),
        _held(own, 3),
        _held(own, 4),
        n0,
        n1 - n0,
        n2 - n1,
        n3 - n2,
        n4 - n3,
        left,
        I(left == 0),
        I(left == 1),
        I(left == 2),
        n0 * n,
        I(n0 == 0),
        b0,
        b1 - b0,
    )


@inlined
def features_of_suit(hand, unseen, suit):
    """`suit_features` of one suit of whole hands. suit : int64 -> SuitFeatures"""
    lane = U(LANE * suit)
    return suit_features((hand >> lane) & SUIT0, (unseen >> lane) & SUIT0)


@inlined
def common_features(view):
    """Features of no suit. view : AuctionView -> CommonFeatures"""
    of_upcard = 0 if view.upcard == U0 else UPCARD_CLASS[rank_index(view.upcard)]
    return CommonFeatures(
        I(1),
        I(of_upcard == FACE_CLASS),
        I(of_upcard == ACE_CLASS),
        I(view.hand & GRAND != U0),
        I(view.hand & ROYAL != U0),
        I(view.hand & LITTLE != U0),
        I(popcount(view.unseen & COLONS)),
    )


@inlined
def trump_products(trumps, voids, singletons, doubletons, masters):
    """Products with a trump suit.

    trumps : SuitFeatures   features of the trump suit
    voids, singletons, doubletons, masters : int64   sums of these features over all four suits
    -> Products
    """
    n = trumps.length
    masters_aside = masters - trumps.masters
    return Products(
        n * (voids - trumps.void),
        n * (singletons - trumps.singleton),
        n * (doubletons - trumps.doubleton),
        n * masters_aside,
        n * trumps.unseen,
        trumps.masters * masters_aside,
    )


@inlined
def plain_products(masters, without_master, longest):
    """Products where there are no trumps; sums over all suits, and the length of the longest. -> Products"""
    return Products(masters * without_master, masters * longest, I(0), I(0), I(0), I(0))


@kernel
def write_features(view, strain, row):
    """Write all features of a hand for one strain, in the order of a model's weights.

    view : AuctionView   as the auction begins; strain : int64
    row : float64[feature]   modified
    """
    for i in range(N_FEATURES):
        row[i] = 0.0
    common = common_features(view)
    for i in range(COMMON):
        row[i] = common[i]
    voids, singletons, doubletons, masters, without, longest = 0, 0, 0, 0, 0, 0
    for suit in range(N_SUITS):
        found = features_of_suit(view.hand, view.unseen, suit)
        voids += found.void
        singletons += found.singleton
        doubletons += found.doubleton
        masters += found.masters
        without += found.no_master
        longest = max(longest, found.length)
        at = TRUMP_AT if suit == strain else SIDE_AT
        for i in range(SUIT):
            row[at + i] += found[i]
    if strain < N_SUITS:
        products = trump_products(
            features_of_suit(view.hand, view.unseen, strain), voids, singletons, doubletons, masters
        )
    else:
        products = plain_products(masters, without, longest)
    for i in range(PRODUCTS):
        row[PRODUCTS_AT + i] = products[i]
