"""Random numbers, written from docs/random-streams.md: a draw is a pure function of its address."""

from __future__ import annotations

from .cards import in_draw_order

WORD_BITS = 64
WORD = 2**WORD_BITS
GOLD = 0x9E3779B97F4A7C15

CARDS, EXCHANGE, BIDDING, PLAY = 0, 1, 2, 3  # purposes; those of a seat are counted on by 4 a seat
PURPOSES_OF_A_SEAT = 4
GROUP_SIZE = 6


def mix64(z):
    """The finaliser of SplitMix64."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) % WORD
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) % WORD
    return z ^ (z >> 31)


def derive(key, k):
    """The k-th key (or word) below a key."""
    return mix64((key + GOLD * (k + 1)) % WORD)


def match_key(seed, match):
    """Key of a match."""
    return derive(derive(seed, 0), match)


def deal_key(seed, match, deal):
    """Key of a deal; `deal` is its number within the match, redealt deals counted."""
    return derive(match_key(seed, match), 1 + deal)


def cards_key(key):
    """Key of the cards of a deal, from the deal key."""
    return derive(key, CARDS)


def seat_key(key, purpose, seat):
    """Key of a seat's decisions in one stage (EXCHANGE, BIDDING or PLAY), from the deal key."""
    return derive(key, purpose + PURPOSES_OF_A_SEAT * seat)


def first_dealer(seed, match, players):
    """The first dealer of a match."""
    return below(derive(match_key(seed, match), 0), 0, players)


def word(key, draw, attempt):
    """The 64-bit word of one attempt at one draw."""
    return derive(key, draw + attempt * 2**32)


def below_from_word(x, n, bits=WORD_BITS):
    """A number 0 .. n-1 from a word of so many bits, or None if the word is rejected."""
    product = x * n
    if product % 2**bits >= 2**bits % n:
        return product // 2**bits
    return None


def below(key, draw, n):
    """A number 0 .. n-1, every one equally likely."""
    attempt = 0
    while True:
        number = below_from_word(word(key, draw, attempt), n)
        if number is not None:
            return number
        attempt += 1


def group_from_word(x, pool, size, bits=WORD_BITS):
    """Take a group of cards from a pool with one word, or return None if the word is rejected.

    Returns
    -------
    tuple
        The cards taken in their order, and the pool without them.
    """
    rest = list(pool)
    taken = []
    choices = 1
    for _ in range(size):
        n = len(rest)
        product = x * n
        taken.append(rest.pop(product // 2**bits))
        x = product % 2**bits
        choices *= n
    if x >= 2**bits % choices:
        return taken, rest
    return None


def draw_group(key, draw, pool, size):
    """Take a group of at most six cards from a pool in draw order."""
    attempt = 0
    while True:
        group = group_from_word(word(key, draw, attempt), pool, size)
        if group is not None:
            return group
        attempt += 1


def draw_block(key, draw, pool, size):
    """Take a block of cards from a pool, in groups of six from draw number `draw` on.

    Returns
    -------
    tuple
        The cards in the order drawn, the rest of the pool in draw order, the draw after the last one used.
    """
    cards = []
    rest = in_draw_order(pool)
    while len(cards) < size:
        group_size = min(GROUP_SIZE, size - len(cards))
        group, rest = draw_group(key, draw, rest, group_size)
        cards += group
        draw += 1
    return cards, rest, draw
