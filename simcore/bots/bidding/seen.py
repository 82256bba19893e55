"""The plan of bidding policy `points` where most cards have been seen: in Draw Bridge and in Draw and Discard.

There the opponent holds all unseen cards, or every second one, so it counts ranks among the cards that are left (with the ace
gone the king is the highest), and the trumps that the opponent must hold. Weights: configs/bots/heuristic.yaml, fitted to the
tricks of simulated deals of both games. A bid made early gains nothing there, since tricks above the contract count as well;
what is bid without need may fail. So it bids with tricks to spare at first, and goes further only against bids.
"""

from __future__ import annotations

from simcore._jit import inlined, kernel
from simcore.bits import U0, U1, I, U, pext, popcount
from simcore.bots.bidding.plan import BIDS_OF_STRAIN, BidPlan
from simcore.cards import ACES, JACKS, KINGS, LANE, NATURALS, QUEENS, length, suit_mask
from simcore.codes import BOOK, HUNDREDTHS, N_LEVELS, N_RANKS, N_STRAINS, N_SUITS, PointsParam, Strain

ACE, KING, QUEEN = int(PointsParam.SEEN_ACE), int(PointsParam.SEEN_KING), int(PointsParam.SEEN_QUEEN)
JACK, TEN = int(PointsParam.SEEN_JACK), int(PointsParam.SEEN_TEN)
LENGTH, AGAINST = int(PointsParam.SEEN_LENGTH), int(PointsParam.SEEN_AGAINST)
VOID, SINGLETON = int(PointsParam.SEEN_VOID), int(PointsParam.SEEN_SINGLETON)
SUIT_BASE, NT_BASE, NT_FACTOR = int(PointsParam.SEEN_SUIT_BASE), int(PointsParam.SEEN_NT_BASE), int(PointsParam.SEEN_NT_FACTOR)
MARGIN = int(PointsParam.SEEN_MARGIN)
NOTRUMP = int(Strain.NOTRUMP)
TENS = U(int(ACES) >> 4)
MOST_UNSEEN = 2
"""Unseen cards for each card of the hand, at most, that count as most cards seen."""
FIELD_BITS = 12
SEEN = U(1 << 63)
"""Mark of such a plan, above its fields of tricks."""
_FIELD = U((1 << FIELD_BITS) - 1)
_MOST = HUNDREDTHS * N_RANKS
_BOOK_TRICKS = HUNDREDTHS * (BOOK - 1)  # the tricks of level -1, one below the lowest
_PER_TRICK = U(HUNDREDTHS)
_BIDS_CLUBS = U(int(BIDS_OF_STRAIN[0]))
_RANKS = U(N_RANKS)
_SHARE_BITS = U(16)


@inlined
def bids_up_to(strain, tricks):
    """Bids in a strain that this many hundredths of tricks are enough for, as a mask."""
    levels = min(U(max(tricks - _BOOK_TRICKS, 0)) // _PER_TRICK, U(N_LEVELS))
    return (_BIDS_CLUBS << U(strain)) & ((U1 << (levels * U(N_STRAINS))) - U1)


@inlined
def expected_tricks(plan, strain):
    """Hundredths of tricks the plan expects as declarer in a strain. -> int64"""
    return I((plan.tricks >> U(FIELD_BITS * strain)) & _FIELD)


@inlined
def is_seen(plan):
    """Whether a plan is one of those made here. -> bool"""
    return plan.tricks >= SEEN


@inlined
def with_strain(plan, strain, tricks, margin):
    """The plan with one strain added."""
    tricks = min(max(tricks, 0), _MOST)
    return BidPlan(
        plan.wants | bids_up_to(strain, tricks - margin),
        plan.tricks | (U(tricks) << U(FIELD_BITS * strain)),
    )


@inlined
def most_are_seen(view):
    """Whether the opponent holds every unseen card, or every second one at least. view : AuctionView -> bool"""
    return popcount(view.unseen) <= U(MOST_UNSEEN) * popcount(view.hand)


@inlined
def _moved_up(hand, unseen, suit):
    """The cards of a suit with the ranks they have among the cards left: its highest counts as the ace. -> uint64"""
    left = (hand | unseen) & suit_mask(suit)
    return pext(hand, left) << (_RANKS - popcount(left) + U(LANE * suit))


@kernel
def plan_seen(view, params, seat):
    """Evaluate the hand in every strain.

    view : AuctionView; params : int64[:, :] rows of `PointsParam`; seat : int64 -> BidPlan, marked
    """
    hand, unseen = view.hand & NATURALS, view.unseen & NATURALS
    ranks = U0
    lengths_short = 0
    for suit in range(N_SUITS):
        ranks |= _moved_up(hand, unseen, suit)
        n = length(hand, suit)
        lengths_short += params[seat, VOID] if n == U0 else 0
        lengths_short += params[seat, SINGLETON] if n == U1 else 0
    high = (
        params[seat, ACE] * I(popcount(ranks & ACES))
        + params[seat, KING] * I(popcount(ranks & KINGS))
        + params[seat, QUEEN] * I(popcount(ranks & QUEENS))
        + params[seat, JACK] * I(popcount(ranks & JACKS))
        + params[seat, TEN] * I(popcount(ranks & TENS))
    )
    # the share of the unseen cards that the opponent holds, in 65536ths: one division instead of four
    share = I((popcount(hand) << _SHARE_BITS) // max(popcount(unseen), U1))
    against = params[seat, AGAINST] * share
    plan = BidPlan(U0, SEEN)
    for suit in range(N_SUITS):
        less = (against * I(length(unseen, suit))) >> I(_SHARE_BITS)
        tricks = params[seat, SUIT_BASE] + high + lengths_short + params[seat, LENGTH] * I(length(hand, suit)) - less
        plan = with_strain(plan, suit, tricks, params[seat, MARGIN])
    no_trump = params[seat, NT_BASE] + high * params[seat, NT_FACTOR] // HUNDREDTHS
    return with_strain(plan, NOTRUMP, no_trump, params[seat, MARGIN])
