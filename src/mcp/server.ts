import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type Implementation,
  type InputRequiredResult,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type Tool as ToolListing,
} from "@modelcontextprotocol/server";
import { callTool, catalog, toolsFor } from "../docs/catalog.ts";
import { defined } from "../text/model/defined.ts";
import { accept, type Outcome } from "../text/model/outcome.ts";
import type { Tool } from "../tools/catalog.ts";
import { type ContextOptions, openContext } from "../tools/context.ts";
import { type ClientMemories, SessionMemory } from "../tools/session-memory.ts";
import type { Context, Result } from "../tools/tool.ts";
import { serverText } from "../wording/mcp.ts";
import { type Closable, closable } from "../workspace/lifetime.ts";
import { answerOf } from "./answer-size.ts";
import { ConsentRequest } from "./consent.ts";
import { FixDocsCalls, fixDocsListing, offersFixDocs } from "./fix-docs.ts";
import { registerPrompts } from "./prompts.ts";
import { registerResources } from "./resources.ts";
import { resultSchema } from "./result-schema.ts";
import { type ClientScope, everything, intersectRoots, narrowContext } from "./scope.ts";
import { briefListing, slimListing } from "./tool-listing.ts";
import { ToolThread, threadedTools } from "./tool-thread.ts";

/** The folder to serve and the author of its edits. */
export type McpOptions = Omit<ContextOptions, "signal" | "memory"> & { readonly version: string };

/**
 * One workspace, and as many protocol servers over it as there are connections. A door that makes a server for each
 * request keeps the memories of its clients.
 */
export type McpDoor = Closable & { createServer(memories?: ClientMemories): Server };

export async function openMcp({ version, ...options }: McpOptions): Promise<Outcome<McpDoor>> {
  const opened = await openContext({
    undoes: "own",
    strict: true,
    ...options,
    author: options.author ?? "agent",
  });
  if (!opened.ok) return opened;
  const context = opened.value;
  const fixDocs = new FixDocsCalls();
  const checks = new ToolThread(options);
  return accept({
    createServer: (memories) => createServer(context, version, { fixDocs, checks, memories }),
    ...closable(async () => {
      await checks.close();
      await context.close();
    }),
  });
}

/** The parts that all connections of one server share. Without `checks`, checks run in the thread of the server. */
export type SharedParts = {
  readonly fixDocs: FixDocsCalls;
  readonly checks?: ToolThread;
  readonly memories?: ClientMemories | undefined;
};

