/**
 * Carries out wishes: the most important first, of each method one at a time, as the server answers them. A wish waits a moment whether it stays; what is no longer
 * wanted is cancelled, but where only newer values of the same are wanted the work gets a moment to end, so that numbers
 * move while a slider does.
 */

import { REQUEST_CANCELLED, type RequestError } from "./host";
import type { Want } from "./wants";

export interface Clock {
  now(): number;
  /** Call back later; returns how to call that off. */
  later(milliseconds: number, call: () => void): () => void;
}

export interface Outcome {
  answered(want: Want, value: unknown, seconds: number): void;
  failed(want: Want, error: unknown): void;
}

type Ask = (want: Want, signal: AbortSignal) => Promise<unknown>;

const GRACE = 300; // milliseconds
const AGAIN = 500; // milliseconds until a question is put again that another one of the window superseded

interface Running {
  readonly want: Want;
  readonly since: number;
  readonly abort: AbortController;
}

/** Returns the function to call with all present wishes, whenever they may have changed. */
export function lanes(ask: Ask, outcome: Outcome, clock: Clock): (wants: readonly Want[]) => void {
  const running = new Map<string, Running>();
  const seen = new Map<string, number>();
  const done = new Set<string>();
  let wanted: readonly Want[] = [];
  let callOff: (() => void) | undefined;

  const step = (): void => {
    callOff?.();
    callOff = undefined;
    const now = clock.now();
    let next = Infinity;
    for (const [slot, { want, since, abort }] of running) {
      const wish = wanted.find((each) => each.slot === slot);
      if (wish?.key !== want.key) {
        if (wish !== undefined && now - since < GRACE) {
          next = Math.min(next, since + GRACE);
        } else {
          running.delete(slot);
          abort.abort();
        }
      }
    }
    wanted.forEach((want, rank) => {
      if (running.has(want.slot) || done.has(identity(want))) {
        return;
      }
      const due = (seen.get(identity(want)) ?? now) + want.after;
      if (due > now) {
        next = Math.min(next, due);
        return;
      }
      const rival = [...running.values()].find((each) => each.want.method === want.method);
      if (rival === undefined) {
        start(want, now);
      } else if (rank < wanted.findIndex((each) => each.slot === rival.want.slot)) {
        // What matters less makes way, and comes back when its turn comes.
        if (now - rival.since >= GRACE) {
          running.delete(rival.want.slot);
          rival.abort.abort();
          start(want, now);
        } else {
          next = Math.min(next, rival.since + GRACE);
        }
      }
    });
    if (next < Infinity) {
      callOff = clock.later(next - now, step);
    }
  };

  const start = (want: Want, now: number): void => {
    const abort = new AbortController();
    const mine: Running = { want, since: now, abort };
    running.set(want.slot, mine);
    const ended = (): void => {
      if (running.get(want.slot) === mine) {
        running.delete(want.slot);
        done.add(identity(want));
      }
    };
    ask(want, abort.signal).then(
      (value) => {
        ended();
        if (!abort.signal.aborted) {
          outcome.answered(want, value, (clock.now() - now) / 1000);
        }
        step();
      },
      (error: unknown) => {
        ended();
        if (!abort.signal.aborted && isSuperseded(error)) {
          done.delete(identity(want));
          seen.set(identity(want), clock.now() + AGAIN);
        } else if (!abort.signal.aborted) {
          outcome.failed(want, error);
        }
        step();
      },
    );
  };

  return (wants) => {
    const now = clock.now();
    const identities = new Set(wants.map(identity));
    for (const known of [...seen.keys()]) {
      if (!identities.has(known)) {
        seen.delete(known);
        done.delete(known);
      }
    }
    for (const want of wants) {
      if (!seen.has(identity(want))) {
        seen.set(identity(want), now);
      }
    }
    wanted = wants;
    step();
  };
}

function isSuperseded(error: unknown): boolean {
  return (error as Partial<RequestError> | null)?.code === REQUEST_CANCELLED;
}

function identity(want: Want): string {
  return `${want.slot} ${want.key}`;
}
