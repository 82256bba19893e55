"""``python -m simcore``: the same as the command ``simcore``."""

from __future__ import annotations

from simcore.cli import main

main()
