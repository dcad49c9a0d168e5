import type { Node } from "../../source/tree.ts";
import {
  afterColon,
  type Common,
  DEEPEST_HOLDER,
  type DescribedDeclaration,
  eachWithLead,
  insideQuotes,
  type Lead,
  type Leading,
  regionOf,
  type SourceFile,
  type Visibility,
} from "../language.ts";
import { findParameters, findPatternNames, soleParameter } from "./parameters.ts";

export const leading: Leading = {
  comment: ({ type }) => type === "comment",
  isDoc: (words) => words.startsWith("/**"),
  attribute: ({ type }) => type === "decorator",
};

/** A function by the node of its parameters and body, and the name it has where it is declared. */
type NamedFunction = {
  readonly kind: "function" | "method";
  readonly node: Node;
  readonly name: DescribedDeclaration["name"];
};

export function declareFunction({ kind, node, name }: NamedFunction, common: Common, file: SourceFile): void {
  const parameters = node.childForFieldName("parameters");
  const body = node.childForFieldName("body");
  const listed = parameters ? findParameters(parameters, file) : soleParameter(node, file);
  const isOpen = body && node.type !== "arrow_function" && ALL_ARGUMENTS.test(file.textOf(body));
  file.declare(
    {
      kind,
      name,
      ...common,
      body,
      parameters: isOpen ? [...listed, { name: "arguments", region: regionOf(body), rest: true }] : listed,
      returns: afterColon(file, node.childForFieldName("return_type")) ?? null,
    },
    () => {
      if (parameters) declareDestructured(parameters, file, common.visibility);
      if (body?.type === "statement_block") declareInner(body, file);
    },
  );
}

/** A body that reads what callers pass beside the parameters. */
const ALL_ARGUMENTS = /\barguments(?:\[|\.\w|\s*\))/;

/** Functions and classes written inside a function: reachable by name for an edit, never public. */
function declareInner(body: Node, file: SourceFile): void {
  eachWithLead(file, body.namedChildren, leading, (node, lead) => {
    const name = node.childForFieldName("name");
    const common = { whole: node, lead, visibility: "private" as const };
    if (!name) return;
    if (/^(?:generator_)?function_declaration$/.test(node.type))
      declareFunction({ kind: "function", node, name }, common, file);
    else if (node.type === "class_declaration") declareClass(node, name, common, file);
  });
}

export function declareClass(
  node: Node,
  name: DescribedDeclaration["name"],
  common: Common,
  file: SourceFile,
): void {
  const body = node.childForFieldName("body");
  file.declare({ kind: "class", name, ...common, body }, () => declareMembers(body, file, common.visibility));
}

export function declareMembers(body: Node | null, file: SourceFile, holder: Visibility): void {
  if (!body) return;
  eachWithLead(file, body.namedChildren, leading, (node, lead) => {
    const name = nameOfMember(node, file);
    if (!name) return;
    const common = { whole: node, lead, visibility: memberVisibility(node, name.text, holder, file) };
    if (/^(?:abstract_)?method_(?:definition|signature)$/.test(node.type)) {
      declareFunction({ kind: "method", node, name }, common, file);
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
    name.type === "string" ? insideQuotes(file.text, name.startIndex, name.endIndex) : regionOf(name);
  return { text: file.text.slice(region.start, region.end), region };
}

function memberVisibility(node: Node, name: string, holder: Visibility, file: SourceFile): Visibility {
  if (name.startsWith("#")) return "private";
  const modifier = node.namedChildren.find(({ type }) => type === "accessibility_modifier");
  if (!modifier || file.textOf(modifier) === "public") return holder;
  return file.textOf(modifier) === "private" ? "private" : "unknown";
}

function declareField(
  node: Node,
  name: DescribedDeclaration["name"],
  common: Common,
  file: SourceFile,
): void {
  const value = node.childForFieldName("value");
  const type = node.childForFieldName("type");
  if (value && isFunction(value)) {
    declareFunction({ kind: "method", node: value, name }, common, file);
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
    const modified = /^(?:(?:public|private|protected|readonly|override)\s+)+/.exec(file.textOf(parameter));
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

/** The properties of an object type, the literals of a union, through intersections and parentheses. */
export function declareTypeMembers(type: Node, file: SourceFile, visibility: Visibility, depth = 0): void {
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

export function declareEnum(body: Node | null, file: SourceFile, visibility: Visibility): void {
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

/** The properties of an object literal and the strings of an array, also behind `as const` and as a call's argument. */
export function declareValueMembers(value: Node, file: SourceFile, visibility: Visibility, depth = 0): void {
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

export function declareProperty(node: Node, lead: Lead, file: SourceFile, visibility: Visibility): void {
  const name = nameOfMember(node, file);
  const common = { whole: node, lead, visibility };
  if (node.type === "shorthand_property_identifier")
    file.declare({ kind: "property", name: node, ...common });
  else if (!name) return;
  else if (node.type === "method_definition") declareFunction({ kind: "method", node, name }, common, file);
  else if (node.type === "pair") declareField(node, name, common, file);
}

export function isFunction({ type }: Node): boolean {
  return (
    type === "arrow_function" ||
    type === "function_expression" ||
    type === "function" ||
    type === "generator_function"
  );
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