export function createServer(context: Context, version: string, parts: SharedParts): Server {
  const { fixDocs, checks, memories } = parts;
  const ownMemory = context.memory ?? new SessionMemory();
  const server = new Server(
    { name: "suture", title: "Suture", version },
    { capabilities: { tools: {}, prompts: {}, resources: {} }, instructions: instructionsFor(context) },
  );
  const roots = new ClientRoots(server, context.reader.root);
  const canFixDocs = (request: ServerContext): boolean =>
    offersFixDocs(context) && clientOf(server, request).hasSampling;
  server.setRequestHandler("tools/list", (_, request) => ({
    tools: [
      ...toolsFor(context.profile, context.mode).map((tool) => listingOf(tool, context)),
      ...(canFixDocs(request) ? [fixDocsListing] : []),
    ],
  }));
  server.setRequestHandler("tools/call", async ({ params: { name, arguments: input = {} } }, request) => {
    const isFixDocs = name === fixDocsListing.name && canFixDocs(request);
    if (!isFixDocs && !catalog.some((tool) => tool.name === name))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name.slice(0, 100)}`);
    const scope = await roots.ask(request);
    if (!isScope(scope)) return scope;
    const client = clientOf(server, request);
    const author = authorOf(client, context);
    const memory = memories?.of(client.name) ?? ownMemory;
    const consent = new ConsentRequest(server, request, memory.consents);
    const narrowed = {
      ...narrowContext(context, scope),
      signal: request.mcpReq.signal,
      author,
      origin: { ...defined({ client: client.name || undefined }), session: memory.id, ...context.origin },
      memory,
      ...defined({ consent: client.hasElicitation ? consent.ask : undefined }),
    };
    const project = (answer: CallToolResult) => server.projectCallToolResult(answer, resultSchema);
    if (!isFixDocs) {
      const answer = await withHeartbeat(request, name, () =>
        callSafely({ context: narrowed, scope, checks }, name, input),
      );
      return consent.required ?? project(answer);
    }
    const fixed = await fixDocs.call({ context: narrowed, input, request, client: client.name ?? "unknown" });
    return "tool" in fixed ? project(answerOf(fixed as Result)) : fixed;
  });
  registerPrompts(server, () => narrowContext(context, roots.known()));
  registerResources(server, () => narrowContext(context, roots.known()));
  return server;
}

function instructionsFor({ profile, workspace }: Context): string {
  const purpose =
    "Suture edits files exactly and undoably, applies patches and diffs, and finds documentation that a code change made false.";
  const edits = profile === "docs" ? "edit_article" : "edit_file";
  const reads = "Paths are relative to the root. Read a file before you edit it, and quote its text exactly.";
  if (!workspace) return `${purpose} ${reads} This server only reads.`;
  return `${purpose} ${reads} Prefer ${edits} to rewriting a file. A refusal changes nothing and says what to send instead.`;
}

function listingOf(tool: Tool<never>, context: Context): ToolListing {
  const { description, schema } =
    context.profile === "slim" ? slimListing(tool, context) : briefListing(tool, context);
  return {
    name: tool.name,
    title: tool.title,
    description,
    inputSchema: schema as ToolListing["inputSchema"],
    annotations: {
      readOnlyHint: tool.access === "read",
      // Every change can be undone, but the tool replaces text of a file, or the whole of it.
      destructiveHint: tool.access !== "read",
      idempotentHint: tool.idempotent,
      openWorldHint: false,
    },
  };
}

/** After a bug of ours, the client sees no stack and no paths of this machine. They go to the log. */
async function callSafely(
  { context, scope, checks }: { context: Context; scope: ClientScope; checks: ToolThread | undefined },
  name: string,
  input: unknown,
): Promise<CallToolResult> {
  try {
    if (!threadedTools.has(name) || !checks?.isThere) return answerOf(await callTool(context, name, input));
    return await checks.call({ scope, name, input }, context);
  } catch (error) {
    if (context.signal?.aborted) throw error;
    process.stderr.write(
      `suture: ${name}: ${error instanceof Error ? (error.stack ?? error.message) : error}\n`,
    );
    return answerOf({
      success: false,
      output: "",
      tool: name,
      error: serverText.failed(name),
      code: "error",
    });
  }
}

type ClientFacts = {
  readonly name?: string;
  readonly hasRoots: boolean;
  readonly hasSampling: boolean;
  readonly hasElicitation: boolean;
};

/** The client's description of itself: with every request since the 2026 protocol, only once before it. */
function clientOf(server: Server, { mcpReq }: ServerContext): ClientFacts {
  const envelope = (mcpReq.envelope ?? {}) as Readonly<Record<string, unknown>>;
  const info = (envelope[CLIENT_INFO_META_KEY] as Implementation | undefined) ?? server.getClientVersion();
  const able =
    (envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined) ??
    server.getClientCapabilities();
  return {
    ...defined({ name: info?.name }),
    hasRoots: able?.roots !== undefined,
    hasSampling: able?.sampling !== undefined,
    hasElicitation: able?.elicitation !== undefined,
  };
}

/** The author of edits: the client's own name, unless the options name another. */
function authorOf({ name }: ClientFacts, { author }: Context): string {
  return author === "agent" && name ? name.slice(0, 100) : author;
}

/** Sends a progress notification every second to a client that asked for progress. */
async function withHeartbeat<T>(request: ServerContext, name: string, work: () => Promise<T>): Promise<T> {
  const progressToken = request.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return work();
  let progress = 0;
  const timer = setInterval(() => {
    const params = { progressToken, progress: ++progress, message: `${name}: ${progress} s` };
    request.mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  }, 1000);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/**
 * The folders that a client has opened. A client without roots has opened all of them. The server asks a client with
 * roots once, and again after a change. The answer can narrow the scope of this connection, never widen it.
 */
class ClientRoots {
  readonly #server: Server;
  readonly #root: string;
  #scope: ClientScope | undefined;

  constructor(server: Server, root: string) {
    this.#server = server;
    this.#root = root;
    server.setNotificationHandler("notifications/roots/list_changed", () => {
      this.#scope = undefined;
    });
  }

  /** The scope of this connection, or the question that the client must answer first. */
  async ask(request: ServerContext): Promise<ClientScope | InputRequiredResult> {
    if (this.#scope) return this.#scope;
    if (!clientOf(this.#server, request).hasRoots) return everything;
    const answer =
      request.mcpReq.envelope === undefined ? await this.#list() : request.mcpReq.inputResponses?.roots;
    if (!answer) return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } });
    const { roots } = answer as { roots?: unknown };
    const uris = Array.isArray(roots) ? (roots as { uri?: unknown }[]).map(({ uri }) => String(uri)) : [];
    this.#scope = intersectRoots(this.#root, uris);
    return this.#scope;
  }

  /** Asks a client of the older protocol. One that announces roots but does not list them has none. */
  async #list(): Promise<{ readonly roots: unknown }> {
    try {
      return await this.#server.listRoots();
    } catch {
      return { roots: [] };
    }
  }

  known(): ClientScope {
    return this.#scope ?? everything;
  }
}

function isScope(value: ClientScope | InputRequiredResult): value is ClientScope {
  return Array.isArray(value);
}
