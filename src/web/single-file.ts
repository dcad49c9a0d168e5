import type { Asset, Assets } from "../http/assets.ts";

export type SingleFile = {
  /** A page that the build made, without its ending. */
  readonly page: string;
  readonly title: string;
  /** What the page shows; its script reads it from the element `run`. */
  readonly data: unknown;
};

/**
 * A built page and its data in one file that makes no requests. Its policy allows exactly its own script and style, by
 * their hashes.
 */
export function printSingleFile(assets: Assets, { page, title, data }: SingleFile): string {
  const script = inScript(textOf(assets, page, "js"));
  const style = textOf(assets, page, "css").replaceAll("</", "<\\/");
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${title.replace(/[&<>"]/g, "")}</title>`,
    `<style>${style}</style>`,
    "</head>",
    "<body>",
    '<div id="page"></div>',
    `<script type="application/json" id="run">${JSON.stringify(data).replaceAll("<", "\\u003c")}</script>`,
    `<script type="module">${script}</script>`,
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

/** The one script, or style sheet, that a page names. */
function textOf(assets: Assets, page: string, ending: "js" | "css"): string {
  const html = assets.get(`/${page}.html`)?.bytes.toString("utf8") ?? "";
  const address = new RegExp(`"(/assets/[^"]+\\.${ending})"`).exec(html)?.[1] ?? "";
  const asset: Asset | undefined = assets.get(address);
  if (!asset) throw new Error(`the built page names no ${ending}`);
  return asset.bytes.toString("utf8");
}

/** Escapes a script, so that it cannot close its element. */
function inScript(text: string): string {
  return text.replace(/<(?=\/script|!--)/gi, "\\x3c");
}

function hashOf(text: string): string {
  const { createHash } = process.getBuiltinModule("node:crypto");
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
