/** Documents as values: what a view returns, what the patch makes of it, and what an exported picture is written from. */

import type { Message } from "./message";

/** What a handler learns of an event. */
export interface Told {
  readonly value: string;
  readonly key: string;
  readonly open: boolean;
  /** Where in the element, from 0 at the left and top to 1. */
  readonly x: number;
  readonly y: number;
}

export type Handler = (told: Told) => Message | null;
export type Attribute = string | number | boolean | undefined;

export interface Node {
  readonly tag: string;
  readonly key: string;
  readonly attributes: Readonly<Record<string, Attribute>>;
  readonly on: Readonly<Record<string, Handler>>;
  readonly children: readonly (Node | string)[];
}

export type Child = Node | string | null | false;

interface Given {
  readonly key?: string;
  readonly on?: Readonly<Record<string, Handler>>;
  readonly [attribute: string]: Attribute | Readonly<Record<string, Handler>>;
}

/** An element. Children that are null or false are left out. */
export function h(tag: string, given: Given = {}, ...children: readonly (Child | readonly Child[])[]): Node {
  const { key = "", on = {}, ...attributes } = given;
  return {
    tag,
    key,
    attributes: attributes as Readonly<Record<string, Attribute>>,
    on,
    children: children.flat().filter((child): child is Node | string => child !== null && child !== false),
  };
}

/** MathML as the server sent it; the patch lets only elements of MathML through. */
export const MATH = "#math";

export function math(source: string, fallback: string): Node {
  return { tag: MATH, key: "", attributes: { source, fallback }, on: {}, children: [] };
}

/** The text of an element with all that it contains. */
export function textOf(node: Node | string): string {
  return typeof node === "string" ? node : node.children.map(textOf).join("");
}

/** All elements for which `holds`, in the order of the document. */
export function find(node: Node | string, holds: (node: Node) => boolean): Node[] {
  if (typeof node === "string") {
    return [];
  }
  return [...(holds(node) ? [node] : []), ...node.children.flatMap((child) => find(child, holds))];
}

/** An element as XML. */
export function serialize(node: Node | string): string {
  if (typeof node === "string") {
    return escaped(node);
  }
  const attributes = Object.entries(node.attributes)
    .filter(([name, value]) => value !== undefined && value !== false && name !== "tabindex")
    .map(([name, value]) => ` ${name}="${escaped(value === true ? "" : String(value))}"`)
    .join("");
  return `<${node.tag}${attributes}>${node.children.map(serialize).join("")}</${node.tag}>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** A view of one argument that is drawn anew only for another argument; the patch passes over what is the same. */
export function remembered<A extends readonly unknown[], T>(view: (...given: A) => T): (...given: A) => T {
  let last: { readonly given: A; readonly drawn: T } | undefined;
  return (...given) => {
    if (last?.given.every((value, index) => value === given[index]) !== true) {
      last = { given, drawn: view(...given) };
    }
    return last.drawn;
  };
}
