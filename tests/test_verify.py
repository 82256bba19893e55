"""`simcore verify`: green on sound code from seeds fixed beforehand; planted faults of each kind fail and are named.

Here the short form from one seed, and faults planted where the checks meet the engine. Long (``python -m pytest -m long
tests/test_verify.py``): the full form from five seeds, and faults planted in a copy of the kernels' sources.
"""

from __future__ import annotations

import copy
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analysis.verify import CHECKS, Effort, Outcome, blind, cards, findings, games, plain, quick, replays, streams, verify
from simcore.api import deal, load_plugins
from simcore.cli import invoke

ROOT = Path(__file__).parent.parent
SEEDS = (2, 31, 577, 8128, 65537)
"""Written down before any of them was run."""
Json = dict[str, Any]


def small(**sizes: Any) -> Effort:
    """The short form with other sizes."""
    effort = quick()
    for name, size in sizes.items():
        setattr(effort, name, size)
    return effort


def outcome_of(name: str, effort: Effort, seed: int = 5) -> Outcome:
    (outcome,) = verify(seed, only=[name], effort=effort).outcomes
    return outcome


# --- sound code -------------------------------------------------------------------------------------------------------


CHEAP = ("hands", "positions", "pairs", "streams", "points", "solver")
"""Checks that need few kernels; what the others look at, other tests look at as well."""


@pytest.mark.parametrize("names", [CHEAP, pytest.param(tuple(CHECKS), marks=pytest.mark.long)], ids=["cheap", "all"])
def test_the_short_form_is_green(tmp_path: Path, capsys: pytest.CaptureFixture[str], names: tuple[str, ...]) -> None:
    """The checks, and the page."""
    out = tmp_path / "page.html"
    only = ["--only", ",".join(names)] if names != tuple(CHECKS) else []
    assert invoke(["verify", "--quick", "--seed", str(SEEDS[0]), "--json", "--out", str(out), *only]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [check["name"] for check in found["checks"]] == [name for name in CHECKS if name in names]
    assert found["failed"] == []
    assert found["false_alarm"] == 0.001
    for check in found["checks"]:
        assert check["ok"]
        assert check["skipped"] is None
        assert check["comparisons"] == len(check["findings"]) > 0
        assert (check["tolerance"] is not None) == (check["name"] in findings.STATISTICAL)
        assert all(finding["n"] > 0 for finding in check["findings"] if "deviation" in finding)
    text = out.read_text(encoding="utf-8")
    assert "Every check passed" in text
    assert text.count('class="chart"') >= (12 if len(names) == len(CHECKS) else 4)


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
def test_the_full_form_is_green(seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    code = invoke(["verify", "--seed", str(seed)])
    print(capsys.readouterr().out)
    assert code == 0


def test_without_a_checkout_the_reference_is_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replays, "reference_folder", lambda: None)
    outcome = outcome_of("reference", small())
    assert outcome.ok
    assert "checkout" in outcome.skipped
    assert outcome.findings == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--only", "hand"], "'hand' is no check; did you mean hands?"),
        (["--only", "xyzzy"], "allowed: hands, positions"),
        (["--seed", "-1"], "--seed: -1 is out of range"),
        (["--out", "nowhere/page.html"], "nowhere is not a directory"),
    ],
)
def test_wrong_options(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["verify", "--quick", *words]) == 2
    assert said in capsys.readouterr().err


# --- the statistics ---------------------------------------------------------------------------------------------------


def test_false_alarms_are_as_rare_as_they_say() -> None:
    """Uniform counts: deviates of the chi-square are standard normal, and the tolerance holds one in 6000 a check."""
    draws = np.random.default_rng(1)
    deviates = [findings.fit("", draws.multinomial(5000, np.full(40, 1 / 40)), np.full(40, 1 / 40)).z for _ in range(1000)]
    assert abs(np.mean(deviates)) < 0.12
    assert abs(np.std(deviates) - 1) < 0.09
    assert max(map(abs, deviates)) < findings.tolerance(1000)
    from scipy.stats import norm

    assert 2 * norm.sf(findings.tolerance(7)) * 7 * len(findings.STATISTICAL) == pytest.approx(findings.FALSE_ALARM)


