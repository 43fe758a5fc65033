// Carries out the steps that appear as files in the folder SEEPAGE_PROBE, below the name of the window's folder, and writes what VS Code
// answered beside them. It uses only what VS Code itself offers: the same providers that its own hover, lenses and problems come from.
const vscode = require("vscode");
const fs = require("node:fs");
const path = require("node:path");

const PAUSE = 50; // milliseconds between two looks
const OURS = "seepage.seepage";
const SCHEME = "seepage-probe";

function activate(context) {
  const root = process.env.SEEPAGE_PROBE;
  if (!root) return;
  context.subscriptions.push(vscode.workspace.registerFileSystemProvider(SCHEME, new Elsewhere(path.join(root, "virtual"))));
  let ended = false;
  context.subscriptions.push({ dispose: () => (ended = true) });
  // Not waited for: the folder may be on the file system above, which is there when this function has returned.
  void firstFolder(context).then((folder) => {
    const desk = path.join(root, path.basename(folder.uri.path));
    fs.mkdirSync(desk, { recursive: true });
    return work(desk, () => ended);
  });
}

// The window reads the folders of a workspace from a file, at times only after the extensions have started.
async function firstFolder(context) {
  for (;;) {
    const folder = vscode.workspace.workspaceFolders?.[0];
    if (folder) return folder;
    await new Promise((resolve) => context.subscriptions.push(vscode.workspace.onDidChangeWorkspaceFolders(resolve)));
  }
}

