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
import { accept, type Outcome } from "../text/model/outcome.ts";
import { callTool } from "../tools/call.ts";
import { catalog, inputSchema, type Tool, toolsFor } from "../tools/catalog.ts";
import { type ContextOptions, openContext } from "../tools/context.ts";
import type { Context, Result } from "../tools/tool.ts";
import { textOf } from "../wording/report.ts";
import { type Closable, closable } from "../workspace/lifetime.ts";
import { createFixDocs, type FixDocs, fixDocsListing, offersFixDocs } from "./fix-docs.ts";
import { offerPrompts } from "./prompts.ts";
import { offerResources } from "./resources.ts";
import { resultSchema } from "./result-schema.ts";
import { everything, intersectRoots, narrowContext, type Scope } from "./scope.ts";

/** The folder that is served, and on whose behalf. */
export type McpOptions = Omit<ContextOptions, "signal"> & { readonly version: string };

/** One workspace, and as many protocol servers over it as there are connections. */
export type McpDoor = Closable & { createServer(): Server };

export async function openMcp({ version, ...options }: McpOptions): Promise<Outcome<McpDoor>> {
  const opened = await openContext({ ...options, author: options.author ?? "agent" });
  if (!opened.ok) return opened;
  const context = opened.value;
  const fixDocs = createFixDocs();
  return accept({
    createServer: () => createServer(context, version, fixDocs),
    ...closable(() => context.close()),
  });
}

function createServer(context: Context, version: string, fixDocs: FixDocs): Server {
  const server = new Server(
    { name: "suture", title: "Suture", version },
    { capabilities: { tools: {}, prompts: {}, resources: {} }, instructions: instructionsFor(context) },
  );
  const roots = rootsOf(server, context);
  const samples = (request: ServerContext): boolean =>
    offersFixDocs(context) && clientOf(server, request).hasSampling;
  server.setRequestHandler("tools/list", (_, request) => ({
    tools: [
      ...toolsFor(context.profile, context.mode).map(listingOf),
      ...(samples(request) ? [{ ...fixDocsListing, outputSchema: listedSchema }] : []),
    ],
  }));
  server.setRequestHandler("tools/call", async ({ params: { name, arguments: input = {} } }, request) => {
    const sampled = name === fixDocsListing.name && samples(request);
    if (!sampled && !catalog.some((tool) => tool.name === name))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name.slice(0, 100)}`);
    const scope = roots.ask(request);
    if (!isScope(scope)) return scope;
    const client = clientOf(server, request);
    const author = authorOf(client, context);
    const place = { ...narrowContext(context, scope), signal: request.mcpReq.signal, author };
    if (sampled) {
      const made = await fixDocs.call(place, input, request, client.name ?? "unknown");
      return "tool" in made ? server.projectCallToolResult(answerOf(made as Result), resultSchema) : made;
    }
    const result = await withHeartbeat(request, name, () => callSafely(place, name, input));
    return server.projectCallToolResult(answerOf(result), resultSchema);
  });
  offerPrompts(server, () => narrowContext(context, roots.known()));
  offerResources(server, () => narrowContext(context, roots.known()));
  return server;
}

function instructionsFor({ profile, workspace }: Context): string {
  const edits = profile === "docs" ? "edit_article" : "edit_file";
  const reads = "Paths are relative to the root. Read a file before you edit it, and quote its text exactly.";
  if (!workspace) return `${reads} This server only reads.`;
  return `${reads} Prefer ${edits} to rewriting a file. A refusal changes nothing and says what to send instead.`;
}

const listedSchema = resultSchema as unknown as NonNullable<ToolListing["outputSchema"]>;

function listingOf(tool: Tool<never>): ToolListing {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: inputSchema(tool) as ToolListing["inputSchema"],
    outputSchema: listedSchema,
    annotations: {
      title: tool.title,
      readOnlyHint: tool.access === "read",
      // Nothing is lost for good: every change can be undone. But a file's text is replaced.
      destructiveHint: tool.access === "edit" || tool.access === "restore",
      idempotentHint: tool.idempotent,
      openWorldHint: false,
    },
  };
}

function answerOf(result: Result): CallToolResult {
  return {
    content: [{ type: "text", text: textOf(result) }],
    structuredContent: result as Record<string, unknown>,
    isError: !result.success,
  };
}

/** A bug of ours must not show the machine's paths or our stack to whoever is connected. */
async function callSafely(context: Context, name: string, input: unknown): Promise<Result> {
  try {
    return await callTool(context, name, input);
  } catch (error) {
    if (context.signal?.aborted) throw error;
    process.stderr.write(
      `suture: ${name}: ${error instanceof Error ? (error.stack ?? error.message) : error}\n`,
    );
    const words = `${name} failed inside Suture. Nothing is known to be wrong with the call; see the server's log.`;
    return { success: false, output: "", tool: name, error: words, code: "error" };
  }
}

type ClientFacts = { readonly name?: string; readonly hasRoots: boolean; readonly hasSampling: boolean };

/** What the client says about itself: with every request since the 2026 protocol, once before that. */
function clientOf(server: Server, { mcpReq }: ServerContext): ClientFacts {
  const envelope = (mcpReq.envelope ?? {}) as Readonly<Record<string, unknown>>;
  const info = (envelope[CLIENT_INFO_META_KEY] as Implementation | undefined) ?? server.getClientVersion();
  const able =
    (envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined) ??
    server.getClientCapabilities();
  return {
    ...(info ? { name: info.name } : {}),
    hasRoots: able?.roots !== undefined,
    hasSampling: able?.sampling !== undefined,
  };
}

/** Edits are signed with the client's own name where nobody has given another. */
function authorOf({ name }: ClientFacts, { author }: Context): string {
  return author === "agent" && name ? name.slice(0, 100) : author;
}

/** A client that asked for progress hears every second that the work goes on. */
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

type Roots = {
  /** What this connection may reach, or the question that must be answered first. */
  ask(request: ServerContext): Scope | InputRequiredResult;
  known(): Scope;
};

/**
 * Clients that have roots are asked for them once, and again when they change. What they answer can narrow what
 * this connection reaches, never widen it.
 */
function rootsOf(server: Server, { reader }: Context): Roots {
  let known: Scope | undefined;
  server.setNotificationHandler("notifications/roots/list_changed", () => {
    known = undefined;
  });
  const ask = (request: ServerContext): Scope | InputRequiredResult => {
    if (known) return known;
    if (!clientOf(server, request).hasRoots) return everything;
    const answer = request.mcpReq.inputResponses?.roots as { roots?: unknown } | undefined;
    if (!answer) return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } });
    const uris = Array.isArray(answer.roots) ? (answer.roots as { uri?: unknown }[]) : [];
    known = intersectRoots(
      reader.root,
      uris.map(({ uri }) => String(uri)),
    );
    return known;
  };
  return { ask, known: () => known ?? everything };
}

function isScope(value: Scope | InputRequiredResult): value is Scope {
  return Array.isArray(value);
}