def test_independence_and_pairs_are_standard_normal() -> None:
    draws = np.random.default_rng(2)
    found = []
    for _ in range(300):
        one, other = findings.one_hot(draws.integers(0, 8, 1500)), draws.random((1500, 4))
        found.append(findings.independence("", one, other).z)
    assert abs(np.mean(found)) < 0.25
    assert abs(np.std(found) - 1) < 0.15
    packs = []
    for _ in range(200):
        hands = np.argsort(draws.random((400, 20)), axis=1)[:, :13]
        held = np.zeros((400, 20))
        np.put_along_axis(held, hands, 1, axis=1)
        packs += [finding.z for finding in cards.pair_findings("", held.T @ held, 400, 20)[0][:2]]
    assert abs(np.mean(packs)) < 0.25
    assert abs(np.std(packs) - 1) < 0.15


def test_exact_shares_sum_to_one() -> None:
    from analysis.verify import exact_shares

    for pack in (52, 55):
        for shares in (exact_shares.lengths(pack), exact_shares.points(pack), list(exact_shares.shapes(pack).values())):
            assert sum(shares) == pytest.approx(1)
    assert len(exact_shares.shapes(52)) == 39
    assert exact_shares.shapes(52)[4, 4, 3, 2] == pytest.approx(0.2155, abs=5e-5)
    assert exact_shares.points(52)[10] == pytest.approx(0.0941, abs=5e-5)
    assert sum(exact_shares.colons(55)[1:]) == pytest.approx(0.5624, abs=5e-5)


def test_the_plain_rules_know_the_worked_results() -> None:
    """A few of the rules' own examples, so that the rules written apart are not wrong in the engine's way."""
    from simcore.config import load_variant

    bridgette = load_variant("bridgette").model_dump(mode="json")["scoring"]
    worked = {("0NT", 6): 400, ("4S", 10): 1000, ("6H", 12): 1600, ("1CXX", 7): 5600, ("3NTX", 7): -500, ("7NT", 4): -1000}
    assert {cell: plain.contract_points(bridgette, *cell) for cell in worked} == worked
    assert plain.beats("S2", "HA", "S")
    assert not plain.beats("DK", "HA", None)
    assert plain.beats("D2", "LC", None)
    assert plain.legal_replies(["H2", "GC", "LC", "S2"], ["H9"], "S", {"must_follow": True}) == ["H2", "LC"]
    assert plain.legal_leads(["H2", "GC"], "H") == ["GC"]
    assert plain.legal_leads(["H2"], "H") == ["H2"]


# --- planted faults, where the checks meet the engine -----------------------------------------------------------------


@pytest.mark.parametrize("name", ["hands", "positions", "pairs"])
def test_a_biased_shuffle_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One deal in five in which seat 0 gets both black aces, if seat 1 has them or they are in the stock."""
    sound = cards.masks

    def biased(pack: int, seed: int, first: int, count: int) -> np.ndarray:
        hands = sound(pack, seed, first, count)
        aces = np.uint64(1 << 12 | 1 << 51)
        bad = (np.arange(first, first + count) % 5 == 0) & (hands[0] & aces == 0) & (hands[1] & aces == 0)
        own = hands[0][bad]
        lowest = own & (~own + np.uint64(1))
        rest = own ^ lowest
        hands[0][bad] = rest ^ (rest & (~rest + np.uint64(1))) | aces
        return hands

    monkeypatch.setattr(cards, "masks", biased)
    outcome = outcome_of(name, small(deals=20_000, stocks=60))
    assert not outcome.ok
    assert all("hand" in f.name or "seat" in f.name for f in outcome.failed)


def test_a_biased_place_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    sound = cards.stock

    def biased(pack: int, seed: int, effort: Effort) -> np.ndarray:
        places = sound(pack, seed, effort)
        swapped = places[::3, 0].copy()
        places[::3, 0] = np.minimum(swapped, places[::3, 1])
        places[::3, 1] = np.maximum(swapped, places[::3, 1])
        return places

    monkeypatch.setattr(cards, "stock", biased)
    assert {f.name.split(",")[1].strip() for f in outcome_of("pairs", small(deals=5000, stocks=600)).failed} >= {
        "suits at places 0 and 1"
    }


def test_a_shared_stream_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seat 2 draws its calls from the stream of seat 1, in one deal of ten."""
    sound = streams._columns

    def shared(seed: int, first: int, count: int) -> dict[str, np.ndarray]:
        table = dict(sound(seed, first, count))
        table["call_2"] = np.where(table["match"] % 10 == 0, table["call_1"], table["call_2"])
        return table

    monkeypatch.setattr(streams, "_columns", shared)
    outcome = outcome_of("streams", small(calls=20_000, transcripts=60))
    assert [finding.name for finding in outcome.failed] == ["bidding of seats 1 and 2"]


