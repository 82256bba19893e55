"""A bot in Python: leads its highest card, wins whenever it can with its highest, and throws its lowest.

    simcore deal bridgette --plugin examples/plugins/python_bot.py --bots eager,heuristic
"""

from __future__ import annotations

from simcore.bots.view import PlayView
from simcore.plugins import PythonBot, cards_of, mask_of

ORDER = "23456789TJQKA"


def rank(card: str) -> int:
    """Height of a card; colons (GC, RC, LC) lowest."""
    return ORDER.find(card[1]) if card[0] in "CDHS" else -1


class Eager(PythonBot):
    """Exchanges and bids as `heuristic` does; plays high."""

    name = "eager"

    def choose_card(self, view: PlayView) -> int:
        legal = cards_of(view.legal)
        winners = [card for card in legal if card in cards_of(view.winners)]
        if not view.led or winners:
            return mask_of([max(winners or legal, key=rank)])
        return mask_of([min(legal, key=rank)])


BOTS = [Eager()]
