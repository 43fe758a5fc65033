/** What the panel needs of this page. */

import { downloaded } from "../panel/download";
import type { Host } from "../panel/host";
import type { Connection } from "./connection";

const STATE = "seepage.panel";

type Listener = Parameters<Host["onNotification"]>[0];

export interface Panel {
  readonly host: Host;
  /** Tell the panel something. */
  tell: Listener;
}

/** Return a host for the panel; `notified` hears what it tells, `reveal` shows a place. */
export function panelHost(connection: Connection, notified: Listener, reveal: Host["reveal"]): Panel {
  const listeners: Listener[] = [];
  const host: Host = {
    request: (method, params, signal) => connection.request(method, params, signal),
    notify: notified,
    onNotification: (listener) => {
      listeners.push(listener);
    },
    state: {
      load: () => JSON.parse(sessionStorage.getItem(STATE) ?? "null") as unknown,
      save: (state) => {
        sessionStorage.setItem(STATE, JSON.stringify(state));
      },
    },
    copy: (text) => {
      void navigator.clipboard.writeText(text);
    },
    save: downloaded,
    reveal,
    onTheme: (listener) => {
      for (const query of ["(prefers-color-scheme: dark)", "(prefers-contrast: more)"]) {
        window.matchMedia(query).addEventListener("change", listener);
      }
    },
  };
  return {
    host,
    tell: (method, params) => {
      for (const listener of listeners) {
        listener(method, params);
      }
    },
  };
}
