import { createMcpHandler, type McpHttpHandler } from "@modelcontextprotocol/server";
import manifest from "../../package.json" with { type: "json" };
import { SessionMemory } from "../tools/session-memory.ts";
import type { Context } from "../tools/tool.ts";
import { FixDocsCalls } from "./fix-docs.ts";
import { largestBody, maxOpenRequests } from "./http.ts";
import { createServer } from "./server.ts";

export type FetchGuards = {
  readonly origins?: readonly string[];
  readonly hosts?: readonly string[];
};

export type FetchOptions = { readonly user?: string | undefined };

/**
 * MCP as a function from a request to a response, with the guards of our own server: one method, one content type, hosts
 * and origins, a largest body, and a number of open requests for each user.
 */
export class McpFetch {
  readonly #context: Context;
  readonly #guards: FetchGuards;
  readonly #handlers = new Map<string, McpHttpHandler>();
  readonly #open = new Map<string, number>();
  readonly #fixDocs = new FixDocsCalls();

  constructor(context: Context, guards: FetchGuards) {
    this.#context = context;
    this.#guards = guards;
  }

  async fetch(request: Request, { user }: FetchOptions = {}): Promise<Response> {
    const status = this.#deny(request);
    if (status !== undefined)
      return new Response(null, { status, headers: status === 405 ? { Allow: "POST" } : {} });
    const author = user ?? this.#context.author;
    const open = this.#open.get(author) ?? 0;
    if (open >= maxOpenRequests) return new Response(null, { status: 429 });
    this.#open.set(author, open + 1);
    const end = (): void => {
      this.#open.set(author, (this.#open.get(author) ?? 1) - 1);
    };
    try {
      return untilRead(await this.#handlerOf(author).fetch(request), end);
    } catch (error) {
      end();
      throw error;
    }
  }

  async close(): Promise<void> {
    for (const handler of this.#handlers.values()) await handler.close();
  }

  #deny({ method, headers, url }: Request): number | undefined {
    const { origins = [], hosts } = this.#guards;
    const { host, origin: own } = new URL(url);
    const origin = headers.get("origin");
    if (hosts && !hosts.includes(headers.get("host") ?? host)) return 403;
    if (origin !== null && origin !== own && !origins.includes(origin)) return 403;
    if (method !== "POST") return 405;
    // This server has no sessions, so a session id belongs to another server.
    if (headers.has("mcp-session-id")) return 404;
    if (!/^application\/json\s*(;|$)/i.test(headers.get("content-type") ?? "")) return 415;
    return Number(headers.get("content-length") ?? 0) > largestBody ? 413 : undefined;
  }

  #handlerOf(author: string): McpHttpHandler {
    const known = this.#handlers.get(author);
    if (known) return known;
    // Two users are two tasks of one run: lines of the one are not overwritten by the other.
    const task = author === this.#context.author ? this.#context.task : `${this.#context.task}/${author}`;
    const context = { ...this.#context, author, task, memory: new SessionMemory() };
    const handler = createMcpHandler(
      () => createServer(context, manifest.version, { fixDocs: this.#fixDocs }),
      { maxRequestBodySize: largestBody },
    );
    this.#handlers.set(author, handler);
    return handler;
  }
}

/** Calls `end` once, when the body of the response has been read or given up. */
function untilRead(response: Response, end: () => void): Response {
  if (!response.body) {
    end();
    return response;
  }
  let ended = false;
  const once = (): void => {
    if (!ended) end();
    ended = true;
  };
  const watched = new TransformStream<Uint8Array, Uint8Array>({ flush: once, cancel: once });
  return new Response(response.body.pipeThrough(watched), response);
}
