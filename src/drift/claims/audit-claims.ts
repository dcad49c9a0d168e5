import { keepLast } from "../../syntax/keep-last.ts";
import { defined } from "../../text/model/defined.ts";
import type { History, WholeInput } from "../change/change.ts";
import type { DocumentPage } from "../change/change-model.ts";
import type { Notice } from "../findings.ts";
import { createPace } from "../pace.ts";
import { linePolicyOf } from "../pages/line-policy.ts";
import { lineAt } from "../pages/page.ts";
import { askOnce, openState, readOffered, type State, type StateSource } from "../state/state.ts";
import { openPresent } from "../state/states.ts";
import type { Thing } from "../surface/thing.ts";
import type { AnyKind, Claim, Drift, Truth } from "./claim.ts";
import { declaredThing, isSilent, toNotice } from "./find-false.ts";
import { kinds } from "./registry.ts";
import { Tally } from "./tally.ts";
import { type Found, keepWholeRepairs } from "./whole-repairs.ts";

/**
 * The claims that are false now and were true when their line got its present words. Claims that need no past are false
 * whatever it was.
 */
export async function auditClaims(
  pages: readonly DocumentPage[],
  input: WholeInput,
  tally = new Tally(),
): Promise<Notice[]> {
  const head = openPresent(input);
  const answers = await answerClaims(pages, input, head);
  for (const { truth } of onePerPassage(answers)) tally.count(truth);
  const found = answers.flatMap((answer) => answer.found ?? []);
  return (await keepWholeRepairs(found, head)).map(toNotice);
}

/** A claim, whether it is so as things stand, and what made it false. */
export type Answer = {
  readonly kind: AnyKind;
  readonly claim: Claim;
  readonly truth: Truth;
  readonly found?: Found;
};

/** The claims of the pages as things stand. A claim is false only where its past or its kind proves it. */
export async function answerClaims(
  pages: readonly DocumentPage[],
  input: WholeInput,
  head: State,
): Promise<Answer[]> {
  const pace = createPace();
  const answers: Answer[] = [];
  const waiting: Waiting[] = [];
  for (const [done, kind] of kinds.entries()) {
    await input.pause?.(done, kinds.length);
    for (const claim of await readAll(kind, pages, head)) {
      await pace();
      const isSuspect = !kind.isSuspect || (await kind.isSuspect(claim, head));
      if (!isSuspect && kind.isImplied?.(claim)) continue;
      const truth = await kind.evaluate(claim, head);
      if (truth.is === "true" && kind.isImplied?.(claim)) continue;
      if (truth.is === "false" && isSuspect) waiting.push({ kind, claim, truth, at: answers.length });
      answers.push({ kind, claim, truth: settle(truth, null, input) });
    }
  }
  for await (const { kind, claim, truth, at, judged } of new Past(input).judgeAll(waiting, head))
    answers[at] = {
      kind,
      claim,
      truth: settle(truth, judged, input),
      ...defined({ found: judged ? toFound(kind, judged) : undefined }),
    };
  return answers;
}

/** A claim that is false now, and the place of its answer. */
type Waiting = Omit<Answer, "found"> & { readonly at: number };

/** One passage, one claim: of those that end with the same word, the one that is false, or else the one that is true. */
export function onePerPassage(answers: readonly Answer[]): Answer[] {
  const chosen = new Map<string, Answer>();
  for (const answer of answers) {
    const { page, region } = answer.claim;
    const place = `${region.end} ${page.path}`;
    const other = chosen.get(place);
    if (!other || rankOf(answer) < rankOf(other)) chosen.set(place, answer);
  }
  return [...chosen.values()];
}

/** The surer answer first; of equal ones the one about more words: `pkg.name` says more than `name`. */
function rankOf({ truth, claim: { region } }: Answer): number {
  return RANK[truth.is] - (region.end - region.start) / Number.MAX_SAFE_INTEGER;
}

const RANK = { false: 0, true: 1, undecidable: 2, none: 3 } as const;

async function readAll(kind: AnyKind, pages: readonly DocumentPage[], head: State): Promise<Claim[]> {
  const pace = createPace();
  const claims: Claim[] = [];
  for (const page of pages) {
    await pace();
    for (const claim of await kind.read(page)) if (!isSilent(claim)) claims.push(claim);
  }
  await head.prepare([...new Set(claims.flatMap((claim) => kind.names?.(claim) ?? []))]);
  return claims;
}

function toFound(kind: AnyKind, { drift, since, thing }: Judged): Found {
  const { tierWithoutChange: tier = drift.tier } = drift;
  return { kind, drift: { ...drift, tier }, ...defined({ since, thing: thing || undefined }) };
}

/** The truth of a claim in the light of its past: what never was so was about something else. */
function settle(truth: Truth, judged: Judged | null, { history }: WholeInput): Truth {
  if (truth.is !== "false") return truth;
  const { thing, by } = judged?.was ?? truth;
  const bound = thing && by ? { thing, by } : {};
  if (judged) return { is: "false", evidence: judged.drift.evidence, ...bound };
  if (!history) return { is: "undecidable", why: "the history is not here", ...bound };
  return { is: thing ? "undecidable" : "none", why: "it was not so when the line was written", ...bound };
}

type Judged = {
  readonly drift: Drift;
  readonly since?: Notice["since"];
  /** Its truth when the line was written, with the thing that it was about then. */
  readonly was?: Truth;
  /** That thing, with the line that declared it. */
  readonly thing?: Found["thing"];
};

