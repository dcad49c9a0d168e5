import { oneLine } from "../text/characters/one-line.ts";
import { defined } from "../text/model/defined.ts";
import { parseJson } from "../text/model/json.ts";
import { accept, type Outcome, refuse } from "../text/model/outcome.ts";
import type { HostOptions } from "./host.ts";
import { toSource } from "./token.ts";

/** One request to a REST API. */
export type RestRequest = {
  readonly method?: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** The path below the root of the API. Names in it are encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  /** Sending it twice has the same effect as sending it once. Default: every method but POST. */
  readonly repeatable?: boolean;
};

export type RestResponse = { readonly status: number; readonly headers: Headers; readonly value: unknown };

/**
 * Sends a request, and retries it when the host limits the rate or fails. A response without success is a refusal. A
 * request that the host may have carried out is not repeated: the caller checks first.
 */
export type RestClient = (request: RestRequest) => Promise<Outcome<RestResponse>>;

const mostBytes = 32 << 20;
const mostAttempts = 5;

export function openRestClient(
  { baseUrl, token, patience = 60_000, timeout = 30_000, sleep = pause }: HostOptions & { baseUrl: string },
  headersFor: (token: string) => Readonly<Record<string, string>>,
): Outcome<RestClient> {
  const root = locateRoot(baseUrl);
  if (!root.ok) return root;
  const source = toSource(token);
  return accept(async (request) => {
    // Servers resolve these as parent folders even when they are encoded.
    if (request.path.split("/").some((name) => /^(\.|%2e){1,2}$/i.test(name)))
      return refuse({ code: "malformed", what: "a name on a code host is not `.` or `..`" });
    let waited = 0;
    let isRenewed = false;
    for (let attempt = 1; ; attempt++) {
      const current = await source.get();
      if (!current.ok) return current;
      const say = (text: string): string => oneLine(hide(text, current.value)).slice(0, 300);
      const sent = await send(root.value, request, { headers: headersFor(current.value), timeout });
      if (!isRenewed && isTokenRefused(sent) && source.refused(sent.answer.headers)) {
        isRenewed = true;
        continue;
      }
      const wait = waitFor(sent, request, attempt);
      if (wait === null) return judge(sent, request, say);
      waited += wait;
      if (attempt === mostAttempts || waited > patience) return giveUp(sent, wait, say);
      await sleep(wait, isLimited(sent) ? "limit" : "fault");
    }
  });
}

/** Plain http is allowed to this machine only: the token must not cross a network unencrypted. */
function locateRoot(baseUrl: string): Outcome<URL> {
  const url = URL.parse(baseUrl.endsWith("/") ? baseUrl : `${baseUrl}/`);
  if (url === null || [url.username, url.password, url.search, url.hash].some((part) => part !== ""))
    return refuse({
      code: "malformed",
      what: "the address of a code host is a plain URL, without credentials",
    });
  const isNear = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isNear))
    return refuse({ code: "malformed", what: "a code host is reached over https" });
  return accept(url);
}

type Sent =
  | { readonly ok: true; readonly answer: RestResponse }
  | { readonly ok: false; readonly why: string; readonly isFinal?: boolean };

/** A host that refuses a token has done nothing. */
function isTokenRefused(sent: Sent): sent is Sent & { readonly ok: true } {
  return sent.ok && sent.answer.status === 401;
}

const mostRedirects = 3;

async function send(
  root: URL,
  { method = "GET", path, query = {}, body }: RestRequest,
  { headers, timeout }: { readonly headers: Readonly<Record<string, string>>; readonly timeout: number },
): Promise<Sent> {
  let url = new URL(`./${path.replace(/^\/+/, "")}`, root);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  const signal = AbortSignal.timeout(timeout);
  try {
    for (let hop = 0; ; hop++) {
      const response = await fetch(url, {
        method,
        headers: {
          ...headers,
          ...defined({ "content-type": body === undefined ? undefined : "application/json" }),
        },
        ...defined({ body: body === undefined ? undefined : JSON.stringify(body) }),
        redirect: "manual",
        signal,
      });
      const next = redirectOf(response, url);
      if (next === null) return { ok: true, answer: await read(response) };
      await response.body?.cancel();
      // The token must not be sent to another host.
      if (next.origin !== root.origin)
        return { ok: false, why: "the host sends us to another host", isFinal: true };
      if (hop === mostRedirects) return { ok: false, why: "the host sends us in a circle", isFinal: true };
      if (method !== "GET" && response.status !== 307 && response.status !== 308)
        return { ok: false, why: "the host has moved this; ask for it by its new name" };
      url = next;
    }
  } catch (error) {
    return { ok: false, why: reasonOf(error) };
  }
}

function redirectOf(response: Response, url: URL): URL | null {
  if (![301, 302, 303, 307, 308].includes(response.status)) return null;
  const to = response.headers.get("location");
  return to === null ? null : URL.parse(to, url.href);
}

