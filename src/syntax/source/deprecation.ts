import type { Region } from "../../text/model/region.ts";
import type { Node } from "./tree.ts";

/** The parts of one declaration that may mark it as deprecated. */
export type DeclarationParts = {
  /** The node of the whole declaration. */
  readonly whole: Node;
  /** Where the name begins. */
  readonly name: number;
  readonly doc: Region | undefined;
  /** Attributes before the declaration that are separate nodes. */
  readonly attributes: readonly Region[];
};

/** Whether a text can hold a mark at all: most files do not, and need no further look. */
export function mayDeprecate(text: string): boolean {
  return /deprecat|obsolete/i.test(text);
}

/** The place where a declaration is marked as deprecated: in its own attributes, or in its own doc comment. */
export function findDeprecation(
  text: string,
  { whole, name, doc, attributes }: DeclarationParts,
): Region | undefined {
  const marks = [...attributes, ...findAttributes(whole, name)];
  const attribute = marks.find(({ start, end }) => ATTRIBUTE.test(text.slice(start, end)));
  return attribute ?? (doc && findInDoc(text, doc));
}

// `@Deprecated`, `@warnings.deprecated("…")`, `@available(*, deprecated)`, `#[deprecated]`, `[Obsolete]`,
// `[[deprecated]]`, `__attribute__((deprecated))`. `#[allow(deprecated)]` and `@deprecate_argument` are not marks.
const ATTRIBUTE =
  /^@(?:\w+[.:])*deprecated?\b|^@available\([^()]*\bdeprecated\b|^#?\[\[?(?:[^"'()]*[\s,:\\])?(?:deprecated|obsolete(?:attribute)?)\b|^__(?:attribute__\s*\(\(|declspec\s*\()\s*deprecated\b/i;

/** The attributes on the way from a declaration's node down to its name. */
function findAttributes(whole: Node, name: number): Region[] {
  const found: Region[] = [];
  let node: Node | undefined = whole;
  for (let depth = 0; node && depth < DEEPEST; depth++) {
    const children: Node[] = node.children.flatMap((child) =>
      child.type === "modifiers" ? child.children : [child],
    );
    for (const { type, startIndex, endIndex } of children)
      if (/annotation|decorator|^attribute/.test(type)) found.push({ start: startIndex, end: endIndex });
    node = children.find(({ startIndex, endIndex }) => startIndex <= name && name < endIndex);
  }
  return found;
}

const DEEPEST = 4;

const TAG = /^[ \t]*(?:\/\*\*+|\*+|\/\/[/!]*|#+:?|"""|''')?[ \t]*([@\\]deprecated\b)/;
const DIRECTIVE = /^([ \t]*)(?:[rRuU]?(?:"""|''')[ \t]*)?(\.\. deprecated::)/;
const PARAGRAPH = /^[ \t]*\/\/[ \t]*(Deprecated:)/;

/** `@deprecated` at the start of a line, Sphinx's directive in a docstring, a paragraph of Go's. */
function findInDoc(text: string, { start, end }: Region): Region | undefined {
  const words = text.slice(start, end);
  if (!mayDeprecate(words)) return undefined;
  const isGo = /^\/\/(?![/!])/.test(words);
  const base = baseIndent(words);
  let previous = "";
  let at = start;
  for (const line of words.split("\n")) {
    const mark =
      TAG.exec(line) ??
      (isGo && /^(?:[ \t]*\/\/)?\s*$/.test(previous) ? PARAGRAPH.exec(line) : null) ??
      directiveOf(line, at === start ? base : line.search(/\S|$/), base);
    if (mark) {
      const from = at + line.indexOf(mark.at(-1)!);
      return { start: from, end: at + line.trimEnd().length };
    }
    previous = line;
    at += line.length + 1;
  }
  return undefined;
}

/** A directive that is indented further belongs to a parameter or a section of the docstring, not to the whole. */
function directiveOf(line: string, indent: number, base: number): RegExpExecArray | null {
  return indent === base ? DIRECTIVE.exec(line) : null;
}

/** The least indentation of the lines of a docstring behind its first. */
function baseIndent(words: string): number {
  const indents = words
    .split("\n")
    .slice(1)
    .flatMap((line) => (line.trim() === "" ? [] : [line.search(/\S/)]));
  return indents.reduce((least, indent) => Math.min(least, indent), Number.POSITIVE_INFINITY);
}
