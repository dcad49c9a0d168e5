import { dropComments } from "../../../syntax/source/doc-comments.ts";
import { createWordFinder } from "../../../syntax/words/words.ts";
import { placeOf } from "../../binding/foreign.ts";
import { chooseOwner, type OwnedBy } from "../../binding/owners.ts";
import type { ChangeModel } from "../../change/change-model.ts";
import { fileKind } from "../../change/file-kind.ts";
import { fold } from "../../change/names.ts";
import { createPageFinder } from "../../pages/mentions.ts";
import { isProduct, type State } from "../../state/state.ts";
import type { States } from "../../state/states.ts";
import { compareSurfaces } from "../../surface/compare/compare-surfaces.ts";
import { plainName } from "../../surface/surface-change.ts";
import type { Thing } from "../../surface/thing.ts";
import type { Drift, Kind, PastStates, Truth } from "../claim.ts";
import { type NameClaim, readNames } from "./read.ts";

export const exists: Kind<"exists", NameClaim> = {
  name: "exists",
  docs: "A page names something that the project no longer offers.",
  mayEdit: true,
  read: readNames,
  names: ({ named }) => [named.name],
  touched: findTouched,
  judge,
  evaluate,
};

/** The claims about things that the changed files declared before and do not declare now. */
async function findTouched({ input, pages }: ChangeModel, { base, head }: States): Promise<NameClaim[]> {
  const lost = new Set<string>();
  for (const { path, from } of input.files) {
    if (!OFFERING.has(fileKind(path))) continue;
    const kept = new Set((await head.surface(path)).map(({ id }) => id));
    for (const { id, name, kind, exported } of await base.surface(from ?? path))
      if (!kept.has(id) && exported !== "no" && NAMED.has(kind)) lost.add(plainName(name));
  }
  if (lost.size === 0) return [];
  const mentions = createPageFinder(lost);
  return pages
    .filter((page) => mentions(page).length > 0)
    .flatMap((page) => readNames(page).filter(({ named }) => lost.has(named.name)));
}

const OFFERING: ReadonlySet<string> = new Set(["product", "manifest", "data"]);
const NAMED: ReadonlySet<string> = new Set([
  "symbol",
  "member",
  "flag",
  "environment",
  "setting",
  "enum-value",
  "error",
  "command",
  "script",
]);

type Bound = { readonly things: readonly Thing[]; readonly by: OwnedBy | "import" | "program" };

async function judge(claim: NameClaim, { base, head }: PastStates): Promise<Drift<NameClaim> | null> {
  const bound = base && (await bind(claim, base));
  if (!base || !bound || !(await isGone(claim, bound, head))) return null;
  const [thing] = bound.things;
  const tier = tierOf(claim, bound);
  if (tier === "possible") return null;
  const renamed = await findSuccessor(thing!, { base, head });
  const { name, region } = claim.named;
  const line = ((await base.text(thing!.path)) ?? "").split("\n")[thing!.line - 1] ?? "";
  return {
    claim,
    tier,
    message:
      renamed === null
        ? { what: "removed", old: shown(claim) }
        : { what: "renamed", old: name, new: renamed },
    evidence: [
      {
        path: thing!.path,
        revision: base.revision,
        startLine: thing!.line,
        endLine: thing!.line,
        before: line,
      },
    ],
    cause: renamed === null ? `removed:${name}` : `renamed:${name}→${renamed}`,
    rule: renamed === null ? "removal" : "rename",
    ...(renamed !== null && region.end - region.start === name.length && { repair: renamed }),
  };
}

function shown({ named: { name, isFlag } }: NameClaim): string {
  return isFlag ? `--${name}` : name;
}

/** The things of the project that the page means, where the project offers them. */
async function bind(claim: NameClaim, base: State): Promise<Bound | null> {
  const { named, statement, role, module } = claim;
  if (module !== undefined && !base.isOwnModule(module)) return null;
  const place = await placeOf(statement, named.region.start, named.name, base);
  if (place === "foreign") return null;
  const { things, unread } = await base.things(named.name);
  if (role === "command" && place !== "own") return null;
  const offered = things.filter((thing) => thing.exported !== "no" && hasRole(thing, role));
  if (offered.length === 0 || unread.length > 0) return null;
  const owner = named.owner.slice(-1);
  const chosen = chooseOwner(offered, { owner, statement, state: base });
  // `client.get` of an unknown client is not `Client.get`.
  if (owner.length > 0 && chosen.by !== "qualified") return null;
  if (role === "command" || (role === "flag" && place === "own"))
    return { things: chosen.things, by: "program" };
  return { things: chosen.things, by: module !== undefined && owner.length === 0 ? "import" : chosen.by };
}

