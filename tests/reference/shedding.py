"""Pit's settlement: what a round does to the players' cards, and its points.

Three models. ``quota``: every round is dealt anew, and a quota says how many cards each still has to get rid of.
``persistent``: hands last for the match; everybody takes back the cards he played, a contract made removes those with
which declarer won his tricks. ``capture``: after a round everybody holds the cards of the tricks he won and those he
did not play; a contract made discards the cards declarer won.

A round is a dict: ``hands``, ``stock``, ``upcard`` (as dealt), ``contract``, ``declarer``, ``tricks`` (as ``table_play``
lists them; contract None and no tricks where the hands were thrown in).
"""

from __future__ import annotations

from .cards import in_draw_order
from .deal import hand_size, next_seat, seats_from
from .points import tenths
from .steps import ALONE, number_of
from .table_play import tricks_by_seat

MOST_QUOTAS = 51
REFILL = 3


def is_alone(contract):
    """Whether a contract is played alone."""
    return contract.endswith(ALONE)


def tricks_of_declarer(played):
    """The tricks declarer won."""
    return tricks_by_seat(len(played["hands"]), played["tricks"])[played["declarer"]]


def is_round_made(played):
    """Whether declarer took at least the tricks bid."""
    return tricks_of_declarer(played) >= number_of(played["contract"])


def round_tenths(rules, played):
    """The points of a round by seat, in tenths.

    Everybody but declarer scores his tricks; declarer scores his in a contract played alone and made, otherwise by
    ``declarer_per_trick``, made or not, but never in a contract played alone.
    """
    scoring, seats = rules["scoring"], range(len(played["hands"]))
    if played["contract"] is None:
        return [0 for _ in seats]
    tricks = tricks_by_seat(len(seats), played["tricks"])
    points = [tricks[seat] * tenths(scoring["per_trick"]) for seat in seats]
    rate = scoring["declarer_per_trick"]
    if is_alone(played["contract"]):
        rate = scoring["alone_per_trick"] if is_round_made(played) else 0
    points[played["declarer"]] = tricks[played["declarer"]] * tenths(rate)
    return points


def penalty(rules, played):
    """Cards or quota that a failed contract costs: the shortfall; alone, all tricks of the round not won."""
    won = tricks_of_declarer(played)
    if is_alone(played["contract"]) and rules["shedding"]["alone_failed"] == "all_not_won":
        return len(played["tricks"]) - won
    return number_of(played["contract"]) - won


def settle(rules, played):
    """What a round leaves.

    Returns
    -------
    dict
        ``quota`` (by seat; the cards in hand, where hands last), ``draws`` (pairs of seat and card), and for the next
        round ``hands``, ``stock`` (None where it is dealt anew) and ``upcard``.
    """
    if played["contract"] is None:
        after = {"hands": played["hands"], "stock": played["stock"], "draws": []}
        after["quota"] = [len(hand) for hand in played["hands"]]
    else:
        model = {"quota": settle_quota, "persistent": settle_persistent, "capture": settle_capture}
        after = model[rules["shedding"]["model"]](rules, played)
    if rules["shedding"]["model"] == "quota":
        after.update(hands=None, stock=None)  # the next round is dealt anew
    return {**after, "upcard": played["upcard"]}


def settle_quota(rules, played):
    """Only declarer's quota changes; together the quotas stay within 51, which cuts a penalty if need be.

    With ``unit: card`` every card of the tricks won counts; shortfalls stay in tricks. Where points decide the match, a
    quota that reaches 0 starts again at the first value, or at what 51 leaves.
    """
    quota = [len(hand) for hand in played["hands"]]
    declarer = played["declarer"]
    room = MOST_QUOTAS - sum(quota) + quota[declarer]
    if is_round_made(played):
        quota[declarer] = max(0, quota[declarer] - won_for_quota(rules, played))
        if quota[declarer] == 0 and rules["match"]["victory"] != "shed":
            quota[declarer] = min(hand_size(rules), room)
    else:
        quota[declarer] = min(quota[declarer] + penalty(rules, played), room)
    return {"quota": quota, "draws": []}


def won_for_quota(rules, played):
    """The tricks declarer won, or their cards."""
    if rules["shedding"]["unit"] == "card":
        return len(cards_won(played, played["declarer"]))
    return tricks_of_declarer(played)


def cards_won(played, seat):
    """The cards of the tricks a seat won."""
    return [card for trick in played["tricks"] if trick["winner"] == seat for card in trick["cards"].values()]


def draw_from_stock(stock, seat, count, hands, draws):
    """Draw from the top while the Pit lasts; the turned card is not drawn."""
    for _ in range(min(count, len(stock))):
        card = stock.pop(0)
        hands[seat].append(card)
        draws.append((seat, card))


def settle_persistent(rules, played):
    """Everybody takes back what he played; made: the cards with which declarer won are out of play; failed: he draws."""
    declarer = played["declarer"]
    hands = [list(hand) for hand in played["hands"]]
    stock = list(played["stock"])
    draws = []
    if is_round_made(played):
        removed = [trick["cards"][declarer] for trick in played["tricks"] if trick["winner"] == declarer]
        hands[declarer] = [card for card in hands[declarer] if card not in removed]
    else:
        draw_from_stock(stock, declarer, penalty(rules, played), hands, draws)
    return after_draws(hands, stock, draws)


def settle_capture(rules, played):
    """Everybody keeps what he won and did not play; made: declarer discards it, which empties his hand and wins.

    Failed: declarer draws the penalty; then, from his left on, each one left without cards draws three, or as many as
    the Pit has. Nobody draws after the winning contract.
    """
    declarer = played["declarer"]
    used = [card for trick in played["tricks"] for card in trick["cards"].values()]
    hands = [[card for card in hand if card not in used] for hand in played["hands"]]
    hands = [hand + cards_won(played, seat) for seat, hand in enumerate(hands)]
    stock = list(played["stock"])
    draws = []
    if is_round_made(played):
        hands[declarer] = []
        return after_draws(hands, stock, draws)
    draw_from_stock(stock, declarer, penalty(rules, played), hands, draws)
    for seat in seats_from(len(hands), next_seat(rules, declarer)):
        if not hands[seat]:
            draw_from_stock(stock, seat, REFILL, hands, draws)
    return after_draws(hands, stock, draws)


def after_draws(hands, stock, draws):
    """What is left when all cards are drawn."""
    hands = [in_draw_order(hand) for hand in hands]
    return {"quota": [len(hand) for hand in hands], "draws": draws, "hands": hands, "stock": stock}


def sheds_out(rules, result, quota):
    """The seat that wins a match whose victory is shedding by this round's contract, or None.

    Made, and no card is left; or, with ``short_hand: auto_out``, fewer than the lowest bid.
    """
    if not result["made"] or rules["match"]["victory"] != "shed":
        return None
    options = rules["auction"]
    enough = options["bids"][0] if options["short_hand"] == "auto_out" else 1
    return result["declarer"] if quota[result["declarer"]] < enough else None
