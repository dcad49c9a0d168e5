import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { queueWaiting } from "../src/queue/scheduler.ts";
import { writeSettings } from "../src/settings/stored-settings.ts";
import { wakeWaiting } from "../src/store/decisions.ts";
import { type Repository, takeDue } from "../src/store/repositories.ts";
import { listRuns } from "../src/store/runs.ts";
import { change, commitToMain, type Generated } from "./generate.ts";
import { type OpenDatabase, present, TestFleet } from "./test-fleet.ts";

/** The settings of organisations and repositories, for every database. */
export function describeSettings(name: string, open: OpenDatabase): void {
  describe(`settings of the fleet on ${name}`, () => {
    const tried = new TestFleet(open);
    const set = (scope: Parameters<typeof writeSettings>[1], settings: Parameters<typeof writeSettings>[2]) =>
      writeSettings(tried.fleet.query, scope, settings);
    const openPulls = (repository: Repository) =>
      tried.shelf(repository).pulls.filter(({ state }) => state === "open");
    const publishWaiting = async (): Promise<number> => {
      const count = await queueWaiting(tried.fleet);
      await tried.run();
      return count;
    };

    /** The last change makes two pages false, for one reason each. */
    const addTwoPages = async (organisation: string, file?: object) => {
      const { generated, repository, n } = await tried.add(organisation);
      commitToMain(generated, "two pages", (tree) => {
        writeFileSync(join(tree, "docs", "guide.md"), `# Guide\n\nCall \`fetchPage${n}\` with a URL.\n`);
        writeFileSync(join(tree, "docs", "other.md"), `# Other\n\nUse \`takeRow${n}\` for rows.\n`);
        writeFileSync(join(tree, "src", "rows.js"), `export function takeRow${n}(row) {\n  return row;\n}\n`);
        if (file) writeFileSync(join(tree, "suture.config.json"), JSON.stringify(file));
      });
      renameBoth(generated, n, ["readPage", "readRow"]);
      return { generated, repository, n };
    };
    const renameBoth = (generated: Generated, n: number, [page, row]: readonly [string, string]): void =>
      commitToMain(generated, "rename", (tree) => {
        writeFileSync(
          join(tree, "src", "index.js"),
          `export function ${page}${n}(url, { retries = 3 } = {}) {\n  return fetch(url, { retries });\n}\n`,
        );
        writeFileSync(join(tree, "src", "rows.js"), `export function ${row}${n}(row) {\n  return row;\n}\n`);
      });

    test("labels, reviewers, title, branch and draft of a pull request come from the settings", async () => {
      await set("fleet", { labels: ["docs"], draft: true });
      await set({ organisation: "STYLED" }, { reviewers: ["alice", "styled/writers"], branch: "drift" });
      const { repository, n, generated } = await tried.add("styled");
      await set({ repository: repository.id }, { title: "docs: {passages} on {pages}" });
      await tried.check(repository);
      expect(tried.shelf(repository).pulls).toMatchObject([
        {
          head: "suture/drift",
          base: "main",
          title: "docs: 3 passages on 1 page",
          draft: true,
          labels: ["docs"],
          reviewers: { reviewers: ["alice"], team_reviewers: ["writers"] },
        },
      ]);
      await set({ repository: repository.id }, { branch: "documents" });
      await change(generated, n, `readPage${n}`);
      await tried.check(repository);
      expect(tried.shelf(repository).pulls).toMatchObject([
        { head: "suture/drift", state: "closed" },
        { head: "suture/documents", state: "open" },
      ]);
    });

    test("the file of the main branch wins over the settings of the fleet", async () => {
      await set("fleet", { labels: ["fleet"], draft: true });
      const { repository } = await addTwoPages("own-file", { fleet: { labels: ["own"] } });
      await tried.check(repository);
      expect(openPulls(repository)).toMatchObject([{ labels: ["own"], draft: true }]);
    });

    test("a misspelt key in the file of a repository makes it failing, and says which key was meant", async () => {
      const { repository, generated } = await tried.add("misspelt");
      commitToMain(generated, "settings", (tree) =>
        writeFileSync(join(tree, "suture.config.json"), JSON.stringify({ fleet: { dryrun: true } })),
      );
      await tried.check(repository);
      expect(await tried.now(repository)).toMatchObject({
        state: "failing",
        problem: expect.stringContaining("dryRun"),
      });
    });

    test.each(["page", "cause"] as const)(
      "with the grouping by %s there are several pull requests",
      async (grouping) => {
        const { repository, generated, n } = await addTwoPages(`by-${grouping}`, { fleet: { grouping } });
        await tried.check(repository);
        const pulls = openPulls(repository);
        expect(pulls).toHaveLength(2);
        expect(new Set(pulls.map(({ head }) => head)).size).toBe(2);
        expect(pulls.every(({ head }) => head.startsWith("suture/main-"))).toBe(true);
        const called = `${repository.organisation}/${repository.name}`;
        const changed = pulls.map(({ head }) =>
          ["docs/guide.md", "docs/other.md"].filter((path) =>
            present(tried.github.read(called, head, path)).includes("read"),
          ),
        );
        expect(changed.flat().sort()).toEqual(["docs/guide.md", "docs/other.md"]);
        // A pull request that people close declines its own edits only.
        present(pulls[0]).state = "closed";
        await change(generated, n, `readPage${n}`);
        commitToMain(generated, "unrelated", (tree) => writeFileSync(join(tree, "notes.txt"), "notes\n"));
        await tried.check(repository);
        expect(openPulls(repository)).toEqual([pulls[1]]);
      },
    );

    test("a limit of open pull requests holds others back until one is decided", async () => {
      await set({ organisation: "limited" }, { limits: { organisation: 1 } });
      const [first, second] = [await tried.add("limited"), await tried.add("limited")];
      await tried.check(first.repository, second.repository);
      const states = await Promise.all([first, second].map(({ repository }) => tried.now(repository)));
      expect(states.map(({ state, waiting_for }) => `${state} ${waiting_for}`).sort()).toEqual([
        "drifted limit",
        "open null",
      ]);
      const isFirst = states[0]?.state === "open";
      const [opened, waits] = isFirst ? [first, second] : [second, first];
      expect(await publishWaiting()).toBe(0);
      present(openPulls(opened.repository)[0]).state = "closed";
      await change(opened.generated, opened.n, `other${opened.n}`);
      await set({ repository: opened.repository.id }, { limits: { openRequests: 0 } });
      await tried.check(opened.repository);
      expect(await publishWaiting()).toBeGreaterThan(0);
      expect(openPulls(waits.repository)).toHaveLength(1);
      expect(await tried.now(waits.repository)).toMatchObject({ state: "open", waiting_for: null });
    });

    test("jobs at the same time do not exceed a limit together", async () => {
      await set("fleet", { limits: { organisation: 2 } });
      const added = [];
      for (let i = 0; i < 6; i++) added.push(await tried.add("crowded"));
      await tried.fleet.queue.add(
        added.map(({ repository: { id, organisation } }) => ({
          kind: "check",
          repository: id,
          organisation,
          commit: null,
          cause: "nightly",
        })),
      );
      const { startWorker } = await import("../src/queue/worker.ts");
      await startWorker(tried.fleet, { untilEmpty: true, interval: 50, heartbeat: 10, slots: 6 }).ended;
      const pulls = [...tried.github.shelves].flatMap(([called, { pulls }]) =>
        called.startsWith("crowded/") ? pulls : [],
      );
      expect(pulls).toHaveLength(2);
    });

    test("outside its schedule nothing is published, and inside it is, by the clock of the database", async () => {
      const [row] = await tried.fleet.query<{ hour: number }>(
        "SELECT extract(hour FROM now() AT TIME ZONE 'UTC')::int AS hour",
      );
      const at = (ahead: number): string => `${String((present(row).hour + ahead) % 24).padStart(2, "0")}:00`;
      await set({ organisation: "nightly" }, { schedule: { from: at(6), to: at(7), every: 5 } });
      const { repository } = await tried.add("nightly");
      await tried.check(repository);
      expect(await tried.now(repository)).toMatchObject({ state: "drifted", waiting_for: "schedule" });
      expect(tried.github.shelves.get(`nightly/${repository.name}`)?.pulls ?? []).toEqual([]);
      expect(await publishWaiting()).toBe(0);
      await set({ organisation: "nightly" }, { schedule: { from: at(23), to: at(2) } });
      await wakeWaiting(tried.fleet.query, { organisation: "nightly" });
      expect(await publishWaiting()).toBe(1);
      expect(await tried.now(repository)).toMatchObject({ state: "open", waiting_for: null });
      // The regular check comes after five hours, and not after a day.
      await tried.fleet.query("UPDATE suture_fleet.repository SET due = now()");
      await takeDue(tried.fleet.query, 86_400, 10);
      const [due] = await tried.fleet.query<{ hours: number }>(
        "SELECT extract(epoch FROM due - now())::float / 3600 AS hours FROM suture_fleet.repository",
      );
      expect(present(due).hours).toBeGreaterThan(4);
      expect(present(due).hours).toBeLessThan(6);
    });

    test("edits that wait are dropped when a newer commit is checked", async () => {
      await set("fleet", { limits: { organisation: 0 } });
      const { repository, generated, n } = await tried.add("newer");
      await tried.check(repository);
      expect(await tried.now(repository)).toMatchObject({ waiting_for: "limit" });
      await change(generated, n, `loadPage${n}`);
      await tried.check(repository);
      expect(await tried.now(repository)).toMatchObject({ state: "clean", waiting_for: null });
      await set("fleet", {});
      await wakeWaiting(tried.fleet.query, "fleet");
      expect(await publishWaiting()).toBe(0);
    });

    test("a fix on a machine that has no clone yet reads the pages that it needs", async () => {
      const { repository, generated } = await tried.add("machines", null);
      const { gitIn } = await import("./generate.ts");
      gitIn(generated.folder, "config", "uploadpack.allowFilter", "true");
      gitIn(generated.folder, "config", "uploadpack.allowAnySHA1InWant", "true");
      await tried.fleet.query("UPDATE suture_fleet.repository SET url = 'file://' || url WHERE id = $1", [
        repository.id,
      ]);
      const { openMirrors } = await import("../src/clones/mirror.ts");
      const { startWorker } = await import("../src/queue/worker.ts");
      await tried.fleet.queue.add([
        {
          kind: "check",
          repository: repository.id,
          organisation: "machines",
          commit: null,
          cause: "nightly",
        },
      ]);
      // Each job runs on a machine of its own.
      for (let i = 0; i < 3; i++) {
        const mirrors = openMirrors(join(tried.folder, `machine-${i}`));
        const worker = startWorker({ ...tried.fleet, mirrors }, { slots: 1, interval: 20, heartbeat: 10 });
        while ((await listRuns(tried.fleet.query)).length <= i)
          await new Promise((wait) => setTimeout(wait, 50));
        await worker.stop();
      }
      expect(await tried.now(repository)).toMatchObject({ state: "open" });
    });
  });
}
