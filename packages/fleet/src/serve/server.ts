import type { ServerResponse } from "node:http";
import {
  type Assets,
  type Closable,
  closable,
  createGuard,
  deny,
  type Exchange,
  type Guard,
  type HostKind,
  hosts,
  isHostKind,
  isJson,
  LimitedServer,
  newToken,
  openEventStream,
  type RequestHead,
  send,
  sendJson,
  serveAsset,
} from "suture/service";
import { accept, type Outcome } from "suture/text";
import type { Fleet } from "../fleet.ts";
import type { OidcOptions } from "../people/oidc.ts";
import { SignIn } from "../people/sign-in.ts";
import { tokenHolder, type Viewer } from "../people/viewer.ts";
import { readCounters } from "../store/counters.ts";
import { acceptWebhook, type DeliveryResult } from "../store/deliveries.ts";
import { BodyMemory } from "./body-memory.ts";
import { readGauges } from "./overview.ts";
import { OverviewCache, overviewAge } from "./overview-cache.ts";
import { act } from "./page-actions.ts";
import { PageApi } from "./page-api.ts";

export type ServerOptions = {
  readonly port: number;
  readonly listen?: string | undefined;
  /** Host names to accept, with a port where clients use one. */
  readonly hosts?: readonly string[];
  /** Webhook secrets. Webhooks of a host without a secret are not accepted. */
  readonly secrets?: Readonly<Partial<Record<HostKind, string>>>;
  /** The page. Without it, the server answers programs only. */
  readonly assets?: Assets | undefined;
  /** How people sign in. Without it, the page opens with the token only. */
  readonly oidc?: OidcOptions | undefined;
  /** The address at which people reach the page. By default, https and the first of the host names. */
  readonly publicUrl?: string | undefined;
  /** The token that opens the page and the API. By default, each start makes a new one. */
  readonly token?: string | undefined;
  /** The largest webhook, in bytes. */
  readonly largest?: number;
  /** The most bytes of webhook bodies in memory at one time. */
  readonly bodyMemory?: number;
};

export type FleetServer = Closable & {
  readonly port: number;
  readonly token: string;
  readonly url: string;
};

/** Accepts webhooks, and serves metrics and the page. Webhooks need a signature; metrics and the API need the token or a session. */
export async function serveFleet(fleet: Fleet, options: ServerOptions): Promise<Outcome<FleetServer>> {
  const { port, listen: address = "127.0.0.1", hosts = [], token = newToken() } = options;
  const listening = await LimitedServer.listen({ port, address, allowedHosts: hosts, patience: 30_000 });
  if (!listening.ok) return listening;
  const server = listening.value;
  const guard = createGuard({
    port: server.port,
    token,
    hosts: hosts.map((host) => host.replace(/:\d+$/, "")),
    origins: hosts.map((host) => `https://${host}`),
  });
  const [publicHost] = hosts;
  const publicUrl = options.publicUrl ?? (publicHost === undefined ? server.origin : `https://${publicHost}`);
  const api = new FleetApi(fleet, guard, { ...options, publicUrl, port: server.port });
  server.handle((exchange) => api.handle(exchange), {
    onError: (error) => fleet.log("server", { why: String(error) }),
    failure: { status: 503, headers: { "Retry-After": "5" } },
  });
  return accept({
    port: server.port,
    token,
    url: `${server.origin}/#${token}`,
    ...closable(() => server.close({ grace: 3000 })),
  });
}

class FleetApi {
  readonly #fleet: Fleet;
  readonly #guard: Guard;
  readonly #options: ServerOptions;
  readonly #hostNames: ReadonlySet<string>;
  readonly #largest: number;
  readonly #bodies: BodyMemory;
  readonly #reads: PageApi;
  readonly #signIn: SignIn;

  constructor(fleet: Fleet, guard: Guard, options: ServerOptions & { readonly publicUrl: string }) {
    this.#fleet = fleet;
    this.#guard = guard;
    this.#options = options;
    this.#hostNames = new Set((options.hosts ?? []).map((host) => host.toLowerCase()));
    this.#largest = options.largest ?? 5 << 20;
    this.#bodies = new BodyMemory(options.bodyMemory ?? 64 << 20);
    this.#reads = new PageApi(fleet, new OverviewCache(fleet));
    this.#signIn = new SignIn(fleet, { oidc: options.oidc ?? null, publicUrl: options.publicUrl });
  }