// Each state has the list of all its files, and what a file offers holds on to its text.
const MOST_STATES = 8;
const MOST_SURFACES = 600;

/** The commit in which a line was written, and the states that its claims are asked in. */
type Dated = { readonly written: string | null; readonly base: State | null; readonly head: State };

/** The states of the past in which lines were written. */
class Past {
  readonly #history: History | undefined;
  readonly #repository: readonly string[];
  readonly #blames = new Map<string, Promise<readonly string[] | null>>();
  readonly #states = keepLast<Promise<State | null>>(MOST_STATES);
  readonly #surfaces = keepLast<Promise<readonly Thing[]>>(MOST_SURFACES);

  constructor({ history, repository = [] }: WholeInput) {
    this.#history = history;
    this.#repository = repository;
  }

  /** Judges the claims commit by commit: each state of the past is opened once, and asked for all its names at once. */
  async *judgeAll(
    waiting: readonly Waiting[],
    head: State,
  ): AsyncGenerator<Waiting & { readonly judged: Judged | null }> {
    const pace = createPace();
    const byCommit = new Map<string | null, Waiting[]>();
    for (const one of waiting) {
      const written = await this.#writtenIn(one.claim);
      const known = byCommit.get(written);
      if (known) known.push(one);
      else byCommit.set(written, [one]);
    }
    for (const [written, own] of byCommit) {
      const base = written === null ? null : await this.#state(written);
      await base?.prepare([...new Set(own.flatMap(({ kind, claim }) => kind.names?.(claim) ?? []))]);
      for (const one of own) {
        await pace();
        yield { ...one, judged: await this.#judge(one.kind, one.claim, { written, base, head }) };
      }
    }
  }

  async #judge(kind: AnyKind, claim: Claim, { written, base, head }: Dated): Promise<Judged | null> {
    const dated = written !== null && base && (await this.#judgeSince(kind, claim, { written, base, head }));
    const isOwned = linePolicyOf(claim.page).ownerOf(lineAt(claim.page.read(), claim.region.start)) !== null;
    if (dated || isOwned || !kind.timeless?.(claim)) return dated || null;
    const drift = await kind.judge(claim, { base: null, head });
    return drift && { drift };
  }

  /** A claim that was true when its line was written, and the commit that made it false. */
  async #judgeSince(
    kind: AnyKind,
    claim: Claim,
    { written, base, head }: Dated & { readonly written: string; readonly base: State },
  ): Promise<Judged | null> {
    const drift = await kind.judge(claim, { base, head });
    if (!drift) return null;
    // A claim without evidence is about its page alone.
    const places = drift.evidence.length > 0 ? drift.evidence : [claim.page];
    const since = await this.#since(kind, {
      claim,
      base,
      written,
      paths: places.map(({ path }) => path),
    });
    const was = await kind.evaluate(claim, base);
    return { drift, was, ...(await declaredThing(was, base)), ...defined({ since: since ?? undefined }) };
  }

  /** The commit in which the lines of a claim got their present words. */
  async #writtenIn({ page, region, words = region }: Claim): Promise<string | null> {
    const known = this.#blames.get(page.path) ?? this.#history?.blame(page.path) ?? Promise.resolve(null);
    this.#blames.set(page.path, known);
    const first = lineAt(page.read(), words.start);
    const last = words === region ? first : lineAt(page.read(), words.end);
    return this.#newest((await known)?.slice(first, last + 1) ?? []);
  }

  async #newest(commits: readonly string[]): Promise<string | null> {
    const [first, ...others] = new Set(commits);
    if (first === undefined || others.length === 0) return first ?? null;
    const dated = await Promise.all(
      [first, ...others].map(
        async (commit) => [(await this.#history?.summary(commit))?.date ?? "", commit] as const,
      ),
    );
    return dated.reduce((newest, one) => (one[0] > newest[0] ? one : newest))[1];
  }

  #state(commit: string): Promise<State | null> {
    const open = async (): Promise<State | null> => {
      const source = await this.#history?.stateAt(commit);
      return source
        ? openState({
            ...source,
            repository: this.#repository,
            holders: askOnce(source.holders),
            shared: (path) => this.#surface(path, source),
          })
        : null;
    };
    return this.#states(commit, open);
  }

  /** A file offers the same wherever in the past it had the same content. */
  #surface(path: string, { blob, read }: StateSource): Promise<readonly Thing[]> | undefined {
    const id = blob?.(path);
    if (id === undefined) return undefined;
    const key = `${id} ${path}`;
    return this.#surfaces(key, () => readOffered(path, read));
  }

  /** The first commit after which the claim was false: true in the one before, false in this one. */
  async #since(
    kind: AnyKind,
    { claim, base, written, paths }: { claim: Claim; base: State; written: string; paths: readonly string[] },
  ): Promise<Notice["since"] | null> {
    const commits = (await this.#history?.touching(paths, written)) ?? [];
    let [newest, oldest] = [0, commits.length];
    while (newest < oldest) {
      const middle = (newest + oldest) >> 1;
      const state = await this.#state(commits[middle]!);
      const isFalse = state !== null && (await kind.judge(claim, { base, head: state })) !== null;
      if (isFalse) newest = middle + 1;
      else oldest = middle;
    }
    return newest === 0 ? null : ((await this.#history?.summary(commits[newest - 1]!)) ?? null);
  }
}
