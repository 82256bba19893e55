"""Explains the exchange policies. Plain Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from simcore.bots.explain.reason import ALL_NATURALS, SUIT_MASKS, Reason, cards_text, length, rank, suit_name
from simcore.bots.view import ExchangeView
from simcore.cards import ACES, COLONS, FACES, KINGS
from simcore.codes import N_SUITS, KeepParam

_HONOURS = int(ACES) | int(FACES)
_HIGH = int(ACES) | int(KINGS)


def _lowest_cards(cards: int, n: int) -> int:
    """The n lowest-ranked natural cards, the lower suit first among equal ranks."""
    bits = [1 << bit for bit in range(64) if cards >> bit & 1]
    return sum(sorted(bits, key=lambda card: (rank(card), card))[:n])


def keep_best(view: ExchangeView, params: Sequence[int]) -> Reason:
    """The worst suits from below; then what is lowest."""
    hand, n = int(view.hand), int(view.n_throw)
    worth = [length(hand, suit) + 2 * length(hand & _HONOURS, suit) for suit in range(N_SUITS)]
    order = sorted(range(N_SUITS), key=lambda suit: (worth[suit], suit))
    colons = 0 if params[KeepParam.KEEP_COLONS] else hand & int(COLONS)
    colons = 0 if colons.bit_count() > n else colons
    naturals = hand & ALL_NATURALS
    spare = naturals & ~(SUIT_MASKS[order[-1]] | _HIGH)
    rest = n - colons.bit_count()
    kept = f"keeps {suit_name(order[-1])}, aces and kings"
    if spare.bit_count() >= rest:
        bits = [1 << bit for suit in order[:-1] for bit in range(16 * suit, 16 * suit + 16) if spare >> bit & 1]
        thrown, rule = sum(bits[:rest]), f"{kept}; throws the other suits from below, the worst first"
    else:
        more = _lowest_cards(naturals ^ spare, rest - spare.bit_count())
        thrown, rule = spare | more, f"{kept} as far as there is room; throws all others, and the lowest of these"
    numbers: dict[str, Any] = {
        "to_throw": n,
        "worth_of_suits": {suit_name(suit): worth[suit] for suit in order},
        "spare": cards_text(spare),
        "colons_thrown": cards_text(colons),
    }
    return Reason(colons | thrown, "keep_best", rule, numbers)


def keep_high(view: ExchangeView, params: Sequence[int]) -> Reason:
    """The lowest cards."""
    n = int(view.n_throw)
    thrown = _lowest_cards(int(view.hand) & ALL_NATURALS, n)
    return Reason(thrown, "keep_high", "throws the lowest cards, whatever their suits", {"to_throw": n})
