import {
  type CodeHost,
  type HostApp,
  type HostKind,
  type HostOptions,
  hosts,
  type KnownHost,
  type KnownHosts,
  type TokenSource,
  variableOf,
} from "suture/service";
import { accept, type Outcome, refuse } from "suture/text";

/** Where a repository lives: the exact name of its host, and its owner there. */
export type HostedOwner = { readonly host: string; readonly organisation: string };

/** The credentials of a process: fixed tokens, and tokens of apps, which are kept until they must be renewed. */
export class HostCredentials {
  readonly #known: KnownHosts;
  readonly #request: Pick<HostOptions, "patience" | "sleep">;
  readonly #apps = new Map<string, Outcome<HostApp>>();
  readonly #opened = new Map<string, CodeHost>();

  constructor(known: KnownHosts, request: Pick<HostOptions, "patience" | "sleep"> = {}) {
    this.#known = known;
    this.#request = request;
  }

  kindOf(hostName: string): HostKind | null {
    return this.#known.kindOf(hostName);
  }

  /** The name under which the limits of a host count: its own, or that of an owner with a credential of its own. */
  scopeOf({ host, organisation }: HostedOwner): string {
    const found = this.#known.find(host, organisation);
    if (found?.credential.is === "app") return `${found.name}/${organisation.toLowerCase()}`;
    return found?.owner == null ? host : `${found.name}/${found.owner.toLowerCase()}`;
  }

  /** The limit of requests that write: the host's own, or the one that the environment sets. */
  writesPerMinute(limit: number): number {
    return this.#known.writesPerMinute() ?? limit;
  }

  /** A host as the owner of a repository may use it. A host that is not known by this exact name is refused. */
  open(kind: HostKind, { host, organisation }: HostedOwner): Outcome<CodeHost> {
    const found = this.#known.find(host, organisation);
    if (found?.kind !== kind)
      return refuse({
        code: "unavailable",
        detail: `${host} is not a known host of the kind ${kind}: add ${host}=${kind}:TOKEN_VARIABLE to SUTURE_HOSTS`,
      });
    const scope = this.scopeOf({ host, organisation });
    const known = this.#opened.get(scope);
    if (known) return accept(known);
    const token = this.#sourceFor(found, organisation);
    if (!token.ok) return token;
    if (token.value === null)
      return refuse({
        code: "unavailable",
        detail: `there is no token for ${scope}: set ${variableOf(found)}`,
      });
    const opened = hosts[kind].open({ ...this.#optionsFor(found), token: token.value });
    if (opened.ok) this.#opened.set(scope, opened.value);
    return opened;
  }

  /** The public instance of a kind. */
  openPublic(kind: HostKind, organisation: string): Outcome<CodeHost> {
    return this.open(kind, { host: hosts[kind].publicHost, organisation });
  }

  /** The header that authenticates git's fetches; null where there is no credential for this exact host. */
  async gitHeader({ host, organisation }: HostedOwner): Promise<Outcome<string | null>> {
    const found = this.#known.find(host, organisation);
    if (!found?.isTokenForGit) return accept(null);
    const source = this.#sourceFor(found, organisation);
    if (!source.ok || source.value === null) return source.ok ? accept(null) : source;
    const token = await source.value.get();
    if (!token.ok) return token;
    const credentials = `${hosts[found.kind].gitUser}:${token.value}`;
    return accept(`Authorization: Basic ${Buffer.from(credentials).toString("base64")}`);
  }

  /** Null if the variable of the credential is not set. */
  #sourceFor(found: KnownHost, organisation: string): Outcome<TokenSource | null> {
    const secret = this.#known.secretOf(found);
    if (secret === null) return accept(null);
    if (found.credential.is === "token") return accept(new ConfiguredToken(this.#known, found));
    const key = `${found.name} ${found.owner ?? ""} ${found.credential.id}`;
    const app = this.#apps.get(key) ?? this.#openApp(found, { id: found.credential.id, key: secret });
    this.#apps.set(key, app);
    // An app is installed for an organisation or a person, never for a part of one.
    return app.ok ? accept(app.value.tokenFor(organisation.split("/", 1).join())) : app;
  }

  #openApp(found: KnownHost, app: { readonly id: string; readonly key: string }): Outcome<HostApp> {
    return hosts[found.kind].openApp!({ ...this.#optionsFor(found), ...app });
  }

  #optionsFor({ baseUrl }: KnownHost): Omit<HostOptions, "token"> {
    const timeout = this.#known.timeout();
    return {
      ...this.#request,
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(timeout === undefined ? {} : { timeout }),
    };
  }
}

/** A token of the environment. It is read for every request, so that a file with a new token counts at once. */
class ConfiguredToken implements TokenSource {
  readonly #known: KnownHosts;
  readonly #host: KnownHost;
  #last = "";

  constructor(known: KnownHosts, host: KnownHost) {
    this.#known = known;
    this.#host = host;
  }

  async get(): Promise<Outcome<string>> {
    const token = this.#known.secretOf(this.#host);
    if (token === null)
      return refuse({ code: "unavailable", detail: `there is no token in ${variableOf(this.#host)}` });
    this.#last = token;
    return accept(token);
  }

  refused(): boolean {
    return (this.#known.secretOf(this.#host) ?? this.#last) !== this.#last;
  }
}
