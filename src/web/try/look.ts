import { openPage } from "../../drift/change/change-model.ts";
import type { Claim, Truth } from "../../drift/claims/claim.ts";
import { kinds } from "../../drift/claims/registry.ts";
import { driftBetween, type Tree } from "../../drift/drift-between.ts";
import { lineAt } from "../../drift/pages/page.ts";
import { openState, type State } from "../../drift/state/state.ts";
import { planEdits } from "../../text/model/plan.ts";
import { findingText } from "../../wording/findings.ts";
import type { Looked, Sample, ShownClaim, ShownTruth } from "../page/try/looked.ts";

/** Reads the claims of the page, asks both states of the code for their truth, and repairs the page. */
export async function look(sample: Sample): Promise<Looked> {
  const tree = (code: string): Tree =>
    new Map([
      [sample.codePath, code],
      [sample.pagePath, sample.page],
    ]);
  const [before, after] = [tree(sample.before), tree(sample.after)];
  const { findings } = await driftBetween(before, after);
  const edits = findings.flatMap((finding) => finding.edits).filter(({ path }) => path === sample.pagePath);
  const planned = planEdits(edits, [{ path: sample.pagePath, text: sample.page, version: "" }]);
  return {
    claims: await findClaims(sample, { before: stateOf(before), after: stateOf(after) }),
    findings: findings
      .filter(({ path }) => path === sample.pagePath)
      .map((finding) => ({
        line: finding.startLine,
        tier: finding.tier,
        message: findingText(finding),
        isRepaired: finding.edits.length > 0,
      })),
    repaired: (planned.ok && planned.value.changes[0]?.after) || sample.page,
  };
}

type BothStates = { readonly before: State; readonly after: State };

async function findClaims(
  { pagePath, page: text }: Sample,
  { before, after }: BothStates,
): Promise<ShownClaim[]> {
  const page = openPage(pagePath, text);
  const found: ShownClaim[] = [];
  for (const kind of kinds)
    for (const claim of (await kind.read(page)) as readonly Claim[])
      found.push({
        kind: kind.name,
        line: lineAt(page.read(), claim.region.start) + 1,
        words: text.slice(claim.region.start, claim.region.end),
        before: shown(await kind.evaluate(claim, before)),
        after: shown(await kind.evaluate(claim, after)),
      });
  return found.sort((a, b) => a.line - b.line);
}

function shown({ is }: Truth): ShownTruth {
  return is === "none" ? "undecidable" : is;
}

/** One state of the project, in memory. */
function stateOf(tree: Tree): State {
  return openState({
    revision: "",
    paths: [...tree.keys()],
    read: async (path) => tree.get(path) ?? null,
    holders: async (words) =>
      new Map(words.map((word) => [word, [...tree.keys()].filter((path) => tree.get(path)!.includes(word))])),
  });
}
