"""The page: sections of all runs put together and written as one HTML file that needs no network."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

from analysis.charts.theme import require_charts, themed
from analysis.report.parts import Figure, Section
from analysis.report.view import RunView, bid_name, open_views
from simcore import __version__
from simcore.errors import InputError
from simcore.places import Place
from simcore.runs import RunResult

_FOLDER = Path(__file__).parent / "templates"


@dataclass(frozen=True, slots=True)
class ReportFile:
    """A report that was written.

    Attributes
    ----------
    out : Path
    size : int
        Bytes.
    runs : list of str
        Directories of the runs.
    charts : list of str
        Titles of its pictures.
    missing : dict
        By title of a picture that could not be made: why.
    """

    out: Path
    size: int
    runs: list[str]
    charts: list[str]
    missing: dict[str, str]

    def as_json(self) -> dict[str, Any]:
        """The result of ``simcore report --json``."""
        return {
            "out": str(self.out),
            "bytes": self.size,
            "runs": self.runs,
            "charts": self.charts,
            "missing": [{"title": title, "why": why} for title, why in self.missing.items()],
        }


def write_report(
    runs: Sequence[RunResult | Place | str],
    out: Path | str | None = None,
    overwrite: bool = False,
    ladder: Path | str | None = None,
) -> ReportFile:
    """Write the report of one or more runs.

    Parameters
    ----------
    runs : sequence of RunResult, Path or str
        Runs or their directories; several are set side by side, with differences from the first.
    out : Path, str or None
        The HTML file; None: beside the run with its name, of several ``report.html``.
    overwrite : bool
        Whether a file may be replaced.
    ladder : Path, str or None
        What ``simcore ladder --json`` printed.

    Returns
    -------
    ReportFile
        What was written, and which pictures could not be made.

    Raises
    ------
    InputError
        The libraries are missing, a run cannot be read, or the file exists.
    """
    require_charts()
    views = open_views(runs)
    out = _place(views, out, overwrite)
    standings = None
    if ladder is not None:
        from analysis.report.standings import read_ladder

        standings = read_ladder(ladder)
    with ThreadPoolExecutor(1) as pool:
        libraries = pool.submit(_libraries)  # takes a second, beside the analysis
        sections = _sections(views, standings)
        text = _render(views, sections, libraries.result())
    _write(out, text)
    figures = [figure for section in sections for figure in section.figures]
    charts = [_name(figure) for figure in figures if figure.chart is not None]
    missing = {_name(figure): figure.missing for figure in figures if figure.missing}
    return ReportFile(out, out.stat().st_size, [str(view.data.out) for view in views], charts, missing)


def write_tuning_report(folder: Path | str, out: Path | str | None = None, overwrite: bool = False) -> ReportFile:
    """Write the page of a tuning.

    Parameters
    ----------
    folder : Path or str
        Where `simcore tune` left its results.
    out : Path, str or None
        The HTML file; None: beside the folder with its name.
    overwrite : bool
        Whether a file may be replaced.

    Returns
    -------
    ReportFile
        What was written.
    """
    require_charts()
    from analysis.report.tuning import read_tuning, tuning_sections

    folder = Path(folder)
    document, before, after = read_tuning(folder)
    place = folder.resolve()
    out = _writable(place.with_name(f"{place.name}.html") if out is None else Path(out), overwrite)
    sections = tuning_sections(document, before, after)
    facts = {"variant": document["variant"], "bidders": ", ".join(entry["name"] for entry in document["panel"]),
             "play": f"{document['play']}, aim tricks", "seed": document["seed"], "evaluations": f"{document['evaluations']:,}",
             "fresh deals": f"{document['deals']['final']:,}", "verdict": document["verdict"].replace("_", " ")}  # fmt: skip
    command = f"simcore tune {folder / 'wanted.yaml'} --out ANOTHER"
    run = {"title": "", "letter": "", "facts": list(facts.items()), "commands": [("to run it again", command)],
           "config": (folder / "tuned.yaml").read_text(encoding="utf-8"), "measures": []}  # fmt: skip
    title = f"Tuning of {document['variant']}"
    lead = f"{document['evaluations']:,} evaluations; {document['words'][0]}. Every figure has a 95 % interval."
    _write(out, _page(title, lead, 2, sections, [run], _libraries()))
    figures = [figure for section in sections for figure in section.figures]
    missing = {figure.title: figure.missing for figure in figures if figure.missing}
    return ReportFile(out, out.stat().st_size, [str(folder)], [_name(figure) for figure in figures if figure.chart], missing)


def _name(figure: Figure) -> str:
    return f"{figure.title} ({figure.run})" if figure.run else figure.title


def _place(views: list[RunView], out: Path | str | None, overwrite: bool) -> Path:
    """The file to write, if it may be written."""
    if out is None:
        first = views[0].data.out.resolve()
        folder = first.parent if isinstance(first, Path) else Path()
        out = folder / f"{first.name}.html" if len(views) == 1 else Path("report.html")
    return _writable(Path(out), overwrite)


def _writable(out: Path, overwrite: bool) -> Path:
    """The same file, if it may be written."""
    if out.is_dir():
        raise InputError(f"--out: {out} is a directory; name a file, as {out / 'report.html'}")
    if out.exists() and not overwrite:
        raise InputError(f"{out} exists; --overwrite replaces it, --out names another file")
    if not out.parent.is_dir():
        raise InputError(f"--out: {out.parent} is not a directory")
    return out


def _sections(views: list[RunView], ladder: dict[str, Any] | None) -> list[Section]:
    from analysis.report.made import rate_figures, strength_figures
    from analysis.report.provenance import limits
    from analysis.report.spread import point_figures, trick_figures, usage_figures
    from analysis.report.worth import scoring_figures, worth_figures

    made = Section("made", f"How often a {bid_name(views[0])} is made")
    strength = Section("strength", "What strength does")
    usage, tricks = Section("usage", "What is bid"), Section("tricks", "Tricks")
    points = Section("points", "Points and matches")
    contents = [
        (made, rate_figures),
        (strength, strength_figures),
        (usage, usage_figures),
        (tricks, trick_figures),
        (points, point_figures),
    ]
    if views[0].kind == "bridge":
        contents[0] = (made, lambda view: [*rate_figures(view), *worth_figures(view)])
    else:  # fewer pictures, in fewer sections
        strength.title = "Strength and tricks"
        contents = [
            (made, lambda view: [*rate_figures(view), *usage_figures(view), *worth_figures(view)]),
            (strength, lambda view: [*strength_figures(view), *trick_figures(view)]),
            (points, point_figures),
        ]
    sections = [Section("run", "What was run")]
    if len(views) == 1:
        sections.append(Section("key", "Key figures"))
    else:
        from analysis.report.beside import comparison_figures

        sections.append(Section("beside", "Side by side", [comparison_figures(views)]))
    alarms = _alarms(views)
    if alarms:
        sections.append(Section("alarms", "Alarms", points=alarms))
    for section, make in contents:
        nothing = Figure(section.title, "", missing="Nothing was played: every deal was passed out.")
        empty = [section is not points and _is_empty(view) for view in views]
        pairs = zip(empty, views, strict=True)
        section.rows = _rows([[replace(nothing, run=view.letter)] if none else make(view) for none, view in pairs])
        sections.append(section)
    if ladder is not None:
        from analysis.report.standings import ladder_figures

        sections.append(Section("ladder", "The ladder", [ladder_figures(ladder)]))
    sections.append(Section("scoring", "The scoring table", [_scoring(views, scoring_figures)]))
    sections.append(Section("limits", "What these numbers do not say", points=limits(views)))
    return sections


def _is_empty(view: RunView) -> bool:
    """Whether no row of a run holds anything that was played."""
    return not view.imposed and view.rates.total is not None and not view.rates.total.rate.n


def _alarms(views: list[RunView]) -> list[str]:
    """What is degenerate about the auctions of the runs."""
    from analysis.degenerate import alarms_of

    found = [(view, text) for view in views for text in alarms_of(view.rates, view.data.rules)]
    return [f"{view.letter + ': ' if view.letter else ''}{text[:1].upper()}{text[1:]}." for view, text in found]


def _rows(figures: list[list[Figure]]) -> list[list[Figure]]:
    """Pictures of one run in one row; of several runs a row for each picture, the runs side by side."""
    if len(figures) == 1:
        return figures
    most = max(len(found) for found in figures)
    return [[found[place] for found in figures if place < len(found)] for place in range(most)]


def _scoring(views: list[RunView], make: Any) -> list[Figure]:
    """Scoring tables, of several runs each different one once."""
    shown, known = [], []
    for view in views:
        section = view.data.rules["scoring"]
        if section not in known:
            known.append(section)
            shown += make(view)
    return shown


def _libraries() -> str:
    """Vega, Vega-Lite and vega-embed as one script."""
    import vl_convert

    bundle: Any = vl_convert.javascript_bundle
    text: str = bundle()
    return text


def _script_json(document: Any) -> str:
    """JSON that may stand in a script element: nothing in it can end the element or begin a comment."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    for char in ("<", ">", "&", "\u2028", "\u2029"):
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text


