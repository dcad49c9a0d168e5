import { findConstructors, isConstructor } from "../../../syntax/source/constructors.ts";
import type { Declaration, SourceOutline } from "../../../syntax/source/declaration.ts";
import { defined } from "../../../text/model/defined.ts";
import type { Thing, ThingKind, ThingParameter } from "../thing.ts";
import { readLimits } from "../values/limits.ts";
import { bareValue, isPlainValue } from "../values/value-text.ts";
import type { CodeText } from "./code-text.ts";
import { deprecatingAttribute, deprecation, describe, isInternal } from "./documentation.ts";
import { isSetting } from "./settings-owner.ts";
import { sketchBody } from "./sketch.ts";

/** A declaration that a user of the project may see, with its parent. */
export type OfferedDeclaration = {
  readonly declaration: Declaration;
  readonly parent: Declaration | undefined;
  readonly exported: Thing["exported"];
  /** The text before the signature: doc comment, attributes, decorators. */
  readonly preamble: string;
  readonly doc: string;
};

/** The declarations of a file without those that are local to a function. */
export function findOfferedDeclarations(outline: SourceOutline, code: CodeText): OfferedDeclaration[] {
  const byPath = new Map<string, Declaration>();
  for (const each of outline.declarations) {
    const key = each.path.join("\0");
    if (!byPath.has(key)) byPath.set(key, each);
  }
  // The name in broken code may be empty, and an empty name must not be its own parent.
  const parentOf = ({ path }: Declaration) =>
    path.length > 1 ? byPath.get(path.slice(0, -1).join("\0")) : undefined;
  return outline.declarations.flatMap((declaration) => {
    if (declaration.path.length > 6 || isLocal(declaration, parentOf)) return [];
    const doc = declaration.doc ? code.text.slice(declaration.doc.start, declaration.doc.end) : "";
    const preamble = code.text.slice(declaration.region.start, declaration.signature.start);
    const offered = { declaration, parent: parentOf(declaration), preamble, doc };
    return [{ ...offered, exported: exportOf(offered, parentOf, code) }];
  });
}

type ParentOf = (each: Declaration) => Declaration | undefined;

/** Whether it is local to a function. Names that a function's parameters destructure are offered, not local. */
function isLocal(declaration: Declaration, parentOf: ParentOf): boolean {
  let inner = declaration;
  for (let parent = parentOf(inner); parent; inner = parent, parent = parentOf(parent)) {
    if (parent.kind !== "function" && parent.kind !== "method") continue;
    // A constructor function of JavaScript is the parent of the methods on its prototype.
    const outside = inner.region.start >= parent.region.end || inner.region.end <= parent.region.start;
    const destructured =
      inner.kind === "property" && inner.region.end <= (parent.body?.start ?? parent.region.end);
    if (!outside && !destructured) return true;
  }
  return false;
}

