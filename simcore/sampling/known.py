"""What a question knows of a deal, read, checked against itself, and made into numbers for the kernels. Plain Python.

Contradictions are refused here, before anything is drawn. What is left to chance is said in notes: which cards follow whose
policy, and where something is assumed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb, gcd, lcm, perm
from typing import TYPE_CHECKING, Any

import numpy as np

from simcore.cards import UPCARD_CLASS, bit_number
from simcore.codes import CHOICES, N_CARDS, N_RANKS
from simcore.columns import ROLE_NAMES
from simcore.errors import InputError
from simcore.notation import COLON_NAMES, COLONS, card_numbers, card_text, hand_text
from simcore.sampling.attempts import Heard, Known
from simcore.sampling.patterns import PARTS, Pattern, parse_auction, parse_cards, parse_pattern

if TYPE_CHECKING:
    from simcore.config import Bot, Variant

ANY, POLICY = "any", "policy"
"""In the place of the cards thrown: whatever they were, they say nothing about the hand that was kept; or they are cards with
which the bot would have kept just this hand."""
_MOST_WEIGHT = 2**62
_SEATS = 2


@dataclass(frozen=True)
class Question:
    """What is known, as it was written; None: nothing.

    Attributes
    ----------
    hand, opponent
        Hands as the auction begins, or parts of them (`simcore.sampling.patterns`).
    upcard
        The card turned.
    thrown
        The cards declarer threw, all of them; where they are not known and the hand is, ``"any"`` (the default) or
        ``"policy"``. In an exchange by tricks, cards that both saw go.
    auction
        Calls with which the auction began.
    """

    hand: str | None = None
    opponent: str | None = None
    upcard: str | None = None
    thrown: str | None = None
    auction: str | None = None


@dataclass(frozen=True)
class Deal:
    """What is known of a deal whose declarer has one role.

    Attributes
    ----------
    known
        For the kernels.
    heard
        Calls for the kernels, or None.
    dealer
        Seat of the dealer; seat 0 is declarer; -1 where it is drawn.
    complete
        Whether each hand is known to the last card.
    notes
        What is assumed, for people.
    """

    known: Known
    heard: Heard | None
    dealer: int
    complete: tuple[bool, ...]
    notes: tuple[str, ...]


def deck_of(variant: Variant) -> int:
    """Mask of the pack, in the form of the border."""
    deck = (1 << N_CARDS) - 1
    for index, name in enumerate(COLON_NAMES):
        if name in variant.deck.colons:
            deck |= 1 << (N_CARDS + index)
    return deck


@dataclass(frozen=True)
class _Read:
    """A question read: masks of the border."""

    variant: Variant
    deck: int
    hands: tuple[Pattern, ...]
    upcard: int
    thrown: int
    by_policy: bool

    @property
    def kind(self) -> str:
        return self.variant.exchange.kind

    def is_complete(self, seat: int) -> bool:
        return self.hands[seat].n_held == self.variant.final_cards


def _read(variant: Variant, question: Question) -> _Read:
    deck = deck_of(variant)
    texts = [question.hand, question.opponent] + [None] * (variant.players - _SEATS)
    if question.opponent is not None and variant.players > _SEATS:
        raise InputError(f"opponent: {variant.name} has {variant.players} players; only the own hand can be given")
    hands = tuple(
        Pattern(may=deck) if text is None else _checked_hand(parse_pattern(text, deck), variant, deck) for text in texts
    )
    word = (question.thrown or ANY).strip().lower()
    thrown = 0 if word in (ANY, POLICY) else parse_cards("thrown", word)
    upcard = parse_cards("upcard", question.upcard) if question.upcard is not None else 0
    if upcard.bit_count() > 1:
        raise InputError(f"upcard {question.upcard!r}: one card is turned")
    read = _Read(variant, deck, hands, upcard, thrown, word == POLICY)
    _check_places(read, question)
    return read


def _checked_hand(pattern: Pattern, variant: Variant, deck: int) -> Pattern:
    """A hand that this game can hold, its limits narrowed."""
    cards = variant.final_cards
    what = f"hand {pattern.text!r}"
    if pattern.held & ~deck:
        raise InputError(f"{what} holds {hand_text(pattern.held & ~deck)}, not in the pack of {variant.name}")
    if pattern.held == pattern.may and pattern.n_held != cards:
        raise InputError(
            f"{what} has {pattern.n_held} cards, not {cards}; part of a hand is written AK.Q..+ (at least these cards), or "
            "with x for one more card of a suit and * for any number"
        )
    if sum(pattern.least) > cards:
        raise InputError(f"{what} has at least {sum(pattern.least)} cards, and a hand {cards}")
    if sum(pattern.most) < cards:
        raise InputError(f"{what} has at most {sum(pattern.most)} cards, and a hand {cards}; * stands for any number in a suit")
    if pattern.n_held == cards:
        return replace(pattern, may=pattern.held)
    return replace(pattern, may=pattern.may & deck)


def _check_places(read: _Read, question: Question) -> None:
    """Refuse a card in two places, and cards in places that the game does not have."""
    variant = read.variant
    if read.upcard and not variant.turns_card:
        raise InputError(f"upcard: no card is turned in {variant.name}")
    if question.thrown is not None and read.kind == "none":
        raise InputError(f"thrown: nobody throws cards in {variant.name}")
    if question.thrown is not None and not read.thrown and read.kind == "draw_tricks":
        raise InputError(f"thrown: {question.thrown!r} is not possible in {variant.name}; give cards that went in phase 1")
    takes = read.kind == "upcard" and getattr(variant.exchange, "upcard", "") == "dealer_takes_it"
    places = [("hand", read.hands[0].held), ("opponent", read.hands[1].held), ("thrown", read.thrown), ("upcard", read.upcard)]
    for i, (one, cards) in enumerate(places):
        if cards & ~read.deck:
            raise InputError(f"{one}: {hand_text(cards & ~read.deck)} is not in the pack of {variant.name}")
        for other, others in places[i + 1 :]:
            if cards & others and not (takes and other == "upcard"):
                twice = card_text(card_numbers(cards & others)[0])
                raise InputError(f"{twice} is known twice: in {one} and in {other}")
    held = read.hands[0].held | read.hands[1].held
    if question.thrown is not None and read.kind == "draw_tricks":
        most = len(card_numbers(read.deck)) - _SEATS * variant.final_cards - int(variant.turns_card)
        if read.thrown.bit_count() > most:
            raise InputError(f"thrown: {read.thrown.bit_count()} cards, but only {most} go in phase 1 of {variant.name}")
        assert not held & read.thrown
    if read.thrown and read.kind == "look_and_choose" and read.thrown.bit_count() != CHOICES // 2:
        raise InputError(f"thrown: {read.thrown.bit_count()} cards, but declarer throws {CHOICES // 2}; give all, or none")


def _draws(variant: Variant, upcard: int, is_dealer: bool) -> int:
    """Cards a seat draws from the stock. upcard : card number"""
    exchange: Any = variant.exchange
    if not is_dealer:
        return int(exchange.non_dealer_draw)
    draw = exchange.dealer_draw
    return int((draw.spot, draw.face, draw.ace)[UPCARD_CLASS[bit_number(upcard) & 15]])


def _settled(read: _Read, bots: tuple[Bot, ...], seat: int) -> bool:
    """Whether a hand and what was thrown from it are taken as they are."""
    if not read.is_complete(seat) or read.kind not in ("upcard", "look_and_choose"):
        return False
    if read.kind == "look_and_choose" and seat != 0:
        return False
    return not read.by_policy or (seat == 0 and bool(read.thrown)) or (_is_random(bots, seat) and read.kind == "upcard")


def _is_random(bots: tuple[Bot, ...], seat: int) -> bool:
    return bots[seat].exchange.policy == "random"


def _weight_upcard(read: _Read, bots: tuple[Bot, ...], card: int, dealer: int) -> Fraction:
    """How likely what is known becomes with a card turned: that each seat sees the cards it is known to have seen.

    A seat that sees a of n cards, of which k are known, sees them with probability a (a-1) .. (a-k+1) / n (n-1) .. (n-k+1); two
    seats together likewise. Where a hand is known and nothing about how it was kept, it is one of comb(a, thrown) that might
    have been.
    """
    takes = getattr(read.variant.exchange, "upcard", "") == "dealer_takes_it"
    weight, n_known = Fraction(1), 0
    for seat in range(_SEATS):
        seen = read.hands[seat].held | (read.thrown if seat == 0 else 0)
        extra = int(takes and seat == dealer)
        if seen >> card & 1 and not extra:
            return Fraction(0)
        n_seen = N_RANKS + _draws(read.variant, card, seat == dealer)
        n_throw = n_seen + extra - N_RANKS
        if seat == 0 and read.thrown and read.thrown.bit_count() != n_throw:
            return Fraction(0)
        known = (seen & ~(1 << card)).bit_count()
        n_known += known
        weight *= perm(n_seen, known)
        if _settled(read, bots, seat) and not (seat == 0 and read.thrown):
            weight /= comb(n_seen + extra, n_throw)
    return weight / perm(read.deck.bit_count() - 1, n_known)


def layouts(unknown: int, may: tuple[int, int], sizes: tuple[int, int]) -> int:
    """How many ways there are to draw two hands from unknown cards: masks, and cards each still needs."""
    alone = (unknown & may[0] & ~may[1]).bit_count()
    both = (unknown & may[0] & may[1]).bit_count()
    others = (unknown & may[1] & ~may[0]).bit_count()
    first, second = sizes
    if min(sizes) < 0:
        return 0
    return sum(
        comb(alone, i) * comb(both, first - i) * comb(both - (first - i) + others, second)
        for i in range(first + 1)
        if first - i <= both
    )


def _weight_plain(read: _Read, card: int | None) -> Fraction:
    """Layouts of the hands with a card turned, or with none."""
    held = [pattern.held for pattern in read.hands]
    gone = read.thrown | (0 if card is None else 1 << card)
    unknown = read.deck & ~gone
    for mask in held:
        if card is not None and mask >> card & 1:
            return Fraction(0)
        unknown &= ~mask
    needs = [read.variant.final_cards - mask.bit_count() for mask in held]
    if read.variant.players > _SEATS:
        return Fraction(int(unknown.bit_count() >= sum(needs)))
    return Fraction(layouts(unknown, (read.hands[0].may, read.hands[1].may), (needs[0], needs[1])))


def _cumulated(weights: list[Fraction]) -> np.ndarray:
    """Whole numbers in these ratios, summed up; beyond 62 bits rounded by less than one part in 2^55."""
    scale = lcm(*(weight.denominator for weight in weights)) if weights else 1
    whole = [int(weight * scale) for weight in weights]
    common = gcd(*whole) if whole else 1
    whole = [weight // max(common, 1) for weight in whole]
    total = sum(whole)
    if total > _MOST_WEIGHT:
        whole = [weight * _MOST_WEIGHT // total for weight in whole]
    return np.array(np.cumsum(np.array(whole, np.uint64), dtype=np.uint64), np.uint64)


def kernel_mask(mask: int) -> np.uint64:
    """A mask of the border in the kernels' layout."""
    return np.uint64(sum(1 << bit_number(card) for card in card_numbers(mask)))


