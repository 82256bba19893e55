"""Draw and Discard Bridge's way to make hands: of every two cards of the stock one is kept and one is thrown away.

Nothing is dealt. In turn, the non-dealer first, 26 times: a player looks at the top card and keeps it, then looks at
the next one and discards it; or he discards the top card, and the next one is kept, whatever it is. Where
``second_seen_when_keeping`` is false, one who keeps the first card throws the second away unseen. Whether discards lie
face up changes no event.
"""

from __future__ import annotations

from .deal import turn_order

TURNS = 26


def make_hands(table, dealer, cards):
    """All turns; fills the hands in `cards`. What a deck with colons has beyond 52 cards is left over."""
    order = turn_order(table.rules, dealer)
    for turn in range(TURNS):
        seat = order[turn % len(order)]
        first, second = cards["stock"][:2]
        cards["stock"] = cards["stock"][2:]
        own_turn = turn // len(order)
        cards["hands"][seat].append(table.choose(seat, own_turn, first, second))


def cards_seen(rules, first, second, kept):
    """What a player has seen of the two cards, given which of them he keeps."""
    if kept == first and not rules["exchange"]["second_seen_when_keeping"]:
        return [first]
    return [first, second]
