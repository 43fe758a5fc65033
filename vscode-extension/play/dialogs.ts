/** Questions to the user, in dialogs of the browser, which keep the focus and give it back. */

export interface Question<T> {
  readonly title: string;
  readonly body: readonly (Node | string)[];
  /** The first is what Enter does. */
  readonly buttons: readonly (readonly [string, T])[];
}

let last = 0;

/** Ask, and return what was chosen; null if the dialog was closed. */
export function choose<T>({ title, body, buttons }: Question<T>): Promise<T | null> {
  const dialog = document.createElement("dialog");
  const heading = document.createElement("h2");
  heading.textContent = title;
  heading.id = `dialog-${String(++last)}`;
  dialog.setAttribute("aria-labelledby", heading.id);
  const form = document.createElement("form");
  form.method = "dialog";
  const row = document.createElement("p");
  row.className = "buttons";
  for (const [index, [label]] of buttons.entries()) {
    const button = document.createElement("button");
    button.textContent = label;
    button.value = String(index);
    row.append(button);
  }
  form.append(...body, row);
  dialog.append(heading, form);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.onclose = () => {
      dialog.remove();
      const chosen = dialog.returnValue === "" ? undefined : buttons[Number(dialog.returnValue)];
      resolve(chosen === undefined ? null : chosen[1]);
    };
  });
}

/** Ask for a name of a program; null if there is to be none. The name ends as those of programs do. */
export async function askName(title: string, given: string): Promise<string | null> {
  const label = document.createElement("label");
  const input = document.createElement("input");
  input.value = given;
  input.required = true;
  input.pattern = "[^\\\\:]*[^\\\\:\\/]";
  label.append("Name in the folder ", input);
  const chosen = await choose({ title, body: [label], buttons: [["Save", true]] });
  if (chosen === null) {
    return null;
  }
  const name = input.value.trim();
  return name.endsWith(".seep") ? name : `${name}.seep`;
}

export function paragraph(text: string): HTMLElement {
  const shown = document.createElement("p");
  shown.textContent = text;
  return shown;
}

/** A table of keys. */
export function keyTable(rows: readonly (readonly [string, string])[]): HTMLElement {
  const table = document.createElement("table");
  for (const [keys, does] of rows) {
    const row = table.insertRow();
    const key = document.createElement("th");
    key.scope = "row";
    const shown = document.createElement("kbd");
    shown.textContent = keys;
    key.append(shown);
    row.append(key);
    row.insertCell().textContent = does;
  }
  return table;
}
