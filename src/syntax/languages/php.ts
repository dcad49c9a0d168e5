import { defined } from "../../text/model/defined.ts";
import type { DeclarationKind, Parameter } from "../source/declaration.ts";
import { readPhpImports } from "../source/imports.ts";
import type { Node } from "../source/tree.ts";
import { SLASH_COMMENTS } from "./comments.ts";
import {
  type Common,
  DEEPEST_HOLDER,
  type DeclarationScope,
  eachWithLead,
  insideQuotes,
  keywordStart,
  type Lead,
  type Leading,
  type ParsedLanguage,
  type SourceFile,
  type Visibility,
} from "./language.ts";
import { DOUBLE, SINGLE, SLASHES } from "./literals.ts";

/** A comment; `#[` opens an attribute. */
const PHP_HASH = /(?<=^|[\s;])#(?!\[)[^\n]*/;

export const php: ParsedLanguage = {
  name: "php",
  extensions: ["php", "phtml"],
  interpreters: ["php"],
  grammar: {
    name: "php",
    maker: "2017 Josh Vera, GitHub",
    sha256: "01e0af450e9dae33a62a2d7a407240be883574a49edc031eb2bc4b1f22b69e55",
  },
  programs: /php/,
  comments: SLASH_COMMENTS,
  literals: [SLASHES, PHP_HASH, DOUBLE, SINGLE],
  classFiles: ["php"],
  libraries: {
    environment: { calls: [/\bgetenv\s*\(/g, /\$_(?:ENV|SERVER)\s*\[/g, /\benv\s*\(/g] },
    routes: [/\$(?:app|router|group|routes)->(get|post|put|patch|delete)\s*\(/g, /#\[(Route)\s*\(/g],
    relativeRoutes: [/\bRoute::(get|post|put|patch|delete|any)\s*\(/g],
    routePrefixes: [],
  },
  samples: { imports: readPhpImports, namesArguments: true, moduleWord: "namespace", writesModules: true },
  merging: {
    members: {
      program: ["namespace_use_declaration", "function_definition class_declaration"],
      declaration_list: ["use_declaration", "property_declaration method_declaration const_declaration"],
    },
  },
  declare,
};

const leading: Leading = {
  comment: ({ type }) => type === "comment",
  isDoc: (words) => words.startsWith("/**"),
};

function declare(root: Node, file: SourceFile): void {
  declareBody(root, file, "public", 0);
}

function declareBody(body: Node | null, file: SourceFile, holder: Visibility, depth: number): void {
  if (!body || depth > DEEPEST_HOLDER) return;
  eachWithLead(file, body.namedChildren, leading, (node, lead) =>
    declareNode(node, lead, { file, holder, depth }),
  );
}

const KINDS: ReadonlyMap<string, DeclarationKind> = new Map([
  ["class_declaration", "class"],
  ["interface_declaration", "interface"],
  ["trait_declaration", "trait"],
  ["enum_declaration", "enum"],
  ["enum_case", "member"],
  ["function_definition", "function"],
  ["method_declaration", "method"],
]);

function declareNode(node: Node, lead: Lead, scope: DeclarationScope): void {
  const { file, holder, depth } = scope;
  const visibility = visibilityOf(node, file, holder);
  const common = { whole: node, lead: { ...lead, own: keywordStart(node, /^attribute_list$/) }, visibility };
  if (node.type === "namespace_definition")
    declareBody(node.childForFieldName("body"), file, holder, depth + 1);
  else if (node.type === "const_declaration") declareConstants(node, common, file);
  else if (node.type === "property_declaration") declareProperties(node, common, file);
  else if (node.type === "expression_statement") declareDefined(node, common, file);
  const name = node.childForFieldName("name");
  const kind = KINDS.get(node.type);
  if (!name || !kind) return;
  const body = node.childForFieldName("body");
  const list = node.childForFieldName("parameters");
  const details = {
    body,
    returns: node.childForFieldName("return_type"),
    value: node.childForFieldName("value"),
  };
  file.declare(
    {
      kind,
      name,
      ...common,
      ...details,
      ...defined({ parameters: list ? findParameters(list, file) : undefined }),
    },
    () => {
      if (kind !== "function" && kind !== "method") declareBody(body, file, visibility, depth + 1);
    },
  );
  if (kind === "method" && list) declarePromoted(list, file, holder);
}

function visibilityOf(node: Node, file: SourceFile, holder: Visibility): Visibility {
  const modifier = node.namedChildren.find(({ type }) => type === "visibility_modifier");
  if (!modifier || file.textOf(modifier) === "public") return holder;
  return file.textOf(modifier) === "private" ? "private" : "unknown";
}

function declareConstants(node: Node, common: Common, file: SourceFile): void {
  for (const element of node.namedChildren) {
    const [name, value] = element.type === "const_element" ? element.namedChildren : [];
    if (name) file.declare({ kind: "constant", name, ...common, value: value ?? null });
  }
}

function declareProperties(node: Node, common: Common, file: SourceFile): void {
  for (const element of node.namedChildren) {
    const name = element.type === "property_element" ? element.childForFieldName("name") : null;
    if (name)
      file.declare({
        kind: "property",
        name: bare(name, file),
        ...common,
        type: node.childForFieldName("type"),
        value: element.childForFieldName("default_value"),
      });
  }
}

/** `define("NAME", value)` declares a constant. */
function declareDefined(node: Node, common: Common, file: SourceFile): void {
  const call = node.namedChildren[0];
  const called = call?.type === "function_call_expression" ? call.childForFieldName("function") : null;
  if (!called || file.textOf(called) !== "define") return;
  const [first, second] = call!.childForFieldName("arguments")?.namedChildren ?? [];
  const name = first?.namedChildren[0];
  if (!name || !/string$/.test(name.type)) return;
  const region = insideQuotes(file.text, name.startIndex, name.endIndex);
  const named = { text: file.text.slice(region.start, region.end), region };
  file.declare({ kind: "constant", name: named, ...common, value: second ?? null });
}

/** `__construct(private int $port = 80)` declares a property too. */
function declarePromoted(list: Node, file: SourceFile, holder: Visibility): void {
  for (const node of list.namedChildren) {
    const name = node.type === "property_promotion_parameter" ? node.childForFieldName("name") : null;
    if (name)
      file.declare({
        kind: "property",
        name: bare(name, file),
        whole: node,
        visibility: visibilityOf(node, file, holder),
        type: node.childForFieldName("type"),
        value: node.childForFieldName("default_value"),
      });
  }
}

/** A variable's name without its dollar sign. */
function bare(
  node: Node,
  file: SourceFile,
): { readonly text: string; readonly region: { start: number; end: number } } {
  const start = file.text[node.startIndex] === "$" ? node.startIndex + 1 : node.startIndex;
  return { text: file.text.slice(start, node.endIndex), region: { start, end: node.endIndex } };
}

function findParameters(list: Node, file: SourceFile): Parameter[] {
  return list.namedChildren.flatMap((node) => {
    const name = node.childForFieldName("name");
    const type = node.childForFieldName("type");
    const value = node.childForFieldName("default_value");
    const rest = node.type === "variadic_parameter";
    return name ? [file.parameter(node, { name: bare(name, file).text, type, value, rest })] : [];
  });
}
