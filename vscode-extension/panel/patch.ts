/** Makes the page what a view says, changing only what differs, so that focus, selection and scrolling stay. */

import { type Attribute, type Node, type Told, MATH } from "./tree";
import type { Message } from "./message";

const SVG = "http://www.w3.org/2000/svg";
const MATHML = "http://www.w3.org/1998/Math/MathML";
/** Presentation MathML as the server writes it. Nothing that loads, links or runs. */
const MATH_ELEMENTS = new Set(
  "math mrow mi mn mo ms mtext mspace mfrac msqrt mroot mstyle msub msup msubsup munder mover munderover mtable mtr mtd mpadded mphantom merror".split(
    " ",
  ),
);
const MATH_ATTRIBUTES = new Set(
  "display stretchy form width mathvariant accent fence separator lspace rspace columnalign scriptlevel displaystyle linethickness".split(
    " ",
  ),
);

type Dispatch = (message: Message) => void;

/** What is on the page for a node. */
interface Drawn {
  readonly node: Node | string;
  readonly dom: ChildNode;
  readonly children: readonly Drawn[];
}

/** Draw into `root`; the function that it returns draws again. */
export function renderer(root: HTMLElement, dispatch: Dispatch): (node: Node) => void {
  let drawn: Drawn | undefined;
  return (node) => {
    if (drawn === undefined) {
      drawn = create(node, root, dispatch);
      root.replaceChildren(drawn.dom);
    } else {
      drawn = patch(drawn, node, root, dispatch);
    }
  };
}

function patch(old: Drawn, node: Node | string, parent: Element, dispatch: Dispatch): Drawn {
  if (old.node === node) {
    return old;
  }
  if (typeof node === "string" || typeof old.node === "string") {
    if (typeof node === "string" && typeof old.node === "string") {
      (old.dom as Text).data = node;
      return { node, dom: old.dom, children: [] };
    }
    return replace(old, node, parent, dispatch);
  }
  const same =
    old.node.tag === node.tag &&
    old.node.key === node.key &&
    (node.tag !== MATH || old.node.attributes["source"] === node.attributes["source"]);
  if (!same) {
    return replace(old, node, parent, dispatch);
  }
  if (node.tag === MATH) {
    return { node, dom: old.dom, children: [] };
  }
  const dom = old.dom as Element;
  setAttributes(dom, old.node, node);
  listen(dom, node, dispatch);
  return { node, dom: old.dom, children: patchChildren(old.children, node, dom, dispatch) };
}

function patchChildren(olds: readonly Drawn[], node: Node, dom: Element, dispatch: Dispatch): Drawn[] {
  const keyed = new Map(olds.flatMap((old) => (keyOf(old.node) === "" ? [] : [[keyOf(old.node), old] as const])));
  const plain = olds.filter((old) => keyOf(old.node) === "");
  const used = new Set<Drawn>();
  let next = 0;
  const drawn = node.children.map((child) => {
    const key = keyOf(child);
    const old = key === "" ? plain[next++] : keyed.get(key);
    if (old === undefined) {
      return create(child, dom, dispatch);
    }
    used.add(old);
    return patch(old, child, dom, dispatch);
  });
  for (const old of olds) {
    if (!used.has(old)) {
      old.dom.remove();
    }
  }
  let place: ChildNode | null = dom.firstChild;
  for (const child of drawn) {
    if (child.dom === place) {
      place = place.nextSibling;
    } else {
      dom.insertBefore(child.dom, place);
    }
  }
  return drawn;
}

function replace(old: Drawn, node: Node | string, parent: Element, dispatch: Dispatch): Drawn {
  const drawn = create(node, parent, dispatch);
  old.dom.replaceWith(drawn.dom);
  return drawn;
}