async function read(response: Response): Promise<RestResponse> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (response.body)
    for await (const chunk of response.body) {
      size += chunk.byteLength;
      if (size > mostBytes) throw new Error(`the answer is larger than ${mostBytes} bytes`);
      chunks.push(chunk);
    }
  const text = new TextDecoder().decode(Buffer.concat(chunks));
  return {
    status: response.status,
    headers: response.headers,
    value: text === "" ? null : (parseJson(text) ?? text),
  };
}

function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string } };
  if (name === "TimeoutError") return "the host did not answer in time";
  return cause?.code ?? message;
}

/** Whether the host said itself that it limits us, and did not fail. */
function isLimited(sent: Sent): boolean {
  return sent.ok && (sent.answer.status < 500 || sent.answer.headers.has("retry-after"));
}

/** How long to wait before a retry; null if the response is final. */
function waitFor(sent: Sent, request: RestRequest, attempt: number): number | null {
  if (!sent.ok) return isSafe(request) && !sent.isFinal ? delay(attempt) : null;
  const wait = waitOf(sent.answer, attempt);
  return wait !== null && isUndone(sent.answer, request) ? wait : null;
}

/** How long to wait before the request is sent again; null if the response is final. */
function waitOf({ status, headers, value }: RestResponse, attempt: number): number | null {
  const limited = status === 429 || (status === 403 && isLimit(headers, value));
  if (!limited && status < 500) return null;
  const now = timeAt(headers);
  const after = headers.get("retry-after");
  if (after !== null) {
    const until = /^\d+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - now;
    if (Number.isFinite(until)) return Math.max(0, until);
  }
  const reset = Number(headers.get("x-ratelimit-reset"));
  if (limited && headers.get("x-ratelimit-remaining") === "0" && reset > 0)
    return Math.max(1000, reset * 1000 - now);
  return delay(attempt);
}

/** The time on the host's clock. The clock of this machine may be wrong, and a pause counts for all workers. */
function timeAt(headers: Headers): number {
  const time = Date.parse(headers.get("date") ?? "");
  return Number.isFinite(time) ? time : Date.now();
}

/** GitHub's secondary limits have no code and not always a header: then only the message names them. */
const limitMessage = /rate limit|abuse/i;

function isLimit(headers: Headers, value: unknown): boolean {
  return (
    headers.has("retry-after") ||
    headers.get("x-ratelimit-remaining") === "0" ||
    limitMessage.test(messageOf(value))
  );
}

function delay(attempt: number): number {
  return 500 * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
}

function isSafe({ method = "GET", repeatable = method !== "POST" }: RestRequest): boolean {
  return repeatable;
}

/** A host that limits the rate has done nothing. A host that failed may have carried out the request. */
function isUndone({ status }: RestResponse, request: RestRequest): boolean {
  return status === 429 || status === 403 || status === 503 || isSafe(request);
}

function judge(
  sent: Sent,
  { method = "GET", path }: RestRequest,
  say: (text: string) => string,
): Outcome<RestResponse> {
  if (!sent.ok) return unreachable(say(sent.why));
  const { status, value } = sent.answer;
  if (status >= 200 && status < 300) return accept(sent.answer);
  const detail = say(`${method} ${path}: ${status} ${messageOf(value)}`);
  if (status === 401 || status === 403) return refuse({ code: "not-allowed", detail, status });
  if (status === 404 || status === 410) return refuse({ code: "not-found", what: "resource", detail });
  if (status === 409 || status === 422 || status === 400) return refuse({ code: "conflict", detail });
  return refuse({ code: "unavailable", detail });
}

function giveUp(sent: Sent, wait: number, say: (text: string) => string): Outcome<never> {
  if (!sent.ok) return unreachable(say(sent.why));
  const detail = `the code host asks to wait another ${Math.ceil(wait / 1000)} seconds (${sent.answer.status})`;
  return refuse({ code: "unavailable", detail: say(detail) });
}

function unreachable(why: string): Outcome<never> {
  return refuse({ code: "unavailable", detail: `the code host cannot be reached: ${why}` });
}

/** The error message of an API, with the first of its details. */
function messageOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return "";
  const { message, error, errors } = value as Record<string, unknown>;
  const [first] = Array.isArray(errors) ? errors : [];
  const more =
    typeof first === "string" ? first : ((first as { message?: string } | undefined)?.message ?? "");
  return [message, error, more]
    .map((each) => (typeof each === "string" ? each : each === undefined ? "" : JSON.stringify(each)))
    .filter(Boolean)
    .join(": ");
}

/** Encodes a path for a URL. Slashes stay. */
export function encodePath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

function hide(text: string, token: string): string {
  return token === "" ? text : text.replaceAll(token, "[token]");
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
