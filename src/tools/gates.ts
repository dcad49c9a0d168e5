import { codeName, findAddedInvisible } from "../text/characters/invisible-characters.ts";
import { accept, type Outcome, refuse } from "../text/model/outcome.ts";
import type { Change, Plan } from "../text/model/plan.ts";
import type { Applied } from "./apply-edits.ts";

/** Checks on a whole plan before it may be committed. Each refuses text that is never meant to be written. */
export function passGates(plan: Plan, options: { readonly force?: boolean | undefined } = {}): Outcome<Plan> {
  if (options.force) return accept(plan);
  for (const change of plan.changes)
    for (const gate of [noElision, noInvisible]) {
      const why = gate(change);
      if (why !== null) return refuse({ code: "needs-consent", path: change.path, detail: why });
    }
  return accept(plan);
}

/** Warnings about a plan that do not stop it. */
export function warnings({ plan, broken }: Pick<Applied, "plan" | "broken">): string[] {
  const marked = plan.changes.filter((change) =>
    insertedTexts(change).some((text) => conflictMarker.test(text)),
  );
  return [
    ...marked.map(({ path }) => `${path}: the new text holds conflict markers.`),
    ...broken.map(
      ({ path, line, detail }) => `${path} parsed before and no longer parses at line ${line}: ${detail}.`,
    ),
  ];
}

const conflictMarker = /^(?:<{7} |>{7} |={7}$)/m;

/** One of these is in every placeholder line. Most lines have none, and the patterns below take long to build. */
const elisionSigns = ["...", "…", "rest of ", "remainder of ", " truncated"];

/** Placeholder lines that models write instead of text, and that reading tools print where they stop. */
const elisions = (): readonly RegExp[] => [
  /^\W*(?:\.\.\.|…)\s*(?:the\s+)?(?:rest|remainder|remaining|existing|previous|other|unchanged|same)\b.{0,60}$/i,
  /^\W*(?:the\s+)?(?:rest|remainder) of (?:the |your )?(?:code|file|function|class|content|document|implementation|page)\b.{0,40}(?:unchanged|the same|here|stays|omitted|as is|\.\.\.|…)?\W*$/i,
  /^\W*(?:existing|previous|unchanged|remaining) (?:code|content|implementation|lines|text)(?: (?:here|unchanged|stays|omitted|remains?))?\s*(?:\.\.\.|…)\W*$/i,
  /^\W*\[?(?:file|output|content) truncated\b.{0,60}$/i,
];

function noElision(change: Change): string | null {
  const before = textBefore(change);
  for (const text of insertedTexts(change))
    for (const line of text.split(/\r?\n/)) {
      const bare = line.trim();
      if (bare.length > 160 || !isElision(bare) || before.includes(bare)) continue;
      return `the new text for ${change.path} has a placeholder instead of text (${JSON.stringify(bare)})`;
    }
  return null;
}

function isElision(line: string): boolean {
  const lower = line.toLowerCase();
  return elisionSigns.some((sign) => lower.includes(sign)) && elisions().some((each) => each.test(line));
}

function noInvisible({ path, before, after }: Change): string | null {
  const [first] = after === null ? [] : findAddedInvisible(before.text, after);
  return first ? `the new text for ${path} brings in an invisible character (${codeName(first.code)})` : null;
}

function insertedTexts(change: Change): string[] {
  return change.splices.map(({ text }) => text);
}

function textBefore(change: Change): string {
  return change.before.text ?? "";
}
