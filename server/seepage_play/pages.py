"""The files of the page, as they are bundled from ``vscode-extension/play`` into the folder ``page`` beside this module."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from pathlib import Path

from seepage.data_classes import dataclass

FOLDER = Path(__file__).parent / "page"
_PAGE = "index.html"
_TYPES = {
    _PAGE: "text/html; charset=utf-8",
    "play.js": "text/javascript; charset=utf-8",
    "play.css": "text/css; charset=utf-8",
    "icon.png": "image/png",
}
_NONCE = re.compile(rb"\{nonce\}")
# Everything comes from here, and nothing goes elsewhere. Style sheets that the editor makes carry the nonce; pictures are drawn in the page.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
MISSING = """The page of 'seepage play' is not built. An installed package carries it; in a checkout, run

    make page

which needs Node and npm, and start 'seepage play' again."""


@dataclass(frozen=True, slots=True)
class Page:
    """A file of the page as it is answered."""

    body: bytes
    headers: Mapping[str, str]


def is_built() -> bool:
    """Tell whether the files are there."""
    return all((FOLDER / name).is_file() for name in _TYPES)


def page(name: str) -> Page | None:
    """Return the file of a name, empty for the page itself; None for any other name than these few."""
    name = name or _PAGE
    if name not in _TYPES:
        return None
    body = (FOLDER / name).read_bytes()
    headers = {**_HEADERS, "Content-Type": _TYPES[name]}
    if name == _PAGE:
        nonce = secrets.token_urlsafe(16)
        body = _NONCE.sub(nonce.encode(), body)
        headers["Content-Security-Policy"] = _POLICY.replace("{nonce}", nonce)
    return Page(body, headers)
