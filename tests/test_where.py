"""Conditions of `--where`: what they mean, against an evaluation in plain Python; what is refused; nothing else is reached."""

from __future__ import annotations

import math
import random
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import simcore
from analysis import make_rates, query, score_summary
from analysis.columns import deal_row_columns, row_columns
from analysis.estimates import ClusterSums, clustered_rate
from analysis.imposed import imposed_rates
from analysis.load import open_run
from analysis.query import Rows, connect
from analysis.where import MOST_CHARACTERS, Condition, read_condition
from simcore.cli import invoke
from simcore.errors import InputError

Row = dict[str, Any]
Value = float | str | bool | None


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> simcore.api.RunResult:
    """Bridgette; enough deals for passed-out ones and for colons as upcards."""
    out = tmp_path_factory.mktemp("where") / "run"
    return simcore.run("bridgette", bots="random", deals=6000, seed=3, out=out, overrides=["chunk=300"])


@pytest.fixture(scope="module")
def rows(made: simcore.api.RunResult) -> list[Row]:
    """Every column of the rows, derived ones too, as Python values."""
    data = open_run(made)
    listed = list(deal_row_columns(data))
    found = next(Rows.of_deals(data).run({"all": f"SELECT * FROM {Rows.of_deals(data).source(listed)}"}))[1]
    return [dict(zip(listed, record, strict=True)) for record in found[:700]]


def outcomes(run: simcore.api.RunResult, conditions: list[Condition]) -> list[dict[tuple[int, int], Value]]:
    """Values of conditions for every deal, by match and deal."""
    data = open_run(run)
    source = Rows.of_deals(data).source(list(deal_row_columns(data)))
    sql = f"SELECT match, deal, {', '.join(condition.sql for condition in conditions)} FROM {source}"
    files = [str(data.out / name) for name in data.manifest.files("deals")]
    connection = connect(data)
    found = connection.execute(sql, {"deals": files}).fetchall()
    connection.close()
    return [{(record[0], record[1]): record[2 + place] for record in found} for place in range(len(conditions))]


# --- the same language in plain Python --------------------------------------------------------------------------------

Read = Callable[[Row], Any]


