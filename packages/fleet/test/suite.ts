import { execFileSync } from "node:child_process";
import { createHmac, randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, expectTypeOf, test } from "vitest";
import { readKnownHosts } from "../../../src/hosts/access.ts";
import { openProject } from "../../../test/agents/project.ts";
import { answerSection, askedText } from "../../../test/agents/section-model.ts";
import { start } from "../../../test/ci/project.ts";
import { parseAddress } from "../src/clones/address.ts";
import { readGitFailures } from "../src/clones/git-failures.ts";
import { GitError } from "../src/clones/git-process.ts";
import { importFromHost } from "../src/clones/import.ts";
import type { Mirror } from "../src/clones/mirror.ts";
import { type Fleet, type FleetOptions, openFleet } from "../src/fleet.ts";
import { openHome } from "../src/home.ts";
import { CheckProcesses, CheckStopped } from "../src/jobs/check-process.ts";
import { HostCredentials } from "../src/publish/credentials.ts";
import { openSinks } from "../src/publish/sinks.ts";
import { handleFailure } from "../src/queue/failure.ts";
import type { NewJob, TakenJob } from "../src/queue/queue.ts";
import { queueDue } from "../src/queue/scheduler.ts";
import { startWorker, type WorkerOptions } from "../src/queue/worker.ts";
import { openLog } from "../src/serve/log.ts";
import { createMetrics } from "../src/serve/metrics.ts";
import type { readOverview } from "../src/serve/overview.ts";
import { serveFleet } from "../src/serve/server.ts";
import type { AsJson, FleetView } from "../src/serve/view.ts";
import { explainLine } from "../src/serve/why.ts";
import { reserveBudget, setBudget, settleBudget, spentToday } from "../src/store/budgets.ts";
import { readCounters } from "../src/store/counters.ts";
import { nameDeadLetters } from "../src/store/dead-letters.ts";
import { recordOutcome } from "../src/store/decisions.ts";
import { listPaused, pauseHost, recordReached, restHost, resumeHost } from "../src/store/hosts.ts";
import { acquireLease, acquireLeases, releaseLeases } from "../src/store/leases.ts";
import { claimPublication, confirmPublication } from "../src/store/publications.ts";
import {
  addRepositories,
  claimRepository,
  clearProblem,
  findByText,
  findOnHost,
  followRename,
  type Repository,
  releaseRepository,
  removeRepository,
  setDraining,
  setPaused,
  takeDue,
} from "../src/store/repositories.ts";
import {
  deleteOldRuns,
  exportRuns,
  finishRun,
  isChecked,
  listRuns,
  type Run,
  searchReasons,
} from "../src/store/runs.ts";
import { migrate } from "../src/store/schema.ts";
import { startFakeGitHub } from "./fake-github.ts";
import { startFakeGitLab } from "./fake-gitlab.ts";
import { sutureFromSource } from "./from-source.ts";
import { author, change, commitToMain, type Generated, generate, gitIn } from "./generate.ts";

function hostsOf(environment: Record<string, string>): HostCredentials {
  const known = readKnownHosts(environment);
  if (!known.ok) throw new Error(JSON.stringify(known.refusal));
  return new HostCredentials(known.value);
}

