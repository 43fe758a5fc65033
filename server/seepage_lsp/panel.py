"""The requests of a panel beside the text, which ``docs/lsp-extensions.md`` documents; any client may send them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams

from seepage_lsp.asked import (
    EXPLAIN,
    FUNCTIONS,
    MEASURE,
    PLOT,
    POSTERIOR,
    RANGE,
    RESULTS,
    RESULTS_CHANGED,
    WHERE,
    WORST,
)
from seepage_lsp.commands import COMMAND_CANCEL, COMMAND_EXPLAIN, COMMAND_MEASURE, COMMAND_PLOT
from seepage_lsp.positions import Lines
from seepage_lsp.workspace import Document, is_blocked

if TYPE_CHECKING:
    from seepage_lsp.server import SeepageServer


def register_panel(server: SeepageServer) -> None:
    """Give the server the handlers of its own requests."""
    server.feature(RESULTS)(_results)
    server.feature(MEASURE)(_measure)
    server.feature(PLOT)(_plot)
    server.feature(EXPLAIN)(_explain)
    server.feature(POSTERIOR)(_posterior)
    server.feature(WORST)(_worst)
    server.feature(WHERE)(_where)
    server.feature(RANGE)(_range)
    server.feature(FUNCTIONS)(_functions)
    server.command(COMMAND_EXPLAIN)(_explain_command)
    server.command(COMMAND_MEASURE)(_measure_command)
    server.command(COMMAND_PLOT)(_plot_command)
    server.command(COMMAND_CANCEL)(_cancel_command)


def tell_results_changed(ls: SeepageServer, document: Document) -> None:
    """Tell that results of a document, or how they stand, changed."""
    from seepage_lsp.results import state_of

    state = state_of(document.snapshot(ls.scheduler.settings))
    ls.protocol.notify(RESULTS_CHANGED, {"uri": document.uri, "version": document.version, "state": state})


def tell_functions_changed(ls: SeepageServer, document: Document) -> None:
    """Tell that a Python file was read: its functions, or where they stand, may be others."""
    ls.protocol.notify(RESULTS_CHANGED, {"uri": document.uri, "version": document.version, "state": "read"})


def tell_closed(ls: SeepageServer, document: Document) -> None:
    """Tell a client with a panel that nothing more is said of a document: numbers that it shows are no longer kept up."""
    if ls.client.panel:
        ls.protocol.notify(RESULTS_CHANGED, {"uri": document.uri, "version": document.version, "state": "closed"})


async def explore(ls: SeepageServer, method: str, params: Any) -> dict[str, Any]:
    """Answer a question about an open document; raises ``JsonRpcException`` as the page says."""
    from seepage_lsp.questions import (
        Exploration,
        WhereQuestion,
        read_parameters,
        read_question,
        read_unit,
        read_uri,
        topic_of,
    )

    try:
        uri, question = read_uri(params), read_question(method, params)
        parameters, unit = read_parameters(params), read_unit(params)
    except ValueError as error:
        raise JsonRpcInvalidParams(f"bad parameters for {method}: {error}") from None
    document = _open(ls, uri)
    found = ls.function(document)
    if found is not None:
        from seepage_lsp.python_results import function_parameters, function_question

        try:
            question, parameters = function_question(found[1], question), function_parameters(found[1], parameters)
        except ValueError as error:
            raise JsonRpcException(str(error), types.LSPErrorCodes.RequestFailed) from None
    if document.is_too_long:
        raise JsonRpcException("the text is too long for an editor to check", types.LSPErrorCodes.RequestFailed)
    if is_blocked(document.check()):
        raise JsonRpcException("the program has errors", types.LSPErrorCodes.RequestFailed)
    settings, version = ls.scheduler.settings.under(document.project), document.version
    exploration = Exploration(
        document.source, unit or settings.unit, dict(settings.parameters), parameters, question, settings.time_limit
    )
    lines = document.lines
    if isinstance(question, WhereQuestion) and not parameters and unit in (None, settings.unit):
        answer = await ls.answers.where(document, question, exploration)
    else:
        answer = await ls.explorations.ask(document.uri, f"{unit} {topic_of(question)}", exploration)
    told = {"version": version, **_placed(answer, lines)}
    if found is None:
        return told
    from seepage_lsp.python_results import function_answer

    return function_answer(*found, told)


def _placed(value: Any, lines: Lines) -> Any:
    """Return an answer in which offsets are ranges."""
    from seepage.source import Span

    match value:
        case {"span": span, **rest}:
            place = None if span is None else lines.range(Span(*span))
            return {**{name: _placed(one, lines) for name, one in rest.items()}, "range": place}
        case dict():
            return {name: _placed(one, lines) for name, one in value.items()}
        case list() | tuple():
            return [_placed(one, lines) for one in value]
        case _:
            return value


def _open(ls: SeepageServer, uri: str) -> Document:
    document = ls.documents.get(uri)
    if document is None:
        name = unquote(uri.rpartition("/")[2]) or uri
        raise JsonRpcException(f"'{name}' is not open in the editor", types.LSPErrorCodes.RequestFailed)
    return document


def _results(ls: SeepageServer, params: Any) -> dict[str, Any]:
    from seepage_lsp.questions import read_uri
    from seepage_lsp.results import results

    try:
        uri = read_uri(params)
    except ValueError as error:
        raise JsonRpcInvalidParams(f"bad parameters for {RESULTS}: {error}") from None
    document = _open(ls, uri)
    if (found := ls.function(document)) is not None:
        from seepage_lsp.python_results import function_results

        return function_results(*found, ls.scheduler.settings)
    return results(document.snapshot(ls.scheduler.settings))


async def _functions(ls: SeepageServer, params: Any) -> dict[str, Any]:
    """Return the marked functions of an open Python file, in the order of the text, each with the URI that results are asked of."""
    from seepage_lsp.questions import read_uri

    try:
        uri = read_uri(params)
    except ValueError as error:
        raise JsonRpcInvalidParams(f"bad parameters for {FUNCTIONS}: {error}") from None
    file = await ls.python.present(uri)
    if file is None:
        return {"functions": []}
    found = sorted((file.start_of(one), name) for name, one in file.functions.items())
    return {
        "functions": [
            {
                "name": name,
                "uri": file.functions[name].document.uri,
                "start": file.lines.position(start),
            }
            for start, name in found
        ]
    }


async def _measure(ls: SeepageServer, params: Any) -> dict[str, Any]:
    return await explore(ls, MEASURE, params)


async def _plot(ls: SeepageServer, params: Any) -> dict[str, Any]:
    return await explore(ls, PLOT, params)


async def _posterior(ls: SeepageServer, params: Any) -> dict[str, Any]:
    return await explore(ls, POSTERIOR, params)


async def _worst(ls: SeepageServer, params: Any) -> dict[str, Any]:
    return await explore(ls, WORST, params)


async def _where(ls: SeepageServer, params: Any) -> dict[str, Any]:
    return await explore(ls, WHERE, params)


async def _range(ls: SeepageServer, params: Any) -> dict[str, Any]:
    return await explore(ls, RANGE, params)


async def _explain(ls: SeepageServer, params: Any) -> dict[str, Any]:
    return await explore(ls, EXPLAIN, params)


# --- commands, for clients that send no requests of their own ---------------------------------------------------------


async def _explain_command(ls: SeepageServer, params: types.ExecuteCommandParams) -> dict[str, Any]:
    return await explore(ls, EXPLAIN, _only(params))


async def _measure_command(ls: SeepageServer, params: types.ExecuteCommandParams) -> dict[str, Any]:
    return await explore(ls, MEASURE, _only(params))


async def _plot_command(ls: SeepageServer, params: types.ExecuteCommandParams) -> dict[str, Any]:
    return await explore(ls, PLOT, _only(params))


def _cancel_command(ls: SeepageServer, params: types.ExecuteCommandParams) -> bool:
    """Stop the analysis of a document, given its URI; answer whether one ran."""
    uri = _only(params)
    document = ls.documents.get(uri) if isinstance(uri, str) else None
    if document is None:
        raise JsonRpcInvalidParams(f"{params.command} takes the URI of an open document")
    return ls.scheduler.stop_analysis(document)


def _only(params: types.ExecuteCommandParams) -> Any:
    arguments = params.arguments or []
    if len(arguments) != 1:
        raise JsonRpcInvalidParams(f"{params.command} takes one argument, found {len(arguments)}")
    return arguments[0]
