import type { DeclarationKind, Parameter } from "../source/declaration.ts";
import type { Node } from "../source/tree.ts";
import { SLASH_COMMENTS } from "./comments.ts";
import {
  afterColon,
  type Common,
  DEEPEST_HOLDER,
  type DeclarationScope,
  eachWithLead,
  keywordStart,
  type Lead,
  type Leading,
  type ParsedLanguage,
  type SourceFile,
  type Visibility,
} from "./language.ts";
import { C_LITERALS } from "./literals.ts";

export const swift: ParsedLanguage = {
  name: "swift",
  extensions: ["swift"],
  grammar: {
    name: "swift",
    maker: "2021 alex-pinkus",
    sha256: "82b1886011958a172de958203fe2bb4a6a5b7a7f48608f25496c6ce5b236d7aa",
    // The published scanner allocates zero times four bytes of state and then writes four, so it misreads the second
    // file. Its authors have corrected the zero to a one.
    correction: {
      bytes: [0x00, 0x41, 0x00, 0x41, 0x04, 0x10, 0x00, 0x0b],
      corrected: [0x00, 0x41, 0x01, 0x41, 0x04, 0x10, 0x00, 0x0b],
    },
  },
  programs: /swift/,
  comments: SLASH_COMMENTS,
  literals: C_LITERALS,
  classFiles: ["swift"],
  documentation: { "docs.swift.org": ["/"] },
  libraries: { environment: { calls: [/\.environment\s*\[/g] } },
  merging: {
    members: {
      source_file: ["import_declaration", "function_declaration class_declaration protocol_declaration"],
      class_body: ["function_declaration property_declaration"],
    },
  },
  overloads: true,
  declare,
};

const leading: Leading = {
  comment: ({ type }) => type === "comment" || type === "multiline_comment",
  isDoc: (words) => /^\/\/\/|^\/\*\*/.test(words),
};

/** Members of a protocol inherit the visibility of their holder; all others need `public` or `open`. */
type SwiftScope = DeclarationScope & { readonly inherits: boolean };

function declare(root: Node, file: SourceFile): void {
  declareBody(root, { file, holder: "public", inherits: false, depth: 0 });
}

function declareBody(body: Node | null, scope: SwiftScope): void {
  if (!body || scope.depth > DEEPEST_HOLDER) return;
  eachWithLead(scope.file, body.namedChildren, leading, (node, lead) => declareNode(node, lead, scope));
}

function declareNode(node: Node, lead: Lead, scope: SwiftScope): void {
  const { file, holder, inherits } = scope;
  const visibility = inherits ? holder : visibilityOf(node, file, holder);
  const common = { whole: node, lead: { ...lead, own: keywordStart(node, /^attribute$/) }, visibility };
  switch (node.type) {
    case "class_declaration":
    case "protocol_declaration":
      declareType(node, common, scope);
      return;
    case "function_declaration":
    case "protocol_function_declaration":
    case "init_declaration":
      declareFunction(node, common, file);
      return;
    case "property_declaration":
    case "protocol_property_declaration":
      declareProperty(node, common, file);
      return;
    case "enum_entry":
      for (const name of node.childrenForFieldName("name"))
        file.declare({ kind: "member", name, ...common, visibility: holder, value: rawValue(node, name) });
      return;
    case "typealias_declaration": {
      const [name, value] = node.childrenForFieldName("name");
      if (name) file.declare({ kind: "type", name, ...common, value: value ?? null });
    }
  }
}

function visibilityOf(node: Node, file: SourceFile, holder: Visibility): Visibility {
  const modifiers = node.namedChildren.find(({ type }) => type === "modifiers");
  const words = modifiers?.namedChildren.map((child) => file.textOf(child)) ?? [];
  if (words.includes("public") || words.includes("open")) return holder;
  return "private";
}

const KINDS: ReadonlyMap<string, DeclarationKind> = new Map([
  ["class", "class"],
  ["actor", "class"],
  ["struct", "struct"],
  ["enum", "enum"],
  ["protocol", "interface"],
]);

function declareType(node: Node, common: Common, { file, holder, depth }: DeclarationScope): void {
  const name = node.childForFieldName("name");
  const body = node.childForFieldName("body");
  const keyword = node.childForFieldName("declaration_kind");
  const kind = keyword && KINDS.get(file.textOf(keyword));
  if (!name) return;
  // An extension adds to a type declared elsewhere.
  const added = kind ?? "module";
  const visibility = kind ? common.visibility : holder;
  file.declare({ kind: added, name, ...common, body, visibility }, () =>
    declareBody(body, {
      file,
      holder: visibility,
      inherits: kind === "interface",
      depth: depth + 1,
    }),
  );
}

function declareFunction(node: Node, common: Common, file: SourceFile): void {
  const name = node.childForFieldName("name");
  const body = node.childForFieldName("body");
  if (!name) return;
  const kind = file.depth() === 0 ? "function" : "method";
  const arrow = node.children.findIndex(({ type }) => type === "->");
  const returns = arrow >= 0 ? (node.children[arrow + 1] ?? null) : null;
  file.declare({ kind, name, ...common, body, parameters: findParameters(node, file), returns });
}

function declareProperty(node: Node, common: Common, file: SourceFile): void {
  const pattern = node.childForFieldName("name");
  const name = pattern?.childForFieldName("bound_identifier") ?? pattern;
  if (!name) return;
  const annotation = node.namedChildren.find(({ type }) => type === "type_annotation") ?? null;
  const value = node.childForFieldName("value");
  const constant = file.depth() === 0 && /\blet\b/.test(file.text.slice(node.startIndex, name.startIndex));
  file.declare({
    kind: file.depth() > 0 ? "property" : constant ? "constant" : "variable",
    name,
    ...common,
    type: afterColon(file, annotation) ?? null,
    value,
    signatureEnd: (value ?? annotation ?? name).endIndex,
  });
}

function rawValue(node: Node, name: Node): Node | null {
  const index = node.children.findIndex((child) => child.id === name.id);
  const next = node.children.slice(index + 1).find((child) => child.isNamed || child.type === ",");
  return next && next.type !== "," ? next : null;
}

/** A default value is a sibling of its parameter, behind an equals sign. */
function findParameters(node: Node, file: SourceFile): Parameter[] {
  const parameters: Parameter[] = [];
  let defaulted = false;
  for (const child of node.children) {
    if (child.type === "parameter") {
      const names = child.childrenForFieldName("name");
      const [name, type] = names;
      if (!name) continue;
      const rest =
        file.text.slice(child.startIndex, child.endIndex + 3).endsWith("...") ||
        file.textOf(child).endsWith("...");
      parameters.push(file.parameter(child, { name, type, rest }));
      defaulted = false;
    } else if (child.type === "=") defaulted = true;
    else if (defaulted && parameters.length > 0) {
      const last = parameters.pop()!;
      parameters.push({
        ...last,
        region: { start: last.region.start, end: child.endIndex },
        default: file.textOf(child),
        optional: true,
      });
      defaulted = false;
    } else if (child.type === "function_body") break;
  }
  return parameters;
}
