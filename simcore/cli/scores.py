"""``simcore scores``: score distributions of a run."""

from __future__ import annotations

from simcore.cli.options import JsonOption, RunArgument, print_json

EXAMPLES = """Examples:
  simcore scores runs/bridgette-heuristic-seed1
"""


def command(run: RunArgument, as_json: JsonOption = False) -> None:
    """Print points per deal and per match, and who wins, with intervals."""
    from analysis.scores import score_summary

    report = score_summary(run)
    if as_json:
        print_json(report.as_json())
        return
    from analysis.tables import print_scores

    print_scores(report)
