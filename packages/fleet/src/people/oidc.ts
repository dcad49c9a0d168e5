import { createHash } from "node:crypto";
import { rememberSuccess } from "suture/service";
import { accept, type Outcome, refuse } from "suture/text";
import { z } from "zod";
import { type IdClaims, readIdToken } from "./id-token.ts";
import type { Person } from "./members.ts";

/** How people sign in with an OpenID Connect provider. */
export type OidcOptions = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The claim that names the groups of a person. */
  readonly groupsClaim: string;
};

/** What a sign-in remembers until the provider sends the person back. */
export type PendingSignIn = { readonly state: string; readonly nonce: string; readonly verifier: string };

/** The sign-in of a fleet that people reach at one address. */
export class OidcProvider {
  readonly #options: OidcOptions;
  readonly #redirectUri: string;
  readonly #discover: () => Promise<Outcome<Endpoints>>;

  constructor(options: OidcOptions, redirectUri: string) {
    this.#options = options;
    this.#redirectUri = redirectUri;
    this.#discover = rememberSuccess(() => discover(options.issuer));
  }

  /** The address of the provider that asks a person to sign in. */
  async authorizationUrl({ state, nonce, verifier }: PendingSignIn): Promise<Outcome<string>> {
    const found = await this.#discover();
    if (!found.ok) return found;
    const url = new URL(found.value.authorization_endpoint);
    const query = {
      response_type: "code",
      client_id: this.#options.clientId,
      redirect_uri: this.#redirectUri,
      scope: "openid email profile",
      state,
      nonce,
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
    };
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return accept(url.href);
  }

  /** The person that the provider's code identifies. */
  async personOf(code: string, { nonce, verifier }: PendingSignIn): Promise<Outcome<Person>> {
    const found = await this.#discover();
    if (!found.ok) return found;
    const { clientId, clientSecret, issuer } = this.#options;
    const form = new URLSearchParams({
      grant_type: "authorization_code",
      code,
      redirect_uri: this.#redirectUri,
      code_verifier: verifier,
    });
    const secret = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`);
    const granted = await ask(found.value.token_endpoint, tokenSchema, {
      method: "POST",
      headers: { authorization: `Basic ${secret.toString("base64")}` },
      body: form,
    });
    if (!granted.ok) return granted;
    // Providers change their keys, so these are read for each sign-in.
    const listed = await ask(found.value.jwks_uri, keysSchema);
    if (!listed.ok) return listed;
    const expected = { issuer, clientId, nonce, now: Date.now() };
    const claims = await readIdToken(granted.value.id_token, listed.value.keys, expected);
    return claims === null
      ? refuse({ code: "not-allowed", detail: "the sign-in provider sent an ID token that is not valid" })
      : accept(toPerson(claims, this.#options.groupsClaim));
  }
}

/** A person is known by an e-mail address that the provider has verified, else by the provider's own id. */
function toPerson(claims: IdClaims, groupsClaim: string): Person {
  const { email, email_verified, sub } = claims;
  const groups = z.array(z.string()).safeParse(claims[groupsClaim]);
  return {
    name: email !== undefined && email_verified === true ? email.toLowerCase() : `sub:${sub}`,
    groups: groups.success ? groups.data : [],
  };
}

async function discover(issuer: string): Promise<Outcome<Endpoints>> {
  const address = `${issuer.replace(/\/+$/, "")}/.well-known/openid-configuration`;
  const found = await ask(address, endpointsSchema);
  if (!found.ok || found.value.issuer === issuer) return found;
  return refuse({ code: "not-allowed", detail: `${issuer} says that it is ${found.value.issuer}` });
}

const mostBytes = 1 << 20;

async function ask<T>(address: string, schema: z.ZodType<T>, init: RequestInit = {}): Promise<Outcome<T>> {
  const away = (why: string) => refuse({ code: "unavailable", detail: `the sign-in provider: ${why}` });
  if (!isSecure(address)) return away("its addresses must be https");
  try {
    const response = await fetch(address, {
      ...init,
      redirect: "error",
      signal: AbortSignal.timeout(10_000),
    });
    const text = await response.text();
    if (!response.ok || text.length > mostBytes) return away(`it answered ${response.status}`);
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? accept(parsed.data) : away("it sent an unexpected response");
  } catch (error) {
    return away(error instanceof SyntaxError ? "it sent no JSON" : "it cannot be reached");
  }
}

/** Plain http is allowed to this machine only. */
function isSecure(address: string): boolean {
  const url = URL.parse(address);
  if (url?.protocol === "https:") return true;
  return url?.protocol === "http:" && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
}

const endpointsSchema = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  jwks_uri: z.string(),
});
type Endpoints = z.infer<typeof endpointsSchema>;
const tokenSchema = z.object({ id_token: z.string() });
const keysSchema = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });
