import type { Parameter } from "../declaration.ts";
import type { Node } from "../tree.ts";
import {
  afterColon,
  DEEPEST_HOLDER,
  type Declared,
  eachWithLead,
  insideQuotes,
  keywordStart,
  type Language,
  type Lead,
  type Leading,
  type SourceFile,
  type Visibility,
} from "./language.ts";

export const javascript: Language = {
  name: "javascript",
  grammar: "javascript",
  strings: ["string", "template_string"],
  declare,
};
export const typescript: Language = { ...javascript, name: "typescript", grammar: "typescript" };
export const tsx: Language = { ...javascript, name: "tsx", grammar: "tsx" };

const leading: Leading = {
  comment: ({ type }) => type === "comment",
  isDoc: (words) => words.startsWith("/**"),
  attribute: ({ type }) => type === "decorator",
};

/** Names the file offers to others, by the names they have inside it; `undefined` when it exports nothing at all. */
type Exports = ReadonlyMap<string, string> | undefined;

function declare(root: Node, file: SourceFile): void {
  const statements = root.namedChildren;
  const exports = findExports(statements, file);
  const otherwise: Visibility = exports ? "private" : "unknown";
  eachWithLead(file, statements, leading, (node, lead) =>
    declareStatement(node, lead, file, (name) => (exports?.has(name) ? "public" : otherwise)),
  );
}

function findExports(statements: readonly Node[], file: SourceFile): Exports {
  const exports = new Map<string, string>();
  let any = false;
  for (const statement of statements) {
    if (statement.type === "export_statement") {
      any = true;
      for (const clause of statement.namedChildren) {
        if (clause.type === "identifier") exports.set(file.words(clause), "default");
        if (clause.type !== "export_clause" || statement.childForFieldName("source")) continue;
        for (const specifier of clause.namedChildren) {
          const name = specifier.childForFieldName("name");
          if (name) exports.set(file.words(name), file.words(specifier.childForFieldName("alias") ?? name));
        }
      }
    } else if (statement.type === "expression_statement") {
      const exported = commonJsExport(statement, file);
      if (!exported) continue;
      any = true;
      if (exported.name === "" && exported.value.type === "identifier")
        exports.set(file.words(exported.value), "default");
      if (exported.value.type === "object")
        for (const member of exported.value.namedChildren)
          if (member.type === "shorthand_property_identifier")
            exports.set(file.words(member), file.words(member));
    }
  }
  return any ? exports : undefined;
}

/** `module.exports = value` with an empty name; `exports.name = value` and `module.exports.name = value` with theirs. */
function commonJsExport(
  statement: Node,
  file: SourceFile,
): { readonly name: string; readonly value: Node; readonly left: Node } | undefined {
  const assignment = statement.namedChildren[0];
  if (assignment?.type !== "assignment_expression") return undefined;
  const left = assignment.childForFieldName("left");
  const value = assignment.childForFieldName("right");
  if (!left || !value || left.type !== "member_expression") return undefined;
  const target = /^(?:module\s*\.\s*exports|exports)(?:\s*\.\s*([\w$]+))?$/.exec(file.words(left));
  if (!target || (target[1] === undefined && !file.words(left).startsWith("module"))) return undefined;
  return { name: target[1] ?? "", value, left };
}

type See = (name: string) => Visibility;

/** `exported` is how visible `export` makes a name: within a namespace, as visible as the namespace. */
function declareStatement(
  node: Node,
  lead: Lead,
  file: SourceFile,
  see: See,
  exported: Visibility = "public",
): void {
  switch (node.type) {
    case "export_statement": {
      const inner = node.childForFieldName("declaration");
      const value = node.childForFieldName("value");
      const held = { ...lead, own: keywordStart(node, /^(?:decorator|comment)$/) };
      if (inner) declareItem(inner, node, held, file, () => exported);
      else if (value) declareDefault(node, value, held, file);
      return;
    }
    case "ambient_declaration": {
      const inner = node.namedChildren.find(({ type }) => type !== "decorator");
      if (inner) declareItem(inner, node, lead, file, see);
      return;
    }
    case "expression_statement":
      declareExpression(node, lead, file, see);
      return;
    default:
      declareItem(node, node, lead, file, see);
  }
}

