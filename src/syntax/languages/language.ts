import { defined } from "../../text/model/defined.ts";
import type { Region } from "../../text/model/region.ts";
import type { Declaration, DeclarationKind, Parameter } from "../source/declaration.ts";
import { findDeprecation, mayDeprecate } from "../source/deprecation.ts";
import type { Grammar } from "../source/grammars.ts";
import type { ImportReader } from "../source/imports.ts";
import type { Node } from "../source/tree.ts";
import type { CommentMarks } from "./comments.ts";
import type { LibraryPatterns } from "./library-patterns.ts";

/** One language of source files. A new language is a file that exports one of these and a line in the registry. */
export type Language = {
  readonly name: string;
  /** Endings of its files, without the dot and in lower case. */
  readonly extensions: readonly string[];
  /** Other names by which fences of pages call the language. */
  readonly fences?: readonly string[];
  /** Programs that run a file without an ending when its first line names them. */
  readonly interpreters?: readonly string[];
  /** The names of programs that run a file they are given, as a command writes them in lower case. */
  readonly programs?: RegExp;
  readonly comments: CommentMarks;
  /** Endings of files that are named after a class: the file of a test ends with `Test`. */
  readonly classFiles?: readonly string[];
  /**
   * Hosts at which the owners of the language publish its documentation, with the beginnings of the paths there. Nobody
   * else may write below them: a link to one is allowed without evidence.
   */
  readonly documentation?: Readonly<Record<string, readonly string[]>>;
  readonly grammar?: Grammar;
  /** A file with everything that is not in this language blanked out, so that every offset still holds. */
  readonly code?: (text: string) => string;
};

/** A language whose declarations can be read. */
export type ParsedLanguage = Language & {
  readonly grammar: Grammar;
  /** Comments and string literals, in the order in which they are tried. */
  readonly literals: readonly RegExp[];
  /** Languages of one family share libraries, and the readers of those. Default: the name. */
  readonly family?: string;
  readonly libraries?: LibraryPatterns;
  /** How samples in the language name things of other files, and pass arguments. */
  readonly samples?: SampleHabits;
  readonly merging?: Merging;
  /** Whether two functions may have one name if their parameters differ. */
  readonly overloads?: true;
  readonly declare: (root: Node, file: SourceFile) => void;
  /** The row, from 0, of the first thing that the grammar accepts and the language does not. */
  readonly brokenRow?: (root: Node, text: string) => number | undefined;
};

/**
 * Where the order of a language's parts does not matter: for a kind of node, groups of kinds of its children. Within a
 * group, two changes may add at one place.
 */
export type Merging = {
  /** Parts that stand beside each other. */
  readonly members?: Readonly<Record<string, readonly string[]>>;
  /** Parts with commas between them. */
  readonly lists?: Readonly<Record<string, readonly string[]>>;
  /** Kinds whose first part is, or holds, their name. */
  readonly named?: string;
};

export type SampleHabits = {
  readonly imports: ImportReader;
  /** Whether a caller may name the parameters. */
  readonly namesArguments?: true;
  /** The word with which a file says which module it belongs to. */
  readonly moduleWord?: "package" | "namespace";
  /** A name may be written with its module in place of an import: `crate::cut`, `new \Planing\Saw`. */
  readonly writesModules?: true;
  /** Methods of what wraps a value, which give the value. */
  readonly unwraps?: RegExp;
  /** The names of macros whose arguments are expressions. */
  readonly macros?: RegExp;
  /** How a signature writes a parameter with its type. */
  readonly notation?: "name: type" | "name type" | "type name";
};

export type Visibility = Declaration["visibility"];

/** A declaration as a language reader describes it; path and regions are worked out from it. */
export type DescribedDeclaration = {
  readonly kind: DeclarationKind;
  /** The node that is the name, or the name and its region if it is only part of a node. */
  readonly name: Node | { readonly text: string; readonly region: Region };
  readonly whole: Node;
  /** Holders that do not enclose it in the text: `Foo` of `Foo.prototype.bar = …`. */
  readonly under?: readonly string[];
  /** Doc comment and attributes before it. */
  readonly lead?: Lead;
  readonly body?: Node | Region | null;
  /** Where the signature ends when there is no body. */
  readonly signatureEnd?: number;
  readonly visibility: Visibility;
  /** The exported name, if different. */
  readonly exportedAs?: string | undefined;
  readonly parameters?: readonly Parameter[];
  readonly returns?: Node | string | null;
  readonly type?: Node | string | null;
  readonly value?: Node | string | null;
  readonly tag?: Node | null;
  readonly doc?: Region | undefined;
};

