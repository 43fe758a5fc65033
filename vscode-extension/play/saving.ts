/** Texts and the files that they are kept in: saving, saving as, new programs, and files that others wrote meanwhile. */

import type { EditorView } from "@codemirror/view";
import type { RequestError } from "../panel/host";
import type { Line } from "./connection";
import { askName, choose, paragraph } from "./dialogs";
import { contentOf, type Documents, type Open, textOf } from "./documents";
import { CONFLICT, type Listing, type Stored } from "./protocol";

const NEW = "secret x\noutput y\n\nx ~ flip(1/2)\ny := x\n\nshow I(x; y)\n";

/** What saving needs of the page. */
export interface Page {
  say(text: string): void;
  /** A program was made: it is to be shown, and the list of programs is another. */
  made(open: Open, listing: Listing): void;
  /** A text has been saved, or is another. */
  changed(): void;
}

export class Saving {
  constructor(
    private readonly line: Line,
    private readonly documents: Documents,
    private readonly view: EditorView,
    private readonly page: Page,
  ) {}

  async save(open: Open | undefined, insists = false): Promise<void> {
    if (open === undefined) {
      return;
    }
    if (open.place.shelf === "examples") {
      await this.saveAs(open);
      return;
    }
    const { doc } = open.state;
    try {
      const asked = { place: open.place, text: contentOf(open), stamp: open.stamp, insists };
      const { stamp } = (await this.line.request("play/save", asked)) as Stored;
      this.documents.stored(open, doc, stamp);
      this.page.changed();
      this.page.say(`saved ${open.place.name}`);
    } catch (error) {
      const { code, message } = error as RequestError;
      await (code === CONFLICT ? this.settle(open, message) : fail("Not saved", message));
    }
  }

  /** Others wrote the file, too: ask whose text is to stand. */
  private async settle(open: Open, why: string): Promise<void> {
    const chosen = await choose({
      title: "Not saved",
      body: [paragraph(`${why}.`)],
      buttons: [
        ["Keep editing", "keep"],
        ["Overwrite it", "overwrite"],
        ["Take the text of the file", "take"],
      ] as const,
    });
    if (chosen === "overwrite") {
      await this.save(open, true);
    } else if (chosen === "take") {
      const { text, stamp } = (await this.line.request("play/read", { place: open.place })) as Stored;
      const insert = textOf(text);
      this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert } });
      this.documents.stored(open, insert, stamp);
      this.page.changed();
    }
  }

  private async saveAs(open: Open): Promise<void> {
    const name = await askName("Save as a program of the folder", open.place.name);
    if (name !== null && (await this.create(name, contentOf(open)))) {
      this.documents.forget(open);
    }
  }

  async make(): Promise<void> {
    const name = await askName("New program", "");
    if (name !== null) {
      await this.create(name, NEW);
    }
  }

  private async create(name: string, text: string): Promise<boolean> {
    try {
      const asked = { place: { shelf: "folder", name }, text, stamp: "" };
      const stored = (await this.line.request("play/save", asked)) as Stored;
      this.page.made(this.documents.add(stored), (await this.line.request("play/list", {})) as Listing);
      this.page.say(`saved ${name}`);
      return true;
    } catch (error) {
      await fail("Not saved", (error as RequestError).message);
      return false;
    }
  }
}

async function fail(title: string, message: string): Promise<void> {
  await choose({ title, body: [paragraph(`${message}.`)], buttons: [["Close", true]] });
}
