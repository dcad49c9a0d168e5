import { assignedName, readChain, receiverName } from "../library/command-owners.ts";
import type { Thing } from "../thing.ts";
import { createInnermost, createMarked } from "../values/enclosing.ts";
import type { Argument, CodeText } from "./code-text.ts";
import type { OfferedDeclaration } from "./symbols.ts";

/** The paths that a server answers, where a well-known library declares them. The owner is the method. */
export function readRoutes(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  const { routes = [], relativeRoutes = [] } = code.libraries;
  const heads = [...routes, ...relativeRoutes].flatMap((pattern) =>
    Array.from(code.find(pattern), (match) => ({ match, isRelative: relativeRoutes.includes(pattern) })),
  );
  if (heads.length === 0) return [];
  const markedAt = createMarked(offered);
  const prefixOf = createPrefixes(code, offered);
  const found = new Map<string, Thing>();
  for (const { match, isRelative } of heads) {
    const call = readHead(code, match);
    const marked = /^[@#[]/.test(match[0]) ? markedAt(match.index) : undefined;
    if (!call || isHolder(marked)) continue;
    const { methods, path } = readPath(call.arguments);
    const prefix = prefixOf(match.index, code);
    const name = joinPath(prefix, path?.string, isRelative || match[0].startsWith("@"));
    if (name === undefined) continue;
    const stated = [...methods, ...statedMethods(code, { match, end: call.end, marked })];
    for (const method of stated.length > 0 ? new Set(stated) : [undefined]) {
      const at = path?.start ?? match.index;
      const thing = code.thing({ kind: "route", name, owner: method ? [method] : [], at });
      found.set(thing.id, thing);
    }
  }
  return [...found.values()];
}

type RouteCall = { readonly end: number; readonly arguments: readonly Argument[] };

/** The arguments behind the head of a route: in brackets, bare as Ruby writes them, or none. */
function readHead(code: CodeText, { 0: head, index }: RegExpExecArray): RouteCall | undefined {
  const end = index + head.length;
  if (/[([{]$/.test(head)) return code.readGroup(end - 1);
  if (code.family !== "ruby") return { end, arguments: [] };
  // `get "/hello" do` of Sinatra.
  const block = /^(["'])(\u0001+)\1[ \t]+do\b/.exec(code.code.slice(end, end + 200));
  const text = code.text.slice(end + 1, end + 1 + (block?.[2]?.length ?? 0));
  const path = { start: end, end: end + text.length, valueStart: end, text, string: text };
  return { end, arguments: block ? [path] : code.readBare(end) };
}

/** The path of a route, and the method where the path or the table of the route names it. */
function readPath(args: readonly Argument[]): { methods: string[]; path: Argument | undefined } {
  const path = args.find(({ name, string }) => string !== undefined && (!name || PATH_NAMES.has(name)));
  const verb = args.find(({ name }) => name === "method" || name === "methods");
  const words = verb?.text.match(/\b[A-Za-z]+\b/g)?.map((word) => word.toUpperCase()) ?? [];
  const own = /^([A-Z]+) (?=\/)/.exec(path?.string ?? "");
  const methods = [...words, ...(own ? [own[1]!] : [])].filter((word) => METHODS.has(word));
  return { methods, path: own && path ? { ...path, string: path.string!.slice(own[0].length) } : path };
}

const PATH_NAMES: ReadonlySet<string> = new Set(["value", "path", "url", "rule"]);
const PATH = /^[\w\-./:{}<>*$()?+|\\[\]]*$/;

function joinPath(prefix: string, path: string | undefined, isRelative: boolean): string | undefined {
  if (path === undefined && prefix === "") return undefined;
  const own = path ?? "";
  if (!PATH.test(own) || (!isRelative && !own.startsWith("/"))) return undefined;
  const parts = [prefix, own].map((part) => part.replace(/^\/+|(?<=.)\/$/g, ""));
  const joined = `/${parts.filter((part) => part !== "" && part !== "/").join("/")}`;
  return own.length > 1 && own.endsWith("/") && !joined.endsWith("/") ? `${joined}/` : joined;
}

type StatedIn = {
  readonly match: RegExpExecArray;
  readonly end: number;
  readonly marked: OfferedDeclaration | undefined;
};

/** The methods that the head, the handlers, the chain behind a path or the annotations beside it name. */
function statedMethods(code: CodeText, { match, end, marked }: StatedIn): string[] {
  const own =
    /(?<![A-Za-z])[A-Za-z]+$/.exec((match[1] ?? "").toUpperCase().replace(/^(?:MAP|HTTP)/, ""))?.[0] ?? "";
  if (METHODS.has(own)) return [own];
  const chained = readChain(code, end).links.flatMap(({ name, arguments: args }) =>
    name === "Methods" ? args.flatMap(({ string }) => string ?? []) : [name],
  );
  const inside = code.code.slice(match.index + match[0].length, end).match(/(?<![\w"'/])[a-z]+(?=\()/g) ?? [];
  const beside = marked ? (marked.preamble.match(/@(?:GET|POST|PUT|PATCH|DELETE|HEAD)\b/g) ?? []) : [];
  const words = match[1] === undefined || /route|path/i.test(match[1]) ? [...inside, ...chained] : chained;
  return [...words, ...beside.map((word) => word.slice(1))]
    .map((word) => word.toUpperCase())
    .filter((word) => METHODS.has(word));
}

const METHODS: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]);

type PrefixAt = (at: number, code: CodeText) => string;

/** The path before a route: of the class that holds it, of the group that is its receiver or that it stands in. */
function createPrefixes(code: CodeText, offered: readonly OfferedDeclaration[]): PrefixAt {
  const markedAt = createMarked(offered);
  const variables = new Map<string, string>();
  const ranges: { readonly start: number; readonly end: number; readonly prefix: string }[] = [];
  for (const pattern of code.libraries.routePrefixes ?? [])
    for (const call of code.calls(pattern)) {
      const given = call.arguments.find(
        ({ name, string }) =>
          string !== undefined && (!name || /^(?:url_)?prefix$|^value$|^path$/.test(name)),
      );
      const table = /\bprefix\s*:\s*["']([^"']+)["']/.exec(
        given ? "" : code.text.slice(call.start, call.end),
      );
      const prefix = given?.string ?? table?.[1];
      if (prefix === undefined) continue;
      const marked = /^[@[]/.test(call.match[0]) ? markedAt(call.start) : undefined;
      const variable = assignedName(code, call.start);
      if (isHolder(marked)) ranges.push({ ...marked!.declaration.region, prefix });
      else if (variable) variables.set(variable, prefix);
      else if (!marked) ranges.push({ start: call.start + call.match[0].length, end: call.end, prefix });
    }
  const innermost = createInnermost(ranges, (range) => range);
  return (at) => {
    const own = /^@?(\w+)\./.exec(code.code.slice(at, at + 60))?.[1] ?? receiverName(code, at) ?? "";
    return variables.get(own) ?? innermost(at)?.prefix ?? "";
  };
}

/** Whether an annotation marks a class: its path stands before those of the methods. */
function isHolder(marked: OfferedDeclaration | undefined): boolean {
  return marked !== undefined && /^(?:class|interface)$/.test(marked.declaration.kind);
}
