/** Builds the pages of the web room into `dist/web`: each in one script and one style sheet, so that it can be exported. */
import { join } from "node:path";
import { build } from "vite";

const house = join(import.meta.dirname, "..");

/** One HTML file each, in `src/web/page`. */
const pages = ["review", "fleet"];

export async function buildPages(outDir: string): Promise<void> {
  for (const [i, page] of pages.entries())
    await build({
      configFile: false,
      root: join(house, "src", "web", "page"),
      base: "/",
      logLevel: "error",
      oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
      build: {
        outDir,
        emptyOutDir: i === 0,
        target: "es2023",
        modulePreload: false,
        // A policy without inline sources has no room for data URLs either.
        assetsInlineLimit: 0,
        rollupOptions: {
          input: join(house, "src", "web", "page", `${page}.html`),
          output: { codeSplitting: false },
        },
      },
    });
}

if (process.argv[1] === import.meta.filename) await buildPages(join(house, "dist", "web"));
