"""The settings of section ``seepage``: read leniently, since a client may send anything or nothing."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Run: TypeAlias = Literal["onSave", "onType", "manual"]

SECTION = "seepage"
LONGEST_TIME_LIMIT = 86_400.0


@dataclass(frozen=True, slots=True)
class Settings:
    """What a user can set; a value of the wrong type leaves the default.

    Attributes:
        unit: of displayed entropies.
        run: when the analysis starts; the checks that need no run happen on every change anyway.
        time_limit: seconds that one analysis may take.
        parameters: values of ``param`` names, as source text (``{"eps": "1/2"}``).
        code_lens: whether bounds stand above secrets, outputs, shows and requires.
    """

    unit: Literal["bits", "nats"] = "bits"
    run: Run = "onSave"
    time_limit: float = 30.0
    parameters: Mapping[str, str] = field(default_factory=dict)
    code_lens: bool = True


def read_settings(sent: object) -> Settings:
    """Return the settings that a client sent, either the section itself or an object that holds it."""
    if isinstance(sent, Mapping) and isinstance(sent.get(SECTION), Mapping):
        sent = sent[SECTION]
    if not isinstance(sent, Mapping):
        return Settings()
    default = Settings()
    unit, run, lens = sent.get("unit"), sent.get("run"), sent.get("codeLens")
    return Settings(
        unit=unit if unit in ("bits", "nats") else default.unit,
        run=run if run in ("onSave", "onType", "manual") else default.run,
        time_limit=_seconds(sent.get("timeLimit"), default.time_limit),
        parameters=_parameters(sent.get("parameters")),
        code_lens=lens if isinstance(lens, bool) else default.code_lens,
    )


def _seconds(sent: object, default: float) -> float:
    if isinstance(sent, bool) or not isinstance(sent, int | float) or not math.isfinite(sent) or sent <= 0:
        return default
    return min(float(sent), LONGEST_TIME_LIMIT)


def _parameters(sent: object) -> dict[str, str]:
    if not isinstance(sent, Mapping):
        return {}
    return {
        name: str(value)
        for name, value in sent.items()
        if isinstance(name, str) and isinstance(value, str | int | float) and not isinstance(value, bool)
    }
