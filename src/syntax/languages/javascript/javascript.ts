import { readJavaScriptImports } from "../../source/imports.ts";
import type { Node } from "../../source/tree.ts";
import { SLASH_COMMENTS } from "../comments.ts";
import {
  afterColon,
  type Common,
  eachWithLead,
  insideQuotes,
  keywordStart,
  type Lead,
  type LedNode,
  type Merging,
  type ParsedLanguage,
  regionOf,
  type SourceFile,
  type Visibility,
} from "../language.ts";
import type { EnvironmentPatterns } from "../library-patterns.ts";
import { DOUBLE, SINGLE, SLASHES } from "../literals.ts";
import { commonJsExport, findExports } from "./exports.ts";
import {
  declareClass,
  declareEnum,
  declareFunction,
  declareMembers,
  declareProperty,
  declareTypeMembers,
  declareValueMembers,
  isFunction,
  leading,
} from "./members.ts";
import { findPatternNames } from "./parameters.ts";

const TEMPLATE = /`(?:\\[\s\S]|[^`\\])*`?/;
const REGULAR_EXPRESSION = /(?<=[=(,:!&|?[]\s{0,3})\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\//;

const environment: EnvironmentPatterns = {
  names: [
    /\b(?:process\.env|import\.meta\.env|Bun\.env)\??\.([A-Za-z_]\w*)/g,
    /(?<![\w.$])env\??\.([A-Z][A-Z0-9_]+)\b/g,
  ],
  calls: [
    /\b(?:process\.env|import\.meta\.env|Bun\.env)\??\.?\[/g,
    /\bDeno\.env\.(?:get|has)\s*\(/g,
    /\bget_?[eE]nv\w*\s*\((?=\s*["'])/g,
  ],
  tested: /["'](\u0001+)["']\s+in\s+process\.env\b/g,
  destructured: /\{([^{}]{0,2000})\}\s*=\s*(?:process\.env|import\.meta\.env)\b/g,
};

const merging: Merging = {
  members: {
    program: [
      "import_statement",
      "function_declaration class_declaration interface_declaration type_alias_declaration enum_declaration",
    ],
    class_body: ["method_definition public_field_definition field_definition method_signature"],
    interface_body: ["property_signature method_signature"],
    object_type: ["property_signature method_signature"],
    jsx_opening_element: ["jsx_attribute"],
    jsx_self_closing_element: ["jsx_attribute"],
  },
  lists: {
    named_imports: ["import_specifier"],
    export_clause: ["export_specifier"],
    object: ["pair shorthand_property_identifier method_definition"],
    object_pattern: ["pair_pattern shorthand_property_identifier_pattern object_assignment_pattern"],
  },
};

export const javascript: ParsedLanguage = {
  name: "javascript",
  extensions: ["js", "mjs", "cjs", "jsx"],
  interpreters: ["node", "deno", "bun"],
  grammar: {
    name: "javascript",
    maker: "2014 Max Brunsfeld",
    sha256: "fc5362de9cacbfd6c6ee11e5bf144c7adbbf26ae3703eaaba916d4b0d78da76f",
  },
  programs: /node|nodejs|deno|bun|tsx/,
  comments: SLASH_COMMENTS,
  literals: [SLASHES, DOUBLE, SINGLE, TEMPLATE, REGULAR_EXPRESSION],
  documentation: { "nodejs.org": ["/api/", "/docs/", "/en/"], "tc39.es": ["/ecma262/"] },
  family: "javascript",
  libraries: {
    environment,
    raises: /\bthrow\s+(?:new\s+)?[\w.]+\s*\(/g,
    routes: [
      /\b(?:app|r|router|server|api|fastify|\w+Router|\w+App)\.(get|post|put|patch|delete|head|options|all|route)\s*\((?=\s*["'`]\/?\u0001)/g,
      /\b(?:new\s+(?:Hono|Elysia|Router)(?:<[^<>()]*>)?\s*\([^()]*\)\s*)\.(get|post|put|patch|delete)\s*\(/g,
      /\b(?:app|server|fastify)\.route\s*\(\s*\{/g,
    ],
    relativeRoutes: [/@(Get|Post|Put|Patch|Delete)\s*\(/g],
    routePrefixes: [/@Controller\s*\(/g, /\bnew\s+(?:Router|KoaRouter)\s*\(/g],
  },
  samples: { imports: readJavaScriptImports, notation: "name: type" },
  merging,
  declare,
};

export const typescript: ParsedLanguage = {
  ...javascript,
  name: "typescript",
  extensions: ["ts", "mts", "cts"],
  interpreters: [],
  documentation: { "www.typescriptlang.org": ["/docs/"] },
  grammar: {
    name: "typescript",
    maker: "2017 Max Brunsfeld",
    sha256: "78a2710a7d0f60a8c9ab92cc6e961f76cf80b3d69690140eeca8a29eba9185db",
  },
};

export const tsx: ParsedLanguage = {
  ...javascript,
  name: "tsx",
  extensions: ["tsx"],
  interpreters: [],
  // Components answer no paths, and documents do not quote their errors.
  libraries: { environment },
  grammar: {
    name: "tsx",
    maker: "2017 Max Brunsfeld",
    sha256: "36d947d9f19043c1108f3f8f5cfa82c25ffd681694e76a164d8b35022ded1d40",
  },
};

function declare(root: Node, file: SourceFile): void {
  const statements = root.namedChildren;
  const exports = findExports(statements, file);
  const otherwise: Visibility = exports ? "private" : "unknown";
  eachWithLead(file, statements, leading, (node, lead) =>
    declareStatement(node, lead, {
      file,
      visibilityOf: (name) => {
        const outside = exports?.get(name);
        if (outside === undefined) return { visibility: otherwise };
        return { visibility: "public", exportedAs: outside === name ? undefined : outside };
      },
    }),
  );
}

/** The visibility of a name of the file, and the name it has outside. */
type VisibilityOf = (name: string) => Pick<Common, "visibility" | "exportedAs">;

/** `exported` is how visible `export` makes a name: within a namespace, as visible as the namespace. */
type StatementScope = {
  readonly file: SourceFile;
  readonly visibilityOf: VisibilityOf;
  readonly exported?: Visibility;
};

function declareStatement(node: Node, lead: Lead, scope: StatementScope): void {
  const { file, exported = "public" } = scope;
  switch (node.type) {
    case "export_statement": {
      const inner = withoutAmbient(node.childForFieldName("declaration"));
      const value = node.childForFieldName("value");
      const held = { ...lead, own: keywordStart(node, /^(?:decorator|comment)$/) };
      const exportedAs = node.children.some(({ type }) => type === "default") ? "default" : undefined;
      const visibilityOf = () => ({ visibility: exported, exportedAs });
      if (inner) declareItem(inner, { whole: node, lead: held }, { file, visibilityOf });
      else if (value) declareDefault(node, value, held, file);
      return;
    }
    case "ambient_declaration": {
      const inner = withoutAmbient(node);
      if (inner) declareItem(inner, { whole: node, lead }, scope);
      return;
    }
    case "expression_statement":
      declareExpression(node, lead, scope);
      return;
    default:
      declareItem(node, { whole: node, lead }, scope);
  }
}

/** What `declare` says of something that is written elsewhere. */
function withoutAmbient(node: Node | null): Node | null | undefined {
  return node?.type === "ambient_declaration"
    ? node.namedChildren.find(({ type }) => type !== "decorator")
    : node;
}

function declareItem(node: Node, held: LedNode, scope: StatementScope): void {
  const { file, visibilityOf } = scope;
  if (node.type === "lexical_declaration" || node.type === "variable_declaration") {
    declareVariables(node, held, scope);
    return;
  }
  const name = node.childForFieldName("name");
  const body = node.childForFieldName("body");
  if (!name) return;
  const common = { ...held, ...visibilityOf(file.textOf(name)) };
  const { visibility } = common;
  switch (node.type) {
    case "function_declaration":
    case "generator_function_declaration":
    case "function_signature":
      declareFunction({ kind: "function", node, name }, common, file);
      return;
    case "class_declaration":
    case "abstract_class_declaration":
      declareClass(node, name, common, file);
      return;
    case "interface_declaration":
      file.declare({ kind: "interface", name, ...common, body }, () =>
        declareMembers(body, file, visibility),
      );
      return;
    case "type_alias_declaration":
      declareAlias(node, name, common, file);
      return;
    case "enum_declaration":
      file.declare({ kind: "enum", name, ...common, body }, () => declareEnum(body, file, visibility));
      return;
    case "internal_module":
    case "module":
      declareNamespace(name, body, common, file);
  }
}

function declareAlias(node: Node, name: Node, common: Common, file: SourceFile): void {
  const value = node.childForFieldName("value");
  const body = value?.type === "object_type" ? value : null;
  file.declare({ kind: "type", name, ...common, body, value }, () => {
    if (value) declareTypeMembers(value, file, common.visibility);
  });
}

function declareNamespace(name: Node, body: Node | null, common: Common, file: SourceFile): void {
  const { visibility, whole } = common;
  // What is only declared exports every name of a namespace.
  const otherwise = whole.type === "ambient_declaration" ? visibility : "private";
  const label = insideQuotes(file.text, name.startIndex, name.endIndex);
  const named =
    name.type === "string" ? { text: file.text.slice(label.start, label.end), region: label } : name;
  file.declare({ kind: "module", name: named, ...common, body }, () =>
    eachWithLead(file, body?.namedChildren ?? [], leading, (node, lead) =>
      declareStatement(node, lead, {
        file,
        visibilityOf: () => ({ visibility: otherwise }),
        exported: visibility,
      }),
    ),
  );
}

function declareVariables(
  node: Node,
  { whole, lead }: LedNode,
  { file, visibilityOf }: StatementScope,
): void {
  const constant = file.text.startsWith("const", node.startIndex);
  const declarators = node.namedChildren.filter(({ type }) => type === "variable_declarator");
  for (const declarator of declarators) {
    const name = declarator.childForFieldName("name");
    const value = declarator.childForFieldName("value");
    if (!name) continue;
    const alone = declarators.length === 1;
    const common = {
      whole: alone ? whole : declarator,
      lead: alone ? lead : { start: declarator.startIndex },
      ...visibilityOf(file.textOf(name)),
    };
    if (name.type !== "identifier") declarePattern(name, common, file, visibilityOf);
    else if (value && isFunction(value))
      declareFunction({ kind: "function", node: value, name }, common, file);
    else {
      const type = afterColon(file, declarator.childForFieldName("type")) ?? null;
      file.declare({ kind: constant ? "constant" : "variable", name, ...common, value, type }, () => {
        if (value) declareValueMembers(value, file, common.visibility);
      });
    }
  }
}

function declarePattern(pattern: Node, common: Common, file: SourceFile, visibilityOf: VisibilityOf): void {
  for (const { name, value } of findPatternNames(pattern))
    file.declare({ kind: "variable", name, ...common, ...visibilityOf(file.textOf(name)), value });
}

function declareDefault(node: Node, value: Node, lead: Lead, file: SourceFile): void {
  const name = value.childForFieldName("name") ?? { text: "default", region: defaultKeyword(node, file) };
  const common = { whole: node, lead, visibility: "public" as const, exportedAs: "default" };
  if (isFunction(value)) declareFunction({ kind: "function", node: value, name }, common, file);
  else if (value.type === "class") declareClass(value, name, common, file);
  else if (value.type !== "identifier")
    file.declare({ kind: "constant", name, ...common, value }, () =>
      declareValueMembers(value, file, "public"),
    );
}

function defaultKeyword(node: Node, file: SourceFile): { start: number; end: number } {
  const keyword = node.children.find((child) => file.textOf(child) === "default") ?? node;
  return regionOf(keyword);
}

/** CommonJS exports, methods put on a prototype, and namespaces, which are expressions to the grammar. */
function declareExpression(node: Node, lead: Lead, scope: StatementScope): void {
  const { file, visibilityOf } = scope;
  const inner = node.namedChildren[0];
  if (inner?.type === "internal_module") {
    declareItem(inner, { whole: node, lead }, scope);
    return;
  }
  const exported = commonJsExport(node, file);
  if (exported?.name === "") {
    const name = exported.value.childForFieldName("name");
    const common = { whole: node, lead, visibility: "public" as const };
    if (isFunction(exported.value))
      declareFunction({ kind: "function", node: exported.value, name: name ?? exported.left }, common, file);
    else if (exported.value.type === "object") declareExported(exported.value, file);
    else if (exported.value.type === "class" && name) declareClass(exported.value, name, common, file);
    return;
  }
  const left = inner?.type === "assignment_expression" ? inner.childForFieldName("left") : null;
  const value = inner?.childForFieldName("right");
  const property = left?.type === "member_expression" ? left.childForFieldName("property") : null;
  if (!left || !value || !property) return;
  const holder = /^([\w$]+)\s*\.\s*(?:prototype\s*\.\s*)?[\w$]+$/.exec(file.textOf(left))?.[1];
  if (!exported && (!holder || holder === "this")) return;
  const common = exported
    ? { whole: node, lead, visibility: "public" as const }
    : { whole: node, lead, visibility: visibilityOf(holder!).visibility, under: [holder!] };
  if (isFunction(value))
    declareFunction({ kind: exported ? "function" : "method", node: value, name: property }, common, file);
  else if (exported)
    file.declare({ kind: "constant", name: property, ...common, value }, () =>
      declareValueMembers(value, file, "public"),
    );
}

/** The members that `module.exports = { … }` declares. A bare name in it is declared elsewhere. */
function declareExported(object: Node, file: SourceFile): void {
  eachWithLead(file, object.namedChildren, leading, (node, lead) => {
    if (node.type !== "shorthand_property_identifier") declareProperty(node, lead, file, "public");
  });
}
