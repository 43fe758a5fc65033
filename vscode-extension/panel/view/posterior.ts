/** What the attacker believes about a secret after each output. */

import { type Bounds, type Chance, type Posterior, real } from "../contract";
import { channelOf, channels, isOpen, type Model } from "../model";
import { inPercent, percentText } from "../numbers";
import { drawable } from "../slots";
import { type Found, isLong, page, pageOf, SEARCH } from "../posteriors";
import { type Child, h, type Node } from "../tree";
import { POSTERIOR } from "../wants";
import { button, foldable, quiet, select, shownIn } from "./parts";

const COLUMNS = 8; // values of the secret that have a column each; more are drawn as a histogram
const ROWS = 12; // outputs to show at first

export function posterior(model: Model): Node | null {
  const row = channelOf(model);
  if (row === null) {
    return null;
  }
  const found = shownIn<Posterior>(model, POSTERIOR);
  const drawn = drawable(found);
  const rows = channels(model.results);
  const names = rows.map((each) => `${each.secret} given ${each.output}`);
  return foldable(
    model,
    "posterior",
    `What each value of ${row.output} tells about ${row.secret}`,
    rows.length > 1 &&
      select("secret and output", `${row.secret} given ${row.output}`, names, (name) => ({
        is: "channel",
        row: names.indexOf(name),
      })),
    found.kind === "failed"
      ? quiet(found.message)
      : drawn === null
        ? quiet("computing …")
        : h(
            "div",
            {
              class: drawn.current ? "wide" : "wide previous",
              tabindex: 0,
              role: "region",
              "aria-label": "posteriors",
            },
            isLong(drawn.value)
              ? pages(model, drawn.value, row.secret, row.output)
              : table(model, drawn.value, row.secret, row.output),
          ),
    drawn?.value.note != null && quiet(drawn.value.note),
  );
}

function table(model: Model, posterior: Posterior, secret: string, output: string): Child[] {
  const columns = posterior.prior.length <= COLUMNS ? posterior.prior.map((each) => each.value) : null;
  const every = [posterior.prior, ...posterior.outputs.map((each) => each.posterior)].flat();
  const most = Math.max(...every.map((each) => real(each.probability.value)), Number.MIN_VALUE);
  const all = isOpen(model, "all outputs", false);
  const shownOutputs = all ? posterior.outputs : posterior.outputs.slice(0, ROWS);
  const line = (heading: string, chance: Bounds | null, beliefs: readonly Chance[], key: string): Node =>
    h(
      "tr",
      { key, class: chance === null ? "prior" : "" },
      h("th", { scope: "row" }, chance === null ? heading : h("code", {}, heading)),
      h("td", { class: "digits" }, chance === null ? "" : percentText(inPercent(chance))),
      ...(columns === null
        ? [h("td", {}, histogram(beliefs, most)), h("td", {}, likeliest(beliefs))]
        : columns.map((value) =>
            h(
              "td",
              {},
              belief(
                beliefs.find((each) => each.value === value),
                posterior.prior.find((each) => each.value === value),
              ),
            ),
          )),
    );
  return [
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, h("code", {}, output)),
          h("th", { scope: "col" }, "happens"),
          ...(columns === null
            ? [h("th", { scope: "col" }, `beliefs about ${secret}`), h("th", { scope: "col" }, "likeliest")]
            : columns.map((value) => h("th", { scope: "col" }, h("code", {}, `${secret} = ${value}`)))),
        ),
      ),
      h(
        "tbody",
        {},
        line("before", null, posterior.prior, "prior"),
        ...shownOutputs.map((each) =>
          line(`${output} = ${each.value}`, each.probability, each.posterior, `output ${each.value}`),
        ),
      ),
    ),
    posterior.outputs.length > ROWS &&
      button(
        all ? "fewer outputs" : `all ${String(posterior.outputs.length)} outputs`,
        { is: "open", what: "all outputs", open: !all },
        { class: "link" },
      ),
  ].filter((each): each is Node => each !== false);
}

