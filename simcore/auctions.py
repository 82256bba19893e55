"""Auctions over a trick table: deals are played once in every strain from both sides, then bid over again and again.

What a contract takes does not depend on how it was reached, so other bidders and other scoring tables are judged by auction
and scoring alone, some microseconds a deal. The kernels are in `simcore.trick_tables`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from simcore import codes
from simcore.batch import Setup
from simcore.bits import ALL_ONES, U0
from simcore.errors import InputError
from simcore.table import Oracle, new_record, new_table
from simcore.trick_tables import (
    Deals,
    Outcomes,
    collect_deals,
    hold_auctions,
    hold_open_auctions,
    write_deal_features,
    write_means,
)

_BLOCK = 8192
"""Deals that one thread takes at a time."""


def _on_threads(n_rows: int, workers: int | None, fill: Callable[[int, int], None]) -> None:
    """Call ``fill(first, last)`` for all rows, in blocks on threads; the first block alone, so that kernels compile once."""
    starts = list(range(0, n_rows, _BLOCK))
    blocks = [(first, min(first + _BLOCK, n_rows)) for first in starts]
    if blocks:
        fill(*blocks[0])
    with ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
        for done in [pool.submit(fill, *block) for block in blocks[1:]]:
            done.result()


def _rows(deals: Deals, first: int, last: int) -> Deals:
    """Some rows of deals, as views of the same memory."""
    return Deals(*(part[..., first:last] for part in deals))


def new_deals(n_deals: int) -> Deals:
    """Empty rows for deals of two players."""
    return Deals(
        keys=np.zeros(n_deals, np.uint64),
        dealer=np.zeros(n_deals, np.int8),
        hands=np.zeros((2, n_deals), np.uint64),
        thrown=np.zeros((2, n_deals), np.uint64),
        gone=np.zeros((2, n_deals), np.uint64),
        drawn=np.zeros((2, n_deals), np.int8),
        upcard=np.zeros(n_deals, np.uint64),
        trick_table=np.zeros((2 * codes.N_STRAINS, n_deals), np.int8),
    )


def refuse_other_games(setup: Setup) -> None:
    """Trick tables are for two players and a bridge auction, and for bots of the kernels."""
    if setup.variant.auction.kind != "bridge":
        kind = setup.variant.auction.kind
        raise InputError(f"{setup.variant.name} has auction.kind {kind}; a trick table needs auction.kind bridge")
    if setup.has_compiled_bots:
        raise InputError("bots of plugins cannot make a trick table")


def collect(setup: Setup, n_deals: int, first_match: int = 0, workers: int | None = None) -> Deals:
    """Deal, exchange, and play every strain from both sides with the bots' play policies.

    Parameters
    ----------
    setup : Setup
        With ``unit: deal``; its deals are those of a run with ``contracts: all``.
    n_deals : int
    first_match : int
        Number of the first deal.
    workers : int or None
        Threads; None: one a processor. Results do not depend on it.

    Returns
    -------
    Deals
        One row a deal.
    """
    refuse_other_games(setup)
    deals = new_deals(n_deals)

    def fill(first: int, last: int) -> None:
        rows, seed, start = _rows(deals, first, last), np.uint64(setup.seed), np.uint64(first_match + first)
        collect_deals(setup.rules, setup.bot_table, seed, start, setup.given, new_table(), new_record(1), rows)

    _on_threads(n_deals, workers, fill)
    return deals


def hold(setup: Setup, deals: Deals, workers: int | None = None, with_calls: bool = False) -> Outcomes:
    """Let the bots of a setup bid over deals, under its rules and scoring; every auction as the first deal of a match.

    Parameters
    ----------
    setup : Setup
        Of a variant with the same cards, exchange and play.
    deals : Deals
    workers : int or None
        Threads; None: one a processor. Results do not depend on it.
    with_calls : bool
        Also keep every call.

    Returns
    -------
    Outcomes
        One row a deal.
    """
    refuse_other_games(setup)
    n = len(deals.keys)
    outcomes = _new_outcomes(n, n if with_calls else 1)

    def fill(first: int, last: int) -> None:
        own = outcomes if with_calls else outcomes._replace(calls=np.zeros((1, codes.MAX_CALLS), np.uint8))
        hold_auctions(setup.rules, setup.bot_table, first, last, deals, new_table(), own)

    _on_threads(n, workers, fill)
    return outcomes


def _new_outcomes(n: int, with_calls: int) -> Outcomes:
    """Empty rows for outcomes; so many of them with calls."""
    small = {name: np.zeros(n, np.int8) for name in ("bid", "doubling", "declarer", "n_calls", "contested", "tricks")}
    return Outcomes(**small, tenths=np.zeros(n, np.int32), calls=np.zeros((with_calls, codes.MAX_CALLS), np.uint8))


def hold_open(setup: Setup, deals: Deals, workers: int | None = None) -> Outcomes:
    """Auctions of two players who know what every contract takes, under a setup's rules and scoring, solved backwards.

    Parameters
    ----------
    setup : Setup
        Its bots do not matter.
    deals : Deals
    workers : int or None
        Threads; None: one a processor. Results do not depend on it.

    Returns
    -------
    Outcomes
        One row a deal, without calls.
    """
    refuse_other_games(setup)
    n = len(deals.keys)
    outcomes = _new_outcomes(n, 1)
    seats, states = 2, (2, codes.N_BIDS, codes.N_DOUBLINGS)

    def fill(first: int, last: int) -> None:
        oracle = Oracle(
            card=np.int64(0),
            contracts=np.int64(0),
            words=np.zeros((seats, int(codes.OracleWord.END)), np.uint64),
            tenths=setup.rules.score.tenths,
            legal=np.zeros((seats, codes.N_BIDS + 1), np.uint64),
            worth=np.zeros(states, np.int64),
            values=np.zeros(states, np.int64),
            calls=np.zeros((seats, codes.N_BIDS + 1, codes.N_DOUBLINGS), np.int64),
        )
        hold_open_auctions(setup.rules, oracle, first, last, deals, outcomes)

    _on_threads(n, workers, fill)
    return outcomes


def _aside(setup: Setup) -> np.uint64:
    """All ones where the upcard is out of play."""
    return ALL_ONES if setup.rules.exchange.takes_upcard == 0 else U0


def features(setup: Setup, deals: Deals, role: int, strain: int, first: int, last: int) -> np.ndarray:
    """Features of one role's hands for one strain, in the order of a model's weights.

    Parameters
    ----------
    setup : Setup
    deals : Deals
    role, strain : int
    first, last : int
        Rows, the last one excluded.

    Returns
    -------
    ndarray of float64, shape (rows, features)
    """
    from simcore.bots.bidding.hand_features import N_FEATURES

    found = np.zeros((last - first, N_FEATURES))
    deck = setup.rules.deal.deck
    write_deal_features(deck, _aside(setup), deals, np.int64(role), np.int64(strain), first, last, found)
    return found


def predicted_means(setup: Setup, deals: Deals, workers: int | None = None) -> np.ndarray:
    """Tricks that the models of a setup's bots, which bid by expected score, predict before the first call.

    Parameters
    ----------
    setup : Setup
    deals : Deals
    workers : int or None

    Returns
    -------
    ndarray of int16, shape (role, who declares: oneself or the opponent, strain, row)
        Hundredths of a trick.
    """
    n = len(deals.keys)
    means = np.zeros((2, 2, codes.N_STRAINS, n), np.int16)

    def fill(first: int, last: int) -> None:
        write_means(setup.rules, setup.bot_table, _aside(setup), deals, first, last, means)

    _on_threads(n, workers, fill)
    return means


def tricks_by_role(deals: Deals) -> np.ndarray:
    """Tricks by the role of declarer.

    Parameters
    ----------
    deals : Deals

    Returns
    -------
    ndarray of int8, shape (role of declarer, strain, row)
    """
    table = deals.trick_table.reshape(2, codes.N_STRAINS, -1)
    rows = np.arange(len(deals.dealer))
    dealer = deals.dealer.astype(np.int64)
    return np.stack([table[dealer, :, rows].T, table[1 - dealer, :, rows].T])
