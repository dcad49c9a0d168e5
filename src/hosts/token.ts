import { accept, type Outcome } from "../text/model/outcome.ts";

/** Gives the token for each request. The token of an app changes every hour. */
export type TokenSource = {
  get(): Promise<Outcome<string>>;
  /** The host has refused the token. True if the next `get` may give one that it accepts. */
  refused(headers: Headers): boolean;
};

/** A token that never changes. */
function fixedToken(token: string): TokenSource {
  return { get: async () => accept(token), refused: () => false };
}

export function toSource(token: string | TokenSource): TokenSource {
  return typeof token === "string" ? fixedToken(token) : token;
}

/** An app on a code host. Its key is exchanged for one token for each owner that has installed it. */
export type HostApp = {
  tokenFor(owner: string): TokenSource;
};
