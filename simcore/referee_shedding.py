"""Referee of shedding games (Pit): a round, event by event, and whether a round goes on from the one before.

Legal bids, duties, penalties, quotas, points and winners come from the functions that the kernels play by.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from simcore import codes
from simcore.bits import U
from simcore.cards import to_border, trump_cards
from simcore.errors import InputError
from simcore.notation import hand_text, parse_step, points_number, step_text
from simcore.phases.auction import steps as auction
from simcore.phases.auction.steps import Stepped
from simcore.phases.play.two_hand_rules import trump_strain
from simcore.phases.shedding import declarer_tenths, is_made, other_tenths
from simcore.referee.base import Referee, Violation, bit_of, is_same, texts
from simcore.referee.play import check_trick
from simcore.referee.results import no_result
from simcore.rules_shedding import SheddingRules
from simcore.transcript_events import text_of
from simcore.transcript_shedding import RoundPlayed, Settled, settle, winners_of

I = np.int64
PASSES = ("Pass", "P")
_QUOTA, _PERSISTENT = codes.SheddingModel.QUOTA, codes.SheddingModel.PERSISTENT


@dataclass(frozen=True, slots=True)
class RoundFound:
    """What a legal round leaves, for the next one of its match.

    Attributes
    ----------
    quotas : list of int
        By seat, after the round.
    hands, pit : list
        Hands and the rest of the Pit after it, as a deal event writes them; None where the next round is dealt afresh.
    shed_by : int or None
        Seat that has won the match by getting rid of its cards.
    first_could_bid : bool
        Whether the first speaker had a legal bid.
    """

    quotas: list[int]
    hands: list[str] | None
    pit: list[str] | None
    shed_by: int | None
    first_could_bid: bool


def check_round(referee: Referee) -> RoundFound:
    """Check a round; raises `Violation` at the first rule broken."""
    rules: SheddingRules = referee.rules  # type: ignore[assignment]
    later = referee.transcript["deal"] > 0
    rest = referee.check_deal(any_size=later, whole_pack=not later or rules.model != _PERSISTENT)
    dealt = list(referee.hands)
    quotas = [hand.bit_count() for hand in dealt]
    if sum(quotas) > codes.MAX_QUOTAS and rules.model == _QUOTA:
        raise Violation("quota_sum", f"the hands have {sum(quotas)} cards together, more than {codes.MAX_QUOTAS}")
    stepped, could_bid = check_steps(referee, quotas)
    played = RoundPlayed(dealt, dealt)
    settled = Settled(quotas, False, [], dealt)
    pit = rest[rules.deal.upcard :]
    if stepped.bid > 0:
        _check_play(referee, stepped, played)
        settled = settle(rules, stepped, played, quotas, [bit_of(card) for card in pit] if rules.model != _QUOTA else [])
    _check_settlement(referee, stepped, settled)
    referee.check_result(_result(referee, stepped))
    one_deal = rules.model != _QUOTA
    return RoundFound(
        quotas=settled.quotas,
        hands=[hand_text(int(to_border(U(hand)))) for hand in settled.hands] if one_deal else None,
        pit=pit[len(settled.draws) :] if one_deal else None,
        shed_by=stepped.declarer if settled.is_out else None,
        first_could_bid=could_bid,
    )


# --- auction ----------------------------------------------------------------------------------------------------------


def check_steps(referee: Referee, quotas: list[int]) -> tuple[Stepped, bool]:
    """All calls, up to the one that ends the auction.

    Returns
    -------
    tuple
        The contract, of bid 0 where nobody bid, and whether the first speaker could have bid.
    """
    rules: SheddingRules = referee.rules  # type: ignore[assignment]
    active = [seat for seat in referee.seats_from(referee.next_seat(referee.dealer)) if referee.hands[seat]]
    n_active = len(active)
    said: dict[int, bool] = {}  # who has bid, and whether alone
    bid, bidder, n_passed, n_calls, place = 0, codes.NO_SEAT, 0, 0, 0
    could_bid = int(auction.legal_steps(rules.steps, I(quotas[active[0]]), I(0))) != 0
    while not auction.auction_ends(rules.steps, I(bid), I(n_passed), I(n_active)):
        seat = active[place]
        text = referee.field(referee.event_of("call", seat), "call", str)
        n_calls += 1
        place += 1
        if text in PASSES:
            n_passed += 1
            if rules.steps.pass_is_final:
                place -= 1
                del active[place]
        else:
            bid, bidder = _check_bid(referee, seat, text, quotas[seat], bid, said), seat
            n_passed = n_passed if rules.steps.pass_is_final else 0
        place %= max(len(active), 1)
    return Stepped(bid, int(said.get(bidder, False)), bidder, n_calls), could_bid


def _check_bid(referee: Referee, seat: int, text: str, quota: int, last_bid: int, said: dict[int, bool]) -> int:
    """One bid; `said` is updated."""
    rules: SheddingRules = referee.rules  # type: ignore[assignment]
    try:
        bid, alone = parse_step(text)
    except InputError as error:
        raise Violation("no_such_bid", str(error)) from None
    legal = int(auction.legal_steps(rules.steps, I(quota), I(last_bid)))
    if bid > codes.N_CARDS or not legal >> bid & 1:
        raise Violation(_broken_by_bid(rules, quota, last_bid, bid), f"seat {seat} may not bid {bid} with {quota} cards here")
    if seat in said and said[seat] != alone:
        raise Violation("alone_sticks", f"seat {seat} bids {text}, but {'alone' if said[seat] else 'not alone'} before")
    if alone and not auction.may_say_alone(rules.steps, I(seat in said)) and seat not in said:
        raise Violation("no_alone", f"seat {seat} bids {text}, but {referee.variant.name} knows no bid alone")
    said[seat] = alone
    return bid


def _broken_by_bid(rules: SheddingRules, quota: int, last_bid: int, bid: int) -> str:
    """Which rule a bid breaks."""
    if bid <= last_bid:
        return "bid_too_low"
    if bid > quota:
        return "bid_beyond_quota"
    if quota < rules.steps.lowest:
        return "short_hand"
    return "jump_bid" if bid <= codes.N_CARDS and int(rules.steps.bids) >> bid & 1 else "no_such_bid"


# --- play and settlement ----------------------------------------------------------------------------------------------


def _check_play(referee: Referee, stepped: Stepped, played: RoundPlayed) -> None:
    """The tricks, until declarer's hand is empty."""
    trumps = int(trump_cards(trump_strain(referee.rules.play, I(0), U(referee.turned))))
    leader = stepped.declarer
    for _ in range(played.dealt[leader].bit_count()):
        before = list(referee.hands)
        leader = check_trick(referee, leader, trumps)
        cards = sum(one ^ other for one, other in zip(before, referee.hands, strict=True))
        played.add_trick(leader, cards)
    played.held = list(referee.hands)


