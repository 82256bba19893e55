"""The exchange of Bridgette: the upcard says how many cards the dealer may see.

Rule (rules.md, section 1): the non-dealer takes the top two and discards down to thirteen; then the dealer takes N
and discards down to thirteen, N by the upcard (spot or Little 4, face or Royal 8, ace or Grand 12). Discards are face
down. Option: the dealer takes the upcard besides, and throws one more.
"""

from __future__ import annotations

from simcore._jit import inlined, kernel
from simcore.bits import U0
from simcore.bots.exchange.switch import choose_throw
from simcore.bots.view import ExchangeView
from simcore.cards import COLONS, UPCARD_CLASS, rank_index
from simcore.rng import exchange_key


@inlined
def dealer_draw(exchange, upcard):
    """Stock cards the dealer draws. exchange : ExchangeRules, upcard : uint64 one bit -> int64"""
    kind = UPCARD_CLASS[rank_index(upcard)]
    if kind == 0:
        return exchange.dealer_draw_spot
    return exchange.dealer_draw_face if kind == 1 else exchange.dealer_draw_ace


@inlined
def stock_needed(exchange, upcard):
    """Cards of the rest of the pack that the exchange uses, the upcard included. -> int64"""
    return 1 + exchange.non_dealer_draw + dealer_draw(exchange, upcard)


@inlined
def throw_cards(rules, bots, key, seat, hand, n_throw, is_dealer, table):
    """One seat throws cards of a hand with all it has drawn, and keeps the rest. hand : uint64; table : Table, modified"""
    thrown = U0
    if n_throw > 0:
        view = ExchangeView(
            hand=hand,
            n_throw=n_throw,
            upcard=table.stock[0],
            is_dealer=is_dealer,
            colons=rules.deal.deck & COLONS,
            key=exchange_key(key, seat),
        )
        thrown = choose_throw(
            bots.exchange[seat], view, bots.exchange_params, table.memory, seat, bots.only_random, bots.keeping
        )
    table.hands[seat] = hand ^ thrown
    table.thrown[seat] = thrown
    table.gone[seat] = thrown
    table.drawn[seat] = n_throw


@inlined
def _draw_and_throw(rules, bots, key, seat, first, n_cards, extra, is_dealer, table):
    """One seat draws stock cards first .. first + n_cards - 1 (and `extra`), and throws as many."""
    hand = table.hands[seat] | extra
    for i in range(first, first + n_cards):
        hand |= table.stock[i]
    n_throw = n_cards + (1 if extra != U0 else 0)
    throw_cards(rules, bots, key, seat, hand, n_throw, is_dealer, table)


@kernel
def exchange_by_upcard(rules, bots, key, dealer, table):
    """Both seats draw and throw, the non-dealer first.

    rules : CommonRules, bots : Bots, key : uint64 key of the deal, dealer : int64 seat
    table : Table        hands, thrown and drawn are updated; the stock must be drawn as far as `stock_needed`
    """
    exchange = rules.exchange
    upcard = table.stock[0]
    first = 1
    _draw_and_throw(rules, bots, key, 1 - dealer, first, exchange.non_dealer_draw, U0, 0, table)
    first += exchange.non_dealer_draw
    extra = upcard if exchange.takes_upcard else U0
    _draw_and_throw(rules, bots, key, dealer, first, dealer_draw(exchange, upcard), extra, 1, table)
