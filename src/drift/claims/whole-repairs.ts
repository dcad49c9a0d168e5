import type { Region } from "../../text/model/region.ts";
import { applySplices } from "../../text/model/splice.ts";
import { type DocumentPage, openPage } from "../change/change-model.ts";
import type { Notice } from "../findings.ts";
import { linePolicyOf } from "../pages/line-policy.ts";
import { lineAt } from "../pages/page.ts";
import { firstFrom } from "../pages/statements.ts";
import type { State } from "../state/state.ts";
import type { AnyKind, Claim, Drift } from "./claim.ts";
import { kinds } from "./registry.ts";

/** A drift with its kind. */
export type Found = {
  readonly kind: AnyKind;
  readonly drift: Drift;
  readonly since?: Notice["since"];
  readonly thing?: Notice["thing"];
};

/** Rounds of taking repairs back. A repair that still fails after them is not made. */
const MOST_ROUNDS = 4;

/**
 * The same drifts with the repairs that are right together: after them each claim, read again from its page, is true at the
 * head, and no other claim of the touched lines became false, whatever its kind.
 */
export async function keepWholeRepairs(found: readonly Found[], head: State): Promise<Found[]> {
  const kept: Found[] = [];
  for (const [page, own] of Map.groupBy(found, ({ drift }) => drift.claim.page)) {
    const { repaired, rest } = await repairPage(page, own, head);
    kept.push(...repaired, ...rest);
  }
  return kept;
}

type Separated = { readonly repaired: readonly Found[]; readonly rest: readonly Found[] };

async function repairPage(page: DocumentPage, own: readonly Found[], head: State): Promise<Separated> {
  let { repaired, rest } = separate(page, own);
  for (let round = 0; repaired.length > 0; round++) {
    const failed =
      round < MOST_ROUNDS ? await new RepairedPage(page, repaired, head).findFailed() : new Set(repaired);
    if (failed.size === 0) break;
    rest = [...rest, ...[...failed].map(withoutRepair)];
    repaired = repaired.filter((one) => !failed.has(one));
  }
  return { repaired, rest };
}

/** The drifts with a repair, in the order of the page and apart from each other, and the rest without one. */
function separate(page: DocumentPage, own: readonly Found[]): Separated {
  const repaired: Found[] = [];
  const rest: Found[] = [];
  const { ownerOf } = linePolicyOf(page);
  let end = -1;
  const fitted = own.map(withinColumns);
  for (const found of fitted.toSorted((a, b) => regionOf(a).start - regionOf(b).start)) {
    const region = regionOf(found);
    const isOwned = (): boolean => ownerOf(lineAt(page.read(), region.start)) !== null;
    if (found.drift.repair === undefined || region.start < end || isOwned()) rest.push(withoutRepair(found));
    else {
      repaired.push(found);
      end = region.end;
    }
  }
  return { repaired, rest };
}

/** The same repair with blanks behind it that keep the columns of a drawn table in place; none where its cell is too narrow. */
function withinColumns(found: Found): Found {
  const { page } = found.drift.claim;
  const { repair } = found.drift;
  const { start, end } = regionOf(found);
  if (repair === undefined || repair.length === end - start) return found;
  const above = page.text.slice(page.text.lastIndexOf("\n\n", start) + 1, start);
  const [, tail = "", blanks = "", next = ""] = REST_OF_CELL.exec(page.text.slice(end)) ?? [];
  if (next === "" || !above.split("\n").some((line) => BORDER.test(line))) return found;
  const room = blanks.length - (repair.length - (end - start));
  if (room < 1) return withoutRepair(found);
  const where = { start, end: end + tail.length + blanks.length };
  return { ...found, drift: { ...found.drift, where, repair: `${repair}${tail}${" ".repeat(room)}` } };
}

/** The top of a table, or the line between two of its rows: `+---+---+`, `=== ===`. */
const BORDER = /^\s*(?:\+[-=+]+\+|=+(?: +=+)+)\s*$/;
const REST_OF_CELL = /^((?:[^\s|]| (?![ |]))*)( *)([^\n]?)/;

