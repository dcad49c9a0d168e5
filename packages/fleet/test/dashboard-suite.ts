import { createHmac, randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { queueWaiting } from "../src/queue/scheduler.ts";
import { startWorker } from "../src/queue/worker.ts";
import { writeSettings } from "../src/settings/stored-settings.ts";
import { acceptWebhook } from "../src/store/deliveries.ts";
import type { Repository } from "../src/store/repositories.ts";
import { listRuns } from "../src/store/runs.ts";
import { jobFor, type OpenDatabase, present, TestFleet } from "./test-fleet.ts";

const secret = "the secret of the host";

/** The issue in which people decide by boxes, for every database. */
export function describeDashboard(name: string, open: OpenDatabase): void {
  describe(`the dashboard of a repository of the fleet on ${name}`, () => {
    const tried = new TestFleet(open);
    const settings = { dashboard: true, dryRun: true };

    const hear = async ({ organisation, name: called }: Repository, text: string, action = "edited") => {
      const about = {
        full_name: `${organisation}/${called}`,
        html_url: "https://local",
        default_branch: "main",
      };
      const sent = Buffer.from(JSON.stringify({ action, issue: { body: text }, repository: about }));
      const headers = {
        "x-github-event": "issues",
        "x-github-delivery": randomUUID(),
        "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(sent).digest("hex")}`,
      };
      return acceptWebhook(tried.fleet, { source: "github", headers, body: sent }, secret);
    };
    const tick = (text: string, at: RegExp): string => {
      const line = present(text.split("\n").find((each) => at.test(each)));
      return text.replace(line, line.replace("[ ]", "[x]"));
    };

    test("a ticked edit is published, a dismissed one leaves the list, and it can be brought back", async () => {
      await writeSettings(tried.fleet.query, "fleet", settings);
      const { repository } = await tried.add("boxes");
      await tried.check(repository);
      const shelf = tried.shelf(repository);
      const [issue] = shelf.issues;
      const first = present(issue).body;
      expect(first.match(/- \[ \] <!-- suture:approve /g)).toHaveLength(3);
      expect(shelf.pulls).toEqual([]);

      present(issue).body = tick(first, /suture:approve .*guide\.md:3/);
      expect(await hear(repository, present(issue).body)).toBe("queued");
      await tried.run();
      await queueWaiting(tried.fleet);
      await tried.run();
      expect(shelf.pulls).toMatchObject([{ state: "open" }]);
      const second = present(issue).body;
      expect(second.match(/- \[ \] <!-- suture:approve /g)).toHaveLength(2);
      expect(second).toContain("/pull/1");

      await writeSettings(tried.fleet.query, "fleet", { ...settings, dryRun: false });
      present(issue).body = second.replace(/suture:approve (\S+)/, "suture:dismiss $1");
      present(issue).body = tick(present(issue).body, /suture:dismiss /);
      expect(await hear(repository, present(issue).body)).toBe("queued");
      await tried.run();
      const third = present(issue).body;
      expect(third).toContain("### Dismissed");
      expect(third.match(/suture:restore /g)).toHaveLength(1);
      expect(await tried.fleet.query("SELECT by FROM suture_fleet.declined")).toEqual([{ by: "dashboard" }]);

      present(issue).body = tick(third, /suture:restore /);
      expect(await hear(repository, present(issue).body)).toBe("queued");
      await tried.run();
      expect(present(issue).body).not.toContain("suture:restore");
      expect(shelf.issues).toHaveLength(1);
    });

    test("an unchanged list is not written again, and a new look at it follows boxes that no webhook told of", async () => {
      await writeSettings(tried.fleet.query, "fleet", settings);
      const { repository } = await tried.add("quiet");
      await tried.check(repository);
      const shelf = tried.shelf(repository);
      const before = tried.github.counts["PATCH issue"] ?? 0;
      await tried.check(repository);
      expect(tried.github.counts["PATCH issue"] ?? 0).toBe(before);
      const [issue] = shelf.issues;
      present(issue).body = tick(present(issue).body, /suture:approve /);
      await tried.check(repository);
      expect(await tried.fleet.query("SELECT by FROM suture_fleet.approved")).toEqual([{ by: "dashboard" }]);
    });

    test("a box that is ticked while the list is written counts", async () => {
      await writeSettings(tried.fleet.query, "fleet", settings);
      const { repository } = await tried.add("hasty");
      await tried.check(repository);
      const [issue] = tried.shelf(repository).issues;
      const first = present(issue).body;
      present(issue).body = tick(first, /suture:approve .*guide\.md:3/);
      // The second list of issues is the one before the list is written.
      let lists = 0;
      tried.github.onRequest((request) => {
        if (request === "GET issues" && ++lists === 2)
          present(issue).body = tick(present(issue).body, /suture:approve .*guide\.md:6/);
      });
      await tried.fleet.queue.add([jobFor(repository, { kind: "dashboard" })]);
      await tried.run();
      tried.github.onRequest(() => {});
      expect(lists).toBeGreaterThan(2);
      expect(await tried.fleet.query("SELECT FROM suture_fleet.approved")).toHaveLength(2);
    });

    test("a dismissal counts, although the list could not be written after it", async () => {
      await writeSettings(tried.fleet.query, "fleet", settings);
      const { repository } = await tried.add("broken-off");
      await tried.check(repository);
      const [issue] = tried.shelf(repository).issues;
      const dismissing = present(issue).body.replace(/suture:approve (\S+)/, "suture:dismiss $1");
      present(issue).body = tick(dismissing, /suture:dismiss /);
      tried.github.onRequest((request) => {
        if (request.startsWith("PATCH issues")) throw new Error("the connection ends");
      });
      await tried.fleet.queue.add([jobFor(repository, { kind: "dashboard" })]);
      const worker = startWorker(tried.fleet, { interval: 100, heartbeat: 10 });
      while ((await tried.fleet.queue.depth()).deferred === 0)
        await new Promise((resolve) => setTimeout(resolve, 50));
      await worker.stop();
      tried.github.onRequest(() => {});
      await tried.fleet.query("TRUNCATE suture_fleet.host; UPDATE suture_queue.job SET start_after = now()");
      await tried.run();
      const runs = await listRuns(tried.fleet.query, { repository: repository.id });
      expect(runs.map(({ kind, cause }) => `${kind} ${cause}`)).toContain("check hand");
    });

    test("a repository whose issues are turned off is not failing for it", async () => {
      await writeSettings(tried.fleet.query, "fleet", settings);
      const { repository } = await tried.add("no-issues");
      tried.github.turnOffIssues(`no-issues/${repository.name}`);
      await tried.check(repository);
      expect(await tried.now(repository)).toMatchObject({ state: "drifted", problem: null });
      expect(await tried.fleet.queue.depth()).toMatchObject({ waiting: 0, deferred: 0, dead: 0 });
      const [run] = await listRuns(tried.fleet.query, { repository: repository.id, most: 1 });
      expect(run).toMatchObject({ kind: "dashboard", detail: "the repository has no issues" });
    });

    test("without the setting there is no issue, and boxes of other issues decide nothing", async () => {
      const { repository } = await tried.add("plain");
      await tried.check(repository);
      expect(tried.shelf(repository).issues).toEqual([]);
      const ticked = "<!-- suture:dashboard -->\n- [x] <!-- suture:recheck --> Check";
      expect(await hear(repository, ticked)).toBe("ignored");
      await writeSettings(tried.fleet.query, { repository: repository.id }, settings);
      const { repository: other } = await tried.add("plain");
      await tried.check(other);
      for (const text of ["- [x] <!-- suture:recheck -->", ticked.replace("[x]", "[ ]")])
        expect(await hear(other, text)).toBe("ignored");
      expect(await hear(other, ticked, "opened")).toBe("ignored");
    });

    test("GitLab: the list is an issue of the project", async () => {
      await writeSettings(tried.fleet.query, "fleet", settings);
      const { repository } = await tried.add("gitlab-boxes", "gitlab");
      await tried.check(repository);
      const called = `gitlab-boxes/${repository.name}`;
      const [issue] = tried.gitlab.issuesOf(called);
      present(issue).description = tick(present(issue).description, /suture:approve /);
      await tried.check(repository);
      await queueWaiting(tried.fleet);
      await tried.run();
      expect(tried.gitlab.requestsOf(called)).toMatchObject([{ state: "opened" }]);
      expect(tried.gitlab.issuesOf(called)).toHaveLength(1);
    });
  });
}
