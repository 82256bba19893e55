"""The match: who deals, which deals count, when it is over and who has won."""

from __future__ import annotations

from .deal import hand_sizes, next_seat
from .points import number, tenths
from .shedding import sheds_out

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
        "reached": False,  # whether the deals are done, or somebody has reached the target
        "over": False,
        "finished": False,  # False at a cap
        # of Pit alone:
        "forced": False,  # whether the first speaker of the next round may not pass
        "left": None,  # what the last round left
        "quota": hand_sizes(rules),
        "shed_by": None,  # who has won by shedding
    }


def is_redealt(rules, state, result):
    """Whether a passed-out deal is dealt again, so that it does not count; 20 times in a row, and no more."""
    auction = rules["auction"]
    if auction["kind"] != "bridge" or result["contract"] is not None or auction["passed_out"] != "redeal":
        return False
    return state["redeals"] < REDEALS_IN_A_ROW


def tie_goes_on(rules, extra_deals):
    """Whether a level match has another deal, after so many extra ones where `deals` are counted (else None).

    ``extra_deal`` goes on until one stands alone at the top; the rules know no bound but `max_deals`.
    """
    tie = rules["match"].get("tie")
    if tie == "until_broken":
        return extra_deals < EXTRA_DEALS
    if tie == "extra_deal_then_draw":
        return extra_deals == 0
    return tie == "extra_deal"


def is_target_reached(rules, state):
    """Whether the deals are done, or somebody stands at the target; once reached, it stays so."""
    if state["reached"]:
        return True
    if rules["match"].get("target") is not None:
        return max(state["totals"]) >= tenths(rules["match"]["target"])
    return state["counted"] >= rules["match"]["deals"]


def has_ended(rules, unit, state):
    """Whether the deals are done and the match decided, caps apart."""
    if unit == "deal":
        return state["counted"] == 1  # a unit is one deal and its redeals, without a tie break
    victory = rules["match"].get("victory")
    if victory == "shed":
        return state["shed_by"] is not None
    level = len(winners(state)) > 1
    if victory is not None:
        return not level and max(state["totals"]) >= tenths(victory["points"])
    if not state["reached"]:
        return False
    deals = rules["match"].get("deals")
    return not (level and tie_goes_on(rules, None if deals is None else state["counted"] - deals))


def after_deal(rules, unit, state, result, left=None):
    """The state of the match after one more deal, given that deal's result and, of Pit, what it left."""
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
        if rules["auction"]["kind"] == "steps":
            after["forced"] = result["contract"] is None
            after["left"] = left
            after["quota"] = left["quota"]
            after["shed_by"] = sheds_out(rules, result, left["quota"])
        else:
            after["reached"] = is_target_reached(rules, after)
        after["finished"] = has_ended(rules, unit, after)
    cap = rules["match"].get("max_deals")
    after["over"] = after["finished"] or (cap is not None and after["dealt"] >= cap)
    return after


def seats_with_most(values):
    """The seats with the highest value."""
    return [seat for seat, value in enumerate(values) if value == max(values)]


def winners(state):
    """The seats with the highest total."""
    return seats_with_most(state["totals"])


def winners_of_match(rules, state):
    """Who has won: the highest total; by shedding, he who shed, or at the cap fewest cards, then most points."""
    if rules["match"].get("victory") != "shed":
        return winners(state)
    if state["shed_by"] is not None:
        return [state["shed_by"]]
    return seats_with_most([(-quota, total) for quota, total in zip(state["quota"], state["totals"], strict=True)])


def match_line(rules, state, match):
    """The line that follows the last deal of a match."""
    best = winners_of_match(rules, state)
    return {
        "format": "simcore-match/1",
        "match": match,
        "totals": [number(total) for total in state["totals"]],
        "winner": best[0] if len(best) == 1 else None,
        "winners": best,
    }
