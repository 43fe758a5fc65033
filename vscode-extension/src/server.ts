/**
 * Where the language server is: plain functions from what is known about the surroundings to a command.
 * Nothing here imports `vscode`, and nothing runs a program.
 */

import * as path from "node:path";

const SERVER = "seepage-lsp";

/** All that the search depends on, as the caller found it. */
export interface Surroundings {
  readonly platform: NodeJS.Platform;
  /** Whether the user trusts the workspace; if not, nothing that the workspace supplies may be executed. */
  readonly trusted: boolean;
  /** Absolute paths of the workspace's folders on this machine. */
  readonly folders: readonly string[];
  /** `seepage.server.path` from the user's own settings. */
  readonly userSetting: string;
  /** `seepage.server.path` from the workspace's or a folder's settings. */
  readonly workspaceSetting: string;
  /** `seepage.server.python` from the settings that may name it, expanded; empty if it is not set. */
  readonly pythonSetting: string;
  /** The interpreter chosen in the Python extension, if there is one. */
  readonly interpreter: string | undefined;
  /** The environment variable PATH. */
  readonly searchPath: string;
  /** The user's home directory, for `~`. */
  readonly home: string;
  /** The environment that the extension made for itself, apart from any workspace; undefined if it has none. */
  readonly ownEnvironment: string | undefined;
  readonly isExecutable: (file: string) => boolean;
  /** The path with symbolic links followed; the path itself where there is nothing. */
  readonly realPath: (file: string) => string;
}

export type Origin = "setting" | "workspace" | "interpreter" | "path" | "installed";

export type Finding =
  | { readonly kind: "found"; readonly command: string; readonly origin: Origin }
  /** The setting names something that cannot be run; nothing else is tried, for the user asked for this one. */
  | { readonly kind: "wrongSetting"; readonly path: string }
  | { readonly kind: "missing"; readonly ignoredWorkspace: boolean };

/** Find the server: settings, `.venv` of the workspace, selected interpreter, PATH, own environment, in this order. */
export function findServer(around: Surroundings): Finding {
  const setting = (around.trusted && around.workspaceSetting.trim()) || around.userSetting.trim();
  const named = setting === "" ? undefined : expand(setting, around);
  // A setting of the user's may still name a place in whatever folder is open: there, others are tried until the folder is trusted.
  if (named !== undefined && (around.trusted || !suppliedByWorkspace(named, around))) {
    return mayRun(named, around)
      ? { kind: "found", command: named, origin: "setting" }
      : { kind: "wrongSetting", path: named };
  }
  for (const [origin, command] of candidates(around)) {
    if (mayRun(command, around)) {
      return { kind: "found", command, origin };
    }
  }
  return { kind: "missing", ignoredWorkspace: !around.trusted && around.folders.length > 0 };
}

function* candidates(around: Surroundings): Generator<readonly [Origin, string]> {
  const paths = pathsOf(around.platform);
  if (paths.isAbsolute(around.pythonSetting)) {
    yield ["setting", paths.join(paths.dirname(around.pythonSetting), scriptName(around.platform))];
  }
  for (const folder of around.folders) {
    yield ["workspace", scriptIn(paths.join(folder, ".venv"), around.platform)];
  }
  if (around.interpreter !== undefined && paths.isAbsolute(around.interpreter)) {
    yield ["interpreter", paths.join(paths.dirname(around.interpreter), scriptName(around.platform))];
  }
  for (const directory of around.searchPath.split(paths.delimiter)) {
    // A relative entry would mean a place in the workspace.
    if (paths.isAbsolute(directory)) {
      yield ["path", paths.join(directory, scriptName(around.platform))];
    }
  }
  if (around.ownEnvironment !== undefined) {
    yield ["installed", scriptIn(around.ownEnvironment, around.platform)];
  }
}

/** A script in a virtual environment: the server's, if none is named. */
export function scriptIn(environment: string, platform: NodeJS.Platform, name = SERVER): string {
  return pathsOf(platform).join(environment, platform === "win32" ? "Scripts" : "bin", scriptName(platform, name));
}

/** The command line that belongs to a server: the script beside it. */
export function commandLineOf(server: string, platform: NodeJS.Platform): string {
  const paths = pathsOf(platform);
  return paths.join(paths.dirname(server), scriptName(platform, "seepage"));
}

/** The interpreter of a virtual environment. */
export function pythonIn(environment: string, platform: NodeJS.Platform): string {
  const windows = platform === "win32";
  return pathsOf(platform).join(environment, windows ? "Scripts" : "bin", windows ? "python.exe" : "python");
}

function scriptName(platform: NodeJS.Platform, name = SERVER): string {
  return platform === "win32" ? `${name}.exe` : name;
}

/**
 * Whether a file may be started: it can be, its place does not depend on the folder that a process happens to be in, and no folder without
 * trust supplies it. Every program that the extension starts has passed here.
 */
export function mayRun(file: string, around: Surroundings): boolean {
  const fixed = pathsOf(around.platform).isAbsolute(file);
  return fixed && around.isExecutable(file) && (around.trusted || !suppliedByWorkspace(file, around));
}

/** Variables by which Python finds code before that of its own environment. */
const CODE_OF_PYTHON = ["PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "PYTHONUSERBASE", "PYTHONPYCACHEPREFIX"] as const;

/**
 * The variables that a server gets, and the folder in which it starts. In a workspace that is not trusted, Python looks for code neither
 * there nor in the folder where it starts, so places that are relative, or in the workspace, are left out of the variables that name some.
 */
export function startIn(
  command: string,
  environment: Readonly<Record<string, string | undefined>>,
  around: Surroundings,
): { readonly cwd?: string; readonly env?: Record<string, string | undefined> } {
  if (around.trusted) {
    return {};
  }
  const paths = pathsOf(around.platform);
  const env = { ...environment };
  for (const name of CODE_OF_PYTHON) {
    const kept = (env[name] ?? "")
      .split(paths.delimiter)
      .filter((place) => paths.isAbsolute(place) && !suppliedByWorkspace(place, around));
    env[name] = kept.length > 0 ? kept.join(paths.delimiter) : undefined;
  }
  return { cwd: paths.dirname(command), env };
}

/** Whether a file lies in a folder of the workspace, by its own path or where links lead. */
export function suppliedByWorkspace(file: string, around: Surroundings): boolean {
  const folders = around.folders.flatMap((folder) => [folder, around.realPath(folder)]);
  return [file, around.realPath(file)].some((one) => folders.some((folder) => lies(one, folder, around.platform)));
}

function lies(file: string, folder: string, platform: NodeJS.Platform): boolean {
  const paths = pathsOf(platform);
  const relative = paths.relative(folder, file);
  return relative === "" || (relative.split(paths.sep)[0] !== ".." && !paths.isAbsolute(relative));
}

/** A path of the settings with `${workspaceFolder}` and `~` put in; a relative one starts at the first folder. */
export function expand(setting: string, around: Pick<Surroundings, "platform" | "folders" | "home">): string {
  const paths = pathsOf(around.platform);
  const first = around.folders[0] ?? "";
  const text = setting.replaceAll("${workspaceFolder}", first).replace(/^~(?=$|[/\\])/, around.home);
  return paths.isAbsolute(text) || first === "" ? text : paths.join(first, text);
}

export function pathsOf(platform: NodeJS.Platform): path.PlatformPath {
  return platform === "win32" ? path.win32 : path.posix;
}
