"""Explains the bidding policies. Plain Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from simcore.bots.bidding.seen import MOST_UNSEEN, TENS
from simcore.bots.explain.reason import ALL_NATURALS, SUIT_MASKS, Reason, length, lowest, suit_name, tricks_number
from simcore.bots.view import AuctionView
from simcore.cards import ACES, COLONS, JACKS, KINGS, QUEENS
from simcore.codes import (
    BID_OFFSET,
    BOOK,
    CALL_DOUBLE,
    CALL_PASS,
    HUNDREDTHS,
    N_LEVELS,
    N_RANKS,
    N_STRAINS,
    N_SUITS,
    HighCardsParam,
    PointsParam,
)
from simcore.notation import STRAINS, bid_text

_MOST = HUNDREDTHS * N_RANKS
_HONOURS_SEEN = (
    (ACES, PointsParam.SEEN_ACE), (KINGS, PointsParam.SEEN_KING), (QUEENS, PointsParam.SEEN_QUEEN),
    (JACKS, PointsParam.SEEN_JACK), (TENS, PointsParam.SEEN_TEN),
)  # fmt: skip
_HONOURS = ((ACES, PointsParam.ACE), (KINGS, PointsParam.KING), (QUEENS, PointsParam.QUEEN), (JACKS, PointsParam.JACK))


class _Expected(NamedTuple):
    """What a hand is expected to take as declarer, and by how much a bid must fall short of it."""

    tricks: list[int]
    """Hundredths of tricks, by strain."""
    margin: int
    compete: int
    """Less margin, against the opponent's bids."""
    double_margin: int


def _moved_up(hand: int, left: int) -> int:
    """Cards of one suit, in its lane, with the ranks they have among the cards left: the highest left counts as the ace."""
    ranks = [rank for rank in range(N_RANKS) if left >> rank & 1]
    return sum(1 << N_RANKS - len(ranks) + place for place, rank in enumerate(ranks) if hand >> rank & 1)