def nulls(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that is null where an argument is."""
    return lambda *values: None if any(value is None for value in values) else function(*values)


ARITHMETIC: dict[str, Callable[..., Any]] = {
    "+": nulls(lambda a, b: a + b),
    "-": nulls(lambda a, b: a - b),
    "*": nulls(lambda a, b: a * b),
    "/": nulls(lambda a, b: a / b if b else None),
    "%": nulls(lambda a, b: math.fmod(a, b) if b else None),
}
COMPARE: dict[str, Callable[..., Any]] = {
    "=": nulls(lambda a, b: a == b),
    "==": nulls(lambda a, b: a == b),
    "<>": nulls(lambda a, b: a != b),
    "!=": nulls(lambda a, b: a != b),
    "<": nulls(lambda a, b: a < b),
    "<=": nulls(lambda a, b: a <= b),
    ">": nulls(lambda a, b: a > b),
    ">=": nulls(lambda a, b: a >= b),
}
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": nulls(abs),
    "floor": nulls(math.floor),
    "ceil": nulls(math.ceil),
    "round": nulls(lambda a: math.copysign(math.floor(abs(a) + 0.5), a)),
    "least": lambda *v: min((x for x in v if x is not None), default=None),
    "greatest": lambda *v: max((x for x in v if x is not None), default=None),
    "coalesce": lambda *v: next((x for x in v if x is not None), None),
}
NUMBERS = ("hcp_0", "hcp_declarer", "level", "tricks", "len_trump_declarer", "points_1", "hcp_opponent", "len_S_dealer")
TEXTS = {"strain": ("C", "D", "H", "S", "NT"), "upcard": ("SA", "HT", "GC", "D2"), "upcard_class": ("spot", "face", "ace")}
TRUTHS = ("made", "contested", "passed_out")


def conjunction(values: list[Any]) -> Any:
    return False if False in values else None if None in values else True


def negation(value: Any) -> Any:
    return None if value is None else not value


class Random:
    """Conditions at random: a text, and the function of a row that it means."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)

    def number(self, depth: int) -> tuple[str, Read]:
        kind = self.draw.randrange(6 if depth else 2)
        if kind == 0:
            name = self.draw.choice(NUMBERS)
            return name, lambda row: row[name]
        if kind == 1:
            value = self.draw.choice([0, 1, 2.5, 4, 7, 10, 15, 100, 1e3])
            return f"{value:g}", lambda row: value
        if kind == 2:
            inner, read = self.number(depth - 1)
            return f"-({inner})", lambda row: nulls(lambda a: -a)(read(row))
        if kind == 3:
            name = self.draw.choice(list(FUNCTIONS))
            count = 1 if name in ("abs", "floor", "ceil", "round") else self.draw.randrange(2, 4)
            parts = [self.number(depth - 1) for _ in range(count)]
            text = f"{self.draw.choice([name, name.upper()])}({', '.join(part for part, _ in parts)})"
            return text, lambda row: FUNCTIONS[name](*(read(row) for _, read in parts))
        (left, a), (right, b) = self.number(depth - 1), self.number(depth - 1)
        sign = self.draw.choice(list(ARITHMETIC))
        return f"({left} {sign} {right})", lambda row: ARITHMETIC[sign](a(row), b(row))

    def condition(self, depth: int) -> tuple[str, Read]:
        kind = self.draw.randrange(9 if depth else 5)
        if kind == 0:
            (left, a), (right, b) = self.number(depth), self.number(depth)
            sign = self.draw.choice(list(COMPARE))
            return f"{left} {sign} {right}", lambda row: COMPARE[sign](a(row), b(row))
        if kind == 1:
            name = self.draw.choice(list(TEXTS))
            values = self.draw.sample(TEXTS[name], 2)
            if self.draw.random() < 0.5:
                return f"{name} <> '{values[0]}'", lambda row: nulls(lambda a: a != values[0])(row[name])
            word, turned = self.draw.choice([("in", False), ("NOT IN", True)])
            listed = ", ".join(f"'{value}'" for value in values)
            return f"{name} {word} ({listed})", lambda row: nulls(lambda a: (a in values) != turned)(row[name])
        if kind == 2:
            name = self.draw.choice(TRUTHS)
            return name, lambda row: row[name]
        if kind == 3:
            name = self.draw.choice([*NUMBERS, *TEXTS, *TRUTHS])
            word, turned = self.draw.choice([("is null", False), ("is not null", True)])
            return f"{name} {word}", lambda row: (row[name] is None) != turned
        if kind == 4:
            pattern, expression = self.draw.choice([("%A", ".*A"), ("S_", "S."), ("_C", ".C"), ("%", ".*")])
            return f"upcard like '{pattern}'", lambda row: re.fullmatch(expression, row["upcard"]) is not None
        if kind == 5:
            inner, read = self.condition(depth - 1)
            return f"not ({inner})", lambda row: negation(read(row))
        if kind == 6:
            parts = [self.number(depth - 1) for _ in range(3)]
            text = f"{parts[0][0]} between {parts[1][0]} and {parts[2][0]}"
            between = [COMPARE["<="]] * 2
            reads = [read for _, read in parts]
            return text, lambda row: conjunction(
                [between[0](reads[1](row), reads[0](row)), between[1](reads[0](row), reads[2](row))]
            )
        parts = [self.condition(depth - 1) for _ in range(self.draw.randrange(2, 4))]
        reads = [read for _, read in parts]
        if kind == 7:
            return " and ".join(f"({part})" for part, _ in parts), lambda row: conjunction([read(row) for read in reads])
        return " OR ".join(f"({part})" for part, _ in parts), lambda row: negation(
            conjunction([negation(read(row)) for read in reads])
        )


def test_conditions_mean_what_they_say(made: simcore.api.RunResult, rows: list[Row]) -> None:
    """Hundreds of random conditions, each on many deals."""
    columns = deal_row_columns(open_run(made))
    chance = Random(11)
    seen = {True: 0, False: 0, None: 0}
    for _ in range(7):
        drawn = [chance.condition(chance.draw.randrange(4)) for _ in range(100)]
        found = outcomes(made, [read_condition(text, columns) for text, _ in drawn])
        for (text, read), values in zip(drawn, found, strict=True):
            for row in rows[:: 2 + len(text) // 40]:
                expected = read(row)
                assert values[row["match"], row["deal"]] == expected, (text, row)
                seen[expected] += 1
    assert min(seen.values()) > 3000


def test_precedence(made: simcore.api.RunResult, rows: list[Row]) -> None:
    texts = {
        "hcp_0 + 2 * len_S_0 - 1 >= 20 or not contested and hcp_0 < 5": lambda r: (
            r["hcp_0"] + 2 * r["len_S_0"] - 1 >= 20 or ((not r["contested"]) and r["hcp_0"] < 5)
        ),
        "not hcp_0 >= 9 and hcp_1 - 3 - 2 > 4": lambda r: r["hcp_0"] < 9 and r["hcp_1"] - 5 > 4,
        "-hcp_0 + 12 > 0": lambda r: r["hcp_0"] < 12,
        "hcp_0 / 2 * 3 > 15 = true": None,
    }
    columns = deal_row_columns(open_run(made))
    for text, read in texts.items():
        if read is None:
            with pytest.raises(InputError, match="chained"):
                read_condition(text, columns)
            continue
        found = outcomes(made, [read_condition(text, columns)])[0]
        assert all(found[row["match"], row["deal"]] == read(row) for row in rows), text


# --- what is refused --------------------------------------------------------------------------------------------------

WRONG = {
    "hcp_declarr >= 15": ("did you mean 'hcp_declarer'", 0),
    "level >= 4 and strian = 'S'": ("did you mean 'strain'", 15),
    "strain = S": ("written in quotes: strain = 'S'", 9),
    'strain = "S"': ("single quotes", 9),
    "strain = 'Z'": ("it has: C, D, H, S, NT", 9),
    "strain = 's'": ("did you mean 'S'", 9),
    "strain = 4": ("a text cannot be compared with a number", 9),
    "level = 'four'": ("a number cannot be compared with a text", 8),
    "strain < 'S'": ("is for numbers", 7),
    "1 <= level <= 3": ("cannot be chained", 11),
    "level >= ": ("'the end' is not expected", 9),
    "level": ("this is a number", 0),
    "level = 4 level = 5": ("not expected here", 10),
    "(level = 4": ("a bracket is still open", 10),
    "level = 4)": ("not expected here", 9),
    "level in 4": ("in (a, b, c)", 9),
    "level in ()": ("not expected here", 10),
    "level between 3": ("between a and b", 15),
    "level = null": ("is null", 8),
    "strain like 4": ("after like stands a text", 12),
    "level like '4'": ("'like' is for texts", 0),
    "level not 4": ("not expected after not", 10),
    "strain = 'S": ("no closing quote", 9),
    "level = 4; drop table x": ("';' has no meaning", 9),
    "level = 4 -- comment": ("no column 'comment'", 13),
    "level = 12abc": ("no number", 8),
    "level = 1e999": ("too large", 8),
    "sqr(level) > 2": ("no function 'sqr'", 0),
    "read_csv('/etc/passwd')": ("no function 'read_csv'", 0),
    "getenv('HOME') = 'x'": ("no function 'getenv'", 0),
    "abs(level, 2) > 1": ("abs takes 1 numbers", 0),
    "least(level) > 1": ("least takes 2 to 9", 0),
    "abs(strain) > 1": ("abs is for numbers", 4),
    "level and made": ("'and' joins conditions", 0),
    "not level": ("'not' stands before a condition", 4),
    "level + made > 3": ("'+' is for numbers", 8),
    "level = 4 and": ("not expected here", 13),
    "select 1": ("no column 'select'", 0),
    "level = 4 \u00a7": ("has no meaning", 10),
    "(" * 50 + "level = 4" + ")" * 50: ("too deeply nested", 30),
    " or ".join(["level = 4"] * 120): ("too long", None),
}


@pytest.mark.parametrize("text", WRONG, ids=lambda text: text[:24])
def test_mistakes_are_marked(made: simcore.api.RunResult, text: str) -> None:
    said, place = WRONG[text]
    with pytest.raises(InputError) as caught:
        read_condition(text, deal_row_columns(open_run(made)))
    message, shown, mark = str(caught.value).splitlines()
    assert message.startswith("--where: ")
    assert said in message
    assert mark.strip() == "^"
    if place is not None and len(text) <= 100:
        assert shown == f"  {text}"
        assert mark == " " * (place + 2) + "^"


@pytest.mark.parametrize("text", ["", "  ", "x" * (MOST_CHARACTERS + 1)])
def test_nothing_and_too_much(made: simcore.api.RunResult, text: str) -> None:
    with pytest.raises(InputError, match="the condition"):
        read_condition(text, deal_row_columns(open_run(made)))


def mutated(text: str, draw: random.Random) -> str:
    """A condition with a few characters or words changed."""
    pieces = [*"'\"(),=%;.*\x00\n\u00e9\U0001f0a1", " and ", " or ", " not ", ">=", "--", "/*", "1e", "null", "level", "strain"]
    pieces += ["'S'", "in", "between", "like", "$deals", "read_parquet('x')", "::"]
    for _ in range(draw.randrange(1, 4)):
        place = draw.randrange(len(text) + 1)
        match draw.randrange(7):
            case 0:
                text = text[:place] + text[place + draw.randrange(1, 6) :]
            case 1:
                text = text[:place] + draw.choice(pieces) + text[place:]
            case 2:
                other = draw.randrange(len(text) + 1)
                text = text[: min(place, other)] + text[max(place, other) :]
            case 3:
                text = text[:place] + text[max(0, place - 12) : place] + text[place:]
            case _:
                words = re.findall(r"\w+|'\w*'|[<>=]+|\s+|.", text) or [" "]
                words[draw.randrange(len(words))] = draw.choice([*NUMBERS, *TRUTHS, *COMPARE, *ARITHMETIC, "3", "or", "and"])
                text = "".join(words)
    return text


def test_whatever_is_written_is_answered(made: simcore.api.RunResult) -> None:
    """8000 mutated conditions: a message that marks the place, or a condition that the database takes."""
    columns = deal_row_columns(open_run(made))
    chance = Random(5)
    good: list[Condition] = []
    refused = 0
    for _ in range(8000):
        text = mutated(chance.condition(1)[0], chance.draw)
        try:
            good.append(read_condition(text, columns))
        except InputError as error:
            refused += 1
            lines = str(error).splitlines()
            assert len(lines) in (1, 3)
            assert all(line.isprintable() for line in lines)
    assert refused > 1000
    assert len(good) > 200
    for first in range(0, len(good), 200):
        assert outcomes(made, good[first : first + 200])


def test_the_database_is_closed(made: simcore.api.RunResult, tmp_path: Path) -> None:
    """Even if something got through, it could reach nothing but the run."""
    import duckdb

    (tmp_path / "other.csv").write_text("a\n1\n", encoding="utf-8")
    connection = connect(open_run(made))
    for sql in (
        f"SELECT * FROM read_csv('{tmp_path}/other.csv')",
        "SELECT * FROM read_text('/etc/hostname')",
        f"COPY (SELECT 1) TO '{tmp_path}/written.csv'",
        "INSTALL httpfs",
        "SET enable_external_access = true",
        f"ATTACH '{tmp_path}/x.db'",
    ):
        with pytest.raises(duckdb.Error):
            connection.execute(sql)
    assert not (tmp_path / "written.csv").exists()


@pytest.mark.parametrize("name", ["level=4", "a[1]*b?", "it's \"one\"; --", "\u00e4 \u2660"])
def test_folders_of_any_name(made: simcore.api.RunResult, tmp_path: Path, name: str) -> None:
    shutil.copytree(made.out, tmp_path / name)
    assert make_rates(tmp_path / name, ["level"]).as_json() == make_rates(made, ["level"]).as_json()
    assert score_summary(tmp_path / name).as_json() == score_summary(made).as_json()


def test_damaged_files_are_named(made: simcore.api.RunResult, tmp_path: Path) -> None:
    shutil.copytree(made.out, tmp_path / "run")
    part = next((tmp_path / "run" / "deals").iterdir())
    part.write_bytes(b"damaged")
    with pytest.raises(InputError, match="cannot be read .* `simcore check"):
        make_rates(tmp_path / "run")


def test_interrupts_are_interrupts(made: simcore.api.RunResult, monkeypatch: pytest.MonkeyPatch) -> None:
    """The database answers Ctrl-C with an error of its own; the command line ends with its code for that."""

    class Interrupted:
        def execute(self, *_: Any) -> None:
            raise RuntimeError("Query interrupted")

        def close(self) -> None:
            pass

    monkeypatch.setattr(query, "connect", lambda data: Interrupted())
    assert invoke(["rates", str(made.out)]) == 130


# --- in the commands --------------------------------------------------------------------------------------------------


def test_rates_of_some_rows(made: simcore.api.RunResult) -> None:
    deals = made.deals()
    strong = deals[(deals["hcp_declarer"] >= 12) & (deals["len_trump_declarer"] >= 4)]
    report = make_rates(made, ["level", "strain"], "hcp_declarer >= 12 and len_trump_declarer >= 4")
    found = {row.key: (row.rate.n, row.made) for row in report.rows if row.rate.n}
    groups = strong.groupby(["level", "strain"], observed=True)["made"]
    assert found == {key: (len(group), group.sum()) for key, group in groups}
    assert report.total.rate.n == len(strong)
    assert len(report.rows) == 36
    assert report.passed_out is None
    assert report.as_json()["where"] == report.where
    n, y = strong.groupby("match")["made"].agg(["size", "sum"]).to_numpy(float).T
    assert report.total.rate == clustered_rate(ClusterSums(len(strong), y.sum(), n @ n, n @ y, y @ y, y.sum()))


def test_groups_without_rows_have_n_0(made: simcore.api.RunResult) -> None:
    roles = make_rates(made, ["declarer_role"], "declarer_role = 'dealer'")
    assert [(row.key[0], row.rate.n > 0) for row in roles.rows] == [("dealer", True), ("non_dealer", False)]
    classes = make_rates(made, ["upcard_class", "contested"], "level = 7 and level = 6")
    assert len(classes.rows) == 6
    assert all(row.rate.n == 0 and row.rate.estimate is None for row in classes.rows)


def test_scores_of_some_deals(made: simcore.api.RunResult) -> None:
    deals = made.deals()
    report = score_summary(made, ["contested"], "hcp_0 > hcp_1")
    some = deals[deals["hcp_0"] > deals["hcp_1"]]
    assert report.deals["seat 0"].mean.n == len(some)
    assert report.deals["seat 0"].mean.estimate == pytest.approx(some["points_0"].mean())
    assert report.totals == {}
    assert report.drawn is None
    for group in report.groups:
        part = some[some["contested"] == group.key[0]]
        assert group.deals["seat 1"].sd == pytest.approx(part["points_1"].std(ddof=1))
        assert group.deals["seat 1"].mean.estimate == pytest.approx(part["points_1"].mean())
        assert sum(1 for _ in group.deals) == 6
    rows = report.as_json()["rows"]
    assert [row["contested"] for row in rows[::6]] == [False, True]


def test_imposed_rates_of_some_deals(tmp_path: Path) -> None:
    run = simcore.run("bridgette", bots="random", deals=1500, unit="deal", contracts="all", out=tmp_path / "all")
    deals = run.deals()
    report = imposed_rates(run, by_role=True, where="hcp_dealer >= 11")
    some = deals[deals["hcp_0"].where(deals["dealer"] == 0, deals["hcp_1"]) >= 11]
    tricks = some["tricks_H_0"].where(some["dealer"] == 0, some["tricks_H_1"])
    row = next(row for row in report.rows if row.key == (3, "H", "dealer"))
    assert (row.rate.n, row.made) == (len(some), int((tricks >= 9).sum()))


@pytest.mark.parametrize("variant", ["call_bridge", "pit"])
def test_other_games(tmp_path: Path, variant: str) -> None:
    run = simcore.run(variant, bots="random", deals=400, out=tmp_path / "run")
    deals = run.deals()
    if variant == "pit":
        report = make_rates(run, ["bid"], "hcp_declarer >= 6 and not alone")
        played = deals[deals["declarer"].notna()]
        played = played.assign(hcp=[row[f"hcp_{row['declarer']}"] for _, row in played.iterrows()])
        expected = played[(played["hcp"] >= 6) & ~played["alone"]].groupby("bid")["made"].agg(["size", "sum"])
    else:
        report = make_rates(run, ["call"], "seat = 2 and hcp >= 10 and position < 3")
        position = (2 - deals["dealer"] - 1) % 4
        some = deals[(deals["hcp_2"] >= 10) & (position < 3)]
        expected = some.groupby("call_2")["made_2"].agg(["size", "sum"])
        assert "seat" in row_columns(open_run(run))
    found = {row.key[0]: (row.rate.n, row.made) for row in report.rows if row.rate.n}
    assert found == {key: (n, y) for key, n, y in expected.itertuples()}


def test_summaries_answer_what_they_hold(tmp_path: Path) -> None:
    rows = simcore.run("bridgette", bots="heuristic", deals=6000, seed=4, out=tmp_path / "rows")
    sums = simcore.run("bridgette", bots="heuristic", deals=6000, seed=4, output="summary", out=tmp_path / "sums")
    of_spades = (["level"], "strain = 'S' and doubling = 1")
    for by, where in (of_spades, (["level", "strain"], "level >= 4"), (["tricks"], "tricks > 9")):
        one, other = make_rates(rows, by, where), make_rates(sums, by, where)
        assert one.rows == other.rows
        assert (one.total.made, one.total.rate.n) == (other.total.made, other.total.rate.n)
    unknown = make_rates(sums, ["level"], "level >= 4").total.rate
    assert unknown.low is None
    assert "no interval" in unknown.method
    with pytest.raises(InputError, match="add level to --by, or run with output: rows"):
        make_rates(sums, ["strain"], "level >= 4")
    with pytest.raises(InputError, match="'hcp_0' is not kept by output: summary"):
        make_rates(sums, ["strain"], "hcp_0 >= 4")
    for given in ({"by": ["level"]}, {"where": "level = 4"}):
        with pytest.raises(InputError, match="output: summary keeps no points of groups"):
            score_summary(sums, **given)


def test_the_command(made: simcore.api.RunResult, capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["rates", str(made.out), "--where", "hcp_declarer >= 15", "--by", "level,strain"]) == 0
    assert "where hcp_declarer >= 15" in capsys.readouterr().out
    assert invoke(["rates", str(made.out), "--where", "hcp_declarer >="]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines()[0].startswith("error: --where: ")
    assert len(said.err.splitlines()) == 3
    assert invoke(["scores", str(made.out), "--by", "levl"]) == 2
    assert "did you mean 'level'" in capsys.readouterr().err
    assert invoke(["scores", str(made.out), "--by", "declarer_role"]) == 0
    assert "non_dealer" in capsys.readouterr().out
