"""The shipped games once more, in plain Python on card names: what may be played, who wins, what it scores.

Written for the verification and used by nothing else. It shares no rule with the kernels. It knows what shipped variants do,
not every option, and follows a transcript from its first event to its last.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

RANKS = "23456789TJQKA"
SUITS = "CDHS"
COLON_RANKS = {"GC": "A", "RC": "JQK", "LC": "23456789T"}
"""Ranks in the range of each colon."""
DRAW_ORDER = ["C" + rank for rank in RANKS] + list(COLON_RANKS) + [suit + rank for suit in "DHS" for rank in RANKS]
_PLACE = {card: place for place, card in enumerate(DRAW_ORDER)}
_COLON_OF = {"G": "GC", "R": "RC", "L": "LC"}
BOOK = 6


class Decision(NamedTuple):
    """A choice among legal ones.

    Attributes
    ----------
    kind : str
        ``lead``, ``follow``, or in the first tricks of an exchange ``early lead``, ``early follow``.
    seat : int
    legal : list of str
        In draw order.
    chosen : str
    """

    kind: str
    seat: int
    legal: list[str]
    chosen: str


class Followed(NamedTuple):
    """What following a transcript gave: its choices of cards, tricks, and what is against the rules."""

    decisions: list[Decision]
    tricks: int
    faults: list[str]


def hand_of(text: str) -> list[str]:
    """Cards of a hand such as ``"AKQ2.K83.A4.QT9/G"``."""
    naturals, _, colons = text.partition("/")
    suits = zip("SHDC", naturals.split("."), strict=True)
    return [suit + rank for suit, ranks in suits for rank in ranks] + [_COLON_OF[letter] for letter in colons]


def text_of(cards: Sequence[str]) -> str:
    """A hand as transcripts write it."""
    suits = ["".join(rank for rank in reversed(RANKS) if suit + rank in cards) for suit in "SHDC"]
    colons = "".join(letter for letter, colon in _COLON_OF.items() if colon in cards)
    return ".".join(suits) + (f"/{colons}" if colons else "")


def in_draw_order(cards: Sequence[str]) -> list[str]:
    """Cards sorted: clubs, colons, diamonds, hearts, spades."""
    return sorted(cards, key=_PLACE.__getitem__)


def is_colon(card: str) -> bool:
    """Whether a card is Grand, Royal or Little."""
    return card in COLON_RANKS


def beats(card: str, best: str, trump: str | None) -> bool:
    """Whether a card beats the best one of a trick before it."""
    if is_colon(best):  # it was led: a trump beats it, and a natural card in its range
        return not is_colon(card) and (card[0] == trump or card[1] in COLON_RANKS[best])
    if is_colon(card):
        return False
    if card[0] == best[0]:
        return RANKS.index(card[1]) > RANKS.index(best[1])
    return card[0] == trump


def bars(led: str, reply: str) -> str | None:
    """The suit that the leader may not lead next: that of a card answered by the colon of its range."""
    return led[0] if is_colon(reply) and not is_colon(led) and led[1] in COLON_RANKS[reply] else None


def legal_leads(hand: Sequence[str], barred: str | None) -> list[str]:
    """Cards that may be led: not of a barred suit, while there are others."""
    others = [card for card in hand if is_colon(card) or card[0] != barred]
    return others or list(hand)


def legal_replies(hand: Sequence[str], trick: Sequence[str], trump: str | None, play: Mapping[str, Any]) -> list[str]:
    """Cards that may be played on those of a trick."""
    led = trick[0]
    if is_colon(led):
        return list(hand)
    same = [card for card in hand if not is_colon(card) and card[0] == led[0]]
    if same and play["must_follow"]:
        return same + [card for card in hand if is_colon(card) and led[1] in COLON_RANKS[card]]
    if play.get("must_ruff") and led[0] != trump:
        ruffs = [RANKS.index(card[1]) for card in trick if card[0] == trump]
        over = [card for card in hand if card[0] == trump and RANKS.index(card[1]) > max(ruffs, default=-1)]
        if over:
            return over if play["must_overruff"] else [card for card in hand if card[0] == trump]
    return list(hand)


# --- a transcript -----------------------------------------------------------------------------------------------------


class _Follower:
    """Where a deal stands."""

    def __init__(self, line: Mapping[str, Any]) -> None:
        self.line = line
        self.rules = line["rules"]
        deal = line["events"][0]
        self.hands = [hand_of(text) for text in deal["hands"]]
        self.upcard = deal["upcard"]
        self.stock = list(deal["stock"])
        self.trick: list[tuple[int, str]] = []
        self.barred: str | None = None
        self.last: str | None = None
        self.bid: str | None = None
        self.early = self.rules["exchange"]["kind"] == "draw_tricks"
        self.decisions: list[Decision] = []
        self.tricks = [0] * len(self.hands)
        self.n_tricks = 0
        self.faults: list[str] = []

    @property
    def trump(self) -> str | None:
        """The trump suit now."""
        says = self.rules["play"]["trump"]
        if self.early or says == "none":
            return None
        if says == "turned_card":
            return None if is_colon(self.upcard) else str(self.upcard[0])
        if says == "contract":
            letters = (self.bid or "").rstrip("X")[1:]
            return letters if letters in SUITS else None
        return str(says)

    def take(self, number: int, event: Mapping[str, Any]) -> None:
        act = getattr(self, f"_{event['act']}")
        fault = act(event)
        if fault:
            self.faults.append(f"event {number}: {fault}")

    def _exchange(self, event: Mapping[str, Any]) -> str | None:
        hand = self.hands[event["seat"]]
        drew = list(event["drew"])
        due, self.stock = self.stock[: len(drew)], self.stock[len(drew) :]
        self.hands[event["seat"]] = [card for card in hand + drew if card not in event["discarded"]]
        if drew != due or len(event["discarded"]) != len(drew) or not set(event["discarded"]) <= set(hand + drew):
            return f"drew {drew}, threw {event['discarded']}; due were {due}"
        return None

    def _choose(self, event: Mapping[str, Any]) -> str | None:
        due, self.stock = self.stock[:2], self.stock[2:]
        self.hands[event["seat"]].append(event["kept"])
        return None if event["seen"] == due and event["kept"] in due else f"saw {event['seen']}; due were {due}"

    def _draw(self, event: Mapping[str, Any]) -> str | None:
        due = self.stock.pop(0)
        self.hands[event["seat"]].append(event["card"])
        return None if event["card"] == due else f"drew {event['card']}; due was {due}"

    def _call(self, event: Mapping[str, Any]) -> str | None:
        self.early = False
        if event["call"] not in ("Pass", "P", "X", "XX"):
            self.bid = event["call"]
        return None

    def _play(self, event: Mapping[str, Any]) -> str | None:
        seat, card = event["seat"], event["card"]
        hand = self.hands[seat]
        play = self.rules["exchange"] if self.early else self.rules["play"]
        if self.trick:
            legal = legal_replies(hand, [played for _, played in self.trick], self.trump, play)
        else:
            legal = legal_leads(hand, self.barred)
        kind = ("early " if self.early else "") + ("follow" if self.trick else "lead")
        self.decisions.append(Decision(kind, seat, in_draw_order(legal), card))
        self.trick.append((seat, card))
        if card not in legal:
            self.hands[seat] = [held for held in hand if held != card]
            return f"seat {seat} plays {card}, allowed are {in_draw_order(legal)}"
        hand.remove(card)
        return None

    def _trick(self, event: Mapping[str, Any]) -> str | None:
        winner, best = self.trick[0]
        for seat, card in self.trick[1:]:
            if beats(card, best, self.trump):
                winner, best = seat, card
        self.barred = bars(self.trick[0][1], self.trick[1][1]) if len(self.hands) == 2 else None
        cards = [card for _, card in self.trick]
        self.trick, self.n_tricks = [], self.n_tricks + 1
        if not self.early:
            self.tricks[winner] += 1
        return None if event["winner"] == winner else f"seat {winner} wins {cards} with {best}, not seat {event['winner']}"

    def _settle(self, event: Mapping[str, Any]) -> str | None:
        return None


def follow(line: Mapping[str, Any]) -> Followed:
    """Follow a transcript.

    Parameters
    ----------
    line : mapping
        Of a shipped variant.

    Returns
    -------
    Followed
        Faults name the event.
    """
    state = _Follower(line)
    for number, event in enumerate(line["events"][1:], start=1):
        state.take(number, event)
    result = line["result"]
    if result["tricks"] is not None and result["tricks"] != state.tricks:
        state.faults.append(f"result: tricks {result['tricks']}, by the cards {state.tricks}")
    return Followed(state.decisions, state.n_tricks, state.faults)


# --- points -----------------------------------------------------------------------------------------------------------


def contract_points(scoring: Mapping[str, Any], contract: str, tricks: int) -> float:
    """Declarer's points; what his opponent scores is negative."""
    doubling = len(contract) - len(contract.rstrip("X"))
    level, strain = int(contract[0]), contract.rstrip("X")[1:]
    short = level + BOOK - tricks
    if short > 0:
        tables = scoring["undertricks"]
        if tables == "none":
            return 0
        table = tables[("undoubled", "doubled", "redoubled")[doubling]]
        return -float(table[min(short, len(table)) - 1])
    factor = 1.0
    if scoring["kind"] == "trick_value" or scoring["multiplier"]["applies_to"] != "none":
        factor = (1, scoring["multiplier"]["doubled"], scoring["multiplier"]["redoubled"])[doubling]
    if scoring["kind"] == "trick_value":
        counted = tricks - BOOK if scoring["overtricks"] == "trick_value" else level
        each = scoring["trick_value"][strain]
        first = scoring["nt_first"] if strain == "NT" else each
        return float(factor * (first + each * (counted - 1)) if counted else 0)
    worth = scoring["award"][strain][level] + (scoring["exact"][level] if short == 0 else 0)
    worth += {int(over): points for over, points in scoring["overtricks_exactly"].items()}.get(-short, 0)
    made = (0, scoring["doubled_made"], scoring["redoubled_made"])[doubling]
    if scoring["multiplier"]["applies_to"] == "total":
        return float(factor * (worth + made))
    return float(factor * worth + made)


