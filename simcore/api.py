"""The plain functions behind the public names and the commands: parse nothing, print nothing."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcore.config import Run, load_bot, load_run, load_variant
from simcore.places import Place, place
from simcore.solver.api import solve, solve_position

if TYPE_CHECKING:
    from simcore.replay import ReplayReport
    from simcore.runs import RunResult

Config = str | Place | Mapping[str, Any]
MAX_SEED = 2**64 - 1
MOST = 10**12
"""Deals that a run without a length may take."""


def resolve_run(
    config: Config,
    *,
    deals: int | None = None,
    matches: int | None = None,
    seed: int | None = None,
    bots: str | Sequence[str] | None = None,
    unit: str | None = None,
    contracts: str | None = None,
    play: str | None = None,
    output: str | None = None,
    until: float | None = None,
    until_of: str | None = None,
    hands: str | Path | None = None,
    overrides: Sequence[str] = (),
) -> Run:
    """The run that a configuration and options mean.

    Parameters
    ----------
    config : str, Path or mapping
        A run, a variant or a manifest: shipped name, path or content.
    deals, matches, seed, bots, unit, contracts, play, output
        Instead of what the configuration says; `bots` is one name for all seats or one a seat.
    until : float or None
        Half-width of an interval at which the run ends; `deals` or `matches`, given beside it, is the most it may take.
    until_of : str or None
        The contract whose make rate `until` is about, as ``"4S"``; None: all together.
    hands : str, Path or None
        File of deals to play in place of random ones, under ``unit: deal``; all of them unless `deals` says how many.
    overrides : sequence of str
        More of them as ``path=value``; applied after `bots`, so that they may change a bot.

    Returns
    -------
    Run
        Complete and checked.
    """
    given = {"deals": deals, "matches": matches, "seed": seed, "unit": unit}
    given |= {"contracts": contracts, "play": play, "output": output}
    texts = [] if bots is None else [f"bots={json.dumps([bots] if isinstance(bots, str) else list(bots))}"]
    texts += [*overrides, *(f"{key}={value}" for key, value in given.items() if value is not None)]
    if until is not None:
        texts.append(f"until={json.dumps({'half_width': until, 'of': until_of})}")
        if deals is None and matches is None:
            texts.append(f"deals={MOST}")
    elif until_of is not None:
        texts.append(f"until.of={until_of}")
    if hands is None:
        return load_run(config, texts)
    return _with_hands(config, texts, Path(hands).resolve(), deals)


def _with_hands(config: Config, texts: list[str], path: Path, deals: int | None) -> Run:
    """The run that plays the deals of a file: all of them, or the first `deals`."""
    from simcore.given import digest_of, read_given

    texts = [*texts, f"hands={json.dumps(str(path))}", f"hands_digest={digest_of(path)}", "unit=deal"]
    if deals is None:
        variant = load_run(config, [*texts, "deals=1"]).variant
        texts.append(f"deals={len(read_given(path, variant).hands)}")
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
    contracts: str | None = None,
    play: str | None = None,
    output: str | None = None,
    until: float | None = None,
    until_of: str | None = None,
    hands: str | Path | None = None,
    plugins: Sequence[str] = (),
    overrides: Sequence[str] = (),
    workers: int | None = None,
    overwrite: bool = False,
    resume: bool = False,
    shard: str | None = None,
    progress: bool | None = False,
    engine: str | None = None,
    scheduler: Any = None,
) -> RunResult:
    """Simulate a batch into a run directory.

    Parameters
    ----------
    config : str, Path or mapping
        A run, a variant or a manifest: shipped name, path or content.
    out : str, Path or None
        The run directory, or its URL as ``s3://bucket/name``; None: ``runs/<variant>-<bots>-seed<seed>``.
    deals, matches, seed, bots, unit, contracts, play, output, until, until_of, hands
        See `resolve_run`.
    plugins : sequence of str
        Modules or files with users' bots to load first (`simcore.plugins.load_plugin`).
    overrides : sequence of str
        See `resolve_run`.
    workers : int or None
        Threads; None: one a processor. Results do not depend on it.
    overwrite : bool
        Whether a run in `out` may be replaced.
    resume : bool
        Whether to go on with a run in `out`.
    shard : str or None
        Only a part of the run, as ``"2/3"``; `merge` joins them.
    progress : bool or None
        Whether to show progress on standard error; None: where that is a terminal.
    engine : str or None
        ``threads`` of this process, or the workers of a ``dask`` cluster; None: what the configuration says. Results do
        not depend on it.
    scheduler : str, distributed.Client or None
        Address of the cluster's scheduler, or a client of it.

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
    from simcore.runs.options import Options, engine_name
    from simcore.runs.runner import run_batch
    from simcore.runs.shard import parse_shard

    load_plugins(plugins)
    resolved = resolve_run(
        config,
        deals=deals,
        matches=matches,
        seed=seed,
        bots=bots,
        unit=unit,
        contracts=contracts,
        play=play,
        hands=hands,
        output=output,
        until=until,
        until_of=until_of,
        overrides=overrides,
    )
    options = Options(
        None if out is None else place(out),
        workers,
        overwrite,
        ("simcore.run",),
        progress,
        resume,
        parse_shard(shard),
        engine=engine_name(engine),
        scheduler=scheduler,
    )
    return run_batch(resolved, options)


