/** A slider and a field for each parameter. */

import { type Parameter, real } from "../contract";
import { canBeLogarithmic, decimalText, isFixed, partOf, stepsOf, wrong } from "../domain";
import { isOpen, type Model, overrides, spanOf, valueOf } from "../model";
import { h, type Node } from "../tree";
import { holding } from "./holding";
import { button, section } from "./parts";

export function parameters(model: Model): Node | null {
  const all = model.results?.parameters ?? [];
  if (all.length === 0) {
    return null;
  }
  const moved = Object.keys(overrides(model)).length;
  return section(
    "parameters",
    ["Parameters", moved > 1 && button("reset all", { is: "reset", name: null }, { class: "link" })],
    h("div", { class: "sliders" }, ...all.flatMap((parameter) => row(model, parameter))),
  );
}

function row(model: Model, parameter: Parameter): Node[] {
  const { name } = parameter;
  const span = spanOf(model, parameter);
  const { text, value } = valueOf(model, parameter);
  const draft = model.drafts[name];
  const fault = draft === undefined ? "" : wrong(parameter, draft);
  const moved = name in overrides(model);
  const ranged = isOpen(model, `range ${name}`, false);
  const steps = stepsOf(parameter, span);
  const holds = holding(model, parameter);
  const slider = h("input", {
    type: "range",
    id: `slider-${name}`,
    min: 0,
    max: steps,
    step: 1,
    value: Math.round(partOf(span, value) * steps),
    disabled: isFixed(parameter),
    "aria-label": name,
    "aria-valuetext": `${text}, in ${parameter.domain}`,
    on: { input: (told) => ({ is: "slide", name, part: Number(told.value) / steps }) },
  });
  const field = h("input", {
    type: "text",
    inputmode: "decimal",
    spellcheck: "false",
    autocomplete: "off",
    value: draft ?? text,
    "aria-label": `value of ${name}`,
    "aria-invalid": fault === "" ? undefined : "true",
    "aria-describedby": fault === "" ? undefined : `fault-${name}`,
    on: {
      input: (told) => ({ is: "type", name, text: told.value }),
      change: (told) => ({ is: "enter", name, text: told.value }),
      keydown: (told) =>
        told.key === "Enter"
          ? { is: "enter", name, text: told.value }
          : told.key === "Escape"
            ? { is: "reset", name }
            : null,
    },
  });
  return [
    h(
      "code",
      { key: `name ${name}`, class: "name", title: [name, parameter.documentation].filter(Boolean).join(": ") },
      name,
    ),
    h("span", { key: `slider ${name}`, class: "track" }, slider, holds?.band ?? null),
    h("span", { key: `field ${name}`, class: "field" }, field),
    h(
      "span",
      { key: `tools ${name}`, class: "small" },
      button(
        "↺",
        { is: "reset", name },
        {
          class: "icon",
          // Not "disabled", which would take the focus from who just pressed it.
          "aria-disabled": moved || draft !== undefined ? undefined : "true",
          title: `back to ${parameter.overridden ? `the settings' value, ${decimalText(real(parameter.value))}` : `the text's value, ${parameter.default ?? "none"}`}`,
          "aria-label": `reset ${name}`,
        },
      ),
      parameter.stops === undefined &&
        button(
          "⋯",
          { is: "open", what: `range ${name}`, open: !ranged },
          {
            class: "icon",
            "aria-expanded": String(ranged),
            title: `range of the slider; ${name} is in ${parameter.domain}`,
            "aria-label": `range of ${name}`,
          },
        ),
    ),
    ...(fault === ""
      ? []
      : [h("p", { key: `fault ${name}`, class: "why row", id: `fault-${name}`, role: "alert" }, fault)]),
    ...(holds === null ? [] : [holds.words]),
    ...(ranged ? [range(model, parameter)] : []),
  ];
}

function range(model: Model, parameter: Parameter): Node {
  const { name } = parameter;
  const span = spanOf(model, parameter);
  const end = (which: "low" | "high", label: string): Node =>
    h("input", {
      type: "text",
      inputmode: "decimal",
      value: decimalText(span[which]),
      "aria-label": `${label} end of the range of ${name}`,
      on: { change: (told) => ({ is: "span", name, end: which, text: told.value }) },
    });
  return h(
    "p",
    { key: `range ${name}`, class: "range row" },
    "from ",
    end("low", "lower"),
    " to ",
    end("high", "upper"),
    canBeLogarithmic(parameter) &&
      button(
        "logarithmic",
        { is: "rescale", name },
        { "aria-pressed": String(span.logarithmic), title: "scale of the slider and of plots" },
      ),
    h(
      "span",
      { class: "aside" },
      ` ${name} in ${parameter.domain}`,
      parameter.documentation !== null && ` · ${parameter.documentation}`,
    ),
  );
}
