"""The schema of a bot's exchange: one model per policy, with its parameters and their defaults; and what all policies share.

The order of a model's fields is the order of the numbers that the kernels receive (`simcore.config.bot_models`).
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from simcore.config.fields import Settings, Whole

WHOLE = 100
Percent = Annotated[int, Whole(0, WHOLE)]
ModelName = Annotated[
    str,
    Field(
        max_length=4096,
        description="Model of tricks: a shipped name, a file of `simcore fit`, or auto: the shipped one made for the rules.",
    ),
]
ModelDigest = Annotated[
    str | None, Field(pattern="[0-9a-f]{16}", description="Digest of the model; null: not looked at. Runs fill it in.")
]


class Policy(Settings):
    """Base of all policies.

    Attributes
    ----------
    not_numbers
        Fields that kernels do not take as parameters.
    reads_table
        Whether decisions depend on the scoring table; re-scoring must know.
    reads_match_score
        Whether decisions depend on the running score of the match.
    sees_all
        Whether decisions depend on the other hand.
    """

    not_numbers: ClassVar[tuple[str, ...]] = ("policy",)
    reads_table: ClassVar[bool] = False
    reads_match_score: ClassVar[bool] = False
    sees_all: ClassVar[bool] = False

    def needs_table(self) -> bool:
        """`reads_table`, where a parameter has a say in it."""
        return self.reads_table


class RandomExchange(Policy):
    """Throws cards at random."""

    policy: Literal["random"] = Field(default="random", description="Throws cards at random.")


class KeepBestExchange(Policy):
    """Keeps what its bidding values."""

    policy: Literal["keep_best"] = Field(default="keep_best", description="Keeps the cards that its bidding values most.")
    keep_colons: bool = Field(default=True, description="Whether colons are kept before all other cards.")


class KeepHighExchange(Policy):
    """Keeps the highest cards, whatever their suits."""

    policy: Literal["keep_high"] = Field(default="keep_high", description="Keeps high cards, whatever their suits.")


class ExpectedExchange(Policy):
    """Keeps the hand with the best expected score, by a fitted model of tricks."""

    not_numbers: ClassVar[tuple[str, ...]] = ("policy", "model", "digest")
    reads_table: ClassVar[bool] = True

    policy: Literal["expected"] = Field(default="expected", description="Keeps the hand with the best expected score.")
    keep_colons: bool = Field(
        default=False, description="Whether colons are kept before all other cards; else as the model says."
    )
    against: Percent = Field(
        default=0, description="How much the opponent's best contract counts against the own best one, in percent."
    )
    model: Annotated[
        str,
        Field(
            max_length=4096,
            description="As bidding.model; auto: the model that the bidding names, else the shipped one made for the rules."
            " Where cards are kept or thrown one by one: a name or file of fit --choosing;"
            " auto: the shipped one, where it fits rules and points.",
        ),
    ] = "auto"
    digest: ModelDigest = None
