"""Paths of documents."""

from __future__ import annotations

import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

# No disk takes longer paths.
_LONGEST_PATH = 1 << 15


def path_of(uri: str) -> Path | None:
    """Return the path that a ``file:`` URI names on this machine, without ``..``; None for other schemes and malformed ones."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    text = unquote(parts.path, errors="surrogateescape")
    if parts.scheme != "file" or parts.netloc not in ("", "localhost") or not text.startswith("/"):
        return None
    if "\0" in text or len(text) > _LONGEST_PATH:
        return None
    if sys.platform == "win32":
        text = text.lstrip("/")
    path = Path(text)
    return None if ".." in path.parts else path


def in_repository(path: Path) -> bool:
    """Tell whether a file lies below a folder that git may know, without asking git: a few looks at names on disk."""
    return any((folder / ".git").exists() for folder in path.parents)
