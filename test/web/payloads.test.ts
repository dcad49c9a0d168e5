import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ProposedFinding } from "../../src/docs/fix/proposal.ts";
import { findInvisibleCharacters, hidden } from "../../src/text/characters/invisible-characters.ts";
import { collectExport, printExport } from "../../src/web/review/export.ts";
import { makePayloads } from "./payloads.ts";
import {
  artefacts,
  type Bench,
  buildAssets,
  finding,
  launchBrowser,
  openBench,
  value,
  withoutBrowser,
} from "./review-fixture.ts";

const payloads = makePayloads(520);
const flat = (text: string): string => text.replace(/\s+/g, " ");

const perEdit = 2;
const edits = payloads.length / perEdit;
const payloadsOf = (edit: number): string[] => payloads.slice(edit * perEdit, (edit + 1) * perEdit);

/** An edit that brings in an invisible character has an obstacle instead of a preview. */
const held = Array.from({ length: edits }, (_, edit) => payloadsOf(edit)).filter((mine) =>
  mine.some((payload) => findInvisibleCharacters(payload).length > 0),
).length;

/**
 * First edits of real pages, each with a few payloads in the heading, the reason, the diff, the code and what a model
 * said; then edits with each of them as the name of the file.
 */
function hostileRun(): { files: Record<string, string>; findings: ProposedFinding[] } {
  const files: Record<string, string> = {};
  const worded = Array.from({ length: edits }, (_, i): ProposedFinding => {
    const mine = payloadsOf(i);
    const all = mine.join(" ");
    const path = `docs/page-${String(i).padStart(3, "0")}.md`;
    const items = mine.map((payload) => `- item ${payload}`).join("\n");
    files[path] = `# ${flat(all)} title\n\nBefore ${i}: ${all}\n\n${items}\n\nEnd ${i}.\n`;
    const edit = finding(path, `Before ${i}: `, `After ${mine.join("\n")} ${i}: `, {
      startLine: 3,
      endLine: 3,
      kind: `rename ${all}`,
      message: `reason ${i} \`${flat(all)}\` ${all}`,
      evidence: mine.map((payload) => ({
        path: `src/${payload}.ts`,
        revision: payload,
        startLine: i,
        endLine: i,
        before: `const before = "${payload}";`,
        after: `const after = '${payload}';`,
      })),
    });
    return { ...edit, by: `model ${all}` };
  });
  const named = payloads.map((payload, i) =>
    finding(`docs/${payload}.md`, "x", "y", { message: `name ${i}`, evidence: [] }),
  );
  return { files, findings: [...worded, ...named] };
}

type Watch = { readonly foreign: string[]; readonly dialogs: string[]; readonly errors: string[] };