/** A page with its repairs made, beside the page as it is. */
class RepairedPage {
  readonly #before: DocumentPage;
  readonly #after: DocumentPage;
  readonly #repaired: readonly Found[];
  /** What the repairs replace, and where each stands on the page after them. */
  readonly #old: readonly Region[];
  readonly #fresh: readonly Region[];
  readonly #head: State;

  constructor(page: DocumentPage, repaired: readonly Found[], head: State) {
    let shift = 0;
    this.#old = repaired.map(regionOf);
    this.#fresh = repaired.map((found) => {
      const { start, end } = regionOf(found);
      const { length } = found.drift.repair!;
      const at = start + shift;
      shift += length - (end - start);
      return { start: at, end: at + length };
    });
    const splices = repaired.map((found) => ({ region: regionOf(found), text: found.drift.repair! }));
    this.#before = page;
    this.#after = openPage(page.path, applySplices(page.text, splices), applySplices(page.whole, splices));
    this.#repaired = repaired;
    this.#head = head;
  }

  /** The repairs whose claim is not true after them, and those on a line on which another claim became false. */
  async findFailed(): Promise<Set<Found>> {
    const failed = new Set<Found>();
    for (const kind of kinds) {
      const claims = await kind.read(this.#after);
      const again = byStart(claims);
      for (const found of this.#repaired) {
        if (found.kind !== kind) continue;
        const claim = again.get(this.#startAfter(found.drift.claim.region.start));
        if (!claim || (await kind.evaluate(claim, this.#head)).is !== "true") failed.add(found);
      }
      const lines = await this.#newlyFalse(kind, claims);
      for (const [at, found] of this.#repaired.entries())
        if (lines.has(this.#lineOf(this.#fresh[at]!.start))) failed.add(found);
    }
    return failed;
  }

  /** The edited lines on which a claim is false that was not false before the repairs. */
  async #newlyFalse(kind: AnyKind, claims: readonly Claim[]): Promise<Set<number>> {
    const edited = new Set(this.#fresh.map(({ start }) => this.#lineOf(start)));
    const found = new Set<number>();
    let before: Map<number, Claim> | undefined;
    for (const claim of claims) {
      const line = this.#lineOf(claim.region.start);
      if (!edited.has(line) || this.#isRepaired(claim.region)) continue;
      if ((await kind.evaluate(claim, this.#head)).is !== "false") continue;
      before ??= byStart(await kind.read(this.#before));
      const was = before.get(this.#startBefore(claim.region.start));
      if (was && (await kind.evaluate(was, this.#head)).is !== "false") found.add(line);
    }
    return found;
  }

  /** Whether the words of a claim are those of a repair, which has its own proof. */
  #isRepaired({ start, end }: Region): boolean {
    const last = this.#fresh[firstFrom(this.#fresh, end) - 1];
    return last !== undefined && start < last.end;
  }

  /** Where an offset of the page is after the repairs before it. */
  #startAfter(start: number): number {
    return start + this.#shiftBehind(firstFrom(this.#old, start));
  }

  #startBefore(start: number): number {
    return start - this.#shiftBehind(firstFrom(this.#fresh, start));
  }

  /** How far the first repairs move what stands behind them. */
  #shiftBehind(count: number): number {
    return count === 0 ? 0 : this.#fresh[count - 1]!.end - this.#old[count - 1]!.end;
  }

  #lineOf(offset: number): number {
    return lineAt(this.#after.read(), offset);
  }
}

function byStart(claims: readonly Claim[]): Map<number, Claim> {
  return new Map(claims.map((claim) => [claim.region.start, claim]));
}

function regionOf({ drift }: Found): Region {
  return drift.where ?? drift.claim.region;
}

function withoutRepair({ drift: { repair: _, ...drift }, ...found }: Found): Found {
  return { ...found, drift };
}
