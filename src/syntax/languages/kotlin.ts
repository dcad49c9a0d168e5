import { defined } from "../../text/model/defined.ts";
import type { Parameter } from "../source/declaration.ts";
import { readPackageImports } from "../source/imports.ts";
import type { Node } from "../source/tree.ts";
import { SLASH_COMMENTS } from "./comments.ts";
import {
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
import { JVM_PATTERNS } from "./library-patterns.ts";
import { C_LITERALS } from "./literals.ts";

export const kotlin: ParsedLanguage = {
  name: "kotlin",
  extensions: ["kt", "kts"],
  grammar: {
    name: "kotlin",
    maker: "2024 Amaan Qureshi",
    sha256: "7009d69453bc8735e438b2818a633efb21c88f99782769abba60dffedfab73f7",
    installedAt: "@tree-sitter-grammars/tree-sitter-kotlin/tree-sitter-kotlin.wasm",
  },
  programs: /kotlin/,
  comments: SLASH_COMMENTS,
  literals: C_LITERALS,
  classFiles: ["kt"],
  documentation: { "kotlinlang.org": ["/docs/"] },
  family: "jvm",
  libraries: {
    ...JVM_PATTERNS,
    raises: /\bthrow\s+[\w.]+\s*\(/g,
    routes: [...JVM_PATTERNS.routes, /(?<![\w.])(get|post|put|patch|delete)\s*\((?=\s*"\u0001+"\s*\)\s*\{)/g],
  },
  samples: {
    imports: readPackageImports,
    namesArguments: true,
    moduleWord: "package",
    writesModules: true,
    notation: "name: type",
  },
  merging: {
    members: {
      source_file: [
        "import import_header",
        "class_declaration function_declaration object_declaration property_declaration",
      ],
      import_list: ["import_header"],
      class_body: [
        "class_declaration function_declaration object_declaration property_declaration companion_object",
      ],
    },
  },
  overloads: true,
  declare,
};

const leading: Leading = {
  comment: ({ type }) => type === "block_comment" || type === "line_comment",
  isDoc: (words) => words.startsWith("/**"),
  // The grammar reads `@Name("…")` on a line of its own, in some files, as an expression in parentheses.
  attribute: ({ type, namedChildren }) =>
    type === "annotated_expression" && namedChildren[1]?.type === "parenthesized_expression",
};

function declare(root: Node, file: SourceFile): void {
  declareBody(root, file, "public", 0);
}

function declareBody(body: Node | undefined, file: SourceFile, holder: Visibility, depth: number): void {
  if (!body || depth > DEEPEST_HOLDER) return;
  eachWithLead(file, body.namedChildren, leading, (node, lead) =>
    declareNode(node, lead, { file, holder, depth }),
  );
}

function declareNode(node: Node, lead: Lead, scope: DeclarationScope): void {
  const { file, holder, depth } = scope;
  const visibility = visibilityOf(node, file, holder);
  const common = { whole: node, lead: { ...lead, own: keywordStart(node, /annotation$/) }, visibility };
  if (node.type === "class_declaration" || node.type === "object_declaration")
    declareClass(node, common, file, depth);
  // The members of a companion are used as the class's own.
  else if (node.type === "companion_object")
    declareBody(child(node, "class_body"), file, visibility, depth + 1);
  else if (node.type === "function_declaration") declareFunction(node, common, file);
  else if (node.type === "property_declaration") declareProperty(node, common, file);
  else if (node.type === "type_alias") {
    const name = node.childForFieldName("type") ?? child(node, "identifier");
    if (name) file.declare({ kind: "type", name, ...common, value: node.namedChildren.at(-1) ?? null });
  } else if (node.type === "enum_entry") declareEntry(node, common, file);
}

function declareEntry(node: Node, common: Common, file: SourceFile): void {
  const name = child(node, "identifier");
  const value = child(node, "value_arguments");
  const signatureEnd = (value ?? name)?.endIndex;
  if (name)
    file.declare({
      kind: "member",
      name,
      ...common,
      value: value ?? null,
      ...defined({ signatureEnd: signatureEnd || undefined }),
    });
}

function child(node: Node, type: string): Node | undefined {
  return node.namedChildren.find((each) => each.type === type);
}

function visibilityOf(node: Node, file: SourceFile, holder: Visibility): Visibility {
  const modifiers = child(node, "modifiers");
  const words = modifiers ? file.textOf(modifiers) : "";
  if (/\b(?:private|internal)\b/.test(words)) return "private";
  return /\bprotected\b/.test(words) ? "unknown" : holder;
}

function declareClass(node: Node, common: Common, file: SourceFile, depth: number): void {
  const name = node.childForFieldName("name") ?? child(node, "identifier");
  if (!name) return;
  const body = child(node, "class_body") ?? child(node, "enum_class_body");
  const primary = child(node, "primary_constructor");
  const list = primary && child(primary, "class_parameters");
  const kind = kindOf(node, body, file);
  const parameters = findParameters(list, file);
  file.declare(
    { kind, name, ...common, ...defined({ body, parameters: list ? parameters : undefined }) },
    () => {
      for (const parameter of list?.namedChildren ?? [])
        declareParameterProperty(parameter, file, common.visibility);
      declareBody(body, file, common.visibility, depth + 1);
    },
  );
}

function kindOf(
  node: Node,
  body: Node | undefined,
  file: SourceFile,
): "class" | "interface" | "enum" | "module" {
  if (node.type === "object_declaration") return "module";
  if (body?.type === "enum_class_body") return "enum";
  const keyword = node.children.find(({ type }) => type === "class" || type === "interface");
  return keyword && file.textOf(keyword) === "interface" ? "interface" : "class";
}

/** `class Foo(val port: Int = 80)` declares a property too. */
function declareParameterProperty(parameter: Node, file: SourceFile, holder: Visibility): void {
  const name = parameter.type === "class_parameter" ? child(parameter, "identifier") : undefined;
  if (!name || !parameter.children.some(({ type }) => type === "val" || type === "var")) return;
  const { type, value } = typeAndValue(parameter, name, file);
  file.declare({
    kind: "property",
    name,
    whole: parameter,
    visibility: visibilityOf(parameter, file, holder),
    type,
    value,
  });
}

function declareFunction(node: Node, common: Common, file: SourceFile): void {
  const name = node.childForFieldName("name");
  if (!name) return;
  const list = child(node, "function_value_parameters");
  const body = child(node, "function_body");
  const after = node.namedChildren.filter(
    (each) => list && each.startIndex >= list.endIndex && each !== body,
  );
  const returns = after.find(({ type }) => /_type$/.test(type)) ?? null;
  const kind = file.depth() === 0 ? "function" : "method";
  file.declare({
    kind,
    name,
    ...common,
    ...defined({ body }),
    parameters: findParameters(list, file),
    returns,
  });
}

function declareProperty(node: Node, common: Common, file: SourceFile): void {
  const variable = child(node, "variable_declaration");
  const name = variable && child(variable, "identifier");
  if (!name) return;
  const modifiers = child(node, "modifiers");
  const constant = modifiers ? /\bconst\b/.test(file.textOf(modifiers)) : false;
  const after = node.namedChildren.filter((each) => each.startIndex >= variable.endIndex);
  const value =
    after.find(
      ({ type }) => !/^(?:getter|setter|type_constraints|property_delegate|.*comment)$/.test(type),
    ) ?? null;
  const type = variable.namedChildren.find((each) => each !== name && /type$/.test(each.type)) ?? null;
  const kind = constant ? "constant" : file.depth() === 0 ? "variable" : "property";
  const signatureEnd = value?.endIndex ?? child(node, "property_delegate")?.endIndex ?? variable.endIndex;
  file.declare({ kind, name, ...common, type, value, signatureEnd });
}

/** In the grammar, the default of a parameter is its sibling, after an equals sign. */
function findParameters(list: Node | undefined, file: SourceFile): Parameter[] {
  const parameters: Parameter[] = [];
  let rest = false;
  for (const node of list?.namedChildren ?? []) {
    const name = /^(?:class_)?parameter$/.test(node.type) ? child(node, "identifier") : undefined;
    if (name) {
      const { type, value } = typeAndValue(node, name, file);
      const isRest = rest || /^vararg\b/.test(file.textOf(node));
      parameters.push(file.parameter(node, { name, type, value, rest: isRest }));
      rest = false;
    } else if (node.type === "parameter_modifiers") rest = file.textOf(node).includes("vararg");
    else if (!leading.comment(node) && parameters.length > 0) {
      const last = parameters.pop()!;
      parameters.push({
        ...last,
        region: { start: last.region.start, end: node.endIndex },
        default: file.textOf(node),
        optional: true,
      });
    }
  }
  return parameters;
}

function typeAndValue(
  node: Node,
  name: Node,
  file: SourceFile,
): { readonly type: Node | null; readonly value: Node | null } {
  const after = node.namedChildren.filter(
    (each) => each.startIndex >= name.endIndex && !leading.comment(each),
  );
  const type = after[0] ?? null;
  const equals = type && /=/.test(file.text.slice(type.endIndex, after[1]?.startIndex ?? type.endIndex));
  return { type, value: equals ? (after[1] ?? null) : null };
}
