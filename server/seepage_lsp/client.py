"""What the connected editor can do: read once from its ``initialize`` parameters, asked by every feature."""

from __future__ import annotations

from lsprotocol.types import DiagnosticTag, InitializeParams, MarkupKind

from seepage.data_classes import dataclass
from seepage_lsp.positions import Encoding, choose_encoding


@dataclass(frozen=True, slots=True)
class Client:
    """Capabilities that change what is sent; the defaults are those of a client that names none.

    Attributes:
        encoding: of positions, agreed on.
        markdown: hovers may be Markdown.
        images: Markdown is rendered with images, inline ones too; other editors would print their bytes.
        related_information: diagnostics may point at other places.
        links: diagnostics may link to an explanation of their code.
        documentation: address of the page of diagnostics, as the client names it in ``initializationOptions.documentation``; empty if
            it names none.
        tags: the diagnostic tags that are shown.
        pull_diagnostics: the client asks for diagnostics, and again when it is told that they changed; then none are pushed.
        lenses: the client shows code lenses.
        lens_resolve: the client asks for the words of a lens when it shows it.
        lens_refresh: the client can be told that lenses changed.
        hints: the client shows inlay hints.
        hint_refresh: the client can be told that inlay hints changed.
        progress: the server may create work-done progress.
        configuration: settings can be asked for.
        register_watchers: the client can be asked to tell of changed files.
        register_configuration: the client wants to be asked to tell of changed settings.
        code_actions: code actions may carry edits.
        versioned_edits: workspace edits may name the version of a document.
        nested_symbols: document symbols may form a tree.
        folding_kinds: the kinds of folds that the client tells apart; None if it names none, and then takes any.
        link_tooltips: links in the text may carry a word of explanation.
        semantic_tokens: the client colours names by their meaning.
        token_ranges: it asks for the colours of a part of a text, too.
        token_deltas: it asks for what changed since the last colours, too.
        snippets: completions may have places to fill in.
        completion_markdown: the documentation of completions may be Markdown.
        completion_resolve: what the client asks for when it shows a completion.
        signature_markdown: the documentation of signatures may be Markdown.
        label_offsets: parameters of a signature may be ranges of its label.
        commands: commands that the client runs itself, as it names them in ``initializationOptions.commands``.
        panel: the client shows results in a panel and wants to be told when they change.
        server_status: the client shows how the server is.
        python: the client takes registrations for documents of another language, and wants them for Python files, as it says in
            ``initializationOptions.python``.
        untrusted: the user does not trust the workspace, as the client says in ``initializationOptions.untrusted``: files that programs name
            are not read.
    """

    encoding: Encoding = Encoding.UTF16
    markdown: bool = False
    images: bool = False
    related_information: bool = False
    links: bool = False
    documentation: str = ""
    tags: frozenset[DiagnosticTag] = frozenset()
    pull_diagnostics: bool = False
    lenses: bool = False
    lens_resolve: bool = False
    lens_refresh: bool = False
    hints: bool = False
    hint_refresh: bool = False
    progress: bool = False
    configuration: bool = False
    register_configuration: bool = False
    register_watchers: bool = False
    code_actions: bool = False
    versioned_edits: bool = False
    nested_symbols: bool = False
    folding_kinds: frozenset[str] | None = None
    link_tooltips: bool = False
    semantic_tokens: bool = False
    token_ranges: bool = False
    token_deltas: bool = False
    snippets: bool = False
    completion_markdown: bool = False
    completion_resolve: frozenset[str] = frozenset()
    signature_markdown: bool = False
    label_offsets: bool = False
    commands: frozenset[str] = frozenset()
    panel: bool = False
    untrusted: bool = False
    server_status: bool = False
    python: bool = False


