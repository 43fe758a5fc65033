"""The shape of a benchmark."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

Job: TypeAlias = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Task:
    """A job and the baseline it is compared with; both are prepared by a call and then timed. ``against`` says what the baseline does."""

    job: Callable[[], Job]
    baseline: Callable[[], Job]
    against: str
