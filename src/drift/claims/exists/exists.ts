import { defined } from "../../../text/model/defined.ts";
import { type BoundBy, boundTo } from "../../binding/bound-by.ts";
import { hasFile } from "../../binding/same-things.ts";
import type { ChangeModel } from "../../change/change-model.ts";
import { flipsMeaning, isDistinct, partsOf } from "../../change/names.ts";
import { RUNNERS } from "../../change/runners.ts";
import { createPageFinder } from "../../pages/mentions.ts";
import { isProduct, type State } from "../../state/state.ts";
import type { States } from "../../state/states.ts";
import { plainName } from "../../surface/plain-name.ts";
import type { Thing } from "../../surface/thing.ts";
import type { Drift, Kind, PastStates, Truth } from "../claim.ts";
import { bindName, hasRole, isKnown, NOTHING, WHOSE } from "./bind.ts";
import { isGone, isWordLeft, sameName } from "./gone.ts";
import { judgeModule, judgePackage, lostModules, moduleTruth, packageTruth } from "./modules.ts";
import { type NameClaim, readNames } from "./read.ts";
import { judgeRoute, type RouteClaim, readRoutes, routeTruth, wordsOf } from "./routes.ts";
import { findSuccessor, type Successor } from "./successor.ts";
import { judgeTask, readTasks, type TaskClaim, taskTruth } from "./tasks.ts";

type ExistsClaim = NameClaim | TaskClaim | RouteClaim;

export const exists: Kind<"exists", ExistsClaim> = {
  name: "exists",
  docs: "A page names something that the project no longer offers.",
  mayEdit: true,
  rules: ["removal", "rename", "module", "script", "flag", "phrase", "unsupported"],
  formerly: {
    removals: "removal",
    renames: "rename",
    member: "rename",
    setting: "script",
    settings: "script",
    scripts: "script",
    flags: "flag",
    phrases: "phrase",
  },
  read: (page) => [...readNames(page), ...readTasks(page), ...readRoutes(page)],
  names: (claim) =>
    "named" in claim && claim.role !== "module" && (isOwned(claim) || claim.isShaped)
      ? [claim.named.name]
      : [],
  touched: async (change, states) => [
    ...(await findTouched(change, states)),
    ...findTouchedTasks(change),
    ...(await findTouchedRoutes(change, states)),
  ],
  judge,
  timeless: (claim) => claim.role === "task" && claim.isOurs === true,
  isSuspect,
  evaluate,
};

/** The claims about things that the changed files declared before and do not declare now. */
async function findTouched(
  { input, pages, moves, removedNames, usage }: ChangeModel,
  { base, head }: States,
): Promise<NameClaim[]> {
  const lost = new Set(removedNames.filter((name) => isDistinct(name) && usage(name).living === 0));
  // A page that means the parameter of a function that is gone names the function, too.
  const inGone = new Set<string>();
  for (const { path, from } of input.files) {
    if (!isProduct(path)) continue;
    const after = await head.surface(path);
    const [kept, ids] = [namesIn(after), new Set(after.map(({ id }) => id))];
    for (const [key, { name, parameterOf }] of namesIn(await base.surface(from ?? path)))
      if (!kept.has(key)) (parameterOf === undefined || ids.has(parameterOf) ? lost : inGone).add(name);
  }
  const modules = lostModules(moves.gone);
  const folders = [...moves.goneFolders].map((folder) => `/${folder}`);
  const words = [...lost, ...[...modules, ...folders].map((name) => name.split(/[./]/).at(-1)!)].filter(
    Boolean,
  );
  if (words.length === 0) return [];
  const mentions = createPageFinder(words);
  return pages
    .filter((page) => mentions(page).length > 0)
    .flatMap((page) =>
      readNames(page).filter(({ named, role }) =>
        role === "module"
          ? lost.has(named.name) || modules.some((name) => `${named.name}.`.includes(`${name}.`))
          : lost.has(named.name) ||
            inGone.has(named.name) ||
            (role === "package" && folders.some((folder) => named.name.endsWith(folder))),
      ),
    );
}

/** The claims about tasks that a changed file of their runner had and has no more. */
function findTouchedTasks({ input, pages }: ChangeModel): TaskClaim[] {
  const lost = new Set<string>();
  for (const { path, from = path, before, after } of input.files)
    for (const { file, tasks, call } of RUNNERS) {
      if (before === null || !file.test(from)) continue;
      const kept = file.test(path) ? tasks(after ?? "") : new Map();
      for (const name of tasks(before).keys()) if (!kept.has(name)) lost.add(`${call} ${name}`);
    }
  if (lost.size === 0) return [];
  return pages.flatMap((page) =>
    readTasks(page).filter(({ runner, task }) => lost.has(`${runner.call} ${task}`)),
  );
}

