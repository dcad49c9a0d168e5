import { defined } from "../../text/model/defined.ts";
import type { Parameter } from "../source/declaration.ts";
import { readRequires } from "../source/imports.ts";
import type { Node } from "../source/tree.ts";
import { HASH_COMMENTS } from "./comments.ts";
import {
  DEEPEST_HOLDER,
  type DeclarationScope,
  eachWithLead,
  insideQuotes,
  type Lead,
  type Leading,
  type ParsedLanguage,
  type SourceFile,
  type Visibility,
} from "./language.ts";
import { DOUBLE, HASH, SINGLE } from "./literals.ts";

/** A comment between `=begin` and `=end`. */
const BLOCK = /^=begin[\s\S]*?(?:^=end|(?![\s\S]))/;

export const ruby: ParsedLanguage = {
  name: "ruby",
  extensions: ["rb", "rake", "gemspec", "ru"],
  interpreters: ["ruby"],
  grammar: {
    name: "ruby",
    maker: "2016 Rob Rix",
    sha256: "db6b357418d4154402e48b497dfa9128d592cf9c559bff1ea1e3fcfe3a3b8d56",
  },
  programs: /ruby/,
  comments: { ...HASH_COMMENTS, doc: "all" },
  literals: [BLOCK, HASH, DOUBLE, SINGLE],
  documentation: { "docs.ruby-lang.org": ["/"] },
  libraries: {
    environment: {
      calls: [
        /\bENV\s*\[/g,
        /\bENV\.(?:fetch|key\?|has_key\?)\s*\(/g,
        /(?<![\w.@])env\s*\[(?=\s*["'][^"']*\u0001)/g,
      ],
    },
    relativeRoutes: [/^[ \t]*(get|post|put|patch|delete)[ \t]+(?=["'])/gm],
    routePrefixes: [],
  },
  samples: { imports: readRequires, namesArguments: true },
  merging: { members: { body_statement: ["method singleton_method"] }, lists: { hash: ["pair"] } },
  declare,
};

const leading: Leading = {
  comment: ({ type }) => type === "comment",
  isDoc: (words) => !/^#(?:!| *(?:frozen_string_literal|encoding|rubocop):)/.test(words),
};

function declare(root: Node, file: SourceFile): void {
  declareBody(root, file, "public", 0);
}

/** `private` alone changes what follows it; with arguments, only those. */
function declareBody(body: Node | null, file: SourceFile, holder: Visibility, depth: number): void {
  if (!body || depth > DEEPEST_HOLDER) return;
  let visibility = holder;
  // The grammar leaves the comments of the first member before the body.
  const first =
    body.type === "body_statement" ? (body.parent?.namedChildren ?? []).filter(leading.comment) : [];
  const opening = first.filter((comment) => comment.endIndex <= body.startIndex);
  eachWithLead(file, [...opening, ...body.namedChildren], leading, (node, lead) => {
    if (node.type === "identifier") {
      const word = file.textOf(node);
      if (word === "private" || word === "protected") visibility = "private";
      else if (word === "public") visibility = holder;
    } else declareNode(node, lead, { file, holder: visibility, depth });
  });
}

function declareNode(node: Node, lead: Lead, scope: DeclarationScope): void {
  const { file, holder: visibility, depth } = scope;
  const name = node.childForFieldName("name");
  const body = node.childForFieldName("body");
  switch (node.type) {
    case "module":
    case "class": {
      if (!name) return;
      const path = scopedName(name, file);
      file.declare(
        {
          kind: node.type,
          ...path,
          whole: node,
          lead,
          body,
          visibility: "public",
          signatureEnd: headerEnd(node, body),
        },
        () => declareBody(body, file, "public", depth + 1),
      );
      return;
    }
    case "singleton_class":
      declareBody(body, file, "public", depth + 1);
      return;
    case "method":
    case "singleton_method":
      if (name) declareMethod(node, lead, scope);
      return;
    case "assignment":
      declareConstant(node, lead, file, visibility);
      return;
    case "call":
      declareCall(node, lead, scope);
  }
}

function scopedName(
  name: Node,
  file: SourceFile,
): { readonly name: Node; readonly under?: readonly string[] } {
  const last = name.type === "scope_resolution" ? name.childForFieldName("name") : null;
  const scope = last ? name.childForFieldName("scope") : null;
  return last
    ? { name: last, ...defined({ under: scope ? file.textOf(scope).split("::") : undefined }) }
    : { name };
}

// A class without a body is one line; its signature must not run into `end`.
function headerEnd(node: Node, body: Node | null): number {
  const last =
    node.childForFieldName("superclass") ??
    node.childForFieldName("parameters") ??
    node.childForFieldName("name");
  return last?.endIndex ?? body?.startIndex ?? node.endIndex;
}

function declareMethod(node: Node, lead: Lead, { file, holder: visibility }: DeclarationScope): void {
  const name = node.childForFieldName("name")!;
  file.declare({
    kind: file.depth() === 0 ? "function" : "method",
    name,
    whole: node,
    lead,
    body: node.childForFieldName("body"),
    signatureEnd: headerEnd(node, node.childForFieldName("body")),
    visibility,
    parameters: findParameters(node.childForFieldName("parameters"), file),
  });
}

function declareConstant(node: Node, lead: Lead, file: SourceFile, visibility: Visibility): void {
  const name = node.childForFieldName("left");
  const value = node.childForFieldName("right");
  if (name?.type !== "constant") return;
  file.declare({ kind: "constant", name, whole: node, lead, visibility, value }, () => {
    if (value) declareValueMembers(unfrozen(value), file, visibility);
  });
}

function unfrozen(value: Node): Node {
  const receiver = value.type === "call" ? value.childForFieldName("receiver") : null;
  return receiver && /^(?:hash|array|string_array|symbol_array)$/.test(receiver.type) ? receiver : value;
}

/** The keys of a hash, the words of an array, the fields of a `Struct` or `Data`. */
function declareValueMembers(value: Node, file: SourceFile, visibility: Visibility): void {
  if (value.type === "hash")
    for (const pair of value.namedChildren) {
      const key = pair.type === "pair" ? pair.childForFieldName("key") : null;
      const held = pair.childForFieldName("value");
      if (!key) continue;
      file.declare({ kind: "property", name: bare(key, file), whole: pair, visibility, value: held }, () => {
        if (held) declareValueMembers(unfrozen(held), file, visibility);
      });
    }
  else if (/^(?:array|string_array|symbol_array)$/.test(value.type)) {
    for (const item of value.namedChildren)
      if (/^(?:string|bare_string|simple_symbol|bare_symbol)$/.test(item.type))
        file.declare({ kind: "member", name: bare(item, file), whole: item, visibility, value: item });
  } else if (value.type === "call" && /^(?:Struct\.new|Data\.define)\b/.test(file.textOf(value)))
    declareSymbols(value, file, visibility);
}

/** A symbol, a string or a key without its marks. */
function bare(
  node: Node,
  file: SourceFile,
): { readonly text: string; readonly region: { start: number; end: number } } {
  const quoted = insideQuotes(file.text, node.startIndex, node.endIndex);
  const start =
    file.text[quoted.start] === ":" && node.type === "simple_symbol" ? quoted.start + 1 : quoted.start;
  const region = { start, end: quoted.end };
  return { text: file.text.slice(region.start, region.end), region };
}

/** `attr_reader :a, :b` declares; `private def …` declares with its own visibility. */
function declareCall(node: Node, lead: Lead, scope: DeclarationScope): void {
  const { file, holder: visibility, depth } = scope;
  const method = node.childForFieldName("method");
  const word = method && !node.childForFieldName("receiver") ? file.textOf(method) : "";
  if (
    /^(?:attr_reader|attr_writer|attr_accessor|attr|cattr_accessor|mattr_accessor|class_attribute|delegate|option|argument|desc|attribute|setting)$/.test(
      word,
    )
  )
    declareSymbols(node, file, visibility, lead);
  else if (/^(?:private|public|protected|module_function|private_class_method|memoize)$/.test(word))
    for (const argument of node.childForFieldName("arguments")?.namedChildren ?? [])
      declareNode(
        argument,
        { ...lead, own: node.startIndex },
        {
          file,
          holder: word.startsWith("pr") ? "private" : visibility,
          depth: depth + 1,
        },
      );
}

function declareSymbols(call: Node, file: SourceFile, visibility: Visibility, lead?: Lead): void {
  for (const argument of call.childForFieldName("arguments")?.namedChildren ?? [])
    if (argument.type === "simple_symbol")
      file.declare({
        kind: "property",
        name: bare(argument, file),
        whole: call,
        ...defined({ lead }),
        visibility,
      });
}

function findParameters(list: Node | null, file: SourceFile): Parameter[] {
  return (list?.namedChildren ?? []).flatMap((node) => {
    const name = node.type === "identifier" ? node : node.childForFieldName("name");
    const value = node.childForFieldName("value");
    if (!name) return [];
    const rest = /splat_parameter$/.test(node.type);
    const optional = value !== null || node.type === "block_parameter";
    const isKeyword = /^(?:keyword|hash_splat|block)_parameter$/.test(node.type);
    return [
      file.parameter(node, {
        name,
        value,
        optional,
        rest,
        ...defined({ keyword: isKeyword ? "only" : undefined }),
      }),
    ];
  });
}
