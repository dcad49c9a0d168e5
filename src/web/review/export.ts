import type { Asset, Assets } from "../../http/assets.ts";
import { accept, type Outcome } from "../../text/model/outcome.ts";
import type { Reader } from "../../workspace/workspace.ts";
import { readHistory } from "./history.ts";
import type { ReviewSession } from "./review-session.ts";
import type { Exported, ItemView } from "./view.ts";

/** Collects the data of an exported page. */
export async function collectExport(
  session: ReviewSession,
  reader: Reader,
  time: string,
): Promise<Outcome<Exported>> {
  const run = await session.run();
  const views: ItemView[] = [];
  for (const { key } of run.items) {
    const view = await session.view(key, { whole: true });
    if (!view.ok) return view;
    views.push({ ...view.value, hash: null });
  }
  const { roots: _local, ...shown } = run;
  return accept({ run: shown, views, history: await readHistory(reader, { limit: 500 }), time });
}

/**
 * The page and a run in one file that makes no requests. Its policy allows exactly its own script and
 * style, by their hashes.
 */
export function printExport(assets: Assets, exported: Exported): string {
  const script = inScript(textOf(assets, "js"));
  const style = textOf(assets, "css").replaceAll("</", "<\\/");
  const data = JSON.stringify(exported).replaceAll("<", "\\u003c");
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
    "<title>Suture review</title>",
    `<style>${style}</style>`,
    "</head>",
    "<body>",
    '<div id="page"></div>',
    `<script type="application/json" id="run">${data}</script>`,
    `<script type="module">${script}</script>`,
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

/** The one script, or style sheet, that the review page names. */
function textOf(assets: Assets, ending: "js" | "css"): string {
  const html = assets.get("/review.html")!.bytes.toString("utf8");
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