async function findTouchedRoutes(
  { input, pages }: ChangeModel,
  { base, head }: States,
): Promise<RouteClaim[]> {
  const lost = new Set<string>();
  for (const { path, from } of input.files) {
    if (!isProduct(path)) continue;
    const kept = new Set((await head.surface(path)).map(({ id }) => id));
    for (const { kind, id, name } of await base.surface(from ?? path))
      if (kind === "route" && !kept.has(id)) for (const word of wordsOf(name)) lost.add(word);
  }
  if (lost.size === 0) return [];
  return pages.flatMap((page) =>
    readRoutes(page).filter(({ path }) => wordsOf(path).some((word) => lost.has(word))),
  );
}

const ROLES = ["name", "flag", "command", "package"] as const;

type NameIn = { readonly name: string; readonly parameterOf?: string };

/** The names of the things and parameters of a file, by owner and name. */
function namesIn(things: readonly Thing[]): ReadonlyMap<string, NameIn> {
  const found = new Map<string, NameIn>();
  for (const thing of things) {
    if (!isKnown(thing) || !ROLES.some((role) => hasRole(thing, role))) continue;
    const { id, parameters = [] } = thing;
    const name = plainName(thing.name);
    found.set(`${id.slice(0, id.length - thing.name.length)} ${name}`, { name });
    for (const one of parameters) found.set(`${id} > ${one.name}`, { name: one.name, parameterOf: id });
  }
  return found;
}

async function judge(claim: ExistsClaim, { base, head }: PastStates): Promise<Drift<ExistsClaim> | null> {
  if (claim.role === "task") return judgeTask(claim, { base, head });
  if (!base) return null;
  if (claim.role === "route") return judgeRoute(claim, { base, head });
  if (claim.role === "package") return judgePackage(claim, { base, head });
  if (claim.role === "module") {
    const lost = await judgeModule(claim, { base, head });
    // A setting may have dots in its name.
    if (lost || !(await isSetting(claim.named.name, base))) return lost;
    claim = { ...claim, role: "name" };
  }
  const bound = await bindName(claim, base);
  if (bound.is !== "bound" || !(await isGone(claim, bound, head))) return null;
  const thing = bound.things[0]!;
  const before = await base.line(thing.path, thing.line);
  if (isAlias(thing, before)) return null;
  const successor = await findSuccessor(bound.things, { base, head });
  return successor
    ? renamed(claim, successor, { base, head, by: bound.by })
    : removed(claim, thing, {
        before,
        revision: base.revision,
        isFileLeft: await hasFile(thing.path, head),
      });
}

async function isSetting(name: string, { things }: State): Promise<boolean> {
  return (await things(name)).things.some(({ kind }) => kind === "setting" || kind === "environment");
}

async function renamed(
  claim: NameClaim,
  { was, now, name: fresh }: Successor,
  { base, head, by }: { readonly base: State; readonly head: State; readonly by: BoundBy },
): Promise<Drift<NameClaim>> {
  const { name } = claim.named;
  const dashes = dashesOf(claim);
  const { path, line } = now;
  const [before, after] = [await base.line(was.path, was.line), await head.line(path, line)];
  const isRepaired = mayRepair(claim, fresh);
  return {
    claim,
    // Of 94 such repairs in commits of four projects, people or a reader confirmed every one.
    tier: isRepaired && by !== "word" ? "certain" : "likely",
    message: { what: "renamed", old: `${dashes}${name}`, new: `${dashes}${fresh}` },
    evidence: [{ path, revision: head.revision, startLine: line, endLine: line, before, after }],
    cause: `renamed:${name}→${fresh}`,
    rule: "rename",
    ...defined({ repair: isRepaired ? fresh : undefined }),
  };
}

/** What was removed is said; what to write instead, a person decides. */
function removed(
  claim: NameClaim,
  { path, line, kind }: Thing,
  {
    before,
    revision,
    isFileLeft,
  }: { readonly before: string; readonly revision: string; readonly isFileLeft: boolean },
): Drift<NameClaim> {
  const old = `${dashesOf(claim)}${claim.named.name}`;
  return {
    claim,
    tier: "likely",
    // Of 27 names of declarations that were read in whole repositories, 5 were right; settings and variables were not among them.
    // What went with its whole file may be in a dependency now.
    ...defined({ tierWithoutChange: DECLARED.has(kind) || !isFileLeft ? "possible" : undefined }),
    message: { what: "removed", old },
    evidence: [{ path, revision, startLine: line, endLine: line, before }],
    cause: `removed:${old}`,
    rule: "removal",
  };
}

