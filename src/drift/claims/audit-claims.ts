import type { History, WholeInput } from "../change/change.ts";
import type { DocumentPage } from "../change/change-model.ts";
import type { Notice } from "../findings.ts";
import { createPace } from "../pace.ts";
import { linePolicyOf } from "../pages/line-policy.ts";
import { lineAt } from "../pages/page.ts";
import { askOnce, openState, readOffered, type State, type StateSource } from "../state/state.ts";
import { openPresent } from "../state/states.ts";
import type { Thing } from "../surface/thing.ts";
import type { AnyKind, Claim, Drift } from "./claim.ts";
import { isSilent, toNotice } from "./find-false.ts";
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
  const past = new Past(input);
  const found: Found[] = [];
  for (const [done, kind] of kinds.entries()) {
    await input.pause?.(done, kinds.length);
    for (const claim of await findFalse(kind, pages, { head, tally })) {
      const judged = await past.judge(kind, claim, head);
      if (judged !== null) found.push({ kind, ...judged });
    }
  }
  return (await keepWholeRepairs(found, head)).map(toNotice);
}

/** The claims of all pages that are false at the head. */
async function findFalse(
  kind: AnyKind,
  pages: readonly DocumentPage[],
  { head, tally }: { readonly head: State; readonly tally: Tally },
): Promise<Claim[]> {
  const pace = createPace();
  const claims: Claim[] = [];
  for (const page of pages) {
    await pace();
    claims.push(...(await kind.read(page)).filter((claim) => !isSilent(claim)));
  }
  await head.prepare([...new Set(claims.flatMap((claim) => kind.names?.(claim) ?? []))]);
  const found: Claim[] = [];
  for (const claim of claims) {
    await pace();
    const isAsked = !kind.isSuspect || (await kind.isSuspect(claim, head));
    const truth = isAsked ? await kind.evaluate(claim, head) : COMMON;
    tally.count(truth);
    if (truth.is === "false") found.push(claim);
  }
  return found;
}

const COMMON = { is: "undecidable", why: "nothing suggests that it is false" } as const;

/** The states of the past in which lines were written. */
class Past {
  readonly #history: History | undefined;
  readonly #repository: readonly string[];
  readonly #blames = new Map<string, Promise<readonly string[] | null>>();
  readonly #states = new Map<string, Promise<State | null>>();
  readonly #surfaces = new Map<string, Promise<readonly Thing[]>>();

  constructor({ history, repository = [] }: WholeInput) {
    this.#history = history;
    this.#repository = repository;
  }

  async judge(
    kind: AnyKind,
    claim: Claim,
    head: State,
  ): Promise<{ readonly drift: Drift; readonly since?: Notice["since"] } | null> {
    const dated = await this.#judgeSince(kind, claim, head);
    const isOwned = linePolicyOf(claim.page).ownerOf(lineAt(claim.page.read(), claim.region.start)) !== null;
    if (dated || isOwned || !kind.timeless?.(claim)) return dated;
    const drift = await kind.judge(claim, { base: null, head });
    return drift && { drift };
  }

  /** A claim that was true when its line was written, and the commit that made it false. */
  async #judgeSince(
    kind: AnyKind,
    claim: Claim,
    head: State,
  ): Promise<{ readonly drift: Drift; readonly since?: Notice["since"] } | null> {
    const written = await this.#writtenIn(claim);
    const base = written && (await this.#state(written));
    const drift = base ? await kind.judge(claim, { base, head }) : null;
    if (!written || !base || !drift) return null;
    const since = await this.#since(kind, {
      claim,
      base,
      written,
      paths: drift.evidence.map(({ path }) => path),
    });
    return { drift, ...(since && { since }) };
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
    const known = this.#states.get(commit) ?? open();
    this.#states.set(commit, known);
    return known;
  }

  /** A file offers the same wherever in the past it had the same content. */
  #surface(path: string, { blob, read }: StateSource): Promise<readonly Thing[]> | undefined {
    const id = blob?.(path);
    if (id === undefined) return undefined;
    const key = `${id} ${path}`;
    const surface = this.#surfaces.get(key) ?? readOffered(path, read);
    this.#surfaces.set(key, surface);
    return surface;
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
