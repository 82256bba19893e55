"""The user's own deals: reads a file of hands and makes of it what the kernels play instead of random cards.

Two forms. JSON Lines: one deal a line with ``hands``, and perhaps ``upcard``, ``stock`` and ``dealer``, as in the deal
event of a transcript (a whole transcript does too). PBN: the ``Deal`` tags of a file; hands that are not in play are
written ``-``. What is not given (the stock, the dealer) is drawn from the deal's random stream as usual. Where nothing is dealt
(Draw and Discard), the hands are empty and the stock is the whole pack.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from simcore import notation
from simcore.cards import from_border
from simcore.codes import MAX_SEATS, N_CARDS
from simcore.errors import InputError
from simcore.rng import MAX_POOL
from simcore.table import Given, no_given_deals

if TYPE_CHECKING:
    from simcore.config import Run, Variant

MAX_DEALS = 1_000_000
MAX_BYTES = 2_000_000_000
"""Largest file of deals; a whole transcript of a deal has some two thousand bytes."""
_PBN_DEAL = re.compile(r'^\s*\[\s*Deal\s+"([^"]*)"\s*\]', re.IGNORECASE)
_PBN_HANDS = re.compile(r"^[NESW]:(.*)$", re.IGNORECASE)


def _from_pbn(where: str, text: str, players: int) -> dict[str, Any]:
    match = _PBN_HANDS.match(text.strip())
    if match is None:
        raise InputError(f'{where}: Deal tag {text!r} is not of the form "N:hand hand hand hand"')
    hands = [hand for hand in match[1].split() if hand != "-"]
    if len(hands) != players:
        raise InputError(
            f"{where}: the Deal tag has {len(hands)} hands, the game has {players} players; write - for hands not in play"
        )
    return {"hands": hands}


def _from_json(where: str, text: str) -> dict[str, Any]:
    try:
        line = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: neither JSON nor a PBN Deal tag ({error})") from None
    if isinstance(line, dict) and isinstance(line.get("events"), list) and line["events"]:
        line = {"dealer": line.get("dealer"), **line["events"][0]}
    if not isinstance(line, dict) or "hands" not in line:
        raise InputError(f"{where}: a deal is an object with hands, and perhaps upcard, stock and dealer")
    return line


def _content(path: Path) -> bytes:
    """A file of deals: an ordinary file of a size that deals can have, so that nothing is read without end."""
    try:
        if path.is_file() and path.stat().st_size > MAX_BYTES:
            raise InputError(f"{path}: larger than {MAX_BYTES:,} bytes; split the file")
        if path.exists() and not path.is_file():
            raise InputError(f"{path}: not a file")
        return path.read_bytes()
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read ({getattr(error, 'strerror', None) or error})") from None


def _deals_in(path: Path, players: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each deal of a file with the place where it stands."""
    try:
        lines = _content(path).decode("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: cannot be read as text ({error})") from None
    is_pbn = any(_PBN_DEAL.match(line) for line in lines)
    for number, text in enumerate(lines, start=1):
        where = f"{path}:{number}"
        tag = _PBN_DEAL.match(text)
        if tag is not None:
            yield where, _from_pbn(where, tag[1], players)
        elif not is_pbn and text.strip():
            line = _from_json(where, text)
            if line.get("format") != "simcore-match/1":
                yield where, line


def _texts(where: str, deal: dict[str, Any], key: str) -> list[str]:
    value = deal.get(key) or []
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InputError(f"{where}: {key} must be a list of texts, not {value!r:.60}")
    return value


def _why_so_few(variant: Variant) -> str:
    if variant.cards_dealt:
        return ""
    return f": in {variant.name} nobody is dealt a card; write an empty hand, ..., and the pack as stock"


def _leaves_stock(variant: Variant, deck: int) -> bool:
    """Whether cards are left when hands are dealt and a card is turned."""
    return deck.bit_count() > variant.players * variant.cards_dealt + 1


