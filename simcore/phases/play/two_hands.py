"""The tricks of two players, with Bridgette's colons: a bot's card at each turn, by the rules of `two_hand_rules`."""

from __future__ import annotations

from simcore._jit import kernel
from simcore.bits import U0, U1, I, U, ctz, popcount, unlikely
from simcore.bots.play.ahead import change_draws, draw_again, draw_ahead, first_draw, words_of_tricks
from simcore.bots.play.switch import choose_follow, choose_lead
from simcore.bots.view import PlayView
from simcore.cards import trump_cards
from simcore.codes import N_STRAINS
from simcore.phases.play.two_hand_rules import (
    bar_after,
    change_places,
    colon_in_range,
    lacks_after_lead,
    lacks_after_reply,
    legal_leads,
    legal_replies,
    trump_strain,
    void_shown,
    winning_replies,
)
from simcore.rng import play_key


@kernel
def play_tricks(rules, bots, key, notes, contracted, table, tricks, slot):
    """Play out a deal between two hands.

    rules : CommonRules, bots : Bots, key : uint64 key of the deal
    notes : (uint64, uint64)   what the seats note before their first cards (`simcore.bots.play.ahead.first_notes`)
    contracted : Contracted   a deal that was not passed out; of level -1 where there is no contract and every trick counts
    table : Table        hands as the play begins, gone, the upcard in stock[0], totals
    tricks : uint64[:, :]  output, row `slot`: the two cards of each trick
    -> int64             declarer's tricks
    """
    play = rules.play
    n_tricks = rules.deal.final_cards
    turned = table.stock[0] if rules.deal.upcard else U0
    strain = trump_strain(play, contracted.bid % N_STRAINS, turned)
    level = contracted.bid // N_STRAINS
    trumps = trump_cards(strain)
    # an upcard set aside is out of play; one that the dealer took may be in his hand
    aside = turned if rules.exchange.takes_upcard == 0 else U0
    # Everything of the leader and of the follower; a follower who wins changes places with the leader.
    # Seats are unsigned here: an index that may be negative costs three instructions more.
    declarer = U(contracted.declarer)
    leader = U1 - declarer
    lead_hand, follow_hand = table.hands[leader], table.hands[declarer]
    # Kept in variables that change places, not in arrays by seat: an address would have to wait for the winner.
    lead_unseen = rules.deal.deck & ~(lead_hand | table.gone[leader] | aside)  # as the play begins
    follow_unseen = rules.deal.deck & ~(follow_hand | table.gone[declarer] | aside)
    # suits in which this player has shown a void; cards that this player has shown not to hold
    lead_void, follow_void, lead_lacks, follow_lacks = U0, U0, U0, U0
    lead_note, follow_note = change_places(leader == U1, notes[0], notes[1])
    lead_draw = first_draw(bots.only_random, lead_note, U(n_tricks))
    # Equal numbers, of which LLVM does not know it: knowing it, it would make one draw of two, after the winner is known.
    lead_left, follow_left = popcount(lead_hand), popcount(follow_hand)
    away = U1  # whether the lead is with declarer's opponent
    other_tricks, bar, played, words = 0, U0, U0, words_of_tricks(n_tricks)
    for trick in range(n_tricks):
        leader, follower = declarer ^ away, declarer ^ away ^ U1
        declarer_leads, declarer_tricks = I(away ^ U1), trick - other_tricks
        legal = legal_leads(play, lead_hand, bar)
        # without a bar all cards are legal, and their number is known before the cards are
        n_legal = popcount(legal) if unlikely(bar != U0) else U(n_tricks - trick)
        lead_draw = draw_again(lead_draw, unlikely(bar != U0), lead_note, n_legal)
        led, lead_note = choose_lead(
            bots.play[leader],
            PlayView(
                hand=lead_hand,
                legal=legal,
                n_legal=n_legal,
                led=U0,
                winners=U0,
                barring=U0,
                bar=bar,
                unseen=lead_unseen & ~played,
                opponent_void=follow_void,
                trumps=trumps,
                strain=strain,
                level=level,
                doubling=contracted.doubling,
                is_declarer=declarer_leads,
                own_tricks=declarer_tricks * declarer_leads + other_tricks * (1 - declarer_leads),
                trick=trick,
                n_tricks=n_tricks,
                own_score=table.totals[leader],
                opponent_score=table.totals[follower],
                key=play_key(key, leader),
                opponent_lacks=follow_lacks,
            ),
            bots.play_params,
            table.memory,
            leader,
            lead_note,
            bots.only_random,
            table.oracle,
            follow_hand,
            table.sampling,
            lead_draw,
        )
        played |= led
        lead_lacks |= lacks_after_lead(play, led, bar)
        led_bit = ctz(led)
        winners = winning_replies(led_bit, trumps)
        legal = legal_replies(play, follow_hand, led_bit, trumps)
        n_legal = popcount(legal)
        reply, follow_note = choose_follow(
            bots.play[follower],
            PlayView(
                hand=follow_hand,
                legal=legal,
                n_legal=n_legal,
                led=led,
                winners=winners,
                barring=colon_in_range(play, led_bit),
                bar=U0,
                unseen=follow_unseen & ~played,
                opponent_void=lead_void,
                trumps=trumps,
                strain=strain,
                level=level,
                doubling=contracted.doubling,
                is_declarer=1 - declarer_leads,
                own_tricks=declarer_tricks * (1 - declarer_leads) + other_tricks * declarer_leads,
                trick=trick,
                n_tricks=n_tricks,
                own_score=table.totals[follower],
                opponent_score=table.totals[leader],
                key=play_key(key, follower),
                opponent_lacks=lead_lacks,
            ),
            bots.play_params,
            table.memory,
            follower,
            follow_note,
            bots.only_random,
            table.oracle,
            lead_hand ^ led,
            table.sampling,
        )
        bar = bar_after(play, follow_hand, led_bit, reply)
        follow_void |= void_shown(play, led_bit, reply)
        follow_lacks |= lacks_after_reply(play, led_bit, reply, winners)
        played |= reply
        lead_hand ^= led
        follow_hand ^= reply
        tricks[slot, trick] = led | reply
        lead_left, follow_left = lead_left - U1, follow_left - U1
        lead_key, follow_key = play_key(key, leader), play_key(key, follower)
        lead_note, lead_draw = draw_ahead(bots.only_random, lead_key, trick + 1, lead_note, lead_left, words)
        follow_note, follow_draw = draw_ahead(bots.only_random, follow_key, trick + 1, follow_note, follow_left, words)
        moves = reply & winners != U0
        lead_draw, follow_draw = change_draws(moves, lead_draw, follow_draw)
        lead_hand, follow_hand = change_places(moves, lead_hand, follow_hand)
        lead_note, follow_note = change_places(moves, lead_note, follow_note)
        lead_unseen, follow_unseen = change_places(moves, lead_unseen, follow_unseen)
        lead_void, follow_void = change_places(moves, lead_void, follow_void)
        lead_lacks, follow_lacks = change_places(moves, lead_lacks, follow_lacks)
        away ^= U(moves)
        other_tricks += I(away)
    return n_tricks - other_tricks
