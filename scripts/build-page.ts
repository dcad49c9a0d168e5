/**
 * Builds the pages, each in one script and one style sheet: those of the commands into `dist/web`, so that they can be
 * exported, that of the fleet into its package, and with `--site FOLDER` the one on which visitors of the site try it.
 */
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { build, type Plugin } from "vite";
import { GRAMMARS } from "../src/syntax/languages/registry.ts";
import { readGrammar } from "../src/syntax/source/grammars.ts";

const house = join(import.meta.dirname, "..");

/** One HTML file each. */
const pages = ["src/web/page/review", "src/web/page/claims"];

export async function buildPages(outDir: string): Promise<void> {
  for (const [i, page] of pages.entries()) await buildPage(page, { outDir, base: "/", emptyOutDir: i === 0 });
}

export async function buildFleetPage(outDir: string): Promise<void> {
  await buildPage("packages/fleet/page/fleet", { outDir, base: "/", emptyOutDir: true });
}

/** The page for visitors, as a folder that works at any address. */
export async function buildTryPage(outDir: string): Promise<void> {
  await buildPage("src/web/page/try", { outDir, base: "./", emptyOutDir: true, plugins: [driftInBrowser] });
  renameSync(join(outDir, "try.html"), join(outDir, "index.html"));
  mkdirSync(join(outDir, "grammars"));
  for (const grammar of GRAMMARS)
    writeFileSync(join(outDir, "grammars", `${grammar.name}.wasm`), readGrammar(grammar));
}

/** Puts the files that know the browser in the place of those that know Node. */
const driftInBrowser: Plugin = {
  name: "drift-in-browser",
  enforce: "pre",
  resolveId(id, importer) {
    if (id === "suture:look") return join(house, "src/web/try/look.ts");
    if (id === "node:module") return join(house, "src/web/try/require.ts");
    if (id === "./grammars.ts" && importer?.includes("/syntax/source/"))
      return join(house, "src/web/try/grammars.ts");
    return null;
  },
};

type Place = {
  readonly outDir: string;
  readonly base: string;
  readonly emptyOutDir: boolean;
  readonly plugins?: Plugin[];
};

async function buildPage(page: string, { outDir, base, emptyOutDir, plugins = [] }: Place): Promise<void> {
  await build({
    configFile: false,
    root: join(house, dirname(page)),
    base,
    plugins,
    logLevel: "error",
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    build: {
      outDir,
      emptyOutDir,
      target: "es2023",
      modulePreload: false,
      // A policy without inline sources has no room for data URLs either.
      assetsInlineLimit: 0,
      rollupOptions: {
        input: join(house, `${page}.html`),
        output: { codeSplitting: false },
      },
    },
  });
}

if (process.argv[1] === import.meta.filename) {
  const [flag, folder] = process.argv.slice(2);
  if (flag === "--site" && folder) await buildTryPage(resolve(folder));
  else {
    await buildPages(join(house, "dist", "web"));
    await buildFleetPage(join(house, "packages", "fleet", "dist", "web"));
  }
}
