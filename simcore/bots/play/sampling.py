"""Play policy `sampling`: draws hands that the opponent may hold, solves, and plays what is best on average.

What it knows of the hidden hand are hard facts only: the cards it has seen or thrown, the voids shown, and what a rule would
have made the opponent play (`PlayView.opponent_lacks`). Every hand that agrees with them is equally likely, or good ones are
more likely where cards were exchanged (`discards`). With one legal card, or with more cards in the hand than `solve_from`, it
plays as `careful` does, whose card it also prefers among equals. The work is done behind an address
(`simcore.sampling.sampled_play`); the draws are those of its own key (docs/random-streams.md, section 5).
"""

from __future__ import annotations

from simcore._jit import kernel
from simcore.bits import U0, U1, I, U, call, popcount
from simcore.bots.play import careful
from simcore.codes import N_RANKS, SAMPLE_DRAWS, SampleAim, SampleWord, SamplingParam

HAND, POOL, LEGAL, LED, STRAIN, DECLARES, TAKEN = (int(word) for word in list(SampleWord)[4:11])
AIM, N_SAMPLES, N_DISCARDS, KEY, DRAW, BASE = (int(word) for word in list(SampleWord)[11:17])
PAYOFF = int(SampleWord.PAYOFF)
SAMPLES, AIM_PARAM, SOLVE_FROM = (int(param) for param in list(SamplingParam)[:3])
DISCARDS = int(SamplingParam.DISCARDS)
FOR_TRICKS = int(SampleAim.TRICKS)
_HALF, _LOW_HALF = U(32), U(0xFFFFFFFF)
_lead, _follow = careful.lead, careful.follow


@kernel
def choose_card(view, params, seat, sampling):
    """A card.

    view : PlayView; params : int64[:, :] rows of `SamplingParam`; seat : uint64
    sampling : Sampling  modified
    -> uint64
    """
    base = _lead(view) if view.led == U0 else _follow(view)
    if (view.n_legal == U1) | (I(popcount(view.hand)) > params[seat, SOLVE_FROM]):
        return base
    words = sampling.words
    words[seat, HAND] = view.hand
    words[seat, POOL] = view.unseen & ~view.opponent_lacks
    words[seat, LEGAL] = view.legal
    words[seat, LED] = view.led
    words[seat, STRAIN] = U(view.strain)
    words[seat, DECLARES] = U(view.is_declarer)
    words[seat, TAKEN] = U(view.own_tricks if view.is_declarer else view.trick - view.own_tricks)
    words[seat, AIM] = U(FOR_TRICKS if view.level < 0 else params[seat, AIM_PARAM])
    words[seat, N_SAMPLES] = U(params[seat, SAMPLES])
    words[seat, N_DISCARDS] = U(params[seat, DISCARDS])
    words[seat, KEY] = view.key
    words[seat, DRAW] = U(SAMPLE_DRAWS * view.trick)
    words[seat, BASE] = base
    if view.level >= 0:
        level, strain, doubling = U(view.level), U(view.strain), U(view.doubling)
        for pair in range((N_RANKS + 1) // 2):
            low = U(sampling.tenths[level, strain, doubling, 2 * pair]) & _LOW_HALF
            high = U(sampling.tenths[level, strain, doubling, 2 * pair + 1]) & _LOW_HALF
            words[seat, PAYOFF + pair] = low | (high << _HALF)
    return call(sampling.card, words, U(seat), I(PAYOFF))