def _render(views: list[RunView], sections: list[Section], libraries: str) -> str:
    from analysis.report.provenance import commands, config_text, facts

    runs = [
        {
            "title": view.title,
            "letter": view.letter,
            "facts": facts(view),
            "commands": commands(view),
            "config": config_text(view),
            "measures": view.measures(),
        }
        for view in views
    ]
    title = views[0].title if len(views) == 1 else f"{len(views)} runs of {_games(views)}"
    return _page(title, _lead(views), 3 if len(views) in (3, 5, 6) else 2, sections, runs, libraries)


def write_page(out: Path, title: str, lead: str, sections: list[Section]) -> None:
    """Write a page that is not about runs.

    Parameters
    ----------
    out : Path
        The HTML file.
    title, lead : str
        Heading, and the sentence below it.
    sections : list of Section
    """
    _write(out, _page(title, lead, 2, sections, [], _libraries()))


def _page(
    title: str, lead: str, columns: int, sections: list[Section], runs: list[dict[str, Any]], libraries: str
) -> str:
    """The page as text."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=FileSystemLoader(_FOLDER), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    numbers = count(1)
    shown = [
        {
            "key": section.key,
            "title": section.title,
            "points": section.points,
            "rows": [
                {"caption": _common(row), "figures": [_with_spec(figure, next(numbers)) for figure in row]}
                for row in section.rows
            ],
        }
        for section in sections
    ]
    return environment.get_template("page.html.j2").render(
        title=title,
        columns=columns,
        lead=lead,
        version=__version__,
        made=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        sections=shown,
        runs=runs,
        style=Markup(_asset("page.css")),
        script=Markup(_asset("page.js")),
        libraries=Markup(libraries.replace("</script", "<\\/script")),
    )


def _common(row: list[Figure]) -> str:
    """The caption of a row whose pictures all have the same."""
    captions = {figure.caption for figure in row}
    return row[0].caption if len(row) > 1 and len(captions) == 1 else ""


def _with_spec(figure: Figure, number: int) -> dict[str, Any]:
    """What the template needs of a picture."""
    from markupsafe import Markup

    spec = None if figure.chart is None else Markup(_script_json(_spec(figure)))
    names = ("title", "caption", "table", "missing", "run", "open", "wide")
    return {"number": number, "spec": spec, **{name: getattr(figure, name) for name in names}}


def _asset(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def _spec(figure: Figure) -> dict[str, Any]:
    spec: dict[str, Any] = themed(figure.chart, "page").to_dict(validate=False)
    spec["description"] = f"{figure.title}. {figure.caption}"
    spec.pop("$schema", None)
    spec["autosize"] = {"type": "fit-x", "contains": "padding"}
    return spec


def _games(views: list[RunView]) -> str:
    names = list(dict.fromkeys(str(view.data.rules["name"]) for view in views))
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _lead(views: list[RunView]) -> str:
    deals = sum(view.data.manifest.deals for view in views)
    matches = sum(view.data.manifest.matches for view in views if view.data.clustered)
    of_matches = f" in {matches:,} matches" if matches else ""
    several = "" if len(views) == 1 else f"{', '.join(view.title for view in views)}. Together "
    return f"{several}{deals:,} simulated deals{of_matches}. Every rate has its n and a 95 % interval."


def _write(out: Path, text: str) -> None:
    """Write the file whole or not at all."""
    draft = out.with_name(f".{out.name}.{os.getpid()}.tmp")
    try:
        draft.write_text(text, encoding="utf-8")
        draft.replace(out)
    finally:
        draft.unlink(missing_ok=True)
