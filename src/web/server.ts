import type { ServerResponse } from "node:http";
import { type Assets, serveAsset } from "../http/assets.ts";
import { openEventStream } from "../http/events.ts";
import { createGuard, type Guard, newToken } from "../http/guard.ts";
import { isJson, type RequestHead, readBody } from "../http/request.ts";
import { deny, sendJson } from "../http/response.ts";
import { type Exchange, LimitedServer } from "../http/server.ts";
import { defined } from "../text/model/defined.ts";
import { parseJsonBytes } from "../text/model/json.ts";
import { accept, type Outcome, type Refusal, RefusalError } from "../text/model/outcome.ts";
import { refused, textOf } from "../wording/report.ts";
import { progressMessages } from "../wording/review.ts";
import { type Closable, closable, Lifetime } from "../workspace/lifetime.ts";
import type { Reader } from "../workspace/workspace.ts";
import { readHistory } from "./review/history.ts";
import { parseRequest, type ReviewRequest } from "./review/request.ts";
import type { ReviewSession } from "./review/review-session.ts";
import type { DecisionResult, ItemSummary, Progress } from "./review/view.ts";

export type ReviewServerOptions = {
  readonly assets: Assets;
  readonly reader: Reader;
  /** The session. It settles when the run to review has been computed. */
  readonly session: Promise<Outcome<ReviewSession>>;
  /** Progress to show until the session is ready. */
  readonly progress?: () => Progress;
  readonly port?: number;
  /** How long a request may take to arrive, in milliseconds. */
  readonly patience?: number;
};

/** A listening review page: its address, and the token that opens it. */
export type ReviewServer = Closable & {
  readonly port: number;
  readonly token: string;
  /** The address for a browser. The token is in the fragment, which browsers do not send. */
  readonly url: string;
};

const largestBody = 4 * 1024 * 1024;
const pollInterval = 1000;

/** Serves the review page to this machine only. The page is public; everything it shows needs the token. */
export async function serveReview(options: ReviewServerOptions): Promise<Outcome<ReviewServer>> {
  const listening = await LimitedServer.listen({
    port: options.port ?? 0,
    patience: options.patience ?? 60_000,
  });
  if (!listening.ok) return listening;
  const server = listening.value;
  const token = newToken();
  const api = new ReviewApi(options, createGuard({ port: server.port, token }));
  const lifetime = new Lifetime(() => new RefusalError({ code: "closed" }));
  const watch = setInterval(
    () => void lifetime.during(() => api.poll()).catch(() => undefined),
    pollInterval,
  );
  watch.unref();
  server.handle((exchange) =>
    lifetime.during(() => api.handle(exchange)).catch((error) => sendThrown(exchange.response, error)),
  );
  return accept({
    port: server.port,
    token,
    url: `${server.origin}/#${token}`,
    ...closable(async () => {
      clearInterval(watch);
      await server.close();
      // The caller closes the workspace next, so running requests must finish their writes first.
      await lifetime.close(async () => {});
    }),
  });
}

/** Answers the requests of the review page, and tells every open page about changes. */
class ReviewApi {
  readonly #options: ReviewServerOptions;
  readonly #guard: Guard;
  readonly #listeners = new Set<(event: unknown) => void>();

  constructor(options: ReviewServerOptions, guard: Guard) {
    this.#options = options;
    this.#guard = guard;
  }

