import type { IncomingMessage, ServerResponse } from "node:http";
import type { ForgeKind } from "../../hosts/host.ts";
import type { Assets } from "../../http/assets.ts";
import { createGuard, type Head, newToken } from "../../http/guard.ts";
import { createLimitedServer, isLoopback, listenOn } from "../../http/limited-server.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { beginEvents, send, sendJson, turnAway } from "../../web/answer.ts";
import { type Closable, closable } from "../../workspace/lifetime.ts";
import type { Fleet } from "../fleet.ts";
import { type Heard, hear } from "../store/deliveries.ts";
import { readGauges, readOverview } from "../store/overview.ts";
import { listRuns, readRun, reasonsOf, searchReasons } from "../store/runs.ts";

export type ServerOptions = {
  readonly port: number;
  readonly listen?: string | undefined;
  /** Names under which others reach this server, with a port where the name is used with one. */
  readonly hosts?: readonly string[];
  /** Secrets of webhooks; a provider without one is not listened to. */
  readonly secrets?: Readonly<Partial<Record<ForgeKind, string>>>;
  /** The page; without it only programs are served. */
  readonly assets?: Assets | undefined;
  /** What opens the page; a new one for each start where none is given. */
  readonly token?: string | undefined;
  /** The largest webhook, in bytes. */
  readonly largest?: number;
};

export type FleetServer = Closable & {
  readonly port: number;
  readonly token: string;
  readonly url: string;
};

/** All webhooks that are being read at one time, together. */
const mostInMemory = 64 << 20;
const lookEvery = 2000;

