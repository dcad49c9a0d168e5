import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Claims } from "../../src/docs/claims/claims.ts";
import { countClaims, totalsOf } from "../../src/docs/claims/count-claims.ts";
import type { ReportedClaim } from "../../src/docs/claims/report.ts";
import { printClaims } from "../../src/web/claims/print-claims.ts";
import { buildAssets, launchBrowser, withoutBrowser } from "./review-fixture.ts";

const reordering = "\u202e";
const hostile = `</script><script>window.ran=1</script><img src=x onerror="window.ran=1">${reordering}`;

/** Pages whose text, names and code want to run, each with a true and a false claim. */
function manyClaims(count: number): Claims {
  const text = `# ${hostile}\n\nCall \`send\` with \`lost\`. ${hostile}\n`;
  const place = { startLine: 3, endLine: 3 };
  const claims: ReportedClaim[] = [
    {
      ...place,
      kind: "exists",
      startColumn: 7,
      endColumn: 11,
      says: "send",
      thing: { name: hostile, path: "a.js", line: 1 },
      by: "shape",
      truth: "true",
    },
    {
      ...place,
      kind: "exists",
      startColumn: 19,
      endColumn: 23,
      says: hostile,
      thing: { name: "lost", path: "a.js", line: 1, declaration: `lost() ${hostile}` },
      truth: "false",
      why: hostile,
    },
  ];
  const pages = Array.from({ length: count }, (_, at) => ({
    path: `${at} ${hostile}.md`,
    claims,
    totals: countClaims(claims),
  }));
  const report = {
    head: "worktree",
    pages,
    totals: totalsOf(pages),
    leftOut: [],
    unknown: [{ path: hostile, why: hostile }],
  };
  return { report, read: async (path) => (path === "a.js" ? `// ${hostile}` : text) };
}

describe.skipIf(withoutBrowser !== null)("the report of claims in a browser", () => {
  let browser: Browser;
  let folder: string;
  beforeAll(async () => {
    browser = await launchBrowser();
    folder = mkdtempSync(join(tmpdir(), "suture-claims-"));
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each([
    ["a desktop", { width: 1400, height: 900 }, "light"],
    ["a phone", { width: 390, height: 844 }, "dark"],
  ] as const)(
    "1,000 hostile pages run nothing, load nothing and can be read on %s",
    async (_, viewport, colorScheme) => {
      const file = join(folder, "claims.html");
      writeFileSync(file, await printClaims(await buildAssets(), manyClaims(1000), hostile));
      const context = await browser.newContext({ viewport, colorScheme });
      const page = await context.newPage();
      const requests: string[] = [];
      page.on("request", (request) => requests.push(request.url()));
      await page.goto(`file://${file}`);
      await page.waitForSelector("article");
      expect(await page.locator("nav button").count()).toBe(1000);
      expect(await page.locator("article mark:not(.unseen)").allTextContents()).toEqual(["send", "lost"]);
      await page.check("#only-false");
      expect(await page.locator("article mark:not(.unseen)").allTextContents()).toEqual(["lost"]);
      expect(await page.locator("article li.false code.code").textContent()).toMatch(/^lost\(\) /);
      // Text of others that reorders what stands beside it is shown by its number.
      expect(await page.textContent("body #page")).not.toContain(reordering);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      expect(await page.evaluate('"ran" in window')).toBe(false);
      expect(requests).toEqual([`file://${file}`]);
      await context.close();
    },
  );
});
