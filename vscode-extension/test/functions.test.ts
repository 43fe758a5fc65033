import assert from "node:assert/strict";
import { test } from "node:test";
import type * as functions from "../src/functions";
import type * as marks from "../src/marks";
import { editorOn, Window } from "./window";

const FILE = "file:///p/pin.py";
const KNOWN = [
  { name: "check", uri: `${FILE}#check`, start: { line: 4, character: 0 } },
  { name: "respond", uri: `${FILE}#respond`, start: { line: 20, character: 0 } },
];

test("of the functions of a Python file, the one at the cursor begins last before it", () => {
  const window = new Window();
  const known = window.load("functions") as typeof functions;
  const at = (line: number): never => editorOn("pin.py", 1, line, "python") as never;
  const document = editorOn("pin.py", 1, 0, "python").document as never;
  assert.equal(known.functionsOf(document).length, 0);
  assert.equal(known.programAt(at(0)), FILE);
  let told = 0;
  known.onDidLearn(() => (told += 1));
  known.learn(FILE, KNOWN);
  known.learn(FILE, [...KNOWN]);
  assert.equal(told, 1);
  assert.equal(known.functionsOf(document).length, 2);
  assert.deepEqual(
    [0, 4, 19, 20, 400].map((line) => known.programAt(at(line))),
    ["check", "check", "check", "respond", "respond"].map((name) => `${FILE}#${name}`),
  );
  known.learn(FILE, []);
  assert.equal(known.functionsOf(document).length, 0);
});

test("a program of a file has its name behind the file's", () => {
  const { partsOf } = new Window().load("functions") as typeof functions;
  const { file, name } = partsOf(`${FILE}#Class.method`);
  assert.deepEqual([file.toString(), name], [FILE, "Class.method"]);
  assert.equal(partsOf("file:///p/a.seep").name, "");
});

test("programs need the server, Python files only those with marks, and none where the setting says so", async () => {
  const window = new Window();
  const { needsServer } = window.load("marks") as typeof marks;
  const file = (languageId: string, text: string): never =>
    ({ ...editorOn("pin.py", 1, 0, languageId).document, getText: () => text }) as never;
  assert.equal(await needsServer(file("seep", "")), true);
  assert.equal(await needsServer(file("markdown", "seepage_marks")), false);
  assert.equal(await needsServer(file("python", "def f(x): return x")), false);
  assert.equal(await needsServer(file("python", "from seepage_marks import leakage")), true);
  window.settings.set("pythonFiles", false);
  assert.equal(await needsServer(file("python", "from seepage_marks import leakage")), false);
});
