import { applySplices } from "../../text/model/splice.ts";
import { type ChangeModel, type DocumentPage, openPage } from "../change/change-model.ts";
import type { Notice } from "../findings.ts";
import { createPace } from "../pace.ts";
import { lineAt } from "../pages/page.ts";
import type { State } from "../state/state.ts";
import { openStates } from "../state/states.ts";
import type { AnyKind, Drift } from "./claim.ts";
import { type ClaimKind, kinds } from "./registry.ts";

/** The claims that were true before a change and are false after it. */
export async function findFalseClaims(change: ChangeModel): Promise<Notice[]> {
  const states = openStates(change);
  const notices: Notice[] = [];
  const pace = createPace();
  for (const kind of kinds) {
    const drifts: Drift[] = [];
    for (const claim of await kind.touched(change, states)) {
      await pace();
      const drift = await kind.judge(claim, states);
      if (drift !== null) drifts.push(drift);
    }
    notices.push(...(await keepTrueRepairs(kind, drifts, states.head)).map((drift) => toNotice(kind, drift)));
  }
  return notices;
}

/** The claims that are false in the present and need no past to be drift. */
export async function findDeadClaims(pages: readonly DocumentPage[], head: State): Promise<Notice[]> {
  const notices: Notice[] = [];
  const pace = createPace();
  for (const kind of kinds) {
    if (!kind.timeless) continue;
    const drifts: Drift[] = [];
    for (const page of pages)
      for (const claim of kind.read(page)) {
        await pace();
        const drift = kind.timeless(claim) ? await kind.judge(claim, { base: null, head }) : null;
        if (drift !== null) drifts.push(drift);
      }
    notices.push(...(await keepTrueRepairs(kind, drifts, head)).map((drift) => toNotice(kind, drift)));
  }
  return notices;
}

/** A repair is kept if the claim, read again from the repaired page, is true. */
async function keepTrueRepairs(kind: AnyKind, drifts: readonly Drift[], head: State): Promise<Drift[]> {
  const kept: Drift[] = [];
  for (const [page, own] of Map.groupBy(drifts, ({ claim }) => claim.page)) {
    const repaired = own.filter(({ repair }) => repair !== undefined);
    const splices = repaired
      .map(({ claim: { region }, repair }) => ({ region, text: repair! }))
      .sort((a, b) => a.region.start - b.region.start);
    const after = openPage(page.path, applySplices(page.text, splices));
    const claims = repaired.length === 0 ? [] : kind.read(after);
    const byStart = new Map(claims.map((claim) => [claim.region.start, claim]));
    for (const drift of own) {
      const shift = splices
        .filter(({ region }) => region.end <= drift.claim.region.start)
        .reduce((sum, { region, text }) => sum + text.length - (region.end - region.start), 0);
      const again = byStart.get(drift.claim.region.start + shift);
      const isTrue = again !== undefined && (await kind.evaluate(again, head)).is === "true";
      const { repair: _, ...reported } = drift;
      kept.push(isTrue ? drift : reported);
    }
  }
  return kept;
}

function toNotice(
  { name }: AnyKind,
  { claim, tier, message, evidence, cause, since, repair }: Drift,
): Notice {
  const { page, region } = claim;
  const read = page.read();
  return {
    page,
    line: lineAt(read, region.start),
    endLine: lineAt(read, Math.max(region.start, region.end - 1)),
    tier,
    kind: name as ClaimKind,
    message,
    evidence,
    cause,
    ...(since && { since }),
    ...(repair !== undefined && { splice: { region, text: repair } }),
  };
}
