"""What lies on the table while kernels play: scratch arrays that are made once a chunk and reused for every deal.

The phases hand the state of a deal to one another through `Table`; `Record` keeps the decisions, from which transcripts
are made. Nothing here is shown to a bot (`simcore.bots.view`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simcore.codes import MAX_CALLS, MAX_DRAW_TRICKS, MAX_SEATS, MAX_TRICKS, MEMORY_WORDS, MOST_EXACT, VIEW_WORDS
from simcore.rng import MAX_POOL


class Oracle(NamedTuple):
    """What policies that see all cards work with: addresses of the solver's kernels and scratch for questions to them."""

    card: np.int64
    """Address of the kernel that finds a best card (`simcore.solver.entries`)."""
    contracts: np.int64
    """Address of the kernel that finds the tricks of all contracts' strains from both sides."""
    words: np.ndarray
    """uint64[seat, i]: a question to the solver; `OracleWord` says what stands where."""
    tenths: np.ndarray
    """int32[level, strain, doubling, tricks]: points in tenths, declarer's view."""
    legal: np.ndarray
    """uint64[seat, last bid + 1]: bids that the seat may make."""
    worth: np.ndarray
    """int64[bidder, bid, doubling]: tenths of seat 0 less those of seat 1 when the contract is played."""
    values: np.ndarray
    """int64[bidder, bid, doubling]: the same when the rest of the auction is perfect."""
    calls: np.ndarray
    """int64[seat, last bid + 1, doubling]: the call of a seat that bids perfectly."""


class Plies(NamedTuple):
    """The cards of the last tricks as they are tried one after the other (`simcore.phases.play.last_tricks`), a row a card."""

    left: np.ndarray
    """uint64[ply]: cards to be tried yet; the one that is tried; the one that `careful` would play."""
    card: np.ndarray
    usual: np.ndarray
    led: np.ndarray
    """uint64[ply]: the card led to the trick before this card, and the one that wins so far."""
    best: np.ndarray
    taken: np.ndarray
    """uint64[ply]: tricks so far, a byte a seat; and at the end of the best line from here."""
    found: np.ndarray
    score: np.ndarray
    """int64[ply]: what that line scores for the seat in turn, in tenths."""
    seat: np.ndarray
    """int64[ply]: the seat in turn; that of the best card; seats that play after it; number of the trick."""
    best_seat: np.ndarray
    to_play: np.ndarray
    trick: np.ndarray


class Rollouts(NamedTuple):
    """What policies that play by sampled roll-outs among many hands work with (`simcore.phases.play.sampled`)."""

    barred: np.ndarray
    """uint64[seat]: cards that a seat cannot hold, as follows from what it played under the duties; public."""
    won: np.ndarray
    """int64[seat]: cards of the tricks that each seat has taken in this deal; public."""
    kinds: np.ndarray
    """uint64[i]: scratch, as all that follows. Unseen cards that the same seats may hold, those of fewest seats first."""
    places: np.ndarray
    """uint64[i]: places in the hidden hands where the cards of a kind may lie, a bit a place."""
    bounds: np.ndarray
    """int64[i]: most places that may be free when the first card of a kind is laid."""
    seat_places: np.ndarray
    """uint64[seat]: places of each hidden hand, last those of the cards that nobody holds."""
    seat_of: np.ndarray
    """int64[place]: whose place it is."""
    layout: np.ndarray
    """uint64[seat]: a sampled layout."""
    hands: np.ndarray
    """uint64[seat]: hands of a roll-out."""
    taken: np.ndarray
    """int64[seat]: tricks of a roll-out; and the cards of these."""
    taken_cards: np.ndarray
    cards: np.ndarray
    """uint64[i]: cards among which a choice is made."""
    sums: np.ndarray
    """int64[i]: what they came to, over all layouts."""
    results: np.ndarray
    """int64[seat]: quotas after a roll-out."""
    worths: np.ndarray
    """int64[tricks]: where declarer's tricks alone decide it, what a deal is worth with so many."""
    same_to: np.ndarray
    """int64[tricks]: up to how many tricks that worth stays the same."""
    plies: Plies | None
    """None unless somebody solves the last tricks: nothing of that is compiled then."""
    n_decisions: np.ndarray
    """int64[1]: decisions so far, for the next two."""
    weighed: np.ndarray
    """uint64[decision, i]: the cards weighed, none where there was no choice; no rows where nobody asks for reasons."""
    found: np.ndarray
    """int64[decision, i]: what they came to."""
    seats: np.ndarray
    """int64[decision]: whose decision it was."""


