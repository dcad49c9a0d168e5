/** What a request shows before its body is read. */
export type Head = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
};

export type GuardOptions = {
  readonly port: number;
  readonly token: string;
  /** Host names that may be asked for besides those of this machine. */
  readonly hosts?: readonly string[];
  readonly origins?: readonly string[];
};

/** An answer to a request that goes no further. */
export type Denial = { readonly status: number; readonly headers?: Readonly<Record<string, string>> };

/** The two questions every door on a port asks first: is it us that was meant, by a page of ours; and who asks. */
export type Guard = {
  place(head: Head): Denial | undefined;
  token(head: Head): Denial | undefined;
};

const loopback = ["localhost", "127.0.0.1", "[::1]"];

export function createGuard({ port, token, hosts = [], origins = [] }: GuardOptions): Guard {
  const hostNames = new Set([...loopback, ...hosts].map((name) => `${name.toLowerCase()}:${port}`));
  const pages = new Set([...loopback.map((name) => `http://${name}:${port}`), ...origins]);
  const isToken = compare(token);
  return {
    place: ({ headers: { host, origin } }) => {
      if (typeof host !== "string" || !hostNames.has(host.toLowerCase())) return { status: 403 };
      if (origin !== undefined && !(typeof origin === "string" && pages.has(origin))) return { status: 403 };
      return undefined;
    },
    token: ({ headers }) =>
      isToken(bearerOf(headers.authorization)) ? undefined : unauthorized(token, headers["suture-challenge"]),
  };
}

/** A secret of 256 bits, for one start of a server. */
export function newToken(): string {
  return process.getBuiltinModule("node:crypto").randomBytes(32).toString("base64url");
}

/** Whether a body says that it is JSON: what no form and no simple cross-site request can say. */
export function isJson({ headers }: Head): boolean {
  const type = headers["content-type"];
  return typeof type === "string" && /^application\/json\s*(;|$)/i.test(type);
}

/** What the server answers a challenge with. */
export function prove(token: string, challenge: string): string {
  const { createHmac } = process.getBuiltinModule("node:crypto");
  return createHmac("sha256", token).update(`suture:${challenge}`).digest("hex");
}

function bearerOf(authorization: string | readonly string[] | undefined): string {
  return typeof authorization === "string" ? (/^Bearer ([\x21-\x7e]+)$/i.exec(authorization)?.[1] ?? "") : "";
}

/** Takes the same time whatever it is given. */
function compare(token: string): (given: string) => boolean {
  const crypto = process.getBuiltinModule("node:crypto");
  const digest = (text: string): Buffer => crypto.createHash("sha256").update(text).digest();
  const wanted = digest(token);
  return (given) => crypto.timingSafeEqual(digest(given), wanted);
}

/**
 * A client that wants to know whom it talks to before it shows its token sends a challenge; only the server that
 * has the token can sign it. A process that has taken over the port cannot.
 */
function unauthorized(token: string, challenge: string | readonly string[] | undefined): Denial {
  const headers = { "WWW-Authenticate": "Bearer" };
  if (typeof challenge !== "string" || !/^[0-9a-f]{32,128}$/.test(challenge)) return { status: 401, headers };
  return { status: 401, headers: { ...headers, "Suture-Proof": prove(token, challenge) } };
}
