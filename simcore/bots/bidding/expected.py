"""Bidding policy `expected`: makes the call with the best expected score under the scoring table in force.

From its own view alone it predicts the tricks of each strain, when it declares and when the opponent does, by a fitted model
(`simcore.trick_model`; configs/models). What the opponent has called shifts these means (beliefs, fitted in self-play). A row
of the table of expected scores, made once a run from the model's distributions of tricks and the scoring table, says what a
contract is worth at a mean. A bid is worth the worse of undoubled and doubled, since the opponent chooses; a double the
worse of doubled and redoubled; a pass what the contract on the table brings, nothing where there is none. Whole
numbers throughout, no draws. The method with its figures: docs/bidding.md.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simcore._jit import inlined, kernel
from simcore.bits import U0, U1, I, U, clz, ctz, popcount
from simcore.bots.bidding.hand_features import (
    COMMON,
    PRODUCTS,
    PRODUCTS_AT,
    SIDE_AT,
    SUIT,
    TRUMP_AT,
    common_features,
    features_of_suit,
    plain_products,
    trump_products,
)
from simcore.bots.bidding.plan import BidPlan
from simcore.codes import (
    BID_OFFSET,
    BOOK,
    CALL_PASS,
    CALL_REDOUBLE,
    GRID_STEP,
    HUNDREDTHS,
    N_RANKS,
    N_STRAINS,
    N_SUITS,
    TRICK_UNIT,
    Doubling,
    ExpectedParam,
    Heard,
    Relation,
    Strain,
    TrickSet,
)

NOTRUMP = int(Strain.NOTRUMP)
GUARD, BELIEFS, MODEL = int(ExpectedParam.GUARD), int(ExpectedParam.BELIEFS), int(ExpectedParam.MODEL)
SUIT_OWN, SUIT_OPPONENT = int(TrickSet.SUIT_OWN), int(TrickSet.SUIT_OPPONENT)
NT_OWN, NT_OPPONENT = int(TrickSet.NT_OWN), int(TrickSet.NT_OPPONENT)
HEARD_BID, HEARD_OVERCALL = int(Heard.BID), int(Heard.OVERCALL)
HEARD_PASS, HEARD_DOUBLE = int(Heard.PASS), int(Heard.DOUBLE)
SAME, OTHER_SUIT = int(Relation.SAME), int(Relation.OTHER_SUIT)
NT_AFTER_SUIT, SUIT_AFTER_NT = int(Relation.NT_AFTER_SUIT), int(Relation.SUIT_AFTER_NT)
UNDOUBLED, DOUBLED, REDOUBLED = int(Doubling.UNDOUBLED), int(Doubling.DOUBLED), int(Doubling.REDOUBLED)
OWN, OPPONENT, NO_STRAIN = 0, 1, -1
"""Who declares, as an index; and no strain, where the opponent has not bid."""
STATES = ("nothing", "bid", "double")
"""What a distribution of tricks follows on: no bid of the opponent, one, his double or redouble. After more is known it is
narrower."""
NOTHING_KNOWN, BID_KNOWN, DOUBLE_KNOWN = range(len(STATES))
PERCENT = 100
MOST = HUNDREDTHS * N_RANKS
"""Hundredths of a trick in a deal."""
N_GRID = MOST // GRID_STEP + 1
_UNIT = TRICK_UNIT // HUNDREDTHS
_FIELD_BITS = 12
_FIELD = U((1 << _FIELD_BITS) - 1)
_TOP_BIT = 63


class Expected(NamedTuple):
    """Models of tricks under one scoring table, as the kernels read them."""

    weights: np.ndarray
    """int64[model, role, `TrickSet`, feature], in `TRICK_UNIT`s."""
    shifts: np.ndarray
    """int64[model, role, `Heard`, who declares, `Relation`, 2]: what is added to a mean, constant and for each trick by which
    the opponent called more than one gives him, both in `TRICK_UNIT`s."""
    opener: int
    """Role of the seat that speaks first."""
    scores: np.ndarray
    """int64[model, state, role, who declares, strain, mean on the grid, doubling, level]: declarer's expected points."""


