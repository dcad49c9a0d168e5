import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { buildPages } from "../../scripts/build-page.ts";
import type { Fleet } from "../../src/fleet/fleet.ts";
import { createMetrics } from "../../src/fleet/serve/metrics.ts";
import { serveFleet } from "../../src/fleet/serve/server.ts";
import { readAssets } from "../../src/http/assets.ts";
import { launchBrowser, withoutBrowser } from "../web/review-fixture.ts";

const day = (n: number) => ({
  day: `2026-01-${String(n).padStart(2, "0")}`,
  runs: n,
  findings: n,
  fixed: n - 1,
  published: 1,
  merged: 1,
  closed: 0,
  tokens: 0,
  cost_usd: n / 10,
});
const repository = {
  id: 7,
  host: "github.com",
  organisation: "acme",
  name: "<b>api</b>",
  url: "u",
  branch: null,
  sink: null,
  checked: null,
  base: null,
  state: "open",
  drift: 2,
  fence: 1,
};
const run = {
  id: "run-1",
  organisation: "acme",
  name: "<b>api</b>",
  kind: "fix",
  cause: "push",
  state: "done",
  commit: "c".repeat(40),
  base: null,
  worker: "w",
  began: new Date(),
  ended: new Date(),
  findings: 2,
  fixed: 2,
  unknown: 0,
  tokens: 0,
  cost_usd: 0,
  detail: null,
  url: "https://example.org/pull/1",
};
const said = {
  run: "run-1",
  path: "docs/a.md",
  startLine: 3,
  endLine: 3,
  tier: "certain",
  message: "`load` is now `fetch` (src/a.js:1).",
  fixed: true,
  edits: [{ old_string: "Call load", new_string: "Call fetch\u202e<script>" }],
  evidence: [],
  organisation: "acme",
  name: "api",
  commit: "c",
  ended: new Date(),
  url: null,
};

/** Answers with what each table would hold, by the name of the table. */
const query = (async (text: string) => {
  if (/FROM suture_fleet.reason/.test(text)) return [said];
  if (/generate_series/.test(text)) return Array.from({ length: 9 }, (_, i) => day(i + 1));
  if (/FROM suture_fleet.run/.test(text)) return [run];
  if (/FROM suture_fleet.worker/.test(text))
    return [
      { id: "machine-1", started: new Date(), seen: new Date(), slots: 2, busy: 1, done: 40, memory: 1e8 },
    ];
  if (/GROUP BY state/.test(text))
    return [
      { state: "open", count: 1 },
      { state: "clean", count: 41 },
    ];
  if (/FROM suture_fleet.repository/.test(text)) return [repository];
  if (/FROM suture_fleet.desk/.test(text)) return [{ draining: false }];
  return [];
}) as Fleet["query"];

if (withoutBrowser !== null) test.skip(`the fleet page: ${withoutBrowser}`);
else
  test("the fleet page shows metrics, charts and a run, all of it as text, and axe-core finds no serious violation", async () => {
    const folder = mkdtempSync(join(tmpdir(), "suture-page-"));
    await buildPages(folder);
    const assets = readAssets(folder);
    if (!assets.ok) throw new Error("assets");
    const queue = { depth: async () => ({ waiting: 5, deferred: 1, active: 2, dead: 0 }) };
    const fleet = {
      query,
      queue,
      log: () => {},
      metrics: createMetrics(),
      database: { roundTrips: () => 1 },
    } as unknown as Fleet;
    const served = await serveFleet(fleet, { port: 0, assets: assets.value });
    if (!served.ok) throw new Error("server");
    const browser = await launchBrowser();
    try {
      for (const colorScheme of ["light", "dark"] as const) {
        const tab = await browser.newPage({ colorScheme });
        await tab.goto(served.value.url);
        await tab.getByText("Repositories with drift").waitFor();
        expect(await tab.locator(".figures dd").allTextContents()).toEqual([
          "42",
          "41",
          "1",
          "0",
          "0",
          "5",
          "2",
          "1",
          "0",
        ]);
        expect(await tab.getByRole("img").allTextContents()).toHaveLength(3);
        expect(await tab.locator("b").count()).toBe(0);
        expect(await serious(tab)).toEqual([]);
        await tab.getByRole("button", { name: "fix" }).click();
        await tab.locator(".passage").waitFor();
        expect(await tab.locator(".passage").textContent()).toContain("U+202E");
        expect(await serious(tab)).toEqual([]);
        await tab.getByRole("button", { name: "All repositories" }).click();
        await tab.getByRole("button", { name: "acme/<b>api</b>" }).click();
        await tab.getByRole("heading", { name: "acme/<b>api</b>" }).waitFor();
        await tab.close();
      }
    } finally {
      await browser.close();
      await served.value.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

async function serious(tab: { evaluate(text: string): Promise<unknown> }): Promise<unknown> {
  await tab.evaluate(readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
  return tab.evaluate(
    `axe.run().then(({ violations }) => violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id, nodes }) => id + " " + nodes[0].html))`,
  );
}
