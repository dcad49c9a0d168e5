import { createHmac, randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { serveFleet } from "../../packages/fleet/src/serve/server.ts";
import { figure, median, printTable } from "../report.ts";
import { openFleetAt, type Site } from "./site.ts";

export type Storm = {
  readonly deliveries: number;
  readonly seconds: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly genuine: number;
  readonly jobs: number;
  readonly strangers: number;
  readonly early: number;
  readonly late: number;
};

const secret = "the secret of the storm";
const largest = 256 * 1024;

/** Webhooks as fast as they can be sent: a third of them new, the rest duplicates, replays, forgeries and monsters. */
export async function measureStorm(site: Site, deliveries: number): Promise<Storm> {
  const { fleet, repositories } = await openFleetAt(site, "storm");
  await fleet.query("UPDATE suture_fleet.repository SET host = 'github.com'");
  const served = await serveFleet(fleet, { port: 0, secrets: { github: secret }, largest });
  if (!served.ok) throw new Error("the server did not start");
  const agent = new Agent({ keepAlive: true, maxSockets: 50 });
  const hooks = makeHooks(repositories, deliveries);
  const statuses: Record<string, number> = {};
  const memory: number[] = [];
  const began = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: 50 }, async () => {
      for (let hook = hooks[next++]; hook; hook = hooks[next++]) {
        const status = await post(served.value.port, agent, hook);
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (next % 100 === 0) memory.push(process.memoryUsage.rss());
      }
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  agent.destroy();
  const { waiting } = await fleet.queue.depth();
  const wanted = new Set(hooks.filter(({ isNew }) => isNew).map(({ commit }) => commit));
  const queued = await fleet.query<{ commit: string }>(
    "SELECT data->>'commit' AS commit FROM suture_queue.job WHERE name = 'work'",
  );
  await served.value.close();
  await fleet.close();
  const quarter = Math.floor(memory.length / 4);
  return {
    deliveries,
    seconds,
    statuses,
    genuine: wanted.size,
    jobs: waiting,
    strangers: queued.filter(({ commit }) => !wanted.has(commit)).length,
    early: median(memory.slice(quarter, 2 * quarter)),
    late: median(memory.slice(-quarter)),
  };
}

type Hook = {
  readonly body: string;
  readonly headers: Record<string, string>;
  readonly commit: string;
  readonly isNew: boolean;
};

function makeHooks(
  repositories: readonly { organisation: string; name: string }[],
  deliveries: number,
): Hook[] {
  const hooks: Hook[] = [];
  const sign = (body: string, key = secret): string =>
    `sha256=${createHmac("sha256", key).update(body).digest("hex")}`;
  for (let n = 0; hooks.length < deliveries; n++) {
    const { organisation, name } = repositories[n % repositories.length]!;
    const commit = (n + 1).toString(16).padStart(40, "0");
    const body = JSON.stringify({
      ref: "refs/heads/main",
      after: commit,
      repository: {
        full_name: `${organisation}/${name}`,
        html_url: `https://github.com/${organisation}/${name}`,
        default_branch: "main",
        pushed_at: Math.floor(Date.now() / 1000),
      },
    });
    const headers = {
      "content-type": "application/json",
      "x-github-event": "push",
      "x-github-delivery": randomUUID(),
      "x-hub-signature-256": sign(body),
    };
    const shared = { body, commit, isNew: true };
    hooks.push({ ...shared, headers });
    const dice = n % 5;
    if (dice === 0) hooks.push({ ...shared, headers });
    if (dice === 1) hooks.push({ ...shared, headers: { ...headers, "x-github-delivery": randomUUID() } });
    if (dice === 2)
      hooks.push({
        ...shared,
        isNew: false,
        commit: "",
        headers: {
          ...headers,
          "x-github-delivery": randomUUID(),
          "x-hub-signature-256": sign(body, "guessed"),
        },
      });
    if (dice === 3 && n % 50 === 3) {
      const monster = body.replace("}}", `,"padding":"${"x".repeat(2 * largest)}"}}`);
      hooks.push({
        body: monster,
        isNew: false,
        commit: "",
        headers: { ...headers, "x-github-delivery": randomUUID(), "x-hub-signature-256": sign(monster) },
      });
    }
    if (dice === 4)
      for (let i = 0; i < 5; i++)
        hooks.push({
          ...shared,
          headers: { ...headers, "x-github-delivery": i % 2 ? randomUUID() : headers["x-github-delivery"] },
        });
  }
  hooks.length = deliveries;
  // Out of order, the same in every run.
  for (let i = hooks.length - 1, state = 42; i > 0; i--) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    const j = state % (i + 1);
    [hooks[i], hooks[j]] = [hooks[j]!, hooks[i]!];
  }
  return hooks;
}

function post(port: number, agent: Agent, { body, headers }: Hook): Promise<number> {
  return new Promise((resolve) => {
    const sent = request(
      {
        port,
        host: "127.0.0.1",
        method: "POST",
        path: "/webhooks/github",
        agent,
        headers: { ...headers, "content-length": Buffer.byteLength(body) },
      },
      (response) => {
        response.resume();
        response.on("end", () => resolve(response.statusCode!));
      },
    );
    // The server closes the connection when a body is too large.
    sent.on("error", () => resolve(413));
    sent.end(body);
  });
}

export function printStorm(storm: Storm): string {
  return printTable(
    ["webhook storm", ""],
    [
      ["deliveries", String(storm.deliveries)],
      ["per second", figure(storm.deliveries / storm.seconds)],
      ...Object.entries(storm.statuses).map(([status, count]) => [`answered ${status}`, String(count)]),
      ["new and genuine", String(storm.genuine)],
      ["jobs queued", String(storm.jobs)],
      ["jobs that nobody asked for", String(storm.strangers)],
      ["memory MB, 2nd quarter", figure(storm.early / 1e6)],
      ["memory MB, last quarter", figure(storm.late / 1e6)],
    ],
  );
}
