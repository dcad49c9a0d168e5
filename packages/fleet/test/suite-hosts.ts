import { spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type KnownHosts, readKnownHosts } from "../../../src/hosts/access.ts";
import { GitError } from "../src/clones/git-process.ts";
import { parseOwner } from "../src/clones/import.ts";
import { type Fleet, type FleetOptions, openFleet } from "../src/fleet.ts";
import { openHome } from "../src/home.ts";
import { HostCredentials } from "../src/publish/credentials.ts";
import { fleetRequests } from "../src/publish/host-sink.ts";
import { openSinks } from "../src/publish/sinks.ts";
import type { NewJob, QueueDepth } from "../src/queue/queue.ts";
import { startWorker } from "../src/queue/worker.ts";
import { listPaused, reserveWrites, resumeHost } from "../src/store/hosts.ts";
import { addRepositories, type Repository } from "../src/store/repositories.ts";
import { startFakeGitHub } from "./fake-github.ts";
import { type Generated, generate } from "./generate.ts";

function knownHosts(environment: Record<string, string>): KnownHosts {
  const known = readKnownHosts(environment);
  if (!known.ok) throw new Error(JSON.stringify(known.refusal));
  return known.value;
}

function hostsOf(environment: Record<string, string>): HostCredentials {
  return new HostCredentials(knownHosts(environment));
}