class Sampling(NamedTuple):
    """What the policies that draw hidden cards and solve work with: addresses of kernels and scratch for questions to them."""

    card: np.int64
    """Address of the kernel that finds a card to play (`simcore.sampling.sampled_play`)."""
    words: np.ndarray
    """uint64[seat, i]: a question; `SampleWord` says what stands where."""
    tenths: np.ndarray
    """int32[level, strain, doubling, tricks]: points in tenths, declarer's view."""


class Table(NamedTuple):
    """State of the deal and of the match; hands are masks in the kernels' form."""

    hands: np.ndarray
    """uint64[seat]: cards held now."""
    thrown: np.ndarray
    """uint64[seat]: cards thrown in the exchange."""
    gone: np.ndarray
    """uint64[seat]: cards that this seat knows to be out of play as the auction begins."""
    drawn: np.ndarray
    """int64[seat]: number of cards drawn in the exchange."""
    calls: np.ndarray
    """int64[seat]: what each seat called in an auction of calls, -1 before; public."""
    taken: np.ndarray
    """int64[seat]: tricks taken in this deal, where more than two may play; public."""
    won: np.ndarray
    """uint64[seat]: cards of the tricks taken in this deal, likewise."""
    won_with: np.ndarray
    """uint64[seat]: cards with which they were taken, likewise."""
    voids: np.ndarray
    """uint64[seat]: suits in which a seat has shown a void, where more than two may play; public."""
    quotas: np.ndarray
    """int64[seat]: cards each seat still has to shed, in games of shedding; public."""
    notes: np.ndarray
    """uint64[seat]: what the seat's play policy noted at its last card."""
    stock: np.ndarray
    """uint64[i]: the rest of the pack in order, the upcard first where there is one; only as far as it is needed."""
    totals: np.ndarray
    """int64[seat]: points of the match so far, in tenths."""
    memory: np.ndarray | None
    """uint64[seat, i]: for bots compiled by the user, the words of a view and then the bot's own; None without such bots."""
    oracle: Oracle | None
    """For bots that see all cards; None without such bots."""
    sampling: Sampling | None
    """For bots that draw hidden cards and solve; None without such bots."""
    known: Oracle | None
    """For auctions that bots solve who know the other hand from what they have seen; None where nobody can."""
    rollouts: Rollouts | None
    """For bots that play by sampling among many hands; None without such bots."""


class Record(NamedTuple):
    """Decisions of each deal of a chunk, or of its last deal only (one row)."""

    dealt: np.ndarray
    """uint64[row, seat]: hands as dealt."""
    thrown: np.ndarray
    """uint64[row, seat]: cards thrown in the exchange."""
    calls: np.ndarray
    """uint8[row, i]: calls of the auction: pass 0, double 1, redouble 2, bid index + BID_OFFSET; in steps pass 0, tricks +
    BID_OFFSET, + STEP_ALONE."""
    tricks: np.ndarray
    """uint64[row, i]: the cards of each trick together; who played which follows from the hands."""
    phase1: np.ndarray
    """uint64[row, i]: the cards of each trick of phase 1 of an exchange by tricks."""
    drawn: np.ndarray
    """int64[row]: cards drawn from the Pit before the round, in shedding games with one deal."""
    choices: np.ndarray
    """uint64[row]: bit i: turn number i of an exchange by looking and choosing kept the first card."""


class Given(NamedTuple):
    """Deals that the user gave, by match number; no rows where the cards come from the random stream."""

    hands: np.ndarray
    """uint64[match, seat]"""
    stock: np.ndarray
    """uint64[match, i]: the rest of the pack in order, one bit each, the upcard first; 0 from where it is not given."""
    dealers: np.ndarray
    """int64[match]: seat of the dealer, -1 where it is drawn as usual."""


