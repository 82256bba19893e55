"""Perfect play for users: arrays of deals in, values out; and everything about one position. Plain Python.

"Tricks" is what both sides can make sure of when both play for tricks, "points" when both play for the points of a contract;
the two differ often (docs/solver.md). Both sides see all cards, and both know it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcore.codes import BOOK, N_CARDS, N_COLONS, N_RANKS, N_SUITS, TENTHS
from simcore.errors import InputError
from simcore.notation import STRAINS, Contract, card_text, parse_contract, points_number

if TYPE_CHECKING:
    import numpy as np

    from simcore.config import Variant

AIMS = ("tricks", "points")


@dataclass(frozen=True)
class Solution:
    """What perfect play makes of a position.

    Attributes
    ----------
    aim
        ``"tricks"`` or ``"points"``.
    to_move
        The seat that plays next.
    value
        Tricks of seat 0 from here on, a card on the table included; or declarer's points for the deal.
    cards
        The same for each legal card of the seat to move, if the rest is perfect.
    best
        The legal cards that reach the value, highest first.
    """

    aim: str
    to_move: int
    value: int | float
    cards: dict[str, int | float]
    best: list[str]


def solve(
    variant: str | Path | Mapping[str, Any],
    hands: Any,
    *,
    aim: str = "tricks",
    contract: str | None = None,
    workers: int | None = None,
    overrides: Sequence[str] = (),
    progress: Callable[[int], None] | None = None,
) -> np.ndarray:
    """Perfect play of many deals.

    Parameters
    ----------
    variant : str, Path or mapping
        The rules: shipped name, path or content.
    hands : ndarray of uint64, shape (deals, 2), or sequence of pairs
        Hands of seats 0 and 1, as many cards each: masks with bit 13 suit + rank, colons 52 .. 54 (the columns ``hand_0`` and
        ``hand_1`` of a run with ``columns: [hands]``), or texts such as ``"AKQ2.K83.A4.QT9/G"``.
    aim : {"tricks", "points"}
        What both sides play for.
    contract : str or None
        For points: the contract, for example ``"4S"``; the hands must be whole.
    workers : int or None
        Threads; None: one a processor.
    overrides : sequence of str
        Changes of the rules as ``path=value``.
    progress : callable or None
        Called with the number of deals done.

    Returns
    -------
    ndarray
        For tricks int8, shape (deals, 5, 2): tricks of seat 0, by strain C D H S NT and by who leads. For points float64, shape
        (deals, 2): declarer's points by who is declarer, his opponent leading; what he loses is negative.

    Examples
    --------
    >>> import simcore
    >>> simcore.solve("bridgette", [("AKQ2...", "JT98...")])[0].tolist()  # three top spades, a low one
    [[3, 3], [3, 3], [3, 3], [3, 3], [3, 3]]
    """
    import numpy as np

    from simcore.config import load_variant
    from simcore.rules import build_rules
    from simcore.solver.checks import check_variant, hands_array
    from simcore.solver.deals import solve_points, solve_tricks

    _check_aim(aim, contract)
    found = load_variant(variant, overrides)
    check_variant(found)
    masks = kernel_hands(hands_array(found, hands))
    play = build_rules(found).play
    if contract is None:
        return solve_tricks(masks, play, workers=workers, progress=progress)
    bid = parse_contract(contract)
    if len(masks) and (np.bitwise_count(masks[:, 0]) != N_RANKS).any():
        raise InputError(f"points of a contract need whole hands of {N_RANKS} cards; for endings use solve_position")
    payoffs = np.tile(payoff_of(found, bid), (len(masks), 1))
    out = np.zeros((len(masks), 2))
    for declarer in range(2):
        strains, declarers, leaders = (np.full(len(masks), code) for code in (bid.strain, declarer, 1 - declarer))
        out[:, declarer] = solve_points(
            masks, play, strains, declarers, leaders, payoffs, workers=workers, progress=progress
        )
    return out / TENTHS


def solve_position(
    variant: str | Path | Mapping[str, Any],
    hands: Sequence[str | int],
    *,
    strain: str | None = None,
    leader: int = 0,
    led: str | None = None,
    barred: str | None = None,
    aim: str = "tricks",
    contract: str | None = None,
    declarer: int | None = None,
    taken: int | None = None,
    overrides: Sequence[str] = (),
) -> Solution:
    """Everything about one position: its value, and what each card is worth.

    Parameters
    ----------
    variant : str, Path or mapping
        The rules: shipped name, path or content.
    hands : sequence of two str or int
        Hands of seats 0 and 1, as many cards each before the trick began.
    strain : str or None
        C D H S NT; for points that of the contract.
    leader : int
        The seat that leads, or has led.
    led : str or None
        The card on the table; it may still be in the leader's hand.
    barred : str or None
        The suit that the leader may not lead, after an answer with a colon (C D H S).
    aim : {"tricks", "points"}
        What both sides play for.
    contract : str or None
        For points: the contract, for example ``"4SX"``.
    declarer : int or None
        For points: the seat that plays the contract; None: the leader's opponent.
    taken : int or None
        For points in an ending: tricks that declarer has already.
    overrides : sequence of str
        Changes of the rules as ``path=value``.

    Returns
    -------
    Solution
        Value, cards, best cards.
    """
    from simcore.config import load_variant
    from simcore.rules import build_rules
    from simcore.solver import checks

    _check_aim(aim, contract)
    found = load_variant(variant, overrides)
    checks.check_variant(found)
    checks.seat_of("leader", leader)
    masks, card = checks.take_led([checks.hand_of(hand, seat) for seat, hand in enumerate(hands)], leader, led)
    counts = [mask.bit_count() + (card != 0 and seat == leader) for seat, mask in enumerate(masks)]
    checks.check_hands(found, [mask | (card if seat == leader else 0) for seat, mask in enumerate(masks)], counts)
    if barred is not None and led is not None:
        raise InputError("barred suit and led card do not go together: the bar is about the lead, which was made")
    bar = checks.suit_mask(checks.suit_of_text(barred)) if barred is not None else 0
    fixed = _Fixed(found, build_rules(found).play, masks, leader, card, bar)
    if contract is not None:
        bid = parse_contract(contract)
        if strain is not None and checks.strain_of(strain) != bid.strain:
            raise InputError(f"strain {strain} is not that of contract {contract}; leave it out")
        seat = 1 - leader if declarer is None else checks.seat_of("declarer", declarer)
        return _points(fixed, bid, seat, tricks_taken(counts[0], taken))
    if strain is None:
        raise InputError(f"a position is solved in one strain; allowed: {', '.join(STRAINS)}")
    return _tricks(fixed, checks.strain_of(strain))


def _check_aim(aim: str, contract: str | None) -> None:
    if aim not in AIMS:
        raise InputError(f"aim {aim!r} is not allowed; allowed: {', '.join(AIMS)}")
    if aim == "points" and contract is None:
        raise InputError("aim points needs a contract, as 4S: points are those of a contract")
    if aim == "tricks" and contract is not None:
        raise InputError(f"contract {contract} goes with aim points; tricks do not depend on the contract")


def tricks_taken(n_cards: int, taken: int | None) -> int:
    """Tricks that declarer has before a position with so many cards a hand, checked."""
    played = N_RANKS - n_cards
    if taken is None and played:
        raise InputError(f"{played} tricks were played before this ending; say how many of them declarer took (taken)")
    if taken is not None and not 0 <= taken <= played:
        raise InputError(f"taken: {taken} of the {played} tricks before this position; allowed: 0 .. {played}")
    return taken or 0


def kernel_hands(masks: np.ndarray) -> np.ndarray:
    """Hands in the kernels' layout, from masks of the border (`simcore.cards.from_border`, for whole arrays)."""
    import numpy as np

    word = np.uint64
    out = ((masks >> word(N_CARDS)) & word((1 << N_COLONS) - 1)) << word(N_RANKS)
    for suit in range(N_SUITS):
        out |= ((masks >> word(N_RANKS * suit)) & word((1 << N_RANKS) - 1)) << word(16 * suit)
    return out


