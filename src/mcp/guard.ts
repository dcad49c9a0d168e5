import { createGuard, type Denial, type GuardOptions } from "../http/guard.ts";
import { isJson, type RequestHead } from "../http/request.ts";

/** Decides by the head of a request whether to read it: first host and origin, then the token, then the path. */
export function createMcpGuard(options: GuardOptions): (head: RequestHead) => Denial | undefined {
  const guard = createGuard(options);
  return (head) => {
    const denied = guard.checkOrigin(head) ?? guard.checkToken(head);
    if (denied) return denied;
    if (head.url !== "/mcp") return { status: 404 };
    if (head.method !== "POST") return { status: 405, headers: { Allow: "POST" } };
    // This server has no sessions, so a session id belongs to another server.
    if (head.headers["mcp-session-id"] !== undefined) return { status: 404 };
    return isJson(head) ? undefined : { status: 415 };
  };
}
