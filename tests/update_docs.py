"""Parts of the documents that the program prints itself: example deals, refusals, and what overbidding pays.

    python tests/update_docs.py                           rewrites the examples (make docs)
    python tests/update_docs.py --overbidding             and plays for the table of docs/rules/draw_bridge.md
    python tests/update_docs.py --overbidding --deals N   with N mirrored deals in place of 20,000

An example stands between two comments: a block with commands, and a block with what the last one prints. Files that commands
name are the YAML blocks of the same document whose first line is `# NAME.yaml`; of two versions the last one above counts.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import re
import shlex
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
BOTS = "heuristic"
"""Bots of the commands in the documents that name this bot; "heuristic" takes `--bots random` out of all of them."""
DEALS = 20_000
LEVELS = (1.0, 2.0, 6.0)
"""Levels by which the overbidders of the table bid more than the heuristic."""
OVERBIDDING = ROOT / "docs" / "rules" / "draw_bridge.md"
GAMES = ("draw_bridge", "draw_bridge_published")
DOCUMENTS = sorted(ROOT.glob("docs/**/*.md"))

_EXAMPLE = re.compile(
    r"(<!-- example begins -->\n```\n(?P<commands>simcore [^`]*)\n```\n\n```text\n)(?P<output>.*?)"
    r"(\n?```\n<!-- example ends -->)",
    re.DOTALL,
)
_FILE = re.compile(r"^```(?:yaml|python)\n(# (\w+\.(?:yaml|py))\b.*?)^```", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^simcore .*$", re.MULTILINE)
_TABLE = re.compile(r"(<!-- overbidding begins -->\n).*?(<!-- overbidding ends -->)", re.DOTALL)


def files_of(text: str) -> dict[str, str]:
    """Files that a document shows, by name."""
    return {found[2]: found[1] for found in _FILE.finditer(text)}


def examples_of(text: str) -> list[str]:
    """Commands of a document whose output is shown, and those before them."""
    return [command for found in _EXAMPLE.finditer(text) for command in found["commands"].splitlines()]


def printed(commands: list[str], files: dict[str, str]) -> str:
    """What the last of some commands prints in a folder with some files; where it fails, the message."""
    from simcore.cli import invoke

    before, output = Path.cwd(), ""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            (Path(folder) / name).write_text(content, encoding="utf-8")
        os.chdir(folder)
        try:
            for command in commands:
                out, err = io.StringIO(), io.StringIO()
                with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                    code = invoke(shlex.split(command, comments=True)[1:])
                output = (err if code else out).getvalue()
        finally:
            os.chdir(before)
    return output.strip("\n")


def with_bots(text: str) -> str:
    """The document with the bots of today in its commands."""

    def command(found: re.Match[str]) -> str:
        return found[0].replace(" --bots random", "" if BOTS == "heuristic" else f" --bots {BOTS}")

    return _COMMAND.sub(command, text)


def updated(text: str) -> str:
    """The document with examples as the program prints them."""
    text = with_bots(text)

    def example(found: re.Match[str]) -> str:
        output = printed(found["commands"].splitlines(), files_of(text[: found.start()]))
        return f"{found[1]}{output}\n{found[4].lstrip()}"

    return _EXAMPLE.sub(example, text)


# --- what overbidding pays --------------------------------------------------------------------------------------------


def overbidding_table(deals: int) -> str:
    """Points per deal of bots that overbid, less those of the heuristic, under literal and published scoring."""
    from analysis.ladder import play_ladder
    from simcore.config import load_bot

    margins = load_bot("heuristic").bidding.model_dump(mode="json")
    lines = [f"| bids more than it expects by | {' | '.join(f'`{game}`' for game in GAMES)} |", "| --- | ---: | ---: |"]
    with tempfile.TemporaryDirectory() as folder:
        for levels in LEVELS:
            path = Path(folder) / "overbidder.yaml"
            margin = {f"{key}margin": round(margins[f"{key}margin"] - levels, 2) for key in ("", "seen_")}
            path.write_text(f"extends: heuristic\nname: overbidder\nbidding: {json.dumps(margin)}\n", encoding="utf-8")
            cells = []
            for game in GAMES:
                found = play_ladder(game, [str(path), "heuristic"], deals=deals).duels[0].difference
                assert found.low is not None
                cells.append(f"{found.estimate:+.1f} ± {found.estimate - found.low:.1f}")
            name = f"{levels:g} level" + ("s" if levels > 1 else "")
            lines.append(f"| {name} | {' | '.join(cells)} |")
    lines += ["", f"Points per deal less the opponent's, who is the plain `heuristic`; {deals:,} mirrored deals each, seed 1."]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Rewrite the documents."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--overbidding", action="store_true")
    parser.add_argument("--deals", type=int, default=DEALS)
    arguments = parser.parse_args()
    for path in DOCUMENTS:
        text = path.read_text(encoding="utf-8")
        new = updated(text)
        if arguments.overbidding and path == OVERBIDDING:
            table = overbidding_table(arguments.deals)
            new = _TABLE.sub(lambda found, table=table: f"{found[1]}\n{table}\n{found[2]}", new)
        if new != text:
            path.write_text(new, encoding="utf-8")
            print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