def merge(parts: Sequence[str | Path], out: str | Path, overwrite: bool = False) -> RunResult:
    """Join the shards of a run; see `simcore.runs.merge`.

    Parameters
    ----------
    parts : sequence of str or Path
        Finished run directories.
    out : str or Path
        Directory of the joined run.
    overwrite : bool
        Whether a run in `out` may be replaced.

    Returns
    -------
    RunResult
        What one run over all matches would have stored.
    """
    from simcore.runs.merge import merge as join

    return join([place(part) for part in parts], place(out), overwrite, ("simcore.merge",))


def load_plugins(names: Sequence[str]) -> None:
    """Load modules or files with users' bots, so that their names can be used."""
    from simcore.plugins import load_plugin

    for name in names:
        load_plugin(name)


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
    hands: str | Path | None = None,
    plugins: Sequence[str] = (),
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
        How many; of a file of hands at most as many as there are.
    seed, bots, unit, hands
        See `resolve_run`.
    plugins : sequence of str
        As for `run`.
    overrides : sequence of str
        See `resolve_run`.
    explain : bool
        Whether each decision carries a field ``explain``: the policy, the rule that fired, the numbers it weighed.

    Yields
    ------
    dict
        A transcript a deal, and after the last deal of a match its totals (docs/files.md).
    """
    from simcore import batch
    from simcore.given import given_of
    from simcore.transcript import play_transcripts

    load_plugins(plugins)
    found = resolve_run(config, seed=seed, bots=bots, unit=unit, hands=hands, overrides=overrides)
    setup = batch.prepare(found.variant, found.bots, found.seed, found.unit, given=given_of(found))
    if hands is not None:
        count = max(1, min(count, len(setup.given.hands) - match))
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


def score(
    variant: Config,
    contract: str | None = None,
    tricks: int | None = None,
    overrides: Sequence[str] = (),
    *,
    call: int | None = None,
    bid: int | None = None,
    alone: bool = False,
) -> dict[str, Any]:
    """The points of one result; what was bid is given in the form of the variant's auction.

    Parameters
    ----------
    variant : str, Path or mapping
        A variant: shipped name, path or rules.
    contract : str or None
        In games of contracts, for example ``"4SX"``.
    tricks : int
        Tricks of declarer, or of the player who called.
    overrides : sequence of str
        Changes of the rules as ``path=value``.
    call : int or None
        In games of calls (Call Bridge), the tricks called.
    bid : int or None
        In games of steps (Pit), the tricks bid.
    alone : bool
        Whether that bid said alone.

    Returns
    -------
    dict
        variant, contract (or call, or bid), tricks, made, points, and more by the kind of the auction.

    Raises
    ------
    InputError
        Where another form is given than the variant's, or something that it does not have.

    Examples
    --------
    >>> import simcore
    >>> simcore.score("bridgette", "4SX", 11)["points"]
    {'declarer': 2300, 'opponent': 0}
    >>> simcore.score("call_bridge", call=8, tricks=9)["points"]
    13
    """
    from simcore.phases.scoring.sheets import score_result

    return score_result(load_variant(variant, overrides), contract, tricks, call, bid, alone)


__all__ = ["deal", "load_bot", "load_run", "load_variant", "merge", "open_run", "replay", "resolve_run", "run", "score"]
__all__ += ["solve", "solve_position"]
