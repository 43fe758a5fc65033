import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";

interface Manifest {
  readonly icon: string;
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly configuration: { readonly properties: Readonly<Record<string, unknown>> };
    readonly problemMatchers: readonly { readonly pattern: readonly { readonly regexp: string }[] }[];
    readonly walkthroughs: readonly { readonly steps: readonly Step[] }[];
  };
  readonly capabilities: { readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] } };
}
interface Step {
  readonly description: string;
  readonly media: { readonly image?: string; readonly markdown?: string };
  readonly completionEvents: readonly string[];
}

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Manifest;
const commands = new Set(manifest.contributes.commands.map(({ command }) => command));
const steps = manifest.contributes.walkthroughs.flatMap((one) => one.steps);

test("every setting is in the README", () => {
  const readme = readFileSync("README.md", "utf8");
  for (const setting of Object.keys(manifest.contributes.configuration.properties)) {
    assert.ok(readme.includes(`\`${setting}\``), setting);
  }
});

test("no command has the name of one of the server, which the client registers for it", () => {
  for (const taken of ["analyze", "explain", "measure", "plotData", "cancel"]) {
    assert.ok(!commands.has(`seepage.${taken}`), taken);
  }
});

test("the walkthrough's pictures, pages and commands are there", () => {
  for (const { description, media, completionEvents } of steps) {
    assert.ok(existsSync(media.image ?? media.markdown ?? ""), `${String(media.image ?? media.markdown)} is there`);
    const called = [...description.matchAll(/command:(seepage\.\w+)/g)].map((match) => match[1] ?? "");
    const waited = completionEvents.filter((one) => one.startsWith("onCommand:")).map((one) => one.slice(10));
    assert.deepEqual(
      [...called, ...waited].filter((command) => !commands.has(command)),
      [],
    );
    assert.ok(completionEvents.length > 0);
  }
});

test("paths of programs may not come from a folder that is not trusted", () => {
  const restricted = manifest.capabilities.untrustedWorkspaces.restrictedConfigurations;
  assert.deepEqual([...restricted].sort(), ["seepage.server.path", "seepage.server.python"]);
});

test("the problem matcher reads what 'seepage check' prints", () => {
  const { regexp = "" } = manifest.contributes.problemMatchers[0]?.pattern[0] ?? {};
  const found = new RegExp(regexp).exec("a b/c.seep:3:15: error[SEEP420]: probability outside [0, 1]: 6/5");
  assert.deepEqual(found?.slice(1), ["a b/c.seep", "3", "15", "error", "SEEP420", "probability outside [0, 1]: 6/5"]);
});
