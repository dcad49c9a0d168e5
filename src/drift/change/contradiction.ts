import type { ChangeModel } from "./change-model.ts";
import { partsOf } from "./names.ts";
import { rolesOf } from "./roles.ts";
import type { Site } from "./substitutions.ts";
import { splitLines, tokenise } from "./tokens.ts";

/** The details of a declaration that can contradict a rename. */
type DeclaredName = { readonly kind: string | null; readonly comment: string };

/**
 * Whether the declarations of a name and of its rename candidate contradict each other: they share no word, no line that
 * merely uses the one now uses the other, and their types, values or comments differ.
 */
export function createContradiction(
  change: ChangeModel,
): (old: string, fresh: string, sites: readonly Site[]) => boolean {
  const judge = (old: string, fresh: string, sites: readonly Site[]): boolean => {
    const parts = new Set(partsOf(old));
    if (partsOf(fresh).some((part) => parts.has(part)) || sites.some((site) => isPlainUse(site, old)))
      return false;
    const paths = new Set(sites.map(({ path }) => path));
    for (const file of change.comparisons) {
      const { path, before, after } = file;
      if (!paths.has(path) || before === null || after === null) continue;
      const { rewrites } = file;
      const were = declarations(
        before,
        rewrites.flatMap(({ removed }) => removed),
        old,
      );
      const are = declarations(
        after,
        rewrites.flatMap(({ added }) => added),
        fresh,
      );
      if (were.some((was) => are.some((is) => disagree(was, is)))) return true;
    }
    return false;
  };
  const known = new Map<string, boolean>();
  return (old, fresh, sites) => {
    const key = `${old}\0${fresh}`;
    const answer = known.get(key) ?? judge(old, fresh, sites);
    known.set(key, answer);
    return answer;
  };
}

/** A line whose only change is this name, and that does not declare it. */
function isPlainUse({ old, oldTokens, gap, gaps }: Site, name: string): boolean {
  if (gaps !== 1 || gap.oldEnd - gap.oldStart !== 1 || oldTokens[gap.oldStart]!.text !== name) return false;
  return rolesOf(old.text, oldTokens)[gap.oldStart] === "used";
}

function declarations(
  text: string,
  changed: readonly { readonly number: number; readonly text: string }[],
  name: string,
): DeclaredName[] {
  const naming = changed.filter((line) => line.text.includes(name)).slice(0, 20);
  if (!naming.length) return [];
  const lines = splitLines(text);
  return naming.flatMap((line) => {
    const tokens = tokenise(line.text);
    const at = tokens.findIndex((token) => token.text === name);
    if (at < 0 || rolesOf(line.text, tokens)[at] !== "declared") return [];
    const first = /^\W*(?:(?:pub|export|public|readonly|static|const|let|var)\s+)*$/.test(
      line.text.slice(0, tokens[at]!.start),
    );
    return [
      {
        kind: kindOf(line.text.slice(tokens[at]!.end, tokens[at]!.end + 100)),
        comment: first ? commentAbove(lines, line.number - 1) : "",
      },
    ];
  });
}

/** The words of the comment directly above a line, without comment marks. */
function commentAbove(lines: readonly string[], index: number): string {
  const words: string[] = [];
  for (let at = index - 1; at >= 0 && words.length < 8; at--) {
    const text = lines[at]!.trim();
    const comment = /^(?:\/\/[/!]?|#(?!\[)|\/?\*+\/?|""")\s?(.*?)(?:\*\/)?$/.exec(text);
    if (!comment) {
      if (/^[@#]\[?/.test(text)) continue;
      break;
    }
    if (comment[1]) words.unshift(comment[1].trim());
  }
  return words.join(" ").trim();
}

const KINDS: readonly [kind: string, shape: RegExp][] = [
  ["yes or no", /^(?:true|false|bool(?:ean)?)\b/i],
  ["number", /^(?:-?\d|(?:number|int(?:eger)?|float|double|usize|isize|[iuf](?:8|16|32|64|128))\b)/i],
  ["text", /^(?:["'`]|(?:&?'?\w*\s*str|string)\b)/i],
  ["list", /^(?:\[|(?:Array|List|Vec)\b)/i],
];

/** The kind of a plain type or value directly after a name. */
function kindOf(rest: string): string | null {
  const given = /^["'`]?\s*(?:[?!]\s*)?(?::(?!:)|=(?![=>]))\s*(.+)$/.exec(rest)?.[1];
  return given === undefined ? null : (KINDS.find(([, shape]) => shape.test(given))?.[0] ?? null);
}

function disagree(was: DeclaredName, is: DeclaredName): boolean {
  if (was.kind && is.kind && was.kind !== is.kind) return true;
  return was.comment !== "" && is.comment !== "" && likeness(was.comment, is.comment) < 0.4;
}

function likeness(a: string, b: string): number {
  const one = new Set(partsOf(a));
  const other = new Set(partsOf(b));
  const shared = [...one].filter((word) => other.has(word)).length;
  return (2 * shared) / (one.size + other.size);
}