def _expected_where_seen(hand: int, unseen: int, params: Sequence[int]) -> list[int]:
    """Hundredths of tricks by strain, where the opponent holds most of the unseen cards."""
    hand, unseen = hand & ALL_NATURALS, unseen & ALL_NATURALS
    ranks = 0
    for suit, mask in enumerate(SUIT_MASKS):
        lane = 16 * suit
        ranks |= _moved_up((hand & mask) >> lane, ((hand | unseen) & mask) >> lane) << lane
    high = sum((ranks & int(cards)).bit_count() * params[param] for cards, param in _HONOURS_SEEN)
    lengths = [length(hand, suit) for suit in range(N_SUITS)]
    shape = params[PointsParam.SEEN_VOID] * lengths.count(0) + params[PointsParam.SEEN_SINGLETON] * lengths.count(1)
    against, n_hand, n_unseen = params[PointsParam.SEEN_AGAINST], hand.bit_count(), max(unseen.bit_count(), 1)
    base = params[PointsParam.SEEN_SUIT_BASE] + high + shape
    tricks = [
        base + params[PointsParam.SEEN_LENGTH] * n - against * n_hand * length(unseen, suit) // n_unseen
        for suit, n in enumerate(lengths)
    ]
    tricks.append(params[PointsParam.SEEN_NT_BASE] + high * params[PointsParam.SEEN_NT_FACTOR] // HUNDREDTHS)
    return [min(max(each, 0), _MOST) for each in tricks]


def _evaluated(view: AuctionView, params: Sequence[int]) -> _Expected:
    """The hand's worth, by the weights for the cards that this seat has seen."""
    hand, unseen = int(view.hand), int(view.unseen)
    compete = params[PointsParam.COMPETE]
    if unseen.bit_count() <= MOST_UNSEEN * hand.bit_count():
        less = params[PointsParam.SEEN_COMPETE] if compete > 0 else 0
        tricks = _expected_where_seen(hand, unseen, params)
        return _Expected(tricks, params[PointsParam.SEEN_MARGIN], less, params[PointsParam.SEEN_DOUBLE])
    return _Expected(_expected(hand, params), params[PointsParam.MARGIN], compete, params[PointsParam.DOUBLE_MARGIN])


def _expected(hand: int, params: Sequence[int]) -> list[int]:
    """Hundredths of tricks expected as declarer, by strain."""
    high = sum((hand & int(cards)).bit_count() * params[param] for cards, param in (*_HONOURS, (COLONS, PointsParam.COLON)))
    lengths = [length(hand, suit) for suit in range(N_SUITS)]
    shape = params[PointsParam.VOID] * lengths.count(0) + params[PointsParam.SINGLETON] * lengths.count(1)
    suits = high + shape + params[PointsParam.SUIT_BASE]
    tricks = [suits + params[PointsParam.LENGTH] * n for n in lengths] + [high + params[PointsParam.NT_BASE]]
    return [min(max(each, 0), _MOST) for each in tricks]


def _bids(tricks: Sequence[int], margin: int) -> int:
    """Bids for which the tricks less a margin are enough, as a mask."""
    mask = 0
    for strain, each in enumerate(tricks):
        for level in range(N_LEVELS):
            if each - margin >= HUNDREDTHS * (BOOK + level):
                mask |= 1 << N_STRAINS * level + strain
    return mask


def points(view: AuctionView, params: Sequence[int]) -> Reason:
    """The highest bid the hand is worth, else a double or redouble that pays, else a pass."""
    tricks, margin, compete, double_margin = _evaluated(view, params)
    may_compete = params[PointsParam.COMPETE] > 0
    numbers: dict[str, Any] = {"tricks": {name: tricks_number(each) for name, each in zip(STRAINS, tricks, strict=True)}}
    own_stands = int(view.own_bids) > int(view.opponent_bids)
    legal = 0 if own_stands else int(view.legal)
    bids, rule = legal & _bids(tricks, margin), "bids the highest it is worth: {bid}"
    if not bids and int(view.opponent_bids) and may_compete:
        bids, rule = legal & _bids(tricks, margin - compete), "competes with the highest bid it dares: {bid}"
        margin -= compete
    if bids:
        bid = bids.bit_length() - 1
        need = HUNDREDTHS * (BOOK + bid // N_STRAINS) + margin
        numbers |= {"expected": tricks_number(tricks[bid % N_STRAINS]), "needed": tricks_number(need)}
        return Reason(bid + BID_OFFSET, "points", rule.format(bid=bid_text(bid)), numbers)
    if view.may_double:
        level, strain = divmod(int(view.last_bid), N_STRAINS)
        if view.may_double == CALL_DOUBLE:
            need, what = (N_RANKS - BOOK - level) * HUNDREDTHS + double_margin, "double"
        else:
            need, what = (BOOK + level) * HUNDREDTHS + params[PointsParam.REDOUBLE_MARGIN], "redouble"
        numbers |= {f"expected_in_{STRAINS[strain]}": tricks_number(tricks[strain]), f"needed_to_{what}": tricks_number(need)}
        if tricks[strain] >= need:
            return Reason(int(view.may_double), "points", f"{what}s {bid_text(int(view.last_bid))}", numbers)
    return Reason(CALL_PASS, "points", "passes: its own bid stands" if own_stands else "passes: no bid is worth it", numbers)


def high_cards(view: AuctionView, params: Sequence[int]) -> Reason:
    """The lowest bid of the longest suit that the points are good for."""
    hand = int(view.hand)
    found = sum((hand & int(cards)).bit_count() * worth for cards, worth in ((ACES, 4), (KINGS, 3), (QUEENS, 2), (JACKS, 1)))
    suit = max(range(N_SUITS), key=lambda suit: (length(hand, suit), suit))
    above = found - params[HighCardsParam.OPENING]
    level = min(1 + above // params[HighCardsParam.PER_LEVEL], N_LEVELS - 1) if above >= 0 else -1
    numbers = {"high_card_points": found, "longest": suit_name(suit), "highest_level": level if level >= 0 else None}
    own_stands = int(view.own_bids) > int(view.opponent_bids)
    wanted = sum(1 << N_STRAINS * each + suit for each in range(level + 1))
    bids = 0 if own_stands else int(view.legal) & wanted
    if bids:
        bid = lowest(bids).bit_length() - 1
        return Reason(bid + BID_OFFSET, "high_cards", f"bids its longest suit as low as it may: {bid_text(bid)}", numbers)
    if view.may_double == CALL_DOUBLE and found >= params[HighCardsParam.DOUBLE_FROM]:
        return Reason(CALL_DOUBLE, "high_cards", f"doubles on {params[HighCardsParam.DOUBLE_FROM]} points or more", numbers)
    rule = "passes: its own bid stands" if own_stands else "passes: too few points for a bid"
    return Reason(CALL_PASS, "high_cards", rule, numbers)


