"""The page of the verification: a summary, and a section for each check with its pictures."""

from __future__ import annotations

from pathlib import Path

from analysis.report.page import write_page
from analysis.report.parts import Figure, Section, Table
from analysis.verify import FALSE_ALARM, Outcome, Verification
from analysis.verify.figures import deviations_figure


def write(out: Path, found: Verification) -> None:
    """Write the page.

    Parameters
    ----------
    out : Path
        The HTML file.
    found : Verification
    """
    form = "The short form" if found.quick else "The full form"
    verdict = "Every check passed" if not found.failed else f"Failed: {', '.join(found.failed)}"
    lead = (
        f"{verdict}. {form}, seed {found.seed}, {found.seconds:,.0f} seconds. A sound program fails a statistical check with"
        f" a chance of at most 1 in {1 / FALSE_ALARM:,.0f}, all of them together."
    )
    sections = [Section("summary", "Summary", [[_summary(found)], [_deviations(found)]])]
    sections += [_section(outcome) for outcome in found.outcomes]
    write_page(out, "Verification", lead, sections)


def _summary(found: Verification) -> Figure:
    rows = [
        (
            outcome.name,
            outcome.title,
            verdict(outcome),
            f"{len(outcome.findings)}",
            f"{outcome.n:,}",
            worst(outcome),
            allowed(outcome),
        )
        for outcome in found.outcomes
    ]
    headings = ("check", "what", "verdict", "comparisons", "largest n", "largest deviation", "tolerance")
    note = "Deviations and tolerances in standard errors; exact checks allow no fault."
    return Figure("All checks", "", table=Table(headings, rows, 3, note, long=True), open=True, wide=True)


def verdict(outcome: Outcome) -> str:
    """One word."""
    if outcome.skipped:
        return "not run"
    return "ok" if outcome.ok else "FAILED"


def worst(outcome: Outcome) -> str:
    """The largest deviation, or the faults of an exact check."""
    faults = sum(finding.faults for finding in outcome.findings)
    if faults or outcome.worst is None:
        return "-" if outcome.skipped else f"{faults:,} faults"
    return f"{outcome.worst:.2f}"


def allowed(outcome: Outcome) -> str:
    """The tolerance as text."""
    return "-" if outcome.skipped else "exact" if outcome.tolerance is None else f"{outcome.tolerance:.2f}"


def _deviations(found: Verification) -> Figure:
    outcomes = [outcome for outcome in found.outcomes if outcome.tolerance is not None]
    if not outcomes:
        return Figure("Deviations", "", missing="No statistical check was run.")
    return deviations_figure("Deviations of all comparisons", outcomes)


def _section(outcome: Outcome) -> Section:
    section = Section(outcome.name, outcome.name.capitalize())
    section.points = [f"{outcome.title[:1].upper()}{outcome.title[1:]}: {verdict(outcome)}.", *_sentences(outcome)]
    rows = [
        (finding.name, f"{finding.n:,}", "-" if finding.z is None else f"{finding.z:+.2f}", str(finding.faults), finding.note)
        for finding in outcome.findings
    ]
    table = Table(("comparison", "n", "standard errors", "faults", "note"), rows, 1, long=True)
    section.rows = [outcome.figures] if outcome.figures else []
    if rows:
        section.rows.append([Figure("All comparisons", "", table=table, wide=True)])
    return section


def _sentences(outcome: Outcome) -> list[str]:
    if outcome.skipped:
        return [f"Not run: {outcome.skipped}."]
    found = [f"{finding.name}: {finding.note or 'outside its tolerance'}" for finding in outcome.failed[:5]]
    if outcome.tolerance is not None:
        found.append(f"Each comparison may be {outcome.tolerance:.2f} standard errors away.")
    return found
