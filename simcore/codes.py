"""Every integer code and every constant of the games; nothing else defines one.

Text in YAML, files and messages uses names; kernels use these numbers. One order of suits and strains
everywhere, the bidding order C < D < H < S < NT. Constants derive from constants.
"""

from __future__ import annotations

from enum import IntEnum


class Suit(IntEnum):
    """The four suits in bidding order."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3


class Strain(IntEnum):
    """A suit as trumps, or no trump, in bidding order."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3
    NOTRUMP = 4


class Colon(IntEnum):
    """Bridgette's extra cards. Range: aces; jack, queen, king; two to ten."""

    GRAND = 0
    ROYAL = 1
    LITTLE = 2


class Role(IntEnum):
    """A seat of a two-player game by its relation to the dealer."""

    DEALER = 0
    NON_DEALER = 1


class Doubling(IntEnum):
    """How often the contract was doubled; the columns of the scoring table."""

    UNDOUBLED = 0
    DOUBLED = 1
    REDOUBLED = 2


class Purpose(IntEnum):
    """What a random stream is for (docs/random-streams.md, section 1)."""

    CARDS = 0
    EXCHANGE = 1
    BIDDING = 2
    PLAY = 3
    TRICK_TABLE = 64
    LAYOUT = 128
    """Hidden cards drawn at random, for estimates (section 6)."""
    TURNS = 129
    """The order of a seat's turns of looking and choosing, likewise; 129 + seat."""


class ExchangeKind(IntEnum):
    """Kinds of the exchange phase."""

    NONE = 0
    UPCARD = 1
    DRAW_TRICKS = 2
    LOOK_AND_CHOOSE = 3


class AuctionKind(IntEnum):
    """Kinds of the auction phase."""

    BRIDGE = 0
    CALLS = 1
    STEPS = 2


class ShortHand(IntEnum):
    """What a player may bid who has fewer cards to get rid of than the lowest bid (rules.md, section 5)."""

    BID_ALL = 0
    NO_BID = 1
    AUTO_OUT = 2


class SheddingModel(IntEnum):
    """What becomes of the cards between the rounds of a shedding game (rules.md, section 5)."""

    QUOTA = 0
    PERSISTENT = 1
    CAPTURE = 2


class Trump(IntEnum):
    """Where the trumps of the play come from: a fixed strain (its code), the turned card, or the contract."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3
    NONE = 4
    TURNED_CARD = 5
    CONTRACT = 6


class ExchangePolicy(IntEnum):
    """Policies of the exchange stage; the names are those of YAML in capitals."""

    RANDOM = 0
    KEEP_BEST = 1
    KEEP_HIGH = 2
    EXPECTED = 3
    COMPILED = 99


class BiddingPolicy(IntEnum):
    """Policies of the bidding stage."""

    RANDOM = 0
    POINTS = 1
    HIGH_CARDS = 2
    PERFECT = 3
    EXPECTED = 4
    COMPILED = 99


class PlayPolicy(IntEnum):
    """Policies of the play stage."""

    RANDOM = 0
    CAREFUL = 1
    EAGER = 2
    PERFECT = 3
    SAMPLING = 4
    COMPILED = 99


class KeepParam(IntEnum):
    """Parameters of the exchange policies `keep_best` (the first) and `expected`; last, the place of the seat's model."""

    KEEP_COLONS = 0
    AGAINST = 1
    MODEL = 2


class RandomBiddingParam(IntEnum):
    """Parameters of the bidding policy `random`; first the sums of the weights of levels up to 0, 1, .. 7."""

    WEIGHTS_UP_TO = 0
    DOUBLE_PERCENT = 8
    PASS_PERCENT = 9
    CALL_SPREAD = 10
    STEP_PASS_PERCENT = 11
    ALONE_PERCENT = 12


class PointsParam(IntEnum):
    """Parameters of the bidding policy `points`, in hundredths of a trick.

    Those that begin with CALL are for games of calls, those with STEP for auctions in steps.
    """

    ACE = 0
    KING = 1
    QUEEN = 2
    JACK = 3
    COLON = 4
    NT_BASE = 5
    SUIT_BASE = 6
    LENGTH = 7
    VOID = 8
    SINGLETON = 9
    MARGIN = 10
    COMPETE = 11
    DOUBLE_MARGIN = 12
    REDOUBLE_MARGIN = 13
    CALL_TRUMP = 14
    CALL_TRUMP_ACE = 15
    CALL_TRUMP_KING = 16
    CALL_TRUMP_QUEEN = 17
    CALL_TRUMP_JACK = 18
    CALL_ACE = 19
    CALL_KING = 20
    CALL_QUEEN = 21
    CALL_RUFF = 22
    CALL_MARGIN = 23
    CALL_EXACT = 24
    CALL_BONUS = 25
    STEP_BASE = 26
    STEP_TRUMP = 27
    STEP_LOW_TRUMP = 28
    STEP_SIDE = 29
    STEP_CARD = 30
    STEP_HELD = 31
    STEP_LONGER = 32
    STEP_MARGIN = 33
    STEP_CAUTION = 34
    STEP_OUT = 35
    STEP_STOP = 36
    STEP_BLOCK = 37
    STEP_RAISE = 38
    STEP_ALONE = 39
    SEEN_ACE = 40
    SEEN_KING = 41
    SEEN_QUEEN = 42
    SEEN_JACK = 43
    SEEN_TEN = 44
    SEEN_LENGTH = 45
    SEEN_AGAINST = 46
    SEEN_VOID = 47
    SEEN_SINGLETON = 48
    SEEN_SUIT_BASE = 49
    SEEN_NT_BASE = 50
    SEEN_NT_FACTOR = 51
    SEEN_MARGIN = 52
    SEEN_COMPETE = 53
    SEEN_DOUBLE = 54


