import { createPrivateKey, type KeyObject, sign } from "node:crypto";
import { z } from "zod";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import type { AppOptions } from "../host.ts";
import { parseResponse } from "../pages.ts";
import { openRestClient, type RestClient, type RestResponse } from "../rest.ts";
import type { HostApp, TokenSource } from "../token.ts";
import { apiHeaders, publicApi } from "./headers.ts";

/** Opens a GitHub App. The key is the private key of the app, in PEM. */
export function openGitHubApp(options: AppOptions): Outcome<HostApp> {
  const key = parseKey(options.key);
  if (key === null)
    return refuse({
      code: "malformed",
      what: `the key of the app ${options.id} is not a private key in PEM`,
    });
  const jwt = new AppToken(options.id, key);
  const opened = openRestClient(
    { ...options, baseUrl: options.baseUrl ?? publicApi, token: jwt },
    apiHeaders,
  );
  if (!opened.ok) return opened;
  return accept(new GitHubApp(opened.value, options));
}

function parseKey(text: string): KeyObject | null {
  try {
    // Files of variables have one line for each value, so a key may spell its line breaks.
    return createPrivateKey(text.replaceAll("\\n", "\n"));
  } catch {
    return null;
  }
}

const jwtSeconds = 540;
const clockTolerance = 30_000;

/** The signed token of the app itself. Its times follow the host's clock, which its responses show. */
class AppToken implements TokenSource {
  readonly #id: string;
  readonly #key: KeyObject;
  /** The host's clock minus ours, in milliseconds. */
  #skew = 0;

  constructor(id: string, key: KeyObject) {
    this.#id = id;
    this.#key = key;
  }

  async get(): Promise<Outcome<string>> {
    const now = Math.floor((Date.now() + this.#skew) / 1000);
    const claims = { iat: now - 60, exp: now + jwtSeconds, iss: this.#id };
    const signed = `${encode({ alg: "RS256", typ: "JWT" })}.${encode(claims)}`;
    return accept(`${signed}.${sign("RSA-SHA256", Buffer.from(signed), this.#key).toString("base64url")}`);
  }

  /** A host refuses times that are wrong by its own clock. */
  refused(headers: Headers): boolean {
    const hostTime = Date.parse(headers.get("date") ?? "");
    if (!Number.isFinite(hostTime)) return false;
    const skew = hostTime - Date.now();
    if (Math.abs(skew - this.#skew) < clockTolerance) return false;
    this.#skew = skew;
    return true;
  }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

class GitHubApp implements HostApp {
  readonly #http: RestClient;
  readonly #options: AppOptions;
  readonly #installations = new Map<string, InstallationToken>();

  constructor(http: RestClient, options: AppOptions) {
    this.#http = http;
    this.#options = options;
  }

  tokenFor(owner: string): TokenSource {
    const key = owner.toLowerCase();
    const known = this.#installations.get(key) ?? new InstallationToken(this.#http, owner, this.#options);
    this.#installations.set(key, known);
    return known;
  }
}

/** A new token is requested this long before the old one expires, or after three quarters of its life. */
const margin = 600_000;

type GrantedToken = { readonly token: string; readonly renewAt: number };

/** The token of one installation. It is renewed before it expires, by one request at a time. */
class InstallationToken implements TokenSource {
  readonly #http: RestClient;
  readonly #owner: string;
  readonly #app: string;
  readonly #now: () => number;
  #id: number | null = null;
  #granted: GrantedToken | null = null;
  #renewing: Promise<Outcome<string>> | null = null;

  constructor(http: RestClient, owner: string, { id, now = () => performance.now() }: AppOptions) {
    this.#http = http;
    this.#owner = owner;
    this.#app = id;
    this.#now = now;
  }

  async get(): Promise<Outcome<string>> {
    if (this.#granted && this.#now() < this.#granted.renewAt) return accept(this.#granted.token);
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = null;
    });
    return this.#renewing;
  }

  refused(): boolean {
    const hadOne = this.#granted !== null;
    this.#granted = null;
    return hadOne;
  }

  async #renew(): Promise<Outcome<string>> {
    const answer = await this.#requestToken();
    const granted = parseResponse(tokenSchema, answer);
    if (!answer.ok || !granted.ok) return answer.ok ? (granted as Outcome<never>) : answer;
    const { token, expires_at } = granted.value;
    this.#granted = { token, renewAt: this.#now() + lifeOf(answer.value, expires_at) };
    return accept(token);
  }

  /** An app that was removed and installed again has another number: it is looked up once more. */
  async #requestToken(): Promise<Outcome<RestResponse>> {
    if (this.#id !== null) {
      const asked = await this.#exchange(this.#id);
      if (asked.ok || asked.refusal.code !== "not-found") return asked;
    }
    const found = await this.#findInstallation();
    if (!found.ok) return found;
    this.#id = found.value;
    return this.#exchange(found.value);
  }

  #exchange(id: number): Promise<Outcome<RestResponse>> {
    const path = `app/installations/${id}/access_tokens`;
    return this.#http({ method: "POST", path, body: {}, repeatable: true });
  }

  async #findInstallation(): Promise<Outcome<number>> {
    const owner = encodeURIComponent(this.#owner);
    for (const kind of ["orgs", "users"]) {
      const found = parseResponse(idSchema, await this.#http({ path: `${kind}/${owner}/installation` }));
      if (found.ok) return accept(found.value.id);
      if (found.refusal.code !== "not-found") return found;
    }
    return refuse({
      code: "not-allowed",
      detail: `the app ${this.#app} is not installed for ${this.#owner}`,
    });
  }
}

/** How long a token may be used. Both times are the host's, so that our clock does not matter. */
function lifeOf({ headers }: RestResponse, expiresAt: string): number {
  const now = Date.parse(headers.get("date") ?? "");
  const life = Date.parse(expiresAt) - (Number.isFinite(now) ? now : Date.now());
  return Math.max(0, life - Math.min(margin, life / 4));
}

const idSchema = z.object({ id: z.int() });
const tokenSchema = z.object({ token: z.string().min(1), expires_at: z.string() });
