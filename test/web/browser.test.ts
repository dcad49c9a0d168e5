import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { collectExport, printExport } from "../../src/web/review/export.ts";
import { openReview } from "../../src/web/review/open-review.ts";
import {
  artefacts,
  type Bench,
  buildAssets,
  finding,
  installPage,
  launchBrowser,
  openBench,
  runId,
  value,
  withoutBrowser,
} from "./review-fixture.ts";

const page = [
  "# Client",
  "",
  "Call `sendMail()` with an **address**. See [options](options.md).",
  "",
  "| Option | Default |",
  "| --- | --- |",
  "| `timeout` | 30 |",
  "| `retries` | 2 |",
  "",
  "## Install",
  "",
  "Needs Node 18.",
  "",
].join("\n");

const seen = (path: string, line: number, before: string, after: string) => ({
  evidence: [{ path, revision: "b".repeat(40), startLine: line, endLine: line, before, after }],
});
const findings = () => [
  finding("docs/client.md", "Call `sendMail()` with an", "Call `deliver()` with an", {
    startLine: 3,
    endLine: 3,
    message: "`sendMail` is now `deliver` (src/client.ts:7).",
    ...seen(
      "src/client.ts",
      7,
      "export async function sendMail(to: Address) {",
      "export async function deliver(to: Address) {",
    ),
  }),
  finding("docs/client.md", "| `timeout` | 30 |", "| `timeout` | 60 |", {
    startLine: 7,
    endLine: 7,
    kind: "default",
    message: "the value of `timeout` is now `60`, not `30` (src/client.ts:7).",
    ...seen("src/client.ts", 7, "  timeout = 30,", "  timeout = 60,"),
  }),
  finding("docs/client.md", "Needs Node 18.", "Needs Node 20.", {
    startLine: 12,
    endLine: 12,
    tier: "likely",
    kind: "version",
    message: "`node` now needs `>=20`, not `>=18` (package.json:9).",
    ...seen("package.json", 9, '    "node": ">=18"', '    "node": ">=20"'),
  }),
  finding("README.md", "Run `npm run test:unit`.", "Run `npm test`.", {
    startLine: 3,
    endLine: 3,
    kind: "setting",
    message: "`test:unit` is now `test` (package.json:12).",
    ...seen("package.json", 12, '    "test:unit": "node --test"', '    "test": "node --test"'),
  }),
];
const files = () => ({ "docs/client.md": page, "README.md": "# Postbox\n\nRun `npm run test:unit`.\n" });

let browser: Browser;