/** The tests of the fleet, for every database that it can run on. */
export function describeFleet(name: string, open: (folder: string) => Promise<Partial<FleetOptions>>): void {
  describe(`the fleet on ${name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), "suture-fleet-"));
    const logged: string[] = [];
    let fleet: Fleet;
    let forge: Awaited<ReturnType<typeof startFakeGitHub>>;
    let gitlab: Awaited<ReturnType<typeof startFakeGitLab>>;
    let environment: Record<string, string>;
    let url: string | undefined;
    let serial = 0;

    beforeAll(async () => {
      const folderOf = (repository: string): string | null => {
        const place = join(folder, "repositories", `${repository}.git`);
        return existsSync(place) ? place : null;
      };
      forge = await startFakeGitHub(folderOf);
      gitlab = await startFakeGitLab(folderOf);
      environment = {
        SUTURE_GITHUB_TOKEN: "token-of-the-host",
        SUTURE_GITHUB_API: forge.url,
        SUTURE_GITLAB_TOKEN: "token-of-the-other-host",
        SUTURE_GITLAB_API: gitlab.url,
        SUTURE_HOST_TIMEOUT: "1500",
      };
      const database = await open(folder);
      url = database.url;
      const opened = await openFleet({
        home: await openHome(join(folder, "home")),
        heartbeat: 10,
        delay: 1,
        environment,
        log: openLog((line) => logged.push(line), ["token-of-the-host", "token-of-the-other-host"]),
        ...database,
      });
      if (!opened.ok) throw new Error(JSON.stringify(opened.refusal));
      fleet = opened.value;
    });

    afterAll(async () => {
      await fleet?.close();
      await forge?.close();
      await gitlab?.close();
      rmSync(folder, { recursive: true, force: true });
    });

    beforeEach(async () => {
      forge.setFaults({});
      await fleet.query(`
        DELETE FROM suture_queue.job;
        TRUNCATE suture_fleet.repository, suture_fleet.organisation, suture_fleet.host, suture_fleet.spending, suture_fleet.delivery CASCADE;
        UPDATE suture_fleet.desk SET turn = 0, draining = false`);
    });

    async function addGenerated(count: number, organisation = "acme", sink: string | null = null) {
      const made: { generated: Generated; repository: Repository; n: number }[] = [];
      for (let i = 0; i < count; i++) {
        const n = ++serial;
        const generated = await generate(join(folder, "repositories"), organisation, n);
        const address = parseAddress(generated.folder);
        if (!address.ok) throw new Error("address");
        const [repository] = await addRepositories(fleet.query, [address.value], { sink });
        made.push({ generated, repository: repository!, n });
      }
      return made;
    }

    async function fetched(...wanted: Parameters<Fleet["mirrors"]["fetch"]>): Promise<Mirror> {
      const mirror = await fleet.mirrors.fetch(...wanted);
      if (mirror === null) throw new Error("the repository has no commits");
      return mirror;
    }

    /** Adds repositories that exist only in the database. */
    async function inventNames(count: number, organisation = "acme") {
      return addRepositories(
        fleet.query,
        Array.from({ length: count }, () => {
          const name = `made-up-${++serial}`;
          return { host: "local", organisation, name, url: `/nowhere/${organisation}/${name}` };
        }),
      );
    }

    const jobFor = ({ id, organisation }: Repository, more: Partial<NewJob> = {}): NewJob => ({
      kind: "check",
      repository: id,
      organisation,
      commit: null,
      cause: "nightly",
      ...more,
    });
    const runUntilEmpty = (options: WorkerOptions = {}): Promise<void> =>
      startWorker(fleet, { untilEmpty: true, interval: 100, heartbeat: 10, ...options }).ended;
    const stateOf = async ({ organisation, name: called }: Repository): Promise<Repository> =>
      (await findOnHost(fleet.query, { host: "local", organisation, name: called }))[0]!;
    const hold = async (
      repository: Repository,
      job: string = randomUUID(),
      seconds = 60,
    ): Promise<Repository> =>
      (await claimRepository(fleet.query, {
        repository: repository.id,
        job,
        seconds,
        turn: 0,
        after: null,
        asksHost: true,
      }))!.repository;

    test("tables are migrated once, and a database of a newer version is refused", async () => {
      await migrate(fleet.database);
      await fleet.query("INSERT INTO suture_fleet.version (number) VALUES (999)");
      await expect(migrate(fleet.database)).rejects.toThrow("version 999");
      await fleet.query("DELETE FROM suture_fleet.version WHERE number = 999");
    });

    describe("jobs", () => {
      test("a job that waits or runs is not queued twice; one that has ended can be queued again", async () => {
        const [repository] = await inventNames(1);
        const job = jobFor(repository!, { commit: "a".repeat(40), cause: "push" });
        expect(await fleet.queue.add([job, job])).toBe(1);
        expect(await fleet.queue.add([job])).toBe(0);
        expect(await fleet.queue.add([{ ...job, commit: "b".repeat(40) }])).toBe(1);
        const [taken] = await fleet.queue.take(1);
        expect(await fleet.queue.add([job])).toBe(0);
        expect(await fleet.queue.complete(taken!, {})).toBe(true);
        expect(await fleet.queue.complete(taken!, {})).toBe(false);
        expect(await fleet.queue.add([job])).toBe(1);
      });

      test("workers get one job of a repository at a time", async () => {
        const [one, two] = await inventNames(2);
        await fleet.queue.add(["a", "b", "c"].map((letter) => jobFor(one!, { commit: letter.repeat(40) })));
        await fleet.queue.add([jobFor(two!)]);
        const taken = await fleet.queue.take(10);
        expect(taken.map(({ job }) => job.repository).sort()).toEqual([one!.id, two!.id].sort());
        expect(await fleet.queue.take(10)).toEqual([]);
        await fleet.queue.complete(taken.find(({ job }) => job.repository === one!.id)!, {});
        expect((await fleet.queue.take(10)).map(({ job }) => job.repository)).toEqual([one!.id]);
      });

      test("organisations share fairly, even if one of them has queued many jobs before", async () => {
        const big = await inventNames(60, "big");
        const small = await inventNames(3, "small");
        await fleet.queue.add(big.map((each) => jobFor(each)));
        for (let i = 0; i < 10; i++) await takeAndEnd();
        await fleet.queue.add(small.map((each) => jobFor(each)));
        const order: string[] = [];
        for (let i = 0; i < 8; i++) order.push((await takeAndEnd())!.job.organisation);
        // The three jobs of the small organisation are among the next few, although fifty of the big one came first.
        expect(order.filter((each) => each === "small")).toHaveLength(3);
        expect(order.slice(0, 7).filter((each) => each === "big").length).toBeGreaterThan(2);
      });

      test("publishing runs before pull requests, these before pushes, and these before the nightly schedule", async () => {
        const [a, b, c, d] = await inventNames(4);
        await fleet.queue.add([
          jobFor(a!),
          jobFor(b!, { cause: "push" }),
          jobFor(c!, { cause: "request", request: 7 }),
          jobFor(d!, { kind: "publish" }),
        ]);
        const order: string[] = [];
        for (let i = 0; i < 4; i++) {
          const taken = await takeAndEnd();
          order.push(taken!.job.kind === "publish" ? "publish" : taken!.job.cause);
        }
        expect(order).toEqual(["publish", "request", "push", "nightly"]);
      });

      test("a worker that may not write to hosts is never given a publishing job", async () => {
        const [a, b] = await inventNames(2);
        await fleet.queue.add([
          jobFor(a!, { kind: "publish" }),
          jobFor(b!, { cause: "request", request: 1 }),
        ]);
        expect((await fleet.queue.take(10, "reading")).map(({ job }) => job.kind)).toEqual(["check"]);
        expect((await fleet.queue.take(10, "publishing")).map(({ job }) => job.kind)).toEqual(["publish"]);
      });

      test("a failed job is retried later, a deferred job counts no attempt, and a job with a permanent error goes to the dead letters", async () => {
        const [a, b, c] = await inventNames(3);
        await fleet.queue.add([jobFor(a!), jobFor(b!), jobFor(c!)]);
        const taken = await fleet.queue.take(3);
        const of = (repository: Repository): TakenJob =>
          taken.find(({ job }) => job.repository === repository.id)!;
        const began = Date.now();
        await fleet.queue.fail(of(a!), "broken");
        await fleet.queue.defer(of(b!), 1);
        await fleet.queue.moveToDeadLetters(of(c!), "hopeless");
        expect((await fleet.queue.depth()).dead).toBe(1);
        expect(await fleet.queue.listDeadLetters(5)).toMatchObject([
          { job: { repository: c!.id }, why: "hopeless" },
        ]);
        const again = new Map<number, { attempt: number; after: number }>();
        await eventually(async () => {
          for (const one of await fleet.queue.take(3))
            again.set(one.job.repository, { attempt: one.attempt, after: Date.now() - began });
          return again.size === 2 ? true : null;
        });
        expect(again.get(a!.id)!.attempt).toBe(1);
        expect(again.get(b!.id)!.attempt).toBe(0);
        for (const { after } of again.values()) expect(after).toBeGreaterThan(750);
        expect(await fleet.queue.retryDeadLetters()).toBe(1);
        expect((await fleet.queue.take(3)).map(({ job }) => job.repository)).toEqual([c!.id]);
      });

      test("a cancelled job is lost to its worker and is not given to another", async () => {
        const [a] = await inventNames(1);
        await fleet.queue.add([jobFor(a!), jobFor(a!, { commit: "c".repeat(40) })]);
        const [taken] = await fleet.queue.take(1);
        expect(await fleet.queue.extend([taken!])).toEqual([]);
        expect(await fleet.queue.cancel(a!.id)).toBe(2);
        expect(await fleet.queue.extend([taken!])).toEqual([taken]);
        expect(await fleet.queue.complete(taken!, {})).toBe(false);
        expect(await fleet.queue.take(1)).toEqual([]);
      });

      test("while the fleet drains, workers take no jobs", async () => {
        const [{ repository }] = (await addGenerated(1)) as [
          Awaited<ReturnType<typeof addGenerated>>[number],
        ];
        await fleet.queue.add([jobFor(repository)]);
        await setDraining(fleet.query, true);
        const worker = startWorker(fleet, { interval: 50, heartbeat: 10 });
        await new Promise((resolve) => setTimeout(resolve, 600));
        expect((await fleet.queue.depth()).waiting).toBe(1);
        await worker.stop();
      });

      async function takeAndEnd(): Promise<TakenJob | undefined> {
        const [taken] = await fleet.queue.take(1);
        if (!taken) return undefined;
        const held = await claimRepository(fleet.query, {
          repository: taken.job.repository,
          job: taken.id,
          seconds: 10,
          turn: taken.job.turn,
          after: null,
          asksHost: true,
        });
        await releaseRepository(fleet.query, held!.repository);
        await fleet.queue.complete(taken, {});
        return taken;
      }
    });

    describe("claims and leases", () => {
      test("a repository has one holder; the next claim has a higher fencing token, and the earlier one can no longer write", async () => {
        const [repository] = await inventNames(1);
        const first = await hold(repository!, "job-1");
        const refused = await claimRepository(fleet.query, {
          repository: repository!.id,
          job: "job-2",
          seconds: 60,
          turn: 0,
          after: null,
          asksHost: true,
        });
        expect(refused!.held).toBe(false);
        const second = await hold(repository!, "job-1");
        expect(second.fence).toBeGreaterThan(first.fence);
        expect(await finishRun(fleet.query, first, runOf("stale"), { state: "clean" })).toBe(false);
        expect(await listRuns(fleet.query)).toEqual([]);
        expect(
          await finishRun(fleet.query, second, runOf("right"), { state: "clean", checked: "f".repeat(40) }),
        ).toBe(true);
        expect(await stateOf(repository!)).toMatchObject({ state: "clean", checked: "f".repeat(40) });
        expect(
          (await claimRepository(fleet.query, {
            repository: repository!.id,
            job: "job-2",
            seconds: 60,
            turn: 0,
            after: null,
            asksHost: true,
          }))!.held,
        ).toBe(true);
      });

      test("a host whose rate limit asks for a pause is paused", async () => {
        const [repository] = await inventNames(1);
        expect(await pauseHost(fleet.query, "local", 60)).toBeCloseTo(60, 0);
        expect(await pauseHost(fleet.query, "local", 1)).toBeGreaterThan(50);
        const begun = await claimRepository(fleet.query, {
          repository: repository!.id,
          job: "j",
          seconds: 60,
          turn: 0,
          after: null,
          asksHost: true,
        });
        expect(begun).toMatchObject({ held: false });
        expect(begun!.restSeconds).toBeGreaterThan(50);
        expect(await resumeHost(fleet.query, "local")).toBe(true);
        expect(await resumeHost(fleet.query, "local")).toBe(false);
      });

      test("a host that asks for a pause without end is asked again after a day", async () => {
        expect(await pauseHost(fleet.query, "endless.example", 1e15)).toBeCloseTo(86_400, 0);
      });

      test("a publication is claimed before the host is called, confirmed afterwards, and made once", async () => {
        const [repository] = await inventNames(1);
        const what = { kind: "request", commit: "a".repeat(40), run: "run-1" } as const;
        const first = await hold(repository!, "job");
        expect(await claimPublication(fleet, first, what)).toEqual({ is: "fresh", url: null });
        const second = await hold(repository!, "job");
        expect(await claimPublication(fleet, first, what)).toBeNull();
        expect(await claimPublication(fleet, second, what)).toEqual({ is: "doubtful", url: null });
        expect(await confirmPublication(fleet.query, first, { ...what, url: "late" })).toBe(false);
        expect(await confirmPublication(fleet.query, second, { ...what, url: "here" })).toBe(true);
        expect(await confirmPublication(fleet.query, second, { ...what, url: "twice" })).toBe(false);
        expect(await claimPublication(fleet, second, what)).toEqual({ is: "confirmed", url: "here" });
      });

      const lines = (
        repository: Repository,
        startLine: number,
        endLine: number,
        holder: string,
        seconds = 60,
      ) => ({
        repository: repository.id,
        path: "docs/a.md",
        startLine,
        endLine,
        holder,
        reason: `${holder} edits`,
        seconds,
      });

      test("lines of a page have one holder, and a conflict names the holder as the journal does", async () => {
        const [repository] = await inventNames(1);
        const first = await acquireLease(fleet.query, lines(repository!, 10, 20, "alice"));
        expect(first.ok).toBe(true);
        expect(await acquireLease(fleet.query, lines(repository!, 20, 25, "bob"))).toMatchObject({
          ok: false,
          refusal: {
            code: "conflict",
            path: "docs/a.md",
            with: [{ task: "alice", reason: "alice edits", startLine: 10, endLine: 20 }],
          },
        });
        const apart = await acquireLease(fleet.query, lines(repository!, 21, 25, "bob"));
        if (!first.ok || !apart.ok) throw new Error("leases");
        expect(apart.value.fence).toBeGreaterThan(first.value.fence);
        expect(await releaseLeases(fleet.query, [first.value.fence])).toBe(1);
        expect((await acquireLease(fleet.query, lines(repository!, 1, 20, "bob"))).ok).toBe(true);
        expect(await acquireLease(fleet.query, lines(repository!, 5, 4, "bob"))).toMatchObject({ ok: false });
      });

      test("an expired lease has no holder", async () => {
        const [repository] = await inventNames(1);
        const old = await acquireLease(fleet.query, lines(repository!, 1, 9, "alice", 0));
        await new Promise((resolve) => setTimeout(resolve, 20));
        expect(old.ok).toBe(true);
        expect(
          (
            await acquireLeases(fleet.query, [
              lines(repository!, 5, 6, "bob"),
              lines(repository!, 30, 31, "bob"),
            ])
          ).length,
        ).toBe(2);
      });

      test("no two live leases share a line, in any order of concurrent requests", async () => {
        const [repository] = await inventNames(1);
        const asked = fc.sample(
          fc.record({
            start: fc.integer({ min: 1, max: 60 }),
            length: fc.integer({ min: 0, max: 9 }),
            holder: fc.constantFrom("a", "b", "c"),
          }),
          60,
        );
        await Promise.all(
          asked.map(({ start, length, holder }) =>
            acquireLease(fleet.query, lines(repository!, start, start + length, holder)),
          ),
        );
        const live = await fleet.query<{ lower: number; upper: number }>(
          "SELECT lower(region)::int, upper(region)::int FROM suture_fleet.lease ORDER BY region",
        );
        expect(live.length).toBeGreaterThan(0);
        for (const [i, { lower }] of live.entries())
          expect(i === 0 || live[i - 1]!.upper <= lower).toBe(true);
      });

      test("concurrent jobs cannot exceed the daily budget of their organisation together", async () => {
        await setBudget(fleet.query, "acme", { dailyUsd: 1, dailyTokens: 1000 });
        const worst = { tokens: 100, costUsd: 0.3 };
        const granted = await Promise.all(
          Array.from({ length: 10 }, () => reserveBudget(fleet.query, "acme", worst)),
        );
        expect(granted.filter(Boolean)).toHaveLength(3);
        await settleBudget(fleet.query, "acme", worst, { tokens: 10, costUsd: 0.01 });
        expect(await spentToday(fleet.query, "acme")).toEqual({ tokens: 210, costUsd: expect.closeTo(0.61) });
        expect(await reserveBudget(fleet.query, "acme", worst)).toBe(true);
        expect(await reserveBudget(fleet.query, "other", { tokens: 1e9, costUsd: 1e6 })).toBe(true);
        expect(await reserveBudget(fleet.query, "acme", { tokens: 900, costUsd: 0 })).toBe(false);
      });
    });

    describe("work", () => {
      test("a repository is checked, fixed and published once; the next night does nothing; fixed pages make it clean", async () => {
        const [{ generated, repository, n }] = (await addGenerated(1)) as [
          Awaited<ReturnType<typeof addGenerated>>[number],
        ];
        expect(await queueDue(fleet, 86_400)).toBe(1);
        expect(await queueDue(fleet, 86_400)).toBe(0);
        await runUntilEmpty();
        const after = await stateOf(repository);
        expect(after).toMatchObject({
          state: "open",
          drift: 3,
          checked: generated.head,
          base: generated.first,
        });
        const patches = join(folder, "home", "patches", "local", "acme", repository.name);
        expect(readdirSync(patches)).toEqual([`${generated.head}.patch`]);
        const patch = readFileSync(join(patches, `${generated.head}.patch`), "utf8");
        expect(patch).toContain(`+Call \`fetchPage${n}\` with a URL:`);
        expect((await listRuns(fleet.query)).map(({ kind, state }) => `${kind} ${state}`)).toEqual([
          "publish done",
          "fix done",
          "check done",
        ]);

        await fleet.queue.add([jobFor(repository)]);
        await runUntilEmpty();
        expect((await listRuns(fleet.query))[0]).toMatchObject({ kind: "check", state: "unchanged" });

        const said = await explainLine(fleet, repository, "docs/guide.md", 3);
        expect(said.map(({ message }) => message)).toEqual([expect.stringContaining(`\`fetchPage${n}\``)]);
        expect(await explainLine(fleet, repository, "docs/guide.md", 11)).toEqual([]);
        expect((await searchReasons(fleet.query, `fetchPage${n}`)).length).toBeGreaterThan(0);
        expect(await searchReasons(fleet.query, "nobodySaidThis")).toEqual([]);
        const exported = await exportRuns(fleet.query, "", 100);
        expect(exported).toHaveLength(4);
        expect(exported.find(({ kind }) => kind === "fix")).toMatchObject({
          organisation: "acme",
          fixed: 3,
          reasons: [{ fixed: true }, { fixed: true }, { fixed: true }],
        });

        applyPatch(generated, patch);
        await fleet.queue.add([
          jobFor(repository, { cause: "push", commit: gitIn(generated.folder, "rev-parse", "main") }),
        ]);
        await runUntilEmpty();
        expect(await stateOf(repository)).toMatchObject({
          state: "clean",
          drift: 0,
          base: gitIn(generated.folder, "rev-parse", "main"),
        });
      });

      test("a finding that was not fixed is found again with the next change", async () => {
        const [{ generated, repository, n }] = (await addGenerated(1)) as [
          Awaited<ReturnType<typeof addGenerated>>[number],
        ];
        await fleet.queue.add([jobFor(repository)]);
        await runUntilEmpty();
        const head = await change(generated, n, `readPage${n}`);
        await fleet.queue.add([jobFor(repository, { cause: "push", commit: head })]);
        await runUntilEmpty();
        expect(await stateOf(repository)).toMatchObject({
          state: "open",
          drift: 3,
          checked: head,
          base: generated.first,
        });
        const patch = readFileSync(
          join(folder, "home", "patches", "local", "acme", repository.name, `${head}.patch`),
          "utf8",
        );
        expect(patch).toContain(`+Call \`readPage${n}\` with a URL:`);
      });

      test("a late push and an overtaken push change nothing", async () => {
        const [{ generated, repository }] = (await addGenerated(1)) as [
          Awaited<ReturnType<typeof addGenerated>>[number],
        ];
        await fleet.queue.add([jobFor(repository, { cause: "push", commit: generated.head })]);
        await runUntilEmpty();
        await fleet.queue.add([jobFor(repository, { cause: "push", commit: generated.first })]);
        await runUntilEmpty();
        expect((await listRuns(fleet.query))[0]).toMatchObject({ kind: "check", state: "unchanged" });
        expect(await stateOf(repository)).toMatchObject({ checked: generated.head, state: "open" });
        expect(await isChecked(fleet.query, { repository: repository.id, commit: generated.head })).toBe(
          true,
        );
        expect(
          await isChecked(fleet.query, { repository: repository.id, commit: generated.head, request: 7 }),
        ).toBe(false);
      });

      test("lines that another task has leased are not edited", async () => {
        const [{ repository, generated, n }] = (await addGenerated(1)) as [
          Awaited<ReturnType<typeof addGenerated>>[number],
        ];
        await acquireLease(fleet.query, {
          repository: repository.id,
          path: "docs/guide.md",
          startLine: 3,
          endLine: 3,
          holder: "somebody",
          reason: "rewords it",
          seconds: 600,
        });
        await fleet.queue.add([jobFor(repository)]);
        await runUntilEmpty();
        const patch = readFileSync(
          join(folder, "home", "patches", "local", "acme", repository.name, `${generated.head}.patch`),
          "utf8",
        );
        expect(patch).not.toContain(`+Call \`fetchPage${n}\``);
        expect(patch).toContain(`+import { fetchPage${n} }`);
        expect(
          (await fleet.query("SELECT holder FROM suture_fleet.lease")).map(({ holder }) => holder),
        ).toEqual(["somebody"]);
      });

      test("a missing repository goes to the dead letters, is shown as failing, and works again after a retry", async () => {
        const [{ repository, generated }] = (await addGenerated(1)) as [
          Awaited<ReturnType<typeof addGenerated>>[number],
        ];
        const hidden = `${generated.folder}.hidden`;
        renameSync(generated.folder, hidden);
        await fleet.queue.add([jobFor(repository)]);
        await runUntilEmpty();
        expect(await stateOf(repository)).toMatchObject({ state: "failing" });
        expect((await fleet.queue.depth()).dead).toBe(1);
        // The next night fails again: it is still one job that failed for good.
        await fleet.queue.add([jobFor(repository)]);
        await runUntilEmpty();
        expect((await fleet.queue.depth()).dead).toBe(1);
        renameSync(hidden, generated.folder);
        await fleet.queue.retryDeadLetters();
        await runUntilEmpty();
        expect(await stateOf(repository)).toMatchObject({ state: "open" });
      });

      test("a repository that works again by itself has no dead letters any more", async () => {
        const { repository, generated } = (await addGenerated(1, "recovered"))[0]!;
        renameSync(generated.folder, `${generated.folder}.hidden`);
        await fleet.queue.add([jobFor(repository)]);
        await runUntilEmpty();
        expect((await fleet.queue.depth()).dead).toBe(1);
        renameSync(`${generated.folder}.hidden`, generated.folder);
        await fleet.queue.add([jobFor(repository)]);
        await runUntilEmpty();
        expect(await stateOf(repository)).toMatchObject({ state: "open", problem: null });
        expect((await fleet.queue.depth()).dead).toBe(0);
      });

      test("a clone that a killed process left locked or incomplete is cloned again", async () => {
        const [{ repository, generated, n }] = (await addGenerated(1)) as [
          Awaited<ReturnType<typeof addGenerated>>[number],
        ];
        const mirror = await fetched(repository, { commit: null });
        writeFileSync(join(mirror.git.top, "refs", "heads", "suture.lock"), "");
        const head = await change(generated, n, `other${n}`);
        expect((await fetched(repository, { commit: null })).head).toBe(head);
        rmSync(join(mirror.git.top, "objects"), { recursive: true });
        expect((await fetched(repository, { commit: null })).head).toBe(head);
      });

      test("over a network, only the contents that a check reads are fetched", async () => {
        const [{ generated }] = (await addGenerated(1)) as [Awaited<ReturnType<typeof addGenerated>>[number]];
        gitIn(generated.folder, "config", "uploadpack.allowFilter", "true");
        gitIn(generated.folder, "config", "uploadpack.allowAnySHA1InWant", "true");
        const address = parseAddress(`file://${generated.folder}`);
        if (!address.ok) throw new Error("address");
        const place = address.value;
        const mirror = await fetched(place, { commit: null });
        const page = (await mirror.git.tree(mirror.head)).find(({ path }) => path === "docs/guide.md")!;
        expect((await mirror.git.blobs([page.id])).size).toBe(0);
        await mirror.fill(generated.first, generated.head);
        expect((await mirror.git.blobs([page.id])).size).toBe(1);
        const [distant] = await addRepositories(fleet.query, [{ ...address.value, organisation: "distant" }]);
        await fleet.queue.add([jobFor(distant!)]);
        await runUntilEmpty();
        expect(await stateOf(distant!)).toMatchObject({ state: "open", drift: 3 });
      });

      test("no code of a repository is run: hooks, filters, submodules, strange addresses", async () => {
        const [{ repository, generated }] = (await addGenerated(1)) as [
          Awaited<ReturnType<typeof addGenerated>>[number],
        ];
        const mark = join(folder, "executed");
        mkdirSync(join(generated.folder, "hooks"), { recursive: true });
        for (const hook of [
          "post-checkout",
          "post-merge",
          "pre-receive",
          "post-update",
          "reference-transaction",
        ])
          writeFileSync(join(generated.folder, "hooks", hook), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
        gitIn(generated.folder, "config", "filter.evil.smudge", `touch ${mark}`);
        gitIn(generated.folder, "config", "filter.evil.clean", `touch ${mark}`);
        gitIn(generated.folder, "config", "core.fsmonitor", `touch ${mark}`);
        gitIn(generated.folder, "config", "uploadpack.packObjectsHook", `touch ${mark}`);
        await fleet.queue.add([jobFor(repository)]);
        await runUntilEmpty();
        expect(existsSync(mark)).toBe(false);
        expect(await stateOf(repository)).toMatchObject({ state: "open" });
        for (const url of [
          `ext::sh -c touch% ${mark}`,
          "ext::touch",
          "--upload-pack=touch",
          "https://user:secret@host/a/b",
          "ftp://host/a/b",
          "a\nb:c/d",
        ])
          expect(parseAddress(url)).toMatchObject({ ok: false });
      });

      test("findings that rules leave go to a model, within the daily budget of the organisation", async () => {
        const project = await openProject(
          {
            "src/cli.ts": "export function removeCache() {}\nexport function clear() {}\n",
            "docs/cache.md": "# Cache\n\nIt is emptied by `removeCache()`.\n",
          },
          (request) => ({
            text: answerSection(askedText(request), (section) => section.replace("removeCache()", "clear()")),
          }),
        );
        project.put("src/cli.ts", "export function clear() {}\n");
        const head = project.commit("drop a function");
        const address = parseAddress(project.root);
        if (!address.ok) throw new Error("address");
        const [repository] = await addRepositories(fleet.query, [address.value]);
        const { organisation, name: called } = repository!;
        const asked: Fleet = {
          ...fleet,
          rewrite: {
            model: project.environment().SUTURE_MODEL ?? "",
            maxUsd: 0.5,
            environment: project.environment(),
          },
        };
        const goOn = (): Promise<void> =>
          startWorker(asked, { untilEmpty: true, interval: 100, heartbeat: 10 }).ended;

        await setBudget(fleet.query, organisation, { dailyUsd: 0.1, dailyTokens: null });
        await fleet.queue.add([jobFor(repository!, { cause: "hand" })]);
        await goOn();
        expect((await listRuns(fleet.query))[0]).toMatchObject({
          kind: "fix",
          fixed: 0,
          detail: expect.stringContaining("budget"),
        });

        await setBudget(fleet.query, organisation, { dailyUsd: 5, dailyTokens: null });
        await fleet.queue.add([jobFor(repository!, { cause: "hand" })]);
        await goOn();
        const [, fix] = await listRuns(fleet.query);
        expect(fix).toMatchObject({ kind: "fix", fixed: 1 });
        expect(fix!.tokens).toBeGreaterThan(0);
        const spent = await spentToday(fleet.query, organisation);
        expect(spent.costUsd).toBeCloseTo(fix!.cost_usd);
        expect(spent.costUsd).toBeLessThan(0.5);
        const patch = readFileSync(
          join(folder, "home", "patches", "local", organisation, called, `${head}.patch`),
          "utf8",
        );
        expect(patch).toContain("+It is emptied by `clear()`.");
        await project.close();
      });

      test("a model is asked neither about findings that people declined nor about lines that another task has leased", async () => {
        const page = "# Cache\n\nIt is emptied by `removeCache()`.\n";
        let questions = 0;
        const project = await openProject(
          {
            "src/cli.ts": "export function removeCache() {}\nexport function clear() {}\n",
            "docs/declined.md": page,
            "docs/leased.md": page,
          },
          (request) => {
            questions++;
            return { text: answerSection(askedText(request), (section) => section) };
          },
        );
        project.put("src/cli.ts", "export function clear() {}\n");
        project.commit("drop a function");
        const address = parseAddress(project.root);
        if (!address.ok) throw new Error("address");
        const [repository] = await addRepositories(fleet.query, [address.value]);
        const place = { repository: repository!.id, path: "docs/leased.md", startLine: 3, endLine: 3 };
        await acquireLease(fleet.query, {
          ...place,
          holder: "a person",
          reason: "rewriting it",
          seconds: 600,
        });
        await fleet.queue.add([jobFor(repository!, { cause: "hand" })]);
        await runUntilEmpty();
        await fleet.query(
          "INSERT INTO suture_fleet.declined (repository, finding) SELECT DISTINCT repository, finding FROM suture_fleet.reason WHERE repository = $1 AND path = 'docs/declined.md'",
          [repository!.id],
        );
        const model = project.environment().SUTURE_MODEL ?? "";
        const rewrite = { model, maxUsd: 0.5, environment: project.environment() };
        await fleet.queue.add([jobFor(repository!, { cause: "hand" })]);
        await startWorker({ ...fleet, rewrite }, { untilEmpty: true, interval: 100, heartbeat: 10 }).ended;
        const [fix] = await listRuns(fleet.query);
        expect(fix).toMatchObject({ kind: "fix", findings: 2, fixed: 0 });
        expect(questions).toBe(0);
        await project.close();
      });

      test("old runs are deleted, except the last of each kind", async () => {
        const [{ repository, generated, n }] = (await addGenerated(1)) as [
          Awaited<ReturnType<typeof addGenerated>>[number],
        ];
        await fleet.queue.add([jobFor(repository)]);
        await runUntilEmpty();
        await change(generated, n, `newer${n}`);
        await fleet.queue.add([jobFor(repository)]);
        await runUntilEmpty();
        await fleet.query("UPDATE suture_fleet.run SET ended = ended - interval '400 days'");
        expect((await deleteOldRuns(fleet.query, 365)).runs).toBe(3);
        expect((await listRuns(fleet.query)).map(({ kind }) => kind).sort()).toEqual([
          "check",
          "fix",
          "publish",
        ]);
      });
    });

    describe("faults of hosts, repositories and machines", () => {
      const addOne = async (organisation: string, sink: string | null = null) =>
        (await addGenerated(1, organisation, sink))[0]!;

      test("a rate limit on the request for our own user name is retried after the pause", async () => {
        const { generated, repository } = await addOne("limited", "github");
        gitIn(generated.folder, "update-ref", "refs/pull/7/head", generated.head);
        gitIn(generated.folder, "update-ref", "refs/heads/main", generated.first);
        // One request is retried five times. Only a long pause returns the job to the queue.
        forge.failUser({ status: 429, headers: { "retry-after": "3" } });
        const asked = forge.counts["GET /user"] ?? 0;
        await fleet.queue.add([jobFor(repository, { cause: "request", request: 7, commit: generated.head })]);
        await runUntilEmpty();
        expect(forge.shelves.get(`limited/${repository.name}`)!.comments).toHaveLength(1);
        expect(forge.counts["GET /user"]).toBe(asked + 2);
      });

      test("a NUL character in the reason of a failure is stored in another form", async () => {
        const [a, b] = await inventNames(2);
        await fleet.queue.add([jobFor(a!), jobFor(b!)]);
        const [first, second] = await fleet.queue.take(2);
        await fleet.queue.fail(first!, "remote: aborting\u0000\ud800");
        await fleet.queue.moveToDeadLetters(second!, "remote: aborting\u0000");
        expect(await fleet.queue.listDeadLetters(5)).toMatchObject([{ why: "remote: aborting\u2400" }]);
      });

      test("a token is sent to its configured hosts only, not to hosts with similar names", async () => {
        const known = hostsOf({
          SUTURE_GITHUB_TOKEN: "ghp_public",
          EXAMPLE_TOKEN: "ghp_example",
          SUTURE_HOSTS: "git.example.org=github:EXAMPLE_TOKEN",
        });
        const header = (user: string, token: string): string =>
          `Authorization: Basic ${Buffer.from(`${user}:${token}`).toString("base64")}`;
        const headerFor = async (hosts: HostCredentials, host: string) => {
          const found = await hosts.gitHeader({ host, organisation: "acme" });
          return found.ok ? found.value : found.refusal.code;
        };
        expect(await headerFor(known, "github.com")).toBe(header("x-access-token", "ghp_public"));
        expect(await headerFor(known, "git.example.org")).toBe(header("x-access-token", "ghp_example"));
        for (const alike of [
          "github.evil.test",
          "github.evil.test:7443",
          "my.github.com.evil.org",
          "github-cdn.evil.io",
          "notgithub.com",
          "evil-github.com",
          "ghe.evil.test",
          "www.github.com",
          "github.com:8443",
          "gitlab.com",
          "git.example.org.evil.test",
          "local",
        ])
          expect([alike, await headerFor(known, alike)]).toEqual([alike, null]);
        const own = hostsOf({
          SUTURE_GITHUB_TOKEN: "ghp_own",
          SUTURE_GITHUB_API: "https://git.example.org/api/v3",
        });
        expect(await headerFor(own, "git.example.org")).toBe(header("x-access-token", "ghp_own"));
        expect(await headerFor(own, "github.com")).toBeNull();
        expect(readKnownHosts({ SUTURE_HOSTS: "git.example.org" })).toMatchObject({ ok: false });
        const sinks = openSinks(folder, known);
        expect(await sinks({ host: "github.evil.test", organisation: "acme", sink: "github" })).toMatchObject(
          {
            ok: false,
            refusal: { detail: expect.stringContaining("SUTURE_HOSTS") },
          },
        );
      });

      test("jobs of a killed process are taken again, and a worker that stops when the queue is empty stops", async () => {
        const { repository } = await addOne("killed");
        await fleet.queue.add([jobFor(repository)]);
        expect(await fleet.queue.take(1)).toHaveLength(1);
        // As if the process that took it had died long ago.
        await fleet.query(
          "UPDATE suture_queue.job SET heartbeat_on = now() - interval '1 hour', started_on = now() - interval '1 hour' WHERE state = 'active'",
        );
        await fleet.queue.supervise();
        await runUntilEmpty();
        expect(await stateOf(repository)).toMatchObject({ state: "open" });
      });

      test("a job that is cancelled at work, or that another worker has, is no failure of its repository", async () => {
        const { repository, generated } = await addOne("lost");
        // The fetch waits for a writer that never comes.
        const pipe = join(generated.folder, "packed-refs");
        execFileSync("mkfifo", [pipe]);
        await fleet.queue.add([jobFor(repository)]);
        await fleet.query("UPDATE suture_queue.job SET retry_count = 5 WHERE state < 'active'");
        const events: string[] = [];
        const log = (event: string): void => void events.push(event);
        const worker = startWorker({ ...fleet, log }, { interval: 50, heartbeat: 3 });
        await eventually(async () => ((await fleet.queue.depth()).active === 1 ? true : null));
        await fleet.queue.cancel(repository.id);
        await eventually(async () => (events.includes("job-lost") ? true : null));
        await worker.stop();
        closeSync(openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK));
        expect(await stateOf(repository)).toMatchObject({ state: "new", problem: null });
        expect(events).not.toContain("job-failed");
      });

      test("a repository that ends each of its workers is quarantined at last, and not called by its old state", async () => {
        const [deadly, healthy] = await addGenerated(2, "deadly");
        await fleet.queue.add([jobFor(deadly!.repository)]);
        for (let attempt = 0; attempt < 8; attempt++) {
          const [taken] = await fleet.queue.take(1);
          const { repository, turn } = taken!.job;
          const claim = { job: taken!.id, seconds: 20, turn, after: null, asksHost: false };
          expect(await claimRepository(fleet.query, { repository, ...claim })).toMatchObject({ held: true });
          // As if its worker had died, and the time until the next attempt were over.
          await fleet.query(
            "UPDATE suture_queue.job SET state = 'retry', start_after = now() WHERE state = 'active'",
          );
        }
        await fleet.queue.add([jobFor(healthy!.repository)]);
        await runUntilEmpty();
        expect(await stateOf(deadly!.repository)).toMatchObject({
          state: "quarantined",
          problem: expect.stringContaining("8 attempts did not end"),
        });
        expect(await stateOf(healthy!.repository)).toMatchObject({ state: "open" });
        expect(await fleet.queue.depth()).toEqual({ waiting: 0, deferred: 0, active: 0, dead: 1 });
      });

      test("a worker that stops when the queue is empty leaves jobs that fail repeatedly for later", async () => {
        const { repository, generated } = await addOne("broken");
        rmSync(join(generated.folder, "objects"), { recursive: true });
        mkdirSync(join(generated.folder, "objects"));
        await fleet.queue.add([jobFor(repository)]);
        await runUntilEmpty();
        const { deferred, dead, active } = await fleet.queue.depth();
        expect({ left: deferred + dead, active }).toEqual({ left: 1, active: 0 });
        expect(await stateOf(repository)).toMatchObject({ state: "failing", problem: expect.any(String) });
        const named = await nameDeadLetters(fleet.query, [
          { job: { ...jobFor(repository), turn: 0 }, why: "x" },
        ]);
        expect(named).toMatchObject([{ repository: `broken/${repository.name}` }]);
      });

      test("a host that cannot be reached is paused, longer each time, and its jobs count no attempts", async () => {
        const [repository] = await addRepositories(fleet.query, [
          {
            host: "unreachable.invalid",
            organisation: "away",
            name: "a",
            url: "https://unreachable.invalid/away/a.git",
          },
        ]);
        await fleet.queue.add([jobFor(repository!)]);
        const worker = startWorker(fleet, { interval: 50, heartbeat: 10 });
        await eventually(async () => ((await fleet.queue.depth()).deferred === 1 ? true : null));
        await worker.stop();
        expect(await listPaused(fleet.query)).toMatchObject([{ name: "unreachable.invalid", why: "away" }]);
        const [waiting] = await fleet.query(
          "SELECT retry_count FROM suture_queue.job WHERE state < 'active'",
        );
        expect(waiting).toEqual({ retry_count: 0 });
        // The same an hour later, by the database's clock.
        const rests: number[] = [];
        for (let outage = 0; outage < 7; outage++) {
          await fleet.query("UPDATE suture_fleet.host SET away_until = now() - interval '1 second'");
          rests.push(Math.round((await restHost(fleet.query, "unreachable.invalid"))!));
        }
        expect(rests).toEqual([60, 120, 240, 480, 900, 900, 900]);
        await recordReached(fleet.query, "unreachable.invalid");
        expect(await restHost(fleet.query, "unreachable.invalid")).toBeNull();
      });

      test.each([
        ["refuses our token", "fatal: Authentication failed for 'https://github.com/a/b/'", "failing"],
        ["limits the rate", "fatal: unable to access: The requested URL returned error: 429", "new"],
      ])(
        "a fetch from a host that %s is tried again later, and counts no attempt",
        async (_, words, state) => {
          const named = (host: string) => ({
            host,
            organisation: "fetched",
            name: "a",
            url: `https://${host}/fetched/a.git`,
          });
          const known = (await addRepositories(fleet.query, [named("github.com")]))[0]!;
          await fleet.queue.add([jobFor(known)]);
          const [taken] = await fleet.queue.take(1);
          const held = await hold(known, taken!.id);
          const error = new GitError(words, readGitFailures(words));
          expect(await handleFailure(fleet, { taken: taken!, held, error })).toBe("deferred");
          expect(await fleet.queue.depth()).toMatchObject({ deferred: 1, dead: 0 });
          expect(await findByText(fleet.query, "fetched/a", { most: 1 })).toMatchObject([{ state }]);
          expect(await listPaused(fleet.query)).toEqual([]);
        },
      );

      test("a host that wants a credential of which there is none fails its repository at once", async () => {
        const url = "https://code.example.net/fetched/b.git";
        const address = { host: "code.example.net", organisation: "fetched", name: "b", url };
        const unknown = (await addRepositories(fleet.query, [address]))[0]!;
        await fleet.queue.add([jobFor(unknown)]);
        const [taken] = await fleet.queue.take(1);
        const held = await hold(unknown, taken!.id);
        const error = new GitError("could not read Username", ["unauthorised"]);
        expect(await handleFailure(fleet, { taken: taken!, held, error })).toBe("hopeless");
      });

      test("a check that takes too long or too much memory stops alone, and the second time its repository is quarantined", async () => {
        const [slow, healthy] = await addGenerated(2, "heavy");
        const limited: Fleet = { ...fleet, checks: new CheckProcesses({ seconds: 0.001 }) };
        await fleet.queue.add([jobFor(slow!.repository)]);
        await startWorker(limited, { untilEmpty: true, interval: 100, heartbeat: 10 }).ended;
        expect(await stateOf(slow!.repository)).toMatchObject({
          state: "quarantined",
          problem: expect.stringContaining("more than"),
        });
        limited.checks.close();
        await fleet.queue.add([jobFor(slow!.repository), jobFor(healthy!.repository)]);
        await runUntilEmpty();
        expect(await stateOf(slow!.repository)).toMatchObject({ state: "quarantined" });
        expect(await stateOf(healthy!.repository)).toMatchObject({ state: "open" });
        await clearProblem(fleet.query, slow!.repository.id);
        await fleet.queue.add([jobFor(slow!.repository, { cause: "hand" })]);
        await runUntilEmpty();
        expect(await stateOf(slow!.repository)).toMatchObject({ state: "open", problem: null });
      });

      test("a check process that runs out of memory is reported as stopped, not as a result", async () => {
        const { generated } = await addOne("memory");
        const checks = new CheckProcesses({ memory: 8 });
        const change = { base: generated.first, head: generated.head };
        const request = { folder: generated.folder, change };
        const { signal } = new AbortController();
        await expect(checks.run(request, { signal })).rejects.toThrow(CheckStopped);
        checks.close();
      });

      test("a repository without commits is empty, and not a failure", async () => {
        const place = join(folder, "repositories", "empty", "one.git");
        mkdirSync(place, { recursive: true });
        gitIn(place, "init", "--bare", "--quiet");
        const address = parseAddress(place);
        if (!address.ok) throw new Error("address");
        const [repository] = await addRepositories(fleet.query, [address.value]);
        await fleet.queue.add([jobFor(repository!)]);
        await runUntilEmpty();
        expect(await stateOf(repository!)).toMatchObject({ state: "empty", problem: null });
        expect((await fleet.queue.depth()).dead).toBe(0);
      });

      test("two spellings of one repository are one row; a rename and a transfer keep it", async () => {
        const at = (organisation: string, name: string, hostId: string | null = null) => ({
          host: "github.com",
          organisation,
          name,
          url: `https://github.com/${organisation}/${name}.git`,
          hostId,
        });
        const [first] = await addRepositories(fleet.query, [at("acme", "api", "17")]);
        const [again] = await addRepositories(fleet.query, [at("ACME", "API")]);
        expect(again!.id).toBe(first!.id);
        const [renamed] = await addRepositories(fleet.query, [at("acme", "gateway", "17")]);
        expect(renamed).toMatchObject({
          id: first!.id,
          name: "gateway",
          url: "https://github.com/acme/gateway.git",
        });
        const event = { host: "github.com", organisation: "other", name: "gateway", hostId: "17" };
        const [transferred] = await findOnHost(fleet.query, event);
        expect(transferred!.id).toBe(first!.id);
        await followRename(fleet.query, transferred!, event);
        expect(await findByText(fleet.query, "OTHER/gate", { most: 10 })).toMatchObject([
          { id: first!.id, organisation: "other", url: "https://github.com/other/gateway.git" },
        ]);
      });

      test("a rename changes the name in the address, and never the host", async () => {
        const url = "https://github.com/com/com.git";
        const [first] = await addRepositories(fleet.query, [
          { host: "github.com", organisation: "com", name: "com", url, hostId: "18" },
        ]);
        await followRename(fleet.query, first!, { organisation: "dev", name: "evil", hostId: "18" });
        expect(await findByText(fleet.query, "dev/evil", { most: 10 })).toMatchObject([
          { id: first!.id, url: "https://github.com/dev/evil.git" },
        ]);
      });

      test("a paused repository is not checked; a removed one disappears with its jobs", async () => {
        const [paused, removed] = await addGenerated(2, "resting");
        await setPaused(fleet.query, paused!.repository.id, true);
        expect((await takeDue(fleet.query, 60, 100)).map(({ id }) => id)).toEqual([removed!.repository.id]);
        await fleet.queue.add([jobFor(paused!.repository), jobFor(removed!.repository)]);
        await fleet.queue.cancel(removed!.repository.id);
        await removeRepository(fleet.query, removed!.repository.id);
        await runUntilEmpty();
        expect(await stateOf(paused!.repository)).toMatchObject({ state: "new" });
        expect(await stateOf(removed!.repository)).toBeUndefined();
      });

      test("one address shows the counts of all processes, also of those that have ended", async () => {
        const { repository } = await addOne("counted");
        await fleet.query("TRUNCATE suture_fleet.counter");
        await fleet.queue.add([jobFor(repository)]);
        await runUntilEmpty();
        const elsewhere = createMetrics();
        const text = elsewhere.print([], await readCounters(fleet.query));
        expect(text).toContain('suture_fleet_jobs_total{kind="check",outcome="done"} 1');
        expect(text).toMatch(/suture_fleet_job_seconds_bucket\{kind="check",le="\+Inf"\} 1/);
      });

      test("a clone with many packs is repacked", async () => {
        const { generated, repository, n } = await addOne("packs");
        const mirror = await fetched(repository, { commit: null });
        const packs = (): number =>
          readdirSync(join(mirror.git.top, "objects", "pack")).filter((name) => name.endsWith(".pack"))
            .length;
        for (let i = 0; i < 45; i++)
          gitIn(mirror.git.top, "pack-objects", "--all", "--quiet", `objects/pack/pack-${i}`);
        const before = packs();
        await change(generated, n, `later${n}`);
        await fetched(repository, { commit: null });
        expect(packs()).toBeLessThan(Math.max(3, before));
      });
    });

    describe("decisions of people about a pull request", () => {
      const published = async () => {
        const [{ generated, repository, n }] = (await addGenerated(1, "people", "github")) as [
          Awaited<ReturnType<typeof addGenerated>>[number],
        ];
        await fleet.queue.add([jobFor(repository)]);
        await runUntilEmpty();
        const shelf = forge.shelves.get(`people/${repository.name}`)!;
        expect(shelf.pulls).toMatchObject([{ state: "open" }]);
        const again = async (): Promise<void> => {
          await fleet.queue.add([jobFor(repository)]);
          await runUntilEmpty();
        };
        return { generated, repository, n, shelf, again };
      };

      test("a pull request that people closed is not opened again until the code changes the passage", async () => {
        const { generated, n, shelf, again, repository } = await published();
        shelf.pulls[0]!.state = "closed";
        const url = `https://fake/${repository.organisation}/${repository.name}/pull/1`;
        expect(await stateOf(repository)).toMatchObject({ state: "open" });
        await recordOutcome(fleet.query, { repository: repository.id, url, outcome: "closed" });
        expect(await stateOf(repository)).toMatchObject({ state: "drifted", drift: 3 });
        changeOther(generated, "other.md", "# Another page\n");
        await again();
        expect(shelf.pulls).toMatchObject([{ state: "closed" }]);
        await change(generated, n, `readPage${n}`);
        await again();
        expect(shelf.pulls).toMatchObject([{ state: "closed" }, { state: "open" }]);
      });

      test("a commit that a person added to our branch stays", async () => {
        const { generated, shelf, again, n } = await published();
        const theirs = commitOf(generated, shelf.refs.get("suture/main")!, "reviewer: better words");
        shelf.refs.set("suture/main", theirs);
        await change(generated, n, `readPage${n}`);
        await again();
        expect(shelf.refs.get("suture/main")).toBe(theirs);
        expect(shelf.pulls).toMatchObject([{ state: "open" }]);
      });

      test("a commit that a person adds while we make ours stays too", async () => {
        const { generated, shelf, again, n } = await published();
        const theirs = commitOf(generated, shelf.refs.get("suture/main")!, "reviewer: better words");
        await change(generated, n, `readPage${n}`);
        forge.onRequest((request) => {
          if (request === "POST git/commits") shelf.refs.set("suture/main", theirs);
        });
        await again();
        forge.onRequest(() => {});
        expect(shelf.refs.get("suture/main")).toBe(theirs);
        expect(shelf.pulls).toMatchObject([{ state: "open" }]);
      });

      test("GitLab: a commit that a person adds while we make ours stays too", async () => {
        const { generated, repository, n } = (await addGenerated(1, "people", "gitlab"))[0]!;
        await fleet.queue.add([jobFor(repository)]);
        await runUntilEmpty();
        const branch = "refs/heads/suture/main";
        const theirs = commitOf(generated, gitIn(generated.folder, "rev-parse", branch), "reviewer: words");
        await change(generated, n, `readPage${n}`);
        gitlab.onRequest((request) => {
          if (request.startsWith("GET repository/files/"))
            gitIn(generated.folder, "update-ref", branch, theirs);
        });
        await fleet.queue.add([jobFor(repository)]);
        await runUntilEmpty();
        gitlab.onRequest(() => {});
        expect(gitIn(generated.folder, "rev-parse", branch)).toBe(theirs);
      });

      test("a push that changes none of the edits leaves the branch as it is", async () => {
        const { generated, shelf, again } = await published();
        const { moves } = shelf;
        changeOther(generated, "other.md", "# Another page\n");
        await again();
        expect(shelf.moves).toBe(moves);
        expect(shelf.pulls).toMatchObject([{ state: "open" }]);
      });
    });

    describe("publishing to a host", () => {
      test("there is one pull request per repository; it is updated, and closed when it is no longer needed", async () => {
        const [{ generated, repository, n }] = (await addGenerated(1, "org", "github")) as [
          Awaited<ReturnType<typeof addGenerated>>[number],
        ];
        const called = `org/${repository.name}`;
        await fleet.queue.add([jobFor(repository)]);
        await runUntilEmpty();
        expect(forge.read(called, "suture/main", "docs/guide.md")).toContain(`fetchPage${n}`);
        await change(generated, n, `readPage${n}`);
        await fleet.queue.add([jobFor(repository)]);
        await runUntilEmpty();
        expect(forge.shelves.get(called)!.pulls).toMatchObject([{ state: "open", head: "suture/main" }]);
        expect(forge.read(called, "suture/main", "docs/guide.md")).toContain(`readPage${n}`);
        await change(generated, n, `loadPage${n}`);
        await fleet.queue.add([jobFor(repository)]);
        await runUntilEmpty();
        expect(forge.shelves.get(called)!.pulls).toMatchObject([{ state: "closed" }]);
        expect(await stateOf(repository)).toMatchObject({ state: "clean" });
        expect(logged.join("")).not.toContain("token-of-the-host");
      });

      test("another person's pull request gets one comment, and the status of the main branch stays", async () => {
        const [{ generated, repository, n }] = (await addGenerated(1, "org", "github")) as [
          Awaited<ReturnType<typeof addGenerated>>[number],
        ];
        gitIn(generated.folder, "update-ref", "refs/pull/7/head", generated.head);
        gitIn(generated.folder, "update-ref", "refs/heads/main", generated.first);
        const job = jobFor(repository, { cause: "request", request: 7, commit: generated.head });
        await fleet.queue.add([job]);
        await runUntilEmpty();
        const { comments, pulls } = forge.shelves.get(`org/${repository.name}`)!;
        expect(comments).toMatchObject([{ request: 7, body: expect.stringContaining(`fetchPage${n}`) }]);
        expect(pulls).toEqual([]);
        expect(await stateOf(repository)).toMatchObject({ state: "new", checked: null, drift: 0 });
        expect(await isChecked(fleet.query, { repository: repository.id, commit: generated.head })).toBe(
          false,
        );
        expect(
          await isChecked(fleet.query, { repository: repository.id, commit: generated.head, request: 7 }),
        ).toBe(true);
        await fleet.query("UPDATE suture_fleet.publication SET state = 'claimed'");
        await fleet.queue.add([job]);
        await runUntilEmpty();
        expect(comments).toHaveLength(1);
      });

      test("with a host that fails, limits and hangs, every edit is published exactly once", async () => {
        const made = await addGenerated(4, "faulty", "github");
        forge.setFaults({
          breaks: 0.08,
          breaksAfter: 0.06,
          limits: 0.05,
          hangs: 0.02,
          hangsAfter: 0.03,
          retryAfter: 3,
        });
        await fleet.queue.add(made.map(({ repository }) => jobFor(repository)));
        // The host fails for a while and then works again: the remaining jobs must succeed.
        const over = setTimeout(() => forge.setFaults({}), 8000);
        await eventually(async () => {
          await runUntilEmpty();
          const { waiting, deferred, active, dead } = await fleet.queue.depth();
          expect(dead).toBe(0);
          return waiting + deferred + active === 0 ? true : null;
        }, 240_000);
        clearTimeout(over);
        for (const { repository, n } of made) {
          const called = `faulty/${repository.name}`;
          expect(forge.shelves.get(called)!.pulls).toHaveLength(1);
          expect(forge.read(called, "suture/main", "docs/guide.md")).toContain(`fetchPage${n}`);
          expect(await stateOf(repository)).toMatchObject({ state: "open" });
        }
        const rows = await fleet.query(
          "SELECT state, count(*)::int AS count FROM suture_fleet.publication GROUP BY state",
        );
        expect(rows).toEqual([{ state: "confirmed", count: 4 }]);
      });

      test("after a worker dies between publishing and confirming, the retry publishes nothing twice", async () => {
        const [{ repository }] = (await addGenerated(1, "org", "github")) as [
          Awaited<ReturnType<typeof addGenerated>>[number],
        ];
        const called = `org/${repository.name}`;
        await fleet.queue.add([jobFor(repository)]);
        await runUntilEmpty();
        // As if the worker had died right after the host's response.
        await fleet.query(
          "UPDATE suture_fleet.publication SET state = 'claimed', confirmed = NULL, url = NULL",
        );
        const [fix] = (await listRuns(fleet.query)).filter(({ kind }) => kind === "fix");
        await fleet.queue.add([jobFor(repository, { kind: "publish", commit: fix!.commit, after: fix!.id })]);
        await runUntilEmpty();
        expect(forge.shelves.get(called)!.pulls).toHaveLength(1);
        const moves = forge.shelves.get(called)!.moves;
        await fleet.queue.add([jobFor(repository, { kind: "publish", commit: fix!.commit, after: fix!.id })]);
        await runUntilEmpty();
        expect(forge.shelves.get(called)!.moves).toBe(moves);
      });

      test("GitLab: there is one merge request per project; it is updated, and closed when it is no longer needed", async () => {
        const [{ generated, repository, n }] = (await addGenerated(1, "group", "gitlab")) as [
          Awaited<ReturnType<typeof addGenerated>>[number],
        ];
        const called = `group/${repository.name}`;
        const branch = "refs/heads/suture/main";
        const work = async (): Promise<void> => {
          await fleet.queue.add([jobFor(repository)]);
          await runUntilEmpty();
        };
        await work();
        const [opened] = gitlab.requestsOf(called);
        expect(opened).toMatchObject({
          state: "opened",
          source_branch: "suture/main",
          target_branch: "main",
        });
        const said = opened!.description;
        expect(gitIn(generated.folder, "show", `${branch}:docs/guide.md`)).toContain(`fetchPage${n}`);
        const head = await change(generated, n, `readPage${n}`);
        await work();
        expect(gitlab.requestsOf(called)).toMatchObject([{ iid: 1, state: "opened" }]);
        expect(gitlab.requestsOf(called)[0]!.description).not.toBe(said);
        expect(gitIn(generated.folder, "show", `${branch}:docs/guide.md`)).toContain(`readPage${n}`);
        expect(gitIn(generated.folder, "rev-parse", `${branch}^`)).toBe(head);
        const rows = await fleet.query("SELECT state, url FROM suture_fleet.publication");
        const url = `https://gitlab.test/${called}/-/merge_requests/1`;
        expect(rows).toEqual([
          { state: "confirmed", url },
          { state: "confirmed", url },
        ]);
        await change(generated, n, `loadPage${n}`);
        await work();
        expect(gitlab.requestsOf(called)).toMatchObject([{ iid: 1, state: "closed" }]);
        expect(await stateOf(repository)).toMatchObject({ state: "clean" });
        expect([...gitlab.tokens]).toEqual(["token-of-the-other-host"]);
        expect(logged.join("")).not.toContain("token-of-the-other-host");
      });

      test.each([
        ["the commit", /^POST .*\/repository\/commits$/],
        ["the merge request", /^POST .*\/merge_requests$/],
      ])("GitLab: after the response about %s is lost, there is still one merge request", async (_, lost) => {
        const [{ generated, repository, n }] = (await addGenerated(1, "group", "gitlab")) as [
          Awaited<ReturnType<typeof addGenerated>>[number],
        ];
        gitlab.loseAnswerTo(lost);
        await fleet.queue.add([jobFor(repository)]);
        await runUntilEmpty();
        expect(gitlab.unlost()).toBe(0);
        expect(gitlab.requestsOf(`group/${repository.name}`)).toMatchObject([{ iid: 1, state: "opened" }]);
        expect(gitIn(generated.folder, "log", "--format=%P", "-1", "suture/main")).toBe(generated.head);
        expect(gitIn(generated.folder, "show", "suture/main:docs/guide.md")).toContain(`fetchPage${n}`);
        expect(await fleet.query("SELECT state FROM suture_fleet.publication")).toEqual([
          { state: "confirmed" },
        ]);
        expect(await stateOf(repository)).toMatchObject({ state: "open" });
      });

      test("the repositories of a host are listed page by page, without archived ones and forks", async () => {
        const names = Array.from({ length: 230 }, (_, i) => `group/deep/p${String(i).padStart(3, "0")}`);
        gitlab.setGroup(
          "group/deep",
          names.map((name, i) => [
            name,
            i === 7 ? { archived: true } : i === 120 ? { forked_from_project: { id: 1 } } : {},
          ]),
        );
        forge.setOrganisation(
          "org",
          names.map((name, i) => [
            name.replace("group/deep", "org"),
            i === 7 ? { archived: true } : i === 229 ? { fork: true } : {},
          ]),
        );
        for (const [kind, host, owner] of [
          ["gitlab", "gitlab.com", "group/deep"],
          ["github", "github.com", "org"],
        ] as const) {
          const listed = await importFromHost(
            { kind, host, owner },
            { credentials: hostsOf(environment), most: 10_000 },
          );
          if (!listed.ok) throw new Error(JSON.stringify(listed.refusal));
          expect(new Set(listed.value.map(({ organisation }) => organisation))).toEqual(new Set([owner]));
          expect(await addRepositories(fleet.query, listed.value)).toHaveLength(228);
          expect(await addRepositories(fleet.query, listed.value)).toHaveLength(228);
          const few = await importFromHost(
            { kind, host, owner },
            { credentials: hostsOf(environment), most: 150 },
          );
          expect(few.ok && few.value.length).toBe(kind === "gitlab" ? 148 : 149);
          expect(
            await importFromHost(
              { kind, host, owner: "nobody" },
              { credentials: hostsOf(environment), most: 10 },
            ),
          ).toMatchObject({
            refusal: { code: "malformed", what: expect.stringContaining("nobody") },
          });
        }
        const rows = await fleet.query("SELECT count(*)::int AS count FROM suture_fleet.repository");
        expect(rows).toEqual([{ count: 456 }]);
        const pages = gitlab.asked.filter((question) => question.includes("/groups/group%2Fdeep/"));
        expect(pages.map((question) => new URLSearchParams(question).get("page"))).toEqual([
          "1",
          "2",
          "3",
          "1",
          "2",
        ]);
      });

      test("fleet import takes gitlab:GROUP and github:ORG", async (context) => {
        if (url === undefined)
          return context.skip("the embedded database serves one process, and this one has it open");
        gitlab.setGroup(
          "group/cli",
          Array.from({ length: 101 }, (_, i) => [`group/cli/p${i}`]),
        );
        forge.setOrganisation(
          "cli",
          Array.from({ length: 101 }, (_, i) => [`cli/p${i}`]),
        );
        for (const from of ["gitlab:group/cli", "github:cli"]) {
          const args = ["fleet", "import", from, "--home", join(folder, "import")];
          const run = await start(process.execPath, [...sutureFromSource, ...args], {
            cwd: folder,
            env: { PATH: process.env.PATH ?? "", HOME: folder, DATABASE_URL: url, ...environment },
          });
          expect(run).toMatchObject({ code: 0, out: "101 repositories added to the fleet.\n" });
        }
      });
    });

    describe("the server", () => {
      const secret = "a-secret-of-the-webhook";
      const commit = (n: number): string => (n + 1).toString(16).padStart(40, "0");

      async function listening(largest = 20_000) {
        const served = await serveFleet(fleet, {
          port: 0,
          secrets: { github: secret, gitlab: secret },
          largest,
        });
        if (!served.ok) throw new Error("server");
        return served.value;
      }

      function pushed(repository: Repository, after: string, more: object = {}) {
        return JSON.stringify({
          ref: "refs/heads/main",
          after,
          repository: {
            full_name: `${repository.organisation}/${repository.name}`,
            html_url: `https://github.com/${repository.organisation}/${repository.name}`,
            default_branch: "main",
            pushed_at: Math.floor(Date.now() / 1000),
          },
          ...more,
        });
      }

      function signed(body: string, id: string = randomUUID(), key = secret): RequestInit {
        return {
          method: "POST",
          body,
          headers: {
            "content-type": "application/json",
            "x-github-event": "push",
            "x-github-delivery": id,
            "x-hub-signature-256": `sha256=${createHmac("sha256", key).update(body).digest("hex")}`,
          },
        };
      }

      test("a webhook may be a form, as GitHub sends it by default, and its signature is that of the form", async () => {
        const [{ repository }] = (await addGenerated(1, "form")) as [
          Awaited<ReturnType<typeof addGenerated>>[number],
        ];
        await fleet.query("UPDATE suture_fleet.repository SET host = 'github.com' WHERE id = $1", [
          repository.id,
        ]);
        await using server = await listening();
        const send = (body: string, signedBody = body) => {
          const request = signed(signedBody);
          const headers = { ...request.headers, "content-type": "application/x-www-form-urlencoded" };
          return fetch(`http://127.0.0.1:${server.port}/webhooks/github`, { ...request, body, headers });
        };
        const json = pushed(repository, commit(700), { message: "a & b = c + d % é" });
        const form = new URLSearchParams({ payload: json }).toString();
        expect((await send(form, json)).status).toBe(401);
        expect((await send("payload=nothing")).status).toBe(400);
        expect((await send(form)).status).toBe(202);
        expect((await fleet.queue.depth()).waiting).toBe(1);
      });

      test("many webhooks at once queue the right jobs once", async () => {
        const repositories = await inventNames(10, "storm");
        await fleet.query("UPDATE suture_fleet.repository SET host = 'github.com'");
        const server = await listening();
        const url = `http://127.0.0.1:${server.port}/webhooks/github`;
        const genuine = repositories.flatMap((repository, i) =>
          [0, 1].map((j) => ({ id: randomUUID(), body: pushed(repository, commit(i * 2 + j)) })),
        );
        const storm: RequestInit[] = genuine.flatMap(({ id, body }) => [
          signed(body, id),
          signed(body, id),
          signed(body),
          signed(body, id, "another secret"),
          { ...signed(body), headers: { ...(signed(body).headers as object), "x-hub-signature-256": "" } },
        ]);
        storm.push(signed(pushed(repositories[0]!, commit(500), { padding: "x".repeat(30_000) })));
        storm.push(signed(pushed({ ...repositories[0]!, name: "unknown" }, commit(501))));
        storm.push(signed(pushed(repositories[0]!, commit(502), { ref: "refs/heads/other" })));
        storm.push(signed(pushed(repositories[0]!, commit(0).replaceAll(/./g, "0"))));
        storm.push(signed("{"));
        storm.push(signed(JSON.stringify({ ref: "refs/heads/main", after: "not a commit" })));
        const old = JSON.parse(pushed(repositories[0]!, commit(503)));
        old.repository.pushed_at -= 40 * 86_400;
        storm.push(signed(JSON.stringify(old)));
        const statuses: Record<number, number> = {};
        const shuffled = fc.sample(fc.shuffledSubarray(storm, { minLength: storm.length }), 1)[0]!;
        for (let start = 0; start < shuffled.length; start += 20)
          for (const status of await Promise.all(
            shuffled.slice(start, start + 20).map(async (init) => (await fetch(url, init)).status),
          ))
            statuses[status] = (statuses[status] ?? 0) + 1;
        expect(statuses).toEqual({ 202: 20, 200: 43, 401: 40, 413: 1, 400: 3 });
        expect((await fleet.queue.depth()).waiting).toBe(20);
        await server.close();
      });

      test("GitLab's webhooks: pushes, merge requests, and decisions about our merge requests", async () => {
        const [repository] = await inventNames(1, "group/sub");
        await fleet.query("UPDATE suture_fleet.repository SET host = 'gitlab.com'");
        const server = await listening();
        const send = async (event: string, value: object, token = secret): Promise<number> =>
          (
            await fetch(`http://127.0.0.1:${server.port}/webhooks/gitlab`, {
              method: "POST",
              headers: {
                "x-gitlab-event": event,
                "x-gitlab-event-uuid": randomUUID(),
                "x-gitlab-token": token,
              },
              body: JSON.stringify(value),
            })
          ).status;
        const project = {
          path_with_namespace: `group/sub/${repository!.name}`,
          web_url: `https://gitlab.com/group/sub/${repository!.name}`,
          default_branch: "main",
        };
        const request = (source_branch: string, action: string, url = "u") => ({
          project,
          object_attributes: {
            iid: 4,
            action,
            url,
            source_branch,
            oldrev: "x",
            last_commit: { id: commit(9) },
          },
        });
        expect(await send("Push Hook", { ref: "refs/heads/main", after: commit(1), project }, "wrong")).toBe(
          401,
        );
        expect(await send("Push Hook", { ref: "refs/heads/main", after: commit(1), project })).toBe(202);
        expect(await send("Merge Request Hook", request("feature", "update"))).toBe(202);
        expect(await send("Merge Request Hook", request("suture/main", "update"))).toBe(200);
        const held = await hold(repository!);
        await claimPublication(fleet, held, { kind: "request", commit: commit(1), run: "r" });
        await confirmPublication(fleet.query, held, {
          kind: "request",
          commit: commit(1),
          url: "https://gitlab.com/mr/4",
        });
        for (const [action, outcome] of [
          ["close", "closed"],
          ["reopen", null],
          ["merge", "merged"],
        ] as const) {
          const event = request("suture/main", action, "https://gitlab.com/mr/4");
          expect(await send("Merge Request Hook", event)).toBe(200);
          expect(await fleet.query("SELECT outcome FROM suture_fleet.publication")).toEqual([{ outcome }]);
        }
        expect((await fleet.queue.take(5)).map(({ job }) => job.cause)).toEqual(["request"]);
        await server.close();
      });

      test.each([
        ["without the token", "/api/overview", {}, 401],
        ["with the token in the address", "/api/overview?token=TOKEN", {}, 401],
        ["for another host", "/api/overview", { host: "evil.example", authorization: "Bearer TOKEN" }, 403],
        [
          "from another page",
          "/api/overview",
          { origin: "http://localhost.evil.com", authorization: "Bearer TOKEN" },
          403,
        ],
        ["outside the fixed map of files", "/..%2f..%2fetc/passwd", {}, 404],
        ["metrics without the token", "/metrics", {}, 401],
        ["webhooks for another host", "/webhooks/github", { host: "evil.example" }, 403],
        ["health, for anyone", "/healthz", {}, 200],
        ["the overview, with the token", "/api/overview", { authorization: "Bearer TOKEN" }, 200],
        ["metrics, with the token", "/metrics", { authorization: "Bearer TOKEN" }, 200],
      ])("%s", async (_, path, headers, status) => {
        const server = await listening();
        const { request } = await import("node:http");
        const answered = await new Promise<number>((resolve, reject) =>
          request(
            {
              port: server.port,
              path: path.replace("TOKEN", server.token),
              headers: JSON.parse(JSON.stringify(headers).replace("TOKEN", server.token)),
            },
            (response) => {
              response.resume();
              resolve(response.statusCode!);
            },
          )
            .on("error", reject)
            .end(),
        );
        expect(answered).toBe(status);
        await server.close();
      });

      test("a public address needs host names; a run and its reasons can be viewed", async () => {
        expect(await serveFleet(fleet, { port: 0, listen: "0.0.0.0" })).toMatchObject({ ok: false });
        const [{ repository }] = (await addGenerated(1)) as [
          Awaited<ReturnType<typeof addGenerated>>[number],
        ];
        await fleet.queue.add([jobFor(repository)]);
        await runUntilEmpty();
        const server = await listening();
        const get = async (path: string) =>
          (
            await fetch(`http://127.0.0.1:${server.port}${path}`, {
              headers: { authorization: `Bearer ${server.token}` },
            })
          ).json();
        const overview = (await get("/api/overview")) as {
          states: object;
          runs: { id: string; kind: string }[];
          days: { fixed: number }[];
        };
        expect(overview.states).toEqual({ open: 1 });
        expectTypeOf<AsJson<Awaited<ReturnType<typeof readOverview>>>>().toExtend<FleetView>();
        expect(overview.days.at(-1)).toMatchObject({ findings: 3, fixed: 3, published: 1 });
        const fix = overview.runs.find(({ kind }) => kind === "fix")!;
        expect(await get(`/api/runs/${fix.id}`)).toMatchObject({
          fixed: 3,
          reasons: [{ fixed: true }, {}, {}],
          record: { patch: expect.stringContaining("diff --git") },
        });
        expect(await get(`/api/search/${encodeURIComponent("fetchPage")}`)).toEqual([]);
        await server.close();
      });
    });

    function runOf(id: string): Run {
      return {
        id,
        job: { ...jobFor({ id: 1, organisation: "acme" } as Repository), turn: 0 },
        base: null,
        commit: "f".repeat(40),
        state: "done",
        worker: "w",
        began: new Date(),
        findings: 0,
        fixed: 0,
        unknown: 0,
        reasons: [],
      };
    }
  });
}

/** Fixes the pages of the main branch with the published patch, as a person does. */
function applyPatch(repository: Generated, patch: string): void {
  commitToMain(repository, "fix the pages", (tree) => {
    writeFileSync(join(tree, ".git", "edits.patch"), patch);
    gitIn(tree, "apply", join(".git", "edits.patch"));
  });
}

/** Adds a file to the main branch that has nothing to do with the pages. */
function changeOther(repository: Generated, path: string, text: string): void {
  commitToMain(repository, "another page", (tree) => writeFileSync(join(tree, path), text));
}

/** A commit on top of another, as a person makes it. */
function commitOf({ folder }: Generated, parent: string, message: string): string {
  return gitIn(folder, ...author, "commit-tree", `${parent}^{tree}`, "-p", parent, "-m", message);
}

async function eventually<T>(look: () => Promise<T | null>, most = 120_000): Promise<T> {
  const until = Date.now() + most;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (Date.now() > until) throw new Error("it did not come to that");
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
