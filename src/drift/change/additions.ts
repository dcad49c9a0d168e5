import type { Line } from "./comparison.ts";
import { rolesOf } from "./roles.ts";
import { tokenise } from "./tokens.ts";

const REACH = 600;

export type Sibling = { readonly name: string; readonly line: number };

/** The names that the lines of a file introduce, and the names beside them. Lines of `nameAt` count from 0. */
export function readDeclarations(lines: readonly string[]): {
  readonly nameAt: (line: number) => string | undefined;
  readonly siblingsOf: (line: Line) => Sibling[];
} {
  // Each line is visited from all of its neighbours, so its name is computed once.
  const known = new Map<number, string | undefined>();
  const nameAt = (line: number): string | undefined => {
    if (!known.has(line)) known.set(line, declaredName(lines[line]!));
    return known.get(line);
  };
  return { nameAt, siblingsOf: (line) => findSiblings(lines, nameAt, line) };
}

/** The name a line introduces: a key, a field, a member, a flag. */
function declaredName(text: string): string | undefined {
  const flag =
    /["'`]-{1,2}(?:\w,\s*-{1,2})?([A-Za-z][\w-]+)/.exec(text) ??
    /\bflags?(?:\(\))?\.\w+\((?:&[\w.]+,\s*)?"([A-Za-z][\w-]+)"/i.exec(text);
  if (flag) return flag[1];
  const tokens = tokenise(text);
  const roles = rolesOf(text, tokens);
  const index = tokens.findIndex(
    (token, at) => token.kind === "name" && roles[at] === "declared" && !isKeyword(token.text),
  );
  return index >= 0 && index < 6 ? tokens[index]!.text : undefined;
}

function isKeyword(name: string): boolean {
  return /^(export|import|from|const|let|var|pub|fn|def|class|async|static|public|private|protected|readonly|return|if|else|for|while|case|type|interface|struct|enum|function|func|use|package|new|await|default|mut|override|final|abstract|open|internal|fun|val)$/.test(
    name,
  );
}

/** Lines of the same block and the same indentation that introduce a name too. */
function findSiblings(
  lines: readonly string[],
  names: (line: number) => string | undefined,
  line: Line,
): Sibling[] {
  const indent = indentOf(line.text);
  const siblings: Sibling[] = [];
  const look = (at: number): boolean => {
    const text = lines[at]!;
    if (!text.trim()) return true;
    const depth = indentOf(text);
    if (depth < indent && !/^\s*[)}\]]/.test(text) && !/^#(if|endif|else)/.test(text)) return indent === 0;
    if (depth < indent) return false;
    const name = depth === indent ? names(at) : undefined;
    if (name) siblings.push({ name, line: at + 1 });
    return true;
  };
  for (let at = line.number - 2; at >= 0 && at > line.number - REACH; at--) if (!look(at)) break;
  siblings.reverse();
  for (let at = line.number; at < lines.length && at < line.number + REACH; at++) if (!look(at)) break;
  return siblings;
}

/** The words of the comment directly above a line, without comment marks. */
export function commentAbove(lines: readonly string[], index: number): string {
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

function indentOf(text: string): number {
  return /^\s*/.exec(text)![0].replace(/\t/g, "    ").length;
}
