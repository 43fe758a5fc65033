/** Which Python the server's environment is made with. Nothing here imports `vscode`. */

import * as path from "node:path";
import type { Run } from "./run";
import { mayRun, pathsOf, type Surroundings } from "./server";

export const OLDEST: readonly [number, number] = [3, 11];
const NEWEST = 14;

export interface Python {
  readonly command: string;
  readonly args: readonly string[];
  readonly version: readonly [number, number];
}

export type PythonFinding =
  | { readonly kind: "python"; readonly python: Python }
  | { readonly kind: "noPython" }
  | { readonly kind: "oldPython"; readonly command: string; readonly version: string };

interface Candidate {
  readonly command: string;
  readonly args: readonly string[];
}

/** What a Python is asked: its version; it ends otherwise than with 0 where the module for environments is missing. */
const QUESTION = "import sys, venv; print('python', *sys.version_info[:2])";
const PATIENCE = 15_000;

/**
 * Find a Python that is new enough: the one of the settings, that of the Python extension, the newest on PATH, the launcher of Windows.
 * What a workspace that is not trusted supplies is never run.
 */
export async function findPython(around: Surroundings, run: Run): Promise<PythonFinding> {
  const candidates = [...pythonCandidates(around)];
  const versions = await Promise.all(candidates.map((candidate) => versionOf(candidate, run)));
  let old: PythonFinding = { kind: "noPython" };
  for (const [index, candidate] of candidates.entries()) {
    const version = versions[index];
    if (version !== undefined && isNewEnough(version)) {
      return { kind: "python", python: { ...candidate, version } };
    }
    if (version !== undefined && old.kind === "noPython") {
      old = { kind: "oldPython", command: candidate.command, version: version.join(".") };
    }
  }
  return old;
}

export function* pythonCandidates(around: Surroundings): Generator<Candidate> {
  const allowed = (file: string): boolean => mayRun(file, around);
  for (const named of [around.pythonSetting, around.interpreter]) {
    if (named !== undefined && named !== "" && allowed(named)) {
      yield { command: named, args: [] };
    }
  }
  for (const name of names(around.platform)) {
    for (const file of onPath(name, around)) {
      if (allowed(file)) {
        yield { command: file, args: name.startsWith("py.") ? ["-3"] : [] };
      }
    }
  }
}

function names(platform: NodeJS.Platform): readonly string[] {
  if (platform === "win32") {
    return ["py.exe", "python.exe", "python3.exe"];
  }
  const minors = Array.from({ length: NEWEST - OLDEST[1] + 1 }, (_, index) => NEWEST - index);
  return [...minors.map((minor) => `python3.${String(minor)}`), "python3", "python"];
}

/** The absolute places on PATH; a relative entry would mean a place in the workspace. */
function* onPath(name: string, around: Surroundings): Generator<string> {
  const paths = pathsOf(around.platform);
  for (const directory of around.searchPath.split(paths.delimiter)) {
    if (paths.isAbsolute(directory)) {
      yield paths.join(directory, name);
    }
  }
}

async function versionOf(candidate: Candidate, run: Run): Promise<readonly [number, number] | undefined> {
  // -I: neither the open folder nor variables may put modules of their own in the way.
  const args = [...candidate.args, "-I", "-c", QUESTION];
  const { output } = await run(candidate.command, args, { timeout: PATIENCE, cwd: path.parse(process.cwd()).root });
  const found = /^python (\d+) (\d+)\s*$/m.exec(output);
  return found === null ? undefined : [Number(found[1]), Number(found[2])];
}

function isNewEnough([major, minor]: readonly [number, number]): boolean {
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}
