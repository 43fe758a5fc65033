"""The real server with the real analysis, by a client that others made: open, read, break, mend, save."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

URI = "file:///poll.seep"
TEXT = """\
param p in [0, 1] = 1/2
param eps in [0, 10] = 0
secret r
output o
r ~ bernoulli(p)
t ~ bernoulli(exp(eps) / (exp(eps) + 1))
if t { o := r } else { o := !r }
show I(r; o)
require I(r; o) <= 1/10 bits
"""


@pytest_lsp.fixture(config=ClientServerConfig(server_command=[sys.executable, "-P", "-m", "seepage_lsp", "--stdio"]))  # type: ignore[untyped-decorator]  # pytest-lsp has no types for it
async def client(lsp_client: LanguageClient) -> AsyncIterator[None]:
    # Neovim says that it can be told of new hints, which this client does not do by itself.
    lsp_client.feature(types.WORKSPACE_INLAY_HINT_REFRESH)(_told)
    params = types.InitializeParams(capabilities=client_capabilities("neovim"))
    await lsp_client.initialize_session(params)
    yield
    await lsp_client.shutdown_session()


def _told(params: None) -> None:
    """Take the word that hints changed."""


def open_text(client: LanguageClient, text: str) -> None:
    item = types.TextDocumentItem(uri=URI, language_id="seep", version=1, text=text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))


def change(client: LanguageClient, version: int, text: str) -> None:
    identifier = types.VersionedTextDocumentIdentifier(uri=URI, version=version)
    whole = types.TextDocumentContentChangeWholeDocument(text=text)
    client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [whole]))


async def lenses(client: LanguageClient) -> list[str]:
    params = types.CodeLensParams(types.TextDocumentIdentifier(URI))
    found = await client.text_document_code_lens_async(params)
    shown = [lens if lens.command else await client.code_lens_resolve_async(lens) for lens in found or []]
    return [lens.command.title for lens in shown if lens.command is not None]


async def hover(client: LanguageClient, line: int, character: int) -> str:
    params = types.HoverParams(types.TextDocumentIdentifier(URI), types.Position(line=line, character=character))
    found = await client.text_document_hover_async(params)
    assert found is not None
    assert isinstance(found.contents, types.MarkupContent)
    return found.contents.value


@pytest.mark.asyncio
async def test_open_read_break_mend_save(client: LanguageClient) -> None:
    open_text(client, TEXT)
    await client.wait_for_notification("window/logMessage")
    assert await lenses(client) == [
        "0 bits leak · exact",
        "H = 1 bit · exact",
        "0 bits · exact",
        "holds · 0 bits · exact",
    ]
    shown = await hover(client, 6, 7)
    assert "`H(o)` = 1 bit · exact" in shown

    change(client, 2, TEXT.replace("{ o := r }", "{ o = r }"))
    await client.wait_for_notification("textDocument/publishDiagnostics")
    broken = client.diagnostics[URI]
    assert [one.range.start.line for one in broken] == [6]
    assert all(title.endswith("stale") for title in await lenses(client))

    change(client, 3, TEXT.replace("= 0\n", "= 10\n"))
    params = types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(URI))
    client.text_document_did_save(params)
    await client.wait_for_notification("window/logMessage")
    titles = await lenses(client)
    # 1 - H(exp(10)/(exp(10) + 1)) = 0.99928 bits
    assert titles[0] == "0.999 bits leak · exact"
    assert titles[3] == "violated · 0.999 bits · exact"
    assert any(one.code == "SEEP510" and one.range.start.line == 8 for one in client.diagnostics[URI])
