/** Runs a program to its end, line by line into a log; stopping it takes along what it started. */

import { spawn } from "node:child_process";

export interface Ended {
  /** The exit code; undefined if the program could not be started, was stopped, or took too long. */
  readonly code: number | undefined;
  /** Both streams, in the order in which they came. */
  readonly output: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly signal?: AbortSignal;
  /** Milliseconds. */
  readonly timeout?: number;
  readonly onLine?: (line: string) => void;
}

export type Run = (command: string, args: readonly string[], options?: RunOptions) => Promise<Ended>;

const LONGEST = 1_000_000;

export const run: Run = (command, args, options = {}) =>
  new Promise((resolve) => {
    const { cwd, signal, timeout, onLine } = options;
    let output = "";
    let rest = "";
    let stopped = false;
    // A group of its own, so that the compiler that pip started ends with pip.
    const grouped = process.platform !== "win32";
    const child = spawn(command, [...args], { cwd, detached: grouped, stdio: ["ignore", "pipe", "pipe"] });
    const stop = (): void => {
      stopped = true;
      if (grouped && child.pid !== undefined) {
        try {
          process.kill(-child.pid, "SIGKILL");
        } catch {
          // it has ended meanwhile
        }
      } else {
        child.kill();
      }
    };
    const timer = timeout === undefined ? undefined : setTimeout(stop, timeout);
    const end = (code: number | undefined): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      if (rest !== "") {
        onLine?.(rest);
      }
      resolve({ code: stopped ? undefined : code, output });
    };
    const take = (chunk: Buffer): void => {
      const text = chunk.toString("utf8");
      output = (output + text).slice(-LONGEST);
      const lines = (rest + text).split(/\r?\n/);
      rest = lines.pop() ?? "";
      lines.forEach((line) => onLine?.(line));
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    child.on("error", (error) => {
      output += error.message;
      end(undefined);
    });
    child.on("close", (code) => {
      end(code ?? undefined);
    });
    if (signal?.aborted === true) {
      stop();
    } else {
      signal?.addEventListener("abort", stop);
    }
  });
