// What Seepage asks of the Python extension, answered without it: no interpreter is selected until the command below selects one.
const vscode = require("vscode");

function activate(context) {
  let path = "";
  const changed = new vscode.EventEmitter();
  context.subscriptions.push(
    vscode.commands.registerCommand("seepage-probe.chooseInterpreter", (chosen) => {
      path = chosen;
      changed.fire({ path });
    }),
  );
  return {
    environments: {
      getActiveEnvironmentPath: () => ({ path }),
      onDidChangeActiveEnvironmentPath: changed.event,
      resolveEnvironment: async (environment) =>
        environment.path === "" ? undefined : { executable: { uri: vscode.Uri.file(environment.path) } },
    },
  };
}

module.exports = { activate };
