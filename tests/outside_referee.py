"""Outside referees: OpenSpiel plays random games of Oh Hell, and this engine replays them under `oh_hell_openspiel`.

One option is set beside the preset, `DUTY_OF_THE_LAST`. At every step the actions that OpenSpiel allows must be those that
the engine's rule functions allow; then the whole history, written as a transcript with OpenSpiel's winners and returns, must
replay without a violation. ``make referee`` (``python tests/outside_referee.py --games 10000``) plays every number of players
from 3 to 6 with every size of hand; the exit code is 1 where anything differs. Contract bridge: the sheets of OpenSpiel and
endplay, a cell a contract, doubling and number of tricks.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import simcore
from simcore.bits import U
from simcore.cards import SUIT_OF, bit_number, trump_cards
from simcore.config import Variant, load_variant
from simcore.notation import parse_card
from simcore.phases.auction.calls import forbidden_call
from simcore.phases.play.duties import legal_cards
from simcore.phases.play.two_hand_rules import winning_replies
from simcore.rules import Rules, build_rules

Json = dict[str, Any]
SUITS = "CDHS"
PLAYERS = (3, 4, 5, 6)
"""OpenSpiel plays with 3 to 7, the engine with 2 to 6."""
SEED = 41
DUTY_OF_THE_LAST = "auction.total_may_equal_tricks=false"
"""OpenSpiel's last caller may not make the calls add up to the tricks; the preset is about the points and leaves that open."""
DECK = [suit + rank for suit in SUITS for rank in "23456789TJQKA"]


class Game(NamedTuple):
    """A finished game of OpenSpiel, as a transcript, and what differed on the way."""

    transcript: Json
    steps: int
    """Decisions of players whose allowed actions were compared."""
    faults: list[str]


@cache
def rules_of(players: int, cards: int) -> tuple[Variant, Rules]:
    """The variant for a table, and what the engine makes of it."""
    variant = variant_of(players, cards)
    return variant, build_rules(variant)


def variant_of(players: int, cards: int) -> Variant:
    """The preset for other numbers of players and cards; one deal."""
    changes = [f"players={players}", f"deal.cards={cards}", "match.deals=1", DUTY_OF_THE_LAST]
    return load_variant("oh_hell_openspiel", changes)


