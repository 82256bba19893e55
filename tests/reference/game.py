"""Plays whole matches with random bots, from rules and a seed, and writes them as transcripts."""

from __future__ import annotations

from . import auction, colons, exchange, play, random_bot, streams
from .deal import deal_cards, next_seat
from .match import after_deal, match_line, new_match
from .transcript import deal_event, deal_result, deal_transcript
from .variant import check_rules


def play_match(rules, bots, seed, match, unit="match"):
    """Play one match, or with unit "deal" one deal and its redeals.

    Parameters
    ----------
    rules : dict
        The variant, every key given.
    bots : list of dict
        One bot a seat; only the random one is known here.
    seed, match : int
        Where the random numbers come from.
    unit : {"match", "deal"}

    Returns
    -------
    list of dict
        A transcript for each deal and, for unit "match", the line of the match.
    """
    check_rules(rules)
    for bot in bots:
        random_bot.check_bot(bot)
    state = new_match(rules, streams.first_dealer(seed, match, rules["players"]))
    lines = []
    while not state["over"]:
        transcript = play_deal(rules, bots, seed, match, state["dealt"], state["dealer"])
        lines.append(transcript)
        state = after_deal(rules, unit, state, transcript["result"])
    if unit == "match":
        lines.append(match_line(state, match))
    return lines


def play_deal(rules, bots, seed, match, deal, dealer):
    """Play one deal and return its transcript."""
    key = streams.deal_key(seed, match, deal)
    cards = deal_cards(rules, dealer, key)
    hands = cards["hands"]
    events = [deal_event(cards)]
    events += play_exchange(rules, key, dealer, cards)
    calls, call_events = play_auction(rules, bots, key, dealer, hands)
    events += call_events
    contract, declarer = auction.final_contract(rules, dealer, calls)
    tricks = None
    if contract is not None:
        tricks, play_events = play_tricks(rules, key, hands, contract, declarer)
        events += play_events
    result = deal_result(rules, contract, declarer, tricks)
    return deal_transcript(rules, bots, (seed, match, deal), dealer, events, result)


def play_exchange(rules, key, dealer, cards):
    """Exchange in turn; the hands in `cards` become those of the auction. Returns the events."""
    events = []
    stock = cards["stock"]
    for seat in exchange.exchange_order(rules, dealer):
        drew, stock = exchange.take_cards(rules, seat, dealer, cards["upcard"], stock)
        held = cards["hands"][seat] + drew
        discarded = random_bot.choose_discards(key, seat, held, len(drew))
        cards["hands"][seat] = [card for card in held if card not in discarded]
        events.append({"act": "exchange", "seat": seat, "drew": drew, "discarded": discarded})
    return events


def play_auction(rules, bots, key, dealer, hands):
    """Call in turn until the auction is over. Returns the calls and the events."""
    calls = []
    events = []
    while not auction.auction_is_over(calls):
        seat = auction.seat_to_call(rules, dealer, calls)
        own_calls = len(calls) // rules["players"]
        call = random_bot.choose_call(bots[seat], rules, key, seat, hands[seat], calls, own_calls)
        calls.append(call)
        events.append({"act": "call", "seat": seat, "call": call})
    return calls, events


def play_tricks(rules, key, hands, contract, declarer):
    """Play all tricks; declarer's opponent leads first, then each trick's winner.

    Returns
    -------
    tuple
        Tricks by seat, and the events.
    """
    hands = [list(hand) for hand in hands]
    trump = play.trump_suit(contract)
    tricks = [0] * rules["players"]
    leader = next_seat(rules, declarer)
    barred = None
    words = {}
    events = []
    for trick in range(rules["deal"]["cards"]):
        follower = next_seat(rules, leader)
        led = random_bot.choose_card(key, leader, trick, play.legal_leads(rules, hands[leader], barred), words)
        legal = play.legal_replies(rules, hands[follower], led, trump)
        reply = random_bot.choose_card(key, follower, trick, legal, words)
        winner = follower if play.trick_is_won_by_reply(led, reply, trump) else leader
        barred = colons.suit_barred_by(rules, hands[follower], led, reply)
        hands[leader].remove(led)
        hands[follower].remove(reply)
        tricks[winner] += 1
        events.append({"act": "play", "seat": leader, "card": led})
        events.append({"act": "play", "seat": follower, "card": reply})
        events.append({"act": "trick", "winner": winner})
        leader = winner
    return tricks, events
