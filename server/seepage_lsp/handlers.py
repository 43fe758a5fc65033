"""The wiring: which message calls which function. A feature gets one snapshot and returns values of the protocol.

Features are imported when they are first asked for, so that ``initialize`` is answered before the library is loaded.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams

from seepage_lsp.client import read_client
from seepage_lsp.commands import ANALYSE
from seepage_lsp.features.kinds import ADD, KINDS, QUICK_FIX
from seepage_lsp.parent import watch_parent
from seepage_lsp.settings import SECTION

if TYPE_CHECKING:
    from seepage_lsp.server import SeepageServer


PYTHON = "python"
"""The language of documents that are read for marked functions."""
WATCHED = ("seepage.toml", "pyproject.toml", "*.seep", "*.csv", "*.parquet", "*.arrow", "*.feather")
"""What is watched on disk: project files, and the files that programs name."""


def register(server: SeepageServer) -> None:
    """Give the server its handlers; those that depend on the client are added by :func:`_initialize`."""
    server.feature(types.INITIALIZE)(_initialize)
    server.feature(types.INITIALIZED)(_initialized)
    server.feature(types.SHUTDOWN)(_shutdown)
    server.feature(types.TEXT_DOCUMENT_DID_OPEN)(_did_open)
    server.feature(types.TEXT_DOCUMENT_DID_CHANGE)(_did_change)
    server.feature(types.TEXT_DOCUMENT_DID_SAVE, types.SaveOptions(include_text=False))(_did_save)
    server.feature(types.TEXT_DOCUMENT_DID_CLOSE)(_did_close)
    server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)(_did_change_configuration)
    server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(_files_changed)
    server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)(_files_changed)
    server.feature(types.WINDOW_WORK_DONE_PROGRESS_CANCEL)(_progress_cancel)
    server.feature(types.TEXT_DOCUMENT_HOVER)(_hover)
    server.feature(types.TEXT_DOCUMENT_CODE_LENS)(_code_lens)
    server.feature(types.CODE_LENS_RESOLVE)(_code_lens_resolve)
    server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=list(KINDS)))(
        _code_action
    )
    server.command(ANALYSE)(_analyse)
    if not server.python_only:
        _register_language(server)


def _register_language(server: SeepageServer) -> None:
    """Give the server what it does for Seep alone: in a Python file other servers do this."""
    server.feature(types.TEXT_DOCUMENT_SIGNATURE_HELP, types.SignatureHelpOptions(trigger_characters=list("(,;|>")))(
        _signature_help
    )
    server.feature(types.TEXT_DOCUMENT_FORMATTING)(_formatting)
    server.feature(types.TEXT_DOCUMENT_RANGE_FORMATTING)(_range_formatting)
    on_type = types.DocumentOnTypeFormattingOptions(first_trigger_character="}", more_trigger_character=["\n"])
    server.feature(types.TEXT_DOCUMENT_ON_TYPE_FORMATTING, on_type)(_on_type_formatting)
    server.feature(types.TEXT_DOCUMENT_DOCUMENT_LINK)(_document_link)
    server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)(_prepare_rename)
    server.feature(types.TEXT_DOCUMENT_RENAME)(_rename)
    server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)(_folding_range)
    server.feature(types.TEXT_DOCUMENT_SELECTION_RANGE)(_selection_range)
    server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(["~"], resolve_provider=True))(_completion)
    server.feature(types.COMPLETION_ITEM_RESOLVE)(_completion_resolve)
    server.feature(types.TEXT_DOCUMENT_DEFINITION)(_definition)
    server.feature(types.TEXT_DOCUMENT_REFERENCES)(_references)
    server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)(_highlight)
    server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)(_document_symbol)
    server.feature(types.WORKSPACE_SYMBOL)(_workspace_symbol)


# --- lifecycle --------------------------------------------------------------------------------------------------------


def _initialize(ls: SeepageServer, params: types.InitializeParams) -> None:
    client = read_client(params)
    ls.client = client
    ls.documents.encoding = client.encoding
    ls.documents.is_trusted = not client.untrusted
    ls.scheduler.settings = ls.read_settings(params.initialization_options)
    ls.limit_processes(ls.scheduler.settings)
    if client.progress:
        ls.scheduler.work_done.create = ls.create_progress
    if client.pull_diagnostics:
        options = types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=True)
        ls.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, options)(_diagnostic)
        ls.feature(types.WORKSPACE_DIAGNOSTIC)(_workspace_diagnostic)
    if client.semantic_tokens and not ls.python_only:
        from seepage_lsp.features.semantic_legend import LEGEND

        ls.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, LEGEND)(_semantic_tokens)
        if client.token_deltas:
            ls.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA, LEGEND)(_semantic_tokens_delta)
        if client.token_ranges:
            ls.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, LEGEND)(_semantic_tokens_range)
    ls.scheduler.plots = client.images
    if client.hints and not ls.python_only:
        ls.feature(types.TEXT_DOCUMENT_INLAY_HINT)(_inlay_hint)
    watch_parent(params.process_id, ls.protocol.finish)


def _initialized(ls: SeepageServer, params: types.InitializedParams) -> None:
    if ls.client.register_configuration:
        method = types.WORKSPACE_DID_CHANGE_CONFIGURATION
        registration = types.Registration(
            id=method, method=method, register_options=types.DidChangeConfigurationRegistrationOptions(section=SECTION)
        )
        ls.client_register_capability(types.RegistrationParams(registrations=[registration]))
    if ls.client.register_watchers:
        method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
        watchers = [types.FileSystemWatcher(glob_pattern=f"**/{name}") for name in WATCHED]
        options = types.DidChangeWatchedFilesRegistrationOptions(watchers=watchers)
        registration = types.Registration(id=method, method=method, register_options=options)
        ls.client_register_capability(types.RegistrationParams(registrations=[registration]))
    if ls.client.python:
        ls.client_register_capability(types.RegistrationParams(registrations=_of_python(ls)))
    if ls.client.configuration:
        ls.spawn(ls.fetch_settings())
    ls.load()
    ls.tell_status()


def _of_python(ls: SeepageServer) -> list[types.Registration]:
    """Return what the server does for Python files: nothing that other servers of the language do, as completion, formats and names."""
    selector = [types.TextDocumentFilterLanguage(language=PYTHON)]
    options: dict[str, object] = {
        types.TEXT_DOCUMENT_DID_OPEN: types.TextDocumentRegistrationOptions(selector),
        types.TEXT_DOCUMENT_DID_CHANGE: types.TextDocumentChangeRegistrationOptions(
            types.TextDocumentSyncKind.Incremental, selector
        ),
        types.TEXT_DOCUMENT_DID_SAVE: types.TextDocumentSaveRegistrationOptions(selector),
        types.TEXT_DOCUMENT_DID_CLOSE: types.TextDocumentRegistrationOptions(selector),
        types.TEXT_DOCUMENT_HOVER: types.HoverRegistrationOptions(selector),
        types.TEXT_DOCUMENT_CODE_LENS: types.CodeLensRegistrationOptions(selector),
        types.TEXT_DOCUMENT_CODE_ACTION: types.CodeActionRegistrationOptions(
            selector, code_action_kinds=[QUICK_FIX, ADD]
        ),
    }
    if ls.client.pull_diagnostics:
        options[types.TEXT_DOCUMENT_DIAGNOSTIC] = types.DiagnosticRegistrationOptions(
            inter_file_dependencies=False, workspace_diagnostics=False, document_selector=selector
        )
    return [types.Registration(f"python {method}", method, each) for method, each in options.items()]


def _shutdown(ls: SeepageServer, params: None) -> None:
    ls.close()


def _did_change_configuration(ls: SeepageServer, params: types.DidChangeConfigurationParams) -> None:
    if ls.client.configuration:
        ls.spawn(ls.fetch_settings())
    else:
        ls.use_settings(ls.read_settings(params.settings))


def _progress_cancel(ls: SeepageServer, params: types.WorkDoneProgressCancelParams) -> None:
    ls.scheduler.work_done.cancel(params.token)


def _files_changed(ls: SeepageServer, params: object) -> None:
    """Read project files again, and what programs name; an open document is what the client sent, whatever is on disk."""
    ls.scheduler.files_changed()
    changes = params.changes if isinstance(params, types.DidChangeWatchedFilesParams) else ()
    if not changes or any(change.uri.endswith(".toml") for change in changes):
        ls.reread_projects()


# --- documents --------------------------------------------------------------------------------------------------------


def _did_open(ls: SeepageServer, params: types.DidOpenTextDocumentParams) -> None:
    if params.text_document.language_id == PYTHON:
        file = ls.python.open(params.text_document)
        if ls.projects.place_of(file.uri) is None:
            ls.python.look(file)
        else:
            ls.spawn(ls.open_python(file))
        return
    if (older := ls.documents.get(params.text_document.uri)) is not None:
        ls.scheduler.stop(older)
    document = ls.documents.open(params.text_document)
    ls.scheduler.files_changed(document)
    if ls.projects.place_of(document.uri) is None:
        ls.scheduler.opened(document)
    else:
        ls.spawn(ls.open(document))


def _did_change(ls: SeepageServer, params: types.DidChangeTextDocumentParams) -> None:
    if ls.python.change(params.text_document, list(params.content_changes)) is not None:
        return
    if (document := ls.documents.change(params.text_document, list(params.content_changes))) is not None:
        ls.scheduler.changed(document)
        ls.scheduler.files_changed(document, analyse=False)


def _did_save(ls: SeepageServer, params: types.DidSaveTextDocumentParams) -> None:
    if (file := ls.python.get(params.text_document.uri)) is not None:
        ls.python.saved(file)
    elif (document := ls.documents.get(params.text_document.uri)) is not None:
        ls.scheduler.saved(document)
        ls.scheduler.files_changed(document)


def _did_close(ls: SeepageServer, params: types.DidCloseTextDocumentParams) -> None:
    from seepage_lsp.panel import tell_closed

    if (file := ls.python.close(params.text_document.uri)) is not None:
        document, has_findings = file.held, bool(file.held.published and file.held.published[1])
    elif (open_ := ls.documents.close(params.text_document.uri)) is not None:
        document, has_findings = open_, True
        ls.scheduler.stop(document)
        ls.scheduler.files_changed()
    else:
        return
    tell_closed(ls, document)
    if has_findings and not ls.client.pull_diagnostics:
        ls.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri=document.uri, diagnostics=[]))


# --- features ---------------------------------------------------------------------------------------------------------


async def _diagnostic(
    ls: SeepageServer, params: types.DocumentDiagnosticParams
) -> types.RelatedFullDocumentDiagnosticReport | types.RelatedUnchangedDocumentDiagnosticReport:
    from seepage_lsp.features.diagnostics import full_report, report

    if (file := await ls.python.present(params.text_document.uri)) is not None:
        from seepage_lsp.features.python_findings import diagnostics

        return full_report(diagnostics(file, ls.scheduler.settings, ls.client), params.previous_result_id)
    snapshot = await ls.present_snapshot(params.text_document.uri)
    return report(snapshot, ls.client, params.previous_result_id)


async def _workspace_diagnostic(
    ls: SeepageServer, params: types.WorkspaceDiagnosticParams
) -> types.WorkspaceDiagnosticReport:
    from seepage_lsp.features.diagnostics import workspace_report

    return workspace_report(await ls.present_snapshots(), ls.client, params.previous_result_ids)


def _hover(ls: SeepageServer, params: types.HoverParams) -> types.Hover | None:
    from seepage_lsp.features.hover import hover

    if (file := ls.python.get(params.text_document.uri)) is not None:
        from seepage_lsp.features import python_hover

        return python_hover.hover(file, params.position, ls.scheduler.settings, ls.client)
    ls.draw_for_hover(params.text_document.uri, params.position)
    ls.look_where(params.text_document.uri, params.position)
    snapshot = ls.snapshot(params.text_document.uri)
    return None if snapshot is None else hover(snapshot, params.position, ls.client)


async def _code_lens(ls: SeepageServer, params: types.CodeLensParams) -> list[types.CodeLens]:
    from seepage_lsp.features.code_lens import code_lenses

    if (file := await ls.python.present(params.text_document.uri)) is not None:
        from seepage_lsp.features import python_lens

        return python_lens.code_lenses(file, ls.scheduler.settings, ls.client)
    snapshot = await ls.present_snapshot(params.text_document.uri)
    return [] if snapshot is None else code_lenses(snapshot, ls.client)


def _code_lens_resolve(ls: SeepageServer, params: types.CodeLens) -> types.CodeLens:
    from seepage_lsp.features.code_lens import resolve

    uri = params.data[0] if isinstance(params.data, list | tuple) and params.data else None
    return resolve(params, ls.snapshot(uri) if isinstance(uri, str) else None, ls.client)


async def _inlay_hint(ls: SeepageServer, params: types.InlayHintParams) -> list[types.InlayHint]:
    from seepage_lsp.features.inlay_hints import inlay_hints

    snapshot = await ls.present_snapshot(params.text_document.uri)
    return [] if snapshot is None else inlay_hints(snapshot, params.range, ls.client)


def _code_action(ls: SeepageServer, params: types.CodeActionParams) -> list[types.CodeAction]:
    from seepage_lsp.features.code_actions import code_actions

    if (file := ls.python.get(params.text_document.uri)) is not None:
        from seepage_lsp.features import python_actions

        by_itself = params.context.trigger_kind == types.CodeActionTriggerKind.Automatic
        only = params.context.only
        return python_actions.code_actions(
            file, params.range, only, ls.scheduler.settings, ls.client, automatic=by_itself
        )
    snapshot = ls.snapshot(params.text_document.uri)
    if snapshot is None:
        return []
    automatic = params.context.trigger_kind == types.CodeActionTriggerKind.Automatic
    return code_actions(snapshot, params.range, params.context.only, ls.client, automatic=automatic)


async def _completion(ls: SeepageServer, params: types.CompletionParams) -> list[types.CompletionItem]:
    from seepage_lsp.features.completion import completion

    snapshot = await ls.present_snapshot(params.text_document.uri)
    return [] if snapshot is None else completion(snapshot, params.position, ls.client)


def _completion_resolve(ls: SeepageServer, params: types.CompletionItem) -> types.CompletionItem:
    from seepage_lsp.features.completion import resolve

    return resolve(params, ls.client)


def _definition(ls: SeepageServer, params: types.DefinitionParams) -> list[types.Location]:
    from seepage_lsp.features.navigation import definition

    snapshot = ls.snapshot(params.text_document.uri)
    return [] if snapshot is None else definition(snapshot, params.position)


async def _references(ls: SeepageServer, params: types.ReferenceParams) -> list[types.Location]:
    from seepage_lsp.features.across import references_elsewhere
    from seepage_lsp.features.navigation import references

    snapshot = await ls.present_snapshot(params.text_document.uri)
    if snapshot is None:
        return []
    here = references(snapshot, params.position, params.context.include_declaration)
    index = await ls.index(snapshot, params.position)
    return here if index is None else [*here, *references_elsewhere(snapshot, index)]


def _highlight(ls: SeepageServer, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
    from seepage_lsp.features.navigation import highlights

    snapshot = ls.snapshot(params.text_document.uri)
    return [] if snapshot is None else highlights(snapshot, params.position)


async def _document_symbol(
    ls: SeepageServer, params: types.DocumentSymbolParams
) -> list[types.DocumentSymbol] | list[types.SymbolInformation]:
    from seepage_lsp.features.symbols import document_symbols

    snapshot = await ls.checked_snapshot(params.text_document.uri)
    return [] if snapshot is None else document_symbols(snapshot, ls.client)


def _workspace_symbol(ls: SeepageServer, params: types.WorkspaceSymbolParams) -> list[types.SymbolInformation]:
    from seepage_lsp.features.workspace_symbols import workspace_symbols

    return workspace_symbols(ls.snapshots(), params.query)


async def _document_link(ls: SeepageServer, params: types.DocumentLinkParams) -> list[types.DocumentLink]:
    from seepage_lsp.features.document_links import document_links

    snapshot = await ls.checked_snapshot(params.text_document.uri)
    return [] if snapshot is None else document_links(snapshot, ls.client)


async def _signature_help(ls: SeepageServer, params: types.SignatureHelpParams) -> types.SignatureHelp | None:
    from seepage_lsp.features.signature_help import signature_help

    snapshot = await ls.present_snapshot(params.text_document.uri)
    return None if snapshot is None else signature_help(snapshot, params.position, ls.client)


async def _formatting(ls: SeepageServer, params: types.DocumentFormattingParams) -> list[types.TextEdit]:
    from seepage_lsp.features.formatting import formatting

    snapshot = ls.snapshot(params.text_document.uri)
    return [] if snapshot is None else await asyncio.to_thread(formatting, snapshot)


async def _range_formatting(ls: SeepageServer, params: types.DocumentRangeFormattingParams) -> list[types.TextEdit]:
    from seepage_lsp.features.formatting import range_formatting

    snapshot = ls.snapshot(params.text_document.uri)
    return [] if snapshot is None else await asyncio.to_thread(range_formatting, snapshot, params.range)


def _on_type_formatting(ls: SeepageServer, params: types.DocumentOnTypeFormattingParams) -> list[types.TextEdit]:
    from seepage_lsp.features.on_type import on_type_formatting

    snapshot = ls.snapshot(params.text_document.uri)
    return [] if snapshot is None else on_type_formatting(snapshot, params.position, params.ch)


async def _prepare_rename(ls: SeepageServer, params: types.PrepareRenameParams) -> types.Range | None:
    from seepage.symbols.rename import CannotRename
    from seepage_lsp.features.rename import prepare_rename

    snapshot = await ls.present_snapshot(params.text_document.uri)
    try:
        return None if snapshot is None else prepare_rename(snapshot, params.position)
    except CannotRename as reason:
        raise JsonRpcException(str(reason), types.LSPErrorCodes.RequestFailed) from None


async def _rename(ls: SeepageServer, params: types.RenameParams) -> types.WorkspaceEdit | None:
    from seepage.symbols.rename import CannotRename
    from seepage_lsp.features.across import rename_everywhere
    from seepage_lsp.features.rename import prepare_rename, rename

    snapshot = await ls.present_snapshot(params.text_document.uri)
    if snapshot is None:
        return None
    try:
        prepare_rename(snapshot, params.position)
        index = await ls.index(snapshot, params.position)
        if index is None:
            return rename(snapshot, params.position, params.new_name, ls.client)
        return rename_everywhere(index, params.new_name, ls.client)
    except CannotRename as reason:
        raise JsonRpcException(str(reason), types.LSPErrorCodes.RequestFailed) from None


async def _folding_range(ls: SeepageServer, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
    from seepage_lsp.features.folding import folding_ranges

    snapshot = await ls.checked_snapshot(params.text_document.uri)
    return [] if snapshot is None else folding_ranges(snapshot, ls.client)


def _selection_range(ls: SeepageServer, params: types.SelectionRangeParams) -> list[types.SelectionRange]:
    from seepage_lsp.features.navigation import selection_ranges

    snapshot = ls.snapshot(params.text_document.uri)
    return [] if snapshot is None else selection_ranges(snapshot, list(params.positions))


async def _semantic_tokens(ls: SeepageServer, params: types.SemanticTokensParams) -> types.SemanticTokens:
    return (await _colours(ls, params.text_document.uri))[1]


async def _semantic_tokens_delta(
    ls: SeepageServer, params: types.SemanticTokensDeltaParams
) -> types.SemanticTokens | types.SemanticTokensDelta:
    from seepage_lsp.features.semantic_tokens import changes

    before, tokens = await _colours(ls, params.text_document.uri)
    if before is None or before[0] != params.previous_result_id:
        return tokens
    return types.SemanticTokensDelta(edits=changes(before[1], list(tokens.data)), result_id=tokens.result_id)


async def _semantic_tokens_range(ls: SeepageServer, params: types.SemanticTokensRangeParams) -> types.SemanticTokens:
    from seepage_lsp.features.semantic_tokens import semantic_tokens

    snapshot = await ls.checked_snapshot(params.text_document.uri)
    if snapshot is None:
        return types.SemanticTokens(data=[])
    return await asyncio.to_thread(semantic_tokens, snapshot, params.range)


async def _colours(ls: SeepageServer, uri: str) -> tuple[tuple[str, list[int]] | None, types.SemanticTokens]:
    """Return the colours that a client got last of a document, with their name, and those of now, which it gets next."""
    from seepage_lsp.features.semantic_tokens import semantic_tokens

    document, snapshot = ls.documents.get(uri), await ls.checked_snapshot(uri)
    if document is None or snapshot is None:
        return None, types.SemanticTokens(data=[])
    tokens = await asyncio.to_thread(semantic_tokens, snapshot)
    before, document.colours = document.colours, (tokens.result_id or "", list(tokens.data))
    return before, tokens


async def _analyse(ls: SeepageServer, params: types.ExecuteCommandParams) -> None:
    """Analyse the document with the given URI and answer when that has ended; cancelling the request kills the analysis."""
    arguments = params.arguments or []
    if len(arguments) != 1 or not isinstance(arguments[0], str):
        raise JsonRpcInvalidParams(f"{params.command} takes the URI of a document")
    file = ls.python.get(arguments[0])
    document = ls.documents.get(arguments[0])
    if file is not None and document is None:
        for marked in file.functions.values():
            ls.scheduler.analyse(marked.document, anew=True)
        return
    if document is None:
        raise JsonRpcInvalidParams(f"{arguments[0]} is not open")
    task = ls.scheduler.analyse(document, params.work_done_token, anew=True)
    if task is None:
        return
    try:
        await asyncio.wait([task])
    except asyncio.CancelledError:
        ls.scheduler.cancel(document, task)
        raise