  async handle(exchange: Exchange): Promise<void> {
    const { head, request, response } = exchange;
    const denial = this.#guard.checkOrigin(head);
    if (denial) return deny(response, denial);
    if (!head.url.startsWith("/api/"))
      return serveAsset(exchange, this.#options.assets, { index: "/review.html" });
    if (isCrossSite(head)) return deny(response, { status: 403 });
    const unauthorized = this.#guard.checkToken(head);
    if (unauthorized) return deny(response, unauthorized);
    if (head.method === "GET" && head.url === "/api/events") return this.#openEvents(exchange);
    if (head.method === "POST" && !isJson(head)) return deny(response, { status: 415 });
    const body =
      head.method === "POST"
        ? await readBody(request, { most: largestBody }).catch(() => undefined)
        : undefined;
    if (body === null) return deny(response, { status: 413 });
    const parsed = parseRequest(head, body && parseJsonBytes(body));
    if (typeof parsed === "number") return deny(response, denialOf(parsed));
    const session = await this.#readySession();
    if (session === null)
      return sendJson(response, 202, {
        progress: this.#options.progress?.() ?? { doing: progressMessages.working },
      });
    if (!session.ok) return sendRefusal(response, session.refusal);
    await this.#respond(response, session.value, parsed);
  }

  /** Tells the pages when another process has decided or written something. */
  async poll(): Promise<void> {
    if (this.#listeners.size === 0) return;
    const session = await this.#readySession();
    if (session === null || (session.ok && (await session.value.refresh())))
      this.#broadcast({ changed: true });
  }

  #broadcast(event: { readonly lines: readonly ItemSummary[] } | { readonly changed: true }): void {
    for (const listener of this.#listeners) listener(event);
  }

  #openEvents({ request, response }: Exchange): void {
    const listener = openEventStream(response);
    this.#listeners.add(listener);
    request.on("close", () => this.#listeners.delete(listener));
  }

  /** The session if it is ready; null while the run is being computed. */
  #readySession(): Promise<Outcome<ReviewSession> | null> {
    return Promise.race([
      this.#options.session,
      new Promise<null>((resolve) => setTimeout(resolve, 20, null)),
    ]);
  }

  async #respond(response: ServerResponse, session: ReviewSession, request: ReviewRequest): Promise<void> {
    switch (request.what) {
      case "run":
        return sendJson(response, 200, await session.run());
      case "history": {
        const { before, limit } = request;
        const query = { limit, ...defined({ before }) };
        return sendJson(response, 200, await readHistory(this.#options.reader, query));
      }
      case "item":
        return sendOutcome(response, await session.view(request.key, { whole: request.whole }));
      case "together":
        return sendOutcome(response, await session.previewBatch(request.keys));
      case "approve": {
        const approved = await session.approve(request.keys, request.hash);
        if (!approved.ok && approved.refusal.code === "stale")
          return sendFresh(response, session, request.keys);
        return this.#sendDecision(response, approved);
      }
      case "reject":
        return this.#sendDecision(response, await session.reject(request.key, request));
      case "reject-all":
        return this.#sendDecision(response, await session.rejectAll(request.keys, request));
      case "reword":
        return this.#sendDecision(response, await session.reword(request.key, request.text));
      case "take-back":
        return this.#sendDecision(response, await session.revert(request.key));
      case "undo":
        return this.#sendDecision(response, await session.undoEntry(request.entry));
    }
  }

  #sendDecision(response: ServerResponse, outcome: Outcome<DecisionResult>): void {
    sendOutcome(response, outcome);
    if (outcome.ok) this.#broadcast({ lines: outcome.value.lines });
  }
}

/** Nothing was written. The page gets the current text and can ask again. */
async function sendFresh(
  response: ServerResponse,
  session: ReviewSession,
  keys: readonly number[],
): Promise<void> {
  const [key, ...others] = keys;
  const view = key !== undefined && others.length === 0 ? await session.view(key) : null;
  sendJson(response, 409, { stale: true, view: view?.ok ? view.value : null });
}

function sendOutcome(response: ServerResponse, outcome: Outcome<unknown>): void {
  if (outcome.ok) sendJson(response, 200, outcome.value);
  else sendRefusal(response, outcome.refusal);
}

function sendRefusal(response: ServerResponse, refusal: Refusal): void {
  const error = textOf(refused(refusal, { tool: "review", wording: "files" }));
  sendJson(response, refusal.code === "not-found" ? 404 : 422, { error });
}

/** A refusal is sent as one. Any other error is our bug, and the client gets no detail. */
function sendThrown(response: ServerResponse, error: unknown): void {
  if (!(error instanceof RefusalError) || response.headersSent) throw error;
  sendRefusal(response, error.refusal);
}

/** Browsers send `Sec-Fetch-Site` also with requests that have no `Origin`. */
function isCrossSite({ headers }: RequestHead): boolean {
  const site = headers["sec-fetch-site"];
  return site !== undefined && site !== "same-origin";
}

function denialOf(status: number) {
  return status === 405 ? { status, headers: { Allow: "GET, POST" } } : { status };
}
