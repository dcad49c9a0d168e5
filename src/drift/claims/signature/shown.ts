import { closingAt, partsOf } from "../../../syntax/source/brackets.ts";
import { defined } from "../../../text/model/defined.ts";
import type { Region } from "../../../text/model/region.ts";

/** One parameter as a page shows it. */
export type ShownParameter = { readonly name: string; readonly text: string; readonly region: Region };

/** The name of a parameter where the language writes it before the type: `width int`. */
export function nameBeforeType({ name, text }: ShownParameter): string {
  return /^([\p{L}_]\w*)\s+\S/u.exec(text)?.[1] ?? name;
}

/** A function with its parameters as a page shows it: `connect(host, port=80)`. */
export type ShownSignature = {
  readonly name: string;
  /** What stands before the name: `["Client"]` of `Client.connect(host)`. */
  readonly owner: readonly string[];
  readonly parameters: readonly ShownParameter[];
  /** Between the parentheses. */
  readonly list: Region;
  /** The result, where the page gives one behind the parentheses. */
  readonly result?: { readonly text: string; readonly region: Region };
};

const CALLEE = /(?<![\p{L}\w$])([\p{L}_$][\w$]*(?:(?:\.|::|#|->)[\p{L}_$][\w$]*)*)\s?\(/gu;
const RESULT = /^\s*(?:->|→|=>|:)\s*([^\s`{;][^`{;\n]*)/;

/** The first signature in a piece of code; null where the code shows a call with values, or no parameters. */
export function readShown(code: string, offset: number): ShownSignature | null {
  for (const match of code.matchAll(CALLEE)) {
    const open = match.index + match[0].length;
    const close = closingAt(code, open - 1);
    if (close < 0) return null;
    const parameters = readParameters(code.slice(open, close), offset + open);
    if (parameters === null) return null;
    const path = match[1]!.split(/\.|::|#|->/);
    const result = RESULT.exec(code.slice(close + 1));
    const text = result === null ? "" : result[1]!.trim();
    const start = offset + close + 1 + (result ? result[0].indexOf(result[1]!) : 0);
    return {
      name: path.at(-1)!,
      owner: path.slice(0, -1),
      parameters,
      list: { start: offset + open, end: offset + close },
      ...defined({ result: text ? { text, region: { start, end: start + text.length } } : undefined }),
    };
  }
  return null;
}

/** The parameters of a list; null if one of its items is a value or stands for others. */
function readParameters(list: string, offset: number): ShownParameter[] | null {
  const found: ShownParameter[] = [];
  // `url[, options]`: the brackets say that what follows may be left out.
  for (const { text, start } of partsOf(list.replace(/\[(?=\s*,)/g, " "), ",")) {
    const plain = text.replace(/^[\s[]+/, "").replace(/(?<![\s[\]])[\s[\]]+$/, "");
    if (plain === "" || plain === "*" || plain === "/" || plain === "self" || plain === "void") continue;
    const name = nameOf(plain);
    if (name === null) return null;
    const at = offset + start + text.indexOf(plain);
    found.push({ name, text: plain, region: { start: at, end: at + plain.length } });
  }
  return found;
}

const MARKED = /^(?:\*{1,2}|\.{3}|&|\$)?([\p{L}_][\w$]*)\??\s*(?::[^=]*)?(?:=\s*[^=].*)?$/u;
const TYPED =
  /^(?:const\s+|struct\s+|unsigned\s+|final\s+)*[\p{L}_][\w.<>,[\]?]*(?:\s*[*&]+\s*|\s+)(?:\.{3}|[*&$])*([\p{L}_]\w*)(?:\[\])?(?:\s*=\s*.+)?$/u;

/** The name that an item declares: `a`, `a: T = 1`, `int a`, `*args`. */
function nameOf(item: string): string | null {
  if (/^["'`\d[{]/.test(item)) return null;
  return MARKED.exec(item)?.[1] ?? TYPED.exec(item)?.[1] ?? null;
}