def _cards_of(where: str, deal: dict[str, Any], variant: Variant, deck: int) -> tuple[list[int], list[int]]:
    """Hands as masks and the rest of the pack as card numbers, in the 55-bit form, checked."""
    hands = [notation.parse_hand(hand) for hand in _texts(where, deal, "hands")]
    if len(hands) != variant.players:
        raise InputError(f"{where}: {len(hands)} hands for {variant.players} players")
    seen = 0
    for seat, hand in enumerate(hands):
        if hand.bit_count() != variant.cards_dealt:
            held, due = hand.bit_count(), variant.cards_dealt
            raise InputError(f"{where}: seat {seat} holds {held} cards, not {due}{_why_so_few(variant)}")
        if seen & hand:
            raise InputError(f"{where}: {notation.hand_text(seen & hand)} lies in two hands")
        seen |= hand
    upcard, stock = deal.get("upcard"), _texts(where, deal, "stock")
    if upcard is not None and not isinstance(upcard, str):
        raise InputError(f"{where}: upcard must be a card, not {upcard!r:.60}")
    if bool(stock) != (upcard is not None) and variant.turns_card and _leaves_stock(variant, deck):
        raise InputError(f"{where}: give both upcard and stock, or neither (then they are drawn at random)")
    if not stock and not variant.cards_dealt:
        n_cards = deck.bit_count()
        raise InputError(f"{where}: nobody is dealt a card in {variant.name}; give the stock, all {n_cards} cards, top first")
    rest = [notation.parse_card(card) for card in ([upcard] if upcard else []) + stock]
    for card in rest:
        if seen >> card & 1:
            raise InputError(f"{where}: {notation.card_text(card)} appears twice")
        seen |= 1 << card
    if seen & ~deck:
        raise InputError(f"{where}: {notation.hand_text(seen & ~deck)} is not in the pack of {variant.name}")
    if rest and seen != deck:
        raise InputError(f"{where}: with a stock the whole pack must be there; missing: {notation.hand_text(deck & ~seen)}")
    return hands, rest


def _deck(variant: Variant) -> int:
    deck = (1 << N_CARDS) - 1
    for index, name in enumerate(notation.COLON_NAMES):
        if name in variant.deck.colons:
            deck |= 1 << (N_CARDS + index)
    return deck


def _dealer_of(where: str, deal: dict[str, Any], players: int) -> int:
    dealer = deal.get("dealer")
    if dealer is None:
        return -1
    if type(dealer) is not int or not 0 <= dealer < players:
        raise InputError(f"{where}: dealer {dealer!r} is not a seat; allowed: 0 .. {players - 1}")
    return dealer


def read_given(path: str | Path, variant: Variant) -> Given:
    """Read the user's deals.

    Parameters
    ----------
    path : str or Path
        JSON Lines, or PBN.
    variant : Variant
        The game they are meant for.

    Returns
    -------
    Given
        Deal i of the file is match i of ``unit: deal``.

    Raises
    ------
    InputError
        With file, line and what is wrong: a card twice, a hand of the wrong size, a card that is not in the pack, a file
        without deals.
    """
    if variant.auction.kind == "bridge" and variant.auction.passed_out == "redeal":
        raise InputError("given deals cannot be dealt again: set auction.passed_out=count_zero")
    deck = _deck(variant)
    rows: list[tuple[list[int], list[int], int]] = []
    for where, deal in _deals_in(Path(path), variant.players):
        try:
            hands, rest = _cards_of(where, deal, variant, deck)
        except InputError as error:
            message = str(error)
            raise InputError(message if message.startswith(where) else f"{where}: {message}") from None
        rows.append((hands, rest, _dealer_of(where, deal, variant.players)))
        if len(rows) > MAX_DEALS:
            raise InputError(f"{path}: more than {MAX_DEALS:,} deals; split the file")
    if not rows:
        raise InputError(f"{path}: no deals found; expected JSON Lines with hands, or PBN Deal tags")
    given = Given(
        hands=np.zeros((len(rows), MAX_SEATS), np.uint64),
        stock=np.zeros((len(rows), MAX_POOL), np.uint64),
        dealers=np.full(len(rows), -1, np.int64),
    )
    for i, (hands, rest, dealer) in enumerate(rows):
        given.hands[i, : len(hands)] = [from_border(np.uint64(hand)) for hand in hands]
        given.stock[i, : len(rest)] = [from_border(np.uint64(1 << card)) for card in rest]
        given.dealers[i] = dealer
    return given


def digest_of(path: str | Path) -> str:
    """SHA-256 of a file, for the manifest."""
    return hashlib.sha256(_content(Path(path))).hexdigest()


def given_of(run: Run) -> Given:
    """The deals that a run plays from a file, or none.

    Raises
    ------
    InputError
        Where the file has changed since the run was begun, or holds fewer deals than are to be played.
    """
    if run.hands is None:
        return no_given_deals()
    if run.hands_digest is not None and digest_of(run.hands) != run.hands_digest:
        raise InputError(f"hands: {run.hands} has changed since the run was begun; a run goes on with the same deals only")
    given = read_given(run.hands, run.variant)
    if run.deals is None or run.deals > len(given.hands):
        raise InputError(f"deals: {run.deals} deals are to be played, but {run.hands} has {len(given.hands)}")
    return given
