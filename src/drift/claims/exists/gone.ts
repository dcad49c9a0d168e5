import { dropComments } from "../../../syntax/source/doc-comments.ts";
import { createWordFilter } from "../../../syntax/words/word-index.ts";
import { createWordFinder, hashRuns } from "../../../syntax/words/words.ts";
import { fileKind } from "../../change/file-kind.ts";
import { fold } from "../../change/names.ts";
import { compositions, isProduct, type State } from "../../state/state.ts";
import { plainName } from "../../surface/plain-name.ts";
import type { Thing } from "../../surface/thing.ts";
import { spellings } from "../list/members.ts";
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

async function proveGone(claim: NameClaim, { things, by }: BoundNames, head: State): Promise<boolean> {
  const { named, role } = claim;
  const { name } = named;
  const now = await head.things(name);
  if (now.unread.length > 0 || now.things.some((thing) => staysImportable(thing, things))) return false;
  if (await isDeclaredAside(name, things, head)) return false;
  const fitting = now.things.filter((thing) => hasRole(thing, role) && mayBeMeant(thing, claim, things));
  if (by === "command")
    return fitting.length === 0 && !(await isOpen(things, head)) && isClosed(name, things, head);
  if (role === "feature") return fitting.length === 0 && isClosed(name, things, head);
  if (by === "qualified" || by === "import" || by === "section")
    return isGoneFromOwner(name, { was: things, now: fitting }, head);
  if (by === "word") return now.things.length === 0 && !(await isWordLeft(name, [], head));
  if (fitting.length > 0 || (role === "flag" && (await isOpen(things, head)))) return false;
  if (role === "flag" && (await isClosed(name, things, head))) return true;
  if (isSymbol(things)) return !(await mayBeDeclared(name, things, head));
  if (await areFields(things, head))
    return !(await mayBeDeclared(name, things, head, new Set(things.map(({ path }) => path))));
  if (role !== "flag") return !(await isWordLeft(name, things, head)) && !(await isComposed(name, head));
  // Its parser is elsewhere now, and may make the flag of a letter, or of a name with `_`.
  if (name.length === 1) return false;
  for (const word of spellings(name)) if (await isWordLeft(word, things, head)) return false;
  return true;
}

/** Whether code may put the name of a variable together: it has the prefix, `APP_`, and a word for the rest, `page-size`. */
async function isComposed(name: string, head: State): Promise<boolean> {
  const pairs = compositions(name);
  const held = await head.holders(pairs.flat());
  const isHeld = (word: string): boolean => (held.get(word) ?? []).some(isProduct);
  return pairs.some(([prefix, rest]) => isHeld(prefix) && isHeld(rest));
}

/** Whether a declaration is where it was: a module of Python that lists its names hides the others from `*` alone. */
function staysImportable({ id, path }: Thing, were: readonly Thing[]): boolean {
  return path.endsWith(".py") && were.some((was) => was.id === id && was.path === path);
}

/** Whether a file that is no product declares the name now: packages for tests are shipped too, and code moves there. */
async function isDeclaredAside(name: string, things: readonly Thing[], head: State): Promise<boolean> {
  if (!isSymbol(things)) return false;
  const declaring = new RegExp(
    `\\b(?:class|def|function|func|fn|fun|type|struct|interface|trait|enum|const)\\s+(?:self\\.)?${wordOf(name)}\\b`,
  );
  const endings = new Set(things.map(({ path }) => endingOf(path)));
  for (const path of (await head.holders([name])).get(name) ?? []) {
    if (isProduct(path) || !endings.has(endingOf(path))) continue;
    if (declaring.test((await head.text(path)) ?? "")) return true;
  }
  return false;
}

/** A page that writes `owner.name` of a member does not mean a function, a type or a parameter of that name. */
function mayBeMeant({ kind }: Thing, { named }: NameClaim, was: readonly Thing[]): boolean {
  const isMember = named.owner.length > 0 && was.every((thing) => thing.kind === "member");
  return !isMember || (kind !== "symbol" && kind !== "parameter");
}

