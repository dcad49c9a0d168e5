import { dropComments } from "../../../syntax/source/doc-comments.ts";
import { createWordFinder } from "../../../syntax/words/words.ts";
import { fold } from "../../change/names.ts";
import { isProduct, type State } from "../../state/state.ts";
import { plainName } from "../../surface/surface-change.ts";
import type { Thing } from "../../surface/thing.ts";
import { type BoundNames, hasRole } from "./bind.ts";
import type { NameClaim } from "./read.ts";

/** Whether none of the things is left, nothing else fits the words, and every file that has the word was read. */
export function isGone(claim: NameClaim, bound: BoundNames, head: State): Promise<boolean> {
  const answers = known.get(head) ?? new Map<string, Promise<boolean>>();
  known.set(head, answers);
  const key = [claim.role, claim.named.name, bound.by, ...bound.things.map(({ id }) => id)].join("\0");
  const answer = answers.get(key) ?? proveGone(claim, bound, head);
  answers.set(key, answer);
  return answer;
}

const known = new WeakMap<State, Map<string, Promise<boolean>>>();

async function proveGone(
  { named, role }: NameClaim,
  { things, by }: BoundNames,
  head: State,
): Promise<boolean> {
  const { name } = named;
  const now = await head.things(name);
  if (now.unread.length > 0) return false;
  const fitting = now.things.filter((thing) => hasRole(thing, role));
  if (by === "command") return fitting.length === 0 && isClosed(name, things, head);
  if (by === "qualified" || by === "import" || by === "section")
    return isGoneFromOwner(name, { was: things, now: fitting }, head);
  if (fitting.length > 0) return false;
  return role === "flag" && (await isClosed(name, things, head))
    ? true
    : !(await isWordLeft(name, things, head));
}

/** The owner that the page names has the thing no more, and nothing that stands there could declare it. */
async function isGoneFromOwner(
  name: string,
  { was, now }: { readonly was: readonly Thing[]; readonly now: readonly Thing[] },
  head: State,
): Promise<boolean> {
  const owners = new Set(was.map(ownerOf));
  if (now.some((thing) => thing.exported !== "no" && owners.has(ownerOf(thing)))) return false;
  for (const owner of owners) {
    if (owner !== "" && now.length > 0 && !(await isComplete(owner, head))) return false;
  }
  return !(await mayBeDeclared(name, was, head));
}

function ownerOf({ owner }: Thing): string {
  return fold(owner.at(-1) ?? "");
}

/** Whether all members of a type are known: it has no base, or it is gone itself. */
async function isComplete(owner: string, head: State): Promise<boolean> {
  const { things } = await head.things(owner);
  return things.every(
    ({ declaration = "" }) => !/\bextends\b|\bimplements\b|^class\s+\w+\s*\(|[<:]\s*[A-Z]/.test(declaration),
  );
}

/** Whether files that declared the things hold the name where a declaration may stand: assigned, imported, quoted. */
async function mayBeDeclared(name: string, things: readonly Thing[], head: State): Promise<boolean> {
  const word = name.replace(/\W/g, "\\$&");
  const declaring = new RegExp(
    `\\bas\\s+${word}\\b|["'\`]${word}["'\`]|(?<![.\\w])${word}\\s*(?:=(?!=)|:)|^\\s*(?:import|export|from|use|pub use)\\b[^\\n]*\\b${word}\\b|^\\s*${word},?$`,
    "m",
  );
  const held = await head.holders([name]);
  const endings = new Set(things.map(({ path }) => path.slice(path.lastIndexOf("."))));
  for (const path of held.get(name) ?? []) {
    if (!isProduct(path) || !endings.has(path.slice(path.lastIndexOf(".")))) continue;
    const text = await head.text(path);
    if (text !== null && declaring.test(dropComments(path, text))) return true;
  }
  return false;
}

/** Whether the files that declared flags or commands still declare others that we can read, and do not have the word. */
async function isClosed(name: string, things: readonly Thing[], head: State): Promise<boolean> {
  const literal = new RegExp(`["'\`](?:--)?${name.replace(/\W/g, "\\$&")}["'\`\\s=]`);
  for (const { path, kind } of things) {
    if (!(await head.surface(path)).some((thing) => thing.kind === kind)) return false;
    const text = await head.text(path);
    if (text === null || literal.test(text)) return false;
  }
  return true;
}

/** Whether code of the product, comments left out, still has the word. Data proves nothing about declarations of code. */
export async function isWordLeft(name: string, things: readonly Thing[], head: State): Promise<boolean> {
  const find = createWordFinder([name]);
  const held = await head.holders([name]);
  const isCode =
    things.length > 0 &&
    things.every(({ kind }) => kind === "symbol" || kind === "member" || kind === "parameter");
  for (const path of held.get(name) ?? []) {
    if (!isProduct(path) || (isCode && !isSourceLike(path))) continue;
    const text = await head.text(path);
    if (text !== null && find(dropComments(path, text)).length > 0) return true;
  }
  return false;
}

/** Files in which a symbol may be declared: not data, which may only repeat its name. */
function isSourceLike(path: string): boolean {
  return !/\.(?:json|ya?ml|toml|txt|csv|xml|html?)$/i.test(path);
}

/** The name as things are found by it. */
export function sameName(thing: Thing, name: string): boolean {
  return fold(plainName(thing.name)) === fold(name);
}
