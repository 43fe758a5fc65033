/** Runs the panel in a page: events in, page and requests out. */

import type { Position, Results } from "./contract";
import { copied, csv, fileName, picture } from "./exports";
import { CONTENT_MODIFIED, type Host, REQUEST_CANCELLED, type RequestError, type ServerTold } from "./host";
import { type Clock, lanes } from "./lanes";
import type { Exported, Message } from "./message";
import { EMPTY, isLeftOut, type Model, resumed } from "./model";
import { renderer } from "./patch";
import { type Effect, update } from "./update";
import { type Landmark, page } from "./view/page";

/** How much larger than on the page a picture in pixels is. */
const PIXELS = 3;

/** Start the panel in `root`, whose main part it is, or a part of a larger page; `plotStyle` is the style sheet of plots, which exported pictures carry. */
export function run(host: Host, root: HTMLElement, plotStyle: string, as: Landmark = "main"): void {
  let model: Model = resumed(host.state.load());
  let drawing = false;
  /** The derivation is to come into sight: until all of it is there, or the user goes elsewhere. */
  let seeking = false;
  const clock: Clock = {
    now: () => performance.now(),
    later: (milliseconds, call) => {
      const timer = setTimeout(call, milliseconds);
      return () => {
        clearTimeout(timer);
      };
    },
  };
  const draw = renderer(root, (message) => {
    dispatch(message);
  });
  const ask = lanes(
    (want, signal) => host.request(want.method, want.params, signal),
    {
      answered: (want, value, seconds) => {
        dispatch({
          is: "answer",
          slot: want.slot,
          key: want.key,
          base: want.base,
          subject: want.subject,
          value,
          seconds,
        });
      },
      failed: (want, error) => {
        dispatch({ is: "failure", slot: want.slot, key: want.key, message: reason(error) });
      },
    },
    clock,
  );

  const dispatch = (message: Message): void => {
    const step = update(model, message);
    model = step.model;
    step.effects.forEach(perform);
    if (!drawing) {
      drawing = true;
      requestAnimationFrame(() => {
        drawing = false;
        draw(page(model, as));
        if (seeking) {
          root.querySelector(".derivation")?.scrollIntoView();
          seeking =
            model.results === null ||
            (isLeftOut(model) === "" && Object.values(model.slots).some(({ phase }) => phase === "waiting"));
        }
      });
    }
  };

  const perform = (effect: Effect): void => {
    switch (effect.do) {
      case "ask":
        ask(effect.wants);
        break;
      case "fetch":
        void fetchResults(effect.uri);
        break;
      case "keep":
        host.state.save(effect.state);
        break;
      case "reveal":
        host.reveal(effect.uri, effect.range);
        break;
      case "seek":
        seeking = true;
        break;
      case "copy":
        host.copy(copied(model, effect.form));
        break;
      case "export":
        void exported(host, model, effect.file, plotStyle, root);
        break;
      case "command":
        host.notify("panel/command", { name: effect.name, uri: effect.uri });
        break;
    }
  };

  let fetching: AbortController | undefined;
  const fetchResults = async (uri: string): Promise<void> => {
    fetching?.abort();
    const mine = new AbortController();
    fetching = mine;
    try {
      const results = (await host.request("seepage/results", { textDocument: { uri } }, mine.signal)) as Results;
      if (!mine.signal.aborted) {
        dispatch({ is: "results", uri, results });
      }
    } catch (error) {
      if (!mine.signal.aborted) {
        dispatch({ is: "no results", uri, message: reason(error) });
      }
    }
  };

  host.onNotification((method, params) => {
    const message = toldBy(method, params);
    if (message !== null) {
      dispatch(message);
    }
  });
  for (const event of ["wheel", "pointerdown", "keydown"]) {
    window.addEventListener(event, () => {
      seeking = false;
    });
  }
  host.onTheme(() => {
    dispatch({ is: "repaint" });
  });
  draw(page(model, as));
  host.notify("panel/ready", { uri: model.document?.uri ?? null, pinned: model.pinned });
  if (model !== EMPTY && model.document !== null) {
    void fetchResults(model.document.uri);
  }
}

/** A notification as a message; null for what the panel does not know. */
export function toldBy(method: string, params: unknown): Message | null {
  const given = params as {
    readonly uri: string;
    readonly name: string;
    readonly measure: string;
    readonly at: Position;
  } & ServerTold;
  switch (method) {
    case "panel/document":
      return { is: "document", uri: given.uri, name: given.name };
    case "panel/cursor":
      return { is: "cursor", uri: given.uri, at: given.at };
    case "panel/focus":
      return { is: "focus", uri: given.uri, name: given.name, at: given.at };
    case "seepage/resultsChanged":
      return { is: "changed", uri: given.uri };
    case "panel/ask":
      return { is: "look", uri: given.uri, name: given.name, measure: given.measure };
    case "panel/explain":
      return { is: "explain", uri: given.uri, name: given.name, measure: given.measure };
    case "panel/server":
      return { is: "server", health: given.health, message: given.message, action: given.action };
    default:
      return null;
  }
}

function reason(error: unknown): string {
  const { code, message } = error as Partial<RequestError>;
  switch (code) {
    case CONTENT_MODIFIED:
      return "the text has changed meanwhile";
    case REQUEST_CANCELLED:
      return "cancelled";
    default:
      return message ?? "the language server did not answer";
  }
}

// --- files ----------------------------------------------------------------------------------------------------------

async function exported(host: Host, model: Model, file: Exported, plotStyle: string, root: HTMLElement): Promise<void> {
  const name = fileName(model, file.what, file.as);
  if (file.as === "csv") {
    const text = csv(model, file.what);
    if (text !== null) {
      host.save({ name, mime: "text/csv", data: base64(new TextEncoder().encode(text)) });
    }
    return;
  }
  const svg = picture(model, file.what, resolved(plotStyle, root));
  if (svg === null) {
    return;
  }
  if (file.as === "svg") {
    host.save({ name, mime: "image/svg+xml", data: base64(new TextEncoder().encode(svg)) });
  } else {
    host.save({ name, mime: "image/png", data: await png(svg) });
  }
}

/** The style sheet of plots with the colours that its variables have now, and the fonts and the paper of the panel. */
function resolved(style: string, root: HTMLElement): string {
  const computed = getComputedStyle(root);
  const colours = style
    .replace(/\/\*.*?\*\//gs, "")
    .replace(/var\((--[\w-]+)\)/g, (_, name: string) => computed.getPropertyValue(name).trim() || "currentColor");
  return `text { font-family: ${computed.fontFamily}; } .paper { fill: ${computed.getPropertyValue("--bg")}; } ${colours}`.replace(
    /\s+/g,
    " ",
  );
}

async function png(svg: string): Promise<string> {
  const image = new Image();
  image.src = `data:image/svg+xml;base64,${base64(new TextEncoder().encode(svg))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = PIXELS * image.naturalWidth;
  canvas.height = PIXELS * image.naturalHeight;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/png").replace(/^data:image\/png;base64,/, "");
}

function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
