import type { Region } from "../../text/model/region.ts";
import { applySplices } from "../../text/model/splice.ts";
import { type ChangeModel, openPage } from "../change/change-model.ts";
import { dropIgnored, type Notice } from "../findings.ts";
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
  return dropIgnored(notices);
}

/** A repair is kept if the claim, read again from the repaired page, is true. */
export async function keepTrueRepairs(
  kind: AnyKind,
  drifts: readonly Drift[],
  head: State,
): Promise<Drift[]> {
  const kept: Drift[] = [];
  for (const [page, own] of Map.groupBy(drifts, ({ claim }) => claim.page)) {
    const { repaired, rest } = separate(own);
    kept.push(...rest);
    if (repaired.length === 0) continue;
    const splices = repaired.map((drift) => ({ region: placeOf(drift), text: drift.repair! }));
    const after = openPage(page.path, applySplices(page.text, splices));
    const claims = await kind.read(after);
    const byStart = new Map(claims.map((claim) => [claim.region.start, claim] as const));
    let shift = 0;
    for (const drift of repaired) {
      const region = placeOf(drift);
      const again = byStart.get(drift.claim.region.start + shift);
      shift += drift.repair!.length - (region.end - region.start);
      const isTrue = again !== undefined && (await kind.evaluate(again, head)).is === "true";
      kept.push(isTrue ? drift : withoutRepair(drift));
    }
  }
  return kept;
}

/** The drifts with a repair, in the order of the page and apart from each other, and the rest without one. */
function separate(drifts: readonly Drift[]): { readonly repaired: Drift[]; readonly rest: Drift[] } {
  const repaired: Drift[] = [];
  const rest: Drift[] = [];
  let end = -1;
  for (const drift of drifts.toSorted((a, b) => placeOf(a).start - placeOf(b).start)) {
    const region = placeOf(drift);
    if (drift.repair === undefined || region.start < end) rest.push(withoutRepair(drift));
    else {
      repaired.push(drift);
      end = region.end;
    }
  }
  return { repaired, rest };
}

/** The part of the page that a drift is about. */
function placeOf({ where, claim }: Drift): Region {
  return where ?? claim.region;
}

function withoutRepair({ repair: _, ...reported }: Drift): Drift {
  return reported;
}

export function toNotice({ name, rules }: AnyKind, drift: Drift): Notice {
  const { claim, tier, message, evidence, cause, since, repair, rule = rules?.[0] } = drift;
  const { page } = claim;
  const region = placeOf(drift);
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
    ...(rule !== undefined && { rule }),
    ...(since && { since }),
    ...(repair !== undefined && { splice: { region, text: repair } }),
  };
}