function declareItem(node: Node, whole: Node, lead: Lead, file: SourceFile, see: See): void {
  const name = node.childForFieldName("name");
  const body = node.childForFieldName("body");
  const visibility = name ? see(file.words(name)) : see("");
  switch (node.type) {
    case "function_declaration":
    case "generator_function_declaration":
    case "function_signature":
      if (name) declareFunction("function", node, name, { whole, lead, visibility }, file);
      return;
    case "class_declaration":
    case "abstract_class_declaration":
    case "class":
      if (name)
        file.declare({ kind: "class", name, whole, lead, body, visibility }, () =>
          declareMembers(body, file, visibility),
        );
      return;
    case "interface_declaration":
      if (name)
        file.declare({ kind: "interface", name, whole, lead, body, visibility }, () =>
          declareMembers(body, file, visibility),
        );
      return;
    case "type_alias_declaration":
      if (name) declareAlias(node, name, { whole, lead, visibility }, file);
      return;
    case "enum_declaration":
      if (name)
        file.declare({ kind: "enum", name, whole, lead, body, visibility }, () =>
          declareEnum(body, file, visibility),
        );
      return;
    case "internal_module":
    case "module":
      if (name) declareNamespace(name, body, { whole, lead, visibility }, file);
      return;
    case "lexical_declaration":
    case "variable_declaration":
      declareVariables(node, whole, lead, file, see);
  }
}

type Common = Pick<Declared, "whole" | "visibility" | "under"> & { readonly lead: Lead };

function declareFunction(
  kind: "function" | "method",
  node: Node,
  name: Node | Declared["name"],
  common: Common,
  file: SourceFile,
): void {
  const parameters = node.childForFieldName("parameters");
  const body = node.childForFieldName("body");
  file.declare(
    {
      kind,
      name,
      ...common,
      body,
      parameters: parameters ? findParameters(parameters, file) : soleParameter(node, file),
      returns: afterColon(file, node.childForFieldName("return_type")) ?? null,
    },
    () => {
      if (parameters) declareDestructured(parameters, file, common.visibility);
      if (body?.type === "statement_block") declareInner(body, file);
    },
  );
}

/** `x => …` has no list of parameters. */
function soleParameter(node: Node, file: SourceFile): Parameter[] {
  const parameter = node.childForFieldName("parameter");
  return parameter ? [{ name: file.words(parameter), region: place(parameter) }] : [];
}

/** Functions and classes written inside a function: reachable by name for an edit, never public. */
function declareInner(body: Node, file: SourceFile): void {
  eachWithLead(file, body.namedChildren, leading, (node, lead) => {
    if (/^(?:generator_)?function_declaration$|^class_declaration$/.test(node.type))
      declareItem(node, node, lead, file, () => "private");
  });
}

function declareMembers(body: Node | null, file: SourceFile, holder: Visibility): void {
  if (!body) return;
  eachWithLead(file, body.namedChildren, leading, (node, lead) => {
    const name = nameOfMember(node, file);
    if (!name) return;
    const common = { whole: node, lead, visibility: memberVisibility(node, name.text, holder, file) };
    if (/^(?:abstract_)?method_(?:definition|signature)$/.test(node.type)) {
      declareFunction("method", node, name, common, file);
      if (name.text === "constructor") declareParameterProperties(node, file, holder);
    } else if (/^(?:public_)?field_definition$|^property_signature$/.test(node.type))
      declareField(node, name, common, file);
  });
}

function nameOfMember(
  node: Node,
  file: SourceFile,
): { readonly text: string; readonly region: { start: number; end: number } } | undefined {
  const name =
    node.childForFieldName("name") ?? node.childForFieldName("property") ?? node.childForFieldName("key");
  if (!name) return undefined;
  const region =
    name.type === "string" ? insideQuotes(file.text, name.startIndex, name.endIndex) : place(name);
  return { text: file.text.slice(region.start, region.end), region };
}