// A file system that is not that of the machine, as far as extensions can tell: they see its scheme and its paths only.
class Elsewhere {
  constructor(root) {
    this.root = root;
    this.onDidChangeFile = new vscode.EventEmitter().event;
  }
  place(uri) {
    const place = path.join(this.root, uri.path);
    if (!fs.existsSync(place)) throw vscode.FileSystemError.FileNotFound(uri);
    return place;
  }
  watch() {
    return { dispose() {} };
  }
  stat(uri) {
    const found = fs.statSync(this.place(uri));
    const type = found.isDirectory() ? vscode.FileType.Directory : vscode.FileType.File;
    return { type, ctime: found.ctimeMs, mtime: found.mtimeMs, size: found.size };
  }
  readDirectory(uri) {
    const place = this.place(uri);
    return fs.readdirSync(place).map((name) => {
      const inside = fs.statSync(path.join(place, name)).isDirectory();
      return [name, inside ? vscode.FileType.Directory : vscode.FileType.File];
    });
  }
  readFile(uri) {
    return fs.readFileSync(this.place(uri));
  }
  writeFile(uri, content) {
    fs.writeFileSync(this.place(uri), content);
  }
  createDirectory(uri) {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
  delete(uri) {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
  rename(uri) {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
}

async function work(desk, ended) {
  while (!ended()) {
    for (const name of fs.readdirSync(desk).filter((one) => one.endsWith(".step"))) {
      const step = JSON.parse(fs.readFileSync(path.join(desk, name), "utf8"));
      fs.rmSync(path.join(desk, name));
      let answer;
      try {
        answer = { value: (await STEPS[step.do](step)) ?? null };
      } catch (error) {
        answer = { error: String(error && error.stack) };
      }
      const to = path.join(desk, name.replace(/step$/, "answer"));
      fs.writeFileSync(`${to}.part`, JSON.stringify(answer));
      fs.renameSync(`${to}.part`, to);
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

const STEPS = {
  async activate() {
    const started = performance.now();
    const extension = vscode.extensions.getExtension(OURS);
    const before = extension.isActive;
    await extension.activate();
    return { before, milliseconds: performance.now() - started };
  },
  async open({ file }) {
    await vscode.window.showTextDocument(await document(file));
    return true;
  },
  // Keys reach the window first, and extensions a little later.
  async text({ until, limit = 10 }) {
    return waitFor(limit, until, undefined, async () => vscode.window.activeTextEditor?.document.getText() ?? null);
  },
  async replace({ file, find, by }) {
    const text = await document(file);
    const edit = new vscode.WorkspaceEdit();
    const start = offset(text, find);
    edit.replace(text.uri, new vscode.Range(text.positionAt(start), text.positionAt(start + find.length)), by);
    return vscode.workspace.applyEdit(edit);
  },
  async select({ file, find, by = find }) {
    const text = await document(file);
    const start = offset(text, find) + find.indexOf(by);
    const selection = new vscode.Range(text.positionAt(start), text.positionAt(start + by.length));
    await vscode.window.showTextDocument(text, { selection });
    return true;
  },
  // What a double click takes, and what completion replaces.
  async words({ file }) {
    const text = await document(file);
    const found = new Set();
    for (let at = 0; at < text.getText().length; at++) {
      const range = text.getWordRangeAtPosition(text.positionAt(at));
      if (range) found.add(text.getText(range));
    }
    return [...found];
  },
  async save({ file }) {
    return (await document(file)).save();
  },
  async hover({ file, find, at = 0, until, limit = 60 }) {
    const text = await document(file);
    return waitFor(limit, until, undefined, async () => {
      const position = text.positionAt(offset(text, find) + at);
      const hovers = await vscode.commands.executeCommand("vscode.executeHoverProvider", text.uri, position);
      return hovers.flatMap((hover) => hover.contents.map((part) => (typeof part === "string" ? part : part.value)));
    });
  },
  async lenses({ file, until, unless, limit = 60 }) {
    const text = await document(file);
    return waitFor(limit, until, unless, async () => {
      const found = await vscode.commands.executeCommand("vscode.executeCodeLensProvider", text.uri, 100);
      return found.map((lens) => ({ line: lens.range.start.line, title: lens.command?.title ?? "", command: lens.command?.command ?? "" }));
    });
  },
  async diagnostics({ file, until, unless, limit = 60 }) {
    const text = await document(file);
    return waitFor(limit, until, unless, async () =>
      vscode.languages.getDiagnostics(text.uri).map((found) => ({
        message: found.message,
        source: found.source,
        severity: vscode.DiagnosticSeverity[found.severity],
        code: String(found.code?.value ?? found.code ?? ""),
        covers: text.getText(found.range),
        line: found.range.start.line,
      })),
    );
  },
  // Of a file that no editor has open, so that only tasks can have found them.
  async problems({ file, until, unless, limit = 60 }) {
    const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, file);
    return waitFor(limit, until, unless, async () =>
      vscode.languages.getDiagnostics(uri).map((found) => ({
        message: found.message,
        code: String(found.code?.value ?? found.code ?? ""),
        line: found.range.start.line,
      })),
    );
  },
  async fixes({ file, find }) {
    const text = await document(file);
    const start = offset(text, find);
    const range = new vscode.Range(text.positionAt(start), text.positionAt(start + find.length));
    const found = await vscode.commands.executeCommand("vscode.executeCodeActionProvider", text.uri, range);
    return found.map((action) => action.title);
  },
  async command({ name, arguments: given = [] }) {
    return (await vscode.commands.executeCommand(name, ...given)) ?? null;
  },
  async commands() {
    return vscode.commands.getCommands(true);
  },
  async setting({ section, key, value, everywhere = false }) {
    const target = everywhere ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace;
    await vscode.workspace.getConfiguration(section).update(key, value ?? undefined, target);
    return true;
  },
  async trusted() {
    return vscode.workspace.isTrusted;
  },
  async settings({ section, key }) {
    return vscode.workspace.getConfiguration(section).get(key) ?? null;
  },
  async task({ name }) {
    const task = (await vscode.tasks.fetchTasks({ type: "seepage" })).find((one) => one.name === name);
    if (!task) return "no such task";
    const ended = new Promise((resolve) => {
      const listener = vscode.tasks.onDidEndTaskProcess((event) => {
        if (event.execution.task.name !== name) return;
        listener.dispose();
        resolve(event.exitCode ?? null);
      });
    });
    await vscode.tasks.executeTask(task);
    return { ended: await ended };
  },
};

// Looks until the answer, as JSON, matches the one regular expression and not the other; the last answer stands either way.
async function waitFor(seconds, until, unless, look) {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const answer = await look();
    const seen = JSON.stringify(answer);
    const fine = (until === undefined || new RegExp(until).test(seen)) && !(unless && new RegExp(unless).test(seen));
    if (fine || Date.now() > deadline) return answer;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

async function document(file) {
  return vscode.workspace.openTextDocument(vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, file));
}

function offset(text, find) {
  const found = text.getText().indexOf(find);
  if (found < 0) throw new Error(`'${find}' is not in ${text.fileName}`);
  return found;
}

module.exports = { activate };
