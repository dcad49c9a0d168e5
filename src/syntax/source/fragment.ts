import { defined } from "../../text/model/defined.ts";
import type { Region } from "../../text/model/region.ts";
import { keepLast } from "../keep-last.ts";
import { parsedLanguageAt } from "../languages/registry.ts";
import { type Node, withTree } from "./tree.ts";

/** A string of a sample, and the place between its quotes. */
export type SampleLiteral = { readonly text: string; readonly region: Region };

/** A key of an object, and its value where that is a string. */
export type SampleKey = { readonly name: string; readonly region: Region; readonly literal?: SampleLiteral };

/** One argument of a call. */
export type CallArgument = {
  readonly region: Region;
  /** The name it is passed by. */
  readonly keyword?: { readonly name: string; readonly region: Region };
  /** The keys of an object that is written in the call; absent where the argument is no such object. */
  readonly keys?: readonly SampleKey[];
  /** The string that is passed, where it is written out. */
  readonly literal?: SampleLiteral;
  /** A lambda behind the parentheses, which is passed to the last parameter. */
  readonly isTrailing?: true;
  /** It is the result of another call. */
  readonly isCall?: true;
  /** The attributes of an element, which a component without parameters does not read. */
  readonly isAttributes?: true;
};

/** A call as a sample writes it. Regions refer to the fragment. */
export type SampleCall = {
  /** The names before the parentheses: `["Stone", "cut"]`. A receiver that is no name is `"()"`. */
  readonly callee: readonly string[];
  /** From the last name to the closing parenthesis. */
  readonly region: Region;
  readonly arguments: readonly CallArgument[];
  /** Some arguments are not written out: a spread, an ellipsis, a sample that leaves them out. */
  readonly isOpen: boolean;
  readonly isNew: boolean;
  /** It names the fields of a type: `Options{Depth: 3}`. */
  readonly isLiteral?: true;
  readonly isAwaited: boolean;
  /** What happens to the result: nothing, something that needs it, or it is handed on. */
  readonly use: "none" | "value" | "handed on";
  /** What the code takes out of the result: fields by their names, or so many values. */
  readonly takes?: { readonly fields: readonly string[] } | { readonly values: number };
  /** The call whose result this one is made on. */
  readonly on?: number;
  /** The type of the sample in whose body it stands. */
  readonly within?: string;
};

/** What a sample says about a variable: the call that it holds the result of, the path that it stands for, or its type. */
export type Made = { readonly call?: number; readonly path?: readonly string[]; readonly type?: string };

/** A type that a sample declares: the types that it inherits from, and its own members. */
export type SampleType = {
  readonly bases: readonly (readonly string[])[];
  readonly members: ReadonlySet<string>;
};

/** The calls of a piece of code, and what its variables hold. */
export type Fragment = {
  readonly calls: readonly SampleCall[];
  readonly variables: ReadonlyMap<string, Made>;
  /** The functions and types that the fragment declares itself. */
  readonly declared: ReadonlySet<string>;
  readonly types: ReadonlyMap<string, SampleType>;
};

const EMPTY: Fragment = { calls: [], variables: new Map(), declared: new Set(), types: new Map() };
const MOST_KEPT = 500;
const fragments = keepLast<Promise<Fragment>>(MOST_KEPT);

/** The calls of a fragment; `name` is a file name that selects the grammar. Fragments are kept by their text. */
export function readFragment(name: string, text: string): Promise<Fragment> {
  return fragments(`${name}\0${text}`, () => parseFragment(name, text));
}

async function parseFragment(name: string, text: string): Promise<Fragment> {
  const language = parsedLanguageAt(name);
  if (!language) return EMPTY;
  const { macros } = language.samples ?? {};
  // The grammar reads what a macro is given as words; the name of a function in its place makes them expressions.
  const plain = macros ? text.replace(macros, (macro) => MACRO.repeat(macro.length)) : text;
  const { code, offsetOf } = unindent(plain, name.endsWith(".php"));
  const outcome = await withTree(language.grammar, code, (root) =>
    new FragmentReader(code, offsetOf).read(root),
  );
  return outcome.ok ? outcome.value : EMPTY;
}

/**
 * The code without its common indentation, the prompts of a console and what the console printed, and the offset of each
 * of its characters in the text.
 */
