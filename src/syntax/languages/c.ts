import { defined } from "../../text/model/defined.ts";
import type { DeclarationKind, Parameter } from "../source/declaration.ts";
import { readIncludes } from "../source/imports.ts";
import type { Node } from "../source/tree.ts";
import { SLASH_COMMENTS } from "./comments.ts";
import {
  DEEPEST_HOLDER,
  type DeclarationScope,
  eachWithLead,
  type Lead,
  type Leading,
  type LedNode,
  type ParsedLanguage,
  regionOf,
  type SourceFile,
  type Visibility,
} from "./language.ts";
import type { LibraryPatterns } from "./library-patterns.ts";
import { C_LITERALS } from "./literals.ts";

const libraries: LibraryPatterns = {
  environment: {
    calls: [/\b(?:secure_)?(?:getenv|curl_getenv|curlx_getenv|_wgetenv|qgetenv|GetEnv)\s*\(/g],
  },
};

export const c: ParsedLanguage = {
  name: "c",
  extensions: ["c"],
  grammar: {
    name: "c",
    maker: "2014 Max Brunsfeld",
    sha256: "7b80a64003e8ef8cde197329ee0167e9270f67663f2e6c6ef7d67b5425998aac",
  },
  comments: SLASH_COMMENTS,
  literals: C_LITERALS,
  libraries,
  samples: { imports: readIncludes, notation: "type name" },
  merging: { members: { translation_unit: ["preproc_include", "function_definition"] } },
  declare,
};

export const cpp: ParsedLanguage = {
  name: "cpp",
  extensions: ["cc", "cpp", "cxx", "c++", "h", "hh", "hpp", "hxx", "ipp"],
  grammar: {
    name: "cpp",
    maker: "2014 Max Brunsfeld",
    sha256: "285a0d1da90e6cdea639ddf1b925ebca567d24b68d13c418ea92f5a6b7c099dd",
  },
  comments: SLASH_COMMENTS,
  literals: C_LITERALS,
  family: "c",
  libraries,
  samples: { imports: readIncludes, notation: "type name" },
  merging: {
    members: {
      translation_unit: ["preproc_include", "function_definition"],
      declaration_list: ["function_definition"],
    },
  },
  overloads: true,
  declare,
};

const leading: Leading = {
  comment: ({ type }) => type === "comment",
  isDoc: (words) => /^(?:\/\*[*!]|\/\/[/!])/.test(words),
};

function declare(root: Node, file: SourceFile): void {
  declareBody(root, file, "public", 0);
}

function declareBody(body: Node | null, file: SourceFile, holder: Visibility, depth: number): void {
  if (!body || depth > DEEPEST_HOLDER) return;
  eachWithLead(file, body.namedChildren, leading, (node, lead) =>
    declareNode(node, { whole: node, lead }, { file, holder, depth }),
  );
}

function declareNode(node: Node, held: LedNode, scope: DeclarationScope): void {
  const { whole, lead } = held;
  const { file, holder, depth } = scope;
  switch (node.type) {
    case "preproc_if":
    case "preproc_ifdef":
    case "preproc_else":
    case "preproc_elif":
      declareBody(node, file, holder, depth + 1);
      return;
    case "linkage_specification":
      declareBody(node.childForFieldName("body"), file, holder, depth + 1);
      return;
    case "preproc_def":
    case "preproc_function_def":
      declareMacro(node, lead, file);
      return;
    case "template_declaration": {
      const inner = node.namedChildren.at(-1);
      if (inner) declareNode(inner, { whole: node, lead }, { ...scope, depth: depth + 1 });
      return;
    }
    case "namespace_definition":
      declareNamespace(node, lead, scope);
      return;
    case "alias_declaration": {
      const name = node.childForFieldName("name");
      if (name)
        file.declare({
          kind: "type",
          name,
          whole,
          lead,
          visibility: holder,
          value: node.childForFieldName("type"),
        });
      return;
    }
    case "type_definition":
      declareTypedef(node, held, scope);
      return;
    case "declaration":
    case "field_declaration":
    case "function_definition":
      declareDeclarators(node, held, scope);
      return;
    default:
      declareType(node, held, scope);
  }
}

function declareMacro(node: Node, lead: Lead, file: SourceFile): void {
  const name = node.childForFieldName("name");
  const list = node.childForFieldName("parameters");
  if (!name) return;
  const parameters = list?.namedChildren.map((each) => ({ name: file.textOf(each), region: regionOf(each) }));
  file.declare({
    kind: list ? "macro" : "constant",
    name,
    whole: node,
    lead,
    visibility: "public",
    value: node.childForFieldName("value"),
    ...defined({ parameters }),
  });
}

function declareNamespace(node: Node, lead: Lead, { file, holder, depth }: DeclarationScope): void {
  const name = node.childForFieldName("name");
  const body = node.childForFieldName("body");
  const parts = name?.type === "nested_namespace_specifier" ? name.namedChildren : name ? [name] : [];
  const last = parts.at(-1);
  // Names in a namespace without a name cannot be used outside their file.
  if (!last) {
    declareBody(body, file, "private", depth + 1);
    return;
  }
  const under = parts.slice(0, -1).map((part) => file.textOf(part));
  file.declare({ kind: "module", name: last, whole: node, under, lead, body, visibility: holder }, () =>
    declareBody(body, file, holder, depth + 1),
  );
}

const TYPES: ReadonlyMap<string, DeclarationKind> = new Map([
  ["struct_specifier", "struct"],
  ["union_specifier", "struct"],
  ["class_specifier", "class"],
  ["enum_specifier", "enum"],
]);

/** A struct, class or enum with a body; a mere mention of one declares nothing. */
function declareType(
  node: Node,
  held: LedNode,
  { file, holder, depth }: DeclarationScope,
  alias?: Node,
): void {
  const kind = TYPES.get(node.type);
  const body = node.childForFieldName("body");
  const name = alias ?? node.childForFieldName("name");
  if (!kind || !body || !name) return;
  file.declare({ kind, name, ...held, body, visibility: holder }, () => {
    if (kind === "enum") declareEnumerators(body, file, holder);
    else declareMembers(body, { file, holder, depth: depth + 1 }, kind === "class" ? "private" : holder);
  });
}

function declareEnumerators(body: Node, file: SourceFile, visibility: Visibility): void {
  eachWithLead(file, body.namedChildren, leading, (node, lead) => {
    const name = node.type === "enumerator" ? node.childForFieldName("name") : null;
    if (name)
      file.declare({
        kind: "member",
        name,
        whole: node,
        lead,
        visibility,
        value: node.childForFieldName("value"),
      });
  });
}

/** `public:` and its like hold until the next one. */
function declareMembers(body: Node, scope: DeclarationScope, first: Visibility): void {
  const { file, holder } = scope;
  let visibility = first;
  eachWithLead(file, body.namedChildren, leading, (node, lead) => {
    if (node.type === "access_specifier") {
      const word = file.textOf(node);
      visibility = word.startsWith("public") ? holder : word.startsWith("private") ? "private" : "unknown";
    } else declareNode(node, { whole: node, lead }, { ...scope, holder: visibility });
  });
}

function declareTypedef(node: Node, held: LedNode, scope: DeclarationScope): void {
  const type = node.childForFieldName("type");
  const declarator = node.childForFieldName("declarator");
  const name = declarator && nameOf(declarator);
  if (!type || !name) return;
  if (type.childForFieldName("body") && TYPES.has(type.type)) declareType(type, held, scope, name);
  else scope.file.declare({ kind: "type", name, ...held, visibility: scope.holder, value: type });
}

function declareDeclarators(node: Node, held: LedNode, scope: DeclarationScope): void {
  const { file, holder } = scope;
  const type = node.childForFieldName("type");
  if (type?.childForFieldName("body")) declareType(type, held, scope);
  for (const declarator of node.childrenForFieldName("declarator")) {
    const called = functionPart(declarator);
    const name = nameOf(called?.childForFieldName("declarator") ?? declarator);
    if (!name) continue;
    const under = scopeOf(called?.childForFieldName("declarator"), file);
    const method = file.depth() > 0 && node.parent?.type === "field_declaration_list";
    const common = { name, ...held, under, visibility: visibilityOfDeclarator(node, file, holder, method) };
    if (called)
      file.declare({
        kind: method || under.length > 0 ? "method" : "function",
        ...common,
        body: node.childForFieldName("body"),
        parameters: findParameters(called.childForFieldName("parameters"), file),
        returns: typeBefore(node, type, called, file),
      });
    else
      file.declare({
        kind: method
          ? "property"
          : /\b(?:const|constexpr)\b/.test(file.text.slice(node.startIndex, name.startIndex))
            ? "constant"
            : "variable",
        ...common,
        type: typeBefore(node, type, name, file),
        value: declarator.childForFieldName("value") ?? node.childForFieldName("default_value"),
      });
  }
}

/** A type with its qualifiers and the stars between it and what it is the type of. */
function typeBefore(node: Node, type: Node | null, named: Node, file: SourceFile): string | null {
  if (!type) return null;
  const qualifier = node.namedChildren.find(
    (child) => child.type === "type_qualifier" && child.startIndex < type.startIndex,
  );
  const between = file.text.slice(type.endIndex, Math.max(named.startIndex, type.endIndex));
  const stars = /^[\s*&]*$/.test(between) ? named.startIndex : type.endIndex;
  return file.text.slice((qualifier ?? type).startIndex, stars).trim();
}

// At file level `static` keeps a name to its file; in a class it means something else.
function visibilityOfDeclarator(
  node: Node,
  file: SourceFile,
  holder: Visibility,
  method: boolean,
): Visibility {
  const isStatic = node.namedChildren.some(
    (child) => child.type === "storage_class_specifier" && file.textOf(child) === "static",
  );
  return isStatic && !method && file.depth() === 0 ? "private" : holder;
}

/** Through pointers, references and initial values to the function being declared, if it is one. */
function functionPart(declarator: Node): Node | undefined {
  let node: Node | null | undefined = declarator;
  for (let depth = 0; node && depth < DEEPEST_HOLDER; depth++) {
    if (node.type === "function_declarator") {
      const inner = node.childForFieldName("declarator");
      return inner?.type === "parenthesized_declarator" ? undefined : node;
    }
    if (!/^(?:pointer|reference|init)_declarator$/.test(node.type)) return undefined;
    node = node.childForFieldName("declarator") ?? node.namedChildren.at(-1);
  }
  return undefined;
}

function nameOf(declarator: Node): Node | undefined {
  let node: Node | null | undefined = declarator;
  for (let depth = 0; node && depth < 2 * DEEPEST_HOLDER; depth++) {
    if (/^(?:type_|field_)?identifier$|^(?:operator_name|destructor_name)$/.test(node.type)) return node;
    node =
      node.childForFieldName(
        node.type === "qualified_identifier" || node.type === "template_function" ? "name" : "declarator",
      ) ?? node.namedChildren[0];
  }
  return undefined;
}

/** `ns::Foo::bar` belongs to `ns`, `Foo`. */
function scopeOf(declarator: Node | null | undefined, file: SourceFile): string[] {
  const scope: string[] = [];
  let node: Node | null | undefined = declarator;
  while (node?.type === "qualified_identifier" && scope.length < DEEPEST_HOLDER) {
    const part = node.childForFieldName("scope");
    if (part) scope.push(file.textOf(part.childForFieldName("name") ?? part));
    node = node.childForFieldName("name");
  }
  return scope;
}

function findParameters(list: Node | null, file: SourceFile): Parameter[] {
  return (list?.namedChildren ?? []).flatMap((node): Parameter[] => {
    if (node.type === "variadic_parameter") return [{ name: "...", region: regionOf(node), rest: true }];
    const type = node.childForFieldName("type");
    const declarator = node.childForFieldName("declarator");
    const name = declarator && nameOf(declarator);
    const value = node.childForFieldName("default_value");
    if (!type || (!name && file.textOf(node) === "void")) return [];
    const written = name ? file.text.slice(node.startIndex, name.startIndex).trim() : file.textOf(node);
    return [file.parameter(node, { name, type: written, value })];
  });
}
