import { createHmac, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { recheckRepository, resumeRepository, retryRepository } from "../src/queue/by-hand.ts";
import { queueDue, queueWaiting } from "../src/queue/scheduler.ts";
import { startWorker } from "../src/queue/worker.ts";
import { declineFindings, recordOutcome, restoreFindings } from "../src/store/decisions.ts";
import { acceptWebhook } from "../src/store/deliveries.ts";
import { listOpenRequests } from "../src/store/publications.ts";
import {
  addRepositories,
  findByText,
  moveRepository,
  type Repository,
  recordChange,
  recordProblem,
  setPaused,
} from "../src/store/repositories.ts";
import { lastPassages } from "../src/store/runs.ts";
import { author, change, commitToMain, gitIn } from "./generate.ts";
import { jobFor, type OpenDatabase, present, TestFleet } from "./test-fleet.ts";

const secret = "the secret of the host";

/** What hosts, people and repositories do behind the back of the fleet, for every database. */
export function describeChanges(name: string, open: OpenDatabase): void {
  describe(`changes that the fleet is not told of, on ${name}`, () => {
    const tried = new TestFleet(open);

    const published = async (organisation: string) => {
      const added = await tried.add(organisation);
      await tried.check(added.repository);
      const called = `${organisation}/${added.repository.name}`;
      const shelf = tried.shelf(added.repository);
      expect(shelf.pulls).toMatchObject([{ state: "open" }]);
      return { ...added, shelf, called, url: `https://fake/${called}/pull/1` };
    };
    const hasFix = async ({ id }: Repository): Promise<boolean> =>
      (await tried.fleet.query("SELECT FROM suture_fleet.run WHERE repository = $1 AND kind = 'fix'", [id]))
        .length > 0;
    /** A round of the schedule, a day later. */
    const nextNight = async (): Promise<void> => {
      await tried.fleet.query("UPDATE suture_fleet.repository SET due = now()");
      await queueDue(tried.fleet, 86_400);
      await tried.run();
    };
    const declined = async ({ id }: Repository): Promise<number> =>
      (await tried.fleet.query("SELECT FROM suture_fleet.declined WHERE repository = $1", [id])).length;
    const hear = (event: string, payload: object, about: Repository & { hostId?: number; as?: string }) => {
      const repository = {
        id: about.hostId,
        full_name: about.as ?? `${about.organisation}/${about.name}`,
        html_url: `https://${about.host}/x`,
        default_branch: "main",
      };
      const sent = Buffer.from(JSON.stringify({ ...payload, repository }));
      const headers = {
        "x-github-event": event,
        "x-github-delivery": randomUUID(),
        "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(sent).digest("hex")}`,
      };
      return acceptWebhook(tried.fleet, { source: "github", headers, body: sent }, secret);
    };
    const closing = (url: string, action = "closed") => ({
      action,
      pull_request: {
        number: 1,
        html_url: url,
        merged: false,
        head: { sha: "0".repeat(39).concat("1"), ref: "suture/main" },
      },
    });

    test("a pull request that people closed is noticed in the next night, without a webhook and without a new commit", async () => {
      const { repository, shelf } = await published("unheard");
      present(shelf.pulls[0]).state = "closed";
      await nextNight();
      expect(await tried.now(repository)).toMatchObject({ state: "drifted", drift: 3 });
      expect(await declined(repository)).toBe(3);
      expect(shelf.pulls).toMatchObject([{ state: "closed" }]);
    });

    test("a worker that dies while it closes a pull request leaves no circle of checks behind", async () => {
      const { repository, shelf, generated, n } = await published("half-closed");
      await change(generated, n, `loadPage${n}`);
      present(shelf.pulls[0]).state = "closed";
      await tried.fleet.query("UPDATE suture_fleet.publication SET outcome = 'withdrawing'");
      await tried.check(repository);
      expect(await tried.now(repository)).toMatchObject({ state: "clean" });
      expect(await declined(repository)).toBe(0);
      expect(await listOpenRequests(tried.fleet.query, repository)).toEqual([]);
    });

    test("edits whose pull request was being closed when they were wanted again get one", async () => {
      const { repository, shelf } = await published("undecided");
      present(shelf.pulls[0]).state = "closed";
      await tried.fleet.query("UPDATE suture_fleet.publication SET outcome = 'withdrawing'");
      await recheckRepository(tried.fleet, repository);
      await tried.run();
      expect(shelf.pulls).toMatchObject([{ state: "closed" }, { state: "open" }]);
      expect(await declined(repository)).toBe(0);
    });

    test("an open pull request is closed when it is no longer needed, whatever the state of its repository says", async () => {
      const { repository, shelf, generated, n } = await published("held-back");
      await tried.fleet.query("UPDATE suture_fleet.repository SET state = 'drifted'");
      await change(generated, n, `loadPage${n}`);
      await tried.check(repository);
      expect(shelf.pulls).toMatchObject([{ state: "closed" }]);
      expect(await tried.now(repository)).toMatchObject({ state: "clean" });
    });

    test("a repository that has lost its commits is asked about once", async () => {
      const { repository, generated } = await published("emptied");
      const [open] = await listOpenRequests(tried.fleet.query, repository);
      const findings = present(open?.findings);
      await declineFindings(tried.fleet.query, repository.id, { findings, by: "alice", reason: "" });
      gitIn(generated.folder, "symbolic-ref", "HEAD", "refs/heads/nowhere");
      await tried.check(repository);
      expect(await tried.now(repository)).toMatchObject({ state: "empty" });
    });

    test("a dismissal whose job ended early is followed in the next night", async () => {
      const { repository, shelf } = await published("interrupted");
      const [open] = await listOpenRequests(tried.fleet.query, repository);
      const findings = present(open?.findings);
      await declineFindings(tried.fleet.query, repository.id, { findings, by: "alice", reason: "" });
      await nextNight();
      expect(shelf.pulls).toMatchObject([{ state: "closed" }]);
    });

    test("a token that may no longer see a repository declines nothing in the name of people", async () => {
      const { repository, called, shelf, generated, n } = await published("unseen");
      tried.github.hide(called);
      await change(generated, n, `readPage${n}`);
      await tried.check(repository);
      expect(await declined(repository)).toBe(0);
      tried.github.show(called);
      await tried.fleet.queue.retryDeadLetters();
      await tried.fleet.query("UPDATE suture_queue.job SET start_after = now() WHERE state < 'active'");
      await tried.run();
      expect(await declined(repository)).toBe(0);
      expect(shelf.pulls).toMatchObject([{ state: "open" }]);
      expect(tried.github.read(called, "suture/main", "docs/guide.md")).toContain(`readPage${n}`);
    });

    test("edits of a closed pull request that people want again are published again, at the same commit", async () => {
      const { repository, shelf, url } = await published("restored");
      const [open] = await listOpenRequests(tried.fleet.query, repository);
      present(shelf.pulls[0]).state = "closed";
      await recordOutcome(tried.fleet.query, { repository: repository.id, url, outcome: "closed" });
      expect(await restoreFindings(tried.fleet.query, repository.id, present(open?.findings))).toBe(3);
      await tried.fleet.queue.add([jobFor(repository, { cause: "hand" })]);
      await tried.run();
      expect(shelf.pulls).toMatchObject([{ state: "closed" }, { state: "open" }]);
      expect(await tried.now(repository)).toMatchObject({ state: "open" });
    });

    test("a pull request that people reopen counts as open again, and its edits are no longer declined", async () => {
      const { repository, shelf, url, generated, n, called } = await published("reopened");
      present(shelf.pulls[0]).state = "closed";
      expect(await hear("pull_request", closing(url), repository)).toBe("known");
      expect(await tried.now(repository)).toMatchObject({ state: "drifted" });
      present(shelf.pulls[0]).state = "open";
      expect(await hear("pull_request", closing(url, "reopened"), repository)).toBe("known");
      expect(await tried.now(repository)).toMatchObject({ state: "open" });
      expect(await declined(repository)).toBe(0);
      await change(generated, n, `readPage${n}`);
      await tried.check(repository);
      expect(shelf.pulls).toMatchObject([{ state: "open" }]);
      expect(tried.github.read(called, "suture/main", "docs/guide.md")).toContain(`readPage${n}`);
    });

    test("a main branch that is set back is checked again, and what is false there is not called clean", async () => {
      const { generated, repository, n } = await tried.add("set-back", null);
      const fixed = await change(generated, n, `loadPage${n}`);
      await tried.check(repository);
      expect(await tried.now(repository)).toMatchObject({ state: "clean", checked: fixed });
      gitIn(generated.folder, "update-ref", "refs/heads/main", generated.head);
      const push = { ref: "refs/heads/main", after: generated.head };
      expect(await hear("push", push, repository)).toBe("queued");
      await tried.run();
      expect(await tried.now(repository)).toMatchObject({ checked: generated.head, drift: 3 });
    });

    test("a push of a commit that was checked before, after the branch was set back, is heard", async () => {
      const { generated, repository, n } = await tried.add("to-and-fro", null);
      await tried.check(repository);
      const second = await change(generated, n, `loadPage${n}`);
      await tried.check(repository);
      gitIn(generated.folder, "update-ref", "refs/heads/main", generated.head);
      await tried.check(repository);
      gitIn(generated.folder, "update-ref", "refs/heads/main", second);
      expect(await hear("push", { ref: "refs/heads/main", after: second }, repository)).toBe("queued");
      await tried.run();
      expect(await tried.now(repository)).toMatchObject({ checked: second, state: "clean" });
    });

    test("a clone without its history is checked, and its pages are not called clean", async () => {
      const { generated, n } = await tried.add("whole", null);
      await change(generated, n, `readPage${n}`);
      const place = join(mkdtempSync(join(tmpdir(), "suture-shallow-")), "cut.git");
      gitIn(tried.folder, "clone", "--quiet", "--bare", "--depth", "2", `file://${generated.folder}`, place);
      const repository = await tried.addFolder(place);
      await tried.check(repository);
      expect(await tried.now(repository)).toMatchObject({ state: "unknown", problem: null });
      rmSync(place, { recursive: true, force: true });
    });

    test("passages that were false before are still named after another check of the same commit", async () => {
      const { generated, repository, n } = await tried.add("standing", null);
      commitToMain(generated, "another page", (tree) => writeFileSync(join(tree, "other.md"), "# Other\n"));
      await tried.check(repository);
      expect(await tried.now(repository)).toMatchObject({ state: "drifted", drift: 0, standing: 3 });
      const before = await lastPassages(tried.fleet.query, repository.id);
      expect(before.map(({ message }) => message).join()).toContain(`loadPage${n}`);
      await recheckRepository(tried.fleet, repository);
      await tried.run();
      expect(await lastPassages(tried.fleet.query, repository.id)).toHaveLength(before.length);
      expect(await tried.now(repository)).toMatchObject({ state: "drifted", standing: 3 });
    });

    test("a command in a comment is followed, also while a check of the night waits or runs", async () => {
      const { repository, shelf, url } = await published("busy-night");
      const body = "/suture dismiss all it is a quotation";
      shelf.comments.push({ id: 1, request: 1, body, author: "alice", role: "MEMBER" });
      await tried.fleet.queue.add([jobFor(repository)]);
      const event = { action: "created", issue: { pull_request: { html_url: url } }, comment: { body } };
      expect(await hear("issue_comment", event, repository)).toBe("queued");
      await tried.run();
      expect(await declined(repository)).toBe(3);
      expect(shelf.pulls).toMatchObject([{ state: "closed" }]);
    });

    test("a repository that was paused before its edits were published gets them when it is resumed", async () => {
      const { repository } = await tried.add("paused-midway");
      await tried.fleet.queue.add([jobFor(repository)]);
      const worker = startWorker(tried.fleet, { interval: 100, heartbeat: 10, part: "reading" });
      await until(async () => (await tried.fleet.queue.depth()).waiting === 1 && (await hasFix(repository)));
      await worker.stop();
      await setPaused(tried.fleet.query, repository.id, true);
      await tried.run();
      expect(tried.github.shelves.get(`paused-midway/${repository.name}`)?.pulls ?? []).toEqual([]);
      await resumeRepository(tried.fleet, repository);
      await tried.run();
      expect(tried.shelf(repository).pulls).toMatchObject([{ state: "open" }]);
    });

    test("a repository that was transferred without a webhook keeps its pull request", async () => {
      const { repository, called, shelf, generated, n } = await published("before");
      tried.github.move(called, `after/${repository.name}`);
      await change(generated, n, `readPage${n}`);
      await tried.check(repository);
      expect(shelf.pulls).toMatchObject([{ state: "open" }]);
      expect(tried.github.read(`after/${repository.name}`, "suture/main", "docs/guide.md")).toContain(
        `readPage${n}`,
      );
      expect(await tried.now(repository)).toMatchObject({ state: "open", problem: null });
    });

    test("a decision about a pull request counts after its repository was renamed", async () => {
      const { repository, shelf } = await published("old-name");
      present(shelf.pulls[0]).state = "closed";
      const url = `https://fake/new-name/${repository.name}/pull/1`;
      await hear("pull_request", closing(url), repository);
      expect(await declined(repository)).toBe(3);
    });

    test("when the default branch is renamed, its pull request is not opened a second time", async () => {
      const { repository, called, shelf, generated, n } = await published("renamed-branch");
      gitIn(generated.folder, "branch", "-m", "main", "trunk");
      gitIn(generated.folder, "symbolic-ref", "HEAD", "refs/heads/trunk");
      tried.github.renameBranch(called, "trunk");
      gitIn(generated.folder, "update-ref", "refs/heads/main", "refs/heads/trunk");
      const newer = await change(generated, n, `readPage${n}`);
      gitIn(generated.folder, "update-ref", "refs/heads/trunk", newer);
      await tried.check(repository);
      expect(shelf.pulls.filter(({ state }) => state === "open")).toHaveLength(1);
    });

    test("edits whose branch a person has kept, without its pull request, wait for the branch and say so", async () => {
      const { repository, shelf, generated, url, n } = await published("occupied");
      const tip = present(shelf.refs.get("suture/main"));
      const words = ["commit-tree", `${tip}^{tree}`, "-p", tip, "-m", "reviewer: better words"];
      shelf.refs.set("suture/main", gitIn(generated.folder, ...author, ...words));
      present(shelf.pulls[0]).state = "closed";
      await recordOutcome(tried.fleet.query, { repository: repository.id, url, outcome: "closed" });
      await change(generated, n, `readPage${n}`);
      await tried.check(repository);
      expect(shelf.pulls).toMatchObject([{ state: "closed" }]);
      expect(await tried.now(repository)).toMatchObject({ state: "drifted", waiting_for: "branch" });
      shelf.refs.delete("suture/main");
      await tried.fleet.query("UPDATE suture_fleet.repository SET waiting_until = now()");
      await queueWaiting(tried.fleet);
      await tried.run();
      expect(shelf.pulls).toMatchObject([{ state: "closed" }, { state: "open" }]);
      expect(await tried.now(repository)).toMatchObject({ state: "open", waiting_for: null });
    });

    test("a default branch with a strange name gets its pull request", async () => {
      const strange = "feature/#1-ü%20'y&z";
      const { generated, repository } = await tried.add("strange");
      gitIn(generated.folder, "branch", "-m", "main", strange);
      gitIn(generated.folder, "symbolic-ref", "HEAD", `refs/heads/${strange}`);
      tried.github.renameBranch(`strange/${repository.name}`, strange);
      await tried.check(repository);
      expect(tried.shelf(repository).pulls).toMatchObject([{ head: `suture/${strange}`, base: strange }]);
      expect(await tried.now(repository)).toMatchObject({ state: "open" });
    });

    test("a retry of everything leaves quarantined repositories to a retry of their own", async () => {
      const { repository } = await tried.add("poison", null);
      await tried.fleet.queue.add([jobFor(repository)]);
      const [taken] = await tried.fleet.queue.take(1);
      await tried.fleet.queue.moveToDeadLetters(present(taken), "the check took too long");
      await recordProblem(tried.fleet.query, repository.id, { problem: "it", state: "quarantined" });
      expect(await tried.fleet.queue.retryDeadLetters()).toBe(0);
      await tried.run();
      expect(await tried.fleet.queue.depth()).toMatchObject({ dead: 1 });
      await retryRepository(tried.fleet, repository);
      await tried.run();
      expect(await tried.now(repository)).toMatchObject({ state: "open" });
    });

    const at = (called: string, hostId: string | null) => ({
      host: "github.com",
      organisation: "acme",
      name: called,
      url: `https://github.com/acme/${called}.git`,
      hostId,
    });

    test("an import joins two rows of one repository, and wakes one that is no longer archived", async () => {
      const { query } = tried.fleet;
      const [first] = await addRepositories(query, [at("old", "17"), at("new", null)]);
      await recordChange(query, present(first).id, "archived");
      expect(await addRepositories(query, [at("new", "17")])).toMatchObject([
        { id: present(first).id, name: "new", state: "new" },
      ]);
      expect(await findByText(query, "acme/", { most: 10 })).toHaveLength(1);
    });

    test("a name that another repository of the host had before is given when that one has its own", async () => {
      const { query } = tried.fleet;
      await addRepositories(query, [at("old", "17"), at("new", "18")]);
      const names = async () =>
        (await findByText(query, "acme/", { most: 10 })).map(({ name: called }) => called).sort();
      await addRepositories(query, [at("new", "17")]);
      expect(await names()).toEqual(["new", "old"]);
      await addRepositories(query, [at("newest", "18")]);
      await addRepositories(query, [at("new", "17")]);
      expect(await names()).toEqual(["new", "newest"]);
    });

    test("a webhook that renames a repository to a name that another row has is answered, and the row stays", async () => {
      const [first] = await addRepositories(tried.fleet.query, [at("old", "17")]);
      await addRepositories(tried.fleet.query, [at("new", null)]);
      const push = { ref: "refs/heads/main", after: "1".repeat(40) };
      const answer = await hear("push", push, { ...present(first), hostId: 17, as: "acme/new" });
      expect(answer).toBe("queued");
      expect(await findByText(tried.fleet.query, "acme/new", { most: 10 })).toHaveLength(1);
    });

    test("a repository that its host has archived comes to rest when it refuses an edit, and a push wakes it", async () => {
      const { repository, called, generated, n, shelf } = await published("shelved");
      tried.github.archive(called);
      await change(generated, n, `readPage${n}`);
      await tried.check(repository);
      expect(await tried.now(repository)).toMatchObject({ state: "archived", problem: null });
      tried.github.unarchive(called);
      const head = await change(generated, n, `openPage${n}`);
      expect(await hear("push", { ref: "refs/heads/main", after: head }, repository)).toBe("queued");
      await tried.run();
      expect(await tried.now(repository)).toMatchObject({ state: "open" });
      expect(shelf.pulls).toMatchObject([{ state: "open" }]);
    });

    test("a repository that moved to another host is not judged by pull requests of the old one", async () => {
      const { repository } = await published("emigrated");
      const { folder } = (await tried.add("immigrated")).generated;
      const moved = await moveRepository(tried.fleet.query, repository.id, {
        host: "git.example.org",
        organisation: "immigrated",
        name: repository.name,
        url: folder.concat("/"),
      });
      expect(await listOpenRequests(tried.fleet.query, present(moved))).toEqual([]);
    });
  });
}

async function until(isReached: () => Promise<boolean>): Promise<void> {
  while (!(await isReached())) await new Promise((resolve) => setTimeout(resolve, 50));
}