const DECLARED: ReadonlySet<string> = new Set(["symbol", "member", "parameter", "message"]);

/** Whether a declaration only passes on something of another module: `Name = other.Name`. */
function isAlias({ name, kind }: Thing, line: string): boolean {
  const word = plainName(name).replace(/\W/g, "\\$&");
  return kind === "symbol" && new RegExp(`\\b${word}\\s*=.*[\\w)](?:\\.|::)${word}\\b`).test(line);
}

/** A sentence that has the new name already tells both apart. */
function mayRepair(
  { named: { region, name }, statement: { page, names, region: all } }: NameClaim,
  fresh: string,
): boolean {
  const isBeside =
    names.some((one) => one.name === fresh) || page.text.slice(all.start, all.end).includes(`${fresh}\``);
  return (
    region.end - region.start === name.length && !isBeside && !flipsMeaning(partsOf(name), partsOf(fresh))
  );
}

/** The dashes of a flag as the page has them. */
function dashesOf({ page, named: { isFlag, region } }: NameClaim): string {
  const dashes = /[\\-]*$/.exec(page.text.slice(Math.max(0, region.start - 4), region.start))![0];
  return isFlag ? dashes.replaceAll("\\", "") || "--" : "";
}

/** A name that no file of the product has is gone; whether it ever was there, the past decides. */
async function evaluate(claim: ExistsClaim, state: State): Promise<Truth> {
  if (claim.role === "task") return taskTruth(claim, state);
  if (claim.role === "route") return routeTruth(claim, state);
  if (claim.role === "package") return packageTruth(claim, state);
  if (claim.role === "module" && !(await isSetting(claim.named.name, state)))
    return moduleTruth(claim, state);
  const { named, role } = claim;
  const bound = await bindName(claim, state);
  if (bound.is === "bound") return { is: "true", ...boundTo(bound.things, bound.by) };
  const { things } = await state.things(named.name);
  const alike = things.filter(
    (thing) => (hasRole(thing, role) || thing.kind === "package") && sameName(thing, named.name),
  );
  const offered = alike.filter(({ exported }) => exported !== "no");
  if (new Set(offered.map(({ id }) => id)).size === 1 && (bound === WHOSE || bound === NOTHING))
    return { is: "true", ...boundTo(offered, claim.isShaped ? "shape" : "word") };
  if (alike.length > 0) return bound;
  // A flag is there only if a parser has it, wherever else its word is.
  if (role !== "flag" && (await isInCode(named.name, state))) return mayBeOurs(claim) ? IN_CODE : bound;
  return { is: "false", evidence: [] };
}

const IN_CODE = {
  is: "undecidable",
  why: "the code has the word, not as a declaration that is read",
} as const;

/** A word that many files of the product have is in the code, whatever it means there. */
async function isInCode(name: string, state: State): Promise<boolean> {
  const held = (await state.holders([name])).get(name) ?? [];
  return held.filter(isProduct).length > FEW || isWordLeft(name, [], state);
}

/** Whether a name that nothing declares is likely one of the project: shaped, and without an owner of somebody else. */
function mayBeOurs({ named, role, isShaped, isMarked, module }: NameClaim): boolean {
  if (role === "program" || role === "command") return false;
  return module !== undefined || (named.owner.length === 0 && (isShaped || isMarked === true));
}

/**
 * Without a change at hand, a word is asked for where the page itself says whose it is, by its path, an import, a role or
 * a program, and few files of the product have it; or where it can only be a name and no file of the product has it.
 */
async function isSuspect(claim: ExistsClaim, state: State): Promise<boolean> {
  if (!("named" in claim) || claim.role === "module" || claim.role === "package") return true;
  const { name } = claim.named;
  const isAsked = isOwned(claim);
  if (!isAsked && !claim.isShaped) return false;
  const held = (await state.holders([name])).get(name) ?? [];
  return held.filter(isProduct).length <= (isAsked ? FEW : 0);
}

const FEW = 4;

/** Whether the page says whose the word is. */
function isOwned({ role, named, module, isMarked }: NameClaim): boolean {
  return role !== "name" || named.owner.length > 0 || module !== undefined || isMarked === true;
}
