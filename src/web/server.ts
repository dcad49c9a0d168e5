import type { IncomingMessage, ServerResponse } from "node:http";
import type { Assets } from "../http/assets.ts";
import { createGuard, type Head, isJson, newToken } from "../http/guard.ts";
import { createLimitedServer, listenOn } from "../http/limited-server.ts";
import { accept, type Outcome, type Refusal, RefusalError } from "../text/model/outcome.ts";
import { refused, textOf } from "../wording/report.ts";
import { type Closable, closable, Lifetime } from "../workspace/lifetime.ts";
import type { Reader } from "../workspace/workspace.ts";
import { beginEvents, readBody, send, sendJson, tooLarge, turnAway } from "./answer.ts";
import { readHistory } from "./review/history.ts";
import { parseRequest, type Wish } from "./review/request.ts";
import type { Desk } from "./review/review-session.ts";
import type { Decided, ItemLine, Progress } from "./review/view.ts";

export type ReviewServerOptions = {
  readonly assets: Assets;
  readonly reader: Reader;
  /** The desk, or a promise of it while the run is still being worked out. */
  readonly desk: Promise<Outcome<Desk>>;
  /** What is going on until the desk is there. */
  readonly progress?: () => Progress;
  readonly port?: number;
  /** How long a request may take to arrive, in milliseconds. */
  readonly patience?: number;
};

/** A listening review page: where it is, and the secret that opens it. */
export type ReviewServer = Closable & {
  readonly port: number;
  readonly token: string;
  /** The address for a browser; the secret is behind the `#`, which browsers do not send. */
  readonly url: string;
};

const largestBody = 4 * 1024 * 1024;
const lookEvery = 1000;

/** Serves the review page to this machine alone. The page itself is public; everything it shows needs the token. */
export async function serveReview(options: ReviewServerOptions): Promise<Outcome<ReviewServer>> {
  const server = createLimitedServer(options.patience ?? 60_000);
  const port = await listenOn(server, options.port ?? 0, "127.0.0.1");
  if (!port.ok) return port;
  const token = newToken();
  const guard = createGuard({ port: port.value, token });
  const listeners = new Set<(event: unknown) => void>();
  const tell = (lines?: readonly ItemLine[]): void => {
    for (const listener of listeners) listener(lines ? { lines } : { changed: true });
  };
  const lifetime = new Lifetime(() => new RefusalError({ code: "closed" }));
  const watch = setInterval(() => void lifetime.during(look).catch(() => undefined), lookEvery);
  watch.unref();

  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const head: Head = { method: request.method ?? "", url: request.url ?? "", headers: request.headers };
    void lifetime
      .during(() => handle(request, response, head))
      .catch((error) => {
        if (response.headersSent) response.destroy();
        else if (error instanceof RefusalError) sendRefusal(response, error.refusal);
        // A bug of ours says nothing about itself to whoever asks.
        else turnAway(response, 500);
      });
  });
  return accept({
    port: port.value,
    token,
    url: `http://127.0.0.1:${port.value}/#${token}`,
    ...closable(async () => {
      clearInterval(watch);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      // What a request has begun to write is written before the caller closes the workspace.
      await lifetime.close(async () => {});
    }),
  });

  async function handle(request: IncomingMessage, response: ServerResponse, head: Head): Promise<void> {
    const place = guard.place(head);
    if (place) return turnAway(response, place.status, place.headers);
    if (!head.url.startsWith("/api/")) return serveAsset(response, head);
    if (isForeign(head)) return turnAway(response, 403);
    const who = guard.token(head);
    if (who) return turnAway(response, who.status, who.headers);
    if (head.method === "GET" && head.url === "/api/events") return openEvents(request, response);
    if (head.method === "POST" && !isJson(head)) return turnAway(response, 415);
    const body = head.method === "POST" ? await readBody(request, largestBody) : undefined;
    if (body === tooLarge) return turnAway(response, 413);
    const wish = parseRequest(head, body);
    if (typeof wish === "number") return turnAway(response, wish, wish === 405 ? { Allow: "GET, POST" } : {});
    const desk = await settledDesk();
    if (desk === null)
      return sendJson(response, 202, { progress: options.progress?.() ?? { doing: "Looking …" } });
    if (!desk.ok) return sendRefusal(response, desk.refusal);
    await grant(response, desk.value, wish);
  }

  function serveAsset(response: ServerResponse, { method, url }: Head): void {
    const asset = options.assets.get(url === "/" ? "/review.html" : url);
    if (!asset) turnAway(response, 404);
    else if (method !== "GET" && method !== "HEAD") turnAway(response, 405, { Allow: "GET, HEAD" });
    else send(response, 200, asset.type, method === "HEAD" ? "" : asset.bytes);
  }

  function openEvents(request: IncomingMessage, response: ServerResponse): void {
    const listener = beginEvents(response);
    listeners.add(listener);
    request.on("close", () => listeners.delete(listener));
  }

  /** The desk if it is there by now; `null` while the run is being worked out. */
  function settledDesk(): Promise<Outcome<Desk> | null> {
    return Promise.race([options.desk, new Promise<null>((resolve) => setTimeout(resolve, 20, null))]);
  }

  async function look(): Promise<void> {
    if (listeners.size === 0) return;
    const desk = await settledDesk();
    if (desk === null || (desk.ok && (await desk.value.refresh()))) tell();
  }

  async function grant(response: ServerResponse, desk: Desk, wish: Wish): Promise<void> {
    switch (wish.what) {
      case "run":
        return sendJson(response, 200, await desk.run());
      case "history": {
        const { before, limit } = wish;
        const query = { limit, ...(before === undefined ? {} : { before }) };
        return sendJson(response, 200, await readHistory(options.reader, query));
      }
      case "item":
        return sendOutcome(response, await desk.view(wish.key, { whole: wish.whole }));
      case "together":
        return sendOutcome(response, await desk.together(wish.keys));
      case "approve": {
        const approved = await desk.approve(wish.keys, wish.hash);
        if (!approved.ok && approved.refusal.code === "stale") return sendFresh(response, desk, wish.keys);
        return sendDecision(response, approved);
      }
      case "reject":
        return sendDecision(response, await desk.reject(wish.key, wish));
      case "reword":
        return sendDecision(response, await desk.reword(wish.key, wish.text));
      case "take-back":
        return sendDecision(response, await desk.takeBack(wish.key));
      case "undo":
        return sendDecision(response, await desk.undoEntry(wish.entry));
    }
  }

  /** Nothing was written: the page shows what stands there now, and asks again. */
  async function sendFresh(response: ServerResponse, desk: Desk, keys: readonly number[]): Promise<void> {
    const view = keys.length === 1 ? await desk.view(keys[0]!) : null;
    sendJson(response, 409, { stale: true, view: view?.ok ? view.value : null });
  }

  function sendDecision(response: ServerResponse, outcome: Outcome<Decided>): void {
    sendOutcome(response, outcome);
    if (outcome.ok) tell(outcome.value.lines);
  }
}

function sendOutcome(response: ServerResponse, outcome: Outcome<unknown>): void {
  if (outcome.ok) sendJson(response, 200, outcome.value);
  else sendRefusal(response, outcome.refusal);
}

function sendRefusal(response: ServerResponse, refusal: Refusal): void {
  const error = textOf(refused(refusal, { tool: "review", wording: "files" }));
  sendJson(response, refusal.code === "not-found" ? 404 : 422, { error });
}

/** Browsers say where a request comes from, also where there is no `Origin`. */
function isForeign({ headers }: Head): boolean {
  const site = headers["sec-fetch-site"];
  return site !== undefined && site !== "same-origin";
}