/** The tests of hosts and credentials, for every database that the fleet can run on. */
export function describeHosts(name: string, open: (folder: string) => Promise<Partial<FleetOptions>>): void {
  describe(`hosts of the fleet on ${name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), "suture-hosts-"));
    let fleet: Fleet;
    let forge: Awaited<ReturnType<typeof startFakeGitHub>>;
    let environment: Record<string, string>;
    let serial = 0;

    beforeAll(async () => {
      forge = await startFakeGitHub((repository) => {
        const place = join(folder, "repositories", `${repository}.git`);
        return existsSync(place) ? place : null;
      });
      environment = { SUTURE_GITHUB_TOKEN: "token-of-the-host", SUTURE_GITHUB_API: forge.url };
      const home = await openHome(join(folder, "home"));
      const opened = await openFleet({ home, heartbeat: 10, delay: 1, environment, ...(await open(folder)) });
      if (!opened.ok) throw new Error(JSON.stringify(opened.refusal));
      fleet = opened.value;
    });

    afterAll(async () => {
      await fleet?.close();
      await forge?.close();
      rmSync(folder, { recursive: true, force: true });
    });

    beforeEach(async () => {
      await fleet.query(
        "DELETE FROM suture_queue.job; TRUNCATE suture_fleet.repository, suture_fleet.host CASCADE",
      );
    });

    const addOne = (organisation: string): Promise<Generated> =>
      generate(join(folder, "repositories"), organisation, ++serial);

    const jobFor = ({ id, organisation }: Repository): NewJob => ({
      kind: "check",
      repository: id,
      organisation,
      commit: null,
      cause: "nightly",
    });

    test("with an app, each organisation has its own token and rests alone when its installation is limited", async () => {
      const key = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
      const hosts = new HostCredentials(
        knownHosts({
          ...environment,
          APP_KEY: key.export({ type: "pkcs8", format: "pem" }).toString(),
          SUTURE_HOSTS: "github.com=github:app:12345:APP_KEY",
        }),
        fleetRequests,
      );
      const withApp: Fleet = { ...fleet, hosts, sinks: openSinks(folder, hosts) };
      const hosted: Repository[] = [];
      for (const organisation of ["calm", "crowded"]) {
        const generated = await addOne(organisation);
        const name = generated.name;
        const row = { host: "github.com", organisation, name, url: `${generated.folder}/` };
        hosted.push((await addRepositories(fleet.query, [row]))[0]!);
      }
      forge.limit("crowded", 3600);
      await fleet.queue.add(hosted.map((each) => jobFor(each)));
      await startWorker(withApp, { untilEmpty: true, interval: 50, heartbeat: 10 }).ended;
      const states = await fleet.query(
        "SELECT organisation, state FROM suture_fleet.repository WHERE host = 'github.com' ORDER BY 1",
      );
      expect(states).toEqual([
        { organisation: "calm", state: "open" },
        { organisation: "crowded", state: "drifted" },
      ]);
      expect(await listPaused(fleet.query)).toMatchObject([{ name: "github.com/crowded", why: "busy" }]);
      expect(forge.tokens.get("calm")).toEqual(new Set(["ghs_1004"]));
      expect(forge.tokens.get("crowded")).toEqual(new Set(["ghs_1007"]));
      forge.unlimit("crowded");
      expect(await resumeHost(fleet.query, "github.com/crowded")).toBe(true);
      await fleet.queue.startDeferred("github.com/crowded");
      await startWorker(withApp, { untilEmpty: true, interval: 50, heartbeat: 10 }).ended;
      expect(forge.shelves.get(`crowded/${hosted[1]!.name}`)!.pulls).toHaveLength(1);
      expect(await listPaused(fleet.query)).toEqual([]);
    });

    test("credentials of one group count for it and the groups below it, and several hosts of a kind have their own", async () => {
      const known = hostsOf({
        SUTURE_GITLAB_TOKEN: "everyone",
        ACME: "of-acme",
        DEEP: "of-acme-deep",
        OTHER: "of-the-other-host",
        SUTURE_HOSTS:
          "gitlab.com/acme=gitlab:ACME gitlab.com/acme/deep=gitlab:DEEP, code.example.net=gitlab:OTHER",
      });
      const tokenFor = async (host: string, organisation: string) => {
        const header = await known.gitHeader({ host, organisation });
        const encoded = header.ok ? (header.value ?? "").replace("Authorization: Basic ", "") : "";
        return Buffer.from(encoded, "base64").toString().replace("oauth2:", "");
      };
      expect(await tokenFor("gitlab.com", "else")).toBe("everyone");
      expect(await tokenFor("gitlab.com", "Acme")).toBe("of-acme");
      expect(await tokenFor("gitlab.com", "acme/team")).toBe("of-acme");
      expect(await tokenFor("gitlab.com", "acme-evil")).toBe("everyone");
      expect(await tokenFor("gitlab.com", "acme/deep/er")).toBe("of-acme-deep");
      expect(await tokenFor("code.example.net", "acme")).toBe("of-the-other-host");
      expect(known.scopeOf({ host: "gitlab.com", organisation: "acme/team" })).toBe("gitlab.com/acme");
      expect(known.scopeOf({ host: "gitlab.com", organisation: "else" })).toBe("gitlab.com");
      expect(parseOwner("gitlab", "code.example.net/acme/deep", known)).toEqual({
        kind: "gitlab",
        host: "code.example.net",
        owner: "acme/deep",
      });
      expect(parseOwner("gitlab", "acme/deep", known)).toMatchObject({ host: "gitlab.com" });
    });

    test("a token in a file is read again when the file changes", async () => {
      const file = join(folder, "rotated-token");
      writeFileSync(file, "first\n");
      const known = hostsOf({ SUTURE_GITHUB_TOKEN: file });
      const token = async () => {
        const header = await known.gitHeader({ host: "github.com", organisation: "acme" });
        return header.ok && Buffer.from(header.value?.split(" ")[2] ?? "", "base64").toString();
      };
      expect(await token()).toBe("x-access-token:first");
      writeFileSync(file, "second\n");
      expect(await token()).toBe("x-access-token:second");
    });

    test("all workers together keep to a host's limit of requests that write", async () => {
      const reserve = (scope: string) => reserveWrites(fleet.query, scope, { writes: 20, perMinute: 60 });
      const first = await Promise.all(Array.from({ length: 5 }, () => reserve("github.com/acme")));
      expect(first.filter((wait) => wait === null)).toHaveLength(3);
      for (const wait of first.filter((each) => each !== null)) expect(wait).toBeGreaterThan(5);
      expect(await reserve("github.com/other")).toBeNull();
      await fleet.query("UPDATE suture_fleet.host SET writes_until = writes_until - interval '1 minute'");
      expect(await reserve("github.com/acme")).toBeNull();
    });

    test("a host that is down for an hour costs no attempt, and everything is published once it is back", async () => {
      const hosted: Repository[] = [];
      for (let i = 0; i < 4; i++) {
        const { name, folder: place } = await addOne("patient");
        const row = { host: "github.com", organisation: "patient", name, url: `${place}/` };
        hosted.push((await addRepositories(fleet.query, [row]))[0]!);
      }
      const near = await addOne("near");
      const address = { host: "local", organisation: "near", name: near.name, url: near.folder };
      const [healthy] = await addRepositories(fleet.query, [address]);
      forge.setFaults({ breaks: 1 });
      await fleet.queue.add([...hosted, healthy!].map(jobFor));
      const workUntil = async (isOver: (depth: QueueDepth) => boolean): Promise<void> => {
        const worker = startWorker(fleet, { interval: 50, heartbeat: 10 });
        while (!isOver(await fleet.queue.depth())) await new Promise((resolve) => setTimeout(resolve, 50));
        await worker.stop();
      };
      const isResting = ({ waiting, active, deferred }: QueueDepth): boolean =>
        waiting + active === 0 && deferred === hosted.length;
      await workUntil(isResting);
      const requests = forge.counts.requests ?? 0;
      // Each round is ten minutes later by the clock of the database.
      for (let minutes = 0; minutes < 60; minutes += 10) {
        await fleet.query(`UPDATE suture_fleet.host SET paused_until = paused_until - interval '10 minutes';
          UPDATE suture_queue.job SET start_after = start_after - interval '10 minutes' WHERE state < 'active'`);
        await workUntil(isResting);
      }
      // A round is a few requests, however many jobs wait.
      expect((forge.counts.requests ?? 0) - requests).toBeLessThanOrEqual(6 * 2 * 5);
      const stateOf = (id: number) =>
        fleet.query<{ state: string }>("SELECT state FROM suture_fleet.repository WHERE id = $1", [id]);
      expect(await stateOf(healthy!.id)).toEqual([{ state: "open" }]);
      const waiting = await fleet.query<{ retry_count: number }>(
        "SELECT retry_count FROM suture_queue.job WHERE state < 'active'",
      );
      expect(waiting.map(({ retry_count }) => retry_count)).toEqual([0, 0, 0, 0]);
      forge.setFaults({});
      await resumeHost(fleet.query, "github.com");
      await fleet.queue.startDeferred("github.com");
      await workUntil(({ waiting, active, deferred }) => waiting + active + deferred === 0);
      for (const { id, name } of hosted) {
        expect(await stateOf(id)).toEqual([{ state: "open" }]);
        expect(forge.shelves.get(`patient/${name}`)!.pulls).toHaveLength(1);
      }
      expect(await fleet.queue.depth()).toEqual({ waiting: 0, deferred: 0, active: 0, dead: 0 });
    });

    test("a repository that speaks of a full disk stops no worker that has room", async () => {
      const url = join(folder, "evil", "fetched.git");
      const remote = { host: "local", organisation: "evil", name: "fetched", url };
      const [evil] = await addRepositories(fleet.query, [remote]);
      // Over ssh, the remote writes its own words to git's error output.
      const mirrors = {
        ...fleet.mirrors,
        fetch: () =>
          Promise.reject(new GitError("fatal: write error: No space left on device", ["disk-full"])),
      };
      await fleet.queue.add([jobFor(evil!)]);
      const events: string[] = [];
      const log = (event: string): void => void events.push(event);
      const worker = startWorker({ ...fleet, mirrors, log }, { interval: 20, heartbeat: 10 });
      while (events.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      await worker.stop();
      expect(new Set(events)).toEqual(new Set(["job-failed"]));
    });

    test("a worker on a full disk takes no job, and the others do all of them", async (context) => {
      const small = join(folder, "small");
      mkdirSync(small, { recursive: true });
      const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=32m", "tmpfs", small]);
      if (mounted.status !== 0) return context.skip("this machine allows no small disk to be mounted");
      try {
        const added: Repository[] = [];
        for (let i = 0; i < 5; i++) {
          const { name, folder: place } = await addOne("disk");
          const row = { host: "local", organisation: "disk", name, url: place };
          added.push((await addRepositories(fleet.query, [row]))[0]!);
        }
        const events: string[] = [];
        const log = (event: string): void => void events.push(event);
        const full: Fleet = { ...fleet, home: await openHome(join(small, "home")), log };
        const stuck = startWorker(full, { slots: 4, interval: 20, heartbeat: 10 });
        await fleet.queue.add(added.map(jobFor));
        await startWorker(fleet, { untilEmpty: true, interval: 50, heartbeat: 10 }).ended;
        await stuck.stop();
        expect(new Set(events)).toEqual(new Set(["disk-full"]));
        const states = await fleet.query("SELECT DISTINCT state FROM suture_fleet.repository");
        expect(states).toEqual([{ state: "open" }]);
      } finally {
        spawnSync("umount", [small]);
      }
    });
  });
}
