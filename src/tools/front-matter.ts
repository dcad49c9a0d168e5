import { readFrontMatter } from "../syntax/formats/front-matter.ts";
import { accept, type Outcome, refuse } from "../text/model/outcome.ts";
import type { Change, Plan } from "../text/model/plan.ts";

/** Keys that tie a page to its sources; no edit of the page's text may change them. */
const managedKeys = ["jrn", "attention"];

/** Front matter that could be read before can be read after, and says the same under the managed keys. */
export function keepFrontMatter(plan: Plan): Outcome<Plan> {
  for (const change of plan.changes) {
    const kept = isKept(change);
    if (!kept.ok) return kept;
  }
  return accept(plan);
}

function isKept({ path, before, after }: Change): Outcome<true> {
  const old = before.text === null ? undefined : readFrontMatter(before.text);
  if (old?.value === undefined || after === null) return accept(true);
  const fresh = readFrontMatter(after);
  if (fresh?.value === undefined) {
    const { line, why } = fresh?.trouble ?? { line: 1, why: "the front matter is gone" };
    return refuse({ code: "unparsable", path, line, detail: why });
  }
  for (const key of managedKeys)
    if (JSON.stringify(valueAt(old.value, key)) !== JSON.stringify(valueAt(fresh.value, key)))
      return refuse({
        code: "not-allowed",
        path,
        detail: `'${key}' in the front matter of ${path} is managed and may not change with the text`,
      });
  return accept(true);
}

function valueAt(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}