def tables() -> Iterator[tuple[int, int]]:
    """Players and cards of a hand: all that leave a card to turn."""
    for players in PLAYERS:
        for cards in range(1, 51 // players + 1):
            yield players, cards


class _Trick:
    """What the engine allows in the trick under way."""

    def __init__(self, rules: Rules, trump: str) -> None:
        self.rules = rules
        self.trumps = int(trump_cards(SUITS.index(trump)))
        self.suit = self.winners = 0
        self.ruffed = False

    def legal(self, hand: list[str]) -> set[str]:
        """Cards of a hand that may be played now."""
        mask = sum(bit_of(card) for card in hand)
        found = int(legal_cards(self.rules.play, U(mask), U(self.suit), U(self.winners), U(self.trumps), self.ruffed))
        return {card for card in hand if bit_of(card) & found}

    def add(self, card: str) -> None:
        """A card is played."""
        bit = bit_of(card)
        if not self.suit or bit & self.winners:
            number = bit.bit_length() - 1
            self.suit = self.suit or int(SUIT_OF[number])
            self.winners = int(winning_replies(U(number), U(self.trumps)))
            self.ruffed = bool(bit & self.trumps) and not self.suit & self.trumps


def bit_of(card: str) -> int:
    """The kernels' bit of a card."""
    return 1 << bit_number(parse_card(card))


def play(players: int, cards: int, chosen: random.Random) -> Game:
    """One random game of OpenSpiel, followed by the engine's rule functions."""
    import pyspiel

    variant, rules = rules_of(players, cards)
    state = pyspiel.load_game(f"oh_hell(players={players},num_tricks_fixed={cards})").new_initial_state()
    while state.is_chance_node():
        state.apply_action(chosen.choice(state.legal_actions()))
    turned = _line(state, "Trump")
    hands = [_hand(state, seat) for seat in range(players)]
    return _follow(state, _Deal(variant, rules, int(_line(state, "Dealer")), turned, hands), chosen)


def _line(state: Any, name: str) -> str:
    """What the state shows behind a name."""
    return str(state).split(f"{name}: ")[1].split("\n")[0].strip()


def _hand(state: Any, seat: int) -> list[str]:
    """The hand that the state shows, suit by suit."""
    lines = str(state).split(f"Player: {seat}\n")[1].splitlines()[:4]
    return [line.strip()[0] + rank for line in lines for rank in line.split(":")[1].strip()]


class _Deal(NamedTuple):
    """What was dealt, and the rules."""

    variant: Variant
    rules: Rules
    dealer: int
    turned: str
    hands: list[list[str]]


def _follow(state: Any, deal: _Deal, chosen: random.Random) -> Game:
    """Play on to the end."""
    players, cards = deal.variant.players, len(deal.hands[0])
    hands = [list(hand) for hand in deal.hands]
    stock = [card for card in DECK if card != deal.turned and not any(card in hand for hand in hands)]
    events: list[Json] = [{"act": "deal", "hands": [hand_text(hand) for hand in hands], "stock": stock, "upcard": deal.turned}]
    faults: list[str] = []
    calls: list[int] = []
    trick = _Trick(deal.rules, deal.turned[0])
    tricks = [0] * players
    n_played = steps = 0
    while not state.is_terminal():
        seat = state.current_player()
        texts = {action: state.action_to_string(seat, action) for action in state.legal_actions()}
        due = _legal_calls(deal.rules, calls, players, cards) if len(calls) < players else trick.legal(hands[seat])
        steps += 1
        if set(texts.values()) != due:
            faults.append(f"event {len(events)}: OpenSpiel allows {sorted(texts.values())}, the engine {sorted(due)}")
        text = texts[action := chosen.choice(list(texts))]
        state.apply_action(action)
        if len(calls) < players:
            calls.append(int(text))
            events.append({"act": "call", "seat": seat, "call": text})
            continue
        events.append({"act": "play", "seat": seat, "card": text})
        hands[seat].remove(text)
        trick.add(text)
        n_played += 1
        if n_played % players == 0:
            winner = _last_winner(state, tricks) if state.is_terminal() else state.current_player()
            tricks[winner] += 1
            events.append({"act": "trick", "winner": winner})
            trick = _Trick(deal.rules, deal.turned[0])
    if tricks != _numbers(state, "Tricks Won"):
        faults.append(f"tricks {tricks}, by OpenSpiel {_numbers(state, 'Tricks Won')}")
    by_seat = [calls[(seat - deal.dealer - 1) % players] for seat in range(players)]
    result = {
        "contract": None,
        "declarer": None,
        "tricks": tricks,
        "made": [call == taken for call, taken in zip(by_seat, tricks)],
        "calls": by_seat,
        "points": [int(points) for points in state.returns()],
    }
    head = {"format": "simcore-transcript/1", "variant": deal.variant.name, "rules": deal.variant.model_dump(mode="json")}
    head |= {"seed": 0, "match": 0, "deal": 0, "dealer": deal.dealer, "bots": ["openspiel"] * players}
    return Game({**head, "events": events, "result": result}, steps, faults)


def _legal_calls(rules: Rules, calls: list[int], players: int, cards: int) -> set[str]:
    """Calls that the engine allows next."""
    assert rules.calls is not None
    forbidden = int(forbidden_call(rules.calls, len(calls), players, cards, sum(calls)))
    return {str(call) for call in range(rules.calls.lowest, rules.calls.highest + 1) if call != forbidden}


def _numbers(state: Any, name: str) -> list[int]:
    """A line of numbers by seat that the state shows."""
    return [int(word) for word in _line(state, name).split()]


def _last_winner(state: Any, before: list[int]) -> int:
    """Who took the last trick, by the tricks that the state shows."""
    return next(seat for seat, won in enumerate(_numbers(state, "Tricks Won")) if won > before[seat])


def hand_text(cards: list[str]) -> str:
    """A hand as transcripts write it."""
    ranks = "AKQJT98765432"
    return ".".join("".join(sorted((c[1] for c in cards if c[0] == suit), key=ranks.index)) for suit in "SHDC")


class Played(NamedTuple):
    """Games of one table."""

    games: int
    steps: int
    faults: list[str]


def referee(players: int, cards: int, games: int, seed: int = SEED) -> Played:
    """Play random games of a table in OpenSpiel and judge them here."""
    chosen = random.Random(f"{seed} {players} {cards}")
    played = [play(players, cards, chosen) for _ in range(games)]
    faults = [f"game {number}: {fault}" for number, game in enumerate(played) for fault in game.faults]
    report = simcore.replay([json.dumps(game.transcript) for game in played])
    faults += [f"game {v['transcript']}, event {v['event']}: {v['rule']}: {v['message']}" for v in report.violations]
    assert report.transcripts == games
    return Played(games, sum(game.steps for game in played), faults)


# --- contract bridge --------------------------------------------------------------------------------------------------

Cell = tuple[int, str, int, int]
"""Level, strain, doubling (1, 2, 4) and tricks of declarer."""
STRAINS = ("C", "D", "H", "S", "NT")
LEVELS = range(1, 8)


def endplay_sheet(vulnerable: bool) -> dict[Cell, int]:
    """Declarer's score in every cell, by endplay."""
    from endplay.types import Contract, Denom, Penalty, Player, Vul

    denoms = dict(zip(STRAINS, (Denom.clubs, Denom.diamonds, Denom.hearts, Denom.spades, Denom.nt)))
    penalties = {1: Penalty.passed, 2: Penalty.doubled, 4: Penalty.redoubled}
    vul = Vul.both if vulnerable else Vul.none
    return {
        (level, strain, doubling, tricks): Contract(
            level=level, denom=denoms[strain], declarer=Player.north, penalty=penalties[doubling], result=tricks - level - 6
        ).score(vul)
        for level in LEVELS
        for strain in STRAINS
        for doubling in penalties
        for tricks in range(14)
    }


def openspiel_sheet(vulnerable: bool, deals: int, seed: int = SEED) -> dict[Cell, int]:
    """Declarer's score in the cells that came up, by OpenSpiel; tricks are those of perfect play, which endplay counts."""
    import pyspiel
    from endplay.dds import calc_dd_table
    from endplay.types import Deal, Denom, Player

    denoms = dict(zip(STRAINS, (Denom.clubs, Denom.diamonds, Denom.hearts, Denom.spades, Denom.nt)))
    words = "true" if vulnerable else "false"
    game = pyspiel.load_game(f"bridge(use_double_dummy_result=true,dealer_vul={words},non_dealer_vul={words})")
    chosen = random.Random(seed)
    found: dict[Cell, int] = {}
    for number in range(deals):
        state = game.new_initial_state()
        order = _cards_for_north_and_south(number, chosen)
        for card in order:  # north, east, south, west in turn
            state.apply_action(DECK_OF_OPENSPIEL.index(card))
        table = calc_dd_table(Deal("N:" + " ".join(hand_text(order[seat::4]) for seat in range(4))))
        scores = state.score_by_contract()
        for strain in STRAINS:
            tricks = int(table[denoms[strain], Player.north])
            for level in LEVELS:
                for place, doubling in enumerate((1, 2, 4)):
                    index = 1 + 12 * (5 * (level - 1) + STRAINS.index(strain)) + place
                    found[level, strain, doubling, tricks] = int(scores[index])
    return found


DECK_OF_OPENSPIEL = [suit + rank for rank in "23456789TJQKA" for suit in SUITS]
"""Cards by their number in OpenSpiel's bridge."""


def _cards_for_north_and_south(number: int, chosen: random.Random) -> list[str]:
    """A pack in which north and south are weak or strong, in one suit or in all, so that any number of tricks comes up."""
    share, kind = (number % 14) / 13, number // 14 % 5
    deck = list(DECK)
    chosen.shuffle(deck)
    if kind == 4:  # high cards
        deck.sort(key=lambda card: "23456789TJQKA".index(card[1]) + 3 * chosen.random())
    else:  # length in one suit
        deck.sort(key=lambda card: 20 * (card[0] == SUITS[kind]) + "23456789TJQKA".index(card[1]) + 6 * chosen.random())
    strong = round(26 * share)
    ours = [*deck[len(deck) - strong :], *deck[: 26 - strong]]
    theirs = [card for card in deck if card not in ours]
    if kind < 4:  # the strong suit in one hand
        ours.sort(key=lambda card: card[0] != SUITS[kind])
        theirs.sort(key=lambda card: card[0] != SUITS[kind])
    else:
        chosen.shuffle(ours)
        chosen.shuffle(theirs)
    hands = [ours[:13], theirs[:13], ours[13:], theirs[13:]]
    return [hands[place % 4][place // 4] for place in range(52)]


def main() -> int:
    """Play, judge, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000, help="games of all tables together, at least")
    options = parser.parse_args()
    places = list(tables())
    each = -(-options.games // len(places))
    games = steps = 0
    faults: list[str] = []
    began = time.process_time()
    for players, cards in places:
        found = referee(players, cards, each)
        games, steps = games + found.games, steps + found.steps
        faults += [f"{players} players, {cards} cards, {fault}" for fault in found.faults]
    for fault in faults[:10]:
        print(fault)
    print(f"{games} games of {len(places)} tables, {steps} decisions, {len(faults)} differences", end="")
    print(f", {time.process_time() - began:.0f} s of CPU")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
