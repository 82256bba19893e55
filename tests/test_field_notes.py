"""Faults that are known from similar projects and from our dependencies, and the tests that show each kind impossible here.

The index names a test for every fault that concerns what the package does; tests that have no better place stand below it.
"""

from __future__ import annotations

import ast
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest
from helpers import HEURISTIC, RANDOM, Json, setup_of, variant_with
from options import SINGLE

import simcore
from simcore import _jit
from simcore.batch import play_chunk, prepare
from simcore.rules import build_rules

TESTS = Path(__file__).parent

INDEX: dict[str, tuple[str, ...]] = {
    # randomness and reproducibility
    "1 every game of a batch has the same seed": (
        "test_rng::test_no_deal_twice",
        "test_rng::test_neighbouring_and_extreme_seeds_give_different_deals",
        "test_properties::test_same_table_for_any_chunks_and_threads",
    ),
    "2 generators shared by parallel loops": ("test_house::test_kernels_make_nothing_that_a_loop_would_pay_for",),
    "3 seeds that are the same stream; seed 0, 2^64 - 1 and beyond": (
        "test_rng::test_seeds_of_64_bits",
        "test_rng::test_seeds_beyond_are_refused",
        "test_parity::test_any_seed",
        "test_store::test_largest_seed_survives",
    ),
    "4 one more draw shifts everything after it": ("test_rng::test_other_bots_meet_the_same_deals",),
    "5 two half runs are not the whole run": (
        "test_properties::test_two_halves_are_the_whole",
        "test_resume::test_joined_shards_are_one_run",
    ),
    "6 a seed that is accepted and ignored": (
        "test_cli::test_deal_plays_what_run_plays",
        "test_rng::test_neighbouring_and_extreme_seeds_give_different_deals",
    ),
    "7 biased shuffles and bounded integers": (
        "test_rng::test_every_card_comes_to_every_place",
        "test_rng::test_below_at_the_words_that_decide",
        "test_rng::test_rejected_words_of_a_group",
    ),
    "8 workers that share a generator's state": ("test_field_notes::test_another_process_plays_the_same",),
    # Numba
    "9 a 55-bit mask becomes a float": ("test_cards::test_border_and_back", "test_cards::test_masks_that_a_float_cannot_hold"),
    "10 a uint64 beside a plain int": (
        "test_cards::test_bit_operations_at_the_ends",
        "test_field_notes::test_one_signature_for_all_rules",
    ),
    "11 sentinels used as an index": ("test_match::test_matches_of_passes", "test_parity::test_nobody_ever_bids"),
    "12 a stale cache after an edit in an imported module": (
        "test_field_notes::test_an_edit_in_an_imported_module_is_seen",
        "test_field_notes::test_a_changed_table_needs_no_compilation",
    ),
    "13 cold start of several processes, a cache that cannot be written": (
        "test_field_notes::test_several_processes_start_cold",
        "test_field_notes::test_a_cache_folder_that_cannot_be_written",
    ),
    "14 one default in two places": (
        "test_config::test_defaults_are_the_documented_table",
        "test_config::test_bot_defaults_are_the_documented_values",
        "test_parity::test_the_reference_reads_the_same_rules",
    ),
    "15 Ctrl-C ignored in a long kernel": ("test_store::test_ctrl_c_keeps_finished_chunks",),
    "16 a raise in a parallel loop": (
        "test_house::test_kernels_make_nothing_that_a_loop_would_pay_for",
        "test_house::test_unknown_policies_are_refused_loudly",
    ),
    # YAML and configuration
    "17 words and numbers of YAML 1.1": (
        "test_config::test_text_stays_text",
        "test_config::test_booleans",
        "test_config::test_counts",
    ),
    "18 duplicate keys": ("test_config_messages::test_broken_file",),
    "19 unknown keys": ("test_config_messages::test_broken_file", "test_config_messages::test_broken_override"),
    "20 lists merged": ("test_config::test_extends_merges_maps_and_replaces_lists",),
    "21 an override without effect": (
        "test_config::test_every_option_has_an_effect",
        "test_properties::test_options_of_colons_matter_only_with_colons",
    ),
    # files and analysis
    "22 a run resumed under another configuration": (
        "test_resume::test_another_configuration_is_not_resumed",
        "test_resume::test_another_engine_is_not_resumed",
        "test_until::test_another_width_is_not_resumed",
    ),
    "23 a chunk in which a column is all null": ("test_store::test_a_first_chunk_that_is_all_null_has_the_same_schema",),
    "24 unreadable files after a crash": (
        "test_store::test_an_unfinished_file_is_never_read",
        "test_store::test_a_failed_write_leaves_the_old_file_and_no_leftover",
    ),
    "25 empty groups": ("test_analysis::test_contracts_that_nobody_bid_are_shown",),
    "28 stopping when the result looks significant": (
        "test_until::test_looks_double",
        "test_until::test_neither_chunks_nor_workers_matter",
    ),
    "27 dependent rows taken as independent": (
        "test_analysis::test_clustered_rate_by_hand",
        "test_analysis::test_coverage_where_rows_of_a_match_are_alike",
    ),
    # rules, scoring, bots
    "29 one wrong cell of a table": ("test_scoring::test_whole_grid", "test_scoring::test_every_cell_of_every_table"),
    "30 a double carried over a further bid": ("test_auction::test_a_double_ends_with_a_new_bid",),
    "31 wrong legal cards off the main path": (
        "test_colons::test_follow_suit_if_able",
        "test_colons::test_c7_a_void_follower_may_throw_it",
        "test_colons::test_c8_must_beat_a_led_colon_is_an_option",
        "test_replay::test_every_illegal_choice_is_named",
    ),
    "32 the wrong winner of a trick": ("test_colons::test_every_winner_of_every_trick",),
    "34 bots that see hidden cards": (
        "test_views::test_decisions_follow_from_what_is_seen",
        "test_views::test_policies_are_given_neither_table_nor_deal",
    ),
    "35 a tally of the deal where that of the match is meant": (
        "test_match::test_who_leads",
        "test_match::test_lines_of_whole_matches",
        "test_views::test_decisions_follow_from_what_is_seen",
    ),
    "36 passed-out deals and empty samples": (
        "test_match::test_matches_of_passes",
        "test_match::test_a_redeal_has_the_same_dealer_and_the_next_number",
        "test_analysis::test_no_rows_no_estimate",
    ),
}
"""By fault: the tests that show it cannot happen."""