def call_points(scoring: Mapping[str, Any], call: int, tricks: int) -> float:
    """Points of one who called so many tricks and took so many."""
    over = tricks - call
    bonus_from = scoring["bonus_from"]
    if bonus_from is not None and call >= bonus_from:
        return float(scoring["bonus_points"] if 0 <= over <= scoring["bonus_overtricks"] else -call)
    most = {"exact": 0, "at_most_one_over": 1, "at_least": tricks}[scoring["success"]]
    if 0 <= over <= most:
        made = scoring["made"]
        worth = call if made == "call" else made["base"] + made["per_trick"] * tricks
        return float(worth + over * scoring["overtrick_points"])
    failed = scoring["failed"]
    if failed == "minus_call":
        return -call
    return 0.0 if failed == "zero" else float(failed["per_trick"] * tricks)


def round_points(scoring: Mapping[str, Any], bid: int, alone: bool, taken: Sequence[int], declarer: int) -> list[float]:
    """Points of a round of Pit, by seat."""
    points = [float(scoring["per_trick"] * tricks) for tricks in taken]
    own = taken[declarer]
    points[declarer] = scoring["alone_per_trick"] * own * (own >= bid) if alone else scoring["declarer_per_trick"] * own
    return points


def points_of(line: Mapping[str, Any]) -> list[float]:
    """Points by seat of a transcript, by its contract or calls and its tricks."""
    result, scoring = line["result"], line["rules"]["scoring"]
    if result["tricks"] is None:
        return [0.0] * len(result["points"])
    if scoring["kind"] == "calls":
        return [call_points(scoring, call, taken) for call, taken in zip(result["calls"], result["tricks"], strict=True)]
    declarer = result["declarer"]
    if scoring["kind"] == "shedding":
        bid, _, alone = result["contract"].partition(" ")
        return round_points(scoring, int(bid), bool(alone), result["tricks"], declarer)
    points = contract_points(scoring, result["contract"], result["tricks"][declarer])
    found = [0.0, 0.0]
    found[declarer if points > 0 else 1 - declarer] = abs(points)
    return found


