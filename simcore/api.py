"""The plain functions behind the public names and the commands: parse nothing, print nothing."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcore.config import Run, load_bot, load_run, load_variant

if TYPE_CHECKING:
    from simcore.replay import ReplayReport
    from simcore.runs import RunResult

Config = str | Path | Mapping[str, Any]
MAX_SEED = 2**64 - 1


def resolve_run(
    config: Config,
    *,
    deals: int | None = None,
    matches: int | None = None,
    seed: int | None = None,
    bots: str | Sequence[str] | None = None,
    unit: str | None = None,
    overrides: Sequence[str] = (),
) -> Run:
    """The run that a configuration and options mean.

    Parameters
    ----------
    config : str, Path or mapping
        A run, a variant or a manifest: shipped name, path or content.
    deals, matches, seed, bots, unit
        Instead of what the configuration says; `bots` is one name for all seats or one a seat.
    overrides : sequence of str
        More of them as ``path=value``; applied after `bots`, so that they may change a bot.

    Returns
    -------
    Run
        Complete and checked.
    """
    given = {"deals": deals, "matches": matches, "seed": seed, "unit": unit}
    texts = [] if bots is None else [f"bots={json.dumps([bots] if isinstance(bots, str) else list(bots))}"]
    texts += [*overrides, *(f"{key}={value}" for key, value in given.items() if value is not None)]
    return load_run(config, texts)


def run(
    config: Config,
    *,
    out: str | Path | None = None,
    deals: int | None = None,
    matches: int | None = None,
    seed: int | None = None,
    bots: str | Sequence[str] | None = None,
    unit: str | None = None,
    overrides: Sequence[str] = (),
    workers: int | None = None,
    overwrite: bool = False,
    progress: bool | None = False,
) -> RunResult:
    """Simulate a batch into a run directory.

    Parameters
    ----------
    config : str, Path or mapping
        A run, a variant or a manifest: shipped name, path or content.
    out : str, Path or None
        The run directory; None: ``runs/<variant>-<bots>-seed<seed>``.
    deals, matches, seed, bots, unit, overrides
        See `resolve_run`.
    workers : int or None
        Threads; None: one a processor. Results do not depend on it.
    overwrite : bool
        Whether a run in `out` may be replaced.
    progress : bool or None
        Whether to show progress on standard error; None: where that is a terminal.

    Returns
    -------
    RunResult
        ``.out``, ``.n_deals``, ``.n_matches``, and ``.deals()`` and ``.matches()`` as data frames.

    Examples
    --------
    >>> import simcore
    >>> result = simcore.run("bridgette", bots="random", deals=1000, out="runs/small")  # doctest: +SKIP
    >>> result.deals()["made"].mean()  # doctest: +SKIP
    """
    from simcore.runs.runner import Options, run_batch

    resolved = resolve_run(config, deals=deals, matches=matches, seed=seed, bots=bots, unit=unit, overrides=overrides)
    options = Options(None if out is None else Path(out), workers, overwrite, ("simcore.run",), progress)
    return run_batch(resolved, options)


def open_run(out: str | Path) -> RunResult:
    """A run that was made earlier, by its directory."""
    from simcore.runs import RunResult

    return RunResult.open(out)


def deal(
    config: Config,
    match: int = 0,
    *,
    count: int = 1,
    seed: int | None = None,
    bots: str | Sequence[str] | None = None,
    unit: str | None = None,
    overrides: Sequence[str] = (),
    explain: bool = False,
) -> Iterator[dict[str, Any]]:
    """Play matches exactly as `run` would, card by card.

    Parameters
    ----------
    config : str, Path or mapping
        As for `run`.
    match : int
        The first match; under ``unit: deal`` the first deal.
    count : int
        How many.
    seed, bots, unit, overrides
        See `resolve_run`.
    explain : bool
        Whether each decision carries a field ``explain``: the policy, the rule that fired, the numbers it weighed.

    Yields
    ------
    dict
        A transcript a deal, and after the last deal of a match its totals (docs/files.md).
    """
    from simcore import batch
    from simcore.transcript import play_transcripts

    found = resolve_run(config, seed=seed, bots=bots, unit=unit, overrides=overrides)
    setup = batch.prepare(found.variant, found.bots, found.seed, found.unit)
    if explain:
        from simcore.explain import explain_transcripts

        return iter(explain_transcripts(setup, match, count))
    return iter(play_transcripts(setup, match, count))


def replay(source: str | Path | Iterable[str]) -> ReplayReport:
    """Check transcripts against the rules and recompute their points.

    Parameters
    ----------
    source : str, Path or iterable of str
        A file of transcripts (JSON Lines), or its lines.

    Returns
    -------
    ReplayReport
        ``transcripts``, ``ok`` and ``violations``.
    """
    from simcore.errors import InputError
    from simcore.replay import replay_lines

    if not isinstance(source, str | Path):
        return replay_lines(source)
    try:
        with open(source, encoding="utf-8") as file:
            return replay_lines(file)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{source} cannot be read: {getattr(error, 'strerror', None) or error}") from error


def score(variant: Config, contract: str, tricks: int, overrides: Sequence[str] = ()) -> dict[str, Any]:
    """The points of one result.

    Parameters
    ----------
    variant : str, Path or mapping
        A variant: shipped name, path or rules.
    contract : str
        For example ``"4SX"``.
    tricks : int
        Declarer's tricks.
    overrides : sequence of str
        Changes of the rules as ``path=value``.

    Returns
    -------
    dict
        variant, contract, tricks, made, overtricks, undertricks, points.

    Examples
    --------
    >>> import simcore
    >>> simcore.score("bridgette", "4SX", 11)["points"]
    {'declarer': 2300, 'opponent': 0}
    """
    from simcore.notation import parse_contract
    from simcore.phases.scoring.contract_table import score_contract

    return score_contract(load_variant(variant, overrides), parse_contract(contract), tricks)


__all__ = ["deal", "load_bot", "load_run", "load_variant", "open_run", "replay", "resolve_run", "run", "score"]
