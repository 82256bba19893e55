"""How the matches of a run ended: totals and margins by value, winners, first dealers, lengths; counted in the database."""

from __future__ import annotations

from collections import Counter

from analysis.load import RunData
from analysis.query import Rows, parquet

Results = Counter[tuple[int, int, int, bool]]
"""Number of matches by winner (-1: shared), first dealer, number of deals, and whether finished."""
MARGIN = "margin"


def match_results_of_rows(data: RunData) -> tuple[dict[str, Counter[float]], Results]:
    """Totals by seat and margins, each value with its count, and how matches ended.

    Parameters
    ----------
    data : RunData
        A run of matches with rows.

    Returns
    -------
    tuple
        Counts by ``seat 0`` .. and ``margin``; `Results`.
    """
    names = {f"seat {seat}": f'"total_{seat}"' for seat in range(data.players)}
    listed = ", ".join(names.values())
    names[MARGIN] = f"(list_reverse_sort([{listed}])[1] - list_reverse_sort([{listed}])[2])"
    table = parquet("matches")
    queries = {what: f"SELECT {sql} AS points, COUNT(*) FROM {table} GROUP BY points" for what, sql in names.items()}
    first = f"(SELECT match, dealer FROM {parquet('deals')} WHERE deal = 0)"
    ends = "coalesce(winner, -1), dealer, deals, finished"
    queries["ends"] = f"SELECT {ends}, COUNT(*) FROM {table} JOIN {first} USING (match) GROUP BY ALL"
    totals: dict[str, Counter[float]] = {what: Counter() for what in names}
    results: Results = Counter()
    for what, records in Rows.of_deals(data).run(queries):
        for *key, n in records:
            if what == "ends":
                winner, dealer, deals, finished = key
                results[winner, dealer, deals, finished] += n
            else:
                totals[what][key[0]] += n
    return totals, results
