"""The library's own ``dataclass``, which is Python's with methods that are written late, shown as Python's: with its arguments."""

from __future__ import annotations

import griffe


class DataClasses(griffe.Extension):
    """Reads the import of one as that of the other."""

    def on_alias_instance(self, *, alias: griffe.Alias, **_: object) -> None:
        """Follow an import to the decorator that it is for whoever reads a text."""
        if alias.target_path == "seepage.data_classes.dataclass":
            alias.target_path = "dataclasses.dataclass"
