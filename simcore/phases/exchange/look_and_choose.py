"""The exchange of Draw and Discard Bridge: nobody is dealt a card, each makes his hand by keeping or throwing.

Rule (rules.md, section 4): non-dealer first, alternating, 26 turns. A turn uses two cards: look at the top card; either keep
it, then look at the next one and discard that; or discard it, and the next one is kept, whatever it is. Discards are face
down. Options: the second card is not looked at when the first is kept; discards are face up.
"""

from __future__ import annotations

from simcore._jit import inlined, kernel
from simcore.bits import U0, U1, I, U, select
from simcore.bots.choosing.switch import keeps_first
from simcore.bots.view import ChooseView
from simcore.codes import CHOICES
from simcore.rng import exchange_key

STOCK_FOR_CHOICES = 2 * CHOICES
"""Cards that the turns use."""


@inlined
def take_turn(
    choose, policy, params, seat, only_random, choosing, first, second, hand, unseen, opponent_thrown, turn, is_dealer, key
):
    """One seat's turn with the two top cards.

    choose : ChooseRules
    policy, params, seat, only_random, choosing   as `bots.choosing.switch.keeps_first` takes them
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
    keeps = keeps_first(policy, view, params, seat, only_random, choosing)
    card = select(keeps != 0, first, second)
    # the second card is seen when it is kept, and when it is thrown where the option says so
    seen = select(keeps != 0, second & (choose.second_seen | choose.face_up), second)
    return keeps, card, first ^ second ^ card, unseen & ~seen


@kernel
def exchange_by_choice(rules, choose, bots, key, dealer, table, choices, slot):
    """Let both seats make their hands.

    rules : CommonRules, choose : ChooseRules, bots : Bots, key : uint64 key of the deal, dealer : int64 seat
    table : Table        the stock in order; hands, thrown, gone and drawn are updated
    choices : uint64[:]  output, entry `slot`: bit t: turn t kept the first card
    """
    # "my" is the non-dealer's, whose turn is first of each pair. Both turns stand in one loop, so that what a seat does not
    # change from turn to turn is worked out once.
    seat, other = U1 - U(dealer), U(dealer)
    my_key, their_key = exchange_key(key, I(seat)), exchange_key(key, I(other))
    my_policy, their_policy = bots.exchange[seat], bots.exchange[other]
    kept = U0
    my_hand, their_hand = U0, U0
    my_unseen, their_unseen = rules.deal.deck, rules.deal.deck
    my_thrown, their_thrown = U0, U0
    for turn in range(CHOICES >> 1):
        top = U(turn) << U(2)
        keeps, card, thrown, my_unseen = take_turn(
            choose, my_policy, bots.exchange_params, seat, bots.only_random, bots.choosing, table.stock[top],
            table.stock[top + U1], my_hand, my_unseen, their_thrown, turn, 0, my_key,
        )
        my_hand |= card
        my_thrown |= thrown
        their_unseen &= ~(thrown & choose.face_up)
        kept |= U(keeps) << U(2 * turn)
        keeps, card, thrown, their_unseen = take_turn(
            choose, their_policy, bots.exchange_params, other, bots.only_random, bots.choosing, table.stock[top + U(2)],
            table.stock[top + U(3)], their_hand, their_unseen, my_thrown, turn, 1, their_key,
        )
        their_hand |= card
        their_thrown |= thrown
        my_unseen &= ~(thrown & choose.face_up)
        kept |= U(keeps) << U(2 * turn + 1)
    choices[slot] = kept
    table.hands[seat], table.hands[other] = my_hand, their_hand
    table.thrown[seat], table.thrown[other] = my_thrown, their_thrown
    table.gone[seat] = rules.deal.deck & ~(my_hand | my_unseen)
    table.gone[other] = rules.deal.deck & ~(their_hand | their_unseen)
    for role in range(2):
        table.drawn[role] = CHOICES >> 1
