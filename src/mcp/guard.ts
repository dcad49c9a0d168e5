import { createGuard, type Denial, type GuardOptions, type Head, isJson } from "../http/guard.ts";

/**
 * Decides from its head alone whether a request may be read. In this order: the host that was asked for, the page
 * that asks, the token, and only then whether there is such a place.
 */
export function createMcpGuard(options: GuardOptions): (head: Head) => Denial | undefined {
  const guard = createGuard(options);
  return (head) => {
    const denied = guard.place(head) ?? guard.token(head);
    if (denied) return denied;
    if (head.url !== "/mcp") return { status: 404 };
    if (head.method !== "POST") return { status: 405, headers: { Allow: "POST" } };
    // There are no sessions, so whoever names one means another server, or another client's.
    if (head.headers["mcp-session-id"] !== undefined) return { status: 404 };
    return isJson(head) ? undefined : { status: 415 };
  };
}
