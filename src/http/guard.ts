import type { RequestHead } from "./request.ts";

export type GuardOptions = {
  readonly port: number;
  readonly token: string;
  /** Host names to accept besides those of this machine. */
  readonly hosts?: readonly string[];
  readonly origins?: readonly string[];
};

/** The response to a request that is not handled. */
export type Denial = { readonly status: number; readonly headers?: Readonly<Record<string, string>> };

/** The two checks before every request: the host and origin it names, and the token it shows. */
export type Guard = {
  checkOrigin(head: RequestHead): Denial | undefined;
  checkToken(head: RequestHead): Denial | undefined;
};

const loopback = ["localhost", "127.0.0.1", "[::1]"];

export function createGuard({ port, token, hosts = [], origins = [] }: GuardOptions): Guard {
  const hostNames = new Set([...loopback, ...hosts].map((name) => `${name.toLowerCase()}:${port}`));
  const allowedOrigins = new Set([...loopback.map((name) => `http://${name}:${port}`), ...origins]);
  const isToken = constantTimeEquals(token);
  return {
    checkOrigin: ({ headers: { host, origin } }) => {
      if (typeof host !== "string" || !hostNames.has(host.toLowerCase())) return { status: 403 };
      if (origin !== undefined && !(typeof origin === "string" && allowedOrigins.has(origin)))
        return { status: 403 };
      return undefined;
    },
    checkToken: ({ headers }) =>
      isToken(bearerOf(headers.authorization)) ? undefined : unauthorized(token, headers["suture-challenge"]),
  };
}

/** A secret of 256 bits. Each start of a server makes a new one. */
export function newToken(): string {
  return process.getBuiltinModule("node:crypto").randomBytes(32).toString("base64url");
}

/** The server's answer to a client's challenge. */
export function prove(token: string, challenge: string): string {
  const { createHmac } = process.getBuiltinModule("node:crypto");
  return createHmac("sha256", token).update(`suture:${challenge}`).digest("hex");
}

function bearerOf(authorization: string | readonly string[] | undefined): string {
  return typeof authorization === "string" ? (/^Bearer ([\x21-\x7e]+)$/i.exec(authorization)?.[1] ?? "") : "";
}

function constantTimeEquals(token: string): (given: string) => boolean {
  const crypto = process.getBuiltinModule("node:crypto");
  const digest = (text: string): Buffer => crypto.createHash("sha256").update(text).digest();
  const wanted = digest(token);
  return (given) => crypto.timingSafeEqual(digest(given), wanted);
}

/**
 * A client can send a challenge before it shows its token. Only a server that has the token can sign the challenge,
 * so a process that has taken over the port cannot pass for the server.
 */
function unauthorized(token: string, challenge: string | readonly string[] | undefined): Denial {
  const headers = { "WWW-Authenticate": "Bearer" };
  if (typeof challenge !== "string" || !/^[0-9a-f]{32,128}$/.test(challenge)) return { status: 401, headers };
  return { status: 401, headers: { ...headers, "Suture-Proof": prove(token, challenge) } };
}
