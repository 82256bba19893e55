"""The match: when it ends, who has won, who deals, what a redeal counts for."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import HEURISTIC, PASSING, RANDOM, SHY, Json, lines_of, setup_of

from simcore.batch import longest_match, play_chunk
from simcore.codes import MAX_EXTRA_DEALS, MAX_REDEALS, Tie
from simcore.errors import InputError
from simcore.phases.match import CAPPED, FINISHED, GOES_ON, end_reached, leader_of, match_status
from simcore.rules import BEYOND_REACH, MatchRules
from simcore.transcript import MATCH_FORMAT

DRAW, EXTRA, UNTIL = int(Tie.DRAW), int(Tie.EXTRA_DEAL_THEN_DRAW), int(Tie.UNTIL_BROKEN)


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("tie", "counted", "level", "status"),
    [
        (EXTRA, 5, False, GOES_ON),
        (EXTRA, 5, True, GOES_ON),
        (EXTRA, 6, False, FINISHED),
        (EXTRA, 6, True, GOES_ON),  # one 7th deal
        (EXTRA, 7, True, FINISHED),  # then a draw
        (EXTRA, 7, False, FINISHED),
        (DRAW, 6, True, FINISHED),
        (DRAW, 6, False, FINISHED),
        (UNTIL, 6, True, GOES_ON),
        (UNTIL, 7, True, GOES_ON),
        (UNTIL, 105, True, GOES_ON),
        (UNTIL, 106, True, FINISHED),
        (UNTIL, 50, False, FINISHED),
    ],
)
def test_when_a_match_ends(tie: int, counted: int, level: bool, status: int) -> None:
    rules = MatchRules(deals=6, target=BEYOND_REACH, tie=tie, max_deals=0, redeal=0)
    reached = bool(end_reached(rules, counted, np.zeros(2, np.int64), 2))
    assert match_status(rules, reached, counted, counted, level) == status
    assert match_status(rules._replace(max_deals=counted + 1), reached, counted, counted, level) == status
    capped = CAPPED if status == GOES_ON else status
    assert match_status(rules._replace(max_deals=counted), reached, counted, counted, level) == capped


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("totals", "leader"),
    [
        ([0, 0], -1),
        ([10, 0], 0),
        ([0, 10], 1),
        ([-270, -280], 0),
        ([-270, -270], -1),
        ([-27, 0], 1),
        ([2**40, 2**40 + 1], 1),
        ([5, 5, 9], 2),
        ([9, 5, 9], -1),
        ([5, 9, 9], -1),
        ([5, 9, 9, 10], 3),
    ],
)
def test_who_leads(totals: list[int], leader: int) -> None:
    table = np.array(totals + [10**9] * (6 - len(totals)), np.int64)  # seats beyond the players do not count
    assert leader_of(table, len(totals)) == leader


def of_matches(lines: list[Json]) -> dict[int, list[Json]]:
    found: dict[int, list[Json]] = {}
    for line in lines:
        found.setdefault(line["match"], []).append(line)
    return found


@pytest.mark.parametrize("bot", [RANDOM, SHY, HEURISTIC], ids=["random", "shy", "heuristic"])
def test_lines_of_whole_matches(bot: Json) -> None:
    seventh = 0
    dealers = set()
    for number, lines in of_matches(lines_of(setup_of({}, (bot,), seed=6), 100, 150)).items():
        deals, end = lines[:-1], lines[-1]
        assert end["format"] == MATCH_FORMAT
        assert [line["deal"] for line in deals] == list(range(len(deals)))
        first = deals[0]["dealer"]
        dealers.add(first)
        assert [line["dealer"] for line in deals] == [(first + i) % 2 for i in range(len(deals))]  # passed out or not
        totals = [sum(line["result"]["points"][seat] for line in deals) for seat in (0, 1)]
        level_after_six = sum(line["result"]["points"][0] - line["result"]["points"][1] for line in deals[:6]) == 0
        assert len(deals) == (7 if level_after_six else 6)
        seventh += level_after_six
        assert end["totals"] == totals
        best = [seat for seat in (0, 1) if totals[seat] == max(totals)]
        assert end["winners"] == best
        assert end["winner"] == (best[0] if len(best) == 1 else None)
        assert end["match"] == number
    assert dealers == {0, 1}
    assert seventh > 0 or bot is not SHY


def test_a_redeal_has_the_same_dealer_and_the_next_number() -> None:
    redealt = 0
    for lines in of_matches(lines_of(setup_of({"auction.passed_out": "redeal"}, (SHY,), seed=6), 0, 60)).values():
        deals = lines[:-1]
        assert [line["deal"] for line in deals] == list(range(len(deals)))
        for before, after in zip(deals, deals[1:]):
            passed = before["result"]["contract"] is None
            redealt += passed
            assert after["dealer"] == (before["dealer"] if passed else 1 - before["dealer"])
            assert after["events"][0] != before["events"][0]
        assert sum(line["result"]["contract"] is not None for line in deals) in (6, 7)
    assert redealt > 50


@pytest.mark.parametrize(
    ("changes", "unit", "deals", "finished"),
    [
        ({}, "match", 7, True),
        ({"match.tie": "draw"}, "match", 6, True),
        ({"match.tie": "until_broken"}, "match", 6 + MAX_EXTRA_DEALS, True),
        ({"match.tie": "until_broken", "match.max_deals": 20}, "match", 20, False),
        ({"match.max_deals": 6}, "match", 6, False),
        ({"match.max_deals": 7}, "match", 7, True),
        ({"auction.passed_out": "redeal"}, "match", 7 * (1 + MAX_REDEALS), True),
        ({"auction.passed_out": "redeal", "match.max_deals": 10}, "match", 10, False),
        ({"auction.passed_out": "redeal"}, "deal", 1 + MAX_REDEALS, True),
        ({}, "deal", 1, True),
    ],
)
def test_matches_of_passes(changes: Json, unit: str, deals: int, finished: bool) -> None:
    """Nobody ever bids: every deal is passed out, nobody wins."""
    setup = setup_of(changes, (PASSING,), unit=unit)
    chunk = play_chunk(setup, 0, 3)
    assert chunk.n_deals == 3 * deals <= 3 * longest_match(setup.rules)
    assert chunk.deals["passed_out"].all()
    for name in ("declarer", "strain", "level", "made", "tricks", "tricks_0", "overtricks", "hcp_declarer"):
        assert (chunk.deals[name] == -1).all()
    assert not chunk.deals["points_0"].any()
    assert not chunk.deals["points_1"].any()
    if unit == "match":
        assert list(chunk.matches["deals"]) == [deals] * 3
        assert list(chunk.matches["winner"]) == [-1] * 3
        assert list(chunk.matches["finished"]) == [finished] * 3


def test_matches_much_longer_than_usual_get_their_room() -> None:
    """Ten thousand times a hundred extra deals are not foreseen; the chunk grows, and is the same as in small pieces."""
    setup = setup_of({"match.tie": "until_broken", "match.deals": 1}, (PASSING,))
    whole = play_chunk(setup, 0, 40)
    assert whole.n_deals == 40 * 101
    piece = play_chunk(setup, 39, 1)
    assert (whole.deals["match"][-101:] == piece.deals["match"]).all()
    assert (whole.deals["hcp_0"][-101:] == piece.deals["hcp_0"]).all()


@pytest.mark.parametrize(
    ("bots", "unit", "said"),
    [((RANDOM,) * 3, "match", "3 given"), ((), "match", "0 given"), ((RANDOM,), "round", "allowed: match, deal")],
)
def test_wrong_setups(bots: tuple[Json, ...], unit: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        setup_of({}, bots, unit=unit)