def payoff_of(variant: Variant, contract: Contract) -> np.ndarray:
    """Points of a contract by declarer's tricks, in tenths, his view; the contract must exist. -> int32[14]"""
    import numpy as np

    from simcore.phases.scoring.contracts import result_tenths, score_contract

    score_contract(variant, contract, BOOK)  # refuses contracts that do not exist
    return np.array([result_tenths(variant.scoring, contract, tricks) for tricks in range(N_RANKS + 1)], np.int32)


@dataclass(frozen=True)
class _Fixed:
    """A position, read and checked."""

    variant: Variant
    play: Any
    masks: list[int]
    leader: int
    card: int
    bar: int

    @property
    def to_move(self) -> int:
        return 1 - self.leader if self.card else self.leader

    def kernel_masks(self) -> tuple[int, int, int]:
        """Leader's hand, follower's hand, the led card, in the kernels' layout."""
        import numpy as np

        order = (self.masks[self.leader], self.masks[1 - self.leader], self.card)
        lead, follow, led = kernel_hands(np.array(order, np.uint64))
        return int(lead), int(follow), int(led)

    @property
    def has_colons(self) -> bool:
        return bool((self.masks[0] | self.masks[1] | self.card) >> N_CARDS)


def _tricks(fixed: _Fixed, strain: int) -> Solution:
    from simcore.solver.deals import card_tricks, new_scratch, prepare_search

    search = prepare_search(fixed.play, fixed.has_colons)
    lead, follow, led = fixed.kernel_masks()
    own = card_tricks(search, new_scratch(search), strain, lead, follow, fixed.bar, led)
    n = fixed.masks[1 - fixed.leader].bit_count()
    values = own if fixed.to_move == 0 else {bit: n - tricks for bit, tricks in own.items()}
    best = max(values.values()) if fixed.to_move == 0 else min(values.values())
    return _solution("tricks", fixed.to_move, best, values)


def _points(fixed: _Fixed, contract: Contract, declarer: int, taken: int) -> Solution:
    from simcore.solver.deals import SETS, card_points, new_scratch, prepare_search

    payoff = payoff_of(fixed.variant, contract)
    search = prepare_search(fixed.play, fixed.has_colons, sets=SETS)
    lead, follow, led = fixed.kernel_masks()
    leads = declarer == fixed.leader
    scratch = new_scratch(search, points=True)
    tenths = card_points(search, scratch, contract.strain, lead, follow, leads, payoff, taken, fixed.bar, led)
    values = {bit: points_number(value) for bit, value in tenths.items()}
    best = max(values.values()) if fixed.to_move == declarer else min(values.values())
    return _solution("points", fixed.to_move, best, values)


def _solution(aim: str, to_move: int, value: int | float, values: Mapping[int, int | float]) -> Solution:
    from simcore.cards import BORDER_CARD

    by_card = sorted(((int(BORDER_CARD[bit]), worth) for bit, worth in values.items()), reverse=True)
    cards = {card_text(card): worth for card, worth in by_card}
    return Solution(aim, to_move, value, cards, [card for card, worth in cards.items() if worth == value])
