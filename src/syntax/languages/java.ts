import type { DeclarationKind, Parameter } from "../source/declaration.ts";
import { readPackageImports } from "../source/imports.ts";
import type { Node } from "../source/tree.ts";
import { SLASH_COMMENTS } from "./comments.ts";
import {
  type Common,
  DEEPEST_HOLDER,
  eachWithLead,
  keywordStart,
  type Lead,
  type Leading,
  type MemberScope,
  type ParsedLanguage,
  type SourceFile,
  type Visibility,
} from "./language.ts";
import { JVM_PATTERNS } from "./library-patterns.ts";
import { C_LITERALS } from "./literals.ts";

const MEMBERS =
  "field_declaration constant_declaration method_declaration constructor_declaration class_declaration " +
  "interface_declaration enum_declaration record_declaration annotation_type_declaration";
const TYPES = "type_identifier scoped_type_identifier generic_type";

export const java: ParsedLanguage = {
  name: "java",
  extensions: ["java"],
  grammar: {
    name: "java",
    maker: "2017 Ayman Nadeem",
    sha256: "e430a1a344388d6d3bc9f87144dec0d204fca37fafe5f4ab23c51060972a2ac5",
  },
  programs: /java|jbang/,
  comments: SLASH_COMMENTS,
  literals: C_LITERALS,
  classFiles: ["java"],
  documentation: { "docs.oracle.com": ["/javase/", "/en/java/javase/"] },
  family: "jvm",
  libraries: { ...JVM_PATTERNS, raises: /\bthrow\s+new\s+[\w.]+\s*\(/g },
  samples: {
    imports: readPackageImports,
    moduleWord: "package",
    writesModules: true,
    notation: "type name",
    unwraps: /^(?:get|orElseThrow|join)$/,
  },
  merging: {
    members: {
      program: [
        "import_declaration",
        "class_declaration interface_declaration enum_declaration record_declaration",
      ],
      class_body: [MEMBERS],
      interface_body: [MEMBERS],
      enum_body_declarations: [MEMBERS],
      annotation_type_body: [`${MEMBERS} annotation_type_element_declaration`],
      modifiers: [
        "public protected private static final abstract synchronized transient volatile native strictfp default",
      ],
    },
    lists: {
      type_list: [TYPES],
      throws: [TYPES],
      annotation_argument_list: ["element_value_pair"],
    },
  },
  overloads: true,
  declare,
};

const leading: Leading = {
  comment: ({ type }) => type === "block_comment" || type === "line_comment",
  isDoc: (words) => words.startsWith("/**"),
};

function declare(root: Node, file: SourceFile): void {
  declareBody(root, { file, holder: "public", otherwise: "private", depth: 0 });
}

function declareBody(body: Node | null, scope: MemberScope): void {
  if (!body || scope.depth > DEEPEST_HOLDER) return;
  eachWithLead(scope.file, body.namedChildren, leading, (node, lead) => {
    if (node.type === "enum_body_declarations") declareBody(node, { ...scope, depth: scope.depth + 1 });
    else declareNode(node, lead, scope);
  });
}

function declareNode(node: Node, lead: Lead, scope: MemberScope): void {
  const { file, holder, otherwise, depth } = scope;
  const visibility = visibilityOf(node, file, holder, otherwise);
  const common = { whole: node, lead: { ...lead, own: keywordStart(node, /annotation$/) }, visibility };
  if (/^(?:field|constant)_declaration$/.test(node.type)) {
    declareFields(node, common, file);
    return;
  }
  const name = node.childForFieldName("name");
  const kind = KINDS.get(node.type);
  if (!name || !kind) return;
  const body = node.childForFieldName("body");
  const list = node.childForFieldName("parameters");
  const parameters = list ? { parameters: findParameters(list, file) } : {};
  if (kind === "method")
    file.declare({
      kind,
      name,
      ...common,
      body,
      ...parameters,
      returns: node.childForFieldName("type"),
      value: node.childForFieldName("value"),
    });
  else if (kind === "member")
    file.declare({ kind, name, ...common, value: node.childForFieldName("arguments") });
  else
    file.declare({ kind, name, ...common, body, ...parameters }, () => {
      if (node.type === "record_declaration") declareComponents(list, file, visibility);
      if (kind === "enum") declareConstants(body, file, visibility);
      declareBody(body, {
        file,
        holder: visibility,
        otherwise: kind === "interface" ? visibility : "private",
        depth: depth + 1,
      });
    });
}

const KINDS: ReadonlyMap<string, DeclarationKind> = new Map([
  ["class_declaration", "class"],
  ["record_declaration", "class"],
  ["interface_declaration", "interface"],
  ["annotation_type_declaration", "interface"],
  ["enum_declaration", "enum"],
  ["method_declaration", "method"],
  ["constructor_declaration", "method"],
  ["compact_constructor_declaration", "method"],
  ["annotation_type_element_declaration", "method"],
]);

function visibilityOf(node: Node, file: SourceFile, holder: Visibility, otherwise: Visibility): Visibility {
  const modifiers = node.namedChildren.find(({ type }) => type === "modifiers");
  const words = modifiers?.children.map((child) => file.textOf(child)) ?? [];
  if (words.includes("public")) return holder;
  if (words.includes("private")) return "private";
  return words.includes("protected") ? "unknown" : otherwise;
}

function declareFields(node: Node, common: Common, file: SourceFile): void {
  const constant =
    node.type === "constant_declaration" ||
    /\bstatic\b[^=]*\bfinal\b|\bfinal\b[^=]*\bstatic\b/.test(file.textOf(node));
  for (const declarator of node.childrenForFieldName("declarator")) {
    const name = declarator.childForFieldName("name");
    if (name)
      file.declare({
        kind: constant ? "constant" : "property",
        name,
        ...common,
        type: node.childForFieldName("type"),
        value: declarator.childForFieldName("value"),
      });
  }
}

function declareConstants(body: Node | null, file: SourceFile, visibility: Visibility): void {
  eachWithLead(file, body?.namedChildren ?? [], leading, (node, lead) => {
    const name = node.type === "enum_constant" ? node.childForFieldName("name") : null;
    const value = node.childForFieldName("arguments");
    if (name)
      file.declare({
        kind: "member",
        name,
        whole: node,
        lead,
        visibility,
        value,
        signatureEnd: (value ?? name).endIndex,
      });
  });
}

function declareComponents(list: Node | null, file: SourceFile, visibility: Visibility): void {
  for (const node of list?.namedChildren ?? []) {
    const name = node.childForFieldName("name");
    if (name)
      file.declare({ kind: "property", name, whole: node, visibility, type: node.childForFieldName("type") });
  }
}

function findParameters(list: Node, file: SourceFile): Parameter[] {
  return list.namedChildren.flatMap((node) => {
    const rest = node.type === "spread_parameter";
    const declarator = rest
      ? node.namedChildren.find(({ type }) => type === "variable_declarator")
      : undefined;
    const name = (declarator ?? node).childForFieldName("name");
    const type = rest
      ? node.namedChildren.find((child) => /type/.test(child.type))
      : node.childForFieldName("type");
    return name ? [file.parameter(node, { name, type, rest })] : [];
  });
}
