"""The call around the cursor (‸) and its arguments."""

from __future__ import annotations

import pytest
from lsprotocol.types import MarkupContent, SignatureHelp
from tests.server.features.marked import unmarked
from tests.server.snapshots import PLAIN, snapshot

from seepage_lsp.client import Client
from seepage_lsp.features.signature_help import signature_help
from seepage_lsp.positions import Encoding


def helped(marked: str, client: Client = PLAIN) -> SignatureHelp:
    text, position = unmarked(marked)
    found = signature_help(snapshot(text), position, client)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("marked", "active"),
    [
        ("x ~ normal(‸", "mean"),
        ("x ~ normal(1, ‸", "variance"),
        ("x ~ normal(variance=‸", "variance"),
        ("x ~ normal(mean=1, std=‸", "variance"),
        ("x ~ normal(1, 2, ‸", None),
        ("x ~ normal(1, min(2, ‸", "b"),
        ("show I(x, y; ‸", "y"),
        ("show I(x; y | ‸", "z"),
        ("show DP(x -> y, delta=‸", "delta=d"),
        ("x ~ uniform_of(1, 2, 3, 4, ‸", "…"),
    ],
)
def test_the_argument_at_the_cursor_is_marked(marked: str, active: str | None) -> None:
    found = helped(marked)

    parameters = found.signatures[0].parameters or ()
    index = found.active_parameter
    assert index is not None
    assert (parameters[index].label if index < len(parameters) else None) == active


def test_arguments_say_what_they_are() -> None:
    _, variance = helped("x ~ normal(1, ‸").signatures[0].parameters or (None, None)

    assert variance is not None

    assert "the variance" in str(variance.documentation)
    assert "`" not in str(variance.documentation)


@pytest.mark.parametrize("encoding", list(Encoding))
def test_labels_are_ranges_where_the_client_takes_them(encoding: Encoding) -> None:
    client = Client(signature_markdown=True, label_offsets=True, encoding=encoding)
    signature = helped("x ~ uniform_of(‸", client).signatures[0]
    encoded = signature.label.encode({"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}[encoding.value])
    size = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding.value]
    codec = {1: "utf-8", 2: "utf-16-le", 4: "utf-32-le"}[size]

    parts = [
        encoded[one.label[0] * size : one.label[1] * size].decode(codec)
        for one in signature.parameters or ()
        if not isinstance(one.label, str)
    ]

    assert parts == ["v1", "v2", "…"]
    assert isinstance(signature.documentation, MarkupContent)


def test_comments_of_procedures_are_shown_as_they_are_written() -> None:
    text = "/// <img src=x> ![x](https://example.org/beacon.png)\ndef q(a) {\n  return a\n}\nz := q(‸"

    shown = helped(text, Client(signature_markdown=True)).signatures[0].documentation

    assert isinstance(shown, MarkupContent)
    assert "\\<img src\\=x\\> \\!\\[x\\]" in shown.value
    assert "*documentation in the program*" in shown.value