function memberVisibility(node: Node, name: string, holder: Visibility, file: SourceFile): Visibility {
  if (name.startsWith("#")) return "private";
  const modifier = node.namedChildren.find(({ type }) => type === "accessibility_modifier");
  if (!modifier || file.words(modifier) === "public") return holder;
  return file.words(modifier) === "private" ? "private" : "unknown";
}

function declareField(node: Node, name: Declared["name"], common: Common, file: SourceFile): void {
  const value = node.childForFieldName("value");
  const type = node.childForFieldName("type");
  if (value && isFunction(value)) {
    declareFunction("method", value, name, common, file);
    return;
  }
  file.declare({ kind: "property", name, ...common, value, type: afterColon(file, type) ?? null }, () => {
    if (type) declareTypeMembers(type.namedChildren[0] ?? type, file, common.visibility);
    if (value) declareValueMembers(value, file, common.visibility);
  });
}

/** `constructor(private readonly port = 80)` declares a property too. */
function declareParameterProperties(node: Node, file: SourceFile, holder: Visibility): void {
  for (const parameter of node.childForFieldName("parameters")?.namedChildren ?? []) {
    const modified = /^(?:(?:public|private|protected|readonly|override)\s+)+/.exec(file.words(parameter));
    const name = parameter.childForFieldName("pattern");
    if (!modified || name?.type !== "identifier") continue;
    const visibility = /private/.test(modified[0])
      ? "private"
      : /protected/.test(modified[0])
        ? "unknown"
        : holder;
    file.declare({
      kind: "property",
      name,
      whole: parameter,
      visibility,
      type: afterColon(file, parameter.childForFieldName("type")) ?? null,
      value: parameter.childForFieldName("value"),
    });
  }
}

function declareAlias(node: Node, name: Node, common: Common, file: SourceFile): void {
  const value = node.childForFieldName("value");
  const body = value?.type === "object_type" ? value : null;
  file.declare({ kind: "type", name, ...common, body, value }, () => {
    if (value) declareTypeMembers(value, file, common.visibility);
  });
}

/** The properties of an object type, the literals of a union, through intersections and parentheses. */
function declareTypeMembers(type: Node, file: SourceFile, visibility: Visibility, depth = 0): void {
  if (depth > DEEPEST_HOLDER) return;
  if (type.type === "object_type") declareMembers(type, file, visibility);
  else if (type.type === "literal_type") declareLiteral(type.namedChildren[0], type, file, visibility);
  else if (/^(?:union_type|intersection_type|parenthesized_type|readonly_type|array_type)$/.test(type.type))
    for (const part of unionParts(type)) declareTypeMembers(part, file, visibility, depth + 1);
}

// A union of many members nests one deep per member; a loop instead of recursion keeps the stack flat.
function unionParts(type: Node): Node[] {
  if (type.type !== "union_type") return type.namedChildren.filter((part) => part.type !== "comment");
  const parts: Node[] = [];
  let rest: Node | undefined = type;
  while (rest?.type === "union_type") {
    const children: Node[] = rest.namedChildren.filter((part) => part.type !== "comment");
    rest = children[0]?.type === "union_type" ? children.shift() : undefined;
    parts.push(...children.reverse());
  }
  return parts.reverse();
}

function declareLiteral(
  literal: Node | undefined,
  whole: Node,
  file: SourceFile,
  visibility: Visibility,
): void {
  if (literal?.type !== "string") return;
  const region = insideQuotes(file.text, literal.startIndex, literal.endIndex);
  const text = file.text.slice(region.start, region.end);
  file.declare({ kind: "member", name: { text, region }, whole, visibility, value: literal });
}

function declareEnum(body: Node | null, file: SourceFile, visibility: Visibility): void {
  eachWithLead(file, body?.namedChildren ?? [], leading, (node, lead) => {
    const assigned = node.type === "enum_assignment";
    const name = assigned ? nameOfMember(node, file) : node;
    if (name)
      file.declare({
        kind: "member",
        name,
        whole: node,
        lead,
        visibility,
        value: assigned ? node.childForFieldName("value") : null,
      });
  });
}

