"""What a round of a shedding game does to the cards that everybody must get rid of, what it scores, and who wins.

Rule (rules.md, section 5). A quota is the number of cards a player has still to get rid of. `quota`: every round is dealt
afresh, hands as large as the quotas. `persistent`: one deal; everybody takes back what he played; the cards that won declarer's
tricks go when his contract is made. `capture`: one deal; the cards of the tricks won go to the hand, declarer's go when
his contract is made. In the last two the quota is the number of cards in hand, and penalties are cards drawn from the Pit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simcore._jit import inlined
from simcore.bits import U0, I, popcount
from simcore.codes import CARDS_DRAWN_ANEW, MAX_QUOTAS, NO_SEAT, SheddingModel, ShortHand
from simcore.errors import InputError
from simcore.notation import points_number, step_text
from simcore.seats import next_seat

if TYPE_CHECKING:
    from simcore.config import Variant

QUOTA, PERSISTENT = int(SheddingModel.QUOTA), int(SheddingModel.PERSISTENT)
AUTO_OUT = int(ShortHand.AUTO_OUT)
NOBODY = NO_SEAT


# --- what a round scores ----------------------------------------------------------------------------------------------


@inlined
def is_made(bid, tricks):
    """Whether a contract is made: at least the tricks bid. -> bool"""
    return tricks >= bid


@inlined
def declarer_tenths(stakes, bid, alone, tricks):
    """Points of declarer, in tenths: so much a trick whether he made it or not; alone only when made, at a rate of its own.

    stakes : Stakes, bid : int64, alone : int64 1 or 0, tricks : int64 his tricks -> int64
    """
    if alone != 0:
        return stakes.alone_per_trick * tricks if is_made(bid, tricks) else 0
    return stakes.declarer_per_trick * tricks


@inlined
def other_tenths(stakes, tricks):
    """Points of a player who is not declarer, in tenths: so much a trick. -> int64"""
    return stakes.per_trick * tricks


# --- what a round does to the quotas ----------------------------------------------------------------------------------


@inlined
def penalty(stakes, bid, alone, tricks, n_tricks):
    """Cards that a failed contract costs: the tricks short of the bid; alone all tricks of the round not won (option: the
    same).

    n_tricks : int64     tricks of the round
    -> int64
    """
    return n_tricks - tricks if alone != 0 and stakes.all_not_won != 0 else bid - tricks


@inlined
def quota_when_made(stakes, quota, tricks, n_cards):
    """Quota of a declarer who made his contract: less by his tricks (option: by all cards of these tricks), at least 0.

    quota : int64        before the round
    n_cards : int64      cards of the tricks he won
    -> int64
    """
    return max(quota - (n_cards if stakes.by_card != 0 else tricks), 0)


@inlined
def quota_when_failed(quota, cost, total):
    """Quota of a declarer who failed: the penalty is cut where the quotas together would exceed 51.

    quota : int64        before the round
    cost : int64         `penalty`
    total : int64        all quotas before the round
    -> int64
    """
    return quota + max(min(cost, MAX_QUOTAS - total), 0)


@inlined
def quota_afresh(first, total):
    """Quota of a player who begins anew, where points win the match: the first value, or what 51 leaves.

    first : int64        quota at the beginning of the match
    total : int64        quotas of the others
    -> int64
    """
    return min(first, MAX_QUOTAS - total)


@inlined
def is_out(rules, made, quota):
    """Whether declarer has won the match by getting rid of his cards.

    rules : SheddingRules
    made : bool          whether he made his contract
    quota : int64        his quota after the round
    -> bool              always false where points win the match
    """
    enough = rules.steps.lowest if rules.steps.short_hand == AUTO_OUT else 1
    return made and quota < enough and rules.stakes.target == 0


# --- the cards between two rounds, where there is one deal ------------------------------------------------------------


@inlined
def draw_penalty(hand, n_cards, stock, at, n_stock):
    """Draw cards from the Pit, as long as it lasts.

    hand : uint64, n_cards : int64
    stock : uint64[:]    the rest of the pack in order
    at, n_stock : int64  next card of it, and its cards
    -> (uint64, int64)   hand, next card
    """
    n = min(n_cards, n_stock - at)
    for i in range(n):
        hand |= stock[at + i]
    return hand, at + n


@inlined
def hand_after(model, dealt, held, won, won_with, made):
    """Hand of a player after a round, before he draws.

    model : int64        PERSISTENT or CAPTURE
    dealt : uint64       his hand as the round began
    held : uint64        what he did not play
    won : uint64         cards of the tricks he won
    won_with : uint64    cards with which he won them
    made : bool          whether he is a declarer who made his contract
    -> uint64
    """
    if model == PERSISTENT:
        return dealt & ~won_with if made else dealt
    return held if made else held | won


@inlined
def draws_anew(model, hand):
    """Cards that a player draws because he has none left (`capture`): three. hand : uint64 -> int64"""
    return CARDS_DRAWN_ANEW if model != PERSISTENT and hand == U0 else 0


@inlined
def settle_cards(rules, stepped, made, cost, dealt, slot, table, at, n_stock):
    """The hands for the next round, where there is one deal; quotas are the cards in hand.

    rules : SheddingRules, stepped : Stepped, made : bool
    cost : int64         cards declarer draws
    dealt : uint64[:, :]  row `slot`: hands as the round began
    table : Table        hands as they were left, stock, won, won_with; hands, gone and quotas are updated
    at, n_stock : int64  next card of the Pit, and the cards of the stock
    -> int64             next card of the Pit
    """
    model, players = rules.model, rules.deal.players
    declarer = stepped.declarer
    for seat in range(players):
        made_his = made and seat == declarer
        table.hands[seat] = hand_after(
            model, dealt[slot, seat], table.hands[seat], table.won[seat], table.won_with[seat], made_his
        )
        if made:  # what is out of play is known to all
            table.gone[seat] |= table.won_with[declarer] if model == PERSISTENT else table.won[declarer]
    if not made:
        table.hands[declarer], at = draw_penalty(table.hands[declarer], cost, table.stock, at, n_stock)
    seat = declarer
    for _ in range(players):
        seat = next_seat(seat, players)
        if not made:
            n = draws_anew(model, table.hands[seat])
            table.hands[seat], at = draw_penalty(table.hands[seat], n, table.stock, at, n_stock)
    for seat in range(players):
        table.quotas[seat] = I(popcount(table.hands[seat]))
    return at


# --- the settlement ---------------------------------------------------------------------------------------------------


@inlined
def settle_quota(rules, stepped, made, cost, table):
    """Declarer's quota after a round, where every round is dealt afresh. table : Table, quotas are updated"""
    declarer = stepped.declarer
    total = 0
    for seat in range(rules.deal.players):
        total += table.quotas[seat]
    quota = table.quotas[declarer]
    if made:
        after = quota_when_made(rules.stakes, quota, table.taken[declarer], I(popcount(table.won[declarer])))
        if after == 0 and rules.stakes.target > 0:
            after = quota_afresh(rules.deal.cards, total - quota)
    else:
        after = quota_when_failed(quota, cost, total)
    table.quotas[declarer] = after


