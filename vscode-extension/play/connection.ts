/** Messages to the language server and back, over a WebSocket that is opened again whenever it breaks. */

import { REQUEST_CANCELLED, type RequestError, type ServerTold } from "../panel/host";

const GONE: RequestError = { code: -32803, message: "the language server has ended; another one is being started" };
const METHOD_NOT_FOUND = -32601;
const FIRST_WAIT = 200;
const LONGEST_WAIT = 5_000;
/** A server that has lived so long did not end because of what it was sent first. */
const SETTLED = 10_000;
const TOO_LARGE = 1009;
const TOO_MANY = 1013;
const ENDED = 4001;

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: RequestError;
}

export interface Events {
  /** The line is open: shake hands on it. What is sent before that has ended waits. */
  opened(line: Line): Promise<void>;
  notified(method: string, params: unknown): void;
  told(state: ServerTold): void;
}

/** What can be asked on a line that may not be ready for others yet. */
export interface Line {
  request(method: string, params: unknown): Promise<unknown>;
  notify(method: string, params: unknown): void;
}

interface Call {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

export class Connection implements Line {
  private socket: WebSocket | undefined;
  private ready = false;
  private waiting = new Map<number, Call>();
  private readonly whenReady = new Set<() => void>();
  private last = 0;
  private wait = FIRST_WAIT;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly address: string,
    private readonly events: Events,
  ) {}

  /** Whether messages arrive; those about texts are not kept, as all texts are sent anew. */
  get isReady(): boolean {
    return this.ready;
  }

  open(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const socket = new WebSocket(this.address);
    const since = Date.now();
    this.socket = socket;
    socket.onmessage = ({ data }: { readonly data: string }) => {
      this.receive(socket, JSON.parse(data) as Message);
    };
    socket.onopen = () => {
      this.events
        .opened({
          request: (method, params) => this.call(method, params),
          notify: (method, params) => {
            this.send({ method, params });
          },
        })
        .then(
          () => {
            this.ready = true;
            this.events.told({ health: "ok", message: null, action: null });
            for (const start of [...this.whenReady]) {
              start();
            }
          },
          () => {
            socket.close(); // and again
          },
        );
    };
    socket.onclose = ({ code, reason }) => {
      if (this.socket === socket) {
        this.broken(code, reason, Date.now() - since);
      }
    };
  }

  /** Open the line now, where it waits to be opened. */
  retry(): void {
    if (this.timer !== undefined) {
      this.open();
    }
  }

  notify(method: string, params: unknown): void {
    if (this.ready) {
      this.send({ method, params });
    }
  }

  /** Ask once the line is ready; rejects with a {@link RequestError}, or as the signal says. */
  request(method: string, params: unknown, signal?: AbortSignal): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const start = (): void => {
        this.whenReady.delete(start);
        const id = this.last + 1;
        this.call(method, params).then(resolve, reject);
        signal?.addEventListener("abort", () => {
          if (this.waiting.delete(id)) {
            this.notify("$/cancelRequest", { id });
          }
        });
      };
      signal?.addEventListener("abort", () => {
        this.whenReady.delete(start);
        reject(new DOMException("cancelled", "AbortError"));
      });
      if (signal?.aborted === true) {
        reject(new DOMException("cancelled", "AbortError"));
      } else if (this.ready) {
        start();
      } else {
        this.whenReady.add(start);
      }
    });
  }

  private call(method: string, params: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const id = ++this.last;
      this.waiting.set(id, { resolve, reject });
      this.send({ id, method, params });
    });
  }

  private send(message: Message): void {
    // A line that is being closed takes nothing any more: once it is, all calls that wait are rejected, and all texts are sent anew.
    if (this.socket?.readyState === WebSocket.OPEN) {
      this.socket.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
    }
  }

  private receive(socket: WebSocket, message: Message): void {
    if (socket !== this.socket) {
      return;
    }
    if (message.method === undefined) {
      const call = this.waiting.get(Number(message.id));
      this.waiting.delete(Number(message.id));
      if (message.error === undefined) {
        call?.resolve(message.result);
      } else {
        call?.reject(message.error);
      }
      return;
    }
    this.events.notified(message.method, message.params);
    if (message.id !== undefined) {
      // Refreshes are carried out as notifications; nothing else is announced, and so asked for.
      const known = message.method.endsWith("/refresh");
      const error = { code: METHOD_NOT_FOUND, message: `this page knows no '${message.method}'` };
      this.send({ id: message.id, ...(known ? { result: null } : { error }) });
    }
  }

  private broken(code: number, reason: string, lived: number): void {
    this.ready = false;
    const lost = this.waiting;
    this.waiting = new Map();
    for (const call of lost.values()) {
      call.reject(GONE);
    }
    this.wait = lived > SETTLED ? FIRST_WAIT : Math.min(2 * this.wait, LONGEST_WAIT);
    this.events.told(told(code, reason));
    this.timer = setTimeout(() => {
      this.open();
    }, this.wait);
  }
}

/** What a person is told of a line that has broken. */
function told(code: number, reason: string): ServerTold {
  switch (code) {
    case ENDED:
      return { health: "starting", message: "the language server is starting again …", action: null };
    case TOO_MANY:
      return { health: "error", message: `no language server for this page: ${reason}`, action: "Try Again" };
    case TOO_LARGE:
      return { health: "error", message: "the text is too long to be sent; make it shorter", action: "Try Again" };
    default:
      return {
        health: "error",
        message: "'seepage play' does not answer; what you have typed is kept in this page",
        action: "Try Again",
      };
  }
}

/** Whether a request was given up by whoever asked, which is no fault. */
export function isCancelled(error: unknown): boolean {
  return (
    (error instanceof DOMException && error.name === "AbortError") ||
    (error as Partial<RequestError>).code === REQUEST_CANCELLED
  );
}