function declareNamespace(name: Node, body: Node | null, common: Common, file: SourceFile): void {
  const { visibility } = common;
  const label = insideQuotes(file.text, name.startIndex, name.endIndex);
  const named =
    name.type === "string" ? { text: file.text.slice(label.start, label.end), region: label } : name;
  file.declare({ kind: "module", name: named, ...common, body }, () =>
    eachWithLead(file, body?.namedChildren ?? [], leading, (node, lead) =>
      declareStatement(node, lead, file, () => "private", visibility),
    ),
  );
}

function declareVariables(node: Node, whole: Node, lead: Lead, file: SourceFile, see: See): void {
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
      visibility: see(file.words(name)),
    };
    if (name.type !== "identifier") declarePattern(name, common, file, see);
    else if (value && isFunction(value)) declareFunction("function", value, name, common, file);
    else {
      const type = afterColon(file, declarator.childForFieldName("type")) ?? null;
      file.declare({ kind: constant ? "constant" : "variable", name, ...common, value, type }, () => {
        if (value) declareValueMembers(value, file, common.visibility);
      });
    }
  }
}

function declarePattern(pattern: Node, common: Common, file: SourceFile, see: See): void {
  for (const { name, value } of findPatternNames(pattern))
    file.declare({ kind: "variable", name, ...common, visibility: see(file.words(name)), value });
}

function declareDefault(node: Node, value: Node, lead: Lead, file: SourceFile): void {
  const name = value.childForFieldName("name") ?? { text: "default", region: defaultKeyword(node, file) };
  const common = { whole: node, lead, visibility: "public" as const };
  if (isFunction(value)) declareFunction("function", value, name, common, file);
  else if (value.type === "class") {
    const body = value.childForFieldName("body");
    file.declare({ kind: "class", name, ...common, body }, () => declareMembers(body, file, "public"));
  } else if (value.type !== "identifier")
    file.declare({ kind: "constant", name, ...common, value }, () =>
      declareValueMembers(value, file, "public"),
    );
}

function defaultKeyword(node: Node, file: SourceFile): { start: number; end: number } {
  const keyword = node.children.find((child) => file.words(child) === "default") ?? node;
  return place(keyword);
}

/** CommonJS exports, methods put on a prototype, and namespaces, which are expressions to the grammar. */
function declareExpression(node: Node, lead: Lead, file: SourceFile, see: See): void {
  const inner = node.namedChildren[0];
  if (inner?.type === "internal_module") {
    declareItem(inner, node, lead, file, see);
    return;
  }
  const exported = commonJsExport(node, file);
  if (exported?.name === "") {
    const name = exported.value.childForFieldName("name");
    const common = { whole: node, lead, visibility: "public" as const };
    if (isFunction(exported.value))
      declareFunction("function", exported.value, name ?? exported.left, common, file);
    else if (exported.value.type === "object") declareExported(exported.value, file);
    else if (exported.value.type === "class" && name) {
      const body = exported.value.childForFieldName("body");
      file.declare({ kind: "class", name, ...common, body }, () => declareMembers(body, file, "public"));
    }
    return;
  }
  const left = inner?.type === "assignment_expression" ? inner.childForFieldName("left") : null;
  const value = inner?.childForFieldName("right");
  const property = left?.type === "member_expression" ? left.childForFieldName("property") : null;
  if (!left || !value || !property) return;
  const holder = /^([\w$]+)\s*\.\s*(?:prototype\s*\.\s*)?[\w$]+$/.exec(file.words(left))?.[1];
  if (!exported && (!holder || holder === "this")) return;
  const common = exported
    ? { whole: node, lead, visibility: "public" as const }
    : { whole: node, lead, visibility: see(holder!), under: [holder!] };
  if (isFunction(value)) declareFunction(exported ? "function" : "method", value, property, common, file);
  else if (exported)
    file.declare({ kind: "constant", name: property, ...common, value }, () =>
      declareValueMembers(value, file, "public"),
    );
}

/** What `module.exports = { … }` makes itself; a bare name in it is declared elsewhere. */
function declareExported(object: Node, file: SourceFile): void {
  eachWithLead(file, object.namedChildren, leading, (node, lead) => {
    if (node.type !== "shorthand_property_identifier") declareProperty(node, lead, file, "public");
  });
}

