import type { Region } from "../../text/model/region.ts";
import type { Parameter } from "../source/declaration.ts";
import { readPythonImports } from "../source/imports.ts";
import type { Node } from "../source/tree.ts";
import {
  type DescribedDeclaration,
  eachWithLead,
  insideQuotes,
  type Lead,
  type Leading,
  type LedNode,
  type ParsedLanguage,
  type SourceFile,
  type Visibility,
} from "./language.ts";
import { DOUBLE, SINGLE } from "./literals.ts";

const TRIPLES = /[rRuUbBfF]{0,2}(?:"""[\s\S]*?(?:"""|(?![\s\S]))|'''[\s\S]*?(?:'''|(?![\s\S])))/;

export const python: ParsedLanguage = {
  name: "python",
  extensions: ["py", "pyi", "pyw"],
  fences: ["python3", "py3", "pycon"],
  interpreters: ["python"],
  grammar: {
    name: "python",
    maker: "2016 Max Brunsfeld",
    sha256: "2091d112a2989c54c2157a0a9a62c06d41a5ef3e40fd71f19cde7b4663bdd028",
  },
  programs: /python[0-9.]*|pyw?/,
  comments: { line: ["#"], block: [], doc: [], quotes: ['"', "'"], docstrings: true },
  literals: [TRIPLES, /#[^\n]*/, DOUBLE, SINGLE],
  documentation: { "docs.python.org": ["/"], "packaging.python.org": ["/"], "peps.python.org": ["/"] },
  libraries: {
    environment: {
      calls: [
        /\b(?:os\.)?environ(?:\.(?:get|pop|setdefault)\s*\(|\s*\[)/g,
        /\b(?:os\.)?getenv\s*\(/g,
        /\benv(?:\.(?:str|int|bool|list|get))?\s*\((?=\s*["']\u0001)/g,
        /\b(?:self\.|\w+\.)?environ(?:ment)?\.get\s*\((?=\s*["']\u0001)/g,
        /\bconfig\s*\((?=\s*["']\u0001+["']\s*,\s*(?:default|cast)\b)/g,
      ],
      tested: /["'](\u0001+)["']\s+(?:not\s+)?in\s+(?:os\.)?environ\b/g,
    },
    raises: /\braise\s+[\w.]+\s*\(/g,
    routes: [
      /@(?:\w+\.)+(route|get|post|put|patch|delete|head|options)\s*\(/g,
      /\b(?:Route|Mount|WebSocketRoute|add_url_rule|add_route|add_api_route)\s*\(()/g,
    ],
    relativeRoutes: [/(?<![\w.@])path\s*\((?=\s*["']\u0001*["']\s*,\s*(?!include\b)[\w.]+)/g],
    routePrefixes: [/\b(?:APIRouter|Blueprint)\s*\(/g],
  },
  samples: { imports: readPythonImports, namesArguments: true, notation: "name: type" },
  merging: {
    members: {
      module: [
        "import_statement import_from_statement",
        "function_definition class_definition decorated_definition",
      ],
      block: ["function_definition decorated_definition"],
    },
    lists: {
      import_from_statement: ["dotted_name aliased_import"],
      dictionary: ["pair"],
      argument_list: ["keyword_argument"],
    },
  },
  declare,
  brokenRow: emptyBodyRow,
};

const leading: Leading = {
  comment: ({ type }) => type === "comment",
  isDoc: (words) => words.startsWith("#:"),
};

/** A module or a class while its statements are read; `visibilityOf` says how visible a name in it is. */
type BlockScope = {
  readonly file: SourceFile;
  readonly visibilityOf: (name: string) => Visibility;
  readonly within: "module" | "class" | "enum";
  readonly depth: number;
};

function declare(root: Node, file: SourceFile): void {
  const listed = findListed(root, file);
  const visibilityOf = (name: string): Visibility => {
    if (!listed) return byUnderscore(name, "public");
    return listed.has(name) ? "public" : "private";
  };
  declareBlock(root, { file, visibilityOf, within: "module", depth: 0 });
}

/** The names in `__all__`, where the module has one. */
function findListed(root: Node, file: SourceFile): ReadonlySet<string> | undefined {
  let listed: Set<string> | undefined;
  for (const statement of root.namedChildren) {
    const assignment = statement.type === "expression_statement" ? statement.namedChildren[0] : undefined;
    const left = assignment?.childForFieldName("left");
    if (!left || file.textOf(left) !== "__all__") continue;
    listed ??= new Set();
    for (const item of assignment!.descendantsOfType("string")) listed.add(insideString(item, file).text);
  }
  return listed;
}

function byUnderscore(name: string, otherwise: Visibility): Visibility {
  return name.startsWith("_") && !/^__\w+__$/.test(name) ? "private" : otherwise;
}

/** Statements of a module or class, also those under a condition or a try. */
function declareBlock(block: Node, scope: BlockScope): void {
  const { file, depth } = scope;
  if (depth > 6) return;
  eachWithLead(file, block.namedChildren, leading, (node, lead) => {
    if (node.type === "decorated_definition") {
      const inner = node.childForFieldName("definition");
      if (inner) declareDefinition(inner, { whole: node, lead: { ...lead, own: inner.startIndex } }, scope);
    } else if (node.type === "expression_statement") declareAssignment(node, lead, scope);
    else if (node.type === "type_alias_statement") declareAlias(node, lead, scope);
    else if (/^(?:if|try|with)_statement$/.test(node.type)) {
      for (const part of node.namedChildren)
        declareBlock(part.type === "block" ? part : (part.childForFieldName("body") ?? part), {
          ...scope,
          depth: depth + 1,
        });
    } else if (node.type === "block") declareBlock(node, { ...scope, depth: depth + 1 });
    else declareDefinition(node, { whole: node, lead }, scope);
  });
}

function declareDefinition(node: Node, { whole, lead }: LedNode, scope: BlockScope): void {
  const { file, visibilityOf, within } = scope;
  const name = node.childForFieldName("name");
  const body = node.childForFieldName("body");
  if (!name || !body) return;
  const visibility = visibilityOf(file.textOf(name));
  const doc = docstring(body) ?? lead.doc;
  const common = { name, whole, lead, body, visibility, doc, signatureEnd: colonBefore(node, body) };
  if (node.type === "class_definition") {
    const kind = isEnum(node, file) ? "enum" : "class";
    file.declare({ kind, ...common }, () =>
      declareBlock(body, {
        file,
        visibilityOf: (member) => byUnderscore(member, visibility),
        within: kind,
        depth: 0,
      }),
    );
  } else if (node.type === "function_definition") {
    const method = within !== "module";
    const list = node.childForFieldName("parameters");
    file.declare(
      {
        kind: method ? "method" : "function",
        ...common,
        parameters: list ? findParameters(list, file, method) : [],
        returns: node.childForFieldName("return_type"),
      },
      () => declareInner(body, file),
    );
    if (method && file.textOf(name) === "__init__") declareAttributes(body, scope);
  }
}

/** Comments may be between the colon and the body; the signature ends before both. */
function colonBefore(node: Node, body: Node): number {
  return node.children.findLast(({ type }) => type === ":")?.startIndex ?? body.startIndex;
}

function isEnum(node: Node, file: SourceFile): boolean {
  const bases = node.childForFieldName("superclasses");
  return bases !== null && /\b(?:Str|Int)?(?:Enum|Flag)\b/.test(file.textOf(bases));
}

/** The string that opens a body is its documentation. */
function docstring(body: Node): Region | undefined {
  const first = body.namedChildren.find(({ type }) => type !== "comment");
  const string = first?.type === "expression_statement" ? first.namedChildren[0] : undefined;
  return string?.type === "string" ? { start: string.startIndex, end: string.endIndex } : undefined;
}

function declareInner(body: Node, file: SourceFile): void {
  eachWithLead(file, body.namedChildren, leading, (node, lead) => {
    const inner = node.type === "decorated_definition" ? node.childForFieldName("definition") : node;
    if (inner && /^(?:function|class)_definition$/.test(inner.type))
      declareDefinition(
        inner,
        { whole: node, lead: { ...lead, own: inner.startIndex } },
        { file, visibilityOf: () => "private", within: "module", depth: 0 },
      );
  });
}

function declareAssignment(node: Node, lead: Lead, { file, visibilityOf, within }: BlockScope): void {
  const assignment = node.namedChildren[0];
  if (assignment?.type !== "assignment") return;
  let value = assignment.childForFieldName("right");
  const names = assignedNames(assignment);
  while (value?.type === "assignment") {
    names.push(...assignedNames(value));
    value = value.childForFieldName("right");
  }
  const type = assignment.childForFieldName("type");
  for (const name of names) {
    const words = file.textOf(name);
    if (words === "__all__") continue;
    const visibility = visibilityOf(words);
    file.declare(
      { kind: kindOf(words, within, value), name, whole: node, lead, visibility, value, type },
      () => {
        if (value) declareValueMembers(value, file, visibility);
      },
    );
  }
}

function assignedNames(assignment: Node): Node[] {
  const left = assignment.childForFieldName("left");
  if (left?.type === "identifier") return [left];
  return left && /^(?:pattern_list|tuple_pattern)$/.test(left.type)
    ? left.namedChildren.filter(({ type }) => type === "identifier")
    : [];
}

function kindOf(
  name: string,
  within: BlockScope["within"],
  value: Node | null,
): DescribedDeclaration["kind"] {
  if (within === "enum") return value && !name.startsWith("_") ? "member" : "property";
  if (within === "class") return "property";
  return /^[A-Z][A-Z0-9_]*$/.test(name) ? "constant" : "variable";
}

/** `self.name = …` in a constructor is how a class declares what its instances hold. */
function declareAttributes(body: Node, { file, visibilityOf }: BlockScope): void {
  const seen = new Set<string>();
  for (const statement of body.namedChildren) {
    const assignment = statement.type === "expression_statement" ? statement.namedChildren[0] : undefined;
    const left = assignment?.type === "assignment" ? assignment.childForFieldName("left") : null;
    const name = left?.type === "attribute" ? left.childForFieldName("attribute") : null;
    if (!name || seen.has(file.textOf(name)) || !file.textOf(left!).startsWith("self.")) continue;
    seen.add(file.textOf(name));
    file.declare({
      kind: "property",
      name,
      whole: statement,
      visibility: visibilityOf(file.textOf(name)),
      value: assignment!.childForFieldName("right"),
      type: assignment!.childForFieldName("type"),
    });
  }
}

function declareAlias(node: Node, lead: Lead, { file, visibilityOf }: BlockScope): void {
  const left = node.childForFieldName("left");
  const name = left?.descendantsOfType("identifier")[0];
  if (!name) return;
  const value = node.childForFieldName("right");
  const visibility = visibilityOf(file.textOf(name));
  file.declare({ kind: "type", name, whole: node, lead, visibility, value }, () => {
    if (value) declareValueMembers(value, file, visibility);
  });
}

/** The keys of a dictionary, the strings of a list, the choices of a `Literal`. */
function declareValueMembers(value: Node, file: SourceFile, visibility: Visibility): void {
  if (value.type === "dictionary")
    for (const pair of value.namedChildren) {
      const key = pair.type === "pair" ? pair.childForFieldName("key") : null;
      const held = pair.childForFieldName("value");
      if (key?.type !== "string") continue;
      file.declare(
        { kind: "property", name: insideString(key, file), whole: pair, visibility, value: held },
        () => {
          if (held) declareValueMembers(held, file, visibility);
        },
      );
    }
  else if (/^(?:list|tuple|set|subscript|type|generic_type)$/.test(value.type)) {
    if (
      /^(?:subscript|type|generic_type)$/.test(value.type) &&
      !/^(?:\w+\.)?Literal\b/.test(file.textOf(value))
    )
      return;
    const items =
      value.type === "list" || value.type === "tuple" || value.type === "set"
        ? value.namedChildren
        : value.descendantsOfType("string");
    for (const item of items)
      if (item.type === "string")
        file.declare({
          kind: "member",
          name: insideString(item, file),
          whole: item,
          visibility,
          value: item,
        });
  }
}

function insideString(node: Node, file: SourceFile): { readonly text: string; readonly region: Region } {
  const region = insideQuotes(file.text, node.startIndex, node.endIndex);
  return { text: file.text.slice(region.start, region.end), region };
}

function findParameters(list: Node, file: SourceFile, method: boolean): Parameter[] {
  const nodes = list.namedChildren;
  const slash = nodes.findIndex(({ type }) => type === "positional_separator");
  const star = nodes.findIndex((node) => node.type === "keyword_separator" || isPlainSplat(node));
  const parameters = nodes.flatMap((node, at) => {
    const parameter = parameterOf(node, file);
    if (!parameter) return [];
    if (at < slash) return [{ ...parameter, keyword: "never" as const }];
    const isNamed = (star >= 0 && at > star) || (parameter.rest === true && at !== star);
    return [isNamed ? { ...parameter, keyword: "only" as const } : parameter];
  });
  // The double underscore keeps the name of a receiver free for keywords.
  const first = parameters[0]?.name;
  return method && /^(?:__)?(?:self|cls)$/.test(first ?? "") ? parameters.slice(1) : parameters;
}

/** `*args`: what follows is passed by name. */
function isPlainSplat(node: Node): boolean {
  return node.type === "list_splat_pattern" || node.namedChildren[0]?.type === "list_splat_pattern";
}

function parameterOf(node: Node, file: SourceFile): Parameter | undefined {
  if (/separator$|^comment$/.test(node.type)) return undefined;
  const splat = /splat_pattern$/.test(node.type)
    ? node
    : node.namedChildren.find(({ type }) => /splat_pattern$/.test(type));
  const name =
    node.childForFieldName("name") ??
    splat?.namedChildren[0] ??
    (node.type === "typed_parameter" ? node.namedChildren[0] : node);
  const type = node.childForFieldName("type");
  const value = node.childForFieldName("value");
  return file.parameter(node, { name: name ?? node, type, value, rest: splat !== undefined });
}

/** The grammar accepts a body without a statement. Only where a line with a colon has none below it is the tree asked. */
function emptyBodyRow(root: Node, text: string): number | undefined {
  if (!mayLackBody(text)) return undefined;
  return root.descendantsOfType("block").find((body) => body?.namedChildCount === 0)?.startPosition.row;
}

function mayLackBody(text: string): boolean {
  let depth = -1;
  for (const line of text.split(/\r\n?|\n/)) {
    const code = line.trimStart();
    if (code === "" || code.startsWith("#")) continue;
    const indent = line.length - code.length;
    if (depth >= indent) return true;
    depth = /:\s*(#.*)?$/.test(code) ? indent : -1;
  }
  return depth >= 0;
}
