/** All that can happen to the panel. */

import type { Position, Range, Results } from "./contract";
import type { ServerTold } from "./host";

export type Copied = "markdown" | "latex" | "command" | "derivation in markdown" | "derivation in latex";
export type Picture = "curve" | "map";
export type Exported =
  | { readonly what: Picture; readonly as: "png" | "svg" | "csv" }
  | { readonly what: "table" | "posteriors"; readonly as: "csv" };

export type Message =
  // from the editor
  | { readonly is: "document"; readonly uri: string; readonly name: string }
  | { readonly is: "cursor"; readonly uri: string; readonly at: Position }
  | { readonly is: "changed"; readonly uri: string }
  | ({ readonly is: "server" } & ServerTold)
  /** Look at the measure at a place, at one that is named, or at where that comes from, of whatever program: as by a click on a lens. */
  | { readonly is: "focus"; readonly uri: string; readonly name: string; readonly at: Position }
  | { readonly is: "look" | "explain"; readonly uri: string; readonly name: string; readonly measure: string }
  | { readonly is: "repaint" }
  // answers
  | { readonly is: "results"; readonly uri: string; readonly results: Results }
  | { readonly is: "no results"; readonly uri: string; readonly message: string }
  | {
      readonly is: "answer";
      readonly slot: string;
      readonly key: string;
      readonly base: string;
      readonly subject: string;
      readonly value: unknown;
      readonly seconds: number;
    }
  | { readonly is: "failure"; readonly slot: string; readonly key: string; readonly message: string }
  // from the user
  | { readonly is: "slide"; readonly name: string; readonly part: number }
  | { readonly is: "type"; readonly name: string; readonly text: string }
  | { readonly is: "enter"; readonly name: string; readonly text: string }
  /** Ask once more what failed. */
  | { readonly is: "again"; readonly slot: string }
  /** Draw a plot more finely, however long that takes. */
  | { readonly is: "finer"; readonly slot: string }
  | { readonly is: "reset"; readonly name: string | null }
  | { readonly is: "span"; readonly name: string; readonly end: "low" | "high"; readonly text: string }
  | { readonly is: "rescale"; readonly name: string }
  | { readonly is: "choose"; readonly measure: string }
  /** A measure that the program does not ask for. */
  | { readonly is: "ask"; readonly measure: string }
  | { readonly is: "axis"; readonly name: string }
  | { readonly is: "axes"; readonly first: string; readonly second: string }
  | { readonly is: "channel"; readonly row: number }
  | { readonly is: "set"; readonly values: Readonly<Record<string, number>> }
  | { readonly is: "point"; readonly at: Pointed | null }
  | { readonly is: "open"; readonly what: string; readonly open: boolean }
  | { readonly is: "menu"; readonly which: string | null }
  | { readonly is: "pin" }
  | { readonly is: "pause" }
  | { readonly is: "copy"; readonly form: Copied }
  | { readonly is: "export"; readonly file: Exported }
  | { readonly is: "jump"; readonly range: Range }
  | { readonly is: "command"; readonly name: "analyse" | "help" | "problems" | "output" | "new" };

/** A place on a plot under the pointer: the number of the value on each axis. */
export interface Pointed {
  readonly plot: Picture;
  readonly first: number;
  readonly second: number;
}
