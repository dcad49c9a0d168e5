import type { ChangeModel } from "../../change/change-model.ts";
import { fileKind } from "../../change/file-kind.ts";
import { findStrings } from "../../change/roles.ts";
import type { Notice } from "../../findings.ts";
import { createPageFinder } from "../../pages/mentions.ts";
import { lineAt } from "../../pages/page.ts";

/** A quoted text that the change removed from the code, and its line. */
type LostLiteral = {
  readonly text: string;
  readonly path: string;
  readonly line: number;
  readonly before: string;
};

const MOST = 400;
const SHAPE = /^[\w@$./:-]*[./:@-][\w@$./:-]*$/;
const VERSION = /^v?\d+(?:\.\d+)*(?:[-.]\w+)*$/;

/**
 * The code had a file name, a dotted key, a specifier or a prefix as one quoted text. A document still has it; no file
 * does.
 */
export async function findLostLiterals(change: ChangeModel): Promise<Notice[]> {
  const literals = new Map<string, LostLiteral>();
  for (const literal of removedLiterals(change))
    if (!literals.has(literal.text)) literals.set(literal.text, literal);
  if (!literals.size) return [];
  const find = createPageFinder(literals.keys());
  const mentioned = change.pages.flatMap((page) => find(page).map((found) => ({ page, ...found })));
  const isFile = createFileEndings(change.input.tree);
  const names = [...new Set(mentioned.map(({ name }) => name))].filter((name) => !isFile(name));
  const occurrences = await change.input.occurrences(names);
  return mentioned.flatMap(({ page, name, start }) => {
    if (isFile(name) || occurrences.get(name)?.length || isPartOfMore(page.text, start, name.length))
      return [];
    const { path, line, before } = literals.get(name)!;
    const at = lineAt(page.read(), start);
    return [
      {
        page,
        line: at,
        endLine: at,
        tier: "possible" as const,
        kind: "removal" as const,
        cause: `literal:${name}`,
        message: { what: "removed", old: name },
        evidence: [{ path, revision: change.input.base, startLine: line, endLine: line, before }],
        features: { "literal gone": 1 },
      },
    ];
  });
}

/** Whether the text is the path of a file, or the end of a path with or without the extension. */
function createFileEndings(tree: readonly string[]): (text: string) => boolean {
  const paths = new Set(tree);
  const known = new Map<string, boolean>();
  const ends = (text: string): boolean =>
    tree.some((path) => path.endsWith(`/${text}`) || path.replace(/\.\w+$/, "").endsWith(`/${text}`));
  return (text) => {
    if (paths.has(text)) return true;
    if (!text.includes("/")) return false;
    if (!known.has(text)) known.set(text, ends(text));
    return known.get(text)!;
  };
}

function* removedLiterals({ comparisons }: ChangeModel): Iterable<LostLiteral> {
  let found = 0;
  for (const { path, from, after, rewrites } of comparisons) {
    if (fileKind(path) !== "product" && fileKind(path) !== "manifest") continue;
    for (const { removed } of rewrites)
      for (const { text: line, number } of removed) {
        if (line.length > 1000) continue;
        for (const { start, end } of findStrings(line)) {
          const text = line.slice(start, end);
          if (text.length < 5 || text.length > 80 || !SHAPE.test(text) || VERSION.test(text)) continue;
          if (!/[\p{L}]{2}/u.test(text) || isLeft(after, text)) continue;
          if (isRemark(line, text) || isNeighbour(line, text)) continue;
          if (++found > MOST) continue;
          yield { text, path: from, line: number, before: line };
        }
      }
  }
}

/** A comment that no longer names `Type::method` is no evidence about the method. */
function isRemark(line: string, text: string): boolean {
  return text.includes("::") && /^\s*(?:\/\/|#(?!\[)|\*|\/\*)/.test(line);
}

/** The import paths of a file are internal. */
function isNeighbour(line: string, text: string): boolean {
  return /^\.{1,2}\//.test(text) && /\b(?:import|require|from|use)\b/.test(line);
}

/** Whether the file still has the text, or the same address with the safe scheme. */
function isLeft(after: string | null, text: string): boolean {
  return after?.includes(text) || after?.includes(text.replace(/^http:/, "https:")) || false;
}

/** Whether the mention is a piece of a longer path, address or name. */
function isPartOfMore(text: string, start: number, length: number): boolean {
  return (
    /[\w@./:-]/.test(text[start - 1] ?? " ") ||
    /^[\w@/:-]|^\.\w/.test(text.slice(start + length, start + length + 2))
  );
}
