import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { commandLineOf, findServer, startIn, type Surroundings } from "../src/server";

const NOWHERE: Surroundings = {
  platform: "linux",
  trusted: true,
  folders: ["/project"],
  userSetting: "",
  workspaceSetting: "",
  pythonSetting: "",
  interpreter: undefined,
  searchPath: "/usr/local/bin:/usr/bin",
  home: "/home/me",
  ownEnvironment: "/storage/environment",
  isExecutable: () => false,
  realPath: (file) => file,
};

function find(present: readonly string[], change: Partial<Surroundings> = {}): string {
  const finding = findServer({ ...NOWHERE, isExecutable: (file) => present.includes(file), ...change });
  switch (finding.kind) {
    case "found":
      return `${finding.origin} ${finding.command}`;
    case "wrongSetting":
      return `wrongSetting ${finding.path}`;
    case "missing":
      return finding.ignoredWorkspace ? "missing, workspace ignored" : "missing";
  }
}

const VENV = "/project/.venv/bin/seepage-lsp";
const ON_PATH = "/usr/bin/seepage-lsp";
const BESIDE_PYTHON = "/opt/python/bin/seepage-lsp";
const INSTALLED = "/storage/environment/bin/seepage-lsp";
const SELECTED = { interpreter: "/opt/python/bin/python3" };

suite("the order of the search", () => {
  test("the user's setting comes first", () => {
    const all = ["/mine/seepage-lsp", VENV, BESIDE_PYTHON, ON_PATH];
    assert.equal(find(all, { ...SELECTED, userSetting: "/mine/seepage-lsp" }), "setting /mine/seepage-lsp");
  });
  test("then the script beside the Python of the settings", () => {
    const change = { ...SELECTED, pythonSetting: "/my/python/bin/python" };
    assert.equal(find(["/my/python/bin/seepage-lsp", VENV], change), "setting /my/python/bin/seepage-lsp");
  });
  test("then the environment of the workspace", () => {
    assert.equal(find([VENV, BESIDE_PYTHON, ON_PATH, INSTALLED], SELECTED), `workspace ${VENV}`);
  });
  test("then the script beside the selected interpreter", () => {
    assert.equal(find([BESIDE_PYTHON, ON_PATH, INSTALLED], SELECTED), `interpreter ${BESIDE_PYTHON}`);
  });
  test("then PATH, in its order", () => {
    assert.equal(find([ON_PATH, "/usr/local/bin/seepage-lsp", INSTALLED]), "path /usr/local/bin/seepage-lsp");
  });
  test("last the extension's own environment", () => {
    assert.equal(find([INSTALLED]), `installed ${INSTALLED}`);
    assert.equal(find([INSTALLED], { ownEnvironment: undefined }), "missing");
  });
  test("the environment of a later folder counts too", () => {
    assert.equal(find([VENV], { folders: ["/other", "/project"] }), `workspace ${VENV}`);
  });
  test("without any of them it is missing", () => {
    assert.equal(find([]), "missing");
  });
});

suite("the setting", () => {
  test("a setting that names nothing runnable is told, and nothing else is tried", () => {
    assert.equal(find([VENV], { userSetting: "/gone/seepage-lsp" }), "wrongSetting /gone/seepage-lsp");
  });
  test("the workspace's setting overrides the user's", () => {
    const change = { userSetting: "/mine/seepage-lsp", workspaceSetting: "/theirs/seepage-lsp" };
    assert.equal(find(["/mine/seepage-lsp", "/theirs/seepage-lsp"], change), "setting /theirs/seepage-lsp");
  });
  test("~ is the home directory", () => {
    assert.equal(find(["/home/me/bin/s"], { userSetting: "~/bin/s" }), "setting /home/me/bin/s");
  });
  test("a relative path starts at the workspace, as does ${workspaceFolder}", () => {
    assert.equal(find(["/project/env/s"], { workspaceSetting: "env/s" }), "setting /project/env/s");
    assert.equal(find(["/project/env/s"], { workspaceSetting: "${workspaceFolder}/env/s" }), "setting /project/env/s");
  });
  test("blank means not set", () => {
    assert.equal(find([VENV], { userSetting: "  " }), `workspace ${VENV}`);
  });
});

