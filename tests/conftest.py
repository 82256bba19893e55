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
