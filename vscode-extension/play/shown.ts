/** What the server shows in the text, asked for anew soon after it has changed: results, lenses, colours by meaning, hints, and where it leaks. */

import type { EditorView } from "@codemirror/view";
import type { Results, Where } from "../panel/contract";
import { Origins } from "../src/heat";
import type { Ask } from "./asking";
import { goTo, heatsOf, hintsOf, type Legend, lensesOf, meaningsOf, signsOf } from "./decorations";
import { type Open, openIn } from "./documents";
import { element } from "./frame";
import { position } from "./places";
import type { Hint, Lens } from "./protocol";

const HEAT = "seepage.heat";
const SOON = 120;

/** What hears of it. */
export interface Hears {
  /** There are results of a text. */
  drawn(): void;
  /** A lens was clicked. */
  clicked(open: Open, at: Lens["range"]["start"]): void;
}

export class Shown {
  private readonly results = new Map<string, Results>();
  private readonly origins: Origins;
  private refreshing: ReturnType<typeof setTimeout> | undefined;
  /** How the server numbers the meanings of names. */
  legend: Legend | undefined;

  constructor(
    private readonly view: EditorView,
    private readonly ask: Ask,
    private readonly hears: Hears,
  ) {
    this.origins = new Origins(
      (_, measure) => ask<Where>(view, "seepage/where", { measure }),
      () => {
        this.drawHeat();
      },
    );
  }

  /** The results of a text, as far as they were asked for. */
  resultsOf(open: Open | undefined): Results | undefined {
    return open === undefined ? undefined : this.results.get(open.uri);
  }

  refresh(): void {
    this.refreshing ??= setTimeout(() => {
      this.refreshing = undefined;
      void this.showAll();
    }, SOON);
  }

  private async showAll(): Promise<void> {
    const open = this.current;
    if (open === undefined) {
      return;
    }
    const { view, ask } = this;
    const whole = { start: { line: 0, character: 0 }, end: position(view.state.doc, view.state.doc.length) };
    const [results, lenses, tokens, hints] = await Promise.all([
      ask<Results>(view, "seepage/results"),
      ask<readonly Lens[]>(view, "textDocument/codeLens"),
      ask<{ readonly data: readonly number[] }>(view, "textDocument/semanticTokens/full"),
      ask<readonly Hint[]>(view, "textDocument/inlayHint", { range: whole }),
    ]);
    if (this.current !== open || results === null || lenses === null) {
      return; // of a text before: the next round is on its way
    }
    this.results.set(open.uri, results);
    const clicked = ({ range }: Lens): void => {
      goTo(view, { start: range.start, end: range.start });
      this.hears.clicked(open, range.start);
    };
    view.dispatch({
      effects: [
        lensesOf(view.state, lenses, results, clicked),
        signsOf(view.state, results),
        ...(tokens === null || this.legend === undefined ? [] : [meaningsOf(view.state, tokens.data, this.legend)]),
        ...(hints === null ? [] : [hintsOf(view.state, hints)]),
      ],
    });
    this.drawHeat();
    this.hears.drawn();
  }

  /** Mark where it leaks, if that is switched on. */
  private drawHeat(): void {
    const on = localStorage.getItem(HEAT) !== null;
    element("heat").setAttribute("aria-pressed", String(on));
    const found = on ? this.origins.of(this.resultsOf(this.current)) : [];
    this.view.dispatch({ effects: heatsOf(this.view.state, found) });
  }

  toggleHeat(): void {
    if (localStorage.getItem(HEAT) === null) {
      localStorage.setItem(HEAT, "yes");
    } else {
      localStorage.removeItem(HEAT);
    }
    this.drawHeat();
  }

  private get current(): Open | undefined {
    return this.view.state.facet(openIn);
  }
}
