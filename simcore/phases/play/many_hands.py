"""The tricks of any number of players, each playing for himself, with natural cards.

Rule (rules.md, sections 2 and 5): a player leads any card, the others follow in turn under the duties of
`simcore.phases.play.duties`; the highest trump, else the highest of the led suit, wins; the winner leads next. Players out of
cards are skipped; if the winner has none left, the next one with cards leads.
"""

from __future__ import annotations

from simcore._jit import inlined, kernel
from simcore.bits import U0, U1, I, U, ctz, popcount, select, unlikely
from simcore.bots.view import ManyView
from simcore.cards import SUIT_OF, trump_cards
from simcore.phases.play.duties import legal_cards
from simcore.phases.play.many_rules import cards_above, overtricks_allowed, seats_to_follow
from simcore.phases.play.sampled import choose_card, forget, note_card, note_trick
from simcore.rng import play_key

NOBODY = -1


@inlined
def keep_trick(call_score, table, best_seat, best, cards):
    """Note the cards of a trick, which games of calls do not need."""
    if call_score is None:
        table.won[best_seat] |= cards
        table.won_with[best_seat] |= best


@kernel
def play_many_hands(rules, bots, key, leader, strain, declarer, bid, alone, n_tricks, table, tricks, slot):
    """Play out a deal among any number of hands.

    rules : Rules or SheddingRules, bots : Bots, key : uint64 key of the deal
    leader : int64       seat that leads to the first trick
    strain : int64       strain of the trumps
    declarer, bid, alone : int64   the contract in games of steps; -1, 0, 0 in games of calls
    n_tricks : int64     tricks to play; the hands must last so long
    table : Table        hands (used up), calls, quotas, totals as the play begins; taken, won, won_with, voids are updated
    tricks : uint64[:, :]  output, row `slot`: the cards of each trick together
    """
    play = rules.play
    players = rules.deal.players
    trumps = trump_cards(strain)
    aside = table.stock[0] if rules.deal.upcard and rules.exchange.takes_upcard == 0 else U0
    gone, shown = aside, U0
    for seat in range(players):
        table.taken[seat] = 0
        table.won[seat] = U0
        table.won_with[seat] = U0
        table.voids[seat] = U0
        table.notes[seat] = U0
    forget(table.rollouts)
    # unsigned seats, and who is winning by selects: nobody can predict it (ARCHITECTURE.md, Kernels)
    last_seat = U(players - 1)
    best_seat = U(leader)
    for trick in range(n_tricks):
        seat = best_seat
        suit, led, best, winners, cards = U0, U0, U0, U0, U0
        to_play = seats_to_follow(rules.call_score, table, players)
        for _ in range(players):
            hand = table.hands[seat]
            if hand != U0:
                leads = led == U0
                ruffed = (best & trumps != U0) & (suit & trumps == U0)
                legal = legal_cards(play, hand, suit, winners, trumps, ruffed)
                holder = NOBODY if leads else I(best_seat)
                view = ManyView(
                    hand=hand,
                    legal=legal,
                    n_legal=popcount(legal),
                    led=led,
                    best=best,
                    winners=winners,
                    best_seat=holder,
                    to_play=to_play,
                    unseen=rules.deal.deck & ~(hand | gone | table.gone[seat]),
                    trumps=trumps,
                    strain=strain,
                    seat=I(seat),
                    players=players,
                    voids=table.voids,
                    shown=shown,
                    calls=table.calls,
                    overtricks=overtricks_allowed(rules.call_score, table.calls[seat]),
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
                    bots.play[seat], view, bots.play_params, seat, table.notes[seat], bots.only_random, rules, table.rollouts
                )
                note_card(table.rollouts, play, seat, card, suit, winners, trumps, ruffed)
                table.notes[seat] = note
                table.hands[seat] = hand ^ card
                cards |= card
                gone |= card
                to_play -= 1
                if unlikely(leads):  # a branch, so that those who follow need not wait for one another
                    suit, led, best, best_seat = SUIT_OF[ctz(card)], card, card, seat
                    winners = cards_above(card, suit, trumps)
                else:
                    void = select(card & suit == U0, suit & play.must_follow, U0)
                    table.voids[seat] |= void
                    shown |= void
                    takes = card & winners != U0
                    best = select(takes, card, best)
                    best_seat = select(takes, seat, best_seat)
                    winners = select(takes, cards_above(card, suit, trumps), winners)
            seat = select(seat == last_seat, U0, seat + U1)
        tricks[slot, trick] = cards
        table.taken[best_seat] += 1
        note_trick(table.rollouts, best_seat, cards)
        keep_trick(rules.call_score, table, best_seat, best, cards)
