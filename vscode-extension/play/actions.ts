/** The menu of actions at the cursor. */

import { StateEffect, StateField, type Extension } from "@codemirror/state";
import { EditorView, showTooltip, type Tooltip } from "@codemirror/view";
import { carryOut } from "./asking";
import type { CodeAction } from "./protocol";

const setMenu = StateEffect.define<Tooltip | null>();

/** Closes with any change, and where the cursor moves. */
export const actionMenu: Extension = StateField.define<Tooltip | null>({
  create: () => null,
  update: (tooltip, { effects, docChanged, selection }) => {
    const said = effects.find((effect) => effect.is(setMenu));
    return said === undefined ? (docChanged || selection !== undefined ? null : tooltip) : said.value;
  },
  provide: (field) => showTooltip.from(field),
});

/** Open the menu; without actions it says so. */
export function openMenu(view: EditorView, actions: readonly CodeAction[]): void {
  const pos = view.state.selection.main.head;
  const dom = document.createElement("div");
  dom.className = "actions";
  dom.setAttribute("role", "menu");
  dom.setAttribute("aria-label", "Actions at the cursor");
  const close = (): void => {
    view.dispatch({ effects: setMenu.of(null) });
    view.focus();
  };
  const items = actions.map((action) => {
    const item = document.createElement("button");
    item.setAttribute("role", "menuitem");
    item.textContent = action.title;
    item.onclick = () => {
      close();
      carryOut(view, action);
    };
    return item;
  });
  dom.append(...items);
  if (items.length === 0) {
    const none = document.createElement("button");
    none.setAttribute("role", "menuitem");
    none.textContent = "no action here";
    none.onclick = close;
    dom.append(none);
  }
  dom.onkeydown = (event) => {
    const all = [...dom.children] as HTMLElement[];
    const at = all.indexOf(document.activeElement as HTMLElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      all[(at + step + all.length) % all.length]?.focus();
    } else if (event.key === "Escape" || event.key === "Tab") {
      close();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const mount = (): void => {
    (dom.firstElementChild as HTMLElement | null)?.focus();
  };
  view.dispatch({ effects: setMenu.of({ pos, above: false, create: () => ({ dom, mount }) }) });
}
