"""The works that are compared, as data: what is equal about them, and what is not."""

from __future__ import annotations

from functools import partial

from benchmarks.peers import others, ours
from benchmarks.peers.contest import Entry, Work

_BRIDGE = "bridge(use_double_dummy_result=false)"
"""As it is played; by default the cards of OpenSpiel's bridge are not played, but solved by DDS."""
_OH_HELL = "oh_hell(players=4,num_tricks_fixed=10)"

WORKS = (
    Work(
        "Dealing",
        "deals",
        "four hands of 13 cards from 52, nothing else",
        (
            Entry("this project", "", ours.dealing, 20_000),
            Entry("C limit", "`dealing.c`; six draws share a random word", others.c_dealing, 200_000),
            Entry("dealer", "Debian's program, with the average of one hand's points", others.debian_dealer, 20_000),
            Entry("Numba, straightforward", "an array shuffled in a loop", others.numba_dealing, 5_000),
            Entry("NumPy", "`Generator.permuted`, 20,000 packs at a time", others.numpy_dealing, 2_000),
            Entry("plain Python", "`random.shuffle`", others.python_dealing, 500),
            Entry("endplay", "`generate_deals` without a condition", others.endplay_dealing, 20),
        ),
    ),
    Work(
        "Two hands, random play",
        "deals",
        "13 + 13 of 52 cards, 13 tricks of random legal cards, the winner leads",
        (
            Entry(
                "this project", "and one call each, points, a row of all columns", partial(ours.playing, ours.TWO_HANDS), 5_000
            ),
            Entry(
                "this project, Bridgette",
                "and exchange, auction, colons, points, a row",
                partial(ours.playing, "bridgette"),
                5_000,
            ),
            Entry("C limit", "`calibrator.c`: the sum of tricks alone", others.c_play, 2_000_000),
            Entry("Numba, straightforward", "bits of an int64, loops; the sum of tricks", others.numba_play, 2_000),
            Entry("NumPy", "20,000 deals at once; the sum of tricks", others.numpy_play, 2_000),
            Entry("plain Python", "lists; the sum of tricks", others.python_play, 200),
        ),
    ),
    Work(
        "Oh Hell, random play",
        "deals",
        "the same game: four players, ten cards each, a turned trump, calls, ten tricks, points",
        (
            Entry(
                "this project", "`oh_hell_openspiel`, a row of all columns", partial(ours.playing, "oh_hell_openspiel"), 2_000
            ),
            Entry(
                "OpenSpiel, C++ roll-outs",
                "without the deal; a mean alone comes back",
                partial(others.spiel_rollouts, _OH_HELL),
                200,
            ),
            Entry("OpenSpiel, Python loop", "", partial(others.spiel_loop, _OH_HELL), 20),
        ),
    ),
    Work(
        "Four hands of 13, random play",
        "deals",
        "52 cards played in 13 tricks after random calls; the auctions differ",
        (
            Entry(
                "this project",
                "`call_bridge`: one call each, a row of all columns",
                partial(ours.playing, "call_bridge"),
                2_000,
            ),
            Entry(
                "OpenSpiel spades, C++ roll-outs",
                "without the deal; a mean alone",
                partial(others.spiel_rollouts, "spades"),
                200,
            ),
            Entry(
                "OpenSpiel bridge, C++ roll-outs",
                "without the deal; a mean alone",
                partial(others.spiel_rollouts, _BRIDGE),
                200,
            ),
            Entry("OpenSpiel spades, Python loop", "", partial(others.spiel_loop, "spades"), 20),
            Entry("OpenSpiel bridge, Python loop", "", partial(others.spiel_loop, _BRIDGE), 20),
            Entry("RLCard bridge", "with its random agents", others.rlcard_bridge, 2),
        ),
    ),
    Work(
        "Perfect play",
        "values",
        "tricks of one strain and one leader, both sides seeing all cards. Not the same problem: two hands here, four in DDS",
        (
            Entry("this project, two hands", "ten values a deal, no colons", ours.solving, 500),
            Entry("DDS, four hands", "twenty values a deal, many deals a call", others.endplay_solving, 80),
        ),
    ),
)
