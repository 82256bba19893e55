"""Explains what bots find by drawing hidden cards and solving: the play policy `sampling`, and auctions with a known hand.

The layouts are drawn once more from the seat's key and solved by the public functions of `simcore.solver`, a card at a time; so
an explanation shares with the kernel what may be drawn, and not how a card is valued.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from simcore.bits import U0, U
from simcore.bots.explain import play
from simcore.bots.explain.reason import Reason, cards_text, lowest_ranked, rank
from simcore.bots.view import AuctionView, PlayView
from simcore.codes import (
    BID_OFFSET,
    CALL_DOUBLE,
    CALL_PASS,
    SAMPLE_DRAWS,
    TENTHS,
    Role,
    SampleAim,
    SamplingParam,
)
from simcore.notation import bid_text
from simcore.phases.auction import bridge
from simcore.sampling.layouts import WAYS, draw_hand, groups_of
from simcore.solving import sampling_memory

if TYPE_CHECKING:
    from simcore.batch import Setup
    from simcore.sampling.workspace import SamplingMemory

I = np.int64


def _bits(cards: int) -> list[int]:
    return [1 << bit for bit in range(64) if cards >> bit & 1]


def _kept(held: int, n_thrown: int) -> int:
    """The cards without the lowest of them."""
    for _ in range(n_thrown):
        held ^= lowest_ranked(held)
    return held


class SolvingExplainer:
    """Explainers of one setup, with solver tables of their own.

    Parameters
    ----------
    setup : Setup
    """

    def __init__(self, setup: Setup) -> None:
        self.setup = setup

    @cached_property
    def _memory(self) -> SamplingMemory:
        memory = sampling_memory(self.setup)
        assert memory is not None
        return memory

    # ---------------------------------------------------------------------------------------------------------- play

    def _layouts(self, view: PlayView, samples: int, discards: int) -> tuple[Iterator[int], int, int]:
        """Hands of the opponent that are looked at, how many, and how many there are."""
        pool = int(view.unseen & ~view.opponent_lacks)
        size = int(view.hand).bit_count() - (1 if view.led else 0)
        ways = int(WAYS[pool.bit_count(), size])
        if ways <= samples:
            return (sum(cards) for cards in combinations(_bits(pool), size)), ways, ways
        more = min(discards, pool.bit_count() - size)
        first, step = SAMPLE_DRAWS * int(view.trick), int(groups_of(I(size + more)))
        places = (U(first + step * sample) for sample in range(samples))
        return (_kept(int(draw_hand(view.key, place, U(pool), U0, I(size + more))), more) for place in places), samples, ways

    def _payoff(self, view: PlayView) -> np.ndarray:
        tenths: np.ndarray = self.setup.rules.score.tenths
        return np.ascontiguousarray(tenths[view.level, view.strain, view.doubling], np.int32)

    def _worths(self, view: PlayView, other: int, by_points: bool, aim: int) -> dict[int, tuple[int, int]]:
        """What each legal card is worth against a hand, and its tricks, by bit number."""
        from simcore.solver.deals import card_points, card_tricks

        oracle, led, hand = self._memory.oracle, int(view.led), int(view.hand)
        lead, follow = (hand, other) if not led else (other, hand)
        search, scratch, strain, bar = oracle.search, oracle.scratch, int(view.strain), self._barred(view)
        taken = int(view.own_tricks if view.is_declarer else view.trick - view.own_tricks)
        sign, legal = (1 if view.is_declarer else -1), int(view.legal)
        n_left = hand.bit_count()
        if by_points:
            leads = bool(view.is_declarer) != bool(led)
            points = card_points(search, scratch, strain, lead, follow, leads, self._payoff(view), taken, bar, led)
            return {bit: (sign * value, 0) for bit, value in points.items() if legal >> bit & 1}
        tricks = card_tricks(search, scratch, strain, lead, follow, bar, led)
        if aim == SampleAim.TRICKS:
            return {bit: (value, value) for bit, value in tricks.items()}
        payoff = self._payoff(view)
        declared = {bit: taken + (value if view.is_declarer else n_left - value) for bit, value in tricks.items()}
        return {bit: (sign * int(payoff[declared[bit]]), value) for bit, value in tricks.items()}

    def _barred(self, view: PlayView) -> int:
        """The barred suit."""
        return int(view.bar & ~self.setup.rules.play.barred_colons)

    def card(self, view: PlayView, params: Sequence[int]) -> Reason:
        """The card of `sampling`."""
        base = play.careful(view, params)
        legal = int(view.legal)
        if legal.bit_count() == 1:
            return Reason(legal, "sampling", "plays the only card it may", {"holds": cards_text(int(view.hand))})
        most = params[SamplingParam.SOLVE_FROM]
        if int(view.hand).bit_count() > most:
            rule = f"as careful with more than {most} cards: {base.rule}"
            return Reason(base.choice, "sampling", rule, base.numbers)
        aim = int(SampleAim.TRICKS) if view.level < 0 else params[SamplingParam.AIM]
        by_points = aim == SampleAim.POINTS and self._falls(view)
        layouts, n, ways = self._layouts(view, params[SamplingParam.SAMPLES], params[SamplingParam.DISCARDS])
        sums = {bit: (0, 0) for bit in range(64) if legal >> bit & 1}
        for other in layouts:
            for bit, (own, tricks) in self._worths(view, other, by_points, aim).items():
                sums[bit] = (sums[bit][0] + own, sums[bit][1] + tricks)
        best = max(sums.values())
        cards = [1 << bit for bit, found in sums.items() if found == best]
        choice = base.choice if base.choice in cards else min(cards, key=lambda card: (rank(card), card))
        unit, scale = ("tricks", 1) if aim == SampleAim.TRICKS else ("points", TENTHS)
        numbers: dict[str, Any] = {
            "layouts": n,
            "of_possible": ways,
            "solved_for": "points" if by_points else "tricks",
            unit: {cards_text(1 << bit): round(own / (n * scale), 2) for bit, (own, _) in sums.items()},
        }
        if not by_points and unit == "points":
            numbers["tricks"] = {cards_text(1 << bit): round(tricks / n, 2) for bit, (_, tricks) in sums.items()}
        how = "the only hand he may hold" if ways == 1 else "all hands he may hold" if n == ways else f"{n} hands he may hold"
        tie = "" if len(cards) == 1 else ", of equals what careful plays" if choice == base.choice else ", of equals the lowest"
        return Reason(choice, "sampling", f"most {unit} on average against {how}{tie}", numbers)

    def _falls(self, view: PlayView) -> bool:
        """Whether a further trick may cost declarer points."""
        taken = int(view.own_tricks if view.is_declarer else view.trick - view.own_tricks)
        left = self._payoff(view)[taken : taken + int(view.hand).bit_count() + 1]
        return bool((np.diff(left) < 0).any())

    # ------------------------------------------------------------------------------------------------------- auction

    def knows(self, view: AuctionView) -> bool:
        """Whether a seat knows the other hand from what it has seen."""
        return int(view.unseen).bit_count() == int(view.hand).bit_count()

    def call(self, view: AuctionView, seat: int) -> Reason:
        """The call of a seat that solves the auction."""
        rules = self.setup.rules.auction
        oracle = self._memory.known
        assert oracle is not None
        assert rules is not None
        opens = bool(view.is_dealer) == (rules.opener == Role.DEALER)
        hands = [view.hand, view.unseen] if opens else [view.unseen, view.hand]
        may: list[Any] = []
        for hand in hands:
            lengths = (rules.min_suit_length, rules.min_jump_length)
            may += [U(hand), *(U(bridge.holding(rules, U(hand), length)) for length in lengths)]
        opener = U(seat if opens else 1 - seat)
        bridge.solve_open_hands(oracle, rules, bridge.OpenHands(opener, *may))
        call = int(oracle.calls[seat, view.last_bid + 1, view.doubling])
        sign = 1 if seat == 0 else -1
        if view.last_bid < 0:
            worth = {bid_text(bid): sign * oracle.worth[seat, bid, 0] / TENTHS for bid in _bids(int(view.legal))}
            best = sorted(worth, key=lambda bid: -worth[bid])[:3]
            numbers: dict[str, Any] = {"points_made_undoubled": {bid: round(float(worth[bid]), 1) for bid in best}}
        else:
            bidder = seat if int(view.own_bids) > int(view.opponent_bids) else 1 - seat
            now = sign * oracle.worth[bidder, view.last_bid, view.doubling] / TENTHS
            numbers = {"points_if_it_passes": round(float(now), 1)}
        numbers["the_other_hand"] = cards_text(int(view.unseen))
        what = bid_text(call - BID_OFFSET) if call >= BID_OFFSET else "a double" if call == CALL_DOUBLE else "a redouble"
        what = "a pass" if call == CALL_PASS else what
        return Reason(call, "expected", f"knows the other hand: {what} is worth most after his best answers", numbers)


def _bids(legal: int) -> list[int]:
    return [bid for bid in range(legal.bit_length()) if legal >> bid & 1]
