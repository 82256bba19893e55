"""An auction in steps: by turns each player bids more tricks or passes, and the highest bidder plays the contract.

Rule (rules.md, section 5): from the dealer's left on, each bids the next number of tricks or passes (option: any higher
number); a pass is final (option: one may come back in). The auction ends with the highest bid there is, or when all others
have passed. A bid may not exceed the cards one has to get rid of; who has fewer than the lowest bid may, while no bid stands,
bid exactly those (option: cannot bid). The first bid of a player may carry "alone", which then goes with every later one.
After a round in which nobody bid the first speaker may not pass, unless he cannot bid. Players without cards are skipped.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simcore._jit import inlined, kernel
from simcore.bits import U0, U1, I, U, lowest
from simcore.bots.steps.expected import write_case
from simcore.bots.steps.switch import choose_step
from simcore.bots.view import StepView
from simcore.cards import trump_cards
from simcore.codes import BID_OFFSET, N_CARDS, NO_SEAT, STEP_ALONE, SheddingModel, ShortHand
from simcore.rng import bidding_key
from simcore.seats import next_seat

NOBODY = NO_SEAT
BID_ALL = int(ShortHand.BID_ALL)
CAPTURE = int(SheddingModel.CAPTURE)
PASS = 0
ALONE = STEP_ALONE
TRICKS_OF_BID = ALONE - 1
_CALLS_FIELD = 8
"""Bits in which the calls of one seat are counted."""
_FIELD = U((1 << _CALLS_FIELD) - 1)


class Stepped(NamedTuple):
    """Outcome of an auction in steps."""

    bid: int
    """Tricks bid, 0 where nobody bid."""
    alone: int
    declarer: int
    """Seat of the highest bid, -1 where nobody bid."""
    n_calls: int


class Imposed(NamedTuple):
    """What a seat bids at its first call, and room for what it saw then (`simcore.bots.steps.expected.write_case`)."""

    seat: int
    call: int
    """Tricks, 0 for a pass."""
    features: np.ndarray
    """float64[feature]"""
    case: np.ndarray
    """int64[i]; stays as it is where the auction ends before."""


@inlined
def legal_steps(steps, quota, last_bid):
    """Bids that a player may make: bit b for a bid of b tricks.

    steps : SteppingRules
    quota : int64        cards the player has to get rid of
    last_bid : int64     the standing bid, 0 for none
    -> uint64
    """
    within = (U1 << U(quota + 1)) - U1
    higher = steps.bids & ~((U1 << U(last_bid + 1)) - U1)
    bids = (higher & steps.jump_bids) | lowest(higher)
    if last_bid == 0 and 0 < quota < steps.lowest and steps.short_hand == BID_ALL:
        return U1 << U(quota)
    return bids & within


@inlined
def may_pass(legal, forced, position):
    """Whether a player may pass: all but a forced first speaker who can bid.

    legal : uint64       his bids
    forced : int64       1 where nobody bid in the round before
    position : int64     calls before this one
    -> int64             1 or 0
    """
    return 0 if forced != 0 and position == 0 and legal != U0 else 1


@inlined
def may_say_alone(steps, own_bids):
    """Whether a bid may carry "alone": the first of a player, where the variant knows it. own_bids : int64 before -> int64"""
    return 1 if steps.alone != 0 and own_bids == 0 else 0


@inlined
def auction_ends(steps, bid, n_passed, n_active):
    """Whether an auction is over.

    bid : int64          the standing bid, 0 for none
    n_passed : int64     players who have passed; where a pass is not final, since the last bid
    n_active : int64     players with cards
    -> bool
    """
    others = n_active - 1 if bid > 0 else n_active
    return bid == steps.highest or n_passed >= others


@inlined
def cards_shed(model, stakes, players):
    """Cards that each trick of a made contract gets rid of, as a rule. model : int64, stakes : Stakes -> int64"""
    if model == CAPTURE:
        return N_CARDS
    return players if stakes.by_card != 0 else 1


@kernel
def run_steps(rules, bots, key, dealer, strain, forced, table, record, slot, imposed=None):
    """Let the seats bid until one is declarer, or all have passed.

    rules : SheddingRules, bots : Bots, key : uint64 key of the deal, dealer : int64 seat
    strain : int64       strain of the trumps
    forced : int64       1 where the first speaker may not pass
    table : Table        hands and quotas as the auction begins, totals
    record : uint8[:, :]  output, row `slot`: the calls in order: 0, or tricks + BID_OFFSET (+ STEP_ALONE)
    imposed : Imposed or None   the first call of a seat, whatever its policy would call
    -> Stepped
    """
    players, steps = rules.deal.players, rules.steps
    turned = table.stock[0] if rules.deal.upcard else U0
    n_active = 0
    for other in range(players):
        n_active += 1 if table.hands[other] != U0 else 0
    counts = U0  # of the calls of each seat, a field a seat
    passed, has_bid, has_alone = U0, U0, U0  # a bit a seat
    bid, bidder, n_passed, position = 0, NOBODY, 0, 0
    seat = dealer
    while not auction_ends(steps, bid, n_passed, n_active):
        seat = next_seat(seat, players)
        me = U1 << U(seat)
        if table.hands[seat] == U0 or passed & me != U0:
            continue
        legal = legal_steps(steps, table.quotas[seat], bid)
        field = U(_CALLS_FIELD) * U(seat)
        last_alone = I((has_alone >> U(max(bidder, 0))) & U1) if bid > 0 else 0
        view = StepView(
            hand=table.hands[seat],
            trumps=trump_cards(strain),
            strain=strain,
            turned=turned,
            unseen=rules.deal.deck & ~(table.hands[seat] | table.gone[seat] | turned),
            legal=legal,
            may_pass=may_pass(legal, forced, position),
            may_say_alone=may_say_alone(steps, I(has_bid & me)),
            last_bid=bid,
            last_alone=last_alone,
            bidder=bidder,
            own_calls=I((counts >> field) & _FIELD),
            position=position,
            players=players,
            seat=seat,
            quotas=table.quotas,
            totals=table.totals,
            key=bidding_key(key, seat),
            target=rules.stakes.target,
            sheds=cards_shed(rules.model, rules.stakes, players),
            passed=passed,
        )
        code = I(choose_step(bots.bidding[seat], view, bots.bidding_params, U(seat), bots.only_random, bots.expected))
        if imposed is not None:
            if seat == imposed.seat and view.own_calls == 0:
                code = imposed.call
                write_case(view, steps.bids, code, imposed.features, imposed.case)
        counts += U1 << field
        if code == PASS:
            n_passed += 1
            passed |= me & steps.pass_is_final
            record[slot, position] = PASS
        else:
            bid, bidder = code & TRICKS_OF_BID, seat
            n_passed = n_passed if steps.pass_is_final != U0 else 0
            has_bid |= me
            has_alone |= me if code & ALONE != 0 else U0
            record[slot, position] = bid + BID_OFFSET + (ALONE if has_alone & me != U0 else 0)
        position += 1
    alone = I((has_alone >> U(max(bidder, 0))) & U1) if bid > 0 else 0
    return Stepped(bid, alone, bidder, position)