def _role_fault(read: _Read, role: int) -> str:
    """Why nothing that is known can be, for the message."""
    who = f"declarer as the {ROLE_NAMES[role].replace('_', '-')}"
    if read.kind == "upcard" and read.thrown:
        cards = [read.upcard] if read.upcard else []
        upcards = [card_numbers(mask)[0] for mask in cards] or card_numbers(read.deck)
        takes = int(role == 0 and getattr(read.variant.exchange, "upcard", "") == "dealer_takes_it")
        counts = sorted({_draws(read.variant, card, role == 0) + takes for card in upcards})
        if read.thrown.bit_count() not in counts:
            allowed = " or ".join(str(number) for number in counts)
            upcard = f" with the upcard {card_text(upcards[0])}" if read.upcard else ""
            return f"thrown: {read.thrown.bit_count()} cards, but {who} throws {allowed}{upcard}"
    return f"{who}: no layout of the cards agrees with all that is known"


def known_of(variant: Variant, question: Question, role: int | None, bots: tuple[Bot, ...], hands_only: bool = False) -> Deal:
    """Make a question into numbers.

    Parameters
    ----------
    variant : Variant
        A game of contracts or calls.
    question : Question
        What is known.
    role : int or None
        Declarer's `Role`; None in games of calls: the dealer is drawn.
    bots : tuple of Bot
        One a seat; seat 0 is declarer.
    hands_only : bool
        Whether nothing but the hands matters (perfect play): an exchange that ends in two known hands is not simulated.

    Returns
    -------
    Deal
        For the kernels.

    Raises
    ------
    InputError
        For what contradicts itself or the rules of the game.
    """
    read = _read(variant, question)
    dealer = -1 if role is None else role
    complete = tuple(read.is_complete(seat) for seat in range(variant.players))
    direct = read.kind == "draw_tricks" and (any(complete) or read.thrown != 0)
    direct = direct or (hands_only and all(complete))
    plain = direct or read.kind == "none"
    cards = [card for card in card_numbers(read.deck) if not read.upcard or read.upcard >> card & 1]
    if not variant.turns_card or (read.kind != "upcard" and not plain):
        cards = []
    if plain:
        weights = [_weight_plain(read, card) for card in cards] or [_weight_plain(read, None)]
    elif cards:
        weights = [_weight_upcard(read, bots, card, dealer) for card in cards]
    else:
        weights = [Fraction(1)]
    if not any(weights):
        raise InputError(_role_fault(read, role or 0))
    possible = [(card, weight) for card, weight in zip(cards, weights, strict=False) if weight]
    known = Known(
        held=np.array([kernel_mask(pattern.held) for pattern in read.hands], np.uint64),
        may=np.array([kernel_mask(pattern.may) for pattern in read.hands], np.uint64),
        least=np.array([pattern.least for pattern in read.hands], np.int64).reshape(-1, PARTS),
        most=np.array([pattern.most for pattern in read.hands], np.int64).reshape(-1, PARTS),
        thrown=np.zeros(variant.players, np.uint64),
        settled=np.array([_settled(read, bots, seat) for seat in range(variant.players)], np.int64),
        gone=kernel_mask(read.thrown if plain else 0),
        upcard=kernel_mask(read.upcard),
        upcards=np.array([kernel_mask(1 << card) for card, _ in possible], np.uint64),
        weights=_cumulated([weight for _, weight in possible]),
        direct=int(direct),
    )
    if not plain:
        known.thrown[0] = kernel_mask(read.thrown)
    heard = None
    if question.auction is not None:
        heard = Heard(np.array(parse_auction(question.auction, variant), np.uint8))
    return Deal(known, heard, dealer, complete, _notes(read, bots, direct and not hands_only, known))