/**
 * The comments and attributes before a declaration that belong to it. `start` is where the whole begins,
 * `own` where its keywords do.
 */
export type Lead = {
  readonly start: number;
  readonly doc?: Region;
  readonly own?: number;
  readonly attributes?: readonly Region[];
};

/** The parts that the declarations of one statement share. */
export type Common = Pick<DescribedDeclaration, "whole" | "visibility" | "exportedAs" | "under"> & {
  readonly lead: Lead;
};

/** The node of a whole declaration, with the comments and attributes before it. */
export type LedNode = { readonly whole: Node; readonly lead: Lead };

/** The context in which declarations are read: the visibility of their holder, and how many holders there are. */
export type DeclarationScope = {
  readonly file: SourceFile;
  readonly holder: Visibility;
  readonly depth: number;
};

/** `otherwise` is the visibility of a member without a modifier: public in an interface, else private. */
export type MemberScope = DeclarationScope & { readonly otherwise: Visibility };

/** The nodes or texts of a parameter's parts. One with a default is optional. */
export type ParameterParts = Pick<Parameter, "keyword"> & {
  readonly name: Node | string | null | undefined;
  readonly type?: Node | string | null | undefined;
  readonly value?: Node | null | undefined;
  readonly optional?: boolean;
  readonly rest?: boolean;
};

/** A source file while its declarations are being collected. */
export type SourceFile = {
  readonly text: string;
  /** Adds a declaration. It holds every declaration that `inside` adds. */
  declare(declared: DescribedDeclaration, inside?: () => void): void;
  parameter(whole: Node, parts: ParameterParts): Parameter;
  /** The source text of a node. */
  textOf(node: Node): string;
  /** How many declarations hold the current one. */
  depth(): number;
};

/** Deeper holders than people write are not entered. */
export const DEEPEST_HOLDER = 12;

export function createSourceFile(
  text: string,
): SourceFile & { readonly declarations: readonly Declaration[] } {
  const declarations: Declaration[] = [];
  const holders: string[] = [];
  const textOf = (node: Node) => text.slice(node.startIndex, node.endIndex);
  const isMarked = mayDeprecate(text);

  return {
    text,
    declarations,
    textOf,
    depth: () => holders.length,
    parameter: (whole, { name, type, value, optional = Boolean(value), rest, keyword }) => ({
      name: typeof name === "string" ? name : name ? textOf(name) : "",
      region: regionOf(whole),
      ...pick("type", type),
      ...pick("default", value),
      ...defined({ optional: optional || undefined, rest: rest || undefined, keyword: keyword || undefined }),
    }),
    declare(declared, inside) {
      const name =
        "text" in declared.name && "region" in declared.name ? declared.name.text : textOf(declared.name);
      const path = [...holders, ...(declared.under ?? []), name];
      declarations.push(build(declared, name, path));
      if (!inside || path.length > DEEPEST_HOLDER) return;
      const outside = holders.length;
      holders.push(...(declared.under ?? []), name);
      inside();
      holders.length = outside;
    },
  };

  function build(declared: DescribedDeclaration, name: string, path: readonly string[]): Declaration {
    const { kind, whole, lead, visibility } = declared;
    const end = whole.endIndex;
    const own = lead?.own ?? whole.startIndex;
    const body = declared.body ? placeOf(declared.body) : undefined;
    const doc = declared.doc ?? lead?.doc;
    const nameRegion = placeOf(declared.name);
    const deprecated = isMarked
      ? findDeprecation(text, {
          whole,
          name: nameRegion.start,
          doc,
          attributes: lead?.attributes ?? [],
        })
      : undefined;
    return {
      kind,
      name,
      path,
      region: { start: Math.min(lead?.start ?? own, own), end },
      nameRegion,
      signature: { start: own, end: trimmedEnd(own, declared.signatureEnd ?? body?.start ?? end) },
      ...defined({ body, doc }),
      visibility,
      ...defined({ exportedAs: declared.exportedAs, deprecated, parameters: declared.parameters }),
      ...pick("returns", declared.returns),
      ...pick("type", declared.type),
      ...pick("value", declared.value),
      ...pick("tag", declared.tag),
    };
  }

  function pick(
    key: "returns" | "type" | "value" | "tag" | "default",
    from: Node | string | null | undefined,
  ): Record<string, string> {
    return from === null || from === undefined
      ? {}
      : { [key]: typeof from === "string" ? from : textOf(from) };
  }

  function trimmedEnd(start: number, end: number): number {
    let last = end;
    while (last > start && /[\s;,]/.test(text[last - 1]!)) last--;
    return last;
  }
}

