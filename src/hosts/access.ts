import type { Environment } from "./host.ts";
import { type HostKind, hosts } from "./registry.ts";

/** The token and the API address for one host. Tokens are read when they are needed and are sent to their host only. */
export type HostAccess = {
  readonly token: string;
  readonly baseUrl?: string | undefined;
  readonly timeout?: number;
};

/** Access to a host name, or to the public instance where it is null. Null if the environment has no token. */
export function accessFrom(
  environment: Environment,
  kind: HostKind,
  hostName: string | null,
): HostAccess | null {
  const { publicHost, apiPath, variables } = hosts[kind];
  const token = tokenFrom(environment, kind);
  if (token === undefined) return null;
  const isPublic = hostName === null || hostName === publicHost;
  const ownApi = isPublic ? undefined : `https://${hostName}${apiPath}`;
  const timeout = Number(environment.SUTURE_FORGE_TIMEOUT);
  return { token, baseUrl: environment[variables.api] ?? ownApi, ...(timeout > 0 ? { timeout } : {}) };
}

/** The first token variable that is set. */
export function tokenFrom(environment: Environment, kind: HostKind): string | undefined {
  return hosts[kind].variables.tokens.map((name) => environment[name]).find((value) => value);
}