/** Symbols and members are declared in forms that are known; settings, flags and parameters are also made of texts. */
function isSymbol(things: readonly Thing[]): boolean {
  return things.length > 0 && things.every(({ kind }) => kind === "symbol" || kind === "member");
}

/** Settings that are fields of types which are still there: only these types can have them. */
async function areFields(things: readonly Thing[], head: State): Promise<boolean> {
  for (const { kind, owner, path } of things) {
    const type = owner.at(-1);
    if (kind !== "setting" || type === undefined) return false;
    const declared = (await head.surface(path)).filter((one) => one.kind === "symbol" && one.name === type);
    if (!declared.some(({ declaration = "" }) => TYPE.test(declaration)) || !declared.every(isComplete))
      return false;
  }
  return true;
}

const TYPE = /\b(?:struct|class|interface|record|type)\b/;

/** The owner that the page names has the thing no more, and nothing that stands there could declare it. */
async function isGoneFromOwner(
  name: string,
  { was, now }: { readonly was: readonly Thing[]; readonly now: readonly Thing[] },
  head: State,
): Promise<boolean> {
  const owners = new Set(was.map(ownerOf));
  const folded = new Set([...owners].map(fold));
  if (now.some((thing) => thing.exported !== "no" && folded.has(fold(ownerOf(thing))))) return false;
  const homes = new Set(was.map(({ path }) => path));
  let isOpen = false;
  for (const owner of owners) {
    if (owner === "") return !(await mayBeDeclared(name, was, head));
    // A private name of another file is an import of the type, or another type.
    const types = (await head.things(owner)).things.filter(
      ({ name: own, exported, path }) => plainName(own) === owner && (exported !== "no" || homes.has(path)),
    );
    // The members of a renamed type are still there under its new name.
    isOpen ||= types.length === 0 || !types.every(isComplete);
    if (isOpen && now.length > 0) return false;
    for (const { path } of types) homes.add(path);
  }
  return !(await mayBeDeclared(name, was, head, isOpen ? undefined : homes));
}

function ownerOf({ owner }: Thing): string {
  return owner.at(-1) ?? "";
}

