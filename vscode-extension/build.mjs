// Bundles the extension to out/extension.js, its form for browsers to out/web.js, and its panel to out/panel/; with --panel the panel alone, with --gallery the pages of the gallery to out/gallery/, with --play the page of `seepage play` and with --notebook the panel of notebooks, into the Python packages that serve them, with --test the unit tests to out/test/.
import { build } from "esbuild";
import { copyFileSync, readdirSync, rmSync } from "node:fs";

const shared = {
  bundle: true,
  platform: "node",
  target: "node18",
  format: "cjs",
  sourcemap: true,
  logLevel: "warning",
};

const web = () =>
  build({
    ...shared,
    platform: "browser",
    entryPoints: ["src/web.ts"],
    outfile: "out/web.js",
    external: ["vscode"],
    minify: true,
    sourcemap: false,
  });

if (process.argv.includes("--test")) {
  await web();
  rmSync("out/test", { recursive: true, force: true });
  // Modules that ask for VS Code are loaded by tests into a window of their own.
  await build({
    ...shared,
    entryPoints: ["client", "commands", "panel", "functions", "marks", "programs", "status", "walkthrough"].map(
      (name) => `src/${name}.ts`,
    ),
    outdir: "out/host",
    external: ["vscode", "vscode-languageclient/node"],
  });
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
} else if (process.argv.includes("--notebook")) {
  await build({
    bundle: true,
    minify: true,
    logLevel: "warning",
    target: "es2022",
    platform: "browser",
    format: "esm",
    entryPoints: { notebook: "panel/notebook.ts" },
    outdir: "../server/seepage_lsp/notebook/page",
    loader: { ".css": "text" },
  });
} else if (process.argv.includes("--play")) {
  const folder = "../server/seepage_play/page";
  const page = { bundle: true, minify: true, logLevel: "warning", target: "es2022" };
  await build({
    ...page,
    platform: "browser",
    format: "esm",
    entryPoints: { play: "play/page.ts" },
    outdir: folder,
    loader: { ".css": "text" },
  });
  await build({ ...page, entryPoints: { play: "play/play.css" }, outdir: folder });
  copyFileSync("play/index.html", `${folder}/index.html`);
  copyFileSync("images/icon.png", `${folder}/icon.png`);
} else if (process.argv.includes("--gallery")) {
  const page = { bundle: true, minify: true, logLevel: "warning", target: "es2022" };
  // No module: browsers load none from a file, and the pages work from a folder, too.
  await build({
    ...page,
    platform: "browser",
    format: "iife",
    entryPoints: { gallery: "gallery/page.ts" },
    outdir: "out/gallery",
    loader: { ".css": "text" },
  });
  await build({ ...page, entryPoints: { gallery: "gallery/gallery.css" }, outdir: "out/gallery" });
  await build({ ...shared, entryPoints: ["gallery/missing.ts"], outdir: "out/gallery", sourcemap: false });
} else {
  if (!process.argv.includes("--panel")) {
    await build({
      ...shared,
      entryPoints: ["src/extension.ts"],
      outfile: "out/extension.js",
      external: ["vscode"],
      minify: true,
    });
    await web();
    // Extensions for TOML read where the schema of a project file lies.
    copyFileSync("../docs/seepage.schema.json", "out/seepage.schema.json");
  }
  const page = { bundle: true, minify: true, logLevel: "warning", target: "chrome114" };
  // VS Code loads the panel's script; tests and other editors load `run` by itself, as a module. Style sheets of plots are
  // wanted twice: by the page, and as text in exported pictures.
  await build({
    ...page,
    platform: "browser",
    format: "esm",
    entryPoints: { panel: "panel/vscode.ts", run: "panel/run.ts" },
    outdir: "out/panel",
    loader: { ".css": "text" },
  });
  await build({ ...page, entryPoints: { panel: "panel/page.css" }, outdir: "out/panel" });
}
