import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildFleetPage } from "../../../scripts/build-page.ts";
import { readAssets } from "../../../src/http/assets.ts";
import { launchBrowser, withoutBrowser } from "../../../test/web/review-fixture.ts";
import { type Fleet, openFleet } from "../src/fleet.ts";
import { openHome } from "../src/home.ts";
import { listActions } from "../src/people/actions.ts";
import { grantRole } from "../src/people/members.ts";
import { type FleetServer, serveFleet } from "../src/serve/server.ts";
import { addRepositories, recordProblem } from "../src/store/repositories.ts";
import { startFakeProvider } from "./fake-provider.ts";

const folder = mkdtempSync(join(tmpdir(), "suture-page-"));
/** With SUTURE_PICTURES, the pages are photographed into that folder. */
const pictures = process.env.SUTURE_PICTURES;
const commit = "c".repeat(40);
let fleet: Fleet;
let server: FleetServer;

/** A fleet of 120 repositories: clean, drifted, with an open request, and failing. */
async function fill(): Promise<void> {
  const names = Array.from({ length: 119 }, (_, i) => `service-${String(i).padStart(3, "0")}`);
  const rows = ["<b>api</b>", ...names].map((name, i) => ({
    host: "github.com",
    organisation: i % 3 === 0 ? "globex" : "acme",
    name,
    url: `https://github.com/acme/${i}.git`,
  }));
  const added = await addRepositories(fleet.query, rows);
  const first = added[0]!.id;
  await fleet.query(`UPDATE suture_fleet.repository SET state = 'clean', checked = '${commit}', checked_at = now();
    UPDATE suture_fleet.repository SET state = 'open', drift = 2 WHERE id = ${first};
    UPDATE suture_fleet.repository SET state = 'drifted', drift = id % 7 + 1 WHERE id % 5 = 0 AND id <> ${first};
    INSERT INTO suture_fleet.run (id, repository, kind, cause, commit, state, worker, began, findings, fixed)
    VALUES ('run-1', ${first}, 'fix', 'push', '${commit}', 'done', 'machine-1', now(), 2, 2);
    INSERT INTO suture_fleet.reason (run, repository, path, start_line, end_line, finding, tier, message, edits, evidence, fixed)
    VALUES ('run-1', ${first}, 'docs/a.md', 3, 3, 'f', 'certain', '\`load\` is now \`fetch\` (src/a.js:1).',
      '[{"old_string": "Call load", "new_string": "Call fetch\u202e<script>"}]', '[]', true);
    INSERT INTO suture_fleet.publication (repository, kind, commit, run, fence, state, url, confirmed)
    VALUES (${first}, 'request', '${commit}', 'run-1', 1, 'confirmed', 'https://github.com/globex/api/pull/17', now());
    INSERT INTO suture_fleet.level SELECT current_date - n, 'acme', 120, 40, 2, 30 + n * n FROM generate_series(0, 20) n`);
  await fillWaiting(added.slice(2, 27).map(({ id }) => id));
  await recordProblem(fleet.query, added[1]!.id, {
    problem: "remote: Repository not found. fatal: repository 'https://github.com/acme/1.git/' not found",
    state: "failing",
  });
}

/** Repositories whose edits wait for a person. */
async function fillWaiting(ids: readonly number[]): Promise<void> {
  const finding = {
    id: "f00d",
    path: "docs/a.md",
    startLine: 3,
    tier: "certain",
    kind: "renamed",
    cause: "renamed:load→fetch",
    message: "`load` is now `fetch` (src/a.js:1).",
    edits: [{ old_string: "Call load", new_string: "Call fetch" }],
  };
  const record = JSON.stringify({ report: { findings: [finding] } });
  for (const id of ids)
    await fleet.query(
      `WITH fix AS (
         INSERT INTO suture_fleet.run (id, repository, kind, cause, commit, state, worker, began, findings, fixed, record)
         VALUES ('wait-' || $1::int, $1::int, 'fix', 'push', '${commit}', 'done', 'machine-1', now(), 1, 1, $2::text::jsonb) RETURNING id
       ), why AS (
         INSERT INTO suture_fleet.reason (run, repository, path, start_line, end_line, finding, tier, message, edits, evidence, fixed)
         SELECT id, $1::int, 'docs/a.md', 3, 3, 'f00d', 'certain', 'm', '[]', '[]', true FROM fix
       ) UPDATE suture_fleet.repository SET waiting_run = (SELECT id FROM fix), waiting_for = 'approval', waiting_until = 'infinity'
         WHERE id = $1::int`,
      [id, record],
    );
}

