/** Saves a file of the panel as browsers do. */

import type { File } from "./host";

export function downloaded({ name, mime, data }: File): void {
  const link = document.createElement("a");
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  link.href = URL.createObjectURL(new Blob([bytes], { type: mime }));
  link.download = name;
  link.click();
  setTimeout(() => {
    URL.revokeObjectURL(link.href);
  });
}
