"""Roles of reStructuredText in docstrings (``:meth:`measure```) as links between the pages of objects."""

from __future__ import annotations

import re

import griffe

_ROLE = re.compile(r":(?:meth|func|class|mod|data|attr):`~?([\w.]+)`")


class Roles(griffe.Extension):
    """Rewrites the roles of each docstring as it is read; what has no page stays code."""

    def on_instance(self, *, obj: griffe.Object, **_: object) -> None:
        """Rewrite one docstring; a name without dots is one of the same class, or of the same module."""
        if obj.docstring is None:
            return
        home = obj if obj.is_class else obj.parent

        def link(found: re.Match[str]) -> str:
            name = found[1]
            path = name if "." in name or home is None else f"{home.path}.{name}"
            return f'<autoref identifier="{path}" optional><code>{name}</code></autoref>'

        obj.docstring.value = _ROLE.sub(link, obj.docstring.value)