/** Whether all members of a type are known, because it has no base and is no other name of a type. */
function isComplete({ kind, declaration = "", bases }: Thing): boolean {
  return (
    kind !== "symbol" ||
    (bases === undefined &&
      !/\bextends\b|\bimplements\b|^class\s+\w+\s*\(|[<:]\s*[A-Z]|\btype\s+\w+[^=]*=\s*\w/.test(declaration))
  );
}

/**
 * Whether files in the language of the things hold the name where a declaration may stand: assigned, imported, quoted,
 * alone on its line or in a list, or whether other code uses it. With `homes`, only these files can declare it, and
 * others can pass it on.
 */
async function mayBeDeclared(
  name: string,
  things: readonly Thing[],
  head: State,
  homes?: ReadonlySet<string>,
): Promise<boolean> {
  const passing = passesOn(name);
  const used = homes === undefined ? `|${usesOf(name, things)}` : "";
  const declaring = new RegExp(`${declares(name)}|${passing.source}${used}`, "m");
  // A function in a block that is not read: what a file declares of this name is all known where some of it is.
  const behindType = new RegExp(`[\\w>\\]?][ \\t]+${wordOf(name)}[ \\t]*[(<]`);
  const held = await head.holders([name]);
  const endings = new Set(things.map(({ path }) => endingOf(path)));
  for (const path of held.get(name) ?? []) {
    const mayDeclare = isProduct(path) || fileKind(path) === "generated";
    if (!mayDeclare || !endings.has(endingOf(path))) continue;
    const text = await head.text(path);
    const form = homes === undefined || homes.has(path) ? declaring : passing;
    if (text === null) continue;
    const code = dropComments(path, text);
    if (form.test(code)) return true;
    const isRead = (await head.surface(path)).some((thing) => plainName(thing.name) === name);
    if (!isRead && behindType.test(code)) return true;
  }
  return false;
}

/** `import name`, `export { name }`, `as name`. */
function passesOn(name: string): RegExp {
  const word = wordOf(name);
  return new RegExp(
    `\\bas\\s+${word}\\b|^[ \\t]*(?:import|export|from|use|pub use)\\b[^\\n]*\\b${word}\\b`,
    "m",
  );
}

/** Forms in which a language may declare a name that no reader of ours found. */
function declares(name: string): string {
  const word = wordOf(name);
  return [
    `["'\`]${word}["'\`]`,
    `[\\s(]:${word}\\b`,
    `(?<!\\w)${word}\\s*:(?!:)`,
    `(?<!\\w|[,(]\\s*)${word}\\s*=(?![=>])`,
    `^[ \\t]*${word}\\b,?\\s*$`,
    `[{,]\\s*${word}\\s*[,}]`,
    `!\\(\\s*${word}\\b`,
  ].join("|");
}

/** Code that uses a member on something, or a symbol by its bare name, has it from somewhere. */
function usesOf(name: string, things: readonly Thing[]): string {
  const isMember = things.some(({ kind }) => kind === "member");
  return `${isMember ? "(?:\\.|->|::)" : "(?<![\\w.>:])"}${wordOf(name)}\\b`;
}

function wordOf(name: string): string {
  return name.replace(/\W/g, "\\$&");
}

function endingOf(path: string): string {
  return path.slice(path.lastIndexOf("."));
}

/**
 * Whether a parser that declared some flags takes others that no file of the project declares, or may make `--no-name` of
 * a name that it still writes.
 */
async function isOpen(things: readonly Thing[], head: State): Promise<boolean> {
  for (const { path, kind, name } of things) {
    if ((await head.surface(path)).some((thing) => thing.kind === kind && thing.open)) return true;
    const positive = /^(?:--)?no-(.+)/.exec(name)?.[1];
    if (positive && new RegExp(`["'\`]${wordOf(positive)}["'\`]`).test((await head.text(path)) ?? ""))
      return true;
  }
  return false;
}

/** Whether the files that declared flags or commands still declare others that we can read, and do not have the word. */
async function isClosed(name: string, things: readonly Thing[], head: State): Promise<boolean> {
  const literal = new RegExp(`["'\`](?:--)?${wordOf(name)}(?:["'\`=]|\\s+[<[(A-Z-])`);
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
  const mayHold = createWordFilter([name]);
  const held = await head.holders([name]);
  const isCode =
    things.length > 0 &&
    things.every(({ kind }) => kind === "symbol" || kind === "member" || kind === "parameter");
  for (const path of held.get(name) ?? []) {
    if (!isProduct(path) || (isCode && !isSourceLike(path)) || !mayHold(await wordsAt(path, head))) continue;
    const text = await head.text(path);
    if (text !== null && find(dropComments(path, text)).length > 0) return true;
  }
  return false;
}

/** The hashes of the words of a file without its comments, read once for all names. */
function wordsAt(path: string, state: State): Promise<Uint32Array> {
  const known = words.get(state) ?? new Map<string, Promise<Uint32Array>>();
  words.set(state, known);
  const hashes = known.get(path) ?? state.text(path).then((text) => hashRuns(dropComments(path, text ?? "")));
  known.set(path, hashes);
  return hashes;
}

const words = new WeakMap<State, Map<string, Promise<Uint32Array>>>();

/** Files in which a symbol may be declared: not data, which may only repeat its name. */
function isSourceLike(path: string): boolean {
  return !/\.(?:json|ya?ml|toml|txt|csv|xml|html?)$/i.test(path);
}

/** The name as things are found by it. */
export function sameName(thing: Thing, name: string): boolean {
  return fold(plainName(thing.name)) === fold(name);
}
