import { bindCall } from "../../src/drift/calls/bind-call.ts";
import { findDeclared } from "../../src/drift/calls/find-declared.ts";
import { comesFrom, isOwnModule } from "../../src/drift/calls/origin.ts";
import { openPage } from "../../src/drift/change/change-model.ts";
import { kinds } from "../../src/drift/claims/registry.ts";
import { type SampleClaim, sample } from "../../src/drift/claims/sample/sample.ts";
import type { State } from "../../src/drift/state/state.ts";
import { lineNumber } from "../../src/text/model/lines.ts";
import { applySplices } from "../../src/text/model/splice.ts";
import { type Mutation, mutationsOf } from "./mutations.ts";
import type { Clone } from "./open-clone.ts";

/** What the samples of one language of a clone showed. */
export type CallCount = {
  readonly repo: string;
  readonly family: string;
  readonly calls: number;
  readonly own: number;
  readonly decided: number;
  readonly reasons: ReadonlyMap<string, number>;
  readonly flagged: readonly string[];
  readonly unbound: readonly string[];
  readonly mutations: ReadonlyMap<string, { readonly made: number; readonly found: number }>;
  readonly missed: readonly string[];
};

/** Counts the calls of all pages; at most `most` calls of a language are broken. */
export async function countCalls(
  { pages, state }: Clone,
  { repo, most }: { readonly repo: string; readonly most: number },
): Promise<CallCount[]> {
  const claims: SampleClaim[] = [];
  for (const page of pages) claims.push(...(await sample.read(page)));
  const groups = Map.groupBy(claims, (claim) => claim.sample.family);
  return Promise.all([...groups].map(([family, own]) => countFamily(own, state, { repo, family, most })));
}

async function countFamily(
  claims: readonly SampleClaim[],
  state: State,
  { repo, family, most }: { readonly repo: string; readonly family: string; readonly most: number },
): Promise<CallCount> {
  const reasons = new Map<string, number>();
  const mutations = new Map<string, { made: number; found: number }>();
  const [flagged, missed, unbound]: string[][] = [[], [], []] as string[][];
  let [own, decided, broken] = [0, 0, 0];
  for (const claim of claims) {
    if (claim.sample.isPast || claim.page.path.endsWith(".ipynb") || !(await isOwn(claim, state))) continue;
    own++;
    const truth = await sample.evaluate(claim, state);
    if (truth.is === "undecidable" || truth.is === "none") {
      reasons.set(truth.why, (reasons.get(truth.why) ?? 0) + 1);
      unbound!.push(`${placeOf(claim)} ${truth.why}`);
      continue;
    }
    decided++;
    if (truth.is === "false")
      flagged!.push(`${placeOf(claim)} ${truth.evidence[0]?.path}:${truth.evidence[0]?.startLine}`);
    if (truth.is === "false" || ++broken > most) continue;
    const bound = await bindCall(claim.call, claim.sample, state);
    if (bound.is === "unbound") continue;
    for (const mutation of await mutationsOf(claim, bound.things, state)) {
      const count = mutations.get(mutation.way) ?? { made: 0, found: 0 };
      mutations.set(mutation.way, count);
      count.made++;
      if (await isFound(claim, mutation, state)) count.found++;
      else missed!.push(`${mutation.way}: ${placeOf(claim)}`);
    }
  }
  return {
    repo,
    family,
    calls: claims.length,
    own,
    decided,
    reasons,
    flagged: flagged!,
    missed: missed!,
    unbound: unbound!,
    mutations,
  };
}

/** Whether a claim of the broken page that overlaps the lines of the place is false. */
async function isFound(
  { page }: SampleClaim,
  { splice, kind: name }: Mutation,
  state: State,
): Promise<boolean> {
  const after = openPage(page.path, applySplices(page.text, [splice]));
  const kind = kinds.find((one) => one.name === name)!;
  const start = after.text.lastIndexOf("\n", splice.region.start - 1) + 1;
  const newline = after.text.indexOf("\n", splice.region.start + splice.text.length);
  const end = newline < 0 ? after.text.length : newline;
  for (const claim of await kind.read(after)) {
    const { region } = claim;
    if (region.start > end || region.end < start) continue;
    if ((await kind.evaluate(claim, state)).is === "false") return true;
  }
  return false;
}

/** Whether a call reaches its function through an import of the project. */
async function isOwn(
  { sample: { imports, variables, fragment, family }, call }: SampleClaim,
  state: State,
): Promise<boolean> {
  const seen = new Set<string>();
  let [at, within] = [call, fragment];
  for (;;) {
    const root = at.callee[0]!;
    if (at.on !== undefined) {
      at = within.calls[at.on]!;
      continue;
    }
    const path = at.callee.join(".");
    const imported = imports.find(
      ({ local }) => local === root || (local.includes(".") && path.startsWith(`${local}.`)),
    );
    if (imported) return isOwnModule(imported.module, { family, state });
    const variable = variables.get(root);
    if (
      !variable &&
      !fragment.declared.has(root) &&
      (await isWidelyImported(root, imports, { family, state }))
    )
      return true;
    if (!variable || seen.has(root) || variable.made.call === undefined) return false;
    seen.add(root);
    [at, within] = [variable.fragment.calls[variable.made.call]!, variable.fragment];
  }
}

/** `using Project;`, `import project.*`: a name without another import is of there where the project declares it there. */
async function isWidelyImported(
  root: string,
  imports: SampleClaim["sample"]["imports"],
  { family, state }: { readonly family: string; readonly state: State },
): Promise<boolean> {
  for (const { local, module } of imports) {
    if (local !== "*" || !(await isOwnModule(module, { family, state }))) continue;
    const found = await findDeclared(root, { family, state });
    if (found === null) return !(PRELUDES[family] ?? /^$/).test(root);
    for (const thing of found) if (await comesFrom(thing, { module, family, state })) return true;
  }
  return false;
}

/** Names that every file of a language has. */
const PRELUDES: Readonly<Record<string, RegExp>> = {
  rust: /^(?:Ok|Err|Some|Box|Vec|String|Default|From|Into|Drop|Iterator)$/,
};

function placeOf({ page, region }: SampleClaim): string {
  const text = page.text.slice(region.start, region.end).replace(/\s+/g, " ");
  return `${page.path}:${lineNumber(page.text, region.start)} ${text.slice(0, 140)}`;
}
