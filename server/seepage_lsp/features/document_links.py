"""Links in the text: addresses in comments, and codes of findings where the client has told where their page is."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lsprotocol import types

from seepage.rules import RULES
from seepage.source import Span
from seepage.syntax.comments import blank_comments
from seepage_lsp.client import Client
from seepage_lsp.workspace import Snapshot

_ADDRESS = re.compile(r"https?://[^\s<>\"'`]+")
_CODE = re.compile(r"\bSEEP\d{3}\b")


def document_links(snapshot: Snapshot, client: Client) -> list[types.DocumentLink]:
    """Return the links of a document in the order of the text; code is no place for any."""
    if snapshot.checked is None:
        return []
    found = sorted(_links(snapshot.lines.text, client.documentation))
    return [
        types.DocumentLink(
            range=snapshot.lines.range(span), target=target, tooltip=tooltip if client.link_tooltips else None
        )
        for span, target, tooltip in found
    ]


def _links(text: str, documentation: str) -> Iterator[tuple[Span, str, str | None]]:
    for comment in blank_comments(text).comments:
        for match in _ADDRESS.finditer(text, comment.start, comment.end):
            address = _without_end(match[0])
            yield Span(match.start(), match.start() + len(address)), address, None
        for match in _CODE.finditer(text, comment.start, comment.end) if documentation else ():
            if match[0] in RULES:
                yield Span(*match.span()), f"{documentation}#{match[0]}", RULES[match[0]].summary


def _without_end(address: str) -> str:
    """Return an address without what ends a sentence or the comment, or closes a bracket that was opened before it."""
    while address[-1] in ".,;:!?*" or (address[-1] == ")" and address.count(")") > address.count("(")):
        address = address[:-1]
    return address
