/**
 * The server's own environment in the extension's storage. Nothing here imports `vscode`.
 *
 * Each is built in a folder of its own; the file `server.json` names the one in use and is replaced in one step, so that a build that
 * fails, is cancelled, or runs in two windows at once leaves a working server in place.
 */

import { createHash, randomBytes } from "node:crypto";
import * as fs from "node:fs";
import * as path from "node:path";
import type { Python } from "./python";
import type { Ended, Run } from "./run";
import { pythonIn, scriptIn } from "./server";

const POINTER = "server.json";
const DAY = 86_400_000;

export interface Installed {
  /** Name of the folder in the storage. */
  readonly folder: string;
  /** The wheel that it was made from: its name and the start of its hash. */
  readonly wheel: string;
  readonly python: string;
}

export type Failure = "venv" | "network" | "space" | "pip" | "doctor" | "cancelled";

export type Built =
  { readonly kind: "built"; readonly installed: Installed } | { readonly kind: "failed"; readonly failure: Failure };

export interface Building {
  readonly python: Python;
  readonly wheel: string;
  readonly storage: string;
  readonly run: Run;
  readonly log: (line: string) => void;
  readonly report: (step: string) => void;
  readonly signal: AbortSignal;
  readonly platform: NodeJS.Platform;
}

/** Make an environment, install the wheel, let the server examine itself, and put it in use. */
export async function build(building: Building): Promise<Built> {
  const { python, wheel, storage, platform, signal } = building;
  fs.mkdirSync(storage, { recursive: true });
  const folder = `server-${randomBytes(4).toString("hex")}`;
  const environment = path.join(storage, folder);
  const inside = pythonIn(environment, platform);
  const steps: readonly Step[] = [
    {
      says: "making an environment",
      command: python.command,
      args: [...python.args, "-I", "-m", "venv", environment],
      blame: () => "venv",
    },
    {
      says: "installing the analysis",
      command: inside,
      args: [
        "-I",
        "-m",
        "pip",
        "install",
        "--disable-pip-version-check",
        "--no-input",
        "--no-color",
        "--retries",
        "2",
        wheel,
      ],
      blame: blameOfPip,
    },
    {
      says: "examining it",
      command: scriptIn(environment, platform, "seepage"),
      args: DOCTOR,
      blame: () => "doctor",
      passes: isHealthy,
    },
  ];
  for (const step of steps) {
    building.report(step.says);
    building.log(`$ ${[step.command, ...step.args].join(" ")}`);
    const ended = await building.run(step.command, step.args, { cwd: storage, signal, onLine: building.log });
    if (signal.aborted || !(step.passes?.(ended) ?? ended.code === 0)) {
      building.log(signal.aborted ? "cancelled" : `ended with ${String(ended.code ?? "no exit code")}`);
      fs.rmSync(environment, { recursive: true, force: true });
      return { kind: "failed", failure: signal.aborted ? "cancelled" : step.blame(ended) };
    }
  }
  const installed = { folder, wheel: wheelId(wheel), python: python.command };
  const part = path.join(storage, `${folder}.json`);
  fs.writeFileSync(part, JSON.stringify(installed));
  fs.renameSync(part, path.join(storage, POINTER));
  return { kind: "built", installed };
}

export const DOCTOR: readonly string[] = ["doctor", "--format", "json"];

/** Whether an examination went well. A server that has no such command yet has at least started. */
export function isHealthy({ code, output }: Ended): boolean {
  return code === 0 || (code === 2 && /No such command/i.test(output));
}

interface Step {
  readonly says: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly blame: (ended: Ended) => Failure;
  /** What counts as success; exit code 0 if nothing is said. */
  readonly passes?: (ended: Ended) => boolean;
}

/** What kept pip from installing, read off what it printed. */
export function blameOfPip({ output }: Ended): Failure {
  if (/No space left on device|Disk quota exceeded|Errno 28\b/i.test(output)) {
    return "space";
  }
  const network =
    /NewConnectionError|NameResolutionError|ConnectTimeoutError|ReadTimeoutError|ProxyError|SSLError|Max retries exceeded|Temporary failure in name resolution|Connection (refused|reset|broken)/i;
  return network.test(output) ? "network" : "pip";
}

/** The environment in use, if it is still there. */
export function readInstalled(storage: string): Installed | undefined {
  let found: unknown;
  try {
    found = JSON.parse(fs.readFileSync(path.join(storage, POINTER), "utf8"));
  } catch {
    return undefined; // none was made yet, or the file is no JSON
  }
  if (typeof found !== "object" || found === null) {
    return undefined;
  }
  const { folder, wheel, python } = found as Record<string, unknown>;
  return typeof folder === "string" && /^server-[0-9a-f]+$/.test(folder) && typeof wheel === "string"
    ? { folder, wheel, python: typeof python === "string" ? python : "" }
    : undefined;
}

/** Remove environments that have been out of use for a day: until then another window may still run one. */
export function removeOthers(storage: string): void {
  const kept = readInstalled(storage)?.folder;
  const names = kept !== undefined && fs.existsSync(storage) ? fs.readdirSync(storage) : [];
  for (const name of names.filter((one) => /^server-[0-9a-f]+$/.test(one) && one !== kept)) {
    const other = path.join(storage, name);
    if (Date.now() - fs.statSync(other).mtimeMs > DAY) {
      fs.rmSync(other, { recursive: true, force: true });
    }
  }
}

/** The wheel that the extension carries. */
export function bundledWheel(extension: string): string | undefined {
  const directory = path.join(extension, "server");
  const names = fs.existsSync(directory) ? fs.readdirSync(directory) : [];
  const wheel = names.find((name) => name.endsWith(".whl"));
  return wheel === undefined ? undefined : path.join(directory, wheel);
}

/** A wheel's name with its contents: builds of one version may differ. */
export function wheelId(wheel: string): string {
  const hash = createHash("sha256").update(fs.readFileSync(wheel)).digest("hex").slice(0, 16);
  return `${path.basename(wheel)} ${hash}`;
}
