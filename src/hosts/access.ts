import { accept, type Outcome, refuse } from "../text/model/outcome.ts";
import type { Environment } from "./host.ts";
import { type HostKind, hostKinds, hosts, isHostKind } from "./registry.ts";

/** The token and the API address for one host. Tokens are read when they are needed and are sent to their host only. */
export type HostAccess = {
  readonly token: string;
  readonly baseUrl?: string | undefined;
  readonly timeout?: number;
};

/** A code host that the environment names exactly. */
export type KnownHost = {
  readonly name: string;
  readonly kind: HostKind;
  /** Environment variables for the token. The first one that is set counts. */
  readonly tokenVariables: readonly string[];
  /** The address of the API; undefined for the host's own default. */
  readonly baseUrl: string | undefined;
  /** Whether git may send the token to this name. */
  readonly isTokenForGit: boolean;
};

/** The code hosts of an environment. A name is looked up exactly: a token never goes to a name that only looks alike. */
export class KnownHosts {
  readonly #environment: Environment;
  readonly #byName: ReadonlyMap<string, KnownHost>;

  constructor(environment: Environment, all: readonly KnownHost[]) {
    this.#environment = environment;
    this.#byName = new Map(all.map((host) => [host.name, host]));
  }

  find(hostName: string): KnownHost | null {
    return this.#byName.get(hostName.toLowerCase()) ?? null;
  }

  /** The public instance of a kind, such as `github.com`. */
  publicOne(kind: HostKind): KnownHost {
    return this.#byName.get(hosts[kind].publicHost)!;
  }

  /** Null if the token of this host is not set. */
  accessTo({ tokenVariables, baseUrl }: KnownHost): HostAccess | null {
    const token = tokenVariables.map((name) => this.#environment[name]).find((value) => value);
    if (token === undefined) return null;
    const timeout = Number(this.#environment.SUTURE_FORGE_TIMEOUT);
    return { token, baseUrl, ...(timeout > 0 ? { timeout } : {}) };
  }
}

/**
 * Reads the hosts of an environment: the public ones, those whose API a variable such as `SUTURE_GITHUB_API` names, and
 * those of `SUTURE_HOSTS`, a list such as `git.example.org=github:EXAMPLE_TOKEN`.
 */
export function readKnownHosts(environment: Environment): Outcome<KnownHosts> {
  const all = hostKinds.flatMap((kind) => hostsOfKind(environment, kind));
  for (const entry of (environment.SUTURE_HOSTS ?? "").split(/[\s,]+/).filter(Boolean)) {
    const host = parseEntry(entry);
    if (host === null)
      return refuse({
        code: "malformed",
        what: `SUTURE_HOSTS: ${JSON.stringify(entry)} is not NAME=KIND:TOKEN_VARIABLE`,
        hint: `Name each host exactly, such as git.example.org=${hostKinds[0]}:EXAMPLE_TOKEN. Kinds are ${hostKinds.join(" and ")}.`,
      });
    all.push(host);
  }
  return accept(new KnownHosts(environment, all));
}

function hostsOfKind(environment: Environment, kind: HostKind): KnownHost[] {
  const { publicHost, variables } = hosts[kind];
  const api = environment[variables.api];
  const apiHost = api === undefined ? null : (URL.parse(api)?.host.toLowerCase() ?? null);
  const isOwnApi = apiHost !== null && !isThisMachine(apiHost) && !isBelow(apiHost, publicHost);
  const shared = { kind, tokenVariables: variables.tokens, baseUrl: api };
  // With an API of one's own, the token belongs to that host, and git must not send it to the public one.
  const open: KnownHost = { ...shared, name: publicHost, isTokenForGit: !isOwnApi };
  return isOwnApi ? [open, { ...shared, name: apiHost, isTokenForGit: true }] : [open];
}

const entryForm = /^([a-z0-9][a-z0-9.-]*(?::\d{1,5})?)=([a-z]+):([A-Za-z_][A-Za-z0-9_]*)$/i;

function parseEntry(entry: string): KnownHost | null {
  const [, name = "", kind = "", variable = ""] = entryForm.exec(entry) ?? [];
  if (!isHostKind(kind)) return null;
  const lower = name.toLowerCase();
  const baseUrl = lower === hosts[kind].publicHost ? undefined : `https://${lower}${hosts[kind].apiPath}`;
  return { name: lower, kind, tokenVariables: [variable], baseUrl, isTokenForGit: true };
}

function isThisMachine(host: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/.test(host);
}

function isBelow(host: string, name: string): boolean {
  return host === name || host.endsWith(`.${name}`);
}

/** The first token variable of a kind that is set. CI jobs use it: there, the host itself sets the address. */
export function tokenFrom(environment: Environment, kind: HostKind): string | undefined {
  return hosts[kind].variables.tokens.map((name) => environment[name]).find((value) => value);
}