function unindent(text: string, isPhp: boolean): { code: string; offsetOf: (at: number) => number } {
  const lines = text.split("\n");
  const isConsole = lines.some((line) => /^\s*>>> /.test(line));
  const written = lines.filter((line) => line.trim() !== "");
  const common = Math.min(...written.map((line) => line.length - line.trimStart().length));
  const opening = isPhp && !text.includes("<?") ? "<?php " : "";
  let code = opening;
  let at = 0;
  const starts: (readonly [code: number, text: number])[] = [[0, -opening.length]];
  for (const line of lines) {
    const prompt = isConsole ? (/^\s*(?:>>>|\.\.\.) ?/.exec(line)?.[0].length ?? line.length) : common;
    const cut = Math.min(prompt, line.length);
    starts.push([code.length, at + cut]);
    code += `${line.slice(cut)}\n`;
    at += line.length + 1;
  }
  return {
    code,
    offsetOf: (place) => {
      let [low, high] = [0, starts.length];
      while (high - low > 1) {
        const middle = (low + high) >>> 1;
        if (starts[middle]![0] <= place) low = middle;
        else high = middle;
      }
      return starts[low]![1] + place - starts[low]![0];
    },
  };
}

const MACRO = "_";
const CALL =
  /^(?:call|call_expression|new_expression|method_invocation|object_creation_expression|invocation_expression|(?:function|member|nullsafe_member|scoped)_call_expression)$/;
const NEW = /^(?:new_expression|object_creation_expression)$/;
const LIST = /^(?:value_)?arguments$|^argument_list$/;
const LITERAL = /^(?:composite_literal|struct_expression)$/;
const ELEMENT = /^jsx_(?:opening|self_closing)_element$/;
const CLASS = /^class/;
const PARAMETER =
  /^(?:typed_parameter|(?:required|optional|formal|simple)_parameter|parameter|parameter_declaration|class_parameter)$/;
const PARAMETERS = /^(?:parameters|formal_parameters|lambda_parameters|method_parameters|block_parameters)$/;
const OPEN = /^(?:spread|splat|hash_splat|list_splat|dictionary_splat|variadic|ellipsis|assignment|ERROR)/;
const WAIT = /^await/;
const DECLARED =
  /(?:function|method|class|struct|interface|enum|type|module)_?(?:definition|declaration|item|spec)$|^(?:method|class|module)$/;
const THROUGH =
  /^(?:await_expression|await|try_expression|parenthesized_expression|unary_expression|non_null_expression|as_expression|expression_list|reference_expression)$/;
const ELLIPSIS = /\.{3}|…/;
const DEEPEST_NODE = 200;

class FragmentReader {
  readonly #code: string;
  readonly #offsetOf: (at: number) => number;
  readonly #calls: SampleCall[] = [];
  readonly #byNode = new Map<number, number>();
  readonly #variables = new Map<string, Made>();
  readonly #declared = new Set<string>();
  readonly #types = new Map<string, SampleType>();

  constructor(code: string, offsetOf: (at: number) => number) {
    this.#code = code;
    this.#offsetOf = offsetOf;
  }

  read(root: Node): Fragment {
    this.#visit(root, null, 0);
    return {
      calls: this.#calls,
      variables: this.#variables,
      declared: this.#declared,
      types: this.#types,
    };
  }

