"""Users' own bots: Python classes and compiled functions over the same views as the shipped policies.

A plugin is a Python module that is named on the command line (``--plugin FILE.py`` or a module's name), never in YAML. It
lists its bots as ``BOTS`` (docs/howto/write-a-bot.md, examples/plugins); a function ``OBJECTIVE`` is for `simcore tune`
(docs/howto/tune-a-table.md).

A bot in Python derives from `PythonBot` and is played by the slow course (`simcore.slow_course`), about a thousand deals a
second. A compiled bot is a `CompiledBot` of functions in Numba's subset of Python, called from the kernels at their
speed.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from simcore import notation
from simcore.codes import BID_OFFSET, CALL_DOUBLE, CALL_PASS, CALL_REDOUBLE, N_BIDS
from simcore.errors import InputError

if TYPE_CHECKING:
    from simcore.bots.view import AuctionView, ExchangeView, PlayView

METHODS = {"exchange": "choose_throw", "bidding": "choose_call", "play": "choose_card"}
"""What decides in each stage."""
STAGES = tuple(METHODS)


class PythonBot:
    """Base of bots in Python: override what it should decide itself; the rest is left to the `fallback` bot.

    Attributes
    ----------
    name : str
        Name for ``--bots``; letters, digits, ``_ - + .``.
    fallback : str
        Shipped bot that decides in the stages that are not overridden.
    """

    name = ""
    fallback = "heuristic"

    def choose_throw(self, view: ExchangeView) -> int:
        """Cards to throw: a mask of ``view.n_throw`` cards of ``view.hand``."""
        raise NotImplementedError

    def choose_call(self, view: AuctionView) -> int:
        """A call: `PASS`, `DOUBLE`, `REDOUBLE`, or `bid` of a text."""
        raise NotImplementedError

    def choose_card(self, view: PlayView) -> int:
        """A card of ``view.legal``, as a mask of one bit."""
        raise NotImplementedError

    def decides(self, stage: str) -> bool:
        """Whether the bot overrides a stage: ``exchange``, ``bidding`` or ``play``."""
        return getattr(type(self), METHODS[stage]) is not getattr(PythonBot, METHODS[stage])


@dataclass(frozen=True, slots=True)
class CompiledBot:
    """A bot of compiled functions ``f(view, memory) -> uint64``.

    Attributes
    ----------
    name, fallback : str
        As of `PythonBot`.
    choose_throw, choose_call, choose_card : callable or None
        Functions of ``view``, the words of a view in the order of its fields (uint64[:]), and ``memory``, eight words of
        the bot's own that are zero when the play of a deal begins (uint64[:]). They return what the methods of
        `PythonBot` return. None: left to the fallback.
    """

    name: str
    choose_throw: Callable[..., Any] | None = None
    choose_call: Callable[..., Any] | None = None
    choose_card: Callable[..., Any] | None = None
    fallback: str = "heuristic"

    def decides(self, stage: str) -> bool:
        """Whether the bot has a function for a stage."""
        return self.function(stage) is not None

    def function(self, stage: str) -> Callable[..., Any] | None:
        """The function of a stage."""
        function: Callable[..., Any] | None = getattr(self, METHODS[stage])
        return function


def helper(function: Callable[..., Any]) -> Any:
    """Decorator for functions that a compiled bot's function calls."""
    from simcore import _jit

    return _jit.helper(function)


@dataclass(frozen=True, slots=True)
class Registered:
    """A bot of a plugin that was loaded, and the digest of the plugin's source."""

    bot: PythonBot | CompiledBot
    source: str
    digest: str


REGISTRY: dict[str, Registered] = {}
"""Bots of the plugins that this process has loaded, by name."""

OBJECTIVES: dict[str, Callable[..., Any]] = {}
"""Objectives of the plugins that this process has loaded, by source and digest."""

PASS, DOUBLE, REDOUBLE = CALL_PASS, CALL_DOUBLE, CALL_REDOUBLE


def _import(name: str) -> ModuleType:
    path = Path(name)
    if path.suffix != ".py":
        try:
            return importlib.import_module(name)
        except ImportError as error:
            message = f"--plugin {name}: cannot be imported ({error}); a module's name or a file ending in .py"
            raise InputError(message) from None
    spec = importlib.util.spec_from_file_location(f"simcore_plugin_{path.stem}", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise InputError(f"--plugin {name}: no such file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module.__name__] = module
    spec.loader.exec_module(module)
    return module


def load_plugin(name: str) -> list[str]:
    """Import a plugin and register its bots, and its objective of tunings if it has one.

    Parameters
    ----------
    name : str
        A module's name, or a file ending in ``.py``. Its code is run: load only what you trust.

    Returns
    -------
    list of str
        Names of its bots.

    Raises
    ------
    InputError
        Where it cannot be imported, lists no ``BOTS``, or a name is taken.
    """
    from simcore.config import shipped

    module = _import(name)
    bots = getattr(module, "BOTS", None)
    objective = getattr(module, "OBJECTIVE", None)
    if callable(objective):
        source = Path(str(module.__file__)).read_bytes()
        OBJECTIVES[f"{name} {hashlib.sha256(source).hexdigest()[:16]}"] = objective
        if bots is None:
            return []
    if not isinstance(bots, list | tuple) or not bots or not all(isinstance(bot, PythonBot | CompiledBot) for bot in bots):
        needed = "it needs BOTS = [bot, ...] of PythonBot or CompiledBot objects, or OBJECTIVE = a function"
        raise InputError(f"--plugin {name}: lists no bots; {needed}")
    digest = hashlib.sha256(Path(str(module.__file__)).read_bytes()).hexdigest()[:16]
    for bot in bots:
        if not bot.name or bot.name in shipped("bots"):
            raise InputError(f"--plugin {name}: a bot needs a name that no shipped bot has, not {bot.name!r}")
        REGISTRY[bot.name] = Registered(bot, name, digest)
    return [bot.name for bot in bots]


def bot_settings(name: str) -> dict[str, Any] | None:
    """The settings of a loaded plugin's bot, as a bot's YAML would have them; None for another name."""
    from simcore.config import load_bot

    registered = REGISTRY.get(name)
    if registered is None:
        return None
    settings = load_bot(registered.bot.fallback).model_dump(mode="json", exclude={"reads", "sees_all", "description"})
    for stage in STAGES:
        if registered.bot.decides(stage):
            settings[stage] = {"policy": "plugin", "bot": name, "digest": registered.digest}
    return {**settings, "name": name}


# ----------------------------------------------------------------------------------------- words for bots in Python


def cards_of(mask: int) -> list[str]:
    """Cards of a view's mask as texts, clubs first, low ranks first."""
    from simcore.cards import BORDER_CARD

    return [notation.card_text(int(BORDER_CARD[bit])) for bit in range(64) if int(mask) >> bit & 1]


def mask_of(cards: Iterable[str]) -> int:
    """A view's mask of cards given as texts."""
    from simcore.cards import bit_number

    mask = 0
    for card in cards:
        mask |= 1 << bit_number(notation.parse_card(card))
    return mask


def bids_of(mask: int) -> list[str]:
    """Bids of a view's mask as texts, rising."""
    return [notation.bid_text(bid) for bid in range(N_BIDS) if int(mask) >> bid & 1]


def bid(text: str) -> int:
    """The call of a bid such as ``"3NT"``, for `PythonBot.choose_call`."""
    return notation.parse_bid(text) + BID_OFFSET
