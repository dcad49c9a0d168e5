import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { accept, type Outcome, refuse } from "../text/model/outcome.ts";
import { deny, send } from "./response.ts";
import type { Exchange } from "./server.ts";

/** The files of the built pages, by URL path. They are read once, and no other file is ever served. */
export type Assets = ReadonlyMap<string, Asset>;
export type Asset = { readonly type: string; readonly bytes: Buffer };

const types: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
};

/** Reads the pages that the build made. */
export function readAssets(folder: string): Outcome<Assets> {
  if (!existsSync(join(folder, "assets")))
    return refuse({
      code: "unavailable",
      detail: "the page is not built; in a checkout, `npm run build` builds it",
    });
  const assets = new Map<string, Asset>();
  const add = (path: string, file: string): void => {
    const type = types[file.slice(file.lastIndexOf(".") + 1)];
    if (type !== undefined) assets.set(path, { type, bytes: readFileSync(join(folder, file)) });
  };
  for (const file of readdirSync(folder)) if (file.endsWith(".html")) add(`/${file}`, file);
  for (const file of readdirSync(join(folder, "assets"))) add(`/assets/${file}`, `assets/${file}`);
  return accept(assets);
}

/** Serves one file; `/` serves `index`. Without assets, every path is missing. */
export function serveAsset(
  { head: { method, url }, response }: Exchange,
  assets: Assets | undefined,
  { index }: { readonly index: string },
): void {
  const asset = assets?.get(url === "/" ? index : url);
  if (!asset) deny(response, { status: 404 });
  else if (method !== "GET" && method !== "HEAD")
    deny(response, { status: 405, headers: { Allow: "GET, HEAD" } });
  else send(response, { type: asset.type, body: method === "HEAD" ? "" : asset.bytes });
}

/** The folder that the build writes to, for the package that a module is in. */
export function builtPages(module: string): string {
  let folder = dirname(fileURLToPath(module));
  while (!existsSync(join(folder, "package.json")) && dirname(folder) !== folder) folder = dirname(folder);
  return join(folder, "dist", "web");
}