@pytest.mark.long  # kernels of many games
def test_streams_of_play_and_exchange_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot whose cards thrown tell what it leads."""
    sound = streams._features

    def shared(line: Json) -> Json:
        row = sound(line)
        if "throw, opponent" in row:
            row["lead"] = next(place for place, thrown in enumerate(row["throw, opponent"]) if thrown)
        return row

    monkeypatch.setattr(streams, "_features", shared)
    outcome = outcome_of("streams", small(calls=2000, transcripts=400))
    assert [finding.name for finding in outcome.failed] == ["free_bridgette: throw, opponent; lead"]


def test_a_wrong_cell_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six tricks short, redoubled: the value of five."""
    from simcore.phases.scoring import contract_table

    sound = contract_table.failed_tenths

    def wrong(scoring: Any, contract: Any, tricks: int) -> int:
        one_less = contract.doubling == 2 and contract.need - tricks == 6
        return sound(scoring, contract, tricks + one_less)

    monkeypatch.setattr(contract_table, "failed_tenths", wrong)
    outcome = outcome_of("points", small(transcripts=2, bots=("random",)))
    assert {finding.name for finding in outcome.failed} == {"bridgette: sheet", "bridgette_flat_doubles: sheet"}
    assert "0NTXX 0: -2700 in the engine, by the rules -4000" in outcome.failed[0].note


def altered(change: Callable[[Json], None]) -> Callable[..., Iterator[Json]]:
    """`simcore.deal`, with something changed in each transcript."""

    def played(*args: Any, **options: Any) -> Iterator[Json]:
        for line in deal(*args, **options):
            line = copy.deepcopy(line)
            if "events" in line:
                change(line)
            yield line

    return played


def test_an_off_by_one_winner_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The card just above the one led does not win."""

    def change(line: Json) -> None:
        trick: list[Json] = []
        for event in line["events"]:
            if event["act"] == "play":
                trick.append(event)
            elif event["act"] == "trick":
                if len(line["bots"]) == 2:
                    led, reply = trick[0]["card"], trick[1]["card"]
                    if led[0] == reply[0] and plain.RANKS.find(reply[1]) == plain.RANKS.find(led[1]) + 1:
                        event["winner"] = trick[0]["seat"]
                trick = []

    monkeypatch.setattr(games, "deal", altered(change))
    outcome = outcome_of("tricks", small(transcripts=12, bots=("random",)))
    failed = {finding.name.split(",")[0] for finding in outcome.failed}
    assert {"bridgette", "draw_bridge"} <= failed
    assert not failed & {"call_bridge", "oh_hell", "pit"}  # more than two play


@pytest.mark.long  # kernels of many games
def test_a_favourite_choice_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first legal card is led in every second deal."""
    sound = games.Seen.count

    def count(self: games.Seen, kind: str, n_legal: int, place: int) -> None:
        sound(self, kind, n_legal, 0 if kind == "lead" and self.deals % 2 else place)

    monkeypatch.setattr(games.Seen, "count", count)
    outcome = outcome_of("choices", small(transcripts=30, bots=("random",)))
    assert outcome.failed
    assert all(finding.name.endswith(": lead") for finding in outcome.failed)


PEEKER = '''
import sys

from simcore.plugins import PythonBot, cards_of, mask_of


class Peeker(PythonBot):
    """Looks into the table it plays at: which card it plays depends on the other hand."""

    name = "peeker"

    def choose_card(self, view):
        legal = cards_of(view.legal)
        deal = sys._getframe(1).f_locals["self"]
        (other,) = (int(hand) for hand in deal.table.hands[:2] if not int(hand) & int(view.hand))
        return mask_of([legal[other % 8191 % len(legal)]])


class Honest(PythonBot):
    """Does the same by a card of its own."""

    name = "honest"

    def choose_card(self, view):
        legal = cards_of(view.legal)
        return mask_of([legal[0] if "S2" in cards_of(view.hand) else legal[-1]])


BOTS = [Peeker(), Honest()]
'''


def test_a_peeking_bot_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "peeker.py"
    path.write_text(PEEKER, encoding="utf-8")
    load_plugins([str(path)])
    monkeypatch.setattr(blind, "load_bot", lambda name: games.load_bot("heuristic"))
    monkeypatch.setattr(blind, "tables", lambda: [("bridgette", "honest"), ("bridgette", "peeker")])
    outcome = outcome_of("blind", small(swaps=20))
    assert [finding.name for finding in outcome.failed] == ["bridgette, peeker"]
    assert "after a change that it cannot see" in outcome.failed[0].note


