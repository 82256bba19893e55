"""Every reader of files and texts that people or programs write, with what it is fed by `test_fuzz`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from random import Random

from fuzzing import Reader, check_message, damaged_bytes, damaged_json, damaged_text
from helpers import RANDOM, Json

import simcore
from simcore import notation
from simcore.batch import prepare
from simcore.config import check_file, load_bot, load_run, load_tuning, load_variant
from simcore.config.load import load_any
from simcore.config.sweep import load_sweep
from simcore.errors import InputError
from simcore.given import given_of, read_given
from simcore.replay import replay_lines
from simcore.transcript import play_transcripts

CONFIGS = Path(simcore.__file__).parent.parent / "configs"
SWEEP = """\
base: {variant: bridgette, bots: random, matches: 600}
reference: 1
measure: make_rate
grid: {scoring.doubled_made: [0, 400], "auction.jump": [level, ladder]}
zip: {"scoring.redoubled_made": {from: 0, to: 100, step: 100}, seed: [3, 4]}
"""
RUN = """\
description: A run.
variant: {extends: bridgette, name: mine, match: {deals: 2}, scoring: {exact: [1, 2, 3, 4, 5, 6, 7, 8]}}
bots: [heuristic, {extends: novice, name: own, bidding: {policy: points, ace: 5}}]
unit: match
matches: 1_000
seed: 18446744073709551615
contracts: auction
output: rows
columns: [hands, exchange]
chunk: 100
until: {half_width: 0.005, of: 4S}
"""
OTHER_RUN = "variant: call_bridge\nbots: random\nunit: deal\ndeals: 1e4\nuntil: {half_width: 0.01, of: 5}\n"
GAMES = ("bridgette", "draw_bridge", "draw_and_discard_bridge", "call_bridge", "pit")
PBN = '% PBN 2.1\n[Event "?"]\n[Deal "N:AKQ2.K83.A4.QT95 - J9.QJT42.K93.A87 -"]\n'
PBN += '[Deal "N:T9.AQ2.K8765.A43 A5.KJ95.QJ2.QJ76 - -"]\n'
CONDITIONS = (
    "hcp_declarer >= 15 and len_trump_declarer >= 5", "strain in ('S', 'H') or not made",
    "level between 2 and 4 and upcard like '%A'", "abs(points_0 - points_1) > 2.5e2 and declarer is not null",
    "(tricks_0 + 1) * 2 % 3 = least(level, 4) and strain <> 'NT'",
)  # fmt: skip
HANDS = ("AKQ2.K83.A4.QT95", "AKQJ.T98..432", "AKQ2.K83.A4.QT9/G", "...", "10987.A.K.2/GRL")
SHORT_TEXTS: dict[str, tuple[Callable[[str], object], tuple[str, ...]]] = {
    "card": (notation.parse_card, ("SA", "D10", "GC", "c2")),
    "hand": (notation.parse_hand, HANDS),
    "bid": (notation.parse_bid, ("3NT", "4s", "0NT")),
    "contract": (notation.parse_contract, ("4S", "4SX", "3NTXX", "0nt")),
    "call": (notation.parse_call, ("5", "12")),
    "step": (notation.parse_step, ("3", "3 alone")),
}


def bare(text: str) -> str:
    """A YAML file without comments: less to read, and more of it matters."""
    lines = (re.sub(r"(^|\s+)#.*$", "", line) for line in text.splitlines())
    return "\n".join(line for line in lines if line.strip()) + "\n"


def shipped(folder: str) -> list[str]:
    return [bare(path.read_text(encoding="utf-8")) for path in sorted((CONFIGS / folder).glob("*.yaml"))]


def yaml_reader(kind: str, texts: list[str], load: Callable[[str], object], share: float, folder: Path) -> Reader:
    """Files of a kind: loaded, and checked, which must agree."""
    path = str(folder / f"{kind}.yaml")

    def make(draw: Random) -> bytes:
        text = damaged_text(draw.choice(texts), draw).encode("utf-8", "surrogatepass")
        return damaged_bytes(text, draw) if draw.random() < 0.05 else text

    def read(data: bytes) -> None:
        Path(path).write_bytes(data)
        try:
            load(path)
        except InputError:
            assert check_file(path) or not is_kind(path, kind), "loading refuses what the check accepts"
            raise

    return Reader(kind, make, read, share)


def is_kind(path: str, kind: str) -> bool:
    """Whether a file that is valid is of a kind; the check takes any."""
    try:
        return load_any(path).kind == kind
    except InputError:
        return kind == "sweep"


def playable_variant(path: str) -> None:
    """A variant that is accepted can be made ready to play."""
    variant = load_variant(path)
    prepare(variant, [load_bot(RANDOM)], 1, "match")


def playable_run(path: str) -> None:
    run = load_run(path)
    prepare(run.variant, run.bots, run.seed, run.unit, run.groups, given_of(run))


def config_readers(folder: Path) -> list[Reader]:
    variants = [f"extends: {name}\nname: mine\nmatch: {{deals: 2}}\n" for name in GAMES[:1]] + shipped("variants")
    return [
        yaml_reader("variant", variants, playable_variant, 0.5, folder),
        yaml_reader("bot", shipped("bots"), load_bot, 0.5, folder),
        yaml_reader("run", [RUN, OTHER_RUN, *shipped("runs")], playable_run, 0.3, folder),
        yaml_reader("sweep", [SWEEP, "base: bridgette\ngrid: {bots: [random, novice]}\n"], load_sweep, 0.2, folder),
        yaml_reader("tuning", shipped("tuning"), load_tuning, 0.2, folder),
        Reader("override", make_override, lambda text: load_run("bridgette", [text]), 0.2),
    ]


OVERRIDES = (
    "scoring.award.NT[3]=750", "match.deals=8", "bots[0]=random", "bots=[random, novice]", "auction.jump=ladder",
    "until={half_width: 0.1}", "scoring.overtricks_exactly.3=350", "exchange.dealer_draw={spot: 1, face: 2, ace: 3}",
    "variant=pit", "hands=x.pbn",
)  # fmt: skip


def make_override(draw: Random) -> str:
    return damaged_text(draw.choice(OVERRIDES), draw)


def transcripts() -> list[Json]:
    """Some lines of each game, match lines among them."""
    lines: list[Json] = []
    for name in GAMES:
        setup = prepare(load_variant(name), [load_bot(RANDOM)], 5, "match")
        played = list(play_transcripts(setup, 0, 1))
        lines += [*played[:2], played[-1]]
    return lines


def text_readers(folder: Path) -> list[Reader]:
    """Transcripts, deals, cards, and what else is short."""
    lines = transcripts()
    deals = [line["events"][0] for line in lines if line.get("variant") == "bridgette"]
    bridgette = load_variant("bridgette")
    plain = load_variant("draw_bridge")
    given = folder / "given.txt"

    def replayed(text: str) -> None:
        report = replay_lines(text.splitlines())
        for found in report.violations:
            assert found["rule"]
            assert found["message"]

    def read_deals(text: str) -> None:
        given.write_bytes(text.encode("utf-8", "surrogatepass"))
        for variant in (bridgette, plain):
            try:
                read_given(given, variant)
            except InputError as error:
                last = error
            else:
                return
        raise last

    readers = [
        Reader("transcript", lambda draw: damaged_json(draw.choice(lines), draw), replayed, 1.0),
        Reader("hands", lambda draw: damaged_json(draw.choice(deals), draw), read_deals, 1.0),
        Reader("pbn", lambda draw: damaged_text(PBN, draw), read_deals, 1.0),
    ]
    for name, (read, texts) in SHORT_TEXTS.items():

        def make(draw: Random, texts: tuple[str, ...] = texts) -> str:
            return damaged_text(draw.choice(texts), draw)

        readers.append(Reader(name, make, read))
    return readers


def as_bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def stored_readers(folder: Path) -> list[Reader]:
    """What the program itself leaves in files, and a damaged disk or a curious hand may change."""
    from analysis.report.standings import ladder_figures, read_ladder
    from simcore.runs.lock import LOCK, directory_lock
    from simcore.trick_model import read_model

    made = simcore.run("bridgette", bots="random", seed=5, matches=60, out=folder / "run", overrides=["chunk=20"])
    manifest = json.loads((made.out / "manifest.json").read_text(encoding="utf-8"))
    chunks = [json.dumps(chunk) for chunk in manifest["chunks"]]
    model = json.loads((CONFIGS / "models" / "bridgette.json").read_text(encoding="utf-8"))

    def read_run(text: str) -> None:
        (made.out / "manifest.json").write_bytes(as_bytes(text))
        read_as_run(made.out)

    def read_journal(text: str) -> None:
        (made.out / "manifest.json").write_text(json.dumps({**manifest, "chunks": [], "state": "running"}), encoding="utf-8")
        (made.out / "chunks.jsonl").write_bytes(as_bytes(text))
        read_as_run(made.out)
        (made.out / "chunks.jsonl").unlink()

    def make_journal(draw: Random) -> str:
        return "\n".join(damaged_json(json.loads(line), draw) if draw.random() < 0.6 else line for line in chunks)

    def read_it(text: str) -> None:
        (folder / "model.json").write_bytes(as_bytes(text))
        read_model(folder / "model.json")

    def read_standings(text: str) -> None:
        (folder / "ladder.json").write_bytes(as_bytes(text))
        assert ladder_figures(read_ladder(folder / "ladder.json"))

    def read_lock(text: str) -> None:
        (folder / LOCK).write_bytes(as_bytes(text))
        with directory_lock(folder):
            pass

    lock = {"pid": 1, "host": "elsewhere.example", "since": "2024-01-01T00:00:00+00:00"}
    return [
        Reader("manifest", lambda draw: damaged_json(manifest, draw), read_run, 0.25),
        Reader("journal", make_journal, read_journal, 0.15, 0),
        Reader("model", lambda draw: damaged_json(model, draw), read_it, 0.1),
        Reader("ladder", lambda draw: damaged_json(LADDER, draw), read_standings, 0.3),
        Reader("lock", lambda draw: damaged_json(lock, draw), read_lock, 1.0),
        sweep_reader(folder),
        evaluations_reader(folder),
    ]


_ROW = {"n": 100, "difference": 1.5, "low": 1.0, "high": 2.0, "standard_error": 0.25}
LADDER: Json = {
    "variant": "bridgette", "seed": 1, "unit": "deal", "deals": 100, "sees_all": [], "width": None, "reached": True,
    "duels": [{"challenger": "heuristic", "opponent": "novice", **_ROW}], "method": "paired",
    "ranking": [{"rank": 1, "bot": "heuristic", **_ROW}, {"rank": 2, "bot": "novice", **_ROW}],
}  # fmt: skip


def read_as_run(out: Path) -> None:
    """What commands do with a run directory before they touch it: check, rates, resume, run again."""
    from analysis import make_rates
    from simcore.runs import read_manifest
    from simcore.runs.runner import Options, target
    from simcore.runs.verify import check_run

    read_manifest(out)
    assert all(isinstance(fault, str) for fault in check_run(out))
    refused = 0
    for step in (lambda: make_rates(out), lambda: target(load_run(out), Options(out=out, resume=True))):
        try:
            step()
        except InputError as error:
            check_message(str(error))
            refused += 1
    if refused:
        raise InputError("refused")


def sweep_reader(folder: Path) -> Reader:
    """`sweep.json` in the directory of a sweep, when the sweep is taken up again."""
    from simcore.runs.sweeps import SWEEP as NAME
    from simcore.runs.sweeps import SweepOptions, _check, _content

    text = "base: {variant: bridgette, bots: random, matches: 60}\ngrid: {match.deals: [3, 4]}\n"
    (folder / "sweep.yaml").write_text(text, encoding="utf-8")
    plan = load_sweep(folder / "sweep.yaml")
    out = folder / "sweep"
    out.mkdir()

    def read(text: str) -> None:
        (out / NAME).write_bytes(as_bytes(text))
        _check(plan, out, SweepOptions(overwrite=True))
        _check(plan, out, SweepOptions(resume=True))

    return Reader("sweep.json", lambda draw: damaged_json(_content(plan), draw), read, 0.5)


def evaluations_reader(folder: Path) -> Reader:
    """Lines of a search that is taken up again."""
    from analysis.tuning.evaluator import Evaluator, World

    store = folder / "evaluations.jsonl"
    world = World(load_variant("bridgette"), "careful", model=4000, beliefs=2000, search=2000, final=4000)
    lines = [{"world": world.digest(), "candidate": '["search", {"award.C[1]": 150.0}]', "sums": [[1, 2, 3], [4, 5, 6]]}] * 2

    def read(text: str) -> None:
        store.write_bytes(as_bytes(text))
        Evaluator(world, store).recall()

    return Reader("evaluations", lambda draw: "\n".join(damaged_json(line, draw) for line in lines), read, 0.5)


def where_reader(out: Path) -> Reader:
    """Conditions over the columns of a run; what is taken must be taken by the database too."""
    from analysis.columns import deal_row_columns
    from analysis.load import open_run
    from analysis.query import Rows
    from analysis.where import read_condition

    data = open_run(out)
    columns = deal_row_columns(data)

    def read(text: str) -> None:
        condition = read_condition(text, columns)
        assert set(condition.columns) <= set(columns)
        rows = Rows.of_deals(data, condition)
        assert list(rows.run({"n": f"SELECT count(*) FROM {rows.source([])}"}))

    return Reader("where", lambda draw: damaged_text(draw.choice(CONDITIONS), draw), read, 0.5)
