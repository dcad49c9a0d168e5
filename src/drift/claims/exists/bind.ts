import { namesPackages } from "../../../syntax/manifests/manifest.ts";
import type { BoundBy, Unbound } from "../../binding/bound-by.ts";
import { placeOf } from "../../binding/foreign.ts";
import { chooseOwner } from "../../binding/owners.ts";
import { bindCall } from "../../calls/bind-call.ts";
import { readSamples } from "../../calls/page-samples.ts";
import { fold } from "../../change/names.ts";
import { parentKeyAt } from "../../pages/command-lines.ts";
import type { State } from "../../state/state.ts";
import type { Thing } from "../../surface/thing.ts";
import type { NameClaim } from "./read.ts";

/** The things that a name can mean. The page is right as long as the project offers one of them. */
export type BoundNames = {
  readonly is: "bound";
  readonly things: readonly Thing[];
  readonly by: Extract<BoundBy, "qualified" | "import" | "role" | "command" | "section" | "shape">;
};

export const FOREIGN: Unbound = { is: "none", why: "it belongs to another package or program" };
const NOTHING: Unbound = { is: "none", why: "the project declares nothing of this name" };
const WHOSE: Unbound = { is: "undecidable", why: "the page does not say whose name it is" };
const PAST: Unbound = { is: "undecidable", why: "the page tells of another time" };
const CROWD: Unbound = { is: "undecidable", why: "too many files may declare the name" };

/** The things of the project that a name means; none where it means something else, or may. */
export async function bindName(claim: NameClaim, base: State): Promise<BoundNames | Unbound> {
  const { named, statement, role, module } = claim;
  if (module !== undefined && !(await isOwn(module, base))) return FOREIGN;
  const place = await placeOf(statement, named.region.start, named.name, base);
  if (place === "foreign" || (role === "command" && place !== "own")) return FOREIGN;
  const called = await bindCallee(claim, base);
  if (called !== "not called") return called;
  const { things, unread } = await base.things(named.name);
  const offered = things.filter((thing) => thing.exported !== "no" && hasRole(thing, role));
  if (unread.length > 0) return CROWD;
  if (offered.length === 0) return NOTHING;
  if (role === "program" || (place === "own" && (role === "command" || role === "flag")))
    return { is: "bound", things: offered, by: "command" };
  return named.owner.length > 0 ? bindOwned(claim, offered, base) : bindPlain(claim, offered, base);
}

/** Whether a module is the project's: by its place in the tree, or by the name that a manifest gives a package. */
async function isOwn(module: string, state: State): Promise<boolean> {
  if (state.isOwnModule(module)) return true;
  const name = /^(?:@[^/]+\/)?[^/.:]+/.exec(module)?.[0] ?? module;
  const { things } = await state.things(name);
  return things.some(({ kind }) => kind === "package") || ![...state.files()].some(namesPackages);
}

/** The function that a call of a sample names, by its imports and its variables. */
async function bindCallee(
  { page, statement, region, isShaped, module }: NameClaim,
  base: State,
): Promise<BoundNames | Unbound | "not called"> {
  if (statement.place !== "code") return "not called";
  const samples = await readSamples(page);
  const sample = samples.find(({ region: { start, end } }) => start <= region.start && region.end <= end);
  const call = sample?.fragment.calls.find((one) => sample.region.start + one.region.start === region.start);
  if (!sample || !call) return "not called";
  if (sample.isPast) return PAST;
  const bound = await bindCall(call, sample, base);
  if (bound.is === "bound")
    return bound.by === "shape" && !isShaped
      ? WHOSE
      : { is: "bound", things: bound.things, by: bound.by === "shape" ? "shape" : "import" };
  if (bound.why === "no such member of the type") return { is: "undecidable", why: bound.why };
  return (bound.why === "foreign" && module === undefined) || bound.why === "the sample declares it"
    ? FOREIGN
    : "not called";
}

/** `Client.get` of the class `Client`, `httpx.get` of the package `httpx`; `client.get` of an unknown client is neither. */
async function bindOwned(
  claim: NameClaim,
  offered: readonly Thing[],
  base: State,
): Promise<BoundNames | Unbound> {
  const { named, module, isShaped, isOnVariable } = claim;
  if (isOnVariable && !isShaped) return WHOSE;
  const owner = fold(named.owner.at(-1)!);
  const members = offered.filter((thing) => thing.owner.length > 0 && fold(thing.owner.at(-1)!) === owner);
  if (members.length > 0 && /^\p{Lu}/u.test(named.owner.at(-1)!))
    return { is: "bound", things: members, by: "qualified" };
  if (named.owner.length === 1 && (module !== undefined || (await isOwn(named.owner[0]!, base)))) {
    const top = offered.filter(({ owner: owners, kind }) => owners.length === 0 && kind !== "parameter");
    return top.length > 0
      ? { is: "bound", things: top, by: module === undefined ? "qualified" : "import" }
      : NOTHING;
  }
  return isShaped ? { is: "bound", things: offered, by: "shape" } : WHOSE;
}

function bindPlain(claim: NameClaim, offered: readonly Thing[], base: State): BoundNames | Unbound {
  const { statement, isShaped, role, module, isMarked } = claim;
  if (module !== undefined) return { is: "bound", things: offered, by: "import" };
  if (isMarked) return { is: "bound", things: offered, by: "role" };
  const parent = parentKeyAt(statement, claim.region.start);
  if (parent) {
    const own = offered.filter(({ owner }) => owner.length > 0 && fold(owner.at(-1)!) === fold(parent));
    if (own.length > 0) return { is: "bound", things: own, by: "section" };
    return isShaped ? { is: "bound", things: offered, by: "shape" } : WHOSE;
  }
  const chosen = chooseOwner(offered, { owner: [], statement, state: base });
  if (isShaped || role !== "name") return { is: "bound", things: offered, by: "shape" };
  return chosen.by === "section" ? { is: "bound", things: chosen.things, by: "section" } : WHOSE;
}

const NAMED: ReadonlySet<string> = new Set([
  "symbol",
  "member",
  "parameter",
  "environment",
  "setting",
  "enum-value",
  "error",
]);

/** Whether pages can mean a thing by a name in this role. */
export function hasRole({ kind, owner }: Thing, role: NameClaim["role"]): boolean {
  if (role === "flag") return kind === "flag";
  if (role === "program") return kind === "command" && owner.length === 0;
  if (role === "command") return kind === "command" || (kind === "setting" && owner[0] === "services");
  return NAMED.has(kind);
}
