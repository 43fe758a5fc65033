// Carries out the steps in the file SEEPAGE_PROBE_PLAN and writes what VS Code answered to SEEPAGE_PROBE_REPORT.
// It uses only what VS Code itself offers: the same providers that its own hover, lenses and problems come from.
const vscode = require("vscode");
const fs = require("node:fs");
const path = require("node:path");

const PAUSE = 100; // milliseconds between two looks

async function activate() {
  const { SEEPAGE_PROBE_PLAN: plan, SEEPAGE_PROBE_REPORT: report } = process.env;
  if (!plan || !report) return;
  const answers = [];
  try {
    for (const step of JSON.parse(fs.readFileSync(plan, "utf8"))) {
      const started = Date.now();
      const answer = await STEPS[step.do](step);
      answers.push({ ...step, answer, milliseconds: Date.now() - started });
    }
  } catch (error) {
    answers.push({ do: "failed", answer: String(error && error.stack) });
  }
  fs.writeFileSync(`${report}.part`, JSON.stringify(answers, null, 1));
  fs.renameSync(`${report}.part`, report);
}

const STEPS = {
  async open({ file }) {
    await vscode.window.showTextDocument(await document(file));
    return true;
  },
  async replace({ file, find, by }) {
    const text = await document(file);
    const edit = new vscode.WorkspaceEdit();
    const start = offset(text, find);
    edit.replace(text.uri, new vscode.Range(text.positionAt(start), text.positionAt(start + find.length)), by);
    return vscode.workspace.applyEdit(edit);
  },
  async save({ file }) {
    return (await document(file)).save();
  },
  async hover({ file, find, at = 0 }) {
    const text = await document(file);
    const position = text.positionAt(offset(text, find) + at);
    const hovers = await vscode.commands.executeCommand("vscode.executeHoverProvider", text.uri, position);
    return hovers.flatMap((hover) => hover.contents.map((part) => (typeof part === "string" ? part : part.value)));
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
        severity: vscode.DiagnosticSeverity[found.severity],
        code: String(found.code?.value ?? found.code ?? ""),
        covers: text.getText(found.range),
        line: found.range.start.line,
      })),
    );
  },
  async command({ name, arguments: given = [] }) {
    return (await vscode.commands.executeCommand(name, ...given)) ?? null;
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
  const folder = vscode.workspace.workspaceFolders[0].uri.fsPath;
  return vscode.workspace.openTextDocument(vscode.Uri.file(path.join(folder, file)));
}

function offset(text, find) {
  const found = text.getText().indexOf(find);
  if (found < 0) throw new Error(`'${find}' is not in ${text.fileName}`);
  return found;
}

module.exports = { activate };
