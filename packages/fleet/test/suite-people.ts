import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Fleet, type FleetOptions, openFleet } from "../src/fleet.ts";
import { openHome } from "../src/home.ts";
import { listActions } from "../src/people/actions.ts";
import { grantRole, revokeRole } from "../src/people/members.ts";
import { readLevels, recordLevels } from "../src/serve/levels.ts";
import { type FleetServer, serveFleet } from "../src/serve/server.ts";
import type { ListView, ViewerView } from "../src/serve/view.ts";
import { pauseHost } from "../src/store/hosts.ts";
import { addRepositories, recordProblem } from "../src/store/repositories.ts";
import { startFakeProvider } from "./fake-provider.ts";

/** The tests of the page's API, of sign-in and of the record of actions, for every database. */
export function describePeople(name: string, open: (folder: string) => Promise<Partial<FleetOptions>>): void {
  describe(`people and the fleet on ${name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), "suture-people-"));
    let fleet: Fleet;
    let provider: Awaited<ReturnType<typeof startFakeProvider>>;
    let server: FleetServer;
    let origin: string;

    beforeAll(async () => {
      provider = await startFakeProvider();
      const home = await openHome(join(folder, "home"));
      const opened = await openFleet({ home, heartbeat: 10, environment: {}, ...(await open(folder)) });
      if (!opened.ok) throw new Error(JSON.stringify(opened.refusal));
      fleet = opened.value;
    });

    afterAll(async () => {
      await fleet?.close();
      provider?.close();
      rmSync(folder, { recursive: true, force: true });
    });

    beforeEach(async () => {
      await fleet.query(`DELETE FROM suture_queue.job;
        TRUNCATE suture_fleet.repository, suture_fleet.host, suture_fleet.member, suture_fleet.session,
          suture_fleet.action, suture_fleet.level CASCADE`);
      const served = await serveFleet(fleet, { port: 0, oidc: provider.options });
      if (!served.ok) throw new Error("server");
      server = served.value;
      origin = server.url.split("/#")[0]!;
    });

    afterEach(() => server.close());

    async function addSome(): Promise<readonly number[]> {
      const row = (organisation: string, called: string) => ({
        host: "github.com",
        organisation,
        name: called,
        url: `https://github.com/${organisation}/${called}.git`,
      });
      const added = await addRepositories(fleet.query, [
        row("acme", "api"),
        row("acme", "web"),
        row("Globex", "core"),
      ]);
      await fleet.query(
        "UPDATE suture_fleet.repository SET state = 'drifted', drift = 4, checked = $2 WHERE id = $1",
        [added[1]!.id, "a".repeat(40)],
      );
      await recordProblem(fleet.query, added[2]!.id, { problem: "no such host", state: "failing" });
      return added.map(({ id }) => id);
    }

    const withToken = (): Record<string, string> => ({ authorization: `Bearer ${server.token}` });

    async function get<T>(path: string, headers: Record<string, string> = withToken()) {
      const response = await fetch(`${origin}${path}`, { headers });
      return { status: response.status, value: (response.ok ? await response.json() : null) as T };
    }

    const post = async (path: string, headers: Record<string, string> = withToken()): Promise<number> =>
      (
        await fetch(`${origin}${path}`, {
          method: "POST",
          headers: { "content-type": "application/json", ...headers },
          body: "{}",
        })
      ).status;

    /** Follows the redirects of a sign-in as a browser does. Returns the status and the cookie of the session. */
    async function signIn(to = "/repositories"): Promise<{ status: number; cookie: string; at: string }> {
      const began = await fetch(`${origin}/auth/sign-in?to=${encodeURIComponent(to)}`, {
        redirect: "manual",
      });
      const asked = await fetch(began.headers.get("location")!, { redirect: "manual" });
      const pending = began.headers.getSetCookie()[0]!.split(";", 1).join();
      const back = await fetch(asked.headers.get("location")!, {
        redirect: "manual",
        headers: { cookie: pending },
      });
      const session = back.headers.getSetCookie().find((each) => each.startsWith("suture-fleet-session="));
      return {
        status: back.status,
        cookie: session?.split(";", 1).join() ?? "",
        at: back.headers.get("location") ?? "",
      };
    }

    test("all repositories are listed by search, filter, order and page, with links and reasons", async () => {
      await addSome();
      const list = async (query: string) => {
        const { value } = await get<ListView>(`/api/repositories?${query}`);
        return { total: value.total, names: value.repositories.map((each) => each.name) };
      };
      expect(await list("")).toEqual({ total: 3, names: ["api", "web", "core"] });
      expect(await list("sort=passages&order=down")).toMatchObject({ names: ["web", "api", "core"] });
      expect(await list("search=ACME/W")).toEqual({ total: 1, names: ["web"] });
      expect(await list("organisation=globex")).toEqual({ total: 1, names: ["core"] });
      expect(await list("state=failing")).toEqual({ total: 1, names: ["core"] });
      expect(await list("offset=2")).toEqual({ total: 3, names: ["core"] });
      expect(await list("sort=DROP%20TABLE&offset=-7&search=%25")).toEqual({ total: 0, names: [] });
      const { value } = await get<ListView>("/api/repositories?sort=passages&order=down");
      expect(value.repositories).toMatchObject([
        {
          page: "https://github.com/acme/web",
          commitPage: `https://github.com/acme/web/commit/${"a".repeat(40)}`,
        },
        { commitPage: null },
        { problem: "no such host" },
      ]);
      expect((await get("/api/organisations")).value).toEqual(["Globex", "acme"]);
    });

    test("a repository is rechecked, paused, resumed and retried from the page, and each action is recorded", async () => {
      const [api, web, core] = await addSome();
      expect(await post(`/api/repositories/${api}/recheck`)).toBe(200);
      expect(await post(`/api/repositories/${web}/pause`)).toBe(200);
      expect((await get<ListView>("/api/repositories?state=paused")).value.total).toBe(1);
      expect(await post(`/api/repositories/${web}/resume`)).toBe(200);
      expect(await post(`/api/repositories/${core}/retry`)).toBe(200);
      expect((await get<ListView>("/api/repositories?state=failing")).value.total).toBe(0);
      expect((await fleet.queue.depth()).waiting).toBe(3);
      expect(await post("/api/hosts/github.com/resume")).toBe(404);
      expect(await post("/api/hosts/%zz/resume")).toBe(404);
      await pauseHost(fleet.query, "github.com", 60);
      expect(await post("/api/hosts/github.com/resume")).toBe(200);
      for (const path of [
        `/api/repositories/${api}/drop`,
        "/api/repositories/999999/pause",
        "/api/runs/1/pause",
      ])
        expect([path, await post(path)]).toEqual([path, 404]);
      expect(
        (await listActions(fleet.query)).map(({ who, did, target }) => `${who} ${did} ${target}`),
      ).toEqual([
        "token resumed github.com",
        "token retried Globex/core",
        "token resumed acme/web",
        "token paused acme/web",
        "token rechecked acme/api",
      ]);
      expect((await get<unknown[]>("/api/actions?search=paused")).value).toHaveLength(1);
    });

    test("a person who signs in sees and operates the organisations of the roles, also those of a group", async () => {
      const [api, , core] = await addSome();
      provider.signInAs({ email: "Ann@example.org", groups: ["Platform"] });
      const { status, cookie, at } = await signIn("/repositories?state=open");
      expect({ status, at }).toEqual({ status: 303, at: "/repositories?state=open" });
      const session = { cookie, origin };
      expect((await get<ViewerView>("/api/me", session)).value).toEqual({
        name: "ann@example.org",
        sees: [],
        operates: [],
      });
      expect((await get<ListView>("/api/repositories", session)).value.total).toBe(0);
      await grantRole(fleet.query, { name: "ann@example.org", role: "viewer", organisation: "ACME" });
      expect((await get<ListView>("/api/repositories", session)).value.total).toBe(2);
      expect((await get(`/api/repositories/${core}`, session)).status).toBe(404);
      expect((await get<{ states: object }>("/api/overview", session)).value.states).toEqual({
        new: 1,
        drifted: 1,
      });
      expect(await post(`/api/repositories/${api}/pause`, session)).toBe(403);
      await grantRole(fleet.query, { name: "group:platform", role: "operator", organisation: "acme" });
      expect(await post(`/api/repositories/${api}/pause`, session)).toBe(200);
      expect(await post(`/api/repositories/${core}/pause`, session)).toBe(403);
      expect(await post("/api/hosts/github.com/resume", session)).toBe(403);
      expect((await listActions(fleet.query)).map(({ who, did }) => `${who} ${did}`)).toEqual([
        "ann@example.org paused",
        "ann@example.org signed in",
      ]);
      await revokeRole(fleet.query, { name: "group:platform", organisation: "acme" });
      expect(await post(`/api/repositories/${api}/pause`, session)).toBe(403);
    });

    test("a person does not learn the names of other organisations from hosts that rest", async () => {
      await addSome();
      await grantRole(fleet.query, { name: "ann@example.org", role: "viewer", organisation: "acme" });
      for (const scope of ["github.com", "github.com/acme", "github.com/globex", "gitlab.com/acme/part"])
        await pauseHost(fleet.query, scope, 60);
      provider.signInAs({ email: "ann@example.org" });
      const { cookie } = await signIn();
      const { value } = await get<{ paused: { name: string }[] }>("/api/overview", { cookie, origin });
      expect(value.paused.map(({ name: scope }) => scope)).toEqual(["github.com", "github.com/acme"]);
    });

    test("an action of a session needs our own origin and JSON, and the session ends with the sign-out", async () => {
      const [api] = await addSome();
      await grantRole(fleet.query, { name: "ann@example.org", role: "operator", organisation: "*" });
      provider.signInAs({ email: "ann@example.org" });
      const { cookie } = await signIn();
      const path = `/api/repositories/${api}/pause`;
      expect(await post(path, { cookie })).toBe(403);
      expect(await post(path, { cookie, origin: "https://evil.test" })).toBe(403);
      expect(await post(path, { cookie, origin, "content-type": "text/plain" })).toBe(403);
      expect(await post(path, { cookie, origin })).toBe(200);
      expect((await get("/api/me", { cookie: `${cookie}x` })).status).toBe(401);
      expect((await get("/metrics", { cookie })).status).toBe(401);
      await fetch(`${origin}/auth/sign-out`, {
        method: "POST",
        headers: { cookie, origin },
        redirect: "manual",
      });
      expect((await get("/api/me", { cookie })).status).toBe(401);
      const { cookie: late } = await signIn();
      await fleet.query("UPDATE suture_fleet.session SET expires = now() - interval '1 second'");
      expect((await get("/api/me", { cookie: late })).status).toBe(401);
    });

    test("an ID token that is forged, late, for another client or without our nonce signs no person in", async () => {
      const bad = [
        { forged: "none" },
        { forged: "HS256" },
        { forged: "other-key" },
        { claims: { aud: "other-client" } },
        { claims: { aud: ["fleet", "other-client"] } },
        { claims: { iss: "https://evil.test" } },
        { claims: { exp: 1_000_000 } },
        { claims: { nonce: "another-nonce-than-the-one-we-sent" } },
        { claims: { nbf: Math.floor(Date.now() / 1000) + 3600 } },
      ] as const;
      for (const each of bad) {
        provider.signInAs({ email: "ann@example.org", ...each });
        expect([each, await signIn()]).toMatchObject([each, { status: 403, cookie: "" }]);
      }
      const unasked = await fetch(`${origin}/auth/callback?code=x&state=y`, { redirect: "manual" });
      expect(unasked.status).toBe(400);
      expect(await unasked.text()).toContain("Open the page of the fleet and sign in again.");
      provider.signInAs({ email: "ann@example.org", claims: { email_verified: false } });
      const { cookie } = await signIn("//evil.test/");
      expect((await get<ViewerView>("/api/me", { cookie })).value.name).toBe("sub:ann@example.org");
      expect((await signIn("//evil.test/")).at).toBe("/");
    });

    test("without a provider there is no sign-in, and the page opens with the token only", async () => {
      const plain = await serveFleet(fleet, { port: 0 });
      if (!plain.ok) throw new Error("server");
      const base = plain.value.url.split("/#")[0]!;
      expect(await (await fetch(`${base}/auth/about`)).json()).toEqual({ signIn: false });
      expect((await fetch(`${base}/auth/sign-in`, { redirect: "manual" })).status).toBe(404);
      expect((await fetch(`${base}/api/me`)).status).toBe(401);
      await plain.value.close();
    });

    test("the passages that are left are recorded each day, for each organisation", async () => {
      await addSome();
      await recordLevels(fleet.query);
      await recordLevels(fleet.query);
      const read = async (organisations: readonly string[] | null) =>
        (await readLevels(fleet.query, { days: 30, organisations })).map(
          ({ passages, failing, repositories }) => ({ passages, failing, repositories }),
        );
      expect(await read(null)).toEqual([{ passages: 4, failing: 1, repositories: 3 }]);
      expect(await read(["globex"])).toEqual([{ passages: 0, failing: 1, repositories: 1 }]);
    });
  });
}
