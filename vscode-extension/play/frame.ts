/** The page around the editor: its list of programs, its keys, what the last line and the line above the text say. */

import type { EditorView } from "@codemirror/view";
import type { Results } from "../panel/contract";
import type { ServerTold } from "../panel/host";
import { choose, keyTable } from "./dialogs";
import { type Documents, isChanged, type Open } from "./documents";
import type { Key } from "./editor";
import type { Gallery } from "./gallery";
import { position } from "./places";
import { statusOf } from "./status";

const KNOWN = "seepage.knows";

export function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) {
    throw new Error(`the page has no '${id}'`);
  }
  return found;
}

/** What the buttons and the keys of the page do that are no business of its own. */
export interface Buttons {
  save(): void;
  heat(): void;
  retry(): void;
}

export class Frame {
  constructor(
    private readonly view: EditorView,
    private readonly gallery: Gallery,
    private readonly documents: Documents,
    private readonly keys: readonly Key[],
    private readonly buttons: Buttons,
  ) {}

  listen(): void {
    const hello = element("hello") as HTMLDetailsElement;
    hello.open = localStorage.getItem(KNOWN) === null;
    hello.addEventListener("toggle", () => {
      if (!hello.open) {
        localStorage.setItem(KNOWN, "yes");
      }
    });
    element("keys").onclick = () => {
      void this.showKeys();
    };
    element("save").onclick = (event) => {
      if ((event.currentTarget as HTMLElement).ariaDisabled !== "true") {
        this.buttons.save();
      }
    };
    element("heat").onclick = () => {
      this.buttons.heat();
    };
    element("programs").onclick = () => {
      this.toggleGallery();
    };
    window.addEventListener("keydown", (event) => {
      this.pressed(event);
    });
    window.addEventListener("beforeunload", (event) => {
      if (this.documents.changed.length > 0) {
        event.preventDefault();
      }
    });
    window.addEventListener("online", () => {
      this.buttons.retry();
    });
  }

  private pressed(event: KeyboardEvent): void {
    if (event.key === "F1") {
      event.preventDefault();
      void this.showKeys();
    } else if (event.key === "F6") {
      event.preventDefault();
      this.turn(event.shiftKey ? -1 : 1);
    } else if (event.key === "s" && (event.ctrlKey || event.metaKey) && !event.defaultPrevented) {
      event.preventDefault(); // of the browser, which would save the page
      this.buttons.save();
    } else if (event.key === "Escape" && this.isGalleryOpen && element("gallery").contains(document.activeElement)) {
      this.closeGallery();
      element("programs").focus();
    }
  }

  /** Go to the next part of the page. */
  private turn(step: 1 | -1): void {
    const panel = element("panel").querySelector("main") ?? element("panel");
    panel.tabIndex = -1; // its name is read out, and the Tab key goes on inside
    const parts: readonly (readonly [HTMLElement, () => void])[] = [
      [
        element("gallery"),
        () => {
          this.openGallery();
          this.gallery.focus();
        },
      ],
      ...[this.view.contentDOM, panel, element("foot")].map(
        (part) =>
          [
            part,
            () => {
              part.focus();
            },
          ] as const,
      ),
    ];
    const at = parts.findIndex(([part]) => part.contains(document.activeElement));
    parts[(at + step + parts.length) % parts.length]?.[1]();
  }

  private get isGalleryOpen(): boolean {
    return element("programs").getAttribute("aria-expanded") === "true";
  }

  private openGallery(): void {
    element("programs").setAttribute("aria-expanded", "true");
  }

  closeGallery(): void {
    element("programs").setAttribute("aria-expanded", "false");
  }

  private toggleGallery(): void {
    if (this.isGalleryOpen) {
      this.closeGallery();
    } else {
      this.openGallery();
      this.gallery.focus();
    }
  }

  private async showKeys(): Promise<void> {
    if (document.querySelector("dialog") !== null) {
      return;
    }
    const rows = [
      ...this.keys.map(({ shown, does }): [string, string] => [shown, does]),
      ["Ctrl+Space", "complete"],
      ["Ctrl+Shift+M", "list all findings, with their fixes"],
      ["Ctrl+F", "find and replace"],
      ["Ctrl+/", "comment or uncomment"],
      ["Tab, or Escape and Tab", "leave the editor"],
      ["F6", "go to the next part of the page: programs, editor, panel, status"],
      ["F1", "this list"],
    ] as const;
    await choose({ title: "Keys", body: [keyTable(rows)], buttons: [["Close", true]] });
  }

  /** Show whose text is in the editor, and whether it is saved. */
  drawName(open: Open | undefined): void {
    if (open === undefined) {
      return;
    }
    const { shelf, name } = open.place;
    const changed = isChanged(open);
    element("name").textContent = name;
    const kinds = { folder: "", examples: "example, not saved", scratch: "kept outside of the folder" };
    element("about").textContent = changed && shelf !== "examples" ? "not saved" : kinds[shelf];
    const button = element("save") as HTMLButtonElement;
    button.textContent = shelf === "examples" ? "Save as …" : "Save";
    // Not "disabled", which would take the focus from who just pressed it.
    button.ariaDisabled = String(shelf !== "examples" && !changed);
    this.gallery.mark(
      open.place,
      this.documents.changed.map(({ place }) => place),
    );
  }

  /** Show how the numbers of a text stand, and where the cursor is in it. */
  drawStatus(server: ServerTold, open: Open | undefined, results: Results | undefined): void {
    const words = statusOf(server, results).map(({ text, kind }) => {
      const word = document.createElement("span");
      word.className = kind;
      word.textContent = text;
      return word;
    });
    element("state").replaceChildren(...words);
    if (open !== undefined) {
      const { line, character } = position(open.state.doc, open.state.selection.main.head);
      element("cursor").textContent = `Ln ${String(line + 1)}, Col ${String(character + 1)}`;
    }
  }

  /** Say something that passes, also to screen readers. */
  say(text: string): void {
    element("said").textContent = text;
  }
}