function create(node: Node | string, parent: Element, dispatch: Dispatch): Drawn {
  if (typeof node === "string") {
    return { node, dom: document.createTextNode(node), children: [] };
  }
  if (node.tag === MATH) {
    return { node, dom: mathElement(node), children: [] };
  }
  const space = node.tag === "svg" || parent.namespaceURI === SVG ? SVG : null;
  const dom = space === null ? document.createElement(node.tag) : document.createElementNS(space, node.tag);
  const children = node.children.map((child) => create(child, dom, dispatch));
  dom.append(...children.map((child) => child.dom));
  setAttributes(dom, undefined, node);
  listen(dom, node, dispatch);
  return { node, dom, children };
}

function keyOf(node: Node | string): string {
  return typeof node === "string" ? "" : node.key;
}

function setAttributes(dom: Element, old: Node | undefined, node: Node): void {
  for (const name of Object.keys(old?.attributes ?? {})) {
    if (!(name in node.attributes)) {
      setAttribute(dom, name, undefined);
    }
  }
  for (const [name, value] of Object.entries(node.attributes)) {
    // A user changes the value and what is open without us: these are compared with the page, not with the last view.
    if (name === "value" || name === "open" || old?.attributes[name] !== value) {
      setAttribute(dom, name, value);
    }
  }
}

function setAttribute(dom: Element, name: string, value: Attribute): void {
  if (name === "value" && (dom instanceof HTMLInputElement || dom instanceof HTMLSelectElement)) {
    if (dom.value !== String(value)) {
      dom.value = String(value);
    }
  } else if (value === undefined || value === false) {
    if (dom.hasAttribute(name)) {
      dom.removeAttribute(name);
    }
  } else if (dom.getAttribute(name) !== (value === true ? "" : String(value))) {
    dom.setAttribute(name, value === true ? "" : String(value));
  }
}

const listening = new WeakMap<Element, { node: Node; readonly names: Set<string> }>();

/** One listener for each kind of event stays on the element and asks what the last view wants. */
function listen(dom: Element, node: Node, dispatch: Dispatch): void {
  const known = listening.get(dom) ?? { node, names: new Set<string>() };
  known.node = node;
  listening.set(dom, known);
  for (const name of Object.keys(node.on)) {
    if (!known.names.has(name)) {
      known.names.add(name);
      dom.addEventListener(name, (event) => {
        const message = known.node.on[name]?.(told(event, dom)) ?? null;
        if (message !== null) {
          if (name === "keydown" || name === "click") {
            event.preventDefault();
          }
          dispatch(message);
        }
      });
    }
  }
}

function told(event: Event, dom: Element): Told {
  const box = dom.getBoundingClientRect();
  const mouse = event instanceof MouseEvent ? event : undefined;
  return {
    value: dom instanceof HTMLInputElement || dom instanceof HTMLSelectElement ? dom.value : "",
    key: event instanceof KeyboardEvent ? event.key : "",
    open: dom instanceof HTMLDetailsElement && dom.open,
    x: mouse === undefined || box.width === 0 ? 0 : (mouse.clientX - box.left) / box.width,
    y: mouse === undefined || box.height === 0 ? 0 : (mouse.clientY - box.top) / box.height,
  };
}

function mathElement(node: Node): Element {
  const parsed = new DOMParser().parseFromString(String(node.attributes["source"]), "application/xml").documentElement;
  if (parsed.localName !== "math") {
    const text = document.createElement("code");
    text.textContent = String(node.attributes["fallback"]);
    return text;
  }
  return safeMath(parsed);
}

function safeMath(given: Element): Element {
  const made = document.createElementNS(MATHML, MATH_ELEMENTS.has(given.localName) ? given.localName : "mrow");
  for (const { name, value } of given.attributes) {
    if (MATH_ATTRIBUTES.has(name)) {
      made.setAttribute(name, value);
    }
  }
  for (const child of given.childNodes) {
    made.append(child instanceof Element ? safeMath(child) : (child.textContent ?? ""));
  }
  return made;
}
