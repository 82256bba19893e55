"""What all tests share: in a session without the JIT, unsigned words may wrap around as they do in compiled code."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from simcore._jit import JIT_DISABLED


@pytest.fixture(autouse=JIT_DISABLED)
def _wrapping_words() -> Iterator[None]:
    with np.errstate(over="ignore"):
        yield


_FAMILIES = ("call_", "oh_hell", "draw_bridge", "draw_and_discard", "pit", "Bridgette", "choices", "draws")
_GAMES_IN_FILES = ("test_bots_games", "test_corruptions", "test_games", "test_parity_games", "test_replay_all")


@pytest.hookimpl(tryfirst=True)  # before the marks are read
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that need the same kernels run in one process, so that two do not compile them at the same time."""
    for item in items:
        name = getattr(getattr(item, "callspec", None), "id", "")
        family = next((family for family in _FAMILIES if name.startswith(family) or f"-{family}" in name), None)
        if family is not None and item.path.stem in _GAMES_IN_FILES:
            item.add_marker(pytest.mark.xdist_group("calls" if family in ("call_", "oh_hell") else family))
        elif item.path.stem in ("test_parity_pit", "test_pit_referee", "test_pit", "test_pit_views"):
            item.add_marker(pytest.mark.xdist_group("pit"))