function hasRole({ kind, owner }: Thing, role: NameClaim["role"]): boolean {
  if (role === "flag") return kind === "flag";
  if (role === "command")
    return kind === "command" || kind === "script" || (kind === "setting" && owner[0] === "services");
  if (role === "environment") return kind === "environment" || kind === "symbol" || kind === "setting";
  return NAMED.has(kind) && kind !== "flag";
}

/** Whether none of the things is left, nothing else fits the words, and every file that has the word was read. */
async function isGone({ named, role }: NameClaim, { things }: Bound, head: State): Promise<boolean> {
  const now = await head.things(named.name);
  if (now.unread.length > 0) return false;
  const kinds = new Set(things.map(({ kind }) => kind));
  if (now.things.some((thing) => kinds.has(thing.kind) || hasRole(thing, role))) return false;
  if (role === "flag" || role === "command") return hasNoLiteral(named.name, things, head);
  return !(await isWordLeft(named.name, head));
}

/** A flag is there only if the parser has it; the word may have other meanings. */
async function hasNoLiteral(name: string, things: readonly Thing[], head: State): Promise<boolean> {
  for (const path of new Set(things.map((thing) => thing.path))) {
    const text = await head.text(path);
    if (text === null || new RegExp(`["'\`](?:--)?${name.replace(/\W/g, "\\$&")}["'\`\\s=]`).test(text))
      return false;
  }
  return true;
}

/** Whether code of the product, comments left out, still has the word. */
async function isWordLeft(name: string, head: State): Promise<boolean> {
  const find = createWordFinder([name]);
  for (const path of (await head.holders([name])).get(name) ?? []) {
    if (!isProduct(path)) continue;
    const text = await head.text(path);
    if (text !== null && find(dropComments(path, text)).length > 0) return true;
  }
  return false;
}

/** The new name of a thing: one of the same owner, kind and shape, with no rival on either side. */
async function findSuccessor(
  thing: Thing,
  { base, head }: { base: State; head: State },
): Promise<string | null> {
  if ((await head.text(thing.path)) === null) return null;
  const facts = compareSurfaces(await base.surface(thing.path), await head.surface(thing.path));
  // A command and the function behind it are one thing.
  const isSame = (before: Thing | undefined): boolean =>
    before?.id === thing.id ||
    (thing.kind === "command" && before?.kind === "symbol" && before.name === thing.name);
  const renamed = facts.filter(({ kind, before }) => kind === "renamed" && isSame(before));
  const [fact] = renamed;
  if (renamed.length !== 1 || !fact?.after) return null;
  const agreed = (fact.evidence ?? []).filter((one) => one !== "position" && one !== "file");
  const sameShape = fact.before!.type === fact.after.type && fact.before!.value === fact.after.value;
  return agreed.length > 0 && sameShape ? plainName(fact.after.name) : null;
}

function tierOf({ isShaped, role }: NameClaim, { by, things }: Bound): Drift["tier"] {
  const isOne = new Set(things.map(({ id }) => id)).size === 1;
  if (!isOne) return "possible";
  if (by === "import" || by === "qualified" || by === "program") return "certain";
  return isShaped || role !== "name" ? "likely" : "possible";
}

/** A name that no file of the product has is gone; whether it ever was there, the past decides. */
async function evaluate({ named, role }: NameClaim, state: State): Promise<Truth> {
  const { things } = await state.things(named.name);
  if (things.some((thing) => hasRole(thing, role) && fold(plainName(thing.name)) === fold(named.name)))
    return { is: "true" };
  if (await isWordLeft(named.name, state))
    return { is: "undecidable", why: "the code has the word, not as a declaration" };
  return { is: "false", evidence: [] };
}