/** Webhooks in, figures and the page out. Webhooks are known by their signature, people and programs by the token. */
export async function serveFleet(fleet: Fleet, options: ServerOptions): Promise<Outcome<FleetServer>> {
  const { listen = "127.0.0.1", hosts = [], largest = 5 << 20, token = newToken() } = options;
  if (!isLoopback(listen) && hosts.length === 0)
    return refuse({
      code: "malformed",
      what: `${listen} can be reached from other machines`,
      hint: "Name every host that may be asked for with --allow-host, or listen on 127.0.0.1.",
    });
  const server = createLimitedServer(30_000);
  const port = await listenOn(server, options.port, listen);
  if (!port.ok) return port;
  const guard = createGuard({
    port: port.value,
    token,
    hosts: hosts.map((host) => host.replace(/:\d+$/, "")),
    origins: hosts.flatMap((host) => [`https://${host}`]),
  });
  const names = new Set(hosts.map((host) => host.toLowerCase()));
  let reading = 0;

  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const head: Head = { method: request.method ?? "", url: request.url ?? "", headers: request.headers };
    handle(request, response, head).catch((error) => {
      fleet.log("server", { why: String(error) });
      if (!response.headersSent) turnAway(response, 503, { "Retry-After": "5" });
      else response.destroy();
    });
  });
  return accept({
    port: port.value,
    token,
    url: `http://${listen.includes(":") ? `[${listen}]` : listen}:${port.value}/#${token}`,
    ...closable(async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      const late = setTimeout(() => server.closeAllConnections(), 3000);
      await closed;
      clearTimeout(late);
    }),
  });

  async function handle(request: IncomingMessage, response: ServerResponse, head: Head): Promise<void> {
    if (head.url === "/healthz") return health(response, head);
    const isNamed = typeof head.headers.host === "string" && names.has(head.headers.host.toLowerCase());
    // A name that stands for us behind a proxy comes without our port.
    const asked = isNamed
      ? {
          ...head,
          headers: {
            ...head.headers,
            host: `${head.headers.host}`.replace(/(:\d+)?$/, `:${port.ok && port.value}`),
          },
        }
      : head;
    const place = guard.place(asked);
    if (place) return turnAway(response, place.status, place.headers);
    const source = /^\/webhooks\/(github|gitlab)$/.exec(head.url)?.[1] as ForgeKind | undefined;
    if (source) return webhook(request, response, head, source);
    if (!head.url.startsWith("/api/") && head.url !== "/metrics") return serveAsset(response, head);
    const who = guard.token(asked);
    if (who) return turnAway(response, who.status, who.headers);
    if (head.method !== "GET") return turnAway(response, 405, { Allow: "GET" });
    if (head.url === "/metrics")
      return send(
        response,
        200,
        "text/plain; version=0.0.4; charset=utf-8",
        fleet.metrics.print(await readGauges(fleet)),
      );
    if (head.url === "/api/events") return openEvents(request, response);
    const answer = await look(head.url);
    if (answer === null) turnAway(response, 404);
    else sendJson(response, 200, answer);
  }

  async function health(response: ServerResponse, { method }: Head): Promise<void> {
    if (method !== "GET" && method !== "HEAD") return turnAway(response, 405, { Allow: "GET, HEAD" });
    const isWell = await Promise.race([
      fleet.ask("SELECT 1").then(
        () => true,
        () => false,
      ),
      new Promise<boolean>((resolve) => setTimeout(resolve, 2000, false)),
    ]);
    sendJson(response, isWell ? 200 : 503, { ok: isWell });
  }

  async function webhook(
    request: IncomingMessage,
    response: ServerResponse,
    head: Head,
    source: ForgeKind,
  ): Promise<void> {
    const secret = options.secrets?.[source];
    if (head.method !== "POST") return turnAway(response, 405, { Allow: "POST" });
    if (!secret) return turnAway(response, 404);
    if (Number(head.headers["content-length"] ?? 0) > largest) return answerHook(response, 413, "malformed");
    if (reading > mostInMemory) return turnAway(response, 503, { "Retry-After": "2" });
    const body = await readBytes(request);
    if (body === null) return answerHook(response, 413, "malformed");
    const heard = await hear(fleet, { source, headers: head.headers, body }, secret);
    answerHook(response, statuses[heard], heard);
  }

  function answerHook(response: ServerResponse, status: number, heard: Heard): void {
    fleet.metrics.add("deliveries_total", { heard: status === 413 ? "oversized" : heard });
    turnAwayOr(response, status, heard);
  }

  async function readBytes(request: IncomingMessage): Promise<Uint8Array | null> {
    const pieces: Buffer[] = [];
    let size = 0;
    try {
      for await (const piece of request as AsyncIterable<Buffer>) {
        size += piece.length;
        reading += piece.length;
        if (size > largest) return null;
        pieces.push(piece);
      }
      return Buffer.concat(pieces);
    } finally {
      reading -= size;
    }
  }

  function serveAsset(response: ServerResponse, { method, url }: Head): void {
    const asset = options.assets?.get(url === "/" ? "/fleet.html" : url);
    if (!asset) turnAway(response, 404);
    else if (method !== "GET" && method !== "HEAD") turnAway(response, 405, { Allow: "GET, HEAD" });
    else send(response, 200, asset.type, method === "HEAD" ? "" : asset.bytes);
  }

  function openEvents(request: IncomingMessage, response: ServerResponse): void {
    const tell = beginEvents(response);
    const tick = setInterval(() => tell({ changed: true }), lookEvery);
    request.on("close", () => clearInterval(tick));
  }

  /** Reading is by GET, and there is nothing here that changes anything. */
  async function look(url: string): Promise<unknown> {
    if (url === "/api/overview") return readOverview(fleet);
    const repository = /^\/api\/repositories\/(\d{1,15})\/runs$/.exec(url)?.[1];
    if (repository) return listRuns(fleet.ask, { repository: Number(repository), most: 100 });
    const run = /^\/api\/runs\/([\w-]{1,100})$/.exec(url)?.[1];
    if (run) {
      const found = await readRun(fleet.ask, run);
      return found && { ...found, reasons: await reasonsOf(fleet.ask, run) };
    }
    const words = /^\/api\/search\/([^/]{1,500})$/.exec(url)?.[1];
    return words === undefined ? null : searchReasons(fleet.ask, decode(words));
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const statuses: Readonly<Record<Heard, number>> = {
  queued: 202,
  known: 200,
  ignored: 200,
  replayed: 200,
  stranger: 200,
  forged: 401,
  malformed: 400,
  stale: 400,
};

/** Those who do not know the secret learn nothing. */
function turnAwayOr(response: ServerResponse, status: number, heard: Heard): void {
  if (status >= 400) turnAway(response, status);
  else sendJson(response, status, { heard });
}