  #visit(node: Node, parent: Node | null, depth: number): void {
    if (depth > DEEPEST_NODE) return;
    // The receiver of a chain is read before the call that is made on it.
    for (const child of node.namedChildren) this.#visit(child, node, depth + 1);
    if (CALL.test(node.type)) this.#readCall(node, parent);
    else if (LITERAL.test(node.type)) this.#readLiteral(node);
    else if (ELEMENT.test(node.type)) this.#readElement(node, parent);
    else if (DECLARED.test(node.type)) {
      const name = node.childForFieldName("name");
      if (name) this.#declared.add(this.#text(name));
      if (name && CLASS.test(node.type)) this.#readType(node, this.#text(name));
    } else if (PARAMETER.test(node.type) || PARAMETERS.test(parent?.type ?? "")) this.#readParameter(node);
    else this.#readVariable(node);
  }

  /** A parameter hides what another sample keeps under its name. */
  #readParameter(node: Node): void {
    const own =
      node.childForFieldName("pattern") ?? node.childForFieldName("name") ?? node.namedChildren[0] ?? node;
    const name = /^[$]?([\p{L}_]\w*)$/u.exec(this.#text(own))?.[1];
    const type = node.childForFieldName("type");
    if (name !== undefined)
      this.#variables.set(name, type ? { type: this.#text(type).replace(/^\s*:\s*/, "") } : {});
  }

  /** `Options{Depth: 3}`: every key is the name of a field. */
  #readLiteral(node: Node): void {
    const type = node.childForFieldName("type") ?? node.childForFieldName("name");
    const body = node.childForFieldName("body");
    const names = type && pathOf(this.#text(type));
    if (!names || !body || body.hasError) return;
    const fields: CallArgument[] = [];
    for (const item of body.namedChildren) {
      if (/comment/.test(item.type)) continue;
      const key = item.childForFieldName("key") ?? item.childForFieldName("field") ?? item.namedChildren[0];
      const isNamed = /^(?:keyed_element|field_initializer)$/.test(item.type);
      if (!key || !isNamed || !/^[\p{L}_]\w*$/u.test(this.#text(key))) return;
      const region = this.#region(key);
      fields.push({ region: this.#region(item), keyword: { name: this.#text(key), region } });
    }
    this.#calls.push({
      callee: names,
      region: this.#regionFrom(type.endIndex - names.at(-1)!.length, node.endIndex),
      arguments: fields,
      isOpen: fields.length === 0,
      isNew: true,
      isLiteral: true,
      isAwaited: false,
      use: "handed on",
    });
  }

  /** `<Nest eggs={3} />` passes its attributes as the keys of one object. */
  #readElement(node: Node, parent: Node | null): void {
    const named = node.childForFieldName("name");
    const names = named && pathOf(this.#text(named));
    if (!names || !/^\p{Lu}/u.test(names.at(-1)!)) return;
    const attributes = node.namedChildren.filter(({ id }) => id !== named.id);
    const hasContent = node.type === "jsx_opening_element" && (parent?.namedChildren.length ?? 0) > 2;
    const keys = attributes.flatMap((attribute): SampleKey[] => {
      const [key, value] = attribute.namedChildren;
      if (attribute.type !== "jsx_attribute" || !key) return [];
      return [{ name: this.#text(key), region: this.#region(key), ...(value && this.#literal(value)) }];
    });
    const region = this.#regionFrom(named.endIndex - names.at(-1)!.length, node.endIndex);
    const own = keys.filter(({ name }) => !/^(?:key|ref|(?:data|aria)-.*)$/.test(name));
    const content = hasContent ? [{ name: "children", region }] : [];
    this.#calls.push({
      callee: names,
      region,
      arguments: [{ region, keys: [...own, ...content], isAttributes: true }],
      isOpen: attributes.some(({ type }) => type !== "jsx_attribute"),
      isNew: false,
      isAwaited: false,
      use: "handed on",
    });
  }

  #readType(node: Node, name: string): void {
    const body = node.childForFieldName("body");
    const head = this.#code.slice(node.startIndex, body?.startIndex ?? node.endIndex);
    const bases = /(?:\(|\bextends\b|<|:)\s*([\w.:\\\s,]+)/.exec(
      head.slice(head.indexOf(name) + name.length),
    );
    const members = (body?.namedChildren ?? []).flatMap((member) => {
      const own =
        member.childForFieldName("name") ?? member.childForFieldName("definition")?.childForFieldName("name");
      return own ? [this.#text(own)] : [];
    });
    this.#types.set(name, {
      bases: (bases?.[1] ?? "")
        .split(",")
        .flatMap((one) => [pathOf(one) ?? []])
        .filter((one) => one.length > 0),
      members: new Set(members),
    });
  }

  #readCall(node: Node, parent: Node | null): void {
    const list =
      node.childForFieldName("arguments") ?? node.namedChildren.find(({ type }) => LIST.test(type)) ?? null;
    const lambda = node.namedChildren.find(({ type }) => /lambda/.test(type) && type !== "lambda");
    const inner = list === null && lambda ? this.#innerCall(node) : undefined;
    if (inner !== undefined) {
      // A lambda behind a call is one more argument of it.
      const call = this.#calls[inner]!;
      this.#calls[inner] = {
        ...call,
        arguments: [...call.arguments, { region: this.#region(lambda!), isTrailing: true }],
      };
      this.#byNode.set(node.id, inner);
      return;
    }
    const named = this.#calleeOf(node);
    if (
      !named ||
      named.names[0]!.startsWith(MACRO.repeat(4)) ||
      (list?.hasError && !/\.\.\./.test(this.#text(list)))
    )
      return;
    const written = (list?.namedChildren ?? []).filter(({ type }) => !/comment|^block_argument$/.test(type));
    // A template passes its strings as one argument before what stands in it.
    const items =
      list?.type === "template_string"
        ? [list, ...written.filter(({ type }) => type === "template_substitution")]
        : written;
    this.#byNode.set(node.id, this.#calls.length);
    this.#calls.push({
      callee: named.names,
      region: this.#regionFrom(named.at, list?.endIndex ?? node.endIndex),
      arguments: [
        ...items.map((item) => this.#argument(item)),
        ...(lambda ? [{ region: this.#region(lambda), isTrailing: true as const }] : []),
      ],
      isOpen: items.some(isOpen) || (list?.hasError ?? false) || this.#leavesOut(list, items.length),
      isNew: named.isNew ?? NEW.test(node.type),
      ...usage(parent),
      ...defined({ on: named.on }),
      ...this.#typeAround(node),
    });
  }

  /** Whether a comment stands for arguments. */
  #leavesOut(list: Node | null, written: number): boolean {
    const comments = (list?.namedChildren ?? []).filter(({ type }) => /comment/.test(type));
    return comments.some((one) => written === 0 || ELLIPSIS.test(this.#text(one)));
  }

  #typeAround(node: Node): Pick<SampleCall, "within"> {
    for (let at = node.parent, turn = 0; at && turn < DEEPEST_NODE; at = at.parent, turn++) {
      const name = CLASS.test(at.type) ? at.childForFieldName("name") : null;
      if (name) return { within: this.#text(name) };
    }
    return {};
  }

  #innerCall(node: Node): number | undefined {
    const first = node.namedChildren[0];
    return first ? this.#byNode.get(first.id) : undefined;
  }

  #calleeOf(node: Node): Callee | null {
    const receiver =
      node.childForFieldName("object") ??
      node.childForFieldName("receiver") ??
      node.childForFieldName("scope");
    const own =
      node.childForFieldName("function") ??
      node.childForFieldName("constructor") ??
      node.childForFieldName("method") ??
      node.childForFieldName("name") ??
      node.childForFieldName("type") ??
      node.namedChildren[0];
    if (!own) return null;
    const names = pathOf(this.#text(own));
    if (receiver && /^(?:constant|scope_resolution)$/.test(receiver.type) && this.#text(own) === "new") {
      // `Kite.new` of Ruby calls the constructor of `Kite`.
      const path = pathOf(this.#text(receiver));
      return path && { names: path, at: receiver.endIndex - path.at(-1)!.length, isNew: true };
    }
    if (receiver) {
      const on = this.#callIn(receiver);
      const before = on === undefined ? pathOf(this.#text(receiver)) : ["()"];
      return (
        names && {
          names: [...(before ?? ["()"]), ...names],
          at: own.startIndex,
          ...defined({ on }),
        }
      );
    }
    if (names)
      return {
        names: names.length === 1 && isInReceiver(node) ? ["()", ...names] : names,
        at: own.endIndex - this.#lastName(own).length,
      };
    // A member of an expression: of a call, of an element, of a literal.
    const member = own.namedChildren.at(-1);
    const name = member && pathOf(this.#text(member));
    if (!member || !name || own.namedChildren.length < 2) return null;
    const on = this.#callIn(own.namedChildren[0]!);
    return { names: ["()", ...name], at: member.startIndex, ...defined({ on }) };
  }

  #lastName(node: Node): string {
    const text = this.#text(node);
    return /[\p{L}_$][\w$]*(?:<[^()]*>)?$/u.exec(text)?.[0] ?? text;
  }

  /** The call whose result an expression is, through `await`, parentheses and marks of failure. */
  #callIn(node: Node): number | undefined {
    let inner: Node | undefined = node;
    for (let turn = 0; inner && turn < 6; turn++) {
      const known = this.#byNode.get(inner.id);
      if (known !== undefined) return known;
      inner = THROUGH.test(inner.type) ? (inner.namedChildren[0] ?? undefined) : undefined;
    }
    return undefined;
  }

  #argument(node: Node): CallArgument {
    const name =
      node.childForFieldName("name") ?? (node.type === "pair" ? node.childForFieldName("key") : null);
    const region = this.#region(node);
    const labelled =
      name ??
      (node.type === "value_argument" && node.namedChildren.length === 2 ? node.namedChildren[0]! : null);
    const isKeyword =
      /^(?:keyword_argument|argument|value_argument|pair)$/.test(node.type) && labelled !== null;
    if (isKeyword) {
      const text = this.#text(labelled).replace(/:$/, "");
      const start = labelled.startIndex;
      const value = node.childForFieldName("value") ?? node.namedChildren.at(-1);
      const keyword = { name: text, region: this.#regionFrom(start, start + text.length) };
      return { region, keyword, ...(value && this.#literal(value)) };
    }
    if (CALL.test(node.type)) return { region, isCall: true };
    return node.type === "object" ? { region, ...this.#keys(node) } : { region, ...this.#literal(node) };
  }

  /** A string without anything that is worked out. */
  #literal(node: Node): { readonly literal?: SampleLiteral } {
    const written = /^(["'])([\w .:/@+-]*)\1$/.exec(this.#text(node));
    return written && /string|argument/.test(node.type)
      ? {
          literal: {
            text: written[2]!,
            region: this.#regionFrom(node.startIndex + 1, node.endIndex - 1),
          },
        }
      : {};
  }

  #keys(object: Node): Pick<CallArgument, "keys"> {
    const keys: SampleKey[] = [];
    for (const entry of object.namedChildren) {
      // A comment may stand for the keys that the sample leaves out.
      if (entry.type === "comment" && ELLIPSIS.test(this.#text(entry))) return {};
      if (entry.type === "comment") continue;
      const key =
        entry.type === "shorthand_property_identifier"
          ? entry
          : (entry.childForFieldName("key") ?? entry.childForFieldName("name"));
      if (!key || !/identifier$|^string$/.test(key.type)) return {};
      const value = entry.childForFieldName("value");
      const name = this.#text(key).replace(/["']/g, "");
      keys.push({ name, region: this.#region(key), ...(value && this.#literal(value)) });
    }
    return keys.length === 0 && holdsComment(object) ? {} : { keys };
  }

  #readVariable(node: Node): void {
    const left =
      (node.type === "as_pattern" ? node.namedChildren.at(-1) : null) ??
      node.childForFieldName("left") ??
      node.childForFieldName("pattern") ??
      (/declarator$/.test(node.type)
        ? (node.childForFieldName("name") ?? node.childForFieldName("declarator"))
        : null) ??
      node.namedChildren.find(({ type }) => type === "variable_declaration") ??
      null;
    if (!left) return;
    const value =
      (node.type === "as_pattern" ? node.namedChildren[0] : null) ??
      node.childForFieldName("right") ??
      node.childForFieldName("value") ??
      node.namedChildren.at(-1);
    const name = /[\p{L}_][\w$]*/u.exec(this.#text(left))?.[0];
    const call = value && value !== left ? this.#callIn(value) : undefined;
    const takes = call === undefined ? undefined : this.#takenBy(left, value!);
    if (takes) this.#calls[call!] = { ...this.#calls[call!]!, takes };
    if (!name || !value || value === left || /pattern$/.test(left.type)) return;
    // What is given to a member says nothing of its owner.
    if (/^[$@]*\w+\s*(?:\.|->|::|\[)/.test(this.#text(left))) return;
    // An import is no variable.
    if (call !== undefined && /^(?:require|import)$/.test(this.#calls[call]!.callee.join("."))) return;
    const type = this.#typeOf(node, value);
    if (call !== undefined && node.type !== "as_pattern" && this.#isWaitedFor(name))
      this.#calls[call] = { ...this.#calls[call]!, use: "handed on" };
    const path = call === undefined && type === undefined ? pathOf(this.#text(value)) : null;
    if (call !== undefined || type !== undefined || (path && path.length > 1))
      this.#variables.set(name, defined({ call, type, path: path ?? undefined }));
  }

  /** `{ a, b: c }` of JavaScript, `a, b :=` of Go. */
  #takenBy(left: Node, value: Node): SampleCall["takes"] {
    if (left.type === "expression_list") {
      const isOne = value.type === "expression_list" && value.namedChildren.length === 1;
      return isOne && CALL.test(value.namedChildren[0]!.type)
        ? { values: left.namedChildren.length }
        : undefined;
    }
    if (left.type !== "object_pattern") return undefined;
    const fields = left.namedChildren.flatMap((one) => {
      const key = one.childForFieldName("key") ?? one.childForFieldName("left") ?? one;
      return /identifier/.test(key.type) ? [this.#text(key)] : [];
    });
    return { fields };
  }

  /** Whether something waits for a variable later, or gets it: `await job`, `job.then(…)`, `gather(job)`. */
  #isWaitedFor(name: string): boolean {
    const waits = String.raw`\bawait\s+${name}\b|\b${name}\s*\.\s*(?:then|catch|finally|await)\b`;
    const hands = String.raw`(?<!print|console\.\w+)[([,]\s*${name}\s*[,)\]]`;
    return new RegExp(`${waits}|${hands}`).test(this.#code);
  }

  /** The type that a declaration writes, or that a literal of a struct has. */
  #typeOf(node: Node, value: Node): string | undefined {
    const outer = node.type === "variable_declarator" || node.type === "init_declarator" ? node.parent : node;
    const written = outer?.childForFieldName("type") ?? node.childForFieldName("type");
    const literal = /^(?:composite_literal|struct_expression)$/.test(value.type)
      ? (value.childForFieldName("type") ?? value.childForFieldName("name"))
      : null;
    const cast = /^(?:as|satisfies)_expression$/.test(value.type) ? value.namedChildren[1] : undefined;
    const text =
      (literal ?? cast)
        ? this.#text((literal ?? cast)!)
        : written
          ? this.#text(written).replace(/^\s*:\s*/, "")
          : undefined;
    return text === undefined || /^(?:var|auto|let|const)$/.test(text) ? undefined : text;
  }

  #text({ startIndex, endIndex }: Node): string {
    return this.#code.slice(startIndex, endIndex);
  }

  #region({ startIndex, endIndex }: Node): Region {
    return this.#regionFrom(startIndex, endIndex);
  }

  #regionFrom(start: number, end: number): Region {
    return { start: this.#offsetOf(start), end: this.#offsetOf(end - 1) + 1 };
  }
}

type Callee = {
  readonly names: readonly string[];
  readonly at: number;
  readonly on?: number;
  readonly isNew?: boolean;
};

/** Whether a call stands in a lambda of Kotlin or a block of Ruby, which may have a receiver that the code does not name. */
function isInReceiver(node: Node): boolean {
  for (let at = node.parent, turn = 0; at && turn < DEEPEST_NODE; at = at.parent, turn++)
    if (/^(?:lambda_literal|do_block|block)$/.test(at.type) && isLambda(at)) return true;
  return false;
}

/** Statements of other languages stand in blocks that are no lambdas. */
function isLambda({ type, parent }: Node): boolean {
  return type !== "block" || parent?.type === "call";
}

function holdsComment(node: Node | null): boolean {
  return node?.namedChildren.some(({ type }) => /comment/.test(type)) ?? false;
}

function isOpen(node: Node): boolean {
  const wrapped = /^(?:value_)?argument$/.test(node.type) ? node.namedChildren : [];
  return OPEN.test(node.type) || wrapped.some(({ type }) => OPEN.test(type));
}

/** The names of a path such as `a.b`, `A::b`, `$a->b`, `A\B`, without type arguments; null for other expressions. */
function pathOf(text: string): string[] | null {
  const plain = text.replace(/<[^()]*>$/, "").replace(/\s+|[$?!]/g, "");
  const parts = plain.split(/\.|::|->|\\/).filter((part) => part !== "");
  return parts.length > 0 && parts.every((part) => /^[\p{L}_@][\w]*$/u.test(part)) ? parts : null;
}

function usage(parent: Node | null): Pick<SampleCall, "isAwaited" | "use"> {
  if (parent === null) return { isAwaited: false, use: "none" };
  if (WAIT.test(parent.type)) return { ...usage(parent.parent), isAwaited: true };
  if (
    /^(?:expression_statement|global_statement|program|module|source_file|block|statement_list)$/.test(
      parent.type,
    )
  )
    return { isAwaited: false, use: "none" };
  const isExported = parent.parent?.parent?.type === "export_statement";
  const assigned =
    !isExported &&
    /(?:declarator|assignment|assignment_expression|let_declaration|property_declaration)$/.test(parent.type);
  const member = /^(?:member_expression|attribute|subscript|subscript_expression)$/.test(parent.type);
  const printed =
    LIST.test(parent.type) &&
    /^(?:print|console\.\w+|println)\b/.test(parent.parent?.text.slice(0, 40) ?? "");
  const chained = member && /^(?:then|catch|finally)$/.test(parent.namedChildren.at(-1)?.text ?? "");
  return { isAwaited: false, use: assigned || printed || (member && !chained) ? "value" : "handed on" };
}