async function serious(tab: Page): Promise<unknown> {
  await tab.evaluate(readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
  return tab.evaluate(
    `axe.run().then(({ violations }) => violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id, nodes }) => id + " " + nodes[0].html))`,
  );
}

async function photograph(tab: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  mkdirSync(pictures, { recursive: true });
  await tab.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
}

if (withoutBrowser !== null) test.skip(`the fleet page: ${withoutBrowser}`);
else {
  beforeAll(async () => {
    await buildFleetPage(join(folder, "web"));
    const assets = readAssets(join(folder, "web"));
    const opened = await openFleet({ home: await openHome(join(folder, "home")), environment: {} });
    if (!assets.ok || !opened.ok) throw new Error("fleet");
    fleet = opened.value;
    await fill();
    const served = await serveFleet(fleet, { port: 0, assets: assets.value });
    if (!served.ok) throw new Error("server");
    server = served.value;
  });
  afterAll(async () => {
    await server?.close();
    await fleet?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(["light", "dark"] as const)(
    "the fleet page shows figures, charts, failing repositories and a run as text, and axe-core finds no serious violation (%s)",
    async (colorScheme) => {
      const browser = await launchBrowser();
      try {
        const tab = await browser.newPage({ colorScheme });
        await tab.goto(server.url);
        await tab.getByText("Repositories with drift").waitFor();
        const figures = await tab.locator(".figures dd").allTextContents();
        expect(figures[0]).toBe("120");
        expect(await tab.getByRole("img").count()).toBe(4);
        expect(await tab.getByText("Repository not found").count()).toBe(1);
        expect(await tab.locator("b").count()).toBe(0);
        expect(await serious(tab)).toEqual([]);
        await photograph(tab, `overview-${colorScheme}`);
        await tab.locator('a[href="/runs/run-1"]').click();
        await tab.locator(".passage").waitFor();
        expect(await tab.locator(".passage").textContent()).toContain("U+202E");
        expect(await tab.getByRole("link", { name: "cccccccccccc" }).getAttribute("href")).toContain(
          `/commit/${commit}`,
        );
        expect(await serious(tab)).toEqual([]);
      } finally {
        await browser.close();
      }
    },
  );

  test("the list is searched, filtered and sorted, has an address of its own, and reload and Back keep the place", async () => {
    const browser = await launchBrowser();
    try {
      const tab = await browser.newPage();
      await tab.goto(server.url);
      await tab.getByRole("link", { name: "Repositories", exact: true }).first().click();
      await tab.getByText("120 repositories").waitFor();
      expect(await tab.locator(".rows tbody tr").count()).toBe(50);
      await tab.getByLabel("State").selectOption("failing");
      await tab.getByText("1 repository").waitFor();
      await tab.getByLabel("State").selectOption("");
      await tab.getByLabel("Name").fill("service-04");
      await tab.getByText("10 repositories").waitFor();
      expect(new URL(tab.url()).search).toBe("?search=service-04");
      await tab.reload();
      await tab.getByText("10 repositories").waitFor();
      expect(await tab.getByLabel("Name").inputValue()).toBe("service-04");
      await tab.getByRole("link", { name: "False passages" }).click();
      await tab.locator("th[aria-sort=descending]").waitFor();
      await tab.getByRole("link", { name: "acme/service-042" }).click();
      await tab.getByRole("heading", { name: "acme/service-042" }).waitFor();
      expect(new URL(tab.url()).pathname).toMatch(/^\/repositories\/\d+$/);
      await tab.goBack();
      await tab.locator("th[aria-sort=descending]").waitFor();
      expect(await tab.getByLabel("Name").inputValue()).toBe("service-04");
      expect(await serious(tab)).toEqual([]);
      await photograph(tab, "repositories");
    } finally {
      await browser.close();
    }
  });

  test("a repository is paused, resumed and retried from the page, and the record names the actions", async () => {
    const browser = await launchBrowser();
    try {
      const tab = await browser.newPage();
      await tab.goto(server.url.replace("/#", "/repositories?state=failing#"));
      await tab.getByRole("button", { name: "Pause" }).click();
      await tab.getByRole("button", { name: "Resume" }).click();
      await tab.getByRole("button", { name: "Pause" }).waitFor();
      await tab.getByRole("button", { name: "Retry" }).click();
      await tab.getByText("0 repositories").waitFor();
      await tab.getByRole("link", { name: "Who did what" }).click();
      await tab.getByText("retried acme/service-000").waitFor();
      expect((await listActions(fleet.query)).map(({ did }) => did)).toEqual([
        "retried",
        "resumed",
        "paused",
      ]);
    } finally {
      await browser.close();
    }
  });

  test("waiting edits are shown with their reasons, approved by repository and in batches, and the rollout is stopped", async () => {
    const browser = await launchBrowser();
    try {
      const tab = await browser.newPage();
      await tab.goto(server.url);
      await tab.getByRole("link", { name: "Waiting edits" }).click();
      await tab.getByText("25 for approval").waitFor();
      expect(await tab.locator(".waiting").count()).toBe(20);
      expect(await serious(tab)).toEqual([]);
      await photograph(tab, "waiting");
      await tab.getByRole("button", { name: "Approve", exact: true }).first().click();
      await tab.locator(".waiting .badge", { hasText: "approved" }).waitFor();
      await tab.getByRole("button", { name: "Approve 10 repositories" }).click();
      await photograph(tab, "waiting-question");
      await tab.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
      expect(await tab.locator(".waiting .badge", { hasText: "approved" }).count()).toBe(1);
      await tab.getByRole("button", { name: "Approve 10 repositories" }).click();
      await tab.getByRole("dialog").getByRole("button", { name: "Approve 10 repositories" }).click();
      await tab.locator(".waiting .badge", { hasText: "approved" }).nth(10).waitFor();
      await tab.getByRole("link", { name: "Next" }).click();
      await tab.locator(".waiting").nth(4).waitFor();
      expect(new URL(tab.url()).searchParams.get("after")).toMatch(/^\d+$/);
      await tab.getByRole("button", { name: "Stop the rollout" }).click();
      await tab.getByRole("dialog").getByRole("button", { name: "Stop the rollout" }).click();
      await tab.getByRole("link", { name: "Who did what" }).click();
      await tab.getByText("stopped the rollout (11 approvals withdrawn) of all repositories").waitFor();
    } finally {
      await browser.close();
    }
  });

  test("the page asks for the token where the address has none, and says that a wrong one is wrong", async () => {
    const browser = await launchBrowser();
    try {
      const tab = await browser.newPage();
      await tab.goto(new URL("/repositories?state=failing", server.url).href);
      await tab.getByLabel("Token").fill("not-the-token");
      await tab.keyboard.press("Enter");
      await tab.getByText("The server does not know this token.").waitFor();
      expect(await serious(tab)).toEqual([]);
      await tab.getByLabel("Token").fill(server.token);
      await tab.keyboard.press("Enter");
      await tab.getByRole("heading", { name: "Repositories" }).waitFor();
      expect(new URL(tab.url()).search).toBe("?state=failing");
      expect(tab.url()).not.toContain(server.token);
    } finally {
      await browser.close();
    }
  });

  test("a person signs in, sees the name and the lack of a role, then the organisation of the role, and signs out", async () => {
    const provider = await startFakeProvider();
    const assets = readAssets(join(folder, "web"));
    const served = await serveFleet(fleet, {
      port: 0,
      oidc: provider.options,
      ...(assets.ok ? { assets: assets.value } : {}),
    });
    if (!served.ok) throw new Error("server");
    const origin = new URL(served.value.url).origin;
    const browser = await launchBrowser();
    try {
      const tab = await browser.newPage({ viewport: { width: 390, height: 844 } });
      await tab.goto(`${origin}/repositories`);
      await tab.getByRole("link", { name: "Sign in" }).click();
      await tab.getByText("You have no role in this fleet").waitFor();
      expect(await tab.getByText("ann@example.org", { exact: true }).count()).toBe(1);
      await tab.goto(origin);
      await tab.getByText("You have no role in this fleet").waitFor();
      expect(await tab.getByText("The fleet is empty").count()).toBe(0);
      expect(await tab.evaluate("document.documentElement.scrollWidth")).toBe(390);
      await photograph(tab, "no-role");
      await grantRole(fleet.query, { name: "ann@example.org", role: "viewer", organisation: "globex" });
      await tab.goto(`${origin}/repositories?search=service-000`);
      await tab.getByText("0 repositories").waitFor();
      await tab.goto(`${origin}/repositories?search=service-002`);
      await tab.getByText("1 repository").waitFor();
      expect(await tab.getByRole("button", { name: "Pause" }).count()).toBe(0);
      await tab.getByRole("button", { name: "Sign out" }).click();
      await tab.getByRole("link", { name: "Sign in" }).waitFor();
      await tab.goto(`${origin}/repositories`);
      await tab.getByRole("link", { name: "Sign in" }).waitFor();
    } finally {
      await browser.close();
      await served.value.close();
      provider.close();
    }
  });

  test("a page whose session has ended says so, and leads back to the sign-in", async () => {
    const browser = await launchBrowser();
    try {
      const tab = await browser.newPage();
      await tab.goto(server.url);
      await tab.getByText("Repositories with drift").waitFor();
      await tab.evaluate("sessionStorage.clear()");
      await tab.route(/\/api\/(?!run)/, (route) => route.fulfill({ status: 401 }));
      await tab.getByText("no longer accepts your session").waitFor({ timeout: 20_000 });
      expect(await tab.getByText("cannot be reached").count()).toBe(0);
      await tab.unroute(/\/api\/(?!run)/);
      await tab.getByRole("button", { name: "Sign in again" }).click();
      await tab.getByLabel("Token").waitFor();
    } finally {
      await browser.close();
    }
  });

  test("a repository shows its false passages, and passages that were false before count on every page", async () => {
    const [row] = await fleet.query<{ id: number }>(
      "SELECT id::int AS id FROM suture_fleet.repository WHERE name = 'service-118'",
    );
    await fleet.query(
      `INSERT INTO suture_fleet.run (id, repository, kind, cause, commit, state, worker, began, findings)
       VALUES ('look-1', $1, 'check', 'nightly', '${commit}', 'done', 'machine-1', now(), 9)`,
      [row!.id],
    );
    await fleet.query(
      `INSERT INTO suture_fleet.reason (run, repository, path, start_line, end_line, finding, tier, message, edits, evidence, fixed)
       VALUES ('look-1', $1, 'docs/old.md', 7, 7, 'g', 'likely', 'the version is now \`3.8\`, not \`3.6\`.', '[]', '[]', false),
         ('look-1', $1, 'docs/old.md', 9, 9, 'h', 'possible', 'maybe', '[]', '[]', false)`,
      [row!.id],
    );
    await fleet.query(
      "UPDATE suture_fleet.repository SET state = 'drifted', drift = 0, standing = 9 WHERE id = $1",
      [row!.id],
    );
    const browser = await launchBrowser();
    try {
      const tab = await browser.newPage();
      await tab.goto(server.url);
      const drifted = tab.getByRole("row", { name: /acme\/service-118/ }).first();
      await drifted.waitFor();
      expect(await drifted.locator(".number").textContent()).toBe("9");
      await tab.goto(new URL(`/repositories/${row!.id}`, server.url).href);
      await tab.getByText("the version is now").waitFor();
      expect(await tab.locator(".passage").allTextContents()).toEqual([
        expect.stringContaining("docs/old.md:7"),
      ]);
      // Whether an edit was made is known to the fix, and not to the check that found the passage.
      expect(await tab.getByText("left", { exact: true }).count()).toBe(0);
      expect(await serious(tab)).toEqual([]);
    } finally {
      await browser.close();
    }
  });

  test("a repository that cannot be judged, waits or rests says why, and the figures of all states make up the total", async () => {
    const named = async (called: string): Promise<number> =>
      (
        await fleet.query<{ id: number }>(
          "SELECT id::int AS id FROM suture_fleet.repository WHERE name = $1",
          [called],
        )
      )[0]!.id;
    const [unknown, shelved] = [await named("service-116"), await named("service-115")];
    const record = { unknown: [], standing: { unknown: [{ path: "docs/big.md", why: "it is too large" }] } };
    await fleet.query(
      `INSERT INTO suture_fleet.run (id, repository, kind, cause, commit, state, worker, began, record)
       VALUES ('look-2', $1, 'check', 'nightly', '${commit}', 'done', 'machine-1', now(), $2::text::jsonb)`,
      [unknown, JSON.stringify(record)],
    );
    await fleet.query(
      `UPDATE suture_fleet.repository SET state = 'unknown', waiting_for = 'limit', standing = 2,
         standing_since = '2020-02-02' WHERE id = $1`,
      [unknown],
    );
    await fleet.query("UPDATE suture_fleet.repository SET state = 'archived' WHERE id = $1", [shelved]);
    const browser = await launchBrowser();
    try {
      const tab = await browser.newPage();
      await tab.goto(server.url);
      await tab.getByText("Archived", { exact: true }).waitFor();
      const figures = await tab.locator(".figures > div").allTextContents();
      const counts = figures.map((text) => Number(/\d+$/.exec(text)?.[0]));
      const jobs = figures.findIndex((text) => text.startsWith("Jobs"));
      expect(counts.slice(1, jobs).reduce((sum, count) => sum + count, 0)).toBe(counts[0]);
      await tab.goto(new URL(`/repositories/${unknown}`, server.url).href);
      await tab.getByText("docs/big.md").waitFor();
      const text = await tab.locator("main").textContent();
      expect(text).toContain("it is too large");
      expect(text).toContain("the limit of open pull requests is reached");
      expect(text).toContain("2020");
      await photograph(tab, "unknown");
      await tab.goto(new URL(`/repositories/${shelved}`, server.url).href);
      await tab.getByText("Its host has archived or deleted it").waitFor();
      expect(await serious(tab)).toEqual([]);
    } finally {
      await browser.close();
    }
  });

  test("an empty fleet says how repositories come into it", async () => {
    const [assets, opened] = [
      readAssets(join(folder, "web")),
      await openFleet({ home: await openHome(join(folder, "empty")), environment: {} }),
    ];
    if (!assets.ok || !opened.ok) throw new Error("fleet");
    await using empty = opened.value;
    const served = await serveFleet(empty, { port: 0, assets: assets.value });
    if (!served.ok) throw new Error("server");
    const browser = await launchBrowser();
    try {
      const tab = await browser.newPage();
      await tab.goto(served.value.url);
      await tab.getByText("suture fleet import").waitFor();
      await photograph(tab, "empty");
    } finally {
      await browser.close();
      await served.value.close();
    }
  });

  test.each([1280, 800, 390])(
    "a very long name breaks, and no word of a badge or a button does (%i px)",
    async (width) => {
      const name = "long".repeat(50);
      const url = `https://github.com/acme/${name}.git`;
      await addRepositories(fleet.query, [{ host: "github.com", organisation: "acme", name, url }]);
      const browser = await launchBrowser();
      try {
        const tab = await browser.newPage({ viewport: { width, height: 844 } });
        await tab.goto(server.url);
        await tab.goto(new URL("/repositories?search=long", server.url).href);
        await tab.getByRole("button", { name: "Recheck" }).waitFor();
        for (const part of [tab.locator(".rows .badge"), tab.getByRole("button", { name: "Recheck" })])
          expect((await part.first().boundingBox())!.height).toBeLessThan(40);
        expect(await tab.evaluate("document.documentElement.scrollWidth")).toBe(width);
      } finally {
        await browser.close();
      }
    },
  );

  test("no page is wider than a phone", async () => {
    const browser = await launchBrowser();
    try {
      const tab = await browser.newPage({ viewport: { width: 390, height: 844 } });
      await tab.goto(server.url);
      await tab.getByText("Repositories with drift").waitFor();
      const repository = `/repositories/${(await fleet.query<{ id: number }>("SELECT min(id)::int AS id FROM suture_fleet.repository"))[0]!.id}`;
      for (const path of [
        "/",
        "/repositories",
        repository,
        "/runs/run-1",
        "/preview",
        "/search?words=fetch",
        "/actions",
      ]) {
        await tab.goto(new URL(path, server.url).href);
        await tab.locator(".panel h2").first().waitFor();
        await tab.waitForTimeout(300);
        const width = await tab.evaluate("document.documentElement.scrollWidth");
        await photograph(tab, `phone${path.replaceAll(/\W/g, "-")}`);
        expect([path, width]).toEqual([path, 390]);
      }
    } finally {
      await browser.close();
    }
  });
}