/** Thousands of values: a page of the outputs at a time, those of which something was searched for, and what is likeliest after each. */
function pages(model: Model, posterior: Posterior, secret: string, output: string): Child[] {
  const { outputs, from, count, text } = page(model, posterior, output);
  const turn = (label: string, by: number, last: boolean): Node =>
    button(label, { is: "type", name: pageOf(text), text: String(by) }, { disabled: last });
  return [
    h("input", {
      key: SEARCH,
      type: "search",
      class: "search",
      value: text,
      placeholder: "search values",
      "aria-label": `search values of ${secret} and ${output}`,
      on: { input: (told) => ({ is: "type", name: SEARCH, text: told.value }) },
    }),
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          ...[output, "happens", "values left", text === "" ? "likeliest" : "found, or likeliest"].map((head) =>
            h("th", { scope: "col" }, head),
          ),
        ),
      ),
      h(
        "tbody",
        {},
        beliefs("before", null, { output: { posterior: posterior.prior }, chance: null }),
        ...outputs.map((each) => beliefs(`${output} = ${each.output.value}`, each.output.probability, each)),
      ),
    ),
    h(
      "p",
      { class: "quiet", role: "status" },
      count === 0
        ? "nothing is called so"
        : `${String(from + 1)} to ${String(from + outputs.length)} of ${String(count)} values of ${output} `,
    ),
    h(
      "div",
      { class: "turn" },
      turn("previous", from - 1, from === 0),
      turn("next", from + outputs.length, from + outputs.length >= count),
    ),
  ];
}

function beliefs(
  heading: string,
  chance: Bounds | null,
  { output, chance: of }: Pick<Found, "chance"> & { readonly output: { readonly posterior: readonly Chance[] } },
): Node {
  return h(
    "tr",
    { key: `output ${heading}`, class: chance === null ? "prior" : "" },
    h("th", { scope: "row" }, chance === null ? heading : h("code", {}, heading)),
    h("td", { class: "digits" }, chance === null ? "" : percentText(inPercent(chance))),
    h("td", { class: "digits" }, String(output.posterior.length)),
    h("td", {}, likeliest(of === null ? output.posterior : [of])),
  );
}

/** A probability as a bar, with a tick where it was before. */
function belief(chance: Chance | undefined, before: Chance | undefined): Node {
  const bounds = chance?.probability ?? { lower: 0, value: 0, upper: 0 };
  const part = 100 * real(bounds.value);
  const tick = 100 * real(before?.probability.value ?? null);
  return h(
    "span",
    {},
    h(
      "span",
      { class: "bar", "aria-hidden": "true" },
      h(
        "svg",
        { viewBox: "0 0 100 1", preserveAspectRatio: "none" },
        h("rect", { width: part.toFixed(2), height: 1 }),
        Number.isFinite(tick) && h("rect", { class: "tick", x: Math.max(0, tick - 1).toFixed(2), width: 2, height: 1 }),
      ),
    ),
    h("span", { class: "digits" }, percentText(inPercent(bounds))),
  );
}

/** All rows on one scale, so that they can be compared. */
function histogram(beliefs: readonly Chance[], most: number): Node {
  const width = 100 / Math.max(1, beliefs.length);
  return h(
    "svg",
    {
      class: "histogram",
      viewBox: "0 0 100 20",
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": beliefs.map((each) => `${each.value}: ${percentText(inPercent(each.probability))}`).join(", "),
    },
    ...beliefs.map((each, index) => {
      const height = (20 * real(each.probability.value)) / most;
      return h("rect", {
        x: (index * width).toFixed(2),
        width: (0.85 * width).toFixed(2),
        y: (20 - height).toFixed(2),
        height: height.toFixed(2),
      });
    }),
  );
}

function likeliest(beliefs: readonly Chance[]): Child {
  const best = [...beliefs].sort((one, other) => real(other.probability.value) - real(one.probability.value))[0];
  return best === undefined
    ? ""
    : h("span", {}, h("code", {}, best.value), ` ${percentText(inPercent(best.probability))}`);
}
