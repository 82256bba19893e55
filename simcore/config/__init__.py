"""Variants, bots and runs as YAML: strict reading with line numbers, one schema with every default, messages that help."""

from __future__ import annotations

from simcore.config.bot_models import Bot, PointsBidding, policy_params
from simcore.config.dump import to_yaml
from simcore.config.faults import ConfigError, Problem
from simcore.config.fields import tenths
from simcore.config.load import Loaded, check_file, load, load_any, load_bot, load_run, load_tuning, load_variant
from simcore.config.run_model import Run
from simcore.config.schema import json_schema
from simcore.config.shipped_files import shipped
from simcore.config.sizes import cards_of, final_cards, pack_size, turns_card
from simcore.config.solved import keeps_by_model, knows_other_hand, models_of, needs_model, unsampled, unsolved
from simcore.config.tuning_model import Tuning
from simcore.config.variant import Variant

__all__ = [
    "Bot",
    "ConfigError",
    "Loaded",
    "PointsBidding",
    "Problem",
    "Run",
    "Tuning",
    "Variant",
    "cards_of",
    "check_file",
    "final_cards",
    "json_schema",
    "keeps_by_model",
    "knows_other_hand",
    "load",
    "load_any",
    "load_bot",
    "load_run",
    "load_tuning",
    "load_variant",
    "models_of",
    "needs_model",
    "pack_size",
    "policy_params",
    "shipped",
    "tenths",
    "to_yaml",
    "turns_card",
    "unsampled",
    "unsolved",
]