  async handle(exchange: Exchange): Promise<void> {
    const { head, response } = exchange;
    if (head.url === "/healthz") return this.#health(exchange);
    // Prometheus asks by the address of a pod. The token protects this, and no page of a browser can send it.
    if (head.url === "/metrics") return this.#protectedMetrics(exchange);
    const direct = this.#withOurPort(head);
    const denial = this.#guard.checkOrigin(direct);
    if (denial) return deny(response, denial);
    const source = /^\/webhooks\/([a-z]+)$/.exec(head.url)?.[1] ?? "";
    if (isHostKind(source)) return this.#webhook(exchange, source);
    if (head.url.startsWith("/auth/")) return this.#signIn.handle(exchange);
    if (!head.url.startsWith("/api/")) return this.#page(exchange);
    const unauthorized = this.#guard.checkToken(direct);
    const viewer = unauthorized ? await this.#signIn.viewerOf(head) : tokenHolder;
    if (viewer === null) return deny(response, unauthorized ?? { status: 401 });
    if (head.method === "POST") return this.#act(exchange, viewer);
    if (head.method !== "GET") return deny(response, { status: 405, headers: { Allow: "GET, POST" } });
    if (head.url === "/api/events") return openTicks(exchange);
    const found = await this.#reads.read(viewer, head.url);
    if (found === null) deny(response, { status: 404 });
    else sendJson(response, 200, found);
  }

  /** Every address of the page is one file. The page itself reads the address. */
  #page(exchange: Exchange): void {
    const isPage = /^\/(repositories(\/\d+)?|runs\/[\w-]+|search|actions|preview)?(\?.*)?$/.test(
      exchange.head.url,
    );
    const head = isPage ? { ...exchange.head, url: "/" } : exchange.head;
    serveAsset({ ...exchange, head }, this.#options.assets, { index: "/fleet.html" });
  }

  /** A browser sends its cookie with requests of other sites too, so the request must name our own origin. */
  async #act({ head, response }: Exchange, viewer: Viewer): Promise<void> {
    if (!isJson(head) || (viewer !== tokenHolder && head.headers.origin === undefined))
      return deny(response, { status: 403 });
    const status = await act(this.#fleet, viewer, head.url);
    if (status === 200) sendJson(response, 200, { done: true });
    else deny(response, { status });
  }

  /** A client behind a proxy names the host without our port. */
  #withOurPort(head: RequestHead): RequestHead {
    const { host } = head.headers;
    if (typeof host !== "string" || !this.#hostNames.has(host.toLowerCase())) return head;
    const direct = host.replace(/(:\d+)?$/, `:${this.#options.port}`);
    return { ...head, headers: { ...head.headers, host: direct } };
  }

  async #health({ head: { method }, response }: Exchange): Promise<void> {
    if (method !== "GET" && method !== "HEAD")
      return deny(response, { status: 405, headers: { Allow: "GET, HEAD" } });
    const isHealthy = await Promise.race([
      this.#fleet.query("SELECT 1").then(
        () => true,
        () => false,
      ),
      new Promise<boolean>((resolve) => setTimeout(resolve, 2000, false)),
    ]);
    sendJson(response, isHealthy ? 200 : 503, { ok: isHealthy });
  }

  #protectedMetrics({ head, response }: Exchange): Promise<void> | void {
    if (head.headers.origin !== undefined) return deny(response, { status: 403 });
    const unauthorized = this.#guard.checkToken(head);
    if (unauthorized) return deny(response, unauthorized);
    if (head.method !== "GET") return deny(response, { status: 405, headers: { Allow: "GET" } });
    return this.#metrics(response);
  }

  async #metrics(response: ServerResponse): Promise<void> {
    const { metrics, query } = this.#fleet;
    const body = metrics.print(await readGauges(this.#fleet), await readCounters(query));
    send(response, { type: "text/plain; version=0.0.4; charset=utf-8", body });
  }

  async #webhook(exchange: Exchange, source: HostKind): Promise<void> {
    const { head, response } = exchange;
    const secret = this.#options.secrets?.[source];
    if (head.method !== "POST") return deny(response, { status: 405, headers: { Allow: "POST" } });
    if (!secret) return deny(response, { status: 404 });
    // Most senders without the secret are refused here, before they use any memory.
    if (!hosts[source].webhook.mayBeGenuine(head.headers, secret))
      return this.#answerWebhook(response, "forged");
    if (Number(head.headers["content-length"] ?? 0) > this.#largest)
      return this.#answerWebhook(response, "oversized");
    const body = await this.#bodies.read(exchange.request, this.#largest);
    if (body === "crowded") return deny(response, { status: 503, headers: { "Retry-After": "2" } });
    if (body === null) return this.#answerWebhook(response, "oversized");
    const result = await acceptWebhook(this.#fleet, { source, headers: head.headers, body }, secret);
    this.#answerWebhook(response, result);
  }

  /** A sender without the secret learns nothing but the status. */
  #answerWebhook(response: ServerResponse, result: DeliveryResult | "oversized"): void {
    this.#fleet.metrics.add("deliveries_total", { heard: result });
    const status = statuses[result];
    if (status >= 400) deny(response, { status });
    else sendJson(response, status, { heard: result });
  }
}

/** Tells the page at intervals to ask again. */
function openTicks({ request, response }: Exchange): void {
  const send = openEventStream(response);
  const tick = setInterval(() => send({ changed: true }), overviewAge);
  request.on("close", () => clearInterval(tick));
}

const statuses: Readonly<Record<DeliveryResult | "oversized", number>> = {
  queued: 202,
  known: 200,
  ignored: 200,
  replayed: 200,
  stranger: 200,
  forged: 401,
  malformed: 400,
  stale: 400,
  oversized: 413,
};
