import { defined } from "../../../text/model/defined.ts";
import { boundTo } from "../../binding/bound-by.ts";
import { placeOf } from "../../binding/foreign.ts";
import { chooseOwner, namedBy, type Owned } from "../../binding/owners.ts";
import { sameThings } from "../../binding/same-things.ts";
import type { ChangeModel, DocumentPage } from "../../change/change-model.ts";
import { fileKind } from "../../change/file-kind.ts";
import { createPace } from "../../pace.ts";
import { createPageFinder } from "../../pages/mentions.ts";
import type { State } from "../../state/state.ts";
import type { States } from "../../state/states.ts";
import { plainName } from "../../surface/plain-name.ts";
import type { Thing } from "../../surface/thing.ts";
import type { Drift, Kind, PastStates, Truth } from "../claim.ts";
import { evidenceAt } from "../evidence.ts";
import { insteadOf, MARK_WORDS, markOf, mayMark, saidMarks } from "./marks.ts";
import { readStatus, type StatusClaim } from "./read.ts";

export const status: Kind<"status", StatusClaim> = {
  name: "status",
  docs: "A page uses something that the code now marks as deprecated, or calls something deprecated that no longer is.",
  mayEdit: true,
  rules: ["deprecation"],
  formerly: { deprecations: "deprecation" },
  read: readStatus,
  touched: findTouched,
  judge,
  isImplied: ({ says }) => says === "current",
  isSuspect: async ({ subject, says }, state) =>
    says === "deprecated" || (await namesMarkedIn(state)).has(subject.name),
  evaluate,
};

/** The claims about the things whose mark the change set or took away. */
async function findTouched(change: ChangeModel, states: States): Promise<StatusClaim[]> {
  const names = await findMarkedNames(change, states);
  if (names.size === 0) return [];
  const mentions = createPageFinder([...names].flatMap(wordsOf));
  return change.pages.filter((page) => mentions(page).length > 0).flatMap((page) => readStatus(page, names));
}

/** The words of a name that a page must hold: of a path, its parts. */
function wordsOf(name: string): string[] {
  return name.startsWith("/") ? (name.match(/\w+/g) ?? []) : [name];
}

async function findMarkedNames({ input }: ChangeModel, { base, head }: States): Promise<Set<string>> {
  const names = new Set<string>();
  for (const { path, from = path, before, after } of input.files) {
    if (before === null || after === null || !OFFERING.has(fileKind(path))) continue;
    if (!mayMark(before) && !mayMark(after)) continue;
    const [was, is] = [await marksIn(from, before, base), await marksIn(path, after, head)];
    for (const name of [...was, ...is]) if (was.has(name) !== is.has(name)) names.add(name);
  }
  return names;
}

const OFFERING: ReadonlySet<string> = new Set(["product", "manifest", "data", "generated"]);

/** The names of all things of a state that are marked. Only files with a word for it are read. */
function namesMarkedIn(state: State): Promise<ReadonlySet<string>> {
  const known = marked.get(state) ?? findAllMarked(state);
  marked.set(state, known);
  return known;
}

const marked = new WeakMap<State, Promise<ReadonlySet<string>>>();

async function findAllMarked(state: State): Promise<ReadonlySet<string>> {
  const pace = createPace();
  const found = new Set<string>();
  const held = await state.holders(MARK_WORDS);
  for (const path of new Set(MARK_WORDS.flatMap((word) => held.get(word) ?? []))) {
    await pace();
    const text = OFFERING.has(fileKind(path)) ? await state.text(path) : null;
    if (text === null || !mayMark(text)) continue;
    for (const name of await marksIn(path, text, state)) found.add(name);
  }
  return found;
}

async function marksIn(path: string, text: string, state: State): Promise<Set<string>> {
  const marked = new Set<string>(saidMarks(text, path).keys());
  for (const thing of await state.surface(path))
    if ((await markOf(thing, state)) !== undefined) marked.add(plainName(thing.name));
  return marked;
}

