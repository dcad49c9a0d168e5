import { randomBytes } from "node:crypto";
import { deny, type Exchange, type RequestHead, redirect, send, sendJson } from "suture/service";
import { z } from "zod";
import type { Log } from "../serve/log.ts";
import type { Query } from "../store/database.ts";
import { fleetMessages } from "../wording/messages.ts";
import { recordAction } from "./actions.ts";
import { endSession, readSession, startSession } from "./members.ts";
import { type OidcOptions, OidcProvider, type PendingSignIn } from "./oidc.ts";
import type { Viewer } from "./viewer.ts";

export type SignInOptions = {
  readonly oidc: OidcOptions | null;
  /** The address at which people reach the page, such as `https://fleet.example.org`. */
  readonly publicUrl: string;
};

/** Signs people in and out. A session is a cookie that scripts cannot read. */
export class SignIn {
  readonly #query: Query;
  readonly #log: Log;
  readonly #provider: OidcProvider | null;
  readonly #isSecure: boolean;

  constructor({ query, log }: { readonly query: Query; readonly log: Log }, options: SignInOptions) {
    this.#query = query;
    this.#log = log;
    this.#isSecure = options.publicUrl.startsWith("https://");
    this.#provider = options.oidc && new OidcProvider(options.oidc, `${options.publicUrl}/auth/callback`);
  }

  /** The person whose session a request shows. */
  async viewerOf(head: RequestHead): Promise<Viewer | null> {
    const key = this.#provider && this.#cookieOf(head, "session");
    return key ? readSession(this.#query, key) : null;
  }

  async handle(exchange: Exchange): Promise<void> {
    const { head, response } = exchange;
    const { pathname, searchParams } = new URL(head.url, "http://fleet");
    const isGet = head.method === "GET";
    if (pathname === "/auth/about" && isGet)
      return sendJson(response, 200, { signIn: this.#provider !== null });
    if (this.#provider === null) return deny(response, { status: 404 });
    if (pathname === "/auth/sign-in" && isGet)
      return this.#begin(exchange, this.#provider, searchParams.get("to") ?? "/");
    if (pathname === "/auth/callback" && isGet) return this.#finish(exchange, this.#provider, searchParams);
    if (pathname === "/auth/sign-out" && head.method === "POST") return this.#end(exchange);
    deny(response, { status: 404 });
  }

  async #begin(exchange: Exchange, provider: OidcProvider, to: string): Promise<void> {
    const random = (): string => randomBytes(32).toString("base64url");
    const pending = { state: random(), nonce: random(), verifier: random(), to: isOwnPage(to) ? to : "/" };
    const url = await provider.authorizationUrl(pending);
    if (!url.ok) return this.#fail(exchange, url.refusal);
    const cookie = Buffer.from(JSON.stringify(pending)).toString("base64url");
    redirect(exchange.response, url.value, [this.#cookie("pending", cookie, 600)]);
  }

  async #finish(exchange: Exchange, provider: OidcProvider, query: URLSearchParams): Promise<void> {
    const pending = readPending(this.#cookieOf(exchange.head, "pending"));
    const code = query.get("code");
    if (pending === null || code === null || query.get("state") !== pending.state)
      return refuseInWords(exchange, 400, fleetMessages.signInUnknown);
    const person = await provider.personOf(code, pending);
    if (!person.ok) return this.#fail(exchange, person.refusal);
    const session = await startSession(this.#query, person.value);
    await recordAction(this.#query, {
      who: person.value.name,
      did: "signed in",
      organisation: null,
      target: "the fleet page",
    });
    redirect(exchange.response, pending.to, [
      this.#cookie("session", session, 12 * 3600),
      this.#cookie("pending", "", 0),
    ]);
  }

  async #end({ head, response }: Exchange): Promise<void> {
    const key = this.#cookieOf(head, "session");
    if (key) await endSession(this.#query, key);
    redirect(response, "/", [this.#cookie("session", "", 0)]);
  }

  #fail(exchange: Exchange, refusal: object): void {
    this.#log("sign-in-failed", { refusal });
    refuseInWords(exchange, 403, fleetMessages.signInRefused);
  }

  /** With this prefix, browsers accept the cookie over https from this host only. */
  #nameOf(which: "session" | "pending"): string {
    return `${this.#isSecure ? "__Host-" : ""}suture-fleet-${which}`;
  }

  #cookie(which: "session" | "pending", value: string, seconds: number): string {
    const secure = this.#isSecure ? "; Secure" : "";
    return `${this.#nameOf(which)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`;
  }

  #cookieOf({ headers: { cookie } }: RequestHead, which: "session" | "pending"): string | null {
    if (typeof cookie !== "string") return null;
    const name = `${this.#nameOf(which)}=`;
    const found = cookie.split(/;\s*/).find((each) => each.startsWith(name));
    return found?.slice(name.length) || null;
  }
}

/** A person reads the answer in the browser. */
function refuseInWords({ response }: Exchange, status: number, text: string): void {
  send(response, { status, type: "text/plain; charset=utf-8", body: `${text}\n` });
}

/** Only a page of this server, never another host. */
function isOwnPage(to: string): boolean {
  return /^\/(?![/\\])[\w./?&=%+-]*$/.test(to);
}

function readPending(cookie: string | null): (PendingSignIn & { readonly to: string }) | null {
  try {
    const parsed = pendingSchema.safeParse(JSON.parse(Buffer.from(cookie ?? "", "base64url").toString()));
    return parsed.success && isOwnPage(parsed.data.to) ? parsed.data : null;
  } catch {
    return null;
  }
}

const pendingSchema = z.object({
  state: z.string().min(20),
  nonce: z.string().min(20),
  verifier: z.string().min(20),
  to: z.string(),
});
