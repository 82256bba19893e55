"""All benchmarks in one command: cases beside the C limit, every variant and bot, whole runs, and other programs.

python -m benchmarks            short form, below four minutes; writes benchmarks/README.md
python -m benchmarks --full     more repeats, runs of up to 100 million deals; some fifteen minutes
python -m benchmarks --check    short form, nothing written: fails where a ratio is 1.5 times worse than the recorded one
"""

from __future__ import annotations

import argparse
import sys

from benchmarks import every, publish, run, scaling, where
from benchmarks.calibrate import build, nanoseconds


def main() -> int:
    """Measure; write, or compare with what is recorded."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true", help="more repeats and larger runs")
    parser.add_argument("--check", action="store_true", help="compare ratios with the recorded ones; write nothing")
    asked = parser.parse_args()
    if asked.check and not publish.last_recorded():
        print(f"{publish.RECORDED} is missing: nothing to compare with; python -m benchmarks writes it", file=sys.stderr)
        return 2
    from benchmarks.peers.run import measure

    cases, cost = run.measured_table(12 if asked.full else 3)
    print(cases, flush=True)
    program = build()
    unit = min(nanoseconds(program) for _ in range(5)) if program else None
    pairs, of_pairs = every.table(unit, 7 if asked.full else 2, seers=asked.full)
    print(pairs, flush=True)
    sizes, of_runs = scaling.table(scaling.LARGEST if asked.full else scaling.SIZES[-1])
    print(sizes, flush=True)
    parts = where.table(24 if asked.full else 8)
    print(parts, flush=True)
    cost = {**cost, **of_pairs, **({name: round(value / unit, 4) for name, value in of_runs.items()} if unit else {})}
    lead = measure(9 if asked.full else 3, 0.4 if asked.full else 0.15, write=not asked.check)
    ratios = {"cost": cost, "lead": lead}
    if asked.check:
        worse = publish.regressions(ratios, publish.last_recorded())
        print("\n".join(worse) if worse else f"no ratio is {publish.WORST} times worse than the recorded one")
        return 1 if worse else 0
    for block, text in (("table", cases), ("pairs", pairs), ("scaling", sizes), ("where", parts)):
        publish.put(block, text)
    publish.record(ratios)
    return 0


if __name__ == "__main__":
    sys.exit(main())