async function judge(claim: StatusClaim, { base, head }: PastStates): Promise<Drift<StatusClaim> | null> {
  const bound = base && (await bind(claim, base));
  if (!base || !bound || (await standingOf(bound.things, base)).is !== claim.says) return null;
  const now = await sameThings(bound.things, head, claim.subject.name);
  if (now.length < bound.things.length) return null;
  const standing = await standingOf(now, head);
  if (standing.is === null || standing.is === claim.says) return null;
  const instead = standing.mark === undefined ? undefined : insteadOf(standing.mark);
  const repair = repairOf(claim);
  const { name } = claim.subject.isFlag ? now[0]! : claim.subject;
  return {
    claim,
    tier: tierOf(claim, bound),
    message:
      claim.says === "current"
        ? {
            what: "deprecated",
            old: name,
            ...defined({ new: instead !== undefined && instead !== name ? instead : undefined }),
          }
        : { what: "not deprecated", old: name },
    evidence: [await evidenceAt(now[0]!, head)],
    cause: `status:${now[0]!.id}`,
    ...defined({ repair: repair ?? undefined }),
  };
}

async function evaluate(claim: StatusClaim, state: State): Promise<Truth> {
  const bound = await bind(claim, state);
  if (!bound) return { is: "none", why: "nothing of this name is offered" };
  const to = boundTo(bound.things, namedBy(bound, claim.isShaped));
  const { is } = await standingOf(bound.things, state);
  if (is === null)
    return { is: "undecidable", why: "several things of this name, one of them deprecated", ...to };
  if (is === claim.says) return { is: "true", ...to };
  return { is: "false", evidence: [await evidenceAt(bound.things[0]!, state)], ...to };
}

/** The things that the page means: of its role, and of the owner that it names. */
async function bind({ subject, statement, page }: StatusClaim, state: State): Promise<Owned | null> {
  if (subject.isFlag && (await placeOf(statement, subject.region.start, subject, state)) === "foreign")
    return null;
  const { things } = await state.things(subject.name);
  const isKey = keysOf(page).has(subject.name);
  const fitting = things.filter(
    ({ kind, exported, parameters }) =>
      exported !== "no" &&
      !UNMARKED.has(kind) &&
      (kind === "flag") === subject.isFlag &&
      !(isKey && parameters !== undefined),
  );
  if (fitting.length === 0) return null;
  return chooseOwner(fitting, { owner: subject.owner, statement, state });
}

/** The names to which samples of a page give a value: `name: value`. There the page means an option, not a function. */
function keysOf(page: DocumentPage): ReadonlySet<string> {
  const keys =
    keyed.get(page) ??
    new Set(
      page
        .read()
        .lines.flatMap(({ place, text }) =>
          place === "code"
            ? Array.from(text.matchAll(/(?<![\w.$?])([A-Za-z_$][\w$]*)["']?:(?!:)/g), ([, key]) => key!)
            : [],
        ),
    );
  keyed.set(page, keys);
  return keys;
}

const keyed = new WeakMap<DocumentPage, ReadonlySet<string>>();

const UNMARKED: ReadonlySet<string> = new Set(["version", "script", "package", "message"]);

/** All are deprecated, or none is. */
async function standingOf(
  things: readonly Thing[],
  state: State,
): Promise<{ readonly is: StatusClaim["says"] | null; readonly mark?: string }> {
  const marks = await Promise.all(things.map((thing) => markOf(thing, state)));
  const [mark] = marks;
  if (marks.every((one) => one === undefined)) return { is: "current" };
  return marks.includes(undefined) ? { is: null } : { is: "deprecated", mark: mark! };
}

/** The word of a cell; a person writes sentences. */
function repairOf({ isWord, says, page, region }: StatusClaim): string | null {
  if (!isWord || says === "deprecated") return null;
  const word = page.text[region.start]!;
  return word === word.toUpperCase() ? "Deprecated" : "deprecated";
}

function tierOf({ isShaped }: StatusClaim, { by, things }: Owned): Drift["tier"] {
  const isOnly = new Set(things.map(({ id }) => id)).size === 1;
  return (isShaped && (isOnly || by !== "none")) || by === "qualified" ? "likely" : "possible";
}
