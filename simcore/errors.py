"""The errors of the project: what a user did wrong, and what a check found wrong.

``str(error)`` is the whole message, one to three lines: where, which value, what is allowed.
"""

from __future__ import annotations


class SimcoreError(Exception):
    """Base of all errors that are explained to the user instead of shown as a traceback."""


class InputError(SimcoreError):
    """Wrong usage or wrong input (exit code 2)."""