class Contracted(NamedTuple):
    """Outcome of a bridge auction."""

    bid: int
    """Index of the last bid, -1 when passed out."""
    doubling: int
    declarer: int
    """Seat of the last bidder, -1 when passed out."""
    n_calls: int
    contested: int
    """1 when both seats bid."""


def no_given_deals() -> Given:
    """Nothing given: all cards come from the random stream."""
    return Given(
        hands=np.zeros((0, MAX_SEATS), np.uint64),
        stock=np.zeros((0, MAX_POOL), np.uint64),
        dealers=np.zeros(0, np.int64),
    )


def new_rollouts(decisions: int = 0, exact: bool = False) -> Rollouts:
    """Scratch for roll-outs, with nothing known yet, room for what so many decisions weigh, and to solve last tricks."""
    size = MAX_SEATS + 1
    masks = {name: np.zeros(size, np.uint64) for name in ("barred", "seat_places", "layout", "hands")}
    counts = {name: np.zeros(size, np.int64) for name in ("won", "taken", "taken_cards", "results")}
    lists = {name: np.zeros(MAX_POOL, np.uint64) for name in ("kinds", "places", "cards")}
    numbers = {name: np.zeros(MAX_POOL, np.int64) for name in ("bounds", "seat_of", "sums")}
    weighed, found = np.zeros((decisions, MAX_TRICKS), np.uint64), np.zeros((decisions, MAX_TRICKS), np.int64)
    tables = {name: np.zeros(MAX_TRICKS + 2, np.int64) for name in ("worths", "same_to")}
    n_plies = MAX_SEATS * MOST_EXACT + 1
    plies = Plies(*np.zeros((7, n_plies), np.uint64), *np.zeros((5, n_plies), np.int64)) if exact else None
    kept = {"n_decisions": np.zeros(1, np.int64), "weighed": weighed, "found": found, "seats": np.zeros(decisions, np.int64)}
    return Rollouts(**masks, **counts, **lists, **numbers, **tables, plies=plies, **kept)


def new_table(
    with_memory: bool = False,
    oracle: Oracle | None = None,
    sampling: Sampling | None = None,
    known: Oracle | None = None,
    rollouts: Rollouts | None = None,
) -> Table:
    """A table for any number of seats, with memory for bots compiled by the user, and what bots that solve work with."""
    return Table(
        hands=np.zeros(MAX_SEATS, np.uint64),
        thrown=np.zeros(MAX_SEATS, np.uint64),
        gone=np.zeros(MAX_SEATS, np.uint64),
        drawn=np.zeros(MAX_SEATS, np.int64),
        calls=np.zeros(MAX_SEATS, np.int64),
        taken=np.zeros(MAX_SEATS, np.int64),
        won=np.zeros(MAX_SEATS, np.uint64),
        won_with=np.zeros(MAX_SEATS, np.uint64),
        voids=np.zeros(MAX_SEATS, np.uint64),
        quotas=np.zeros(MAX_SEATS, np.int64),
        notes=np.zeros(MAX_SEATS, np.uint64),
        stock=np.zeros(MAX_POOL, np.uint64),
        totals=np.zeros(MAX_SEATS, np.int64),
        memory=np.zeros((MAX_SEATS, VIEW_WORDS + MEMORY_WORDS), np.uint64) if with_memory else None,
        oracle=oracle,
        sampling=sampling,
        known=known,
        rollouts=rollouts,
    )


def new_record(rows: int) -> Record:
    """Room for the decisions of `rows` deals; with one row, each deal overwrites the last."""
    return Record(
        dealt=np.zeros((rows, MAX_SEATS), np.uint64),
        thrown=np.zeros((rows, MAX_SEATS), np.uint64),
        calls=np.zeros((rows, MAX_CALLS), np.uint8),
        tricks=np.zeros((rows, MAX_TRICKS), np.uint64),
        phase1=np.zeros((rows, MAX_DRAW_TRICKS), np.uint64),
        drawn=np.zeros(rows, np.int64),
        choices=np.zeros(rows, np.uint64),
    )