def _points(referee: Referee, stepped: Stepped) -> list[int | float]:
    rules: SheddingRules = referee.rules  # type: ignore[assignment]
    tenths = [int(other_tenths(rules.stakes, I(taken))) for taken in referee.tricks]
    if stepped.bid > 0:
        declarer = stepped.declarer
        tenths[declarer] = int(declarer_tenths(rules.stakes, stepped.bid, stepped.alone, I(referee.tricks[declarer])))
    return [points_number(points) for points in tenths]


def _check_settlement(referee: Referee, stepped: Stepped, settled: Settled) -> None:
    """Cards drawn as a penalty, the quotas and the points."""
    for seat, due in settled.draws:
        card = referee.card_of("draw", seat)
        if card != due:
            raise Violation("draw_card", f"seat {seat} draws {texts(card)}, due was {text_of(due)}, the top card of the Pit")
    event = referee.next_event("settle")
    if not is_same(event.get("quota"), settled.quotas):
        raise Violation("quota", f"quota is {event.get('quota')!r}, by the rules {settled.quotas!r}")
    points = _points(referee, stepped)
    if not is_same(event.get("points"), points):
        raise Violation("settled_points", f"points are {event.get('points')!r}, by the rules {points!r}")


def _result(referee: Referee, stepped: Stepped) -> dict[str, Any]:
    if stepped.bid == 0:
        return no_result(referee.players)
    return {
        "contract": step_text(stepped.bid, bool(stepped.alone)),
        "declarer": stepped.declarer,
        "tricks": referee.tricks,
        "made": bool(is_made(stepped.bid, referee.tricks[stepped.declarer])),
        "points": _points(referee, stepped),
    }


# --- from round to round ----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class RoundsFound:
    """The rounds of a match so far: legal ones, in order, from the first one on.

    Attributes
    ----------
    last : dict or None
        Transcript of the last round.
    found : RoundFound or None
        What it left.
    totals : list of int
        Points of the match so far, in tenths.
    """

    last: dict[str, Any] | None = None
    found: RoundFound | None = None
    totals: list[int] = field(default_factory=list)

    def add(self, line: dict[str, Any]) -> Violation | None:
        """Take up the next round; what is wrong with it as the next one of the match."""
        found = check_round(Referee(line))
        broken = self._broken(line, found) if self.last is not None else None
        points = [round(codes.TENTHS * points) for points in line["result"]["points"]]
        self.totals = [total + new for total, new in zip(self.totals or [0] * len(points), points, strict=True)]
        self.last, self.found = line, found
        return broken

    def _broken(self, line: dict[str, Any], found: RoundFound) -> Violation | None:
        last, left = self.last, self.found
        assert last is not None
        assert left is not None
        if self.is_over():
            return Violation("match_over", f"round {line['deal']} is played, but the match ended before")
        dealer = (last["dealer"] + 1) % len(left.quotas)
        if line["dealer"] != dealer:
            return Violation("dealer", f"dealer {line['dealer']!r}: the deal passes on to seat {dealer}")
        deal, calls = line["events"][0], [event["call"] for event in line["events"] if event["act"] == "call"]
        if left.hands is not None:
            due = {"hands": left.hands, "stock": left.pit, "upcard": last["events"][0]["upcard"]}
            for key, value in due.items():
                if deal[key] != value:
                    return Violation(f"{key}_carried", f"{key} is {deal[key]!r}, the round before left {value!r}")
        sizes = [sum(letter != "." for letter in hand) for hand in deal["hands"]]
        if sizes != left.quotas:
            return Violation("quota_carried", f"the hands have {sizes} cards, the quotas are {left.quotas}")
        if last["result"]["contract"] is None and found.first_could_bid and calls[0] in PASSES:
            return Violation("may_not_pass", "nobody bid in the round before, so the first speaker may not pass")
        return None

    def is_over(self) -> bool:
        """Whether the match ended with the last round."""
        assert self.last is not None
        assert self.found is not None
        match = self.last["rules"]["match"]
        if self.found.shed_by is not None or self.last["deal"] + 1 >= match["max_deals"]:
            return True
        if match["victory"] == "shed":
            return False
        best = max(self.totals)
        return self.totals.count(best) == 1 and best >= round(codes.TENTHS * match["victory"]["points"])

    def winners(self) -> list[int]:
        """Winners of the match, if the last round ended it."""
        assert self.last is not None
        assert self.found is not None
        if self.found.shed_by is not None:
            return [self.found.shed_by]
        return winners_of(self.found.quotas if self.last["rules"]["match"]["victory"] == "shed" else None, self.totals)