@inlined
def settle_round(rules, stepped, n_tricks, table, dealt, slot, at, n_stock):
    """What a played round does to quotas and hands.

    rules : SheddingRules, stepped : Stepped
    n_tricks : int64     tricks of the round
    table : Table        after the tricks; hands, gone and quotas are updated
    dealt : uint64[:, :]  row `slot`: hands as the round began
    at, n_stock : int64  next card of the Pit, and the cards of the stock, with one deal a match
    -> (bool, int64)     whether declarer has won the match by getting rid of his cards, next card of the Pit
    """
    tricks = table.taken[stepped.declarer]
    made = is_made(stepped.bid, tricks)
    cost = 0 if made else penalty(rules.stakes, stepped.bid, stepped.alone, tricks, n_tricks)
    if rules.model == QUOTA:
        settle_quota(rules, stepped, made, cost, table)
    else:
        at = settle_cards(rules, stepped, made, cost, dealt, slot, table, at, n_stock)
    return is_out(rules, made, table.quotas[stepped.declarer]), at


# --- who wins ---------------------------------------------------------------------------------------------------------


@inlined
def ahead(quotas, totals, seat, best):
    """Whether a seat stands before another at the cap: fewer cards, then more points. -> bool"""
    if quotas[seat] != quotas[best]:
        return quotas[seat] < quotas[best]
    return totals[seat] > totals[best]