function exportOf(
  { declaration, doc, preamble }: Omit<OfferedDeclaration, "exported">,
  parentOf: ParentOf,
  code: CodeText,
): Thing["exported"] {
  if (isInternal(doc) || /#\[doc\(hidden\)\]|#\[cfg\(test\)\]/.test(preamble)) return "no";
  if (code.family === "go" && isUnreachableGo(code)) return "no";
  let seen: Thing["exported"] = "yes";
  for (let at: Declaration | undefined = declaration; at; at = parentOf(at)) {
    const own = visibilityOf(at, code);
    if (own === "private") return "no";
    if (own === "unknown") seen = "unknown";
    if (at !== declaration && at.doc && isInternal(code.text.slice(at.doc.start, at.doc.end))) return "no";
  }
  return seen;
}

function visibilityOf({ name, visibility, path }: Declaration, code: CodeText): Declaration["visibility"] {
  if (path.length > 1 && name.startsWith("_") && code.family === "javascript") return "private";
  if (code.family === "python" && /^__\w+__$/.test(name)) return "unknown";
  return visibility;
}

/** No other module can import an internal package or a program. */
function isUnreachableGo(code: CodeText): boolean {
  return /(?:^|\/)internal\//.test(code.path) || code.has(/^package\s+main\b/m);
}

/** The symbols, members, enumerated values and destructured parameters among a file's declarations. */
export function readSymbols(offered: readonly OfferedDeclaration[], code: CodeText): Thing[] {
  const constructors = findConstructors(
    offered.map(({ declaration }) => declaration),
    code,
  );
  return offered.flatMap((each) => {
    const { declaration } = each;
    if (!isName(declaration) || isConstructor(declaration, code) || isBareText(each)) return [];
    const thing = symbolThing(each, code);
    const makers = TYPES.has(declaration.kind) ? constructors.get(declaration.path.join("\0")) : undefined;
    if (!makers) return [thing];
    // A type whose head has parameters is made with these too.
    const head = thing.parameters ? [thing] : [];
    const others = makers.map(({ parameters, region }, at) => ({
      ...thing,
      // Overloads are told apart by their place.
      ...defined({ region: head.length + at > 0 ? region : undefined }),
      parameters: parametersOf({ parameters })!,
    }));
    return [...head, ...others];
  });
}

const TYPES: ReadonlySet<string> = new Set(["class", "struct", "type", "interface"]);

function isName({ name, kind }: Declaration): boolean {
  if (name === "" || name.length > 120 || name === "__proto__") return false;
  return kind === "member" ? !/[\r\n]/.test(name) : /^[^\s"'`(){}]+$/.test(name);
}

/** Strings of a list that is no enumeration: sentences, globs, arguments. */
function isBareText({ declaration: { kind, name } }: OfferedDeclaration): boolean {
  return kind === "member" && /\s/.test(name) && name.split(/\s+/).length > 4;
}

function symbolThing(each: OfferedDeclaration, code: CodeText): Thing {
  const { declaration } = each;
  const setting = isSetting(each, code);
  // The program reads a table of settings; a user writes its keys without importing it.
  const exported =
    setting && each.exported === "no" && !/^[#_]/.test(declaration.name) ? "unknown" : each.exported;
  const value = plainValue(declaration);
  const type = typeOf(declaration);
  const parameters = parametersOf(declaration);
  const sketch = declaration.body
    ? sketchBody(code.code.slice(declaration.body.start, declaration.body.end), declaration.name)
    : undefined;
  return code.thing({
    kind: setting ? "setting" : kindOf(each),
    name: declaration.name,
    owner: declaration.path.slice(0, -1),
    at: declaration.nameRegion.start,
    region: declaration.region,
    exported,
    declaration: code.text.slice(
      declaration.signature.start,
      Math.min(declaration.signature.end, declaration.signature.start + 500),
    ),
    ...defined({ parameters, type, value }),
    ...marks(each),
    ...defined({ sketch }),
  });
}

function kindOf({ declaration, parent }: OfferedDeclaration): ThingKind {
  if (declaration.kind === "member") return "enum-value";
  if (parent && (parent.kind === "function" || parent.kind === "method") && declaration.kind === "property")
    return "parameter";
  return declaration.path.length > 1 && declaration.kind !== "module" && !isType(declaration)
    ? "member"
    : "symbol";
}

function isType({ kind }: Declaration): boolean {
  return /^(?:class|interface|enum|struct|trait)$/.test(kind);
}

type DeclaredMark = "description" | "deprecated" | "limits" | "value";

/** The description, the deprecation, the limits and the default that the comments and attributes of a declaration carry. */
export function marks({
  doc,
  preamble,
}: Pick<OfferedDeclaration, "doc" | "preamble">): Pick<Thing, DeclaredMark> {
  const description = doc === "" ? undefined : describe(doc);
  const attributes = preamble.replace(doc, "");
  const deprecated = deprecation(doc) ?? deprecatingAttribute(attributes);
  const value =
    /\bDefaultValue\(\s*([^()]+?)\s*\)/.exec(attributes)?.[1] ??
    /@default(?:Value)?[ \t]+(`?)([^\s`*]+)\1[ \t]*(?:\*\/|$)/m.exec(doc)?.[2];
  return {
    ...(attributes.includes("(") && readLimits(attributes)),
    ...defined({ value, description, deprecated }),
  };
}

function parametersOf({
  parameters,
}: Pick<Declaration, "parameters">): readonly ThingParameter[] | undefined {
  return parameters?.slice(0, 60).map(({ name, type, default: value, optional, rest, keyword }) => ({
    name,
    ...defined({
      type,
      default: value,
      optional: optional || undefined,
      rest: rest || undefined,
      keyword: keyword || undefined,
    }),
  }));
}

function typeOf({ kind, type, returns, value }: Declaration): string | undefined {
  const written = returns ?? type ?? (kind === "type" && value && !value.includes("{") ? value : undefined);
  return written !== undefined && written.length <= 400 ? written : undefined;
}

function plainValue({ kind, name, value }: Declaration): string | undefined {
  if (value === undefined || kind === "type") return undefined;
  const bare = bareValue(value);
  // The value of a union of strings is its own name.
  return isPlainValue(bare) && (kind !== "member" || bare.slice(1, -1) !== name) ? bare : undefined;
}
