"""The match: who deals, which deals count, when it is over and who has won."""

from __future__ import annotations

from .deal import next_seat
from .scoring import number, tenths

REDEALS_IN_A_ROW = 20
EXTRA_DEALS = 100


def new_match(rules, first_dealer):
    """The state of a match before its first deal; totals are in tenths."""
    return {
        "dealer": first_dealer,
        "dealt": 0,  # all deals, redealt ones too
        "counted": 0,  # deals that count toward match.deals, extra deals too
        "redeals": 0,  # redeals in a row
        "totals": [0] * rules["players"],
        "over": False,
        "finished": False,  # False at a cap
    }


def is_redealt(rules, state, result):
    """Whether a passed-out deal is dealt again, so that it does not count; 20 times in a row, and no more."""
    if result["contract"] is not None or rules["auction"]["passed_out"] != "redeal":
        return False
    return state["redeals"] < REDEALS_IN_A_ROW


def tie_goes_on(rules, extra_deals):
    """Whether a level match has another deal after so many extra ones."""
    tie = rules["match"]["tie"]
    if tie == "until_broken":
        return extra_deals < EXTRA_DEALS
    return tie == "extra_deal_then_draw" and extra_deals == 0


def has_ended(rules, unit, state):
    """Whether the deals are done and the match decided, caps apart."""
    if unit == "deal":
        return state["counted"] == 1  # a unit is one deal and its redeals, without a tie break
    extra_deals = state["counted"] - rules["match"]["deals"]
    if extra_deals < 0:
        return False
    level = len(winners(state)) > 1
    return not (level and tie_goes_on(rules, extra_deals))


def after_deal(rules, unit, state, result):
    """The state of the match after one more deal, given that deal's result."""
    after = dict(state)
    after["dealt"] += 1
    if is_redealt(rules, state, result):
        after["redeals"] += 1  # the same dealer deals again
    else:
        after["redeals"] = 0
        after["counted"] += 1
        after["dealer"] = next_seat(rules, state["dealer"])
        pairs = zip(state["totals"], result["points"], strict=True)
        after["totals"] = [total + tenths(points) for total, points in pairs]
        after["finished"] = has_ended(rules, unit, after)
    cap = rules["match"].get("max_deals")
    after["over"] = after["finished"] or (cap is not None and after["dealt"] >= cap)
    return after


def winners(state):
    """The seats with the highest total."""
    highest = max(state["totals"])
    return [seat for seat, total in enumerate(state["totals"]) if total == highest]


def match_line(state, match):
    """The line that follows the last deal of a match."""
    best = winners(state)
    return {
        "format": "simcore-match/1",
        "match": match,
        "totals": [number(total) for total in state["totals"]],
        "winner": best[0] if len(best) == 1 else None,
        "winners": best,
    }