async function watch(tab: Page, origin: string): Promise<Watch> {
  const seen: Watch = { foreign: [], dialogs: [], errors: [] };
  tab.on("request", (request) => {
    if (!request.url().startsWith(origin)) seen.foreign.push(request.url());
  });
  tab.on("dialog", (dialog) => {
    seen.dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  tab.on("pageerror", (error) => seen.errors.push(error.message));
  tab.on("popup", (popup) => seen.foreign.push(popup.url()));
  await tab.addInitScript(`
    window.__hits = 0; window.__blocked = [];
    window.__hit = () => { window.__hits++; };
    addEventListener("securitypolicyviolation", (event) => window.__blocked.push(event.blockedURI + " " + event.violatedDirective));
  `);
  return seen;
}

/**
 * Goes through edits in the page itself, page by page, looking for what only an injected element could be: forwards side
 * by side, backwards as previews, and then along the names in the list.
 */
const walk = (until: number): string => `(async () => {
  const press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  const next = () => new Promise((resolve) => setTimeout(resolve, 0));
  const hidden = new RegExp(${JSON.stringify(hidden().source)}, "u");
  const strays = [], unseen = [];
  // The link to the editor has a percent-encoded path and nothing but text in it.
  const isOwnLink = (element) => element.tagName === "A" && /^vscode:\\/\\/file\\/[^<>"\\s]+:\\d+$/.test(element.getAttribute("href") ?? "") && element.attributes.length === 2 && element.children.length === 0;
  let looks = 0;
  const look = () => {
    looks++;
    const page = document.getElementById("page");
    for (const element of page.querySelectorAll("a, script, img, iframe, object, embed, link, style, base, meta, form, video, audio, source, math, template, details[ontoggle], svg:not(.mark), [src], [href], [onload], [onerror], [onclick], [srcdoc]"))
      if (strays.length < 5 && !isOwnLink(element)) strays.push(element.outerHTML.slice(0, 200));
    const text = page.textContent;
    const found = hidden.exec(text);
    if (found && unseen.length < 5) unseen.push(found[0].codePointAt(0).toString(16) + " in " + text.slice(Math.max(0, found.index - 30), found.index + 30));
  };
  const position = () => Number((document.querySelector(".position")?.textContent ?? "").split(" of ")[0]);
  const step = async (key) => {
    const at = position();
    press(key);
    const late = performance.now() + 10000;
    while ((position() === at || document.querySelector(".loading")) && performance.now() < late) await next();
  };
  if (document.querySelector('[aria-label="edits by cause"]')) press("g");
  await next();
  while (position() > 1) await step("k");
  const shown = new Set();
  for (;;) {
    look();
    shown.add(position());
    if (position() >= ${until}) break;
    await step("j");
  }
  press("v"); await next(); look();
  press("v"); await next();
  let previews = 0, held = 0;
  for (;;) {
    look();
    previews += document.querySelectorAll(".markdown").length / 2;
    if (/brings in an invisible character/.test(document.querySelector(".note.warning")?.textContent)) held++;
    if (position() === 1) break;
    await step("k");
  }
  const box = document.querySelector(".list .windowed");
  const names = new Set();
  for (box.scrollTop = 0; ; box.scrollTop += box.clientHeight) {
    await new Promise(requestAnimationFrame);
    await next();
    look();
    for (const name of box.querySelectorAll("li .page-row .path")) names.add(name.textContent);
    if (box.scrollTop + box.clientHeight >= box.scrollHeight - 2) break;
  }
  for (const row of [...box.querySelectorAll("li .item-row")].slice(-5)) { row.click(); await next(); await next(); look(); }
  return { edits: shown.size, previews, held, names: names.size, looks, strays, unseen, hits: window.__hits, blocked: window.__blocked };
})()`;

type Walked = {
  edits: number;
  previews: number;
  held: number;
  names: number;
  looks: number;
  strays: string[];
  unseen: string[];
  hits: number;
  blocked: string[];
};

let browser: Browser;
let bench: Bench;

describe.skipIf(withoutBrowser !== null)(
  `hostile text in a browser${withoutBrowser ? `: ${withoutBrowser}` : ""}`,
  () => {
    beforeAll(async () => {
      const { files, findings } = hostileRun();
      bench = await openBench(files, findings, { model: payloads[2]!, source: "fix" });
      browser = await launchBrowser();
    });
    afterAll(async () => {
      await browser?.close();
      await bench?.close();
    });

    test("520 payloads in six fields: nothing runs, nothing is requested, nothing is hidden", async () => {
      const context = await browser.newContext({ viewport: { width: 1000, height: 560 } });
      const tab = await context.newPage();
      tab.setDefaultTimeout(120_000);
      const seen = await watch(tab, `http://127.0.0.1:${bench.server.port}/`);
      await tab.goto(bench.server.url);
      await tab.waitForSelector(".reason");
      const walked = (await tab.evaluate(walk(edits))) as Walked;
      await tab.screenshot({ path: join(artefacts, "hostile.png") });
      console.log(
        `${payloads.length} payloads × 6 fields, ${walked.edits} edits, ${walked.previews} previews, ${walked.held} held, ${walked.names} names, ${walked.looks} looks: ` +
          `executions ${walked.hits}, blocked by policy ${walked.blocked.length}, third-party requests ${seen.foreign.length}, dialogs ${seen.dialogs.length}`,
      );
      expect(walked).toMatchObject({ strays: [], unseen: [], hits: 0, blocked: [] });
      expect(walked).toMatchObject({ edits, held, previews: edits - held });
      expect(walked.names).toBe(edits + payloads.length);
      expect(seen).toEqual({ foreign: [], dialogs: [], errors: [] });
      await context.close();
    });

    test("the same in an export and in the history", async () => {
      const { reader, workspace } = bench.review.context;
      for (const reason of payloads.slice(0, 6)) {
        const plan = {
          path: "docs/page-000.md",
          target: { line: -1 },
          text: `${reason}\n`,
          reason,
          evidence: [],
        };
        const { applyEdits } = await import("../../src/tools/apply-edits.ts");
        value(
          await applyEdits({ ...bench.review.context, workspace, author: reason, force: true }, [plan], {
            reason,
          }),
        );
      }
      const exported = value(await collectExport(bench.desk, reader, "2026-01-02T03:04:05.000Z"));
      const folder = mkdtempSync(join(tmpdir(), "suture-export-"));
      const file = join(folder, "report.html");
      writeFileSync(file, printExport(await buildAssets(), exported));
      const context = await browser.newContext({ viewport: { width: 1000, height: 560 } });
      const tab = await context.newPage();
      tab.setDefaultTimeout(120_000);
      const seen = await watch(tab, `file://${file}`);
      await tab.goto(`file://${file}`);
      await tab.waitForSelector(".reason");
      const walked = (await tab.evaluate(walk(60))) as Walked;
      expect(walked).toMatchObject({ edits: 60, strays: [], unseen: [], hits: 0, blocked: [] });
      await tab.keyboard.press("h");
      await tab.locator(".moment").nth(5).waitFor();
      expect(await tab.evaluate("[window.__hits, window.__blocked.length]")).toEqual([0, 0]);
      expect(seen).toEqual({ foreign: [], dialogs: [], errors: [] });
      await context.close();
      rmSync(folder, { recursive: true, force: true });
    });

    test("the payloads would run on a page that trusts them", async () => {
      const tab = await browser.newPage();
      // Counted outside the page: some of them lead it elsewhere.
      let done = 0;
      await tab.exposeFunction("__hit", () => void done++);
      tab.on("request", () => void done++);
      await tab
        .setContent(payloads.slice(0, 120).join("\n"), { waitUntil: "domcontentloaded" })
        .catch(() => undefined);
      await expect.poll(() => done, { timeout: 90_000 }).toBeGreaterThan(10);
      await tab.close();
    });
  },
);