@pytest.mark.parametrize("fault", INDEX)
def test_every_fault_has_its_tests(fault: str) -> None:
    for name in INDEX[fault]:
        file, _, function = name.partition("::")
        tree = ast.parse((TESTS / f"{file}.py").read_text(encoding="utf-8"))
        assert function in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, name


# --- other processes -------------------------------------------------------------------------------------------------


def fingerprint(first: int, count: int) -> str:
    """Digest of all columns of some matches."""
    chunk = play_chunk(setup_of({}, (HEURISTIC, RANDOM), seed=77), first, count)
    digest = hashlib.sha256()
    for name in sorted(chunk.deals):
        digest.update(np.ascontiguousarray(chunk.deals[name]).tobytes())
    return digest.hexdigest()


def python(code: str, *, path: Path, **environment: str) -> subprocess.Popen[str]:
    """Another interpreter that runs some code with a folder on its path."""
    env = {**os.environ, **environment, "PYTHONPATH": str(path)}
    return subprocess.Popen(
        [sys.executable, "-c", code], env=env, cwd=path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def said(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return out.strip()


def test_another_process_plays_the_same() -> None:
    code = (
        f"import sys; sys.path[:0] = [{str(TESTS)!r}, {str(TESTS.parent)!r}]\n"
        "from test_field_notes import fingerprint\nprint(fingerprint(40, 30))"
    )
    assert said(python(code, path=TESTS)) == fingerprint(40, 30) != fingerprint(41, 30)


# --- the cache of compiled code --------------------------------------------------------------------------------------

SHOW = "from simcore.game import total\nimport simcore._jit as jit\nprint(total(2), jit.CACHE_DIR)"


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A package with our decorator and cache, in which one module takes a number from another."""
    package = tmp_path / "site" / "simcore"
    package.mkdir(parents=True)
    shutil.copy(Path(simcore.__file__).parent / "_jit.py", package)
    (package / "__init__.py").write_text("")
    (package / "numbers.py").write_text("BONUS = 250\n")
    (package / "game.py").write_text(
        "from simcore._jit import kernel\nfrom simcore.numbers import BONUS\n\n\n@kernel\ndef total(n):\n    return n * BONUS\n"
    )
    return package.parent


def test_an_edit_in_an_imported_module_is_seen(tiny: Path, tmp_path: Path) -> None:
    cache = str(tmp_path / "cache")
    before, folder = said(python(SHOW, path=tiny, SIMCORE_CACHE_DIR=cache)).split()
    assert before == "500"
    assert list(Path(folder).rglob("*.nbi"))
    (tiny / "simcore" / "numbers.py").write_text("BONUS = 350\n")
    after, other_folder = said(python(SHOW, path=tiny, SIMCORE_CACHE_DIR=cache)).split()
    assert after == "700"
    assert folder != other_folder
    assert Path(folder).parent == Path(other_folder).parent == Path(cache)


def test_flags_that_change_code_have_their_own_cache(tiny: Path, tmp_path: Path) -> None:
    """A warm cache ignores the flag for bounds checks."""
    cache = str(tmp_path / "cache")
    flags: list[dict[str, str]] = [{}, {"NUMBA_BOUNDSCHECK": "1"}, {"SIMCORE_PORTABLE": "1"}, {"NUMBA_OPT": "1"}]
    started = [
        python("import simcore._jit as jit\nprint(jit.CACHE_DIR)", path=tiny, SIMCORE_CACHE_DIR=cache, **f) for f in flags
    ]
    assert len({said(process) for process in started}) == len(flags)


def test_several_processes_start_cold(tiny: Path, tmp_path: Path) -> None:
    started = [python(SHOW, path=tiny, SIMCORE_CACHE_DIR=str(tmp_path / "cache")) for _ in range(3)]
    assert len({said(process) for process in started}) == 1


def test_a_cache_folder_that_cannot_be_written(tiny: Path, tmp_path: Path) -> None:
    """Another folder is used instead; the kernels run."""
    blocked = tmp_path / "file"
    blocked.write_text("")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    number, folder = said(python(SHOW, path=tiny, SIMCORE_CACHE_DIR=str(blocked / "cache"), TMPDIR=str(temporary))).split()
    assert number == "500"
    assert temporary in Path(folder).parents


def test_a_truncated_cache_is_compiled_anew(tiny: Path, tmp_path: Path) -> None:
    cache = str(tmp_path / "cache")
    said(python(SHOW, path=tiny, SIMCORE_CACHE_DIR=cache))
    files = [path for ending in ("nbi", "nbc") for path in Path(cache).rglob(f"*.{ending}")]
    before = {path: path.stat().st_size for path in files}
    assert len(files) == 2
    for path in files:
        os.truncate(path, before[path] // 2)
    assert said(python(SHOW, path=tiny, SIMCORE_CACHE_DIR=cache)).split()[0] == "500"
    assert {path: path.stat().st_size for path in files} == before, "the cache is whole again"


def test_nothing_of_a_damaged_cache_is_unpickled(tmp_path: Path) -> None:
    """Neither index nor code is taken unless it is whole and what was asked for."""
    file = _jit._CheckedFile(str(tmp_path), "f", "stamp")
    file.save("one", "code")
    assert file.load("one") == "code"
    assert file.load("other") is None
    assert _jit._CheckedFile(str(tmp_path), "f", "another stamp").load("one") is None
    for path in (tmp_path / "f.nbi", tmp_path / "f.1.nbc"):
        whole = path.read_bytes()
        for place in range(len(whole)):
            path.write_bytes(whole[:place])
            assert file.load("one") is None
            path.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << place % 8]) + whole[place + 1 :])
            assert file.load("one") is None
        path.unlink()
        assert file.load("one") is None
        path.write_bytes(whole)
    assert file.load("one") == "code"


def test_processes_that_take_one_name_for_two_codes(tmp_path: Path) -> None:
    """Both start with an empty index and call their code the first; the later one's index forgets the earlier one's."""
    one, other = (_jit._CheckedFile(str(tmp_path), "f", "stamp") for _ in range(2))
    one.save("one", "code of one")
    index = (tmp_path / "f.nbi").read_bytes()
    (tmp_path / "f.nbi").unlink()
    other.save("other", "code of other")
    assert (one.load("one"), one.load("other")) == (None, "code of other")
    (tmp_path / "f.nbi").write_bytes(index)
    assert (one.load("one"), one.load("other")) == (None, None)


def test_folders_of_others_are_not_used(tiny: Path, tmp_path: Path) -> None:
    """What lies in the cache is run, so a folder among the temporary files that others can write is left alone."""
    temporary = tmp_path / "temporary"
    taken = temporary / f"simcore-{os.getuid()}"
    taken.mkdir(parents=True)
    taken.chmod(0o777)
    blocked = tmp_path / "file"
    blocked.write_text("")
    number, folder = said(python(SHOW, path=tiny, SIMCORE_CACHE_DIR=str(blocked / "cache"), TMPDIR=str(temporary))).split()
    assert number == "500"
    assert temporary in Path(folder).parents
    assert taken not in Path(folder).parents
    assert not Path(folder).parent.stat().st_mode & 0o077


# --- what kernels are given ------------------------------------------------------------------------------------------


@pytest.mark.nojit
def test_one_signature_for_all_rules() -> None:
    """Whatever the options, every field has the same type, or is None as a whole: no word meets a float.

    Decks with colons and decks without have kernels of their own.
    """
    types: dict[tuple[str, bool], set[str]] = {}
    for changes in SINGLE.values():
        variant = variant_with(changes)
        for unit in ("match", "deal"):
            for name, part in build_rules(variant, unit)._asdict().items():
                types.setdefault((name, bool(variant.deck.colons)), set()).add(str(numba.typeof(part)))
    assert all(len(found - {"none"}) <= 1 for found in types.values())
    assert "float" not in str(types)
    bots = {str(numba.typeof(setup_of({}, given).bot_table)) for given in ((HEURISTIC,), (HEURISTIC, RANDOM))}
    assert len(bots) == 1  # runs of random bots alone have kernels of their own


def test_a_changed_table_needs_no_compilation() -> None:
    """Points arrive as an argument: another bonus gives other points with the same compiled code."""
    changes: Json = {"match.tie": "draw"}
    one, other = (play_chunk(setup_of(given), 0, 100) for given in (changes, {**changes, "scoring.exact": [251] * 8}))
    made_exactly = (one.deals["made"] == 1) & (one.deals["overtricks"] == 0) & (one.deals["level"] < 6)
    assert made_exactly.sum() > 20
    points = [(chunk.deals["points_0"] + chunk.deals["points_1"])[made_exactly] for chunk in (one, other)]
    assert ((points[1] - points[0]) == 10 * one.deals["doubling"][made_exactly]).all()


def test_setups_are_not_changed_by_playing() -> None:
    setup = setup_of()
    before = [np.copy(part) for part in (setup.rules.score.tenths, setup.rules.auction.free, *setup.bot_table)]
    play_chunk(setup, 0, 50)
    after = [setup.rules.score.tenths, setup.rules.auction.free, *setup.bot_table]
    assert all(np.array_equal(one, other) for one, other in zip(before, after))
    again = prepare(setup.variant, setup.bots, setup.seed, setup.unit)
    assert play_chunk(again, 3, 1).deals["points_0"].tolist() == play_chunk(setup, 3, 1).deals["points_0"].tolist()
