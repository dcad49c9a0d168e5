import type { DriftInput } from "../change/change.ts";
import { openPage } from "../change/change-model.ts";
import type { Finding, Notice } from "../findings.ts";
import { documentClass } from "./policies.ts";

const LOCALE = /^[a-z]{2,3}(?:[-_](?:[a-z]{2,4}))?$/i;
const SUFFIX =
  /[._-](?:[a-z]{2}(?:[-_][a-z]{2,4})?|chinese|japanese|korean|french|spanish|german|russian)(\.[a-z]+)$/i;

/**
 * One notice for each translation that did not change although this change made its source page false or edited it. The
 * notice shows the passage of the source. A translator has to write the text.
 */
export function findLagging(input: DriftInput, findings: readonly Finding[]): Notice[] {
  const changed = new Set((input.pages ?? []).filter(({ after }) => after !== null).map(({ path }) => path));
  const reported = Map.groupBy(
    findings.filter(({ tier }) => tier !== "possible"),
    ({ path }) => path,
  );
  if (!changed.size && !reported.size) return [];
  return input.documents.flatMap(({ path, text }) => {
    if (documentClass(path) !== "translation" || changed.has(path)) return [];
    const source = sourcesOf(path).find((one) => reported.has(one) || changed.has(one));
    if (source === undefined) return [];
    const [first] = reported.get(source) ?? [];
    const line = first?.message.old ? lineOf(text, first.message.old) : 0;
    return [
      {
        page: openPage(path, text),
        line,
        endLine: line,
        tier: "possible" as const,
        kind: "translation" as const,
        message: { what: "lags", owner: source },
        evidence: [
          {
            path: source,
            revision: input.head,
            startLine: first?.startLine ?? 1,
            endLine: first?.endLine ?? 1,
          },
        ],
      },
    ];
  });
}

/** The pages that a translation may be of: the same path without its language, or in English. */
export function sourcesOf(path: string): string[] {
  const parts = path.split("/");
  const found: string[] = [];
  for (const [index, part] of parts.slice(0, -1).entries()) {
    if (!LOCALE.test(part)) continue;
    const before = parts.slice(0, index);
    const after = parts.slice(index + 1);
    // Docusaurus keeps translations under i18n/<language>/<plugin>/current.
    if (before.at(-1) === "i18n" && after[1] === "current")
      found.push([...before.slice(0, -1), "docs", ...after.slice(2)].join("/"));
    const plain = /^(?:i18n|translations?|locales?)$/i.test(before.at(-1) ?? "")
      ? before.slice(0, -1)
      : before;
    found.push([...before, ...after].join("/"), [...plain, ...after].join("/"));
    found.push([...before, "en", ...after].join("/"), [...before, "en-US", ...after].join("/"));
  }
  if (SUFFIX.test(path)) found.push(path.replace(SUFFIX, "$1"), path.replace(SUFFIX, ".en$1"));
  return [...new Set(found)].filter((one) => one !== path);
}

/** The first line that has the words, counted from 0; 0 if no line has them. */
function lineOf(text: string, words: string): number {
  const at = text.indexOf(words);
  return at < 0 ? 0 : text.slice(0, at).split("\n").length - 1;
}
