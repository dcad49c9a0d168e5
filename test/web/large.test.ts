import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ReportedFinding } from "../../src/docs/check/report.ts";
import { artefacts, finding, launchBrowser, openBench, value, withoutBrowser } from "./review-fixture.ts";

const pages = 200;
const each = 50;

function largeRun(): { files: Record<string, string>; findings: ReportedFinding[] } {
  const files: Record<string, string> = {};
  const findings: ReportedFinding[] = [];
  for (let page = 0; page < pages; page++) {
    const path = `docs/guide-${String(page).padStart(3, "0")}.md`;
    const lines = Array.from(
      { length: each },
      (_, i) => `Option ${i} of page ${page} waits 30 seconds by default.`,
    );
    files[path] = `# Guide ${page}\n\n${lines.join("\n\n")}\n`;
    for (const [i, line] of lines.entries())
      findings.push(
        finding(path, line, line.replace("30", "60"), {
          startLine: 3 + 2 * i,
          endLine: 3 + 2 * i,
          tier: i % 5 === 0 ? "likely" : "certain",
          kind: "default",
          message: `the value of \`option${i}\` is now \`60\`, not \`30\` (src/options-${page}.ts:${i}).`,
          evidence: [],
        }),
      );
  }
  return { files, findings };
}

type Frames = { median: number; p95: number; longest: number; over50: number; frames: number };

/** Scrolls the list by a screen with every frame, and says how long frames took. */
const scroll = (frames: number): string => `(async () => {
  const box = document.querySelector(".list .windowed");
  const times = [];
  let last = await new Promise(requestAnimationFrame);
  let blank = 0;
  for (let i = 0; i < ${frames}; i++) {
    box.scrollTop = (box.scrollHeight - box.clientHeight) * (i / ${frames});
    const now = await new Promise(requestAnimationFrame);
    times.push(now - last);
    last = now;
    if (box.querySelectorAll("li").length < 5) blank++;
  }
  times.sort((a, b) => a - b);
  const at = (part) => Math.round(times[Math.floor(times.length * part)] * 10) / 10;
  return { median: at(0.5), p95: at(0.95), longest: at(0.999), over50: times.filter((time) => time > 50).length, frames: times.length, blank, last: [...box.querySelectorAll("li")].at(-1).textContent, drawn: box.querySelectorAll("li").length };
})()`;

let browser: Browser;

describe.skipIf(withoutBrowser !== null)(
  `ten thousand edits in a browser${withoutBrowser ? `: ${withoutBrowser}` : ""}`,
  () => {
    beforeAll(async () => {
      browser = await launchBrowser();
    });
    afterAll(async () => {
      await browser?.close();
    });

    test("10,000 edits: the page paints, scrolls, steps, searches and approves a tier", async () => {
      const { files, findings } = largeRun();
      const bench = await openBench(files, findings);
      const context = await browser.newContext({ viewport: { width: 1360, height: 860 } });
      const tab = await context.newPage();
      tab.setDefaultTimeout(120_000);
      const started = performance.now();
      await tab.goto(bench.server.url);
      await tab.waitForSelector(".reason");
      const usable = Math.round(performance.now() - started);
      const paint = await tab.evaluate<number>(
        `Math.round(performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? -1)`,
      );
      const frames = (await tab.evaluate(scroll(120))) as Frames & {
        blank: number;
        drawn: number;
        last: string;
      };
      await tab.screenshot({ path: join(artefacts, "ten-thousand.png") });
      const stepping = await tab.evaluate<number>(`(async () => {
        const times = [];
        for (let i = 0; i < 30; i++) {
          const before = document.querySelector(".position").textContent;
          const start = performance.now();
          document.dispatchEvent(new KeyboardEvent("keydown", { key: "j", bubbles: true }));
          while (document.querySelector(".position")?.textContent === before || document.querySelector(".loading")) await new Promise((resolve) => setTimeout(resolve, 0));
          times.push(performance.now() - start);
        }
        return Math.round(times.sort((a, b) => a - b)[15]);
      })()`);
      const searching = await tab.evaluate<number>(`(async () => {
        const field = document.getElementById("search");
        const start = performance.now();
        field.value = "guide-199 option49";
        field.dispatchEvent(new Event("input", { bubbles: true }));
        while (document.querySelectorAll(".item-row").length !== 1) await new Promise((resolve) => setTimeout(resolve, 0));
        return Math.round(performance.now() - start);
      })()`);
      const accepting = performance.now();
      await tab.locator(".item-row").click();
      await tab.waitForTimeout(300);
      await tab.keyboard.press("a");
      await tab.locator(".item-row.accepted").waitFor();
      const accepted = Math.round(performance.now() - accepting - 300);
      expect(bench.text("docs/guide-199.md")).toContain("Option 49 of page 199 waits 60 seconds");

      const before = performance.now();
      const keys = findings.flatMap(({ tier }, key) => (tier === "likely" ? key : []));
      const together = value(await bench.desk.previewBatch(keys));
      value(await bench.desk.approve(together.keys, together.hash));
      const tier = Math.round(performance.now() - before);
      console.log(
        `10,000 edits: first paint ${paint} ms, usable ${usable} ms; ` +
          `scrolling ${frames.frames} frames: median ${frames.median} ms, p95 ${frames.p95} ms, longest ${frames.longest} ms, ` +
          `${frames.over50} over 50 ms, ${frames.drawn} rows drawn; next edit ${stepping} ms; search ${searching} ms; ` +
          `accept ${accepted} ms; ${together.keys.length} edits of a tier written in ${tier} ms`,
      );
      expect(together.keys).toHaveLength(2000);
      expect(frames.blank).toBe(0);
      expect(frames.last).toContain("src/options-198.ts");
      expect(frames.drawn).toBeLessThan(80);
      await context.close();
      await bench.close();
    });
  },
);