@pytest.mark.long  # kernels of many games
def test_narrow_intervals_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Intervals at 83 % instead of 95 %."""
    from analysis.verify import coverage

    def narrow(sound: Callable[..., Any]) -> Callable[..., Any]:
        def found(*args: Any) -> Any:
            one = sound(*args)
            middle, half = (one.low + one.high) / 2, (one.high - one.low) / 2 * 0.7
            return type(one)(one.n, one.estimate, middle - half, middle + half, one.method)

        return found

    monkeypatch.setattr(coverage, "clustered_rate", narrow(coverage.clustered_rate))
    outcome = outcome_of("intervals", small(runs=500))
    names = [finding.name for finding in outcome.failed]
    assert "make rate, 600 matches" in names
    assert not any(name.startswith("rate ") for name in names)


def test_a_wrong_solver_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from analysis.verify import perfect

    sound = perfect.solve
    monkeypatch.setattr(perfect, "solve", lambda variant, hands: np.minimum(sound(variant, hands), 2))
    assert {f.name for f in outcome_of("solver", small(cards=4)).failed} >= {"draw_bridge, 4 cards", "bridgette, 4 cards"}


# --- planted faults in the kernels ------------------------------------------------------------------------------------

PLANTS = {
    "biased shuffle": (
        "simcore/rng.py",
        "        places = _draw_exactly(key, draw, places, n_pool, GROUP)\n",
        "        places = _draw_exactly(key, draw, places, n_pool - U1, GROUP)\n",
        {"positions", "pairs"},
        {"points"},
    ),
    "shared stream": (
        "simcore/rng.py",
        "    return derive(deal_key, U(_BIDDING) + U(_PURPOSES_PER_SEAT) * U(seat))\n",
        "    return derive(deal_key, U(_BIDDING) + U0 * U(seat))\n",
        {"streams"},
        {"hands"},
    ),
    "wrong cell": (
        "simcore/phases/scoring/contract_table.py",
        "    return in_tenths(column[min(short, len(column)) - 1])\n",
        "    return in_tenths(column[min(short, len(column)) - 1 - (short == 6 and contract.doubling == 2)])\n",
        {"points"},
        {"hands"},
    ),
    "off-by-one winner": (
        "simcore/phases/play/two_hand_rules.py",
        "    return BEATEN_BY[led_bit] | (trumps & ~SUIT_OF[led_bit])\n",
        "    return BEATEN_BY[led_bit] & (BEATEN_BY[led_bit] << U1) | (trumps & ~SUIT_OF[led_bit])\n",
        {"tricks"},
        {"hands"},
    ),
    "peeking bot": (
        "simcore/phases/play/two_hands.py",
        "                unseen=lead_unseen & ~played,\n",
        "                unseen=follow_hand,\n",
        {"blind"},
        {"hands"},
    ),
}
"""File, text, what stands there instead, the checks that must fail, and checks that must not."""


@pytest.mark.parametrize("name", PLANTS)
def test_the_places_of_planted_faults_are_there(name: str) -> None:
    path, text, *_ = PLANTS[name]
    assert (ROOT / path).read_text(encoding="utf-8").count(text) == 1


@pytest.mark.long
@pytest.mark.parametrize("name", PLANTS)
def test_a_fault_in_the_kernels_is_named(name: str, tmp_path: Path) -> None:
    """A copy of the package with one line changed, in plain Python: no compilation, small samples; a minute or so each."""
    path, text, instead, fail, pass_ = PLANTS[name]
    for folder in ("simcore", "analysis", "configs"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    target = tmp_path / path
    target.write_text(target.read_text(encoding="utf-8").replace(text, instead), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SMALL_VERIFICATION, *sorted(fail | pass_)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path), "SIMCORE_CACHE_DIR": str(tmp_path / "cache"), "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=3600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert set(json.loads(done.stdout)) == fail


SMALL_VERIFICATION = """
import json, sys
import numpy as np
from analysis.verify import blind, games, quick, verify

effort = quick()
effort.deals, effort.stocks, effort.calls, effort.swaps, effort.bots = 600, 60, 200, 60, ("random",)
effort.transcripts = 8 if "streams" not in sys.argv else 40
blind.tables = lambda: [("bridgette", "heuristic")]
games.tables = lambda: [("bridgette", "random"), ("draw_bridge", "random")]
with np.errstate(over="ignore"):
    print(json.dumps(verify(3, only=sys.argv[1:], effort=effort).failed))
"""
