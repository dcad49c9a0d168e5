import { appendFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseAddress } from "../src/clones/address.ts";
import { listActions } from "../src/people/actions.ts";
import { tokenHolder, type Viewer } from "../src/people/viewer.ts";
import { queueWaiting } from "../src/queue/scheduler.ts";
import { approveRollout, previewRollout, stopRollout } from "../src/rollout/rollout.ts";
import { OverviewCache } from "../src/serve/overview-cache.ts";
import { act } from "../src/serve/page-actions.ts";
import { PageApi } from "../src/serve/page-api.ts";
import type { PreviewView } from "../src/serve/view.ts";
import { readScope, writeSettings } from "../src/settings/stored-settings.ts";
import { wakeWaiting } from "../src/store/decisions.ts";
import { addRepositories } from "../src/store/repositories.ts";
import { listRuns, searchReasons } from "../src/store/runs.ts";
import { printPreview, summarizePreview } from "../src/wording/preview.ts";
import { change, commitToMain, gitIn } from "./generate.ts";
import { type OpenDatabase, present, TestFleet } from "./test-fleet.ts";

/** Previews, approvals, and the first look at a repository, for every database. */
export function describeRollout(name: string, open: OpenDatabase): void {
  describe(`a rollout of the fleet on ${name}`, () => {
    const tried = new TestFleet(open);
    const pullsOf = (organisation: string) =>
      [...tried.github.shelves].flatMap(([called, { pulls }]) =>
        called.startsWith(`${organisation}/`) ? pulls.filter(({ state }) => state === "open") : [],
      );
    const publishApproved = async (): Promise<void> => {
      await queueWaiting(tried.fleet);
      await tried.run();
    };

    test("a dry run shows what would be published, and publishes nothing, also without a token", async () => {
      await writeSettings(tried.fleet.query, "fleet", { dryRun: true });
      const first = await tried.add("dry");
      const second = await tried.add("dry");
      await tried.fleet.queue.add([]);
      await tried.check(first.repository, second.repository);
      expect(pullsOf("dry")).toEqual([]);
      expect((await listRuns(tried.fleet.query)).map(({ kind }) => kind)).not.toContain("publish");
      expect(await tried.now(first.repository)).toMatchObject({ state: "drifted", waiting_for: "approval" });
      const found = await previewRollout(tried.fleet, { scope: "fleet" });
      expect(found.map(({ findings }) => findings.length)).toEqual([3, 3]);
      expect(summarizePreview(found)).toMatchObject({
        edits: 6,
        organisations: [{ name: "dry", repositories: 2, edits: 6 }],
      });
      const text = printPreview(found).join("\n");
      expect(text).toContain(`    - Call \`loadPage${first.n}\` with a URL:`);
      expect(text).toContain(`    + Call \`fetchPage${first.n}\` with a URL:`);
      expect(await previewRollout(tried.fleet, { scope: { organisation: "other" } })).toEqual([]);
    });

    test("edits are approved by organisation, by batch and by cause, and only those are published", async () => {
      await writeSettings(tried.fleet.query, "fleet", { dryRun: true });
      const [a, b, c] = [await tried.add("batch"), await tried.add("batch"), await tried.add("apart")];
      await tried.check(a.repository, b.repository, c.repository);
      const batch = { scope: { organisation: "batch" }, most: 1 };
      expect(await approveRollout(tried.fleet, batch, "alice")).toEqual({ repositories: 1, edits: 3 });
      await publishApproved();
      expect(pullsOf("batch")).toHaveLength(1);
      expect(await approveRollout(tried.fleet, batch, "alice")).toEqual({ repositories: 1, edits: 3 });
      await publishApproved();
      expect(pullsOf("batch")).toHaveLength(2);
      expect(await approveRollout(tried.fleet, batch, "alice")).toEqual({ repositories: 0, edits: 0 });
      const [{ findings }] = (await previewRollout(tried.fleet, { scope: "fleet" })) as [
        Awaited<ReturnType<typeof previewRollout>>[number],
      ];
      const { cause } = present(findings[0]);
      const byCause = { scope: "fleet", cause } as const;
      expect(await approveRollout(tried.fleet, { ...byCause, cause: "no such cause" }, "bob")).toEqual({
        repositories: 0,
        edits: 0,
      });
      expect((await approveRollout(tried.fleet, byCause, "bob")).repositories).toBe(1);
      await publishApproved();
      expect(pullsOf("apart")).toHaveLength(1);
      expect(await tried.now(c.repository)).toMatchObject({ state: "open", waiting_for: null });
    });

    test("a part of the edits can be approved; the rest goes on waiting and can follow", async () => {
      await writeSettings(tried.fleet.query, "fleet", { dryRun: true });
      const { repository, generated, n } = await tried.add("part");
      commitToMain(generated, "a second page", (tree) => {
        writeFileSync(join(tree, "docs", "guide.md"), `# Guide\n\nCall \`fetchPage${n}\` with a URL.\n`);
        writeFileSync(join(tree, "docs", "rows.md"), `# Rows\n\nUse \`takeRow${n}\` for rows.\n`);
        writeFileSync(join(tree, "src", "rows.js"), `export function takeRow${n}(row) {\n  return row;\n}\n`);
      });
      commitToMain(generated, "rename both", (tree) => {
        writeFileSync(
          join(tree, "src", "index.js"),
          `export function readPage${n}(url, { retries = 3 } = {}) {\n  return fetch(url, { retries });\n}\n`,
        );
        writeFileSync(join(tree, "src", "rows.js"), `export function readRow${n}(row) {\n  return row;\n}\n`);
      });
      await tried.check(repository);
      const [{ findings }] = (await previewRollout(tried.fleet, { scope: "fleet" })) as [
        Awaited<ReturnType<typeof previewRollout>>[number],
      ];
      expect(findings).toHaveLength(2);
      const rows = present(findings.find(({ path }) => path === "docs/rows.md"));
      await approveRollout(tried.fleet, { scope: "fleet", cause: present(rows.cause) }, "alice");
      await publishApproved();
      const called = `part/${repository.name}`;
      expect(tried.github.read(called, "suture/main", "docs/rows.md")).toContain(`readRow${n}`);
      expect(tried.github.read(called, "suture/main", "docs/guide.md")).toContain(`fetchPage${n}`);
      expect(await tried.now(repository)).toMatchObject({ state: "open", waiting_for: "approval" });
      await approveRollout(tried.fleet, { scope: { repository: repository.id } }, "alice");
      await publishApproved();
      expect(tried.github.read(called, "suture/main", "docs/guide.md")).toContain(`readPage${n}`);
      expect(pullsOf("part")).toHaveLength(1);
      expect(await tried.now(repository)).toMatchObject({ state: "open", waiting_for: null });
    });

    test("the page shows the waiting edits; operators of an organisation approve them there, and others may not", async () => {
      await writeSettings(tried.fleet.query, "fleet", { dryRun: true });
      const [a, b] = [await tried.add("shown"), await tried.add("hidden")];
      await tried.check(a.repository, b.repository);
      const api = new PageApi(tried.fleet, new OverviewCache(tried.fleet));
      const read = async (viewer: Viewer, query = "") =>
        (await api.read(viewer, `/api/preview?${query}`)) as PreviewView;
      const ann: Viewer = { name: "ann", sees: ["shown"], operates: ["shown"] };
      const eve: Viewer = { name: "eve", sees: ["shown"], operates: [] };
      const all = await read(tokenHolder);
      expect(all.repositories.map(({ organisation }) => organisation).sort()).toEqual(["hidden", "shown"]);
      expect(await read(tokenHolder, "organisation=hidden")).toMatchObject({
        repositories: [{ name: b.repository.name }],
        next: null,
      });
      const seen = await read(ann);
      expect(seen.waiting).toEqual([{ organisation: "shown", waitingFor: "approval", repositories: 1 }]);
      expect(seen.repositories).toMatchObject([{ id: a.repository.id, findings: [{}, {}, {}] }]);
      const { cause } = present(seen.repositories[0]?.findings[0]);
      expect((await read(ann, `cause=${encodeURIComponent(cause)}`)).repositories).toHaveLength(1);
      expect((await read(ann, "cause=unheard")).repositories).toEqual([]);
      const post = (viewer: Viewer, address: string) => act(tried.fleet, viewer, `/api/rollout/${address}`);
      const refused = [
        await post(eve, "approve?organisation=shown"),
        await post(ann, "approve"),
        await post(ann, "approve?organisation=hidden"),
        await post(ann, `approve?repository=${b.repository.id}`),
        await post(ann, "approve?repository=999999"),
        await post(ann, "publish?organisation=shown"),
      ];
      expect(refused).toEqual([403, 403, 403, 403, 404, 404]);
      expect(await post(ann, `approve?organisation=shown&cause=${encodeURIComponent(cause)}&most=1`)).toBe(
        200,
      );
      expect((await read(ann)).repositories[0]?.findings.some(({ isApproved }) => isApproved)).toBe(true);
      await publishApproved();
      expect([pullsOf("shown").length, pullsOf("hidden").length]).toEqual([1, 0]);
      expect(await post(ann, "stop?organisation=shown")).toBe(200);
      const recorded = (await listActions(tried.fleet.query)).map(({ who, did }) => `${who} ${did}`);
      expect(recorded[0]).toBe("ann stopped the rollout (0 approvals withdrawn) of");
      expect(recorded[1]).toMatch(/^ann approved \d edits? of /);
    });

    test("an approval does not hold for edits that a newer commit changes", async () => {
      await writeSettings(tried.fleet.query, "fleet", { dryRun: true });
      const { repository, generated, n } = await tried.add("changed");
      await tried.check(repository);
      await approveRollout(tried.fleet, { scope: "fleet" }, "alice");
      await change(generated, n, `readPage${n}`);
      await tried.check(repository);
      await publishApproved();
      expect(pullsOf("changed")).toEqual([]);
      expect(await tried.now(repository)).toMatchObject({ waiting_for: "approval" });
    });

    test("a rollout that is stopped publishes nothing more, and open pull requests stay", async () => {
      const opened = await tried.add("stopped");
      await tried.check(opened.repository);
      expect(pullsOf("stopped")).toHaveLength(1);
      const { repository } = await tried.add("stopped");
      await writeSettings(tried.fleet.query, { repository: repository.id }, { dryRun: false, draft: true });
      await writeSettings(tried.fleet.query, { organisation: "stopped" }, { dryRun: true });
      const third = await tried.add("stopped");
      await tried.check(third.repository);
      await approveRollout(tried.fleet, { scope: { organisation: "stopped" } }, "alice");
      expect(await stopRollout(tried.fleet, { organisation: "stopped" })).toEqual({ withdrawn: 3 });
      await tried.check(repository);
      await publishApproved();
      expect(pullsOf("stopped")).toHaveLength(1);
      expect(await readScope(tried.fleet.query, { repository: repository.id })).toEqual({ draft: true });
      await change(opened.generated, opened.n, `readPage${opened.n}`);
      await tried.check(opened.repository);
      expect(pullsOf("stopped")).toMatchObject([{ state: "open" }]);
      // The dry run is over: what waits is published.
      await writeSettings(tried.fleet.query, { organisation: "stopped" }, {});
      await wakeWaiting(tried.fleet.query, { organisation: "stopped" });
      await publishApproved();
      expect(pullsOf("stopped")).toHaveLength(3);
    });

    test("the first look finds pages that were false before, says since when, and does not call them clean", async () => {
      const { repository, generated, n } = await tried.add("before");
      commitToMain(generated, "fix the page, and link", (tree) => {
        writeFileSync(
          join(tree, "docs", "guide.md"),
          `# Guide\n\nCall \`fetchPage${n}\`. See [setup](setup.md).\n`,
        );
        writeFileSync(join(tree, "docs", "setup.md"), "# Setup\n");
      });
      commitToMain(generated, "drop the setup", (tree) => rmSync(join(tree, "docs", "setup.md")));
      commitToMain(generated, "notes", (tree) => writeFileSync(join(tree, "notes.txt"), "notes\n"));
      await tried.check(repository);
      const first = await tried.now(repository);
      expect(first).toMatchObject({ state: "drifted", drift: 0, standing: 1, surveyed: first.checked });
      expect(first.standing_since).toBeInstanceOf(Date);
      expect((await listRuns(tried.fleet.query, { repository: repository.id }))[0]).toMatchObject({
        findings: 1,
      });
      expect((await searchReasons(tried.fleet.query, "setup.md")).map(({ path }) => path)).toEqual([
        "docs/guide.md",
      ]);
      commitToMain(generated, "unlink", (tree) =>
        writeFileSync(join(tree, "docs", "guide.md"), `# Guide\n\nCall \`fetchPage${n}\`.\n`),
      );
      await tried.check(repository);
      expect(await tried.now(repository)).toMatchObject({
        state: "clean",
        standing: 0,
        standing_since: null,
      });
    });

    test("a passage that the last change made false counts once, and not as false before too", async () => {
      const { repository } = await tried.add("once", null);
      await tried.check(repository);
      expect(await tried.now(repository)).toMatchObject({ drift: 3, standing: 0, standing_since: null });
      const [row] = await tried.fleet.query<{ reasons: number }>(
        `SELECT count(*)::int AS reasons FROM suture_fleet.reason JOIN suture_fleet.run ON run.id = reason.run
         WHERE run.repository = $1 AND run.kind = 'check'`,
        [repository.id],
      );
      expect(row).toEqual({ reasons: 3 });
      // The survey of a later commit calls the same names removed, which the change calls renamed.
      const renamed = await tried.add("once-more", null);
      await change(renamed.generated, renamed.n, `readPage${renamed.n}`);
      await tried.fleet.query("UPDATE suture_fleet.repository SET base = $2, checked = $2 WHERE id = $1", [
        renamed.repository.id,
        renamed.generated.first,
      ]);
      await tried.check(renamed.repository);
      expect(await tried.now(renamed.repository)).toMatchObject({ drift: 3, standing: 0 });
    });

    test("the first look at a repository that is fetched over a network searches its history too", async () => {
      const { repository: near, generated } = await tried.add("near", null);
      commitToMain(generated, "a page moves", (tree) => {
        writeFileSync(join(tree, "docs", "setup.md"), `# Setup\n\n${"Install it with care.\n".repeat(20)}`);
        appendFileSync(join(tree, "README.md"), "\n[Setup](docs/setup.md)\n");
      });
      commitToMain(generated, "the page has moved", (tree) => {
        renameSync(join(tree, "docs", "setup.md"), join(tree, "docs", "install.md"));
        appendFileSync(join(tree, "docs", "install.md"), "Then start it.\n");
      });
      for (const note of ["one", "two"])
        commitToMain(generated, note, (tree) => writeFileSync(join(tree, "notes.txt"), `${note}\n`));
      for (const option of ["allowFilter", "allowAnySHA1InWant"])
        gitIn(generated.folder, "config", `uploadpack.${option}`, "true");
      const address = parseAddress(`file://${generated.folder}`);
      if (!address.ok) throw new Error("address");
      const [added] = await addRepositories(tried.fleet.query, [
        { ...address.value, organisation: "distant" },
      ]);
      const distant = present(added);
      await tried.check(near, distant);
      expect(await tried.now(near)).toMatchObject({ state: "drifted", drift: 0, standing: 4 });
      expect(await tried.now(distant)).toMatchObject({ state: "drifted", drift: 0, standing: 4 });
      const said = (await searchReasons(tried.fleet.query, "setup")).map(({ message }) => message);
      expect(said).toHaveLength(2);
      expect(new Set(said).size).toBe(1);
      expect(said[0]).toContain("docs/install.md");
    });

    test("a page that cannot be read makes a repository unknown and not clean, also at the first look", async () => {
      const { repository, generated, n } = await tried.add("unreadable");
      commitToMain(generated, "a page in another encoding", (tree) => {
        writeFileSync(join(tree, "docs", "guide.md"), `# Guide\n\nCall \`fetchPage${n}\`.\n`);
        writeFileSync(join(tree, "docs", "latin.md"), Buffer.from([0x23, 0x20, 0xe9, 0xff, 0x0a]));
      });
      commitToMain(generated, "notes", (tree) => writeFileSync(join(tree, "notes.txt"), "notes\n"));
      await tried.check(repository);
      expect(await tried.now(repository)).toMatchObject({
        state: "unknown",
        standing: 0,
        standing_unknown: 1,
      });
    });

    test("a push to the code checks the pages of another repository, and the pull request names the commit", async () => {
      const code = await tried.add("linked", null);
      const pages = await tried.add("linked");
      const { n } = code;
      commitToMain(pages.generated, "pages about the code", (tree) => {
        rmSync(join(tree, "src"), { recursive: true });
        writeFileSync(join(tree, "docs", "guide.md"), `# Guide\n\nCall \`fetchPage${n}\` with a URL.\n`);
      });
      const describes = [`linked/${code.repository.name.toUpperCase()}`];
      await writeSettings(tried.fleet.query, { repository: pages.repository.id }, { describes });
      await tried.check(pages.repository);
      expect(await tried.now(pages.repository)).toMatchObject({ state: "clean" });
      const made = await change(code.generated, n, `readPage${n}`);
      await tried.check(code.repository);
      expect(await tried.now(pages.repository)).toMatchObject({ state: "open", drift: 1 });
      const called = `linked/${pages.repository.name}`;
      const [pull] = tried.shelf(pages.repository).pulls;
      expect(pull).toMatchObject({ state: "open", head: "suture/main" });
      const body = present(pull).body.replaceAll(/<\/?code>/g, "");
      expect(body).toContain(`(linked/${code.repository.name} ${made.slice(0, 12)})`);
      expect(body).toContain(`The code of linked/${code.repository.name} has changed`);
      expect(tried.github.read(called, "suture/main", "docs/guide.md")).toContain(`readPage${n}`);
      // A later push that changes nothing of it leaves the pull request as it is.
      const { moves } = tried.shelf(pages.repository);
      commitToMain(code.generated, "notes", (tree) => writeFileSync(join(tree, "notes.txt"), "notes\n"));
      await tried.check(code.repository);
      expect(tried.shelf(pages.repository).moves).toBe(moves);
      expect(await tried.now(pages.repository)).toMatchObject({ state: "open", drift: 1 });
      // People merge it: the pages are true again.
      commitToMain(pages.generated, "merge", (tree) =>
        writeFileSync(join(tree, "docs", "guide.md"), `# Guide\n\nCall \`readPage${n}\` with a URL.\n`),
      );
      await tried.check(pages.repository);
      expect(await tried.now(pages.repository)).toMatchObject({ state: "clean", drift: 0 });
      expect(pullsOf("linked")).toEqual([]);
    });

    test("a repository with one commit gets a first look too", async () => {
      const { repository, generated } = await tried.add("single");
      gitIn(generated.folder, "update-ref", "refs/heads/main", generated.first);
      await tried.check(repository);
      expect(await tried.now(repository)).toMatchObject({ state: "clean", surveyed: generated.first });
    });
  });
}
