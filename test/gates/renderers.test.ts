import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, withoutBrowser } from "../web/review-fixture.ts";
import { type ActingText, actingTexts, marks } from "./acting.ts";
import { judge, pages } from "./gate.ts";
import { type Renderer, render, renderers, whyWithout } from "./renderers.ts";

const site = "https://page.invalid";
const token = "the content of the secret file";
let browser: Browser | undefined;
let page: Page;
let shown = "";
let did: string[] = [];

beforeAll(async () => {
  mkdirSync(dirname(marks.secret), { recursive: true });
  writeFileSync(marks.secret, `${token}\n`);
  if (withoutBrowser !== null) return;
  browser = await launchBrowser();
  page = await (await browser.newContext({ serviceWorkers: "block" })).newPage();
  page.on("dialog", (dialog) => {
    did.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.route("**/*", (route) => {
    const url = route.request().url();
    if (url === `${site}/docs/page`)
      return route.fulfill({ contentType: "text/html; charset=utf-8", body: shown });
    if (!url.startsWith(`${site}/`)) did.push(`request ${url}`);
    return route.abort();
  });
});
afterAll(async () => {
  await browser?.close();
  rmSync(dirname(marks.secret), { recursive: true, force: true });
});

/** What a page does that its text alone would not: in its builder, when it is shown, and when it is clicked. */
async function actsOf(html: string): Promise<readonly string[]> {
  did = [];
  if (html.includes(token)) did.push("reads a file");
  if (existsSync(marks.trap)) did.push("runs a command");
  rmSync(marks.trap, { force: true });
  if (!browser) return did;
  shown = html;
  await page.goto(`${site}/docs/page`, { waitUntil: "load" }).catch(() => undefined);
  const active = (await page.evaluate(`Array.from(document.querySelectorAll("*"), (element) =>
    Array.from(element.attributes, ({ name, value }) => /^on/i.test(name) || /^\\s*(javascript|data|vbscript):/i.test(value) ? name + "=" + value : "")
  ).flat().filter(Boolean)`)) as string[];
  return [...did, ...active.map((attribute) => `has ${attribute}`)];
}

test("nearly every text that acts in a builder of its format is refused", {
  timeout: 600_000,
}, async () => {
  const counts: Record<string, { tried: number; passed: number }> = {};
  for (const { ending, text } of actingTexts) {
    const count = (counts[ending] ??= { tried: 0, passed: 0 });
    count.tried++;
    if ((await judgeActing({ ending, text })).length === 0) count.passed++;
  }
  console.log(JSON.stringify(counts));
  expect(actingTexts.length).toBeGreaterThan(1500);
  // Those that pass are tried below: they act in none of the programs.
  const passed = Object.values(counts).reduce((sum, count) => sum + count.passed, 0);
  expect(passed).toBeLessThan(actingTexts.length / 50);
});

test.for(renderers.map((renderer) => [renderer.program, renderer] as const))(
  "what the gates let pass does nothing in %s and Chromium",
  { timeout: 600_000 },
  async ([program, renderer], { skip }) => {
    const why = whyWithout(renderer) ?? withoutBrowser;
    if (why !== null) return skip(why);
    const texts = actingTexts.filter(({ ending }) => renderer.endings.includes(ending));
    const usual = new Set(await actsOf(renderPage(renderer, { ending: renderer.endings[0]!, text: "" })));
    let passed = 0;
    for (const acting of texts) {
      if ((await judgeActing(acting)).length > 0) continue;
      passed++;
      const acts = await actsOf(renderPage(renderer, acting));
      expect(
        acts.filter((act) => !usual.has(act)),
        acting.text,
      ).toEqual([]);
    }
    // The renderers follow the marks that the gates refuse: some of them, one in many, act.
    let acted = 0;
    const refused = texts.filter((_, i) => i % Math.ceil(texts.length / 40) === 0);
    for (const acting of refused)
      if ((await actsOf(renderPage(renderer, acting))).some((act) => !usual.has(act))) acted++;
    console.log(
      `${program}: ${texts.length} texts, ${passed} let pass, 0 act; ${acted} of ${refused.length} of all act`,
    );
    expect(acted).toBeGreaterThan(0);
  },
);

test("what the gates let pass on a page of HTML does nothing in Chromium", async ({ skip }) => {
  if (withoutBrowser !== null) return skip(withoutBrowser);
  for (const acting of actingTexts.filter(({ ending }) => ending === "html"))
    if ((await judgeActing(acting)).length === 0)
      expect(await actsOf(`${pages.html}\n${acting.text}\n`), acting.text).toEqual([]);
});

function judgeActing({ ending, text }: ActingText): ReturnType<typeof judge> {
  const old = pages[ending]!;
  return judge(addTo(old, text), { old, path: `docs/page.${ending}` });
}

function renderPage(renderer: Renderer, { ending, text }: ActingText): string {
  const output = render(renderer, addTo(pages[ending]!, text), dirname(marks.secret));
  return renderer.program === "groff" ? output.replaceAll("<", "&lt;") : output;
}

/** A notebook has its text in the cells of its JSON. */
function addTo(page: string, text: string): string {
  return page.startsWith("{")
    ? page.replace("It takes a path.", `It takes a path.\\n${JSON.stringify(text).slice(1, -1)}`)
    : `${page}\n${text}\n`;
}