def _notes(read: _Read, bots: tuple[Bot, ...], direct: bool, known: Known) -> tuple[str, ...]:
    """What is assumed about the cards that are not known."""
    notes = []
    names = ("declarer", "opponent")
    unknown = not all(read.is_complete(seat) for seat in range(read.variant.players))
    if direct and unknown and read.thrown.bit_count() < len(card_numbers(read.deck)) - _SEATS * read.variant.final_cards:
        notes.append(
            "phase 1 is not simulated: the unknown cards are uniform over hands and cards gone, so an unknown hand is weaker"
            " than one that phase 1 made; give the cards gone with thrown"
        )
    if read.kind not in ("upcard", "look_and_choose") or known.direct:
        return tuple(notes)
    for seat in range(_SEATS):
        who = names[seat]
        if known.settled[seat]:
            if not (seat == 0 and read.thrown) and not _is_random(bots, seat):
                notes.append(f"thrown cards of {who}: uniform over the unseen cards, nothing follows from what was kept")
            continue
        policy = bots[seat].exchange.policy
        if read.is_complete(seat):
            notes.append(f"thrown cards of {who}: those with which {bots[seat].name} ({policy}) would have kept this hand")
        else:
            notes.append(f"exchange of {who}: simulated by {bots[seat].name} ({policy})")
    return tuple(notes)


__all__ = ["ANY", "COLONS", "Deal", "Question", "deck_of", "kernel_mask", "known_of", "layouts"]
