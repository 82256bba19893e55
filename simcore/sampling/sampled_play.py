"""The play policy `sampling` behind its address: draw the opponent's hand, solve, add up what every legal card is worth.

Every set of cards that the opponent may hold for all that the seat has seen is equally likely; or, as an option for games in
which he chose his cards, some cards more are drawn and the lowest of them left out. Where there are no more sets than samples
wanted, each is looked at once and nothing is drawn; else each sample is a block of cards, one block after the other
(docs/random-streams.md, section 5). A card stands for those next to it with no card of the opponent's between them.
"""

from __future__ import annotations

import numpy as np

from simcore._jit import entry, inlined, kernel
from simcore.bits import U0, U1, I, U, array_at, ctz, lowest, pdep, popcount, select
from simcore.cards import COLON_OF, COLONS, LANE, NATURALS, high_card_points, lowest_rank, trump_cards
from simcore.codes import N_RANKS, N_SUITS, SampleAim, SampleWord
from simcore.sampling.layouts import WAYS, draw_hand, groups_of
from simcore.solver.endgames import next_pattern
from simcore.solver.entries import play_of
from simcore.solver.layout import SUIT, colon_set, trumps_first, with_borders
from simcore.solver.mode import EVERY_RUN
from simcore.solver.one_card import points_of_lead, tricks_of_lead
from simcore.solver.position import after_reply
from simcore.solver.position_points import points_after_reply
from simcore.solver.values import first_guess

TABLES, SCRATCH, POINT_SCRATCH, MODE = (int(word) for word in list(SampleWord)[:4])
HAND, POOL, LEGAL, LED, STRAIN, DECLARES, TAKEN = (int(word) for word in list(SampleWord)[4:11])
AIM, SAMPLES, DISCARDS, KEY, DRAW, BASE, LAYOUTS = (int(word) for word in list(SampleWord)[11:18])
PLAY, VALUES, TRICKS, N_WORDS = (int(word) for word in (SampleWord.PLAY, *list(SampleWord)[20:]))
N_PAYOFFS = N_RANKS + 1
FOR_POINTS, FOR_TRICKS = U(int(SampleAim.POINTS)), U(int(SampleAim.TRICKS))
_NO_CARD, _LANES = U(64), U(3 * LANE)


@inlined
def rises(payoff, taken, n):
    """Whether each further trick of n is worth nothing or something to declarer, and never costs. -> bool"""
    rising = True
    for more in range(n):
        rising &= payoff[taken + more + 1] >= payoff[taken + more]
    return rising


@inlined
def is_equal(card, before, foreign, colons):
    """Whether a legal card is worth as much as the legal one before it, with the same cards left in a layout.

    card : uint64        bit number; before : uint64 that of the next lower legal card, 64 for none
    foreign : uint64     cards that would come between: the opponent's and the one led
    colons : uint64      the opponent's and one led, whose ranges may part the cards
    -> bool
    """
    if (before == _NO_CARD) | ((COLONS >> card) & U1 != U0):
        return False
    if (card & _LANES != before & _LANES) | ((COLONS >> before) & U1 != U0):
        return False
    between = ((U1 << card) - U1) & ~((U1 << before) - U1)
    parted = (colons != U0) & (COLON_OF[card] != COLON_OF[before])
    return (foreign & between == U0) & (not parted)


@inlined
def tricks_with(words, mode, play, other, card, guess):
    """Own tricks of those left, with a card against a hand, both sides playing for tricks. -> int64"""
    tables, scratch, strain, hand = words[TABLES], words[SCRATCH], I(words[STRAIN]), words[HAND]
    n = I(popcount(hand))
    if words[LED] != U0:
        return n - after_reply(tables, scratch, mode, play, strain, other, hand, words[LED], card, n - guess)
    trumps = SUIT if strain < N_SUITS else U0
    lead, follow = trumps_first(with_borders(hand), strain), trumps_first(with_borders(other), strain)
    natural, colon = trumps_first(with_borders(card & NATURALS), strain), colon_set(card)
    return tricks_of_lead(
        tables, scratch, trumps, mode, n, lead, follow, colon_set(hand), colon_set(other), natural, colon, guess
    )


@inlined
def points_with(words, mode, play, payoff, other, card, guess):
    """Declarer's points with a card against a hand, both sides playing for points. -> int64"""
    tables, scratch, strain, hand = words[TABLES], words[POINT_SCRATCH], I(words[STRAIN]), words[HAND]
    taken, declares = I(words[TAKEN]), words[DECLARES] != U0
    n = I(popcount(hand))
    every = mode | EVERY_RUN
    if words[LED] != U0:
        contract = (not declares, payoff, taken, guess)
        return points_after_reply(tables, scratch, every, play, strain, other, hand, words[LED], card, *contract)
    trumps = SUIT if strain < N_SUITS else U0
    lead, follow = trumps_first(with_borders(hand), strain), trumps_first(with_borders(other), strain)
    natural, colon = trumps_first(with_borders(card & NATURALS), strain), colon_set(card)
    position = (n, lead, follow, colon_set(hand), colon_set(other), natural, colon)
    return points_of_lead(tables, scratch, trumps, every, *position, declares, payoff, taken, guess)