def cells(variant: Mapping[str, Any]) -> Iterator[tuple[dict[str, Any], float]]:
    """Every result of a game of contracts or calls, in the form of ``simcore.score``'s arguments, with its points."""
    scoring = variant["scoring"]
    if scoring["kind"] == "calls":
        cards = variant["deal"]["cards"]
        highest = cards if variant["auction"]["max"] == "cards" else variant["auction"]["max"]
        for call in range(variant["auction"]["min"], highest + 1):
            for tricks in range(cards + 1):
                yield {"call": call, "tricks": tricks}, call_points(scoring, call, tricks)
        return
    for level in range(8):
        for strain in (*SUITS, "NT"):
            lowest = (int(variant["auction"]["lowest_bid"][0]), variant["auction"]["lowest_bid"][1:])
            if (level, (*SUITS, "NT").index(strain)) < (lowest[0], (*SUITS, "NT").index(lowest[1])):
                continue
            if scoring["kind"] == "contract_table" and scoring["award"][strain][level] is None:
                continue
            for doubled in ("", "X", "XX"):
                for tricks in range(14):
                    contract = f"{level}{strain}{doubled}"
                    yield {"contract": contract, "tricks": tricks}, contract_points(scoring, contract, tricks)


# --- perfect play -----------------------------------------------------------------------------------------------------


def best_tricks(hands: tuple[frozenset[str], frozenset[str]], leader: int, trump: str | None) -> int:
    """Tricks of seat 0 when both see all cards and play for tricks: every card is tried.

    Parameters
    ----------
    hands : tuple of two frozenset of str
        As many cards each.
    leader : int
    trump : str or None

    Returns
    -------
    int
    """
    known: dict[Any, int] = {}
    play = {"must_follow": True}

    def value(held: tuple[frozenset[str], frozenset[str]], leads: int, barred: str | None) -> int:
        if not held[leads]:
            return 0
        key = (held, leads, barred)
        if key not in known:
            results = [answer(held, leads, card) for card in legal_leads(list(held[leads]), barred)]
            known[key] = max(results) if leads == 0 else min(results)
        return known[key]

    def answer(held: tuple[frozenset[str], frozenset[str]], leads: int, led: str) -> int:
        other = 1 - leads
        results = []
        for reply in legal_replies(list(held[other]), [led], trump, play):
            winner = other if beats(reply, led, trump) else leads
            left = (held[0] - {led, reply}, held[1] - {led, reply})
            barred = bars(led, reply)
            results.append((winner == 0) + value(left, winner, barred if winner == leads else None))
        return max(results) if other == 0 else min(results)

    return value(hands, leader, None)
