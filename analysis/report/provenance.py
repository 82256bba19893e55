"""What was run, how to run it again, and what the numbers do not say."""

from __future__ import annotations

import shlex
from typing import Any

from analysis.report.view import RunView, bid_name


def facts(view: RunView) -> list[tuple[str, str]]:
    """What was run, as pairs of name and value."""
    manifest, config = view.data.manifest, view.data.manifest.config
    counts = f"{manifest.deals:,}" + (
        f" in {manifest.matches:,} matches" if view.data.clustered else ", independent of each other"
    )
    found = [("variant", str(view.data.rules["name"]))]
    description = view.data.rules.get("description")
    if description:
        found.append(("description", str(description)))
    found += [("bots", _bots(config["bots"])), ("deals", counts), ("seed", str(config["seed"]))]
    found += [("contracts", _contracts(config)), ("stored", "sums" if view.data.summed else "a row a deal")]
    if config.get("hands"):
        found.append(("deals taken from", str(config["hands"])))
    if manifest.shard is not None:
        found.append(("shard", f"{manifest.shard['index']} of {manifest.shard['of']}"))
    if manifest.until is not None:
        found.append(("stopped at a width", "reached" if manifest.until["reached"] else "not reached"))
    if manifest.state != "finished":
        found.append(("state", f"{manifest.state}: only its finished chunks are counted"))
    found += [("time", f"{manifest.seconds:,.1f} s, started {manifest.started}"), ("directory", str(view.data.out))]
    found.append(("versions", ", ".join(f"{name} {version}" for name, version in manifest.versions.items())))
    machine = manifest.platform
    found.append(("platform", ", ".join(str(machine[key]) for key in ("system", "machine", "python") if key in machine)))
    found.append(("digests", f"rules {manifest.rules_digest[:16]}, sources {manifest.source_digest}"))
    return found


def _contracts(config: dict[str, Any]) -> str:
    if config.get("contracts") == "all":
        return "every strain from both sides on each deal, besides the auction"
    return "as the bots bid"


def _bots(bots: list[dict[str, Any]]) -> str:
    texts = [_bot(bot) for bot in bots]
    if len(set(texts)) == 1:
        return f"{texts[0]}, in every seat"
    return "; ".join(f"seat {seat}: {text}" for seat, text in enumerate(texts))


def _bot(bot: dict[str, Any]) -> str:
    seen = "sees all cards" if bot.get("sees_all") else "sees what a player sees"
    reads = [what.replace("_", " ") for what, does in (bot.get("reads") or {}).items() if does]
    return f"{bot['name']} ({seen}{', reads the ' + ' and '.join(reads) if reads else ''})"


def commands(view: RunView) -> list[tuple[str, str]]:
    """Command lines: the one that was used, and the one that runs it again."""
    again = shlex.join(["simcore", "run", str(view.data.out / "manifest.json"), "--out", "NEW"])
    return [("as it was run", shlex.join(view.data.manifest.command)), ("run again, the same deals and results", again)]


def config_text(view: RunView) -> str:
    """The resolved configuration as YAML."""
    import yaml

    text: str = yaml.safe_dump(
        view.data.manifest.config, sort_keys=False, allow_unicode=True, width=110, default_flow_style=None
    )
    return text


def limits(views: list[RunView]) -> list[str]:
    """What the numbers do not say, by what the runs are."""
    names = list(dict.fromkeys(name for view in views for name in view.bots))
    bid = bid_name(views[0])
    said = [
        f"A make rate is a property of the rules and of the players. These are the results of {_and(names)}; other "
        f"players bid other {bid}s and make them at other rates.",
        f"A {bid} is chosen with hands that suit it. Its rate is not the chance of making it with any hand, and a higher "
        "rate at a higher level does not mean that it is easier.",
        "The intervals hold what chance does to a run of this length, and nothing else: not whether the rules are read "
        "as they are meant, not whether the bots play well. About one in twenty 95 % intervals misses; among the many on "
        "this page some do.",
    ]
    if any(view.data.clustered for view in views):
        said.append("Deals of a match depend on each other; intervals are clustered by match where that matters.")
    if any(bot.get("sees_all") for view in views for bot in view.data.manifest.config["bots"]):
        said.append("A bot that sees all cards plays as nobody can: its results are limits, not forecasts.")
    if views[0].kind == "bridge":
        said.append(
            "The break-even rate compares a contract with a passed-out deal and counts one trick over or under; it knows "
            "neither the opponent's contracts nor the state of the match."
        )
    if any(view.imposed for view in views):
        said.append(
            "Imposed contracts are played for tricks alone, without an auction: bots that listen to the auction have not "
            "heard one."
        )
    for view in views:
        said += [f"{view.letter + ': ' if view.letter else ''}{note[:1].upper()}{note[1:]}." for note in view.scores.notes]
        if view.data.manifest.state != "finished":
            said.append(f"{view.title}: the run is {view.data.manifest.state}; this is a beginning of it.")
    return said


def _and(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def what_differs(views: list[RunView]) -> list[tuple[str, ...]]:
    """Configuration values in which several runs differ, a row each: path, then the value of each run."""
    flat = [_flat(view.data.manifest.config) for view in views]
    rows = []
    for path in dict.fromkeys(path for values in flat for path in values):
        found = [_text(values.get(path)) for values in flat]
        if len(set(found)) > 1:
            rows.append((path, *found))
    return rows


def _text(value: Any) -> str:
    return "-" if value is None else str(value)


def _flat(value: Any, path: str = "") -> dict[str, Any]:
    """Leaves of a configuration by path."""
    if isinstance(value, dict) and value:
        pairs = [(f"{path}.{key}" if path else str(key), child) for key, child in value.items()]
    elif isinstance(value, list) and any(isinstance(child, dict) for child in value):
        pairs = [(f"{path}[{place}]", child) for place, child in enumerate(value)]
    else:
        return {path: value}
    found: dict[str, Any] = {}
    for name, child in pairs:
        found |= _flat(child, name)
    return found
