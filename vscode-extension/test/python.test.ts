import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { findPython } from "../src/python";
import type { Run } from "../src/run";
import type { Surroundings } from "../src/server";

const MACHINE: Surroundings = {
  platform: "linux",
  trusted: true,
  folders: ["/project"],
  userSetting: "",
  workspaceSetting: "",
  pythonSetting: "",
  interpreter: undefined,
  searchPath: "/usr/local/bin:/usr/bin:bin",
  home: "/home/me",
  ownEnvironment: undefined,
  isExecutable: () => false,
  realPath: (file) => file,
};

/** Search among programs that answer with a version; `broken` ones run and say nothing of use. */
async function find(present: Record<string, string>, change: Partial<Surroundings> = {}): Promise<string> {
  const asked: string[] = [];
  const run: Run = (command, args) => {
    asked.push(command);
    const version = present[command];
    assert.ok(args.includes("-I"), "a Python is asked in isolation");
    return Promise.resolve(
      version === undefined || version === "broken"
        ? { code: 1, output: "ModuleNotFoundError: No module named 'venv'" }
        : { code: 0, output: `python ${version.replace(".", " ")}\n` },
    );
  };
  const around = { ...MACHINE, isExecutable: (file: string) => file in present, ...change };
  const found = await findPython(around, run);
  assert.ok(asked.every((command) => command in present));
  switch (found.kind) {
    case "python":
      return [found.python.command, ...found.python.args].join(" ");
    case "oldPython":
      return `old ${found.version} ${found.command}`;
    case "noPython":
      return "none";
  }
}

suite("which Python makes the environment", () => {
  const all = {
    "/usr/bin/python3": "3.11",
    "/usr/bin/python3.13": "3.13",
    "/venv/bin/python": "3.12",
    "/my/py": "3.11",
  };

  test("the one of the settings first, then the selected interpreter, then the newest on PATH", async () => {
    const selected = { interpreter: "/venv/bin/python" };
    assert.equal(await find(all, { ...selected, pythonSetting: "/my/py" }), "/my/py");
    assert.equal(await find(all, selected), "/venv/bin/python");
    assert.equal(await find(all), "/usr/bin/python3.13");
  });
  test("one that is too old is passed over for a later one", async () => {
    const change = { interpreter: "/venv/bin/python" };
    assert.equal(await find({ "/venv/bin/python": "3.8", "/usr/bin/python3": "3.11" }, change), "/usr/bin/python3");
  });
  test("3.9 is older than 3.11, and 4.0 is not", async () => {
    assert.equal(await find({ "/usr/bin/python3": "3.9" }), "old 3.9 /usr/bin/python3");
    assert.equal(await find({ "/usr/bin/python3": "4.0" }), "/usr/bin/python3");
  });
  test("one that does not run, or has no environments, counts as none", async () => {
    assert.equal(await find({ "/usr/bin/python3": "broken" }), "none");
    assert.equal(await find({}), "none");
  });
  test("a relative entry of PATH is not followed", async () => {
    assert.equal(await find({ "bin/python3": "3.12" }), "none");
  });
  test("nothing that lies in a folder that is not trusted is run", async () => {
    const inside = { "/project/venv/bin/python": "3.12", "/project/bin/python3": "3.12" };
    const change = { interpreter: "/project/venv/bin/python", searchPath: "/project/bin" };
    assert.equal(await find(inside, change), "/project/venv/bin/python");
    assert.equal(await find(inside, { ...change, trusted: false }), "none");
  });
  test("Windows has a launcher, which is asked for Python 3", async () => {
    const windows: Partial<Surroundings> = { platform: "win32", searchPath: "C:\\Windows;C:\\Python" };
    const present = { "C:\\Windows\\py.exe": "3.12", "C:\\Python\\python.exe": "3.11" };
    assert.equal(await find(present, windows), "C:\\Windows\\py.exe -3");
  });
});
