"""An auction in which each player calls once how many tricks he will take.

Rule (rules.md, section 2): the player after the dealer calls first, the dealer last; one call each, from `min` to `max`, no
need to exceed. Option: the last caller may not make the sum of the calls equal the tricks.
"""

from __future__ import annotations

from simcore._jit import inlined, kernel
from simcore.bits import U0, I, U
from simcore.bots.calls.switch import choose_call
from simcore.bots.view import CallView
from simcore.cards import trump_cards
from simcore.codes import BID_OFFSET
from simcore.rng import bidding_key
from simcore.seats import next_seat

NOBODY_YET = -1
ANY_CALL = -1


@inlined
def forbidden_call(calls, position, players, n_tricks, total):
    """The call that a caller may not make: that of the last which makes the sum equal the tricks; -1 for none.

    calls : CallRules, position : int64 calls before, total : int64 their sum -> int64
    """
    if calls.total_may_equal == 0 and position == players - 1:
        rest = n_tricks - total
        if calls.lowest <= rest <= calls.highest:
            return rest
    return ANY_CALL


@kernel
def run_calls(rules, calls, score, bots, key, dealer, strain, table, record, slot, imposed=None):
    """Let every seat call.

    rules : CommonRules, calls : CallRules, score : CallScoreRules, bots : Bots
    key : uint64 key of the deal, dealer : int64 seat
    strain : int64       strain of the trumps
    table : Table        hands as the auction begins, totals; calls are updated
    record : uint8[:, :]  output, row `slot`: the calls in order, + BID_OFFSET
    imposed : (int64, int64) or None   a seat and what it calls, whatever its policy would
    -> int64             number of calls
    """
    players, n_tricks = rules.deal.players, rules.deal.final_cards
    turned = table.stock[0] if rules.deal.upcard else U0
    aside = turned if rules.exchange.takes_upcard == 0 else U0
    for seat in range(players):
        table.calls[seat] = NOBODY_YET
    seat = dealer
    total = 0
    for position in range(players):
        seat = next_seat(seat, players)
        view = CallView(
            hand=table.hands[seat],
            trumps=trump_cards(strain),
            strain=strain,
            turned=turned,
            unseen=rules.deal.deck & ~(table.hands[seat] | table.gone[seat] | aside),
            lowest=calls.lowest,
            highest=calls.highest,
            overtricks=score.overtricks,
            bonus_from=score.bonus_from,
            bonus_overtricks=score.bonus_overtricks,
            forbidden=forbidden_call(calls, position, players, n_tricks, total),
            position=position,
            players=players,
            seat=seat,
            calls=table.calls,
            n_tricks=n_tricks,
            totals=table.totals,
            key=bidding_key(key, seat),
        )
        call = I(
            choose_call(bots.bidding[seat], view, bots.bidding_params, U(seat), bots.only_random, bots.expected)
        )
        if imposed is not None:
            if seat == imposed[0]:
                call = imposed[1]
        table.calls[seat] = call
        record[slot, position] = call + BID_OFFSET
        total += call
    return players
