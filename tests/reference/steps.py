"""Pit's auction: from the dealer's left each bids the next number of the list, or passes; the highest bidder declares.

`calls` is the list of calls so far as pairs of seat and text: ``(2, "3 alone")``. A player can bid no more tricks than
he holds cards; his first bid may carry "alone", which sticks and is repeated in every later bid of his. Players
without cards take no part.

Readings of what the rules leave open: short hands may bid under ``short_hand: bid_all`` only, not under ``auto_out``;
where a player comes back in after a pass (``pass_is_final: false``) and nobody bids, one round of passes throws the
hands in.
"""

from __future__ import annotations

from .auction import PASS
from .deal import next_seat
from .table_play import seats_with_cards

ALONE = " alone"


def number_of(call):
    """The number of tricks of a bid, None for a pass."""
    return None if call == PASS else int(call.removesuffix(ALONE))


def bids_of(calls):
    """The bids among the calls."""
    return [(seat, call) for seat, call in calls if call != PASS]


def standing_number(calls):
    """The number of the highest bid so far, which is the last one; None before the first."""
    bids = bids_of(calls)
    return number_of(bids[-1][1]) if bids else None


def numbers_open(rules, cards, calls):
    """The numbers that a player with so many cards may bid, in rising order.

    One who holds fewer cards than the lowest bid may bid all of them while no bid stands; any regular bid is higher.
    """
    options = rules["auction"]
    standing = standing_number(calls)
    if cards < options["bids"][0]:
        return [cards] if options["short_hand"] == "bid_all" and standing is None and cards > 0 else []
    higher = [number for number in options["bids"] if standing is None or number > standing]
    if not options["jump_bids"]:
        higher = higher[:1]
    return [number for number in higher if number <= cards]


def ways_to_bid(rules, calls, seat):
    """What a bid of the seat may carry: nothing or "alone" in its first bid, later what the first one carried."""
    own = [call for bidder, call in bids_of(calls) if bidder == seat]
    if own:
        return [ALONE] if own[0].endswith(ALONE) else [""]
    return ["", ALONE] if rules["auction"]["alone"] else [""]


def legal_bids(rules, cards, calls, seat):
    """The bids of a player with so many cards, numbers rising, without "alone" first."""
    ways = ways_to_bid(rules, calls, seat)
    return [f"{number}{way}" for number in numbers_open(rules, cards, calls) for way in ways]


def may_pass(rules, cards, calls, seat, forced):
    """A forced first speaker must bid if he can; everybody else may pass."""
    return not (forced and calls == [] and legal_bids(rules, cards, calls, seat))


def legal_step_calls(rules, cards, calls, seat, forced=False):
    """All legal calls: the pass, then the bids.

    Parameters
    ----------
    rules : dict
    cards : int
        How many cards the player holds.
    calls : list of tuple
    seat : int
    forced : bool
        Whether the first speaker of this auction may not pass, because the hands before were thrown in.
    """
    passes = [PASS] if may_pass(rules, cards, calls, seat, forced) else []
    return passes + legal_bids(rules, cards, calls, seat)


def step_fault(rules, cards, calls, seat, call, forced=False):
    """The rule that forbids a call, or None."""
    if call in legal_step_calls(rules, cards, calls, seat, forced):
        return None
    if call == PASS:
        return "may_not_pass"
    if call.removesuffix(ALONE) not in [str(number) for number in range(1, 53)]:
        return "no_such_bid"
    number, standing, bids = number_of(call), standing_number(calls), rules["auction"]["bids"]
    if number in numbers_open(rules, cards, calls):
        return "alone"
    if standing is not None and number <= standing:
        return "bid_too_low"
    if number > cards:
        return "bid_beyond_quota"
    if cards < bids[0]:
        return "short_hand"
    return "no_jump_bids" if number in bids else "no_such_bid"


def first_speaker(rules, dealer, hands):
    """The player after the dealer, or the next one with cards."""
    return seats_with_cards(hands, next_seat(rules, dealer))[0]


def is_over(rules, active, calls):
    """Whether the highest bid was made, or all others have passed, or all have passed and nobody bid.

    With ``pass_is_final: false`` all others must have passed in succession.
    """
    bids = bids_of(calls)
    if not bids:
        return len(calls) == len(active)
    bidder = bids[-1][0]
    if standing_number(calls) == rules["auction"]["bids"][-1]:
        return True
    counted = calls if rules["auction"]["pass_is_final"] else calls[calls.index(bids[-1]) :]
    passed = {seat for seat, call in counted if call == PASS}
    return all(seat in passed for seat in active if seat != bidder)


def next_speaker(rules, active, calls):
    """The next player in turn, without those whose pass is final; `active` begins with the first speaker."""
    if not calls:
        return active[0]
    out = {seat for seat, call in calls if call == PASS} if rules["auction"]["pass_is_final"] else set()
    last = active.index(calls[-1][0])
    return next(seat for seat in active[last + 1 :] + active[: last + 1] if seat not in out)


def hold_steps(table, dealer, hands, forced):
    """Call until the auction is over; returns the contract, ``"3"`` or ``"3 alone"``, and declarer; or (None, None)."""
    rules = table.rules
    active = seats_with_cards(hands, first_speaker(rules, dealer, hands))
    calls = []
    while not is_over(rules, active, calls):
        seat = next_speaker(rules, active, calls)
        calls.append((seat, table.step_call(seat, len(hands[seat]), calls, forced)))
    bids = bids_of(calls)
    return (bids[-1][1], bids[-1][0]) if bids else (None, None)
