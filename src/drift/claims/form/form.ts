import { defined } from "../../../text/model/defined.ts";
import { openPage } from "../../change/change-model.ts";
import type { State } from "../../state/state.ts";
import type { Drift, Kind, PastStates } from "../claim.ts";
import { type FormClaim, isSound, readFences } from "./read.ts";

/** A fence is closed, and a sample that parsed parses. Other kinds ask what the sample says about the project. */
export const form: Kind<"form", FormClaim> = {
  name: "form",
  docs: "A sample is not closed, so that the text after it is shown as code, or it no longer parses.",
  mayEdit: true,
  rules: ["fence"],
  read: readFences,
  touched: async ({ input, pages }) => {
    const changed = new Set((input.pages ?? []).map(({ path }) => path));
    return pages.flatMap((page) => (changed.has(page.path) ? readFences(page) : []));
  },
  isSuspect: async (claim) => !(await isSound(claim)),
  isImplied: () => true,
  timeless: ({ open }) => open?.heading !== undefined,
  judge,
  evaluate: async (claim) => ((await isSound(claim)) ? { is: "true" } : { is: "false", evidence: [] }),
};

/** A sample that never parsed may be an excerpt on purpose, so its past decides. */
async function judge(claim: FormClaim, { base, head }: PastStates): Promise<Drift<FormClaim> | null> {
  const { page, key, language, open } = claim;
  const shown = open?.heading ?? page.text.trim().split("\n").at(-1)!;
  if (base !== null && (await soundIn(base, claim)) !== true) return null;
  if ((await soundIn(head, claim)) !== false) return null;
  return {
    claim,
    tier: "likely",
    // Of four such samples that were read in whole repositories, none was worth a reader's time: excerpts stop parsing on purpose.
    ...defined({ tierWithoutChange: !open ? ("possible" as const) : undefined }),
    message: open ? { what: "open fence", old: shown } : { what: "broken sample", old: language },
    evidence: [],
    cause: open ? `fence:${page.path}:${shown}` : `sample:${page.path}:${key}`,
    ...(open?.close && { where: open.close.region, repair: open.close.text }),
  };
}

/**
 * Whether the same sample of the page was sound in a state; undefined where that page has no such sample. A fence is
 * open at the first change that leaves one open, whatever it holds.
 */
async function soundIn(state: State, { page, key, open }: FormClaim): Promise<boolean | undefined> {
  const path = state.pathOf?.(page.path) ?? page.path;
  const text = await state.text(path);
  if (text === null) return undefined;
  const fences = readFences(openPage(path, text));
  if (open) return !fences.some((one) => one.open);
  const same = fences.find((one) => one.key === key);
  // One that is too short to be asked proves nothing.
  return same?.sample === undefined ? undefined : isSound(same);
}
