import { defined } from "../../text/model/defined.ts";
import type { ChangeModel } from "../change/change-model.ts";
import { dropIgnored, type Notice } from "../findings.ts";
import { createPace } from "../pace.ts";
import { linePolicyOf } from "../pages/line-policy.ts";
import { lineAt } from "../pages/page.ts";
import type { State } from "../state/state.ts";
import { openStates } from "../state/states.ts";
import { type AnyKind, type Claim, type Drift, type Truth, wordsOf } from "./claim.ts";
import { type ClaimKind, kinds } from "./registry.ts";
import { Tally } from "./tally.ts";
import { type Found, keepWholeRepairs } from "./whole-repairs.ts";

/** The claims that were true before a change and are false after it. */
export async function findFalseClaims(change: ChangeModel, tally = new Tally()): Promise<Notice[]> {
  const states = openStates(change);
  const found: Found[] = [];
  const pace = createPace();
  for (const [done, kind] of kinds.entries()) {
    await change.input.pause?.(done, kinds.length);
    const claims = (await kind.touched(change, states)).filter((claim) => !isSilent(claim));
    // One search for the names of all claims: each search reads every file that may hold one of them.
    await states.head.prepare([...new Set(claims.flatMap((claim) => kind.names?.(claim) ?? []))]);
    for (const claim of claims) {
      await pace();
      const drift = await kind.judge(claim, states);
      if (drift !== null && !(await isMadeSo(kind, drift, states.base))) found.push({ kind, drift });
      tally.count(drift === null ? null : FALSE);
    }
  }
  const kept = await keepWholeRepairs(found, states.head);
  const bound: Found[] = [];
  for (const one of kept) {
    const was = await one.kind.evaluate(one.drift.claim, states.base);
    bound.push({ ...one, ...(await declaredThing(was, states.base)) });
  }
  return dropIgnored(bound.map(toNotice));
}

/** The thing that a claim is about with its line in the state that was asked. */
export async function declaredThing({ thing }: Truth, state: State): Promise<Pick<Found, "thing">> {
  if (!thing) return {};
  const { name, path, line } = thing;
  const text = (await state.line(path, line)).trim();
  const declaration = text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}…` : text;
  return { thing: { name, path, line, declaration } };
}

const LONGEST = 200;

/** Whether a program writes a line that was never true: a link of its own form. */
async function isMadeSo(kind: AnyKind, { claim }: Drift, base: State): Promise<boolean> {
  if (
    !kind.timeless?.(claim) ||
    linePolicyOf(claim.page).ownerOf(lineAt(claim.page.read(), claim.region.start)) === null
  )
    return false;
  return (await kind.evaluate(claim, base)).is !== "true";
}

const FALSE = { is: "false", evidence: [] } as const;

/** Whether the page says nothing about today where the claim stands. */
export function isSilent({ page, region }: Claim): boolean {
  return linePolicyOf(page).isSilent(lineAt(page.read(), region.start));
}

export function toNotice({ kind: { name, rules }, drift, since = drift.since, thing }: Found): Notice {
  const { claim, tier, message, evidence, cause, repair, rule = rules?.[0] } = drift;
  const { page } = claim;
  const region = drift.where ?? claim.region;
  const read = page.read();
  return {
    page,
    line: lineAt(read, region.start),
    endLine: lineAt(read, Math.max(region.start, region.end - 1)),
    tier,
    kind: name as ClaimKind,
    says: wordsOf(claim),
    ...defined({ thing: thing || undefined }),
    message,
    evidence,
    cause,
    ...defined({ rule, since, splice: repair === undefined ? undefined : { region, text: repair } }),
  };
}