@inlined
def leader_at_cap(quotas, totals, players):
    """The seat with fewest cards, then most points; -1 where these are shared. quotas, totals : int64[:] -> int64"""
    best = 0
    for seat in range(1, players):
        if ahead(quotas, totals, seat, best):
            best = seat
    for seat in range(players):
        if seat != best and quotas[seat] == quotas[best] and totals[seat] == totals[best]:
            return NOBODY
    return best


# --- the sheet of results ---------------------------------------------------------------------------------------------


def existing_steps(variant: Variant) -> list[int]:
    """Plain Python: bids of a variant, rising, with those of short hands."""
    bids = [int(bid) for bid in variant.auction.bids]  # type: ignore[union-attr]
    short = range(1, bids[0]) if variant.auction.short_hand == "bid_all" else ()  # type: ignore[union-attr]
    return [*short, *bids]


def score_bid(variant: Variant, bid: int, alone: bool, tricks: int) -> dict[str, Any]:
    """Plain Python: declarer's result of one contract, in the form of ``simcore score --json``.

    Parameters
    ----------
    variant : Variant
        Whose scoring and settlement.
    bid : int
        Tricks bid.
    alone : bool
    tricks : int
        Tricks taken, 0 to the cards of a first hand.

    Returns
    -------
    dict
        variant, contract, tricks, made, points, and cards: what the round does to declarer's quota in the first round of a
        match (negative: cards he is rid of), None under model capture, where it depends on the tricks.

    Raises
    ------
    InputError
        For a bid or a number of tricks that the variant does not have.
    """
    from simcore.rules_shedding import build_shedding_rules

    cards, bids = variant.cards_dealt, existing_steps(variant)
    if bid not in bids:
        raise InputError(f"bid {bid}: {variant.name} has the bids {', '.join(map(str, bids))}")
    if alone and not variant.auction.alone:  # type: ignore[union-attr]
        raise InputError(f"bid {step_text(bid, alone)}: {variant.name} knows no bid alone")
    if not 0 <= tricks <= cards:
        raise InputError(f"tricks {tricks}: the first round has {cards} tricks, allowed are 0..{cards}")
    rules = build_shedding_rules(variant)
    made = bool(is_made(bid, tricks))
    if made:
        change = int(quota_when_made(rules.stakes, cards, tricks, tricks * variant.players)) - cards
    else:
        change = int(penalty(rules.stakes, bid, int(alone), tricks, cards))
        if rules.model == QUOTA:
            change = int(quota_when_failed(cards, change, cards * variant.players)) - cards
    return {
        "variant": variant.name,
        "contract": step_text(bid, alone),
        "tricks": tricks,
        "made": made,
        "points": points_number(int(declarer_tenths(rules.stakes, bid, int(alone), tricks))),
        "cards": change if rules.model in (QUOTA, PERSISTENT) else None,
    }


def bid_sheet(variant: Variant) -> list[dict[str, Any]]:
    """Plain Python: every result of every bid of a variant, as `score_bid` gives them."""
    ways = (False, True) if variant.auction.alone else (False,)  # type: ignore[union-attr]
    tricks = range(variant.cards_dealt + 1)
    return [score_bid(variant, bid, alone, n) for bid in existing_steps(variant) for alone in ways for n in tricks]
