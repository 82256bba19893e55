"""Dealing: hands in turn order from the seat after the dealer, then the upcard, then the stock.

Rule (rules.md, section 1): thirteen each, the opponent of the dealer first; the top card of the rest is turned. Random stream:
docs/random-streams.md, section 4.
"""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bits import U0, I, U
from simcore.codes import Purpose
from simcore.rng import GROUP, derive, draw_cards, draw_first_of_group, draw_group_in_order, draw_pairs_in_order
from simcore.seats import next_seat

CARDS = int(Purpose.CARDS)


@inlined
def cards_left(stream, draw, pool, n_pool, n_cards):
    """`draw_cards`, and without a draw where all cards are drawn: nothing is left then, whatever the order. -> uint64"""
    if n_pool == U(n_cards):
        return U0
    return draw_cards(stream, draw, pool, n_pool, n_cards)


@inlined
def deal_hands(deal, key, dealer, hands):
    """Deal the hands.

    deal : DealRules
    key : uint64         key of the deal
    dealer : int64       seat
    hands : uint64[:]    output, by seat
    -> uint64            the rest of the pack
    """
    stream = derive(key, U(CARDS))
    pool = deal.deck
    n_pool = deal.n_deck
    draw = U0
    seat = dealer
    for _ in range(deal.players):
        seat = next_seat(seat, deal.players)
        rest = cards_left(stream, draw, pool, n_pool, deal.cards)
        hands[seat] = pool ^ rest
        pool = rest
        n_pool -= U(deal.cards)
        draw += U((deal.cards + GROUP - 1) // GROUP)
    return pool


@inlined
def deal_hands_of_sizes(deal, key, dealer, sizes, hands):
    """Deal hands of different sizes (rules.md, section 5: as large as the quotas).

    deal : DealRules, key : uint64 key of the deal, dealer : int64 seat
    sizes : int64[:]     cards of each hand, by seat
    hands : uint64[:]    output, by seat
    -> (uint64, uint64, int64)   the rest of the pack, its cards, the next draw
    """
    stream = derive(key, U(CARDS))
    pool = deal.deck
    n_pool = deal.n_deck
    draw = 0
    seat = dealer
    for _ in range(deal.players):
        seat = next_seat(seat, deal.players)
        rest = cards_left(stream, U(draw), pool, n_pool, sizes[seat])
        hands[seat] = pool ^ rest
        pool = rest
        n_pool -= U(sizes[seat])
        draw += (sizes[seat] + GROUP - 1) // GROUP
    return pool, n_pool, draw


@inlined
def deal_rest(key, pool, n_rest, first_draw, n_done, n_needed, stock):
    """Draw the rest of the pack in order, as far as it is needed.

    pool : uint64        the rest of the pack, without what was drawn of it before
    n_rest : int64       cards of the rest at first
    first_draw : int64   draw of its first group
    n_done : int64       cards drawn before: 0 or whole groups
    n_needed : int64     cards needed in all
    stock : uint64[:]    output, from index n_done on
    -> (uint64, int64)   the pool without the cards drawn, cards drawn
    """
    stream = derive(key, U(CARDS))
    draw = first_draw + n_done // GROUP
    # whole groups in a loop of their own, which asks nothing but whether there is another
    while n_needed - n_done >= GROUP:
        pool = draw_pairs_in_order(stream, U(draw), pool, U(n_rest - n_done), GROUP, stock, U(n_done))
        n_done += GROUP
        draw += 1
    take = n_needed - n_done
    if take > 0:
        left, r = n_rest - n_done, min(GROUP, n_rest - n_done)
        if take == 1:
            pool = draw_first_of_group(stream, U(draw), pool, U(left), r, stock, U(n_done))
        elif (take == 4) & (r == 4):  # the end of a pack of 52
            pool = draw_pairs_in_order(stream, U(draw), pool, U(left), 4, stock, U(n_done))
        else:
            pool = draw_group_in_order(stream, U(draw), U0, pool, U(left), r, take, stock, U(n_done))
        n_done += take
    return pool, n_done


@inlined
def deal_stock(deal, key, pool, n_done, n_needed, stock):
    """Draw the rest of the pack in order after `deal_hands`, the upcard first where there is one; see `deal_rest`."""
    n_rest = I(deal.n_deck) - deal.players * deal.cards
    first_draw = deal.players * ((deal.cards + GROUP - 1) // GROUP)
    return deal_rest(key, pool, n_rest, first_draw, n_done, n_needed, stock)


@inlined
def take_given(rules, given, match, table):
    """Lay a deal that the user gave on the table. -> (uint64, bool): the rest of the pack, whether its order is given too"""
    rest = rules.deal.deck
    for seat in range(rules.deal.players):
        table.hands[seat] = given.hands[match, seat]
        rest &= ~given.hands[match, seat]
    for i in range(given.stock.shape[1]):
        table.stock[i] = given.stock[match, i]
    return rest, given.stock[match, 0] != U0