export function regionOf(node: Node): Region {
  return { start: node.startIndex, end: node.endIndex };
}

function placeOf(place: Node | Region | { readonly region: Region }): Region {
  if ("region" in place) return place.region;
  return "startIndex" in place ? regionOf(place) : place;
}

/** How a language marks doc comments, and which other nodes may be before a declaration. */
export type Leading = {
  readonly comment: (node: Node) => boolean;
  /** Whether a comment's words are documentation. */
  readonly isDoc: (words: string) => boolean;
  /** Attributes and decorators that are siblings of what they belong to. */
  readonly attribute?: (node: Node) => boolean;
};

/** Visits the children that are not comments or attributes, each with the comments and attributes directly before it. */
export function eachWithLead(
  file: SourceFile,
  children: readonly Node[],
  leading: Leading,
  visit: (node: Node, lead: Lead) => void,
): void {
  let doc: { start: number; end: number } | undefined;
  let start: number | undefined;
  let attributes: Region[] = [];
  let previousEnd = -1;
  for (const node of children) {
    const adjacent = previousEnd >= 0 && !hasBlankLine(file.text, previousEnd, node.startIndex);
    if (!adjacent) forget();
    previousEnd = node.endIndex;
    if (leading.comment(node)) {
      if (!isAlone(file.text, node.startIndex) || !leading.isDoc(file.textOf(node))) {
        forget();
        continue;
      }
      doc = { start: doc?.start ?? node.startIndex, end: docEnd(file.text, node) };
      start ??= node.startIndex;
    } else if (leading.attribute?.(node)) {
      start ??= node.startIndex;
      attributes.push({ start: node.startIndex, end: node.endIndex });
    } else {
      visit(node, {
        start: start ?? node.startIndex,
        ...defined({ doc, attributes: attributes.length > 0 ? attributes : undefined }),
      });
      forget();
    }
  }

  function forget(): void {
    doc = start = undefined;
    attributes = [];
  }
}

// A comment behind code on its line belongs to that code.
function isAlone(text: string, at: number): boolean {
  let i = at - 1;
  while (i >= 0 && (text[i] === " " || text[i] === "\t")) i--;
  return i < 0 || text[i] === "\n" || text[i] === "\r" || text[i] === "{" || text[i] === "(";
}

// Some grammars count a line comment's line ending as part of it.
function docEnd(text: string, node: Node): number {
  let end = node.endIndex;
  while (end > node.startIndex && (text[end - 1] === "\n" || text[end - 1] === "\r")) end--;
  return end;
}

function hasBlankLine(text: string, from: number, to: number): boolean {
  let feeds = text[from - 1] === "\n" ? 1 : 0;
  for (let i = from; i < to; i++) {
    if (text[i] === "\n") feeds++;
    else if (text[i] !== " " && text[i] !== "\t" && text[i] !== "\r") feeds = 0;
    if (feeds > 1) return true;
  }
  return false;
}

/** Where a declaration's own words begin, behind attributes that are part of its node. */
export function keywordStart(node: Node, attribute: RegExp): number {
  for (const child of node.children) {
    if (attribute.test(child.type)) continue;
    if (child.type !== "modifiers") return child.startIndex;
    const word = child.children.find(({ type }) => !attribute.test(type));
    if (word) return word.startIndex;
  }
  return node.startIndex;
}

/** A type annotation without its colon. */
export function afterColon(file: SourceFile, annotation: Node | null): string | undefined {
  if (!annotation) return undefined;
  return file.textOf(annotation).replace(/^\s*(?::|->)\s*/, "");
}

/** The region of a string literal between its quotes; the whole region where there are no quotes. */
export function insideQuotes(text: string, start: number, end: number): Region {
  // A prefix and hashes may precede the quotes.
  const opening = /^[A-Za-z@$]{0,4}(#{0,8})("""|'''|["'`])/.exec(
    text.slice(start, Math.min(end, start + 16)),
  );
  if (!opening) return { start, end };
  const from = Math.min(start + opening[0].length, end);
  const closing = opening[2]! + opening[1]!;
  const closed = end - closing.length >= from && text.endsWith(closing, end);
  return { start: from, end: closed ? end - closing.length : end };
}
