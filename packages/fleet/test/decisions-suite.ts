import { createHmac, randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { acceptWebhook } from "../src/store/deliveries.ts";
import { listOpenRequests } from "../src/store/publications.ts";
import { type Repository, takeDue } from "../src/store/repositories.ts";
import { change } from "./generate.ts";
import { type OpenDatabase, present, TestFleet } from "./test-fleet.ts";

const secret = "the secret of the host";

/** What people say in comments on our pull requests, for every database. */
export function describeDecisions(name: string, open: OpenDatabase): void {
  describe(`comments on pull requests of the fleet on ${name}`, () => {
    const tried = new TestFleet(open);

    /** A repository on a host by its name, so that webhooks find it. */
    const published = async (organisation: string) => {
      const added = await tried.add(organisation);
      await tried.check(added.repository);
      const shelf = tried.shelf(added.repository);
      const [{ findings, url }] = (await listOpenRequests(tried.fleet.query, added.repository)) as [
        Awaited<ReturnType<typeof listOpenRequests>>[number],
      ];
      return {
        ...added,
        shelf,
        url,
        findings: present(findings),
        called: `${organisation}/${added.repository.name}`,
      };
    };
    const say = (shelf: Awaited<ReturnType<typeof published>>["shelf"], body: string, role: string): void =>
      void shelf.comments.push({ id: shelf.comments.length + 1, request: 1, body, author: "alice", role });
    const hear = async ({ organisation, name: called }: Repository, url: string, body: string) => {
      const sent = Buffer.from(
        JSON.stringify({
          action: "created",
          issue: { pull_request: { html_url: url } },
          comment: { body },
          repository: {
            full_name: `${organisation}/${called}`,
            html_url: "https://local",
            default_branch: "main",
          },
        }),
      );
      const headers = {
        "x-github-event": "issue_comment",
        "x-github-delivery": randomUUID(),
        "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(sent).digest("hex")}`,
      };
      return acceptWebhook(tried.fleet, { source: "github", headers, body: sent }, secret);
    };

    test("a passage that a member dismisses leaves the pull request, and does not come back", async () => {
      const { repository, generated, shelf, url, findings, n, called } = await published("dismissed");
      expect(findings).toHaveLength(3);
      expect(present(shelf.pulls[0]).body).toContain("/suture dismiss ID");
      expect(present(shelf.pulls[0]).body).toContain(present(findings[0]));
      const page = present(tried.github.read(called, "suture/main", "docs/guide.md"));
      expect(page).toContain(`Call \`fetchPage${n}\``);
      const [first] = await tried.fleet.query<{ finding: string }>(
        "SELECT finding FROM suture_fleet.reason WHERE repository = $1 AND start_line = 3 LIMIT 1",
        [repository.id],
      );
      const command = `/suture dismiss ${present(first).finding} it is a quotation`;
      say(shelf, command, "MEMBER");
      expect(await hear(repository, url, command)).toBe("queued");
      await tried.run();
      const after = present(tried.github.read(called, "suture/main", "docs/guide.md"));
      expect(after).toContain(`Call \`loadPage${n}\``);
      expect(after).toContain(`import { fetchPage${n} }`);
      expect(shelf.pulls).toMatchObject([{ state: "open" }]);
      expect(await tried.fleet.query("SELECT by, reason FROM suture_fleet.declined")).toEqual([
        { by: "alice", reason: "it is a quotation" },
      ]);
      // The same edits again leave everything as it is.
      const { moves } = shelf;
      await tried.fleet.queue.add([
        { kind: "check", repository: repository.id, organisation: "dismissed", commit: null, cause: "hand" },
      ]);
      await tried.run();
      expect(shelf.moves).toBe(moves);
      await change(generated, n, `readPage${n}`);
      await tried.check(repository);
      expect(tried.github.read(called, "suture/main", "docs/guide.md")).toContain(`Call \`readPage${n}\``);
    });

    test("a comment of a stranger decides nothing", async () => {
      const { repository, shelf, url } = await published("stranger");
      say(shelf, "/suture dismiss all", "NONE");
      say(shelf, "/suture dismiss all", "CONTRIBUTOR");
      expect(await hear(repository, url, "/suture dismiss all")).toBe("queued");
      await tried.run();
      expect(shelf.pulls).toMatchObject([{ state: "open" }]);
      expect(await tried.fleet.query("SELECT FROM suture_fleet.declined")).toEqual([]);
    });

    test("when all passages are dismissed, the pull request is closed", async () => {
      const { repository, shelf, url } = await published("all");
      say(shelf, "/suture dismiss all", "OWNER");
      expect(await hear(repository, url, "/suture dismiss all")).toBe("queued");
      await tried.run();
      expect(shelf.pulls).toMatchObject([{ state: "closed" }]);
      expect(await tried.now(repository)).toMatchObject({ state: "drifted", drift: 3 });
    });

    test("a comment that is no command, or on another pull request, queues nothing", async () => {
      const { repository, url } = await published("talk");
      expect(await hear(repository, url, "looks good to me")).toBe("ignored");
      expect(await hear(repository, `${url}99`, "/suture dismiss all")).toBe("ignored");
    });

    test("a repository that its host archives is left alone until it is active again", async () => {
      const { repository } = await tried.add("archives");
      const changed = async (action: string) => {
        const about = {
          full_name: `archives/${repository.name}`,
          html_url: "https://local",
          default_branch: "main",
        };
        const sent = Buffer.from(JSON.stringify({ action, repository: about }));
        const headers = {
          "x-github-event": "repository",
          "x-github-delivery": randomUUID(),
          "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(sent).digest("hex")}`,
        };
        return acceptWebhook(tried.fleet, { source: "github", headers, body: sent }, secret);
      };
      expect(await changed("archived")).toBe("known");
      expect(await takeDue(tried.fleet.query, 60, 10)).toEqual([]);
      await tried.check(repository);
      expect(await tried.now(repository)).toMatchObject({ state: "archived", checked: null });
      expect(await changed("unarchived")).toBe("known");
      expect(await takeDue(tried.fleet.query, 60, 10)).toHaveLength(1);
      await tried.check(repository);
      expect(await tried.now(repository)).toMatchObject({ state: "open" });
    });

    test("GitLab: developers dismiss, other people do not", async () => {
      const { repository } = await tried.add("gitlab-talk", "gitlab");
      await tried.check(repository);
      const called = `gitlab-talk/${repository.name}`;
      expect(tried.gitlab.requestsOf(called)).toMatchObject([{ state: "opened" }]);
      const again = async (): Promise<void> => {
        await tried.fleet.queue.add([
          {
            kind: "check",
            repository: repository.id,
            organisation: "gitlab-talk",
            commit: null,
            cause: "comment",
          },
        ]);
        await tried.run();
      };
      tried.gitlab.addNote(called, 1, 500, "/suture dismiss all");
      await again();
      expect(tried.gitlab.requestsOf(called)).toMatchObject([{ state: "opened" }]);
      tried.gitlab.addNote(called, 1, 12, "/suture dismiss all");
      await again();
      expect(tried.gitlab.requestsOf(called)).toMatchObject([{ state: "closed" }]);
    });
  });
}
