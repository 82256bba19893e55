"""The tricks of any number of players, each playing for himself, with natural cards.

Rule (rules.md, sections 2 and 5): a player leads any card, the others follow in turn under the duties of
`simcore.phases.play.duties`; the highest trump, else the highest of the led suit, wins; the winner leads next. Players out of cards are
skipped; if the winner has none left, the next one with cards leads.
"""

from __future__ import annotations

from simcore._jit import kernel
from simcore.bits import U0, U, ctz, popcount, select
from simcore.bots.many.switch import choose_card
from simcore.bots.view import ManyView
from simcore.cards import SUIT_OF, trump_cards
from simcore.phases.deal import next_seat
from simcore.phases.play.duties import legal_cards
from simcore.phases.play.two_hands import winning_replies
from simcore.rng import play_key

NOBODY = -1


@kernel
def play_many_hands(rules, bots, key, leader, strain, declarer, bid, alone, n_tricks, table, tricks, slot):
    """Play out a deal among any number of hands.

    rules : Rules, bots : Bots, key : uint64 key of the deal
    leader : int64       seat that leads to the first trick
    strain : int64       strain of the trumps
    declarer, bid, alone : int64   the contract in games of steps; -1, 0, 0 in games of calls
    n_tricks : int64     tricks to play; the hands must last so long
    table : Table        hands (used up), calls, quotas and totals as the play begins; taken, won, won_with and voids are updated
    tricks : uint64[:, :]  output, row `slot`: the cards of each trick together
    """
    play = rules.play
    players = rules.deal.players
    trumps = trump_cards(strain)
    aside = table.stock[0] if rules.deal.upcard and rules.exchange.takes_upcard == 0 else U0
    gone = aside
    for seat in range(players):
        table.taken[seat] = 0
        table.won[seat] = U0
        table.won_with[seat] = U0
        table.voids[seat] = U0
        table.notes[seat] = U0
    for trick in range(n_tricks):
        seat = leader
        suit, led, best, winners, cards = U0, U0, U0, U0, U0
        best_seat = NOBODY
        to_play = -1
        for other in range(players):
            to_play += 1 if table.hands[other] != U0 else 0
        for _ in range(players):
            hand = table.hands[seat]
            if hand != U0:
                ruffed = (best & trumps != U0) & (suit & trumps == U0)
                legal = legal_cards(play, hand, suit, winners, trumps, ruffed)
                view = ManyView(
                    hand=hand,
                    legal=legal,
                    n_legal=popcount(legal),
                    led=led,
                    best=best,
                    winners=winners,
                    best_seat=best_seat,
                    to_play=to_play,
                    unseen=rules.deal.deck & ~(hand | gone | table.gone[seat]),
                    trumps=trumps,
                    strain=strain,
                    seat=seat,
                    players=players,
                    voids=table.voids,
                    calls=table.calls,
                    taken=table.taken,
                    quotas=table.quotas,
                    declarer=declarer,
                    bid=bid,
                    alone=alone,
                    trick=trick,
                    n_tricks=n_tricks,
                    totals=table.totals,
                    key=play_key(key, seat),
                )
                card, note = choose_card(
                    bots.play[seat], view, bots.play_params, U(seat), table.notes[seat], bots.only_random
                )
                table.notes[seat] = note
                table.hands[seat] = hand ^ card
                cards |= card
                gone |= card
                to_play -= 1
                bit = ctz(card)
                leads = led == U0
                suit = select(leads, SUIT_OF[bit], suit)
                led = select(leads, card, led)
                table.voids[seat] |= select(card & suit == U0, suit & play.must_follow, U0)
                if leads or card & winners != U0:
                    best, best_seat = card, seat
                    winners = winning_replies(bit, trumps)
            seat = next_seat(seat, players)
        tricks[slot, trick] = cards
        table.taken[best_seat] += 1
        table.won[best_seat] |= cards
        table.won_with[best_seat] |= best
        leader = best_seat
