"""The exchange of Draw and Discard Bridge: nobody is dealt a card, each makes his hand by keeping or throwing.

Rule (rules.md, section 4): non-dealer first, alternating, 26 turns. A turn uses two cards: look at the top card; either keep
it, then look at the next one and discard that; or discard it, and the next one is kept, whatever it is. Discards are face
down. Options: the second card is not looked at when the first is kept; discards are face up.
"""

from __future__ import annotations

from simcore._jit import kernel
from simcore.bits import U0, U1, I, U, select
from simcore.bots.choosing.switch import keeps_first
from simcore.bots.view import ChooseView
from simcore.codes import CHOICES
from simcore.rng import exchange_key

STOCK_FOR_CHOICES = 2 * CHOICES
"""Cards that the turns use."""


@kernel
def exchange_by_choice(rules, choose, bots, key, dealer, table, choices, slot):
    """Let both seats make their hands.

    rules : CommonRules, choose : ChooseRules, bots : Bots, key : uint64 key of the deal, dealer : int64 seat
    table : Table        the stock in order; hands, thrown, gone and drawn are updated
    choices : uint64[:]  output, entry `slot`: bit t: turn t kept the first card
    """
    kept = U0
    seat = U1 - U(dealer)
    my_hand, their_hand = U0, U0
    my_unseen, their_unseen = rules.deal.deck, rules.deal.deck
    my_thrown, their_thrown = U0, U0
    for turn in range(CHOICES):
        first, second = table.stock[2 * turn], table.stock[2 * turn + 1]
        my_unseen &= ~first
        is_dealer = 1 if seat == U(dealer) else 0
        view = ChooseView(
            hand=my_hand,
            first=first,
            unseen=my_unseen,
            opponent_thrown=their_thrown & choose.face_up,
            turn=turn >> 1,
            n_turns=CHOICES >> 1,
            is_dealer=is_dealer,
            key=exchange_key(key, I(seat)),
        )
        keeps = keeps_first(bots.exchange[seat], view, bots.exchange_params, seat, bots.only_random)
        kept |= U(keeps) << U(turn)
        card = select(keeps != 0, first, second)
        thrown = first ^ second ^ card
        my_hand |= card
        my_thrown |= thrown
        # the second card is seen when it is kept, and when it is thrown where the option says so
        seen = select(keeps != 0, second & (choose.second_seen | choose.face_up), second)
        my_unseen &= ~seen
        their_unseen &= ~(thrown & choose.face_up)
        my_hand, their_hand = their_hand, my_hand
        my_unseen, their_unseen = their_unseen, my_unseen
        my_thrown, their_thrown = their_thrown, my_thrown
        seat = U1 - seat
    choices[slot] = kept
    # an even number of turns: "my" is again the non-dealer's
    other = U(dealer)
    table.hands[seat], table.hands[other] = my_hand, their_hand
    table.thrown[seat], table.thrown[other] = my_thrown, their_thrown
    table.gone[seat] = rules.deal.deck & ~(my_hand | my_unseen)
    table.gone[other] = rules.deal.deck & ~(their_hand | their_unseen)
    for role in range(2):
        table.drawn[role] = CHOICES >> 1