class HighCardsParam(IntEnum):
    """Parameters of the bidding policy `high_cards`, in high-card points."""

    OPENING = 0
    PER_LEVEL = 1
    DOUBLE_FROM = 2
    CALL_PERCENT = 3
    STEP_POINTS = 4


class Aim(IntEnum):
    """What perfect play plays for; the order is that of the choices in YAML."""

    POINTS = 0
    TRICKS = 1


class PerfectPlayParam(IntEnum):
    """Parameters of the play policy `perfect`."""

    AIM = 0


class SampleAim(IntEnum):
    """What play by sampling makes of each card in each sample; the order is that of the choices in YAML."""

    POINTS = 0
    SCORE = 1
    TRICKS = 2


class SamplingParam(IntEnum):
    """Parameters of the play policy `sampling`."""

    SAMPLES = 0
    AIM = 1
    SOLVE_FROM = 2
    DISCARDS = 3
    ROLLOUTS = 4
    ROLL_FROM = 5
    OTHERS = 6
    EXACT_FROM = 7


class OracleWord(IntEnum):
    """Places in a row of words by which a policy that sees all cards asks the solver (`simcore.table.Oracle`)."""

    TABLES = 0
    SCRATCH = 1
    POINT_SCRATCH = 2
    MODE = 3
    HAND = 4
    """The hand of the seat that asks, and next the other one; without a card on the table."""
    OTHER = 5
    LED = 6
    BAR = 7
    STRAIN = 8
    DECLARES = 9
    """Whether the seat that asks is declarer."""
    TAKEN = 10
    """Declarer's tricks so far."""
    AIM = 11
    GUESS = 12
    """What the seat expected at its last card, above `NO_GUESS`; the solver writes what it found."""
    PLAY = 13
    """First of the fields of `PlayRules`."""
    PAYOFF = 25
    """First of seven words with fourteen points, in tenths, by declarer's tricks."""
    END = 32


class SampleWord(IntEnum):
    """Places in a row of words by which the play policy `sampling` asks for a card (`simcore.table.Sampling`)."""

    TABLES = 0
    SCRATCH = 1
    POINT_SCRATCH = 2
    MODE = 3
    HAND = 4
    POOL = 5
    """Cards that the opponent may hold."""
    LEGAL = 6
    LED = 7
    STRAIN = 8
    DECLARES = 9
    TAKEN = 10
    AIM = 11
    SAMPLES = 12
    DISCARDS = 13
    KEY = 14
    DRAW = 15
    """Number of the first draw."""
    BASE = 16
    """The card to play where others are no better."""
    LAYOUTS = 17
    """Output: layouts looked at."""
    PLAY = 18
    """First of the fields of `PlayRules`."""
    PAYOFF = 30
    """First of seven words with fourteen points, in tenths, by declarer's tricks."""
    VALUES = 37
    """Output: first of 64 sums over the layouts by bit number of the card, own view; behind it, the same in tricks."""
    TRICKS = 101
    END = 165


SAMPLE_DRAWS = 8192
"""Draws of a decision of the play policy `sampling`."""
NO_GUESS = 1 << 40
"""Added to a value that an oracle notes, so that it is above 0."""


class ExpectedParam(IntEnum):
    """Parameters of the bidding policy `expected`; last, the place of the seat's model among those of the table."""

    GUARD = 0
    BELIEFS = 1
    SOLVES_KNOWN = 2
    MODEL = 3


class TrickSet(IntEnum):
    """Kinds of strain and declarer that a model of tricks tells apart."""

    SUIT_OWN = 0
    SUIT_OPPONENT = 1
    NT_OWN = 2
    NT_OPPONENT = 3


class Heard(IntEnum):
    """What a call of the opponent said, for the beliefs of the bidding policy `expected`."""

    BID = 0
    """His last bid, over none of one's own."""
    OVERCALL = 1
    """His last bid, over one of one's own."""
    PASS = 2
    """An opening pass."""
    DOUBLE = 3
    """He doubled one's last bid, or redoubled one's double."""


class Relation(IntEnum):
    """How a strain stands to the strain of a bid."""

    SAME = 0
    OTHER_SUIT = 1
    NT_AFTER_SUIT = 2
    SUIT_AFTER_NT = 3


