/** What of the language server protocol, and of the requests of `seepage play` itself, the page uses. */

import type { Position, Range } from "../panel/contract";

export interface TextEdit {
  readonly range: Range;
  readonly newText: string;
}

export interface Finding {
  readonly range: Range;
  readonly message: string;
  readonly severity?: 1 | 2 | 3 | 4;
  readonly code?: string;
}

export interface CodeAction {
  readonly title: string;
  readonly kind?: string;
  readonly diagnostics?: readonly Finding[];
  readonly edit?: {
    readonly documentChanges?: readonly {
      readonly textDocument: { readonly uri: string; readonly version: number | null };
      readonly edits: readonly TextEdit[];
    }[];
  };
}

export interface Lens {
  readonly range: Range;
  readonly command?: { readonly title: string };
}

export interface Hint {
  readonly position: Position;
  readonly label: string | readonly { readonly value: string }[];
  readonly paddingLeft?: boolean;
  readonly paddingRight?: boolean;
}

export interface CompletionItem {
  readonly label: string;
  readonly kind?: number;
  readonly detail?: string;
  readonly documentation?: string | { readonly value: string };
  readonly sortText?: string;
  readonly insertText?: string;
  readonly insertTextFormat?: 1 | 2;
  readonly textEdit?: TextEdit;
}

export interface Hover {
  readonly contents: string | { readonly value: string };
  readonly range?: Range;
}

export interface Signature {
  readonly label: string;
  readonly activeParameter?: number | null;
  readonly parameters?: readonly { readonly label: string | readonly [number, number] }[];
}

export interface SignatureHelp {
  readonly signatures: readonly Signature[];
  readonly activeSignature?: number | null;
  readonly activeParameter?: number | null;
}

export interface Initialized {
  readonly capabilities: {
    readonly semanticTokensProvider?: {
      readonly legend: { readonly tokenTypes: readonly string[]; readonly tokenModifiers: readonly string[] };
    };
  };
}

/** What this page can do, and no more: hovers and documentation come as plain text. */
export const CAPABILITIES = {
  general: { positionEncodings: ["utf-16"] },
  textDocument: {
    synchronization: { didSave: true },
    publishDiagnostics: { versionSupport: true },
    hover: { contentFormat: ["plaintext"] },
    completion: { completionItem: { snippetSupport: true, documentationFormat: ["plaintext"] } },
    signatureHelp: { signatureInformation: { parameterInformation: { labelOffsetSupport: true } } },
    codeAction: {
      codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix", "refactor", "source"] } },
      isPreferredSupport: true,
    },
    codeLens: {},
    formatting: {},
    inlayHint: {},
    semanticTokens: { requests: { full: true }, tokenTypes: [], tokenModifiers: [], formats: ["relative"] },
  },
  workspace: {
    workspaceEdit: { documentChanges: true },
    codeLens: { refreshSupport: true },
    inlayHint: { refreshSupport: true },
  },
};

/** Which text: on which shelf of `seepage play`, and under which name. */
export interface Place {
  readonly shelf: "folder" | "examples" | "scratch";
  readonly name: string;
}

export interface Stored {
  readonly place: Place;
  readonly uri: string;
  readonly text: string;
  readonly stamp: string;
}

export interface Listing {
  readonly folder: string;
  readonly names: readonly string[];
  readonly whole: boolean;
  readonly examples: readonly {
    readonly name: string;
    readonly title: string;
    readonly group: string;
    readonly shows: string;
  }[];
  readonly first: Place | null;
}

export const SCRATCH: Place = { shelf: "scratch", name: "scratch.seep" };
/** The answer to a save that would overwrite what others wrote. */
export const CONFLICT = -32804;
