// What a check of accessibility finds on the page; runs in the browser. Empty if nothing is wrong.
export function audit() {
  const found = [];
  const say = (what, element) => found.push(`${what}: ${element.outerHTML.slice(0, 160)}`);
  const seen = (element) => element.getClientRects().length > 0 && element.closest("[aria-hidden=true]") === null;
  const named = (element) =>
    element.getAttribute("aria-label")?.trim() ||
    [...(element.labels ?? [])].some((label) => label.textContent.trim()) ||
    (element.getAttribute("aria-labelledby") ?? "").split(" ").some((id) => document.getElementById(id)?.textContent.trim()) ||
    (!["INPUT", "SELECT"].includes(element.tagName) && element.textContent.trim());

  for (const element of document.querySelectorAll("button, input, select, summary, [tabindex], [role=region], [role=img], [role=group]")) {
    if (seen(element) && !named(element)) say("no name", element);
  }
  const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
  for (const id of new Set(ids.filter((each, index) => ids.indexOf(each) !== index))) found.push(`id twice: ${id}`);
  for (const element of document.querySelectorAll("[aria-labelledby], [aria-describedby], [aria-controls]")) {
    for (const name of ["aria-labelledby", "aria-describedby", "aria-controls"]) {
      for (const id of (element.getAttribute(name) ?? "").split(" ").filter(Boolean)) {
        if (!document.getElementById(id)) say(`${name} leads nowhere`, element);
      }
    }
  }
  let level = 0;
  for (const heading of document.querySelectorAll("h1, h2, h3, h4")) {
    const own = Number(heading.tagName[1]);
    if (own > level + 1) say("heading skips a level", heading);
    level = own;
  }
  for (const cell of document.querySelectorAll("th:not([scope])")) say("heading of no row or column", cell);
  for (const table of document.querySelectorAll("table")) {
    if (!table.querySelector("th")) say("table without headings", table);
  }
  for (const list of document.querySelectorAll("ul, ol")) {
    if ([...list.children].some((child) => child.tagName !== "LI")) say("list with other children", list);
  }
  if (!document.documentElement.lang) found.push("no language");
  if (document.querySelectorAll("main").length !== 1) found.push("not one main");
  if (!document.querySelector("[aria-live=polite]")) found.push("no live region");

  // Contrast of texts with the page, by WCAG 2: at least 4.5. What is switched off, or grey on purpose, is left out.
  // Mixed colours are told as "color(srgb 0.1 0.2 0.3)", all others as "rgb(26, 51, 76)".
  const parts = (colour) => {
    const [r, g, b, a = 1] = colour.match(/[\d.]+(e-\d+)?/g).map(Number);
    const whole = colour.startsWith("color(srgb") ? 255 : 1;
    return [r * whole, g * whole, b * whole, a];
  };
  const over = ([r, g, b, a = 1], [R, G, B]) => [a * r + (1 - a) * R, a * g + (1 - a) * G, a * b + (1 - a) * B];
  const light = (colour) => {
    const [r, g, b] = colour.map((each) => (each / 255 <= 0.04045 ? each / 255 / 12.92 : ((each / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = parts(getComputedStyle(at).backgroundColor);
      if ((colour[3] ?? 1) > 0) return over(colour, [255, 255, 255]);
    }
    return [255, 255, 255];
  };
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || !seen(element) || element.closest(":disabled, [aria-disabled='true'], .previous, .unseen, svg")) continue;
    const below = ground(element);
    const [one, other] = [light(over(parts(getComputedStyle(element).color), below)), light(below)].sort((a, b) => b - a);
    const contrast = (one + 0.05) / (other + 0.05);
    if (contrast < 4.5) say(`contrast ${contrast.toFixed(2)}`, element);
  }
  return found;
}
