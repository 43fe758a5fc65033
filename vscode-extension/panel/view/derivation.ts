/** The derivation: the annotated program, read from the bottom up, each step to be folded, each statement leading to its place. */

import type { DerivationLine, Explanation } from "../contract";
import { isOpen, type Model } from "../model";
import { drawable } from "../slots";
import { type Child, h, math, type Node } from "../tree";
import { DERIVATION } from "../wants";
import { button, foldable, quiet, shownIn } from "./parts";

export function derivation(model: Model): Node | null {
  const found = shownIn<Explanation>(model, DERIVATION);
  const drawn = drawable(found);
  if (found.kind === "nothing" && isOpen(model, "derivation")) {
    return null;
  }
  const title = drawn === null ? "Derivation" : `Derivation of ${drawn.value.title}`;
  return foldable(
    model,
    "derivation",
    title,
    found.kind === "failed"
      ? quiet(found.message)
      : drawn === null
        ? quiet("computing …")
        : sections(model, drawn.value, drawn.current),
  );
}

function sections(model: Model, explanation: Explanation, current: boolean): Node {
  const first = explanation.sections.findIndex(({ lines }) => isProof(lines));
  return h(
    "div",
    { class: current ? "" : "previous" },
    ...explanation.sections.flatMap(({ title, lines }, number) => {
      const id = `section ${explanation.title} ${String(number)}`;
      // The first shows how it goes; what follows from all of them is always wanted.
      const open = isOpen(model, id, (number === first && lines.length <= SHORT) || !isProof(lines));
      const folds = lines.length > 0;
      return [
        h(
          "h3",
          { key: `title ${String(number)}` },
          folds
            ? button(
                [h("span", { class: "fold", "aria-hidden": "true" }, open ? "▾" : "▸"), title],
                { is: "open", what: id, open: !open },
                {
                  class: "link code",
                  "aria-expanded": String(open),
                },
              )
            : title,
        ),
        open && folds && h("ol", { key: id, class: "steps", "aria-label": title }, ...steps(model, lines, id)),
      ];
    }),
  );
}

function isProof(lines: readonly DerivationLine[]): boolean {
  return lines.some((line) => line.kind === "statement");
}

/** The lines, those folded away left out. */
function steps(model: Model, lines: readonly DerivationLine[], of: string): Node[] {
  const found: Node[] = [];
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index];
    if (line === undefined) {
      break;
    }
    const id = `fold ${of} ${String(index)}`;
    // Which rule a step follows is for those who ask; what happens in a branch is for all.
    const inside = lines.slice(index + 1, index + 1 + line.folds);
    const open = isOpen(model, id, !inside.every((each) => each.kind === "why"));
    found.push(step(model, line, id, open, index));
    if (line.folds > 0 && !open) {
      index += line.folds;
    }
  }
  return found;
}

function step(model: Model, line: DerivationLine, id: string, open: boolean, index: number): Node {
  const toggle: Child =
    line.folds > 0
      ? button(
          open ? "▾" : "▸",
          { is: "open", what: id, open: !open },
          {
            class: "fold",
            "aria-expanded": String(open),
            "aria-label": `more about ${line.text}`,
          },
        )
      : h("span", { class: "fold" });
  const depth = Math.min(line.depth, 12);
  return h(
    "li",
    { key: String(index), class: `${line.kind} depth-${String(depth)}` },
    toggle,
    content(model, line, id),
    line.folds > 1 && !open && h("span", { class: "aside" }, ` … ${String(line.folds)} lines`),
  );
}

/** Lines of a derivation that is open at first. */
const SHORT = 40;
/** Characters of a line that is typeset: an expectation breaks between its terms. A longer one is text, which breaks between its words. */
const TYPESET = { expectation: 500, conclusion: 150 };
/** Characters of a line that is shown whole. */
const WHOLE = 320;

function content(model: Model, line: DerivationLine, id: string): Child {
  if (line.kind === "statement") {
    return line.range === null
      ? h("code", {}, line.text)
      : button(
          h("code", {}, line.text),
          { is: "jump", range: line.range },
          { class: "link code", title: `go to line ${String(line.range.start.line + 1)}` },
        );
  }
  if (line.kind === "why") {
    return h("span", { class: "reason" }, line.text);
  }
  if (line.mathml !== null && line.text.length <= TYPESET[line.kind]) {
    return math(line.mathml, line.text);
  }
  const whole = line.text.length <= WHOLE || isOpen(model, `whole ${id}`, false);
  return h(
    "span",
    {},
    h("code", {}, whole ? line.text : `${line.text.slice(0, WHOLE)} … `),
    !whole &&
      button(
        `${(line.text.length - WHOLE).toLocaleString("en")} more characters`,
        { is: "open", what: `whole ${id}`, open: true },
        { class: "link" },
      ),
  );
}