suite("a workspace that is not trusted", () => {
  test("a link on PATH that leads into the workspace is passed over", () => {
    const realPath = (file: string): string => (file === ON_PATH ? "/project/evil" : file);
    assert.equal(find([ON_PATH], { trusted: false, realPath }), "missing, workspace ignored");
  });
  test("its environment is not run", () => {
    assert.equal(find([VENV], { trusted: false }), "missing, workspace ignored");
  });
  test("its setting is not read", () => {
    const change = { trusted: false, workspaceSetting: "/project/evil", userSetting: "" };
    assert.equal(find(["/project/evil", ON_PATH], change), `path ${ON_PATH}`);
  });
  test("an interpreter inside it is not followed", () => {
    const change = { trusted: false, interpreter: "/project/env/bin/python" };
    assert.equal(find(["/project/env/bin/seepage-lsp"], change), "missing, workspace ignored");
  });
  test("an entry of PATH inside it is passed over", () => {
    const change = { trusted: false, searchPath: "/project/bin:/usr/bin" };
    assert.equal(find(["/project/bin/seepage-lsp", ON_PATH], change), `path ${ON_PATH}`);
  });
  test("nothing in it is run, whichever setting names it", () => {
    const links = new Map([
      ["/mine/link", "/project/evil"],
      ["/mine/bin/python", "/mine/bin/python"],
      ["/mine/dir/seepage-lsp", "/project/bin/seepage-lsp"],
      ["/elsewhere/seepage-lsp", "/really/seepage-lsp"],
      ["/open", "/really"],
    ]);
    const realPath = (file: string): string => links.get(file) ?? file;
    const settings: readonly Partial<Surroundings>[] = [
      { userSetting: "${workspaceFolder}/.venv/bin/seepage-lsp" },
      { userSetting: ".venv/bin/seepage-lsp" },
      { userSetting: "./.venv/../evil" },
      { userSetting: "../project/evil" },
      { userSetting: "/mine/../project/evil" },
      { userSetting: "/project/evil" },
      { userSetting: "~/../../project/evil" },
      { userSetting: "/mine/link" },
      { userSetting: "/elsewhere/seepage-lsp", folders: ["/open"] },
      { userSetting: "evil", folders: [] },
      { userSetting: "/project/evil", folders: ["/other", "/project"] },
      { pythonSetting: "/project/env/bin/python" },
      { pythonSetting: "/mine/dir/python" },
      { pythonSetting: "/mine/../project/env/bin/python" },
      { pythonSetting: "env/bin/python", folders: [] },
      { interpreter: "/mine/dir/python" },
      { searchPath: "/mine/dir:/project/bin:/mine/../project/bin" },
      { ownEnvironment: "/project/.storage" },
    ];
    for (const setting of settings) {
      const change = { trusted: false, searchPath: "", ownEnvironment: undefined, ...setting, realPath };
      const found = findServer({ ...NOWHERE, isExecutable: () => true, ...change });
      assert.notEqual(found.kind, "found", JSON.stringify(setting));
    }
  });
  test("a user's setting that names something in it leaves the others to be tried", () => {
    const change = { trusted: false, userSetting: "${workspaceFolder}/.venv/bin/seepage-lsp" };
    assert.equal(find([VENV, ON_PATH], change), `path ${ON_PATH}`);
    assert.equal(find([VENV, ON_PATH], { ...change, trusted: true }), `setting ${VENV}`);
  });
  test("Windows compares paths without case, and by either slash", () => {
    const change = { platform: "win32", trusted: false, folders: ["C:\\Work"], searchPath: "" } as const;
    for (const userSetting of ["c:/work/evil.exe", "C:\\WORK\\x\\evil.exe", "evil.exe"]) {
      assert.notEqual(
        findServer({ ...NOWHERE, isExecutable: () => true, ownEnvironment: undefined, ...change, userSetting }).kind,
        "found",
      );
    }
  });
  test("Python is not led to code in it by variables or by the folder where it starts", () => {
    const around = { ...NOWHERE, trusted: false };
    const given = { PYTHONPATH: ".:/project/lib::/mine/lib:lib", PYTHONHOME: "/project/python", PATH: "/bin" };
    const started = startIn("/mine/bin/seepage-lsp", given, around);
    assert.equal(started.cwd, "/mine/bin");
    assert.equal(started.env?.["PYTHONPATH"], "/mine/lib");
    assert.equal(started.env["PYTHONHOME"], undefined);
    assert.equal(started.env["PATH"], "/bin");
    assert.deepEqual(startIn("/mine/bin/seepage-lsp", given, NOWHERE), {});
  });
  test("the user's own setting still counts", () => {
    assert.equal(find(["/mine/s"], { trusted: false, userSetting: "/mine/s" }), "setting /mine/s");
  });
  test("a folder whose name only starts alike is another folder", () => {
    const change = { trusted: false, searchPath: "/project-tools" };
    assert.equal(find(["/project-tools/seepage-lsp"], change), "path /project-tools/seepage-lsp");
  });
});

test("relative entries of PATH are never followed", () => {
  assert.equal(find(["bin/seepage-lsp", "seepage-lsp"], { searchPath: "bin:.:" }), "missing");
});

test("Windows has Scripts, .exe, and semicolons", () => {
  const windows: Partial<Surroundings> = { platform: "win32", folders: ["C:\\work"], searchPath: "D:\\bin;C:\\tools" };
  assert.equal(
    find(["C:\\work\\.venv\\Scripts\\seepage-lsp.exe"], windows),
    "workspace C:\\work\\.venv\\Scripts\\seepage-lsp.exe",
  );
  assert.equal(find(["C:\\tools\\seepage-lsp.exe"], windows), "path C:\\tools\\seepage-lsp.exe");
});

test("the command line stands beside the server", () => {
  assert.equal(commandLineOf("/env/bin/seepage-lsp", "linux"), "/env/bin/seepage");
  assert.equal(commandLineOf("C:\\env\\Scripts\\seepage-lsp.exe", "win32"), "C:\\env\\Scripts\\seepage.exe");
});