/** The properties of an object literal and the strings of an array, also behind `as const` and as a call's argument. */
function declareValueMembers(value: Node, file: SourceFile, visibility: Visibility, depth = 0): void {
  if (depth > DEEPEST_HOLDER) return;
  switch (value.type) {
    case "as_expression":
    case "satisfies_expression":
    case "parenthesized_expression":
    case "await_expression":
      if (value.namedChildren[0]) declareValueMembers(value.namedChildren[0], file, visibility, depth + 1);
      return;
    case "call_expression":
    case "new_expression":
      for (const argument of value.childForFieldName("arguments")?.namedChildren ?? [])
        if (argument.type === "object" || argument.type === "array")
          declareValueMembers(argument, file, visibility, depth + 1);
      return;
    case "array":
      for (const item of value.namedChildren) declareLiteral(item, item, file, visibility);
      return;
    case "object":
      eachWithLead(file, value.namedChildren, leading, (node, lead) =>
        declareProperty(node, lead, file, visibility),
      );
  }
}

function declareProperty(node: Node, lead: Lead, file: SourceFile, visibility: Visibility): void {
  const name = nameOfMember(node, file);
  const common = { whole: node, lead, visibility };
  if (node.type === "shorthand_property_identifier")
    file.declare({ kind: "property", name: node, ...common });
  else if (!name) return;
  else if (node.type === "method_definition") declareFunction("method", node, name, common, file);
  else if (node.type === "pair") declareField(node, name, common, file);
}

function isFunction({ type }: Node): boolean {
  return (
    type === "arrow_function" ||
    type === "function_expression" ||
    type === "function" ||
    type === "generator_function"
  );
}

function findParameters(list: Node, file: SourceFile): Parameter[] {
  return list.namedChildren.flatMap((node) => (node.type === "comment" ? [] : [parameterOf(node, file)]));
}

function parameterOf(node: Node, file: SourceFile): Parameter {
  const assigned = node.type === "assignment_pattern";
  const pattern = (assigned ? node.childForFieldName("left") : node.childForFieldName("pattern")) ?? node;
  const value = node.childForFieldName(assigned ? "right" : "value");
  const type = afterColon(file, node.childForFieldName("type"));
  const rest = pattern.type === "rest_pattern";
  const named = rest ? (pattern.namedChildren[0] ?? pattern) : pattern;
  return {
    name: file.words(named),
    region: place(node),
    ...(type !== undefined && { type }),
    ...(value && { default: file.words(value) }),
    ...((node.type === "optional_parameter" || value) && { optional: true }),
    ...(rest && { rest: true }),
  };
}

/** `{ retries = 3 }` among the parameters documents an option and its default. */
function declareDestructured(list: Node, file: SourceFile, visibility: Visibility): void {
  for (const node of list.namedChildren) {
    const pattern = node.childForFieldName("pattern") ?? node.childForFieldName("left") ?? node;
    if (pattern.type !== "object_pattern") continue;
    for (const { name, value, whole } of findPatternNames(pattern))
      file.declare({ kind: "property", name, whole, visibility, value });
  }
}

function findPatternNames(
  pattern: Node,
): { readonly name: Node; readonly whole: Node; readonly value: Node | null }[] {
  return pattern.namedChildren.flatMap((node) => {
    switch (node.type) {
      case "identifier":
      case "shorthand_property_identifier_pattern":
        return [{ name: node, whole: node, value: null }];
      case "object_assignment_pattern":
      case "assignment_pattern": {
        const name = node.childForFieldName("left");
        const named = name && /identifier/.test(name.type);
        return named ? [{ name, whole: node, value: node.childForFieldName("right") }] : [];
      }
      case "pair_pattern": {
        const key = node.childForFieldName("key");
        const value = node.childForFieldName("value");
        const fallback = value?.type === "assignment_pattern" ? value.childForFieldName("right") : null;
        return key?.type === "property_identifier" ? [{ name: key, whole: node, value: fallback }] : [];
      }
      default:
        return [];
    }
  });
}

function place(node: Node): { start: number; end: number } {
  return { start: node.startIndex, end: node.endIndex };
}
