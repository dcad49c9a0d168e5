import { accept, type Outcome, refuse } from "../text/model/outcome.ts";
import { readPrivateFile } from "../workspace/files/private-file.ts";
import type { Environment } from "./host.ts";
import { type HostKind, hostKinds, hosts, isHostKind } from "./registry.ts";

/** How to authenticate: a token, or an app with its private key. */
export type Credential =
  | { readonly is: "token"; readonly variables: readonly [string, ...string[]] }
  | { readonly is: "app"; readonly id: string; readonly keyVariable: string };

/** A code host that the environment names exactly, for all its owners or for one. */
export type KnownHost = {
  readonly name: string;
  /** The organisation or group that the credential is for, with everything below it; null for all. */
  readonly owner: string | null;
  readonly kind: HostKind;
  readonly credential: Credential;
  /** The address of the API; undefined for the host's own default. */
  readonly baseUrl: string | undefined;
  /** Whether git may send the token to this name. */
  readonly isTokenForGit: boolean;
};

/** The code hosts of an environment. A name is looked up exactly: a token never goes to a name that only looks alike. */
export class KnownHosts {
  readonly #environment: Environment;
  readonly #all: readonly KnownHost[];

  constructor(environment: Environment, all: readonly KnownHost[]) {
    this.#environment = environment;
    this.#all = all;
  }

  /** The entry for the repositories of an owner: the most specific one, and of equal ones the last. */
  find(hostName: string, owner = ""): KnownHost | null {
    const name = hostName.toLowerCase();
    const fitting = this.#all.filter((host) => host.name === name && covers(host.owner, owner));
    return fitting.sort((a, b) => (a.owner ?? "").length - (b.owner ?? "").length).at(-1) ?? null;
  }

  /** The kind of a host, whichever of its owners have credentials. */
  kindOf(hostName: string): HostKind | null {
    return this.#all.find(({ name }) => name === hostName.toLowerCase())?.kind ?? null;
  }

  /** The token or the key of a host; null if its variable is not set. A value that starts with `/` is a file. */
  secretOf({ credential }: KnownHost): string | null {
    const names = credential.is === "app" ? [credential.keyVariable] : credential.variables;
    const value = names.map((name) => this.#environment[name]).find((each) => each) ?? null;
    return value?.startsWith("/") ? readPrivateFile(value) : value;
  }

  /** How long a host may take to answer, in milliseconds. */
  timeout(): number | undefined {
    return this.#number("SUTURE_HOST_TIMEOUT");
  }

  /** How many requests that write may be sent in a minute with one token, if the environment says so. */
  writesPerMinute(): number | undefined {
    return this.#number("SUTURE_WRITES_PER_MINUTE");
  }

  #number(name: string): number | undefined {
    const value = Number(this.#environment[name]);
    return value > 0 ? value : undefined;
  }
}

/** Hosts do not tell `ACME` from `acme`. A group covers the groups below it. */
function covers(wanted: string | null, owner: string): boolean {
  if (wanted === null) return true;
  return `${owner.toLowerCase()}/`.startsWith(`${wanted.toLowerCase()}/`);
}

/** The variable to set for a host, for messages. */
export function variableOf({ credential }: KnownHost): string {
  return credential.is === "app" ? credential.keyVariable : credential.variables[0];
}

/**
 * Reads the hosts of an environment: the public ones, those whose API a variable such as `SUTURE_GITHUB_API` names, and
 * those of `SUTURE_HOSTS`, a list such as `git.example.org=github:EXAMPLE_TOKEN`.
 */
export function readKnownHosts(environment: Environment): Outcome<KnownHosts> {
  const all = hostKinds.flatMap((kind) => hostsOfKind(environment, kind));
  for (const entry of (environment.SUTURE_HOSTS ?? "").split(/[\s,]+/).filter(Boolean)) {
    const host = parseEntry(entry, environment);
    if (host === null)
      return refuse({
        code: "malformed",
        what: `SUTURE_HOSTS: ${JSON.stringify(entry)} is not NAME=KIND:TOKEN_VARIABLE`,
        hint: `Name each host exactly, such as git.example.org=${hostKinds[0]}:EXAMPLE_TOKEN, git.example.org/acme=${hostKinds[0]}:ACME_TOKEN for one owner, or github.com=github:app:12345:KEY_VARIABLE for an app. Kinds are ${hostKinds.join(" and ")}.`,
      });
    all.push(host);
  }
  return accept(new KnownHosts(environment, all));
}

function hostsOfKind(environment: Environment, kind: HostKind): KnownHost[] {
  const { publicHost, variables } = hosts[kind];
  const api = environment[variables.api];
  const ownName = ownApiHost(environment, kind);
  const credential: Credential = { is: "token", variables: variables.tokens };
  const shared = { kind, owner: null, credential, baseUrl: api };
  // With an API of one's own, the token belongs to that host, and git must not send it to the public one.
  const open: KnownHost = { ...shared, name: publicHost, isTokenForGit: ownName === null };
  return ownName === null ? [open] : [open, { ...shared, name: ownName, isTokenForGit: true }];
}

/** The host of the API that a variable names; null if it is the public one's, also through a proxy on this machine. */
function ownApiHost(environment: Environment, kind: HostKind): string | null {
  const { publicHost, variables } = hosts[kind];
  const api = environment[variables.api];
  const host = api === undefined ? null : (URL.parse(api)?.host.toLowerCase() ?? null);
  return host === null || isThisMachine(host) || isBelow(host, publicHost) ? null : host;
}

const entryForm =
  /^([a-z0-9][a-z0-9.-]*(?::\d{1,5})?)((?:\/[\w.-]+)*)=([a-z]+):(?:app:([\w.]+):)?([A-Za-z_]\w*)$/i;

function parseEntry(entry: string, environment: Environment): KnownHost | null {
  const [, name = "", owner = "", kind = "", app, variable = ""] = entryForm.exec(entry) ?? [];
  if (!isHostKind(kind) || (app !== undefined && hosts[kind].openApp === undefined)) return null;
  const lower = name.toLowerCase();
  const isPublic = lower === hosts[kind].publicHost;
  const publicApi =
    ownApiHost(environment, kind) === null ? environment[hosts[kind].variables.api] : undefined;
  return {
    name: lower,
    owner: owner === "" ? null : owner.slice(1),
    kind,
    credential:
      app === undefined
        ? { is: "token", variables: [variable] }
        : { is: "app", id: app, keyVariable: variable },
    baseUrl: isPublic ? publicApi : `https://${lower}${hosts[kind].apiPath}`,
    isTokenForGit: true,
  };
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
