import { defined } from "../../text/model/defined.ts";
import type { DeclarationKind, Parameter } from "../source/declaration.ts";
import { readUsings } from "../source/imports.ts";
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
import { CHARACTER, DOUBLE, SLASHES, TRIPLE } from "./literals.ts";

const VERBATIM = /@"(?:""|[^"])*"?/;

export const cSharp: ParsedLanguage = {
  name: "c#",
  extensions: ["cs"],
  fences: ["csharp"],
  grammar: {
    name: "c_sharp",
    maker: "2014-2023 Max Brunsfeld, Damien Guard, Amaan Qureshi, and contributors",
    sha256: "608208861b5cacee3805c486109e05cdfcf508988c303199cbba4628b8ed4151",
  },
  comments: SLASH_COMMENTS,
  literals: [SLASHES, TRIPLE, VERBATIM, DOUBLE, CHARACTER],
  classFiles: ["cs"],
  libraries: {
    environment: { calls: [/\b(?:Get|Has)EnvironmentVariable\s*\(/g] },
    routes: [/\.(MapGet|MapPost|MapPut|MapPatch|MapDelete)\s*\(/g],
    relativeRoutes: [/\[(HttpGet|HttpPost|HttpPut|HttpPatch|HttpDelete)\b(?:\s*\()?/g],
    routePrefixes: [/\[Route\s*\(/g],
  },
  samples: {
    imports: readUsings,
    namesArguments: true,
    moduleWord: "namespace",
    writesModules: true,
    notation: "type name",
  },
  merging: {
    members: {
      compilation_unit: [
        "using_directive",
        "class_declaration interface_declaration struct_declaration enum_declaration record_declaration",
      ],
      declaration_list: [
        "using_directive",
        "class_declaration interface_declaration struct_declaration enum_declaration record_declaration " +
          "field_declaration property_declaration method_declaration constructor_declaration event_declaration",
      ],
    },
  },
  overloads: true,
  declare,
};

const leading: Leading = {
  comment: ({ type }) => type === "comment",
  isDoc: (words) => /^\/\/\/|^\/\*\*/.test(words),
};

function declare(root: Node, file: SourceFile): void {
  declareBody(root, { file, holder: "public", otherwise: "private", depth: 0 });
}

function declareBody(body: Node | null, scope: MemberScope): void {
  if (!body || scope.depth > DEEPEST_HOLDER) return;
  eachWithLead(scope.file, body.namedChildren, leading, (node, lead) => declareNode(node, lead, scope));
}

const KINDS: ReadonlyMap<string, DeclarationKind> = new Map([
  ["class_declaration", "class"],
  ["record_declaration", "class"],
  ["struct_declaration", "struct"],
  ["record_struct_declaration", "struct"],
  ["interface_declaration", "interface"],
  ["enum_declaration", "enum"],
  ["enum_member_declaration", "member"],
  ["method_declaration", "method"],
  ["constructor_declaration", "method"],
  ["delegate_declaration", "type"],
  ["property_declaration", "property"],
]);

function declareNode(node: Node, lead: Lead, scope: MemberScope): void {
  const { file, holder, otherwise, depth } = scope;
  const visibility = visibilityOf(node, file, holder, otherwise);
  const common = { whole: node, lead: { ...lead, own: keywordStart(node, /^attribute_list$/) }, visibility };
  if (node.type === "namespace_declaration")
    declareBody(node.childForFieldName("body"), { ...scope, depth: scope.depth + 1 });
  else if (node.type.startsWith("preproc_")) declareBody(node, { ...scope, depth: scope.depth + 1 });
  else if (/^(?:event_)?field_declaration$/.test(node.type)) declareFields(node, common, file);
  const name = node.childForFieldName("name");
  const kind = KINDS.get(node.type);
  if (!name || !kind) return;
  const body = node.childForFieldName("body") ?? node.childForFieldName("accessors");
  const list =
    node.childForFieldName("parameters") ?? node.namedChildren.find(({ type }) => type === "parameter_list");
  file.declare(
    {
      kind,
      name,
      ...common,
      body,
      ...defined({ parameters: list ? findParameters(list, file) : undefined }),
      returns: node.childForFieldName("returns") ?? (kind === "type" ? node.childForFieldName("type") : null),
      type: kind === "property" ? node.childForFieldName("type") : null,
      value: node.childForFieldName("value"),
    },
    () => {
      if (kind === "enum" || kind === "interface")
        declareBody(body, { file, holder: visibility, otherwise: visibility, depth: depth + 1 });
      else if (kind === "class" || kind === "struct") {
        if (node.type.startsWith("record")) declareComponents(list, file, visibility);
        declareBody(body, { file, holder: visibility, otherwise: "private", depth: depth + 1 });
      }
    },
  );
}

function visibilityOf(node: Node, file: SourceFile, holder: Visibility, otherwise: Visibility): Visibility {
  const words = node.namedChildren.flatMap((child) =>
    child.type === "modifier" ? [file.textOf(child)] : [],
  );
  if (words.includes("public")) return holder;
  if (words.includes("private") || words.includes("internal")) return "private";
  return words.includes("protected") ? "unknown" : otherwise;
}

function declareFields(node: Node, common: Common, file: SourceFile): void {
  const constant = node.namedChildren.some(
    (child) => child.type === "modifier" && file.textOf(child) === "const",
  );
  const variables = node.namedChildren.find(({ type }) => type === "variable_declaration");
  for (const declarator of variables?.namedChildren ?? []) {
    const name = declarator.type === "variable_declarator" ? declarator.childForFieldName("name") : null;
    if (!name) continue;
    const value = declarator.namedChildren.find((child) => child.startIndex >= name.endIndex) ?? null;
    file.declare({
      kind: constant ? "constant" : "property",
      name,
      ...common,
      type: variables!.childForFieldName("type"),
      value,
    });
  }
}

function declareComponents(list: Node | null | undefined, file: SourceFile, visibility: Visibility): void {
  for (const node of list?.namedChildren ?? []) {
    const name = node.childForFieldName("name");
    if (name)
      file.declare({ kind: "property", name, whole: node, visibility, type: node.childForFieldName("type") });
  }
}

/** A `params` parameter has no separate node: its type and name are direct children of the list. */
function findParameters(list: Node, file: SourceFile): Parameter[] {
  const parameters = list.namedChildren.flatMap((node) => {
    const name = node.type === "parameter" ? node.childForFieldName("name") : null;
    const type = node.childForFieldName("type");
    const value = name ? node.namedChildren.find((child) => child.startIndex >= name.endIndex) : undefined;
    return name ? [file.parameter(node, { name, type, value })] : [];
  });
  const loose = list.childForFieldName("name");
  const type = list.childForFieldName("type");
  if (!loose || !type) return parameters;
  return [
    ...parameters,
    {
      name: file.textOf(loose),
      region: { start: type.startIndex, end: loose.endIndex },
      type: file.textOf(type),
      rest: true,
    },
  ];
}