class DealColumn(IntEnum):
    """Rows of the small columns of a chunk: one of each, then blocks with a row a seat."""

    DEALER = 0
    PASSED_OUT = 1
    DECLARER = 2
    DECLARER_ROLE = 3
    STRAIN = 4
    LEVEL = 5
    DOUBLING = 6
    CALLS = 7
    CONTESTED = 8
    MADE = 9
    TRICKS = 10
    OVERTRICKS = 11
    UNDERTRICKS = 12
    HCP_DECLARER = 13
    LEN_TRUMP_DECLARER = 14
    UPCARD = 15
    BID = 16
    """Tricks declarer bid, in games of steps."""
    ALONE = 17
    SEATS = 18
    """First row of the seats' blocks; a block is a multiple of the number of players."""


class SeatColumn(IntEnum):
    """Rows of a seat's block of the small columns."""

    TRICKS = 0
    HCP = 1
    DRAWN = 2
    COLONS = 3
    LENGTHS = 4
    """Length in each suit, clubs first."""
    CALL = 8
    """The seat's call, in games of calls."""
    MADE = 9
    """Whether the seat made its call."""
    QUOTA = 10
    """Cards the seat still has to shed after the deal, in games of shedding."""
    END = 11


class Tie(IntEnum):
    """What happens when a match ends level at the top (rules.md, common part and sections 1 and 2)."""

    DRAW = 0
    EXTRA_DEAL_THEN_DRAW = 1
    UNTIL_BROKEN = 2
    EXTRA_DEAL = 3


N_SUITS = 4
"""Suits of the pack."""
N_STRAINS = 5
"""Suits and no trump."""
N_RANKS = 13
"""Ranks of a suit, two to ace."""
N_CARDS = N_SUITS * N_RANKS
"""Natural cards of the pack."""
N_COLONS = 3
"""Colons of the full Bridgette pack."""
N_LEVELS = 8
"""Levels 0 to 7."""
N_DOUBLINGS = 3
"""Undoubled, doubled, redoubled."""
BOOK = 6
"""Tricks a contract promises beyond its level."""
N_BIDS = N_LEVELS * N_STRAINS
"""Room for bids: index 5 * level + strain, 0C (not a bid of any shipped game) to 7NT."""
NO_SEAT = -1
"""No seat; never used as an index."""
NO_BID = -1
"""No bid yet, or passed out; never used as an index."""
NO_CARD = -1
"""No card, for example no upcard; never used as an index."""

CALL_PASS = 0
"""Code of a pass in a recorded auction; a bid is its index + BID_OFFSET."""
CALL_DOUBLE = 1
"""Code of a double."""
CALL_REDOUBLE = 2
"""Code of a redouble."""
BID_OFFSET = 8
"""Added to a bid's index in a recorded auction."""

STEP_ALONE = 64
"""Added to a bid of tricks in an auction in steps: the bid is alone."""
MAX_QUOTAS = N_CARDS - 1
"""Most cards that all quotas of a shedding game add up to: one is left to turn."""
CARDS_DRAWN_ANEW = 3
"""Cards drawn by a player who has none left, where tricks are captured (rules.md, section 5)."""

MAX_SEATS = 6
"""Players of the largest game."""
MAX_CALLS = 128
"""Room for the calls of one auction: every bid doubled and redoubled, and the passes."""
MOST_EXACT = 4
"""Most cards of a hand with which layouts of more than two hands are solved."""
MAX_TRICKS = N_CARDS
"""Room for the tricks of a deal: a hand of the whole pack, as one may capture in Pit."""
MAX_DRAW_TRICKS = N_CARDS // 4
"""Room for the tricks of phase 1, each of which draws two cards."""
CHOICES = N_CARDS // 2
"""Turns of an exchange by looking and choosing (rules.md, section 4)."""
MAX_REDEALS = 20
"""Passed-out deals in a row that are dealt again; the next one counts (rules.md, common part)."""
MAX_EXTRA_DEALS = 100
"""Extra deals of `until_broken` before the match is shared (rules.md, common part)."""
TENTHS = 10
"""Points are computed in whole tenths."""
HUNDREDTHS = 100
"""Bots count tricks in whole hundredths."""
TRICK_UNIT = 10_000
"""Weights of models of tricks, and what they add up to, are whole ten-thousandths of a trick."""
PROB_UNIT = 10_000
"""Probabilities of models of tricks are whole parts of this."""
GRID_STEP = 10
"""Hundredths of a trick between rows of a model's distributions."""
VIEW_WORDS = 24
"""Room for the fields of a view, for compiled bots of users."""
MEMORY_WORDS = 8
"""Words of their own that such bots may keep while a deal is played."""
MAX_PARAMS = 64
"""Room for the parameters of a policy."""
PARAM_ADDRESS = MAX_PARAMS - 1
"""Place in a parameter row of the address of a user's compiled function."""
