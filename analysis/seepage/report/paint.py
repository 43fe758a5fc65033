"""Colours of a terminal; text that is painted may hold no character that commands one, so it goes through ``printable`` before."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, TypeAlias

from seepage.data_classes import dataclass

Style: TypeAlias = Literal["bold", "dim", "red", "green", "yellow", "blue", "cyan"]

_CODES: Mapping[Style, str] = MappingProxyType(
    {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "blue": "34", "cyan": "36"}
)


@dataclass(frozen=True, slots=True)
class Paint:
    """Whether there are colours."""

    on: bool

    def __call__(self, text: str, *styles: Style) -> str:
        """Return a text in styles, or as it is where there are none."""
        if not self.on or not text or not styles:
            return text
        return f"\x1b[{';'.join(_CODES[style] for style in styles)}m{text}\x1b[0m"


PLAIN = Paint(on=False)
