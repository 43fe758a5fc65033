/** The steps of the walkthrough that complete by what has happened, in whatever way it was asked for. */

import * as vscode from "vscode";

/** Steps by the last part of their context key in package.json. */
export type Step = "setUp" | "read" | "panel";

/** Milliseconds after which the editor has read the steps of a walkthrough that was opened. */
const UNTIL_READ = 1500;

/**
 * Tells the editor what has been done. It reads the steps only when it shows a walkthrough, takes a key that is true by
 * then for no event, and forgets what happened before. So each key is true for a moment, and is told again when a tab opens.
 */
export class Walkthrough implements vscode.Disposable {
  private readonly done = new Set<Step>();
  private readonly listener: vscode.Disposable;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly wait = UNTIL_READ) {
    this.listener = vscode.window.tabGroups.onDidChangeTabs(({ opened }) => {
      if (opened.length > 0) {
        this.tellLater();
      }
    });
  }

  /** What a step describes has happened. */
  complete(step: Step): void {
    if (!this.done.has(step)) {
      this.done.add(step);
      void tell(step);
      this.tellLater(); // a walkthrough that was restored may not have been read yet
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.listener.dispose();
  }

  private tellLater(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      for (const step of this.done) {
        void tell(step);
      }
    }, this.wait);
  }
}

async function tell(step: Step): Promise<void> {
  for (const value of [true, false]) {
    await vscode.commands.executeCommand("setContext", `seepage.done.${step}`, value);
  }
}