def read_client(params: InitializeParams) -> Client:
    """Return what a client told of itself."""
    text, workspace = params.capabilities.text_document, params.capabilities.workspace

    def has(start: object, path: str) -> bool:
        return bool(_value(start, path))

    def listed(start: object, path: str) -> tuple[object, ...]:
        value = _value(start, path)
        return tuple(value) if isinstance(value, list | tuple) else ()

    panel = _flag(params.initialization_options, "panel")
    encodings = listed(params.capabilities, "general.position_encodings")
    return Client(
        encoding=Encoding.UTF32
        if _counts_code_points(params, encodings)
        else choose_encoding(str(getattr(one, "value", one)) for one in encodings),
        markdown=MarkupKind.Markdown in listed(text, "hover.content_format"),
        # VS Code's parser, and the only one known to render inline images.
        images=_value(params.capabilities, "general.markdown.parser") == "marked",
        related_information=has(text, "publish_diagnostics.related_information"),
        links=has(text, "publish_diagnostics.code_description_support"),
        documentation=_documentation(params.initialization_options),
        tags=frozenset(
            tag for tag in listed(text, "publish_diagnostics.tag_support.value_set") if isinstance(tag, DiagnosticTag)
        ),
        # Without refresh, findings of an analysis would stay unseen until the next edit: such clients get them pushed.
        pull_diagnostics=has(text, "diagnostic") and has(workspace, "diagnostics.refresh_support"),
        lenses=has(text, "code_lens"),
        lens_resolve="command" in listed(text, "code_lens.resolve_support.properties"),
        hints=has(text, "inlay_hint"),
        hint_refresh=has(workspace, "inlay_hint.refresh_support"),
        lens_refresh=has(workspace, "code_lens.refresh_support"),
        progress=has(params.capabilities.window, "work_done_progress"),
        configuration=has(workspace, "configuration"),
        register_watchers=has(workspace, "did_change_watched_files.dynamic_registration"),
        register_configuration=has(workspace, "did_change_configuration.dynamic_registration"),
        code_actions=has(text, "code_action.code_action_literal_support"),
        versioned_edits=has(workspace, "workspace_edit.document_changes"),
        nested_symbols=has(text, "document_symbol.hierarchical_document_symbol_support"),
        folding_kinds=_folding_kinds(listed(text, "folding_range.folding_range_kind.value_set")),
        link_tooltips=has(text, "document_link.tooltip_support"),
        semantic_tokens=has(text, "semantic_tokens"),
        token_ranges=_wants(_value(text, "semantic_tokens.requests.range")),
        token_deltas=has(text, "semantic_tokens.requests.full.delta"),
        snippets=has(text, "completion.completion_item.snippet_support"),
        completion_markdown=MarkupKind.Markdown in listed(text, "completion.completion_item.documentation_format"),
        completion_resolve=frozenset(map(str, listed(text, "completion.completion_item.resolve_support.properties"))),
        signature_markdown=MarkupKind.Markdown
        in listed(text, "signature_help.signature_information.documentation_format"),
        label_offsets=has(text, "signature_help.signature_information.parameter_information.label_offset_support"),
        commands=frozenset(name for name in _named_commands(params.initialization_options) if isinstance(name, str)),
        panel=panel,
        python=_flag(params.initialization_options, "python"),
        untrusted=_flag(params.initialization_options, "untrusted"),
        server_status=panel or _flag(params.capabilities.experimental, "serverStatusNotification"),
    )


def _counts_code_points(params: InitializeParams, encodings: tuple[object, ...]) -> bool:
    """Tell whether the client is lsp-mode for Emacs, which negotiates nothing and counts code points where the protocol says UTF-16.

    Taken at its word, texts with emoji would be out of step after the first edit behind one.
    """
    return not encodings and params.client_info is not None and params.client_info.name == "emacs"


def _value(start: object, path: str) -> object:
    """Follow attributes from ``start`` until one is missing, which gives None."""
    for name in path.split("."):
        start = getattr(start, name, None)
    return start


def _flag(options: object, name: str) -> bool:
    """Tell whether an object of the client's own has a flag, by whatever type the protocol's reader gave it."""
    value = options.get(name) if isinstance(options, dict) else getattr(options, name, None)
    return value is True


def _named_commands(options: object) -> list[object]:
    commands = options.get("commands") if isinstance(options, dict) else None
    return commands if isinstance(commands, list) else []


def _documentation(options: object) -> str:
    """Return the address that a client gives of the page of diagnostics; anything but a link to a page counts as none."""
    address = options.get("documentation") if isinstance(options, dict) else None
    known = isinstance(address, str) and address.startswith(("https://", "http://", "file://", "vscode-"))
    return address.partition("#")[0] if known and isinstance(address, str) else ""


def _folding_kinds(named: tuple[object, ...]) -> frozenset[str] | None:
    return frozenset(str(getattr(kind, "value", kind)) for kind in named) or None


def _wants(value: object) -> bool:
    """Tell whether a capability is wanted that is true, or an object, which may be empty."""
    return value is not None and value is not False
