/** The list of programs: the gallery in its groups, those of the folder, and the scratch file. */

import { type Listing, type Place, SCRATCH } from "./protocol";

interface Entry {
  readonly place: Place;
  readonly title: string;
  readonly shows: string;
}

export class Gallery {
  private listing: Listing | undefined;
  private current: Place | undefined;
  private changed: readonly Place[] = [];
  private readonly find: HTMLInputElement;
  private readonly list: HTMLElement;

  constructor(
    root: HTMLElement,
    private readonly chosen: (place: Place) => void,
    private readonly added: () => void,
  ) {
    this.find = document.createElement("input");
    this.find.type = "search";
    this.find.placeholder = "Find a program";
    this.find.setAttribute("aria-label", "Find a program");
    this.find.oninput = () => {
      this.draw();
    };
    this.list = document.createElement("div");
    root.append(this.find, this.list);
  }

  focus(): void {
    this.find.focus();
  }

  show(listing: Listing): void {
    this.listing = listing;
    this.draw();
  }

  /** Mark what is in the editor, and what has changes that are not saved. */
  mark(current: Place | undefined, changed: readonly Place[]): void {
    if (
      !same(current, this.current) ||
      changed.length !== this.changed.length ||
      !changed.every((each, index) => same(each, this.changed[index]))
    ) {
      this.current = current;
      this.changed = changed;
      this.draw();
    }
  }

  private draw(): void {
    const { listing } = this;
    if (listing === undefined) {
      return;
    }
    const focused = this.list.contains(document.activeElement)
      ? (document.activeElement as HTMLElement).dataset.key
      : undefined;
    const closed = new Set(
      [...this.list.querySelectorAll<HTMLDetailsElement>("details:not([open])")].map(({ dataset }) => dataset.group),
    );
    const words = this.find.value.toLowerCase().split(/\s+/);
    const wanted = ({ title, shows }: Entry): boolean =>
      words.every((word) => `${title} ${shows}`.toLowerCase().includes(word));
    const own = listing.names.map((name): Entry => ({
      place: { shelf: "folder", name },
      title: name,
      shows: `in ${listing.folder}`,
    }));
    const parts = [this.group(listing.folder, own.filter(wanted), closed)];
    for (const group of new Set(listing.examples.map((each) => each.group))) {
      const examples = listing.examples.filter((each) => each.group === group);
      const entries = examples.map(({ name, title, shows }): Entry => ({
        place: { shelf: "examples", name },
        title,
        shows,
      }));
      parts.push(this.group(group, entries.filter(wanted), closed));
    }
    const rest = document.createElement("ul");
    rest.className = "own";
    rest.append(
      this.item({ place: SCRATCH, title: "Scratch file", shows: "a place to try things, outside of the folder" }),
    );
    const make = document.createElement("li");
    make.append(button("New program …", "", this.added));
    rest.append(make);
    this.list.replaceChildren(...parts.filter((part) => part !== null), ...note(listing), rest);
    if (focused !== undefined) {
      [...this.list.querySelectorAll<HTMLElement>("[data-key]")]
        .find(({ dataset }) => dataset.key === focused)
        ?.focus();
    }
  }

  private group(name: string, entries: readonly Entry[], closed: ReadonlySet<string | undefined>): HTMLElement | null {
    if (entries.length === 0) {
      return null;
    }
    const details = document.createElement("details");
    details.dataset.group = name;
    details.open = !closed.has(name) || this.find.value !== "";
    const summary = document.createElement("summary");
    const count = document.createElement("span");
    count.textContent = String(entries.length);
    summary.append(`${name} `, count);
    const list = document.createElement("ul");
    list.append(...entries.map((entry) => this.item(entry)));
    details.append(summary, list);
    return details;
  }

  private item({ place, title, shows }: Entry): HTMLElement {
    const item = document.createElement("li");
    const changed = this.changed.some((each) => same(each, place));
    const shown = button(title, shows, () => {
      this.chosen(place);
    });
    shown.dataset.key = `${place.shelf} ${place.name}`;
    if (changed) {
      const mark = document.createElement("span");
      mark.className = "unsaved";
      mark.textContent = " not saved";
      shown.append(mark);
    }
    if (same(place, this.current)) {
      shown.setAttribute("aria-current", "true");
    }
    item.append(shown);
    return item;
  }
}

function note({ whole, names, folder }: Listing): HTMLElement[] {
  if (whole) {
    return [];
  }
  const told = document.createElement("p");
  told.className = "note";
  told.textContent = `The first ${String(names.length)} programs of ${folder}: there may be more.`;
  return [told];
}

function button(text: string, title: string, clicked: () => void): HTMLButtonElement {
  const made = document.createElement("button");
  made.textContent = text;
  made.title = title;
  made.onclick = clicked;
  return made;
}

export function same(one: Place | undefined, other: Place | undefined): boolean {
  return one?.shelf === other?.shelf && one?.name === other?.name;
}
