import type { ChangeModel } from "./change/change-model.ts";
import { isCommon, isDistinct } from "./change/names.ts";
import { evidenceOfRemoval, type Notice } from "./findings.ts";
import { createPace } from "./pace.ts";
import { findMentioned, findMentions, type Mention } from "./pages/mentions.ts";

/** On more lines than this, an everyday word is just a word. */
const CROWD = 10;

/**
 * Words that a change took out of the code and that pages still have. Nothing is proved: they are shown on request, and
 * are the questions for a model. Lines of which a claim is known to be false are left out.
 */
export async function findPossible(change: ChangeModel, proved: readonly Notice[]): Promise<Notice[]> {
  const said = new Set(proved.map(({ page, line }) => `${page.path}\0${line}`));
  const gone = change.removedNames.filter((name) => {
    const { living, removed } = change.usage(name);
    return name.length > 2 && !isCommon(name) && living === 0 && removed.declared + removed.used > 0;
  });
  const names = findMentioned(change.pages, new Set(gone));
  const mentions = findMentions(change.pages, new Set(names));
  const pace = createPace();
  const notices: Notice[] = [];
  for (const [name, places] of mentions) {
    await pace();
    const open = places.filter((place) => isDistinct(name) || isCode(place, name));
    if (!isDistinct(name) && open.length > CROWD) continue;
    const unsaid = open.filter(({ page, line }) => !said.has(`${page.path}\0${line}`));
    if (unsaid.length === 0) continue;
    const evidence = evidenceOfRemoval(change, name);
    for (const { page, line } of unsaid)
      notices.push({
        page,
        line,
        endLine: line,
        tier: "possible",
        kind: "exists",
        rule: "removal",
        message: { what: "removed", old: name },
        evidence,
      });
  }
  return notices;
}

function isCode({ page, line, index }: Mention, name: string): boolean {
  const { place, spans } = page.read().lines[line]!;
  const { start } = page.tokens(line)[index]!;
  return place === "code" || spans.some((span) => span.start <= start && start + name.length <= span.end);
}
