import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { accept, type Outcome, refuse } from "../text/model/outcome.ts";

/** A file of the page as it is served: a fixed map, read once, and nothing else is ever served. */
export type Asset = { readonly type: string; readonly bytes: Buffer };
export type Assets = ReadonlyMap<string, Asset>;

const types: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
};

/** The page as it was built, by the address of each file. */
export function readAssets(folder: string = builtPage()): Outcome<Assets> {
  if (!existsSync(join(folder, "review.html")))
    return refuse({
      code: "unavailable",
      detail: "the review page is not built; in a checkout, `npm run build` builds it",
    });
  const assets = new Map<string, Asset>();
  const add = (address: string, file: string): void => {
    const type = types[file.slice(file.lastIndexOf(".") + 1)];
    if (type !== undefined) assets.set(address, { type, bytes: readFileSync(join(folder, file)) });
  };
  for (const file of readdirSync(folder)) if (file.endsWith(".html")) add(`/${file}`, file);
  for (const file of readdirSync(join(folder, "assets"))) add(`/assets/${file}`, `assets/${file}`);
  return accept(assets);
}

/** Where the build puts the page: in the package, and in a checkout. */
function builtPage(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json")) && dirname(folder) !== folder) folder = dirname(folder);
  return join(folder, "dist", "web");
}
