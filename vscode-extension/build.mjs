// Bundles the extension to out/extension.js, and with --test the unit tests to out/test/.
import { build } from "esbuild";
import { readdirSync, rmSync } from "node:fs";

const shared = {
  bundle: true,
  platform: "node",
  target: "node18",
  format: "cjs",
  sourcemap: true,
  logLevel: "warning",
};

if (process.argv.includes("--test")) {
  rmSync("out/test", { recursive: true, force: true });
  const entryPoints = readdirSync("test")
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => `test/${name}`);
  // The tests import pure modules only; a bundle that asks for "vscode" would fail to load, and should.
  await build({
    ...shared,
    entryPoints,
    outdir: "out/test",
    external: ["vscode", "vscode-oniguruma", "vscode-textmate"],
  });
} else {
  await build({
    ...shared,
    entryPoints: ["src/extension.ts"],
    outfile: "out/extension.js",
    external: ["vscode"],
    minify: true,
  });
}