@inlined
def guess_of(words, other):
    """A guess of the own tricks against a hand. -> int64"""
    hand, strain = words[HAND], I(words[STRAIN])
    trumps = trump_cards(strain)
    more = I(popcount(hand & trumps)) - I(popcount(other & trumps))
    points = high_card_points(hand) - high_card_points(other)
    return first_guess(points, more, I(popcount(hand)), strain < N_SUITS)


@kernel
def add_layout(words, payoff, play, other, by_points):
    """Add what every legal card is worth against one hand of the opponent.

    words : uint64[:]    `SampleWord`; the sums are modified
    payoff : int32[:], play : PlayRules, other : uint64
    by_points : bool     whether both sides play for points, and the tricks are not looked at
    """
    mode, declares, taken = words[MODE], words[DECLARES] != U0, I(words[TAKEN])
    n = I(popcount(words[HAND]))
    foreign = other | words[LED]
    colons = foreign & COLONS
    rest, before = words[LEGAL], _NO_CARD
    own_tricks = guess_of(words, other)
    worth = I(payoff[taken + (own_tricks if declares else n - own_tricks)])
    while rest != U0:
        bit = ctz(rest)
        card = lowest(rest)
        rest ^= card
        if not is_equal(bit, before, foreign, colons):
            if by_points:
                worth = points_with(words, mode, play, payoff, other, card, worth)
            else:
                own_tricks = tricks_with(words, mode, play, other, card, own_tricks)
                worth = I(payoff[taken + (own_tricks if declares else n - own_tricks)])
        before = bit
        own = worth if declares else -worth
        if words[AIM] == FOR_TRICKS:
            own = own_tricks
        words[VALUES + I(bit)] += U(own)
        words[TRICKS + I(bit)] += U(0 if by_points else own_tricks)


@inlined
def best_of(words):
    """The card of the highest sum, then of the most tricks; of equals the base policy's, else the lowest. -> uint64"""
    rest, best = words[LEGAL], U0
    value, tricks = I(0), I(0)
    while rest != U0:
        card = lowest(rest)
        rest ^= card
        own, more = I(words[VALUES + I(ctz(card))]), I(words[TRICKS + I(ctz(card))])
        if (best == U0) | (own > value) | ((own == value) & (more > tricks)):
            best, value, tricks = card, own, more
        elif (own == value) & (more == tricks):
            best |= card
    return select(best & words[BASE] != U0, words[BASE], lowest_rank(best))


@inlined
def discards_of(discards, size, n_pool):
    """Cards that are drawn beyond a hand and thrown. discards : int64, of a whole hand; size, n_pool : int64 -> int64"""
    return min(discards, n_pool - size)


@inlined
def draw_kept(key, draw, pool, size, more):
    """A hand of one who held so many cards more and threw the lowest of them. -> uint64

    key, draw : uint64   the draws from `draw` on
    pool : uint64        cards that he may hold
    size, more : int64   cards of the hand, and those thrown; all together no more than the pool has
    """
    held = draw_hand(key, draw, pool, U0, size + more)
    for _ in range(more):
        held ^= lowest_rank(held)
    return held


@kernel
def sampled_card(words, payoff):
    """The card to play. words : uint64[:] `SampleWord`, the output modified; payoff : int32[:] by tricks -> uint64"""
    play, pool, samples = play_of(words, PLAY), words[POOL], I(words[SAMPLES])
    size = I(popcount(words[HAND])) - (1 if words[LED] != U0 else 0)
    taken = I(words[TAKEN])
    by_points = (words[AIM] == FOR_POINTS) & (not rises(payoff, taken, I(popcount(words[HAND]))))
    for card in range(VALUES, N_WORDS):
        words[card] = U0
    ways = WAYS[I(popcount(pool)), size]
    every = ways <= U(samples)
    layouts = I(ways) if every else samples
    more = discards_of(I(words[DISCARDS]), size, I(popcount(pool)))
    pattern, step = (U1 << U(size)) - U1, U(groups_of(size + more))
    for layout in range(layouts):
        if every:
            other = pdep(pattern, pool)
            pattern = next_pattern(pattern)
        else:
            other = draw_kept(words[KEY], words[DRAW] + step * U(layout), pool, size, more)
        add_layout(words, payoff, play, other, by_points)
    words[LAYOUTS] = U(layouts)
    return best_of(words)


@entry
def sample_entry(words, payoff):
    """`sampled_card`, for a pointer to the words and one to the points."""
    return sampled_card(array_at(words, N_WORDS), array_at(payoff, N_PAYOFFS, np.int32))
