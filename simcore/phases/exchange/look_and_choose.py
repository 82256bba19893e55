"""The exchange of Draw and Discard Bridge: nobody is dealt a card, each makes his hand by keeping or throwing.

Rule (rules.md, section 4): non-dealer first, alternating, 26 turns. A turn uses two cards: look at the top card; either keep
it, then look at the next one and discard that; or discard it, and the next one is kept, whatever it is. Discards are face
down. Options: the second card is not looked at when the first is kept; discards are face up.
"""

from __future__ import annotations

from simcore._jit import inlined, kernel
from simcore.bits import U0, U1, I, U, pdep, select
from simcore.bots.choosing.random import coins
from simcore.bots.choosing.switch import keeps_first
from simcore.bots.view import ChooseView
from simcore.codes import CHOICES
from simcore.rng import exchange_key

STOCK_FOR_CHOICES = 2 * CHOICES
"""Cards that the turns use."""
EVEN_TURNS = U(sum(1 << turn for turn in range(0, CHOICES, 2)))
"""Turns of the non-dealer, a bit a turn."""


@inlined
def take_turn(choose, policy, params, seat, choosing, first, second, hand, unseen, opponent_thrown, turn, is_dealer, key):
    """One seat's turn with the two top cards.

    choose : ChooseRules
    policy, params, seat, choosing   as `bots.choosing.switch.keeps_first` takes them
    first, second : uint64      the two cards; hand, unseen : uint64 of the seat, before it looks
    opponent_thrown : uint64    what the other seat has thrown
    turn : int64                of this seat's own
    -> (int64, uint64, uint64, uint64)   whether it kept the first; the card kept, the card thrown, what is unseen now
    """
    unseen &= ~first
    view = ChooseView(
        hand=hand,
        first=first,
        unseen=unseen,
        opponent_thrown=opponent_thrown & choose.face_up,
        turn=turn,
        n_turns=CHOICES >> 1,
        is_dealer=is_dealer,
        key=key,
    )
    keeps = keeps_first(policy, view, params, seat, choosing)
    card = select(keeps != 0, first, second)
    # the second card is seen when it is kept, and when it is thrown where the option says so
    seen = select(keeps != 0, second & (choose.second_seen | choose.face_up), second)
    return keeps, card, first ^ second ^ card, unseen & ~seen


@inlined
def take_all_turns(choose, bots, key, seat, deck, stock):
    """Let both seats take their turns, each with its view of it.

    choose : ChooseRules, bots : Bots, key : uint64 key of the deal
    seat : uint64        the non-dealer
    deck : uint64
    stock : uint64[:]    the pack in order
    -> (uint64, tuple, tuple)   turns that kept the first card; of the non-dealer and of the dealer: hand, thrown, gone
    """
    # "my" is the non-dealer's, whose turn is first of each pair. Both turns stand in one loop, so that what a seat does not
    # change from turn to turn is worked out once.
    other = U1 - seat
    my_key, their_key = exchange_key(key, I(seat)), exchange_key(key, I(other))
    my_policy, their_policy = bots.exchange[seat], bots.exchange[other]
    kept = U0
    my_hand, their_hand = U0, U0
    my_unseen, their_unseen = deck, deck
    my_thrown, their_thrown = U0, U0
    for turn in range(CHOICES >> 1):
        top = U(turn) << U(2)
        keeps, card, thrown, my_unseen = take_turn(
            choose, my_policy, bots.exchange_params, seat, bots.choosing, stock[top], stock[top + U1],
            my_hand, my_unseen, their_thrown, turn, 0, my_key,
        )
        my_hand |= card
        my_thrown |= thrown
        their_unseen &= ~(thrown & choose.face_up)
        kept |= U(keeps) << U(2 * turn)
        keeps, card, thrown, their_unseen = take_turn(
            choose, their_policy, bots.exchange_params, other, bots.choosing, stock[top + U(2)], stock[top + U(3)],
            their_hand, their_unseen, my_thrown, turn, 1, their_key,
        )
        their_hand |= card
        their_thrown |= thrown
        my_unseen &= ~(thrown & choose.face_up)
        kept |= U(keeps) << U(2 * turn + 1)
    mine = my_hand, my_thrown, deck & ~(my_hand | my_unseen)
    return kept, mine, (their_hand, their_thrown, deck & ~(their_hand | their_unseen))


@inlined
def keep_by_coins(choose, keeps, stock, top):
    """What a random bot has after its turns: its hand, what it threw, and of that what it has seen.

    choose : ChooseRules
    keeps : uint64       bit t: its turn t keeps the first card
    stock : uint64[:]    the pack in order; top : uint64 where its first turn begins
    -> (uint64, uint64, uint64)
    """
    hand, firsts, seconds = U0, U0, U0
    for turn in range(CHOICES >> 1):
        at = top + (U(turn) << U(2))
        hand |= stock[at + (~(keeps >> U(turn)) & U1)]  # an index costs less than to choose between two cards
        firsts |= stock[at]
        seconds |= stock[at + U1]
    thrown = hand ^ (firsts | seconds)
    return hand, thrown, thrown & (firsts | choose.second_seen | choose.face_up)


@inlined
def make_hands(only_random, choose, bots, key, seat, deck, stock):
    """Let both seats make their hands; arguments and result as of `take_all_turns`.

    only_random : int64 or None   not None where all bots of the run are random: they look at nothing, and all their turns are
                                  worked out at once, without a view of each
    """
    if only_random is not None:
        my_coins, their_coins = coins(exchange_key(key, I(seat))), coins(exchange_key(key, I(U1 - seat)))
        kept = pdep(my_coins, EVEN_TURNS) | pdep(their_coins, EVEN_TURNS << U1)
        my_hand, my_thrown, my_gone = keep_by_coins(choose, my_coins, stock, U0)
        their_hand, their_thrown, their_gone = keep_by_coins(choose, their_coins, stock, U(2))
        my_gone |= their_thrown & choose.face_up
        their_gone |= my_thrown & choose.face_up
        return kept, (my_hand, my_thrown, my_gone), (their_hand, their_thrown, their_gone)
    return take_all_turns(choose, bots, key, seat, deck, stock)


@kernel
def exchange_by_choice(rules, choose, bots, key, dealer, table, choices, slot):
    """Let both seats make their hands.

    rules : CommonRules, choose : ChooseRules, bots : Bots, key : uint64 key of the deal, dealer : int64 seat
    table : Table        the stock in order; hands, thrown, gone and drawn are updated
    choices : uint64[:]  output, entry `slot`: bit t: turn t kept the first card
    """
    seat, other = U1 - U(dealer), U(dealer)
    kept, mine, theirs = make_hands(bots.only_random, choose, bots, key, seat, rules.deal.deck, table.stock)
    choices[slot] = kept
    table.hands[seat], table.thrown[seat], table.gone[seat] = mine
    table.hands[other], table.thrown[other], table.gone[other] = theirs
    for role in range(2):
        table.drawn[role] = CHOICES >> 1
