import { defined } from "../../text/model/defined.ts";
import type { Region } from "../../text/model/region.ts";
import type { Parameter } from "../source/declaration.ts";
import { readGoImports } from "../source/imports.ts";
import type { Node } from "../source/tree.ts";
import { SLASH_COMMENTS } from "./comments.ts";
import {
  eachWithLead,
  type Lead,
  type Leading,
  type LedNode,
  type ParsedLanguage,
  type SourceFile,
  type Visibility,
} from "./language.ts";
import { CHARACTER, DOUBLE, SLASHES } from "./literals.ts";

const RAW = /`[^`]*`?/;

export const go: ParsedLanguage = {
  name: "go",
  extensions: ["go"],
  fences: ["golang"],
  grammar: {
    name: "go",
    maker: "2014 Max Brunsfeld",
    sha256: "fd9af2da4da88b2537d4a33ce4739dd478cc5b141fdce4cdcf9a0e464b91b614",
  },
  programs: /go/,
  comments: { ...SLASH_COMMENTS, doc: "all" },
  literals: [SLASHES, DOUBLE, RAW, CHARACTER],
  documentation: { "go.dev": ["/doc/", "/ref/", "/blog/"] },
  libraries: {
    environment: {
      calls: [
        /\bos\.(?:Getenv|LookupEnv)\s*\(/g,
        /\b(?:[gG]et|[lL]ookup)Env\w*\s*\(/g,
        /\b[eE]nv(?:Or|Default|String|Int|Bool|Duration)\w*\s*\(/g,
      ],
    },
    raises: /\b(?:fmt\.Errorf|errors\.New)\s*\(/g,
    routes: [
      /\.(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|Get|Post|Put|Patch|Delete|HandleFunc|Handle)\s*\((?=\s*"\/?\u0001)/g,
    ],
    routePrefixes: [/\.(?:Group|Route)\s*\((?=\s*"\/?\u0001)/g],
  },
  samples: { imports: readGoImports, notation: "name type" },
  merging: {
    members: {
      source_file: ["import_declaration", "function_declaration method_declaration type_declaration"],
      import_spec_list: ["import_spec"],
      field_declaration_list: ["field_declaration"],
      interface_type: ["method_elem method_spec"],
    },
    lists: { literal_value: ["keyed_element"] },
    named: "type_declaration keyed_element",
  },
  declare,
};

const leading: Leading = {
  comment: ({ type }) => type === "comment",
  isDoc: (words) => !words.startsWith("//go:"),
};

function declare(root: Node, file: SourceFile): void {
  eachWithLead(file, root.namedChildren, leading, (node, lead) => {
    switch (node.type) {
      case "function_declaration":
      case "method_declaration":
        declareFunction(node, lead, file);
        return;
      case "type_declaration":
        eachSpec({ whole: node, lead }, file, /^type_(?:spec|alias)$/, (spec, held) =>
          declareType(spec, held, file),
        );
        return;
      case "const_declaration":
      case "var_declaration":
        eachSpec({ whole: node, lead }, file, /^(?:const|var)_spec$/, (spec, held) =>
          declareValues(spec, held, file, node.type === "const_declaration"),
        );
    }
  });
}

/** A single spec is the whole declaration; within parentheses, each spec is a declaration. */
function eachSpec(
  { whole: node, lead }: LedNode,
  file: SourceFile,
  type: RegExp,
  visit: (spec: Node, held: LedNode) => void,
): void {
  const list = node.namedChildren.find((child) => child.type === "var_spec_list") ?? node;
  const grouped = file.text[list.startIndex] === "(" || node.children.some((child) => child.type === "(");
  eachWithLead(file, list.namedChildren, leading, (spec, own) => {
    if (type.test(spec.type)) visit(spec, grouped ? { whole: spec, lead: own } : { whole: node, lead });
  });
}

function visibilityOf(name: string, holder: Visibility = "public"): Visibility {
  return /^\p{Lu}/u.test(name) ? holder : "private";
}

function declareFunction(node: Node, lead: Lead, file: SourceFile): void {
  const name = node.childForFieldName("name");
  if (!name) return;
  const receiver = node.childForFieldName("receiver");
  const holder = receiver
    ? /([\p{L}_][\p{L}\p{N}_]*)\s*(?:\[[^\]]*\])?\s*\)$/u.exec(file.textOf(receiver))?.[1]
    : undefined;
  file.declare({
    kind: receiver ? "method" : "function",
    name,
    whole: node,
    lead,
    ...defined({ under: holder ? [holder] : undefined }),
    body: node.childForFieldName("body"),
    visibility: visibilityOf(file.textOf(name), holder ? visibilityOf(holder) : "public"),
    parameters: findParameters(node.childForFieldName("parameters"), file),
    returns: node.childForFieldName("result"),
  });
}

function declareType(spec: Node, held: LedNode, file: SourceFile): void {
  const name = spec.childForFieldName("name");
  const type = spec.childForFieldName("type");
  if (!name || !type) return;
  const visibility = visibilityOf(file.textOf(name));
  const kind = type.type === "struct_type" ? "struct" : type.type === "interface_type" ? "interface" : "type";
  const body = kind === "struct" ? type.namedChildren[0] : kind === "interface" ? bracedPart(type) : null;
  file.declare(
    {
      kind,
      name,
      ...held,
      ...defined({ body: body ?? undefined }),
      visibility,
      ...defined({ value: kind === "type" ? type : undefined }),
    },
    () => declareTypeMembers(type, file, visibility),
  );
}

/** An interface's methods have no node of their own: from the brace on. */
function bracedPart(type: Node): Region | null {
  const brace = type.children.find((child) => child.type === "{");
  return brace ? { start: brace.startIndex, end: type.endIndex } : null;
}

function declareTypeMembers(type: Node, file: SourceFile, holder: Visibility): void {
  if (type.type === "struct_type") declareFields(type.namedChildren[0], file, holder);
  if (type.type !== "interface_type") return;
  eachWithLead(file, type.namedChildren, leading, (node, lead) => {
    const name = node.type === "method_elem" ? node.childForFieldName("name") : null;
    if (!name) return;
    file.declare({
      kind: "method",
      name,
      whole: node,
      lead,
      visibility: visibilityOf(file.textOf(name), holder),
      parameters: findParameters(node.childForFieldName("parameters"), file),
      returns: node.childForFieldName("result"),
    });
  });
}

function declareFields(list: Node | undefined, file: SourceFile, holder: Visibility): void {
  eachWithLead(file, list?.namedChildren ?? [], leading, (node, lead) => {
    const type = node.childForFieldName("type");
    for (const name of node.childrenForFieldName("name")) {
      const visibility = visibilityOf(file.textOf(name), holder);
      file.declare(
        { kind: "property", name, whole: node, lead, visibility, type, tag: node.childForFieldName("tag") },
        () => {
          if (type) declareTypeMembers(type, file, visibility);
        },
      );
    }
  });
}

function declareValues(spec: Node, held: LedNode, file: SourceFile, constant: boolean): void {
  const values = spec.childForFieldName("value")?.namedChildren ?? [];
  const type = spec.childForFieldName("type");
  spec.childrenForFieldName("name").forEach((name, index) => {
    if (name.type !== "identifier") return;
    const visibility = visibilityOf(file.textOf(name));
    file.declare(
      {
        kind: constant ? "constant" : "variable",
        name,
        ...held,
        visibility,
        type,
        value: values[index] ?? null,
      },
      () => {
        if (type) declareTypeMembers(type, file, visibility);
      },
    );
  });
}

function findParameters(list: Node | null, file: SourceFile): Parameter[] {
  return (list?.namedChildren ?? []).flatMap((node) => {
    if (node.type === "comment") return [];
    const type = node.childForFieldName("type");
    const rest = node.type === "variadic_parameter_declaration";
    const names = node.childrenForFieldName("name");
    return (names.length > 0 ? names : [null]).map((name) => file.parameter(node, { name, type, rest }));
  });
}
