import type { FetchOptions, McpFetch } from "../mcp/fetch.ts";
import type { Context } from "../tools/tool.ts";
import { type Closable, closable } from "../workspace/lifetime.ts";

export type McpHandlerOptions = {
  /** Origins of web pages that may ask, besides the origin of the request itself. */
  readonly origins?: readonly string[];
  /** Host names to accept; by default any, because the program in front has decided. */
  readonly hosts?: readonly string[];
};

/** An MCP server behind the caller's own HTTP server and its own authentication. */
export type McpHandler = Closable & {
  /** `user` becomes the author of the edits. */
  fetch(request: Request, options?: FetchOptions): Promise<Response>;
};

/** The SDK of MCP is loaded with the first request: a session without MCP does not need it. */
export function mcpHandler(context: Context, options: McpHandlerOptions): McpHandler {
  let opening: Promise<McpFetch> | undefined;
  let closed = false;
  return {
    fetch: async (request, who) => {
      if (closed) return new Response(null, { status: 503 });
      opening ??= import("../mcp/fetch.ts").then(({ McpFetch }) => new McpFetch(context, options));
      return (await opening).fetch(request, who);
    },
    ...closable(async () => {
      closed = true;
      await (await opening)?.close();
    }),
  };
}
