"""Whole columns of hands: from the kernels' masks to those of the border, and to the text people read."""

from __future__ import annotations

import numpy as np

from simcore._jit import kernel
from simcore.bits import U1, I, U
from simcore.cards import to_border
from simcore.codes import N_CARDS, N_COLONS, N_RANKS, N_SUITS
from simcore.notation import COLONS, RANKS

_RANK_BYTES = np.frombuffer(RANKS.encode(), np.uint8).copy()
_COLON_BYTES = np.frombuffer("".join(name[0] for name in COLONS).encode(), np.uint8).copy()
_DOT, _SLASH = ord("."), ord("/")


@kernel
def _to_border(masks, out):
    """Border masks of the kernels' masks.

    masks : uint64[:]
    out : uint64[:]      output
    """
    for i in range(masks.shape[0]):
        out[i] = to_border(masks[i])


@kernel
def _write_texts(masks, text, ends):
    """Texts in the order S.H.D.C, colons after a slash, one behind the other.

    masks : uint64[:]    border masks
    text : uint8[:]      output, long enough
    ends : int32[:]      output: ends[0] = 0, then where each text ends
    """
    place = 0
    ends[0] = 0
    for i in range(masks.shape[0]):
        for suit in range(N_SUITS - 1, -1, -1):
            held = masks[i] >> U(N_RANKS * suit)
            for rank in range(N_RANKS - 1, -1, -1):
                if (held >> U(rank)) & U1 != U(0):
                    text[place] = _RANK_BYTES[rank]
                    place += 1
            if suit > 0:
                text[place] = _DOT
                place += 1
        colons = I(masks[i] >> U(N_CARDS))
        if colons != 0:
            text[place] = _SLASH
            place += 1
            for c in range(N_COLONS):
                if (colons >> c) & 1:
                    text[place] = _COLON_BYTES[c]
                    place += 1
        ends[i + 1] = place


def border_masks(masks: np.ndarray) -> np.ndarray:
    """Masks of the border (bit 13 suit + rank, colons 52..54) of the kernels' masks."""
    out = np.empty(len(masks), np.uint64)
    _to_border(np.ascontiguousarray(masks), out)
    return out


def hand_texts(masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Texts of border masks.

    Parameters
    ----------
    masks : ndarray of uint64
        Any sets of cards.

    Returns
    -------
    tuple of ndarray
        Bytes of all texts one behind the other, and where each begins and the last one ends (int32).
    """
    masks = np.ascontiguousarray(masks)
    cards = int(np.bitwise_count(masks).sum())
    text = np.empty(cards + N_SUITS * len(masks), np.uint8)
    ends = np.empty(len(masks) + 1, np.int32)
    _write_texts(masks, text, ends)
    return text[: ends[-1]], ends