describe.skipIf(withoutBrowser !== null)(
  `the review page in a browser${withoutBrowser ? `: ${withoutBrowser}` : ""}`,
  () => {
    beforeAll(async () => {
      browser = await launchBrowser();
    });
    afterAll(async () => {
      await browser?.close();
    });

    async function withPage(
      work: (page: Page, bench: Bench) => Promise<void>,
      { expectBlocked = false, ...options }: BrowserContextOptions & { expectBlocked?: boolean } = {},
    ): Promise<void> {
      const bench = await openBench(files(), findings());
      const context = await browser.newContext({ viewport: { width: 1360, height: 860 }, ...options });
      const tab = await context.newPage();
      const broken: string[] = [];
      tab.on("pageerror", (error) => broken.push(error.message));
      tab.on("console", (message) => {
        if (/Content Security Policy|Trusted/i.test(message.text())) broken.push(message.text());
      });
      try {
        tab.setDefaultTimeout(90_000);
        await tab.goto(bench.server.url);
        await tab.waitForSelector(".item-row");
        await work(tab, bench);
        expect(broken.length > 0).toBe(expectBlocked);
      } finally {
        await context.close();
        await bench.close();
      }
    }

    /** Expects that axe-core finds no serious violation on the page as it is. */
    async function examine(tab: Page, where: string): Promise<void> {
      // Playwright's evaluate is not bound by the page's policy; the page itself could not do this.
      await tab.evaluate(readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
      const found = (await tab.evaluate(
        `axe.run().then(({ violations }) => violations.map(({ id, impact, nodes }) => ({ id, impact, node: nodes[0].html + " " + nodes[0].failureSummary })))`,
      )) as { id: string; impact: string; node: string }[];
      const serious = found.filter(({ impact }) => impact === "serious" || impact === "critical");
      console.log(`axe ${where}: ${serious.length} serious, ${found.length - serious.length} lesser`);
      expect({ where, serious }).toEqual({ where, serious: [] });
    }

    /** Waits until a page has been in sight for long enough to be approved. */
    const settle = (tab: Page): Promise<void> => tab.waitForTimeout(260);
    const reason = (tab: Page, text: string): Promise<void> =>
      tab.locator("h2.reason", { hasText: text }).waitFor();

    test("everything shown is in the list: a filter moves the selection, and accepts nothing that it hides", () =>
      withPage(async (tab, bench) => {
        await reason(tab, "deliver");
        await tab.click(".chips button.likely");
        await reason(tab, "now needs");
        await tab.fill("#search", "no such words anywhere");
        await tab.locator(".sheet .loading", { hasText: "No edit matches" }).waitFor();
        await tab.locator("#search").blur();
        await settle(tab);
        await tab.keyboard.press("a");
        await settle(tab);
        expect([bench.text("docs/client.md"), bench.text("README.md")]).toEqual(Object.values(files()));
        // Undo of something that the filter hides ends the filter.
        await tab.fill("#search", "");
        await tab.click(".chips button.certain");
        await reason(tab, "deliver");
        await settle(tab);
        await tab.keyboard.press("a");
        await tab.locator(".item-row.accepted").waitFor();
        await tab.click(".chips button.likely");
        await reason(tab, "now needs");
        await tab.keyboard.press("u");
        await reason(tab, "deliver");
        expect(await tab.locator(".item-row").count()).toBe(4);
      }));

    test("100 findings of 6 causes are decided with 12 keys, and one key takes a cause back", async () => {
      const texts: Record<string, string> = {};
      const many = Array.from({ length: 100 }, (_, i) => {
        const [cause, path] = [i % 6, `docs/${i % 10}.md`];
        const line = `Line ${i} calls \`old${cause}()\`.`;
        texts[path] = `${texts[path] ?? ""}${line}\n`;
        return finding(path, line, line.replace("old", "new"), {
          startLine: texts[path].split("\n").length - 1,
          endLine: texts[path].split("\n").length - 1,
          cause: `old${cause}`,
          message: `\`old${cause}\` is now \`new${cause}\` (src/client.ts:7).`,
        });
      });
      const bench = await openBench(texts, many);
      const tab = await browser.newPage();
      let pressed = 0;
      const press = async (key: string): Promise<void> => {
        pressed++;
        await tab.keyboard.press(key);
      };
      try {
        await tab.goto(bench.server.url);
        await reason(tab, "old0");
        await tab.screenshot({ path: join(artefacts, "causes.png") });
        await tab.emulateMedia({ colorScheme: "dark" });
        await tab.screenshot({ path: join(artefacts, "causes-dark.png") });
        await tab.setViewportSize({ width: 390, height: 844 });
        await tab.screenshot({ path: join(artefacts, "causes-phone.png") });
        await tab.setViewportSize({ width: 1280, height: 720 });
        const started = Date.now();
        for (let cause = 0; cause < 6; cause++) {
          await reason(tab, `old${cause}`);
          await press(cause % 2 === 0 ? "A" : "R");
          await tab.locator("dialog .primary").waitFor();
          await settle(tab);
          await press("Enter");
          await tab.locator("dialog").waitFor({ state: "detached" });
        }
        await tab.locator(".meter", { hasText: "100 of 100 decided" }).waitFor();
        console.log(
          `100 findings of 6 causes: ${pressed} keys, ${Math.round((Date.now() - started) / 1000)} s`,
        );
        expect(pressed).toBe(12);
        const written = Object.keys(texts)
          .map((path) => bench.text(path))
          .join("");
        for (const cause of [0, 2, 4]) expect(written).not.toContain(`old${cause}`);
        for (const cause of [1, 3, 5]) expect(written).toContain(`old${cause}`);
        await tab.keyboard.press("u");
        await tab.locator(".meter", { hasText: "84 of 100 decided" }).waitFor();
      } finally {
        await tab.close();
        await bench.close();
      }
    });

    test("a finding without an edit: the evidence first, then the passage with its line marked", async () => {
      const bench = await openBench(files(), [
        finding("docs/client.md", "", "", {
          startLine: 12,
          endLine: 12,
          says: "18",
          thing: { name: "node", path: "package.json", line: 9, declaration: '"node": ">=18"' },
          message: "`node` 18 is no longer supported (package.json:9).",
          ...seen("package.json", 9, '    "node": ">=18"', '    "node": ">=20"'),
        }),
      ]);
      const tab = await browser.newPage();
      try {
        await tab.goto(bench.server.url);
        await tab.locator(".side.marked").waitFor();
        expect(await tab.locator("article .card h3").allTextContents()).toEqual(["Evidence", "The page"]);
        expect(await tab.locator(".badges .badge", { hasText: "claim" }).textContent()).toBe("claim 18");
        const about = tab.getByRole("region", { name: "what the claim is about" });
        expect(await about.locator("p").textContent()).toContain("about node package.json:9");
        expect(await about.locator("pre").textContent()).toBe('"node": ">=18"');
        expect(await tab.locator(".side.marked .code").allTextContents()).toEqual([
          "this passage: Needs Node 18.",
        ]);
        expect(await tab.locator(".editor a").first().getAttribute("href")).toBe(
          `vscode://file${bench.root}/docs/client.md:12`,
        );
        await tab.screenshot({ path: join(artefacts, "pointer.png") });
      } finally {
        await tab.close();
        await bench.close();
      }
    });

    test("with the mouse: read reason and evidence, accept one, reject one, edit one, undo; files are what was approved", () =>
      withPage(async (tab, bench) => {
        // Edits come in the order of the proposal, under the pages they are of.
        expect(await tab.locator("li .page-row .path").allTextContents()).toEqual([
          "docs/client.md",
          "README.md",
        ]);
        expect(await tab.locator("li .page-row .count").first().textContent()).toContain("3");
        expect(await tab.locator("h2.reason").textContent()).toBe(
          "sendMail is now deliver (src/client.ts:7).",
        );
        expect(await tab.locator(".proof .place").textContent()).toContain("src/client.ts:7");
        expect(await tab.locator(".proof del").allTextContents()).toEqual(["sendMail"]);
        expect(await tab.locator("section[aria-label='the page'] ins").allTextContents()).toEqual([
          "deliver",
        ]);
        await settle(tab);
        await tab.getByRole("button", { name: /^Accept/ }).click();
        await reason(tab, "timeout");
        expect(bench.text("docs/client.md")).toBe(page.replace("sendMail()", "deliver()"));

        await tab.getByRole("button", { name: /^Reject/ }).click();
        await tab.getByLabel("Why (optional)").fill("it is still 30 there");
        await tab.getByRole("dialog").getByRole("button", { name: "Reject" }).click();
        await reason(tab, "node");
        expect(bench.text("docs/client.md")).toBe(page.replace("sendMail()", "deliver()"));

        await tab.getByRole("button", { name: /^Edit wording/ }).click();
        await tab.getByLabel("wording", { exact: true }).fill("Needs Node 20 or newer.");
        await tab.getByRole("button", { name: "Keep this wording" }).click();
        await tab.locator(".badge.reworded").waitFor();
        expect(await tab.locator("section[aria-label='the page'] ins").allTextContents()).toEqual([
          "20 or newer",
        ]);
        expect(bench.text("docs/client.md")).not.toContain("newer");
        await settle(tab);
        await tab.getByRole("button", { name: /^Accept/ }).click();
        await reason(tab, "test:unit");
        const expected = page
          .replace("sendMail()", "deliver()")
          .replace("Needs Node 18.", "Needs Node 20 or newer.");
        expect(bench.text("docs/client.md")).toBe(expected);

        await tab.locator(".item-row").first().click();
        await tab.locator(".badge.accepted").waitFor();
        await tab.getByRole("button", { name: /^Take back/ }).click();
        await tab.locator(".notice", { hasText: "undone" }).waitFor();
        expect(bench.text("docs/client.md")).toBe(page.replace("Needs Node 18.", "Needs Node 20 or newer."));
        await tab.getByRole("button", { name: "History" }).click();
        await tab.locator(".moment").first().waitFor();
        expect(await tab.locator(".moment").count()).toBe(3);
        expect(await tab.locator(".moment .who").first().textContent()).toContain("took back");
        await tab.screenshot({ path: join(artefacts, "history.png") });
      }));

    test("with the keyboard alone", () =>
      withPage(async (tab, bench) => {
        const press = (key: string): Promise<void> => tab.keyboard.press(key);
        await press("j");
        await reason(tab, "timeout");
        await press("k");
        await reason(tab, "sendMail");
        await settle(tab);
        await press("a");
        await reason(tab, "timeout");
        expect(bench.text("docs/client.md")).toBe(page.replace("sendMail()", "deliver()"));
        await press("r");
        await tab.getByRole("dialog").waitFor();
        await tab.keyboard.type("no");
        await press("Enter");
        await reason(tab, "node");
        await press("e");
        await tab.getByLabel("wording", { exact: true }).waitFor();
        await press("Control+a");
        await tab.keyboard.type("Needs Node 22.");
        await press("Tab");
        await press("Enter");
        await tab.locator(".badge.reworded").waitFor();
        await settle(tab);
        await press("a");
        await reason(tab, "test:unit");
        expect(bench.text("docs/client.md")).toContain("Needs Node 22.");
        await press("u");
        await reason(tab, "node");
        expect(bench.text("docs/client.md")).toContain("Needs Node 18.");
        await press("/");
        await tab.keyboard.type("readme");
        await press("Escape");
        expect(await tab.locator(".item-row").count()).toBe(1);
        await press("?");
        await tab.getByRole("dialog", { name: "Keys" }).waitFor();
        await press("Escape");
        await tab.getByRole("dialog").waitFor({ state: "detached" });
        for (const layout of ["Inline", "Preview", "Side by side"]) {
          await press("v");
          await tab.locator(`.switch button[aria-pressed=true]`, { hasText: layout }).waitFor();
        }
      }));

    test("held keys, and keys pressed before the edit is visible, approve nothing", () =>
      withPage(async (tab, bench) => {
        await settle(tab);
        await tab.keyboard.down("a");
        for (let i = 0; i < 20; i++) await tab.keyboard.down("a");
        await tab.keyboard.up("a");
        await reason(tab, "timeout");
        await tab.waitForTimeout(300);
        expect(await bench.review.context.reader.history()).toHaveLength(1);
        expect(bench.text("docs/client.md")).toBe(page.replace("sendMail()", "deliver()"));
      }));

    test("a stale tab writes nothing, shows the current text, and lets the reviewer approve that", () =>
      withPage(async (tab, bench) => {
        await settle(tab);
        bench.write("docs/client.md", `${page}\nMore.\n`);
        await tab.keyboard.press("a");
        await tab.locator(".notice.warning", { hasText: "nothing was written" }).waitFor();
        expect(bench.text("docs/client.md")).toBe(`${page}\nMore.\n`);
        await settle(tab);
        await tab.keyboard.press("a");
        await reason(tab, "timeout");
        expect(bench.text("docs/client.md")).toBe(`${page.replace("sendMail()", "deliver()")}\nMore.\n`);
      }));

    test("all of a tier: shown together, written as one entry", () =>
      withPage(async (tab, bench) => {
        await tab.locator(".chips button", { hasText: "certain" }).click();
        await tab.getByRole("button", { name: /Accept all certain/ }).click();
        await tab.getByRole("dialog", { name: /Accept 3 edits of 2 pages/ }).waitFor();
        await settle(tab);
        await tab.screenshot({ path: join(artefacts, "together.png") });
        await tab.getByRole("button", { name: "Write 3" }).click();
        await tab.getByRole("dialog").waitFor({ state: "detached" });
        expect(bench.text("docs/client.md")).toBe(
          page.replace("sendMail()", "deliver()").replace("| 30 |", "| 60 |"),
        );
        expect(bench.text("README.md")).toContain("Run `npm test`.");
        expect(await bench.review.context.reader.history()).toHaveLength(1);
      }));

    test("an open page shows decisions of other reviewers, and that its server has stopped", () =>
      withPage(async (tab, bench) => {
        const check = () => Promise.reject(new Error("no check"));
        const other = value(await openReview({ root: bench.root, run: runId, check }));
        const desk = value(await other.session);
        value(await desk.reject(2, {}));
        await tab.locator(".item-row.rejected").waitFor();
        value(await desk.approve([3], value(await desk.view(3)).hash!));
        await tab.locator(".item-row.accepted").waitFor();
        value(await other.context.workspace.undo({ last: true }, { author: "somebody" }));
        await tab.locator(".item-row.accepted").waitFor({ state: "detached" });
        await other.close();
        await bench.server.close();
        await tab.locator(".banner").waitFor();
      }));

    test("live: progress is shown while a run is at work, and edits appear as they are proposed", async () => {
      const bench = await openBench(files(), findings().slice(0, 1), {
        source: "fix",
        model: "maker:model-1",
        progress: { done: 1, total: 4, doing: "Asking about docs/client.md" },
      });
      const context = await browser.newContext();
      const tab = await context.newPage();
      await tab.goto(bench.server.url);
      await tab.locator(".going", { hasText: "1 of 4" }).waitFor();
      expect(await tab.locator(".item-row").count()).toBe(1);
      const { writeProposal, readProposal } = await import("../../src/docs/fix/proposal.ts");
      const { workspace } = bench.review.context;
      const { progress: _, ...done } = value(await readProposal(workspace, (await bench.desk.run()).id))!;
      value(
        await writeProposal(workspace, { ...done, findings: [...done.findings, ...findings().slice(1)] }),
      );
      await tab.locator(".item-row").nth(3).waitFor();
      await tab.locator(".going").waitFor({ state: "detached" });
      await context.close();
      await bench.close();
    });

    test.each(["light", "dark"] as const)("axe-core finds no serious violation: %s", (colorScheme) =>
      withPage(
        async (tab, bench) => {
          value(await bench.desk.reject(3, {}));
          const look = (where: string): Promise<void> => examine(tab, where);
          await look(`edit, ${colorScheme}`);
          await tab.screenshot({ path: join(artefacts, `desktop-${colorScheme}.png`) });
          await tab.keyboard.press("j");
          await reason(tab, "timeout");
          await tab.keyboard.press("v");
          await tab.keyboard.press("v");
          await tab.locator(".markdown").first().waitFor();
          await look(`preview, ${colorScheme}`);
          await tab.screenshot({ path: join(artefacts, `preview-${colorScheme}.png`) });
          await tab.keyboard.press("r");
          await tab.getByRole("dialog").waitFor();
          await look(`dialog, ${colorScheme}`);
          await tab.screenshot({ path: join(artefacts, `dialog-${colorScheme}.png`) });
          await tab.keyboard.press("Escape");
          await tab.getByRole("dialog").waitFor({ state: "detached" });
          await tab.keyboard.press("h");
          await tab.locator(".history").waitFor();
          await look(`history, ${colorScheme}`);
        },
        { colorScheme },
      ),
    );

    test("on a phone: the list, then the edit, nothing wider than the screen", () =>
      withPage(
        async (tab) => {
          expect(await tab.locator(".edit").isVisible()).toBe(false);
          await tab.screenshot({ path: join(artefacts, "phone-list.png") });
          await examine(tab, "list on a phone");
          await tab.locator(".item-row").nth(1).click();
          await reason(tab, "timeout");
          await tab.screenshot({ path: join(artefacts, "phone-edit.png") });
          await examine(tab, "edit on a phone");
          const overflow = await tab.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
          expect(overflow).toBeLessThanOrEqual(0);
          await tab.getByRole("button", { name: "All edits" }).click();
          await tab.locator(".item-row").first().waitFor();
        },
        { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
      ));

    test("direction marks, invisible characters, look-alike letters, white space and line endings are marked", async () => {
      const bench = await openBench(
        { "a.md": "# A\n\nOne  \n\nif admin\u202e\u2066 ok\n\nTwo\r\n\nlogin to paypal\n\ntab here\n" },
        [
          finding("a.md", "One  ", "One"),
          finding("a.md", "if admin\u202e\u2066 ok", "if admin ok"),
          finding("a.md", "login to paypal", "login to p\u0430ypal"),
          finding("a.md", "tab here", "tab\there"),
        ],
      );
      const context = await browser.newContext({ viewport: { width: 1360, height: 560 } });
      const tab = await context.newPage();
      await tab.goto(bench.server.url);
      const changed = tab.locator("section[aria-label='the page'] :is(del, ins)");
      await reason(tab, "One");
      expect(await changed.allTextContents()).toEqual(["··"]);
      await tab.keyboard.press("j");
      await tab.locator("section[aria-label='the page'] .unseen.bidi").first().waitFor();
      const marks = tab.locator("section[aria-label='the page'] .unseen");
      expect(await marks.allTextContents()).toEqual(["U+202E", "U+2066"]);
      await tab.screenshot({ path: join(artefacts, "unseen.png") });
      await tab.keyboard.press("j");
      await tab.locator("section[aria-label='the page'] .mixed-script").waitFor();
      expect(await marks.allTextContents()).toEqual(["\u0430U+0430"]);
      await tab.keyboard.press("j");
      await tab.locator("ins .space").waitFor();
      expect(await changed.allTextContents()).toEqual(["·", "→\t"].map((text) => text));
      await context.close();
      await bench.close();
    });

    test("a line of five million characters and a file of a hundred thousand lines are drawn in part and scroll", async () => {
      const long = "lorem ipsum ".repeat(420_000);
      const many = Array.from({ length: 100_000 }, (_, i) => `line ${i}`).join("\n");
      const bench = await openBench({ "a.md": `LONG\n\nMANY\n` }, [
        finding("a.md", "LONG", long, { message: "long", evidence: [] }),
        finding("a.md", "MANY", many, { message: "many", evidence: [], startLine: 3, endLine: 3 }),
      ]);
      const context = await browser.newContext({ viewport: { width: 1360, height: 860 } });
      const tab = await context.newPage();
      tab.setDefaultTimeout(90_000);
      await tab.goto(bench.server.url);
      for (const name of ["long", "many"]) {
        await reason(tab, name);
        await settle(tab);
        expect(await tab.getByRole("button", { name: /^Accept/ }).isDisabled()).toBe(true);
        const started = performance.now();
        await tab.getByRole("button", { name: /^Show .* more lines/ }).click();
        await tab.locator(".diff.long").waitFor();
        console.log(`All of "${name}" visible after ${Math.round(performance.now() - started)} ms`);
        expect(await tab.locator(".diff.long li").count()).toBeLessThan(200);
        expect(await tab.getByRole("button", { name: /^Accept/ }).isDisabled()).toBe(false);
        if (name === "long") await tab.keyboard.press("j");
      }
      await settle(tab);
      await tab.keyboard.press("a");
      await tab.locator(".item-row.accepted").waitFor();
      expect(bench.text("a.md")).toBe(`LONG\n\n${many}\n`);
      await context.close();
      await bench.close();
    });

    test("inline scripts, foreign scripts and markup from strings are blocked even inside the page", () =>
      withPage(
        async (tab) => {
          const tried = await tab.evaluate(`(async () => {
          const results = {};
          const attempt = (name, work) => { try { work(); results[name] = "allowed"; } catch (error) { results[name] = error.name; } };
          window.__ran = 0;
          attempt("markup", () => { document.createElement("div").innerHTML = "<img src=x onerror=__ran++>"; });
          attempt("script text", () => { const script = document.createElement("script"); script.text = "__ran++"; document.body.append(script); });
          attempt("handler", () => document.body.setAttribute("onclick", "__ran++"));
          attempt("document.write", () => document.write("<script>__ran++<" + "/script>"));
          attempt("policy", () => trustedTypes.createPolicy("x", { createHTML: (text) => text }));
          for (const [name, address] of [["image", "http://evil.example/x.png"], ["fetch", "http://evil.example/"]])
            results[name] = await (name === "fetch" ? fetch(address) : new Promise((resolve, reject) => { const image = new Image(); image.onload = resolve; image.onerror = () => reject(new Error()); image.src = address; })).then(() => "allowed", () => "blocked");
          document.body.click();
          return { ...results, ran: window.__ran };
        })()`);
          expect(tried).toEqual({
            markup: "TypeError",
            "script text": "TypeError",
            handler: "TypeError",
            "document.write": "TypeError",
            policy: "TypeError",
            image: "blocked",
            fetch: "blocked",
            ran: 0,
          });
        },
        { expectBlocked: true },
      ));

    test("the tab leaves nothing behind: no cookie, no lasting storage, no token in the address", () =>
      withPage(async (tab, bench) => {
        await tab.getByTitle("Colours").click();
        expect(tab.url()).not.toContain(bench.server.token);
        expect(await tab.context().cookies()).toEqual([]);
        const kept = await tab.evaluate(`(async () => ({
          local: localStorage.length,
          databases: (await indexedDB.databases()).length,
          caches: (await caches.keys()).length,
          workers: (await navigator.serviceWorker.getRegistrations()).length,
        }))()`);
        expect(kept).toEqual({ local: 0, databases: 0, caches: 0, workers: 0 });
      }));

    test("a page does not send the token to another program that replaced its server", () =>
      withPage(async (tab, bench) => {
        const { port, token } = bench.server;
        await bench.server.close();
        const seen: string[] = [];
        const { createServer } = await import("node:http");
        const thief = createServer((request, response) => {
          seen.push(request.headers.authorization ?? "");
          response.writeHead(200, { "Suture-Proof": "00" }).end("{}");
        });
        await new Promise<void>((resolve) => thief.listen(port, "127.0.0.1", resolve));
        await tab.locator(".banner").waitFor();
        await settle(tab);
        await tab.keyboard.press("a");
        await tab.locator(".notice.warning").waitFor();
        await tab.waitForTimeout(2000);
        expect(seen.length).toBeGreaterThan(0);
        expect(seen.filter((header) => header.includes(token))).toEqual([]);
        thief.closeAllConnections();
        await new Promise((resolve) => thief.close(resolve));
      }));

    test("another site can neither frame the page nor approve through it", () =>
      withPage(async (tab, bench) => {
        const { createServer } = await import("node:http");
        const { port } = bench.server;
        const evil = createServer((_request, response) => {
          response.setHeader("Content-Type", "text/html").end(`<!doctype html><title>evil</title>
          <iframe id="frame" src="http://127.0.0.1:${port}/"></iframe>
          <form id="form" method="post" enctype="text/plain" action="http://127.0.0.1:${port}/api/approve"><input name='{"keys":[0],"hash":"' value='"}'></form>`);
        });
        await new Promise<void>((resolve) => evil.listen(0, "127.0.0.1", resolve));
        const other = await tab.context().newPage();
        await other.goto(`http://localhost:${(evil.address() as { port: number }).port}/`);
        const results = await other.evaluate(async (port) => {
          const tries: Record<string, string> = {};
          for (const [name, init] of [
            ["simple", { method: "POST", mode: "no-cors", body: '{"keys":[0]}' }],
            ["json", { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" }],
            ["read", {}],
            ["events", { headers: { Accept: "text/event-stream" } }],
          ] as const)
            tries[name] = await fetch(
              `http://127.0.0.1:${port}/api/${name === "read" ? "run" : "approve"}`,
              init,
            )
              .then((response) => `${response.type} ${response.status}`)
              .catch(() => "blocked");
          return tries;
        }, port);
        expect(results).toMatchObject({ json: "blocked", read: "blocked", events: "blocked" });
        // The browser shows an error in place of a page that may not be framed.
        const framed = other.frames().find((frame) => frame !== other.mainFrame());
        expect(
          await framed
            ?.locator("#page")
            .count()
            .catch(() => 0),
        ).toBe(0);
        await other.evaluate("document.getElementById('form').submit()");
        await other.waitForTimeout(300);
        expect(await bench.review.context.reader.history()).toEqual([]);
        expect(bench.text("docs/client.md")).toBe(page);
        evil.closeAllConnections();
        await new Promise((resolve) => evil.close(resolve));
      }));

    test("with DNS rebinding in a browser, the page is not served under another name", async () => {
      const bench = await openBench(files(), findings());
      const rebound = await launchBrowser(["--host-resolver-rules=MAP rebound.example 127.0.0.1"]);
      try {
        const tab = await rebound.newPage();
        const statuses: number[] = [];
        tab.on("response", (response) => statuses.push(response.status()));
        const address = `http://rebound.example:${bench.server.port}`;
        for (const path of [`/#${bench.server.token}`, "/api/run", "/review.html"])
          await expect(tab.goto(`${address}${path}`)).rejects.toThrow();
        expect(statuses).toEqual([403, 403, 403]);
      } finally {
        await rebound.close();
        await bench.close();
      }
    });

    test("an export is one read-only file without requests, with the history", async () => {
      const bench = await openBench(files(), findings());
      value(await bench.desk.approve([0], value(await bench.desk.view(0)).hash!));
      const exported = value(
        await collectExport(bench.desk, bench.review.context.reader, "2026-01-02T03:04:05.000Z"),
      );
      const folder = mkdtempSync(join(tmpdir(), "suture-export-"));
      const file = join(folder, "report.html");
      const html = printExport(await buildAssets(), exported);
      writeFileSync(file, html);
      expect(html).not.toContain(bench.root);
      const context = await browser.newContext({ offline: true, viewport: { width: 1360, height: 860 } });
      const tab = await context.newPage();
      const asked: string[] = [];
      const broken: string[] = [];
      tab.on("request", (request) => asked.push(request.url()));
      tab.on("pageerror", (error) => broken.push(error.message));
      tab.on("console", (message) => message.type() === "error" && broken.push(message.text()));
      await tab.goto(`file://${file}`);
      await tab.locator("h2.reason", { hasText: "timeout" }).waitFor();
      expect(await tab.getByRole("button", { name: /^(Accept|Reject|Edit|Take back)/ }).count()).toBe(0);
      await tab.locator(".item-row").first().click();
      expect(await tab.locator(".actions code").textContent()).toMatch(/^suture undo \d+$/);
      await tab.screenshot({ path: join(artefacts, "export.png") });
      await tab.getByRole("button", { name: "History" }).click();
      expect(await tab.locator(".moment .back").first().textContent()).toMatch(/^suture undo \d+$/);
      expect(asked).toEqual([`file://${file}`]);
      expect(broken).toEqual([]);
      await context.close();
      await bench.close();
      rmSync(folder, { recursive: true, force: true });
    });

    test.each(["beside the edits of the run", "where the run has written nothing"])(
      "a refused draft and a remark are shown %s, with hidden characters marked",
      async (where) => {
        const bench = await openBench(files(), findings());
        value(await bench.desk.approve([0], value(await bench.desk.view(0)).hash!));
        const exported = value(
          await collectExport(bench.desk, bench.review.context.reader, "2026-01-02T03:04:05.000Z"),
        );
        const draft =
          "--- a/docs/client.md\n+++ b/docs/client.md\n-Wait 30\u202e seconds.\n+<b>Wait</b> 61 seconds.\n";
        const run = {
          ...exported.run,
          kind: "record" as const,
          ...(where.startsWith("beside") ? {} : { items: [] }),
          unknown: [{ path: "docs/client.md", why: "line 5: the number 61 is not in the code", draft }],
          remarks: [{ path: "README.md", what: "review", detail: "Line 3 contradicts line 9." }],
        };
        const folder = mkdtempSync(join(tmpdir(), "suture-export-"));
        const file = join(folder, "report.html");
        writeFileSync(file, printExport(await buildAssets(), { ...exported, run }));
        const tab = await browser.newPage();
        await tab.goto(`file://${file}`);
        const list = tab.locator(".left-pages");
        await list.waitFor({ state: "attached" });
        for (const summary of await tab.locator(".left-summary > summary, .left-pages summary").all())
          await summary.click();
        expect(await list.innerText()).toContain("the number 61 is not in the code");
        expect(await list.innerText()).toContain("review: Line 3 contradicts line 9.");
        expect(await list.locator("pre").innerText()).toContain("+<b>Wait</b> 61 seconds.");
        expect(await list.locator("mark.unseen").innerText()).toContain("202E");
        await examine(tab, `a refused draft ${where}`);
        await tab.screenshot({ path: join(artefacts, `draft-${run.items.length}.png`) });
        await tab.close();
        await bench.close();
        rmSync(folder, { recursive: true, force: true });
      },
    );

    test("from the command line to the file: check, open, accept, stop", async () => {
      const folder = mkdtempSync(join(tmpdir(), "suture-postbox-"));
      const house = join(import.meta.dirname, "..", "..");
      cpSync(join(house, "examples", "postbox"), folder, { recursive: true });
      const git = (...args: string[]): void => {
        const who = ["-c", "user.name=E", "-c", "user.email=e@example.org", "-c", "commit.gpgsign=false"];
        expect(spawnSync("git", [...who, ...args], { cwd: folder }).status).toBe(0);
      };
      git("init", "-q");
      git("add", "-A");
      git("commit", "-qm", "1.4");
      git("apply", join(house, "examples", "postbox.patch"));
      git("add", "-A");
      git("commit", "-qm", "2.0");
      const state = mkdtempSync(join(tmpdir(), "suture-state-"));
      const main = join(house, "src", "cli", "main.ts");
      const env = { ...process.env, XDG_STATE_HOME: state, CI: "" };
      await installPage();
      const child = spawn(process.execPath, [main, "review", "--base", "HEAD~1", "--json"], {
        cwd: folder,
        env,
      });
      let said = "";
      const heard: string[] = [];
      child.stderr.setEncoding("utf8").on("data", (text) => heard.push(text));
      await new Promise<void>((resolve) =>
        child.stdout.setEncoding("utf8").on("data", (text) => {
          said += text;
          if (said.includes("}\n")) resolve();
        }),
      );
      const { launch } = JSON.parse(said) as { launch: string };
      const context = await browser.newContext({ viewport: { width: 1360, height: 860 } });
      const tab = await context.newPage();
      await tab.goto(`file://${launch}`);
      await tab.waitForSelector(".reason");
      const before = readFileSync(join(folder, "AGENTS.md"), "utf8");
      await settle(tab);
      expect(await tab.locator(".item-row").count()).toBeGreaterThan(10);
      await tab.screenshot({ path: join(artefacts, "postbox.png") });
      await tab.keyboard.press("a");
      await tab.locator(".item-row.accepted").waitFor();
      expect(readFileSync(join(folder, "AGENTS.md"), "utf8")).not.toBe(before);
      await context.close();
      const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
      child.kill("SIGTERM");
      expect(await ended).toBe(0);
      // The secret is in the private file and on no other channel.
      const secret = /#([\w-]{43})/.exec(said + heard.join(""));
      expect(secret).toBeNull();
      expect(heard.join("")).toContain("1 accepted, 0 rejected");
      rmSync(folder, { recursive: true, force: true });
      rmSync(state, { recursive: true, force: true });
    });
  },
);