@inlined
def _rounded(total):
    """`TRICK_UNIT`s as hundredths of a trick within a deal. -> int64"""
    return min(max((total + _UNIT // 2) // _UNIT, 0), MOST)


@inlined
def _with_field(fields, strain, mean):
    """Five fields of twelve bits with one more filled. -> uint64"""
    return fields | (U(mean) << U(_FIELD_BITS * strain))


@inlined
def mean_of(fields, strain):
    """The mean of a strain, in hundredths of a trick. fields : uint64 -> int64"""
    return I((fields >> U(_FIELD_BITS * strain)) & _FIELD)


@inlined
def _dot(weights, at, features, n):
    """Sum of weights from a place on, times features. -> int64"""
    total = I(0)
    for i in range(n):
        total += weights[at + i] * features[i]
    return total


@kernel
def plan_auction(view, expected, params, seat):
    """Predict the tricks of every strain and declarer.

    view : AuctionView   as the auction begins
    expected : Expected
    params : int64[:, :] rows of `ExpectedParam`; seat : int64 the own row
    -> BidPlan           `wants` holds the means of declaring oneself, `tricks` those of the opponent's declaring
    """
    sets = expected.weights[params[seat, MODEL], 1 - view.is_dealer]
    common = common_features(view)
    f0 = features_of_suit(view.hand, view.unseen, 0)
    f1 = features_of_suit(view.hand, view.unseen, 1)
    f2 = features_of_suit(view.hand, view.unseen, 2)
    f3 = features_of_suit(view.hand, view.unseen, 3)
    voids = f0.void + f1.void + f2.void + f3.void
    singletons = f0.singleton + f1.singleton + f2.singleton + f3.singleton
    doubletons = f0.doubleton + f1.doubleton + f2.doubleton + f3.doubleton
    masters = f0.masters + f1.masters + f2.masters + f3.masters
    without = f0.no_master + f1.no_master + f2.no_master + f3.no_master
    longest = max(max(f0.length, f1.length), max(f2.length, f3.length))
    suits = (f0, f1, f2, f3)
    own, opponent = U0, U0
    for suit in range(N_SUITS):
        products = trump_products(suits[suit], voids, singletons, doubletons, masters)
        for which in (SUIT_OWN, SUIT_OPPONENT):
            weights = sets[which]
            total = _dot(weights, 0, common, COMMON) + _dot(weights, PRODUCTS_AT, products, PRODUCTS)
            for other in range(N_SUITS):
                total += _dot(weights, TRUMP_AT if other == suit else SIDE_AT, suits[other], SUIT)
            if which == SUIT_OWN:
                own = _with_field(own, suit, _rounded(total))
            else:
                opponent = _with_field(opponent, suit, _rounded(total))
    products = plain_products(masters, without, longest)
    for which in (NT_OWN, NT_OPPONENT):
        weights = sets[which]
        total = _dot(weights, 0, common, COMMON) + _dot(weights, PRODUCTS_AT, products, PRODUCTS)
        for other in range(N_SUITS):
            total += _dot(weights, SIDE_AT, suits[other], SUIT)
        if which == NT_OWN:
            own = _with_field(own, NOTRUMP, _rounded(total))
        else:
            opponent = _with_field(opponent, NOTRUMP, _rounded(total))
    return BidPlan(own, opponent)


@inlined
def relation_of(strain, bid_strain):
    """How a strain stands to that of a bid, or to none (-1): then suits are other suits. -> int64, a `Relation`"""
    if strain == bid_strain:
        return SAME
    if strain == NOTRUMP:
        return NT_AFTER_SUIT
    return SUIT_AFTER_NT if bid_strain == NOTRUMP else OTHER_SUIT


@inlined
def _shifted(mean, shift, beyond):
    """A mean after a shift. shift : int64[2], beyond : hundredths of a trick -> int64, hundredths"""
    return min(max(mean + (shift[0] * HUNDREDTHS + shift[1] * beyond) // TRICK_UNIT, 0), MOST)


@inlined
def _needed(bid):
    """Hundredths of a trick that a bid promises. -> int64"""
    return HUNDREDTHS * (BOOK + bid // N_STRAINS)


@inlined
def _all_shifted(plan, shifts, heard, bid_strain, beyond):
    """All means after a shift for what was heard. shifts : int64[:, :, :, :], bid_strain : -1 for none -> BidPlan"""
    own, opponent = U0, U0
    for strain in range(N_STRAINS):
        relation = relation_of(strain, bid_strain)
        mean = _shifted(mean_of(plan.wants, strain), shifts[heard, OWN, relation], beyond)
        own = _with_field(own, strain, mean)
        mean = _shifted(mean_of(plan.tricks, strain), shifts[heard, OPPONENT, relation], beyond)
        opponent = _with_field(opponent, strain, mean)
    return BidPlan(own, opponent)


@kernel
def believe(view, plan, expected, params, seat):
    """The means after what the opponent has called.

    view : AuctionView; plan : BidPlan of `plan_auction`; expected : Expected
    params : int64[:, :] rows of `ExpectedParam`; seat : int64 the own row
    -> BidPlan
    """
    if params[seat, BELIEFS] == 0:
        return plan
    role = 1 - view.is_dealer
    shifts = expected.shifts[params[seat, MODEL], role]
    if view.opponent_bids != U0:
        heard = HEARD_OVERCALL if view.own_bids != U0 else HEARD_BID
        bid = _TOP_BIT - I(clz(view.opponent_bids))
        strain = bid % N_STRAINS
        plan = _all_shifted(plan, shifts, heard, strain, _needed(bid) - mean_of(plan.tricks, strain))
    elif role != expected.opener:
        plan = _all_shifted(plan, shifts, HEARD_PASS, NO_STRAIN, 0)
    if view.doubling > 0:  # the last word is the opponent's: he doubled one's bid, or redoubled one's double
        strain = view.last_bid % N_STRAINS
        declarer_means = plan.wants if view.own_bids > view.opponent_bids else plan.tricks
        plan = _all_shifted(plan, shifts, HEARD_DOUBLE, strain, _needed(view.last_bid) - mean_of(declarer_means, strain))
    return plan


@inlined
def row_of(mean):
    """The row of the grid next to a mean. mean : hundredths of a trick -> int64"""
    return (mean + GRID_STEP // 2) // GRID_STEP


@inlined
def worth_of_contract(scores, means, bid, doubling):
    """Declarer's expected points of a contract. scores : int64[strain, row, doubling, level], means : uint64 -> int64"""
    strain = bid % N_STRAINS
    return scores[strain, row_of(mean_of(means, strain)), doubling, bid // N_STRAINS]


@inlined
def guarded(plain, answered, guard):
    """Worth of a call that the opponent may answer: so many percent of the worse, times `PERCENT`. -> int64"""
    return (PERCENT - guard) * plain + guard * min(plain, answered)


@inlined
def worth_of_pass(view, standing, plan):
    """Points of passing: those of the contract on the table, as it stands.

    view : AuctionView; standing : int64[who declares, strain, row, doubling, level]; plan : BidPlan
    -> int64             one's own view
    """
    if view.last_bid < 0:
        return I(0)
    if view.own_bids > view.opponent_bids:
        return worth_of_contract(standing[OWN], plan.wants, view.last_bid, view.doubling)
    return -worth_of_contract(standing[OPPONENT], plan.tricks, view.last_bid, view.doubling)


@inlined
def worth_of_double(view, standing, plan, guard):
    """Points of the double or redouble that is legal, times `PERCENT`.

    view : AuctionView; standing : int64[who declares, strain, row, doubling, level]; plan : BidPlan; guard : int64
    -> int64             one's own view
    """
    if view.may_double == CALL_REDOUBLE:
        return PERCENT * worth_of_contract(standing[OWN], plan.wants, view.last_bid, REDOUBLED)
    return guarded(
        -worth_of_contract(standing[OPPONENT], plan.tricks, view.last_bid, DOUBLED),
        -worth_of_contract(standing[OPPONENT], plan.tricks, view.last_bid, REDOUBLED),
        guard,
    )


@inlined
def worth_of_bid(own, plan, bid, guard):
    """Points of a bid, times `PERCENT`. -> int64, one's own view"""
    plain = worth_of_contract(own, plan.wants, bid, UNDOUBLED)
    return guarded(plain, worth_of_contract(own, plan.wants, bid, DOUBLED), guard)


@inlined
def bids_to_weigh(view):
    """Legal bids; none for a seat that has run from a double already and was doubled again. view : AuctionView -> uint64

    Who bids twice with no bid of the opponent's between has run. To run again and again from strain to strain, as if each
    double were the first, ends at level 7.
    """
    if view.own_bids > view.opponent_bids:
        top = U0 if view.opponent_bids == U0 else U(_TOP_BIT + 1) - clz(view.opponent_bids)
        if popcount(view.own_bids >> top) > U1:
            return U0
    return view.legal


@kernel
def choose_call(view, plan, expected, params, seat):
    """The call with the best expected score; of equals the first of pass, double, and the bids upward.

    view : AuctionView; plan : BidPlan of `plan_auction`; expected : Expected
    params : int64[:, :] rows of `ExpectedParam`; seat : int64 the own row
    -> int64             CALL_PASS, CALL_DOUBLE, CALL_REDOUBLE, or a bid's index + BID_OFFSET
    """
    role, scores = 1 - view.is_dealer, expected.scores[params[seat, MODEL]]
    known = BID_KNOWN if view.opponent_bids != U0 else NOTHING_KNOWN
    standing = scores[DOUBLE_KNOWN if view.doubling > 0 else known, role]
    own = scores[known, role, OWN]
    guard = params[seat, GUARD]
    now = believe(view, plan, expected, params, seat)
    call = CALL_PASS
    best = PERCENT * worth_of_pass(view, standing, now)
    if view.may_double > 0:
        worth = worth_of_double(view, standing, now, guard)
        if worth > best:
            best = worth
            call = view.may_double
    bids = bids_to_weigh(view)
    while bids != U0:
        bid = I(ctz(bids))
        bids &= bids - U1
        worth = worth_of_bid(own, now, bid, guard)
        if worth > best:
            best = worth
            call = bid + BID_OFFSET
    return call
