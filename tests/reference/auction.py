"""The auction: bids in rising order, doubles, what a hand must hold to bid, and who declares.

`calls` is the list of calls so far, from the opener on; the two players alternate, so of the calls before this turn
the last, the third from the end and so on are the opponent's.
"""

from __future__ import annotations

from .cards import STRAINS, SUITS, cards_of_suit
from .deal import next_seat

PASS, DOUBLE, REDOUBLE = "Pass", "X", "XX"
LEVELS = range(8)
EVERY_BID = [f"{level}{strain}" for level in LEVELS for strain in STRAINS]


def level_of(bid):
    """Level of a bid; level + 6 tricks are promised."""
    return int(bid[0])


def strain_of(bid):
    """Strain of a bid: a suit or NT."""
    return bid[1:]


def is_bid(call):
    """Whether a call is a bid (and no pass, double or redouble)."""
    return call in EVERY_BID


def is_higher(bid, other):
    """Whether a bid is above another in the bidding order."""
    return EVERY_BID.index(bid) > EVERY_BID.index(other)


def existing_bids(rules):
    """The bids of the variant, rising: from the lowest bid on, without those whose award is null."""
    lowest = EVERY_BID.index(rules["auction"]["lowest_bid"])
    if rules["scoring"]["kind"] == "trick_value":
        return EVERY_BID[lowest:]
    award = rules["scoring"]["award"]
    return [bid for bid in EVERY_BID[lowest:] if award[strain_of(bid)][level_of(bid)] is not None]


def last_bid(calls):
    """The highest bid so far, which is the last one; None before the first bid."""
    bids = [call for call in calls if is_bid(call)]
    return bids[-1] if bids else None


def doubling(calls):
    """What has been said since the last bid: "", "X" or "XX"; a new bid wipes both out."""
    said = ""
    for call in calls:
        if is_bid(call):
            said = ""
        elif call in (DOUBLE, REDOUBLE):
            said = call
    return said


def last_bid_is_the_opponents(calls):
    """Whether the last bid was made by the opponent of the one whose turn it is."""
    turns_ago = 1 + [is_bid(call) for call in reversed(calls)].index(True)
    return turns_ago % 2 == 1


def is_jump(rules, calls, bid, existing):
    """Whether a bid is a jump, in one of three senses (`auction.jump`)."""
    before = last_bid(calls)
    open_bids = [other for other in existing if before is None or is_higher(other, before)]
    if rules["auction"]["jump"] == "level":
        in_strain = [other for other in open_bids if strain_of(other) == strain_of(bid)]
        return level_of(bid) > level_of(in_strain[0])
    if rules["auction"]["jump"] == "ladder":
        return bid != open_bids[0]
    return False


def bid_fault(rules, hand, calls, bid, existing):
    """The rule that forbids a bid, or None."""
    auction = rules["auction"]
    before = last_bid(calls)
    if bid not in existing:
        return "no_such_bid"
    if before is not None and not is_higher(bid, before):
        return "bid_too_low"
    if strain_of(bid) == "NT":
        holds_every_suit = all(cards_of_suit(hand, suit) for suit in SUITS)
        return "nt_needs_every_suit" if auction["nt_needs_every_suit"] and not holds_every_suit else None
    length = len(cards_of_suit(hand, strain_of(bid)))
    if length < auction["min_suit_length"]:
        return "suit_length"
    if length < auction["min_jump_length"] and is_jump(rules, calls, bid, existing):
        return "jump_length"
    return None


def double_fault(rules, calls, call):
    """The rule that forbids a double of the opponent's, or a redouble of one's own, bid; or None."""
    if not rules["auction"]["doubles"]:
        return "no_doubles"
    if last_bid(calls) is None:
        return "nothing_to_double"
    may_double = last_bid_is_the_opponents(calls) and doubling(calls) == ""
    may_redouble = not last_bid_is_the_opponents(calls) and doubling(calls) == DOUBLE
    if call == DOUBLE:
        return None if may_double else "double"
    return None if may_redouble else "redouble"


def call_fault(rules, hand, calls, call):
    """The rule that forbids a call, or None if it is legal."""
    if call == PASS:
        return None
    if call in (DOUBLE, REDOUBLE):
        return double_fault(rules, calls, call)
    return bid_fault(rules, hand, calls, call, existing_bids(rules))


def legal_bids(rules, hand, calls):
    """The bids a hand may make, in rising order."""
    existing = existing_bids(rules)
    return [bid for bid in existing if bid_fault(rules, hand, calls, bid, existing) is None]


def legal_doubles(rules, calls):
    """["X"], ["XX"] or []; the two are never legal at once."""
    return [call for call in (DOUBLE, REDOUBLE) if double_fault(rules, calls, call) is None]


def legal_calls(rules, hand, calls):
    """All legal calls: the pass, the bids in rising order, the double or redouble.

    Parameters
    ----------
    rules : dict
        The variant.
    hand : list of str
        Cards of the one whose turn it is, after the exchange.
    calls : list of str
        The calls so far, from the opener on.
    """
    return [PASS] + legal_bids(rules, hand, calls) + legal_doubles(rules, calls)


def opener_seat(rules, dealer):
    """The seat that calls first."""
    return dealer if rules["auction"]["opener"] == "dealer" else next_seat(rules, dealer)


def seat_to_call(rules, dealer, calls):
    """The seat whose turn it is after so many calls."""
    return (opener_seat(rules, dealer) + len(calls)) % rules["players"]


def auction_is_over(calls):
    """A pass ends the auction when something precedes it: a bid, a double, a redouble, or the opening pass."""
    return len(calls) >= 2 and calls[-1] == PASS


def final_contract(rules, dealer, calls):
    """The contract and its declarer, who made the last bid; (None, None) if nobody bid."""
    bid = last_bid(calls)
    if bid is None:
        return None, None
    number = max(index for index, call in enumerate(calls) if is_bid(call))
    return bid + doubling(calls), (opener_seat(rules, dealer) + number) % rules["players"]


def hold_auction(table, dealer, hands):
    """Call in turn until the auction is over; returns contract and declarer."""
    calls = []
    while not auction_is_over(calls):
        seat = seat_to_call(table.rules, dealer, calls)
        calls.append(table.bridge_call(seat, hands[seat], calls))
    return final_contract(table.rules, dealer, calls)
