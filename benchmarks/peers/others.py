"""Entries of other programs and libraries; each says by `MissingError` what is not installed."""

from __future__ import annotations

import importlib.metadata
import platform
import random
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.calibrate import BUILD, build
from benchmarks.peers.contest import MissingError, Play

HERE = Path(__file__).parent
_PATHS = "/usr/games:/usr/local/games"
"""Where Debian keeps games, beside the usual path."""
_DDS_DEALS = 40
"""Deals that DDS solves in one call: more of them at once use its threads better."""
_CALIBRATOR_DEALS = 2_000_000
"""Deals of one call of the calibrator: five batches of 400,000."""


def installed(name: str) -> Any:
    """Import a library of the extra `peers`."""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise MissingError(f"{name} is not installed: pip install '.[peers]'") from None


def version_of(distribution: str) -> str:
    """Version of an installed distribution."""
    return importlib.metadata.version(distribution)


# --- C ----------------------------------------------------------------------------------------------------------------


def compiler() -> str:
    """The C compiler's version."""
    path = shutil.which("gcc") or shutil.which("cc")
    if path is None or build() is None:
        raise MissingError("no C compiler, or a processor without BMI2")
    return subprocess.run([path, "-dumpfullversion"], capture_output=True, text=True, check=False).stdout.strip()


def c_dealing() -> tuple[str, Play]:
    """`dealing.c`."""
    version, program = compiler(), BUILD / "dealing"
    command = [
        str(shutil.which("gcc") or shutil.which("cc")),
        "-O3",
        "-march=native",
        "-o",
        str(program),
        str(HERE / "dealing.c"),
    ]
    subprocess.run(command, check=True, capture_output=True)
    return f"gcc {version}", lambda units: subprocess.run([str(program), str(units)], check=True, capture_output=True)


def c_play() -> tuple[str, Play]:
    """`calibrator.c`, in whole calls of five batches."""
    version, program = compiler(), build()

    def play(units: int) -> None:
        for _ in range(max(1, round(units / _CALIBRATOR_DEALS))):
            subprocess.run([str(program)], check=True, capture_output=True)

    return f"gcc {version}", play


# --- what one would write oneself -------------------------------------------------------------------------------------

_LEAST, _MOST = 6.3, 6.8
"""Mean tricks of the hand that leads first, in random play: 6.5 with trumps as often as here."""


def _checked(tricks: float, units: int) -> None:
    """The work was done: its result is that of random play."""
    if units >= 2000 and not _LEAST < tricks < _MOST:
        raise SystemExit(f"two hands took {tricks:.3f} tricks; random play gives 6.5")


def python_dealing() -> tuple[str, Play]:
    """`random.shuffle`."""
    from benchmarks.peers.plain import python_deals

    rng = random.Random(1)
    return f"Python {platform.python_version()}", lambda units: python_deals(units, rng)


def python_play() -> tuple[str, Play]:
    """Lists of cards."""
    from benchmarks.peers import plain

    rng = random.Random(1)
    return f"Python {platform.python_version()}", lambda units: _checked(plain.python_play(units, rng), units)


def numpy_dealing() -> tuple[str, Play]:
    """`Generator.permuted`."""
    import numpy as np

    from benchmarks.peers.plain import numpy_deals

    rng = np.random.default_rng(1)
    return f"NumPy {np.__version__}", lambda units: numpy_deals(units, rng)


def numpy_play() -> tuple[str, Play]:
    """All deals of a batch at once."""
    import numpy as np

    from benchmarks.peers import plain

    rng = np.random.default_rng(1)
    return f"NumPy {np.__version__}", lambda units: _checked(plain.numpy_play(units, rng), units)


def numba_dealing() -> tuple[str, Play]:
    """`np.random.shuffle` in a loop."""
    import numba

    from benchmarks.peers.plain import numba_deals

    return f"Numba {numba.__version__}", lambda units: numba_deals(units, 1)


def numba_play() -> tuple[str, Play]:
    """Bits of an int64, a loop for every choice."""
    import numba

    from benchmarks.peers import plain

    return f"Numba {numba.__version__}", lambda units: _checked(plain.numba_play(units, 1), units)


# --- OpenSpiel and RLCard ---------------------------------------------------------------------------------------------


def spiel_loop(game: str) -> tuple[str, Play]:
    """Random play in a Python loop, from the deal to the end."""
    spiel = installed("pyspiel").load_game(game)
    rng = random.Random(1)

    def play(units: int) -> None:
        for _ in range(units):
            state = spiel.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    actions, chances = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(rng.choices(actions, chances)[0])
                else:
                    state.apply_action(rng.choice(state.legal_actions()))

    return f"OpenSpiel {version_of('open_spiel')}", play


def spiel_rollouts(game: str) -> tuple[str, Play]:
    """Random play in OpenSpiel's C++ from one deal on: roll-outs of its Monte-Carlo search, of which a mean comes back."""
    pyspiel = installed("pyspiel")
    spiel = pyspiel.load_game(game)
    rng = random.Random(1)

    def play(units: int) -> None:
        state = spiel.new_initial_state()
        while state.is_chance_node():
            actions, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(actions, chances)[0])
        evaluator = pyspiel.RandomRolloutEvaluator(units, rng.randrange(1 << 30))
        search = pyspiel.MCTSBot(spiel, evaluator, 2.0, 1, 100, False, rng.randrange(1 << 30), False)
        search.mcts_search(state)

    return f"OpenSpiel {version_of('open_spiel')}", play


def rlcard_bridge() -> tuple[str, Play]:
    """Its bridge environment with its random agents."""
    rlcard = installed("rlcard")
    from rlcard.agents import RandomAgent

    world = rlcard.make("bridge", config={"seed": 1})
    world.set_agents([RandomAgent(num_actions=world.num_actions) for _ in range(world.num_players)])

    def play(units: int) -> None:
        for _ in range(units):
            world.run(is_training=False)

    return f"RLCard {version_of('rlcard')}", play


# --- dealer and endplay -----------------------------------------------------------------------------------------------


def debian_dealer() -> tuple[str, Play]:
    """Debian's `dealer`: deals without a condition, of which one average is taken."""
    program = shutil.which("dealer", path=f"{Path(shutil.which('env') or '/usr/bin/env').parent}:{_PATHS}")
    if program is None:
        raise MissingError("dealer is not installed: apt-get install dealer")
    script = Path(tempfile.mkdtemp()) / "all.dealer"
    script.write_text('condition 1\naction average "points" hcp(north)\n')
    asked = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "dealer"], capture_output=True, text=True, check=False)

    def play(units: int) -> None:
        count = str(units)
        subprocess.run([program, "-s", "1", "-g", count, "-p", count, str(script)], check=True, capture_output=True)

    return f"dealer {asked.stdout or 'of unknown version'}", play


def endplay_dealing() -> tuple[str, Play]:
    """`endplay.dealer.generate_deals` without a condition."""
    installed("endplay")
    from endplay.dealer import generate_deals

    return f"endplay {version_of('endplay')}", lambda units: sum(1 for _ in generate_deals(produce=units, show_progress=False))


def endplay_solving() -> tuple[str, Play]:
    """DDS: four hands, twenty values a deal (five strains, each hand as declarer)."""
    installed("endplay")
    from endplay.dds import calc_all_tables
    from endplay.dealer import generate_deal

    def play(units: int) -> None:
        deals = [generate_deal() for _ in range(-(-units // 20))]
        for begin in range(0, len(deals), _DDS_DEALS):
            calc_all_tables(deals[begin : begin + _DDS_DEALS])

    return f"DDS in endplay {version_of('endplay')}", play
