"""What the connected editor can do: read once from its ``initialize`` parameters, asked by every feature."""

from __future__ import annotations

from dataclasses import dataclass

from lsprotocol.types import DiagnosticTag, InitializeParams, MarkupKind

from seepage_lsp.positions import Encoding, choose_encoding


@dataclass(frozen=True, slots=True)
class Client:
    """Capabilities that change what is sent; the defaults are those of a client that names none.

    Attributes:
        encoding: of positions, agreed on.
        markdown: hovers may be Markdown.
        related_information: diagnostics may point at other places.
        tags: the diagnostic tags that are shown.
        pull_diagnostics: the client asks for diagnostics, and again when it is told that they changed; then none are pushed.
        lenses: the client shows code lenses.
        lens_refresh: the client can be told that lenses changed.
        hints: the client shows inlay hints.
        hint_refresh: the client can be told that inlay hints changed.
        progress: the server may create work-done progress.
        configuration: settings can be asked for.
        register_configuration: the client wants to be asked to tell of changed settings.
        code_actions: code actions may carry edits.
        versioned_edits: workspace edits may name the version of a document.
        nested_symbols: document symbols may form a tree.
        semantic_tokens: the client colours names by their meaning.
        commands: commands that the client runs itself, as it names them in ``initializationOptions.commands``.
    """

    encoding: Encoding = Encoding.UTF16
    markdown: bool = False
    related_information: bool = False
    tags: frozenset[DiagnosticTag] = frozenset()
    pull_diagnostics: bool = False
    lenses: bool = False
    lens_refresh: bool = False
    hints: bool = False
    hint_refresh: bool = False
    progress: bool = False
    configuration: bool = False
    register_configuration: bool = False
    code_actions: bool = False
    versioned_edits: bool = False
    nested_symbols: bool = False
    semantic_tokens: bool = False
    commands: frozenset[str] = frozenset()


def read_client(params: InitializeParams) -> Client:
    """Return what a client told of itself."""
    text, workspace = params.capabilities.text_document, params.capabilities.workspace

    def has(start: object, path: str) -> bool:
        return bool(_value(start, path))

    def listed(start: object, path: str) -> tuple[object, ...]:
        value = _value(start, path)
        return tuple(value) if isinstance(value, list | tuple) else ()

    encodings = listed(params.capabilities, "general.position_encodings")
    return Client(
        encoding=choose_encoding(str(getattr(one, "value", one)) for one in encodings),
        markdown=MarkupKind.Markdown in listed(text, "hover.content_format"),
        related_information=has(text, "publish_diagnostics.related_information"),
        tags=frozenset(
            tag for tag in listed(text, "publish_diagnostics.tag_support.value_set") if isinstance(tag, DiagnosticTag)
        ),
        # Without refresh, findings of an analysis would stay unseen until the next edit: such clients get them pushed.
        pull_diagnostics=has(text, "diagnostic") and has(workspace, "diagnostics.refresh_support"),
        lenses=has(text, "code_lens"),
        hints=has(text, "inlay_hint"),
        hint_refresh=has(workspace, "inlay_hint.refresh_support"),
        lens_refresh=has(workspace, "code_lens.refresh_support"),
        progress=has(params.capabilities.window, "work_done_progress"),
        configuration=has(workspace, "configuration"),
        register_configuration=has(workspace, "did_change_configuration.dynamic_registration"),
        code_actions=has(text, "code_action.code_action_literal_support"),
        versioned_edits=has(workspace, "workspace_edit.document_changes"),
        nested_symbols=has(text, "document_symbol.hierarchical_document_symbol_support"),
        semantic_tokens=has(text, "semantic_tokens"),
        commands=frozenset(name for name in _named_commands(params.initialization_options) if isinstance(name, str)),
    )


def _value(start: object, path: str) -> object:
    """Follow attributes from ``start`` until one is missing, which gives None."""
    for name in path.split("."):
        start = getattr(start, name, None)
    return start


def _named_commands(options: object) -> list[object]:
    commands = options.get("commands") if isinstance(options, dict) else None
    return commands if isinstance(commands, list) else []
