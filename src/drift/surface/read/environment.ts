import type { Parameter } from "../../../syntax/source/declaration.ts";
import { defined } from "../../../text/model/defined.ts";
import { readChain } from "../library/command-owners.ts";
import type { Thing } from "../thing.ts";
import { createInnermost } from "../values/enclosing.ts";
import { fallbackOf } from "../values/fallback.ts";
import { valueAt } from "../values/value-text.ts";
import type { Argument, CallText, CodeText } from "./code-text.ts";
import type { OfferedDeclaration } from "./symbols.ts";

/** The environment variables that a source file reads, each once, with the default if the file has one. */
export function readEnvironment(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  const found = new Map<string, Thing>();
  const reads = [
    ...findReads(code),
    ...findForwarded(code, offered),
    ...findNamed(offered),
    ...findValidated(code),
  ];
  for (const { name, at, value } of reads) {
    if (!/^[A-Za-z_]\w+$/.test(name) || isOfSystem(name)) continue;
    if (found.get(name)?.value !== undefined || (found.has(name) && value === undefined)) continue;
    found.set(name, code.thing({ kind: "environment", name, at, ...defined({ value }) }));
  }
  return [...found.values()];
}

type VariableRead = { readonly name: string; readonly at: number; readonly value?: string };

/** Variables that the system, the runtime or the bundler sets, or that many programs and libraries read: no project offers them. */
const SYSTEM: ReadonlySet<string> = new Set(
  "PATH HOME USER USERNAME LOGNAME SHELL PWD OLDPWD TMPDIR TMP TEMP LANG LC_ALL TERM DISPLAY APPDATA LOCALAPPDATA USERPROFILE PATHEXT COMSPEC SYSTEMROOT WINDIR ProgramFiles HOSTNAME CI NODE_ENV MODE DEV PROD SSR BASE_URL NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE COLORTERM PAGER EDITOR VISUAL HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY".split(
    " ",
  ),
);

/** XDG names are a standard of the desktop: libraries read them too. */
function isOfSystem(name: string): boolean {
  return SYSTEM.has(name.toUpperCase()) || SYSTEM.has(name) || name.startsWith("XDG_");
}

/** `const envCache = "APP_CACHE"`: a constant whose name says that it holds the name of a variable. */
function* findNamed(offered: readonly OfferedDeclaration[]): Generator<VariableRead> {
  for (const { declaration } of offered) {
    const name = /^["']([A-Z][A-Z0-9]*_[A-Z0-9_]+)["']$/.exec(declaration.value ?? "")?.[1];
    if (name && /(?:^|_)env(?:_|[A-Z]|$)|Env(?:ironment|[A-Z]|$)|(?:^|_)ENV(?:_|$)/.test(declaration.name))
      yield { name, at: declaration.nameRegion.start };
  }
}

const VALIDATOR = "z|v|t|yup|[jJ]oi|Type|envalid|str|num|bool|port|url|host|email|json|makeValidator";
const VALIDATED = new RegExp(
  `(?<=[{,]\\s{0,200})([A-Z][A-Z0-9_]+)\\s*:\\s*(?:${VALIDATOR})\\b[\\w.]*\\s*\\(`,
  "g",
);

/** `cleanEnv(process.env, { APP_PORT: port({ default: 80 }) })`, `z.object({ APP_PORT: z.string().default("80") })`. */
function* findValidated(code: CodeText): Generator<VariableRead> {
  if (code.family !== "javascript" || !/\b(?:process|import\.meta)\.env\b/.test(code.code)) return;
  for (const call of code.calls(VALIDATED)) {
    const written = code.text.slice(call.start, readChain(code, call.end).end);
    const value = /\bdefault(?:\(|\s*:)\s*([^(),{}]+)/.exec(written)?.[1]?.trim();
    yield { name: call.match[1]!, at: call.start, ...defined({ value: value || undefined }) };
  }
}

function* findReads(code: CodeText): Generator<VariableRead> {
  const { names = [], calls = [], destructured, tested } = code.libraries.environment ?? {};
  for (const pattern of names) {
    for (const match of code.find(pattern)) {
      const name = match[1]!;
      const at = match.index + match[0].lastIndexOf(name);
      const value =
        code.language === "bash"
          ? expansionDefault(code, at + name.length)
          : fallbackOf(code, { start: match.index, end: at + name.length });
      yield { name, at, ...defined({ value }) };
    }
  }
  for (const pattern of calls) {
    for (const call of code.calls(pattern)) {
      const name = call.arguments[0];
      if (name?.string === undefined) continue;
      const value = givenDefault(call) ?? fallbackOf(code, call);
      yield { name: name.string, at: name.start, ...defined({ value }) };
    }
  }
  if (destructured) yield* findDestructured(code, destructured);
  for (const match of tested ? code.find(tested) : []) {
    const at = match.index + 1;
    yield { name: code.text.slice(at, at + match[1]!.length), at };
  }
}

/** `get("PORT", "80")`, where `get` of this file reads the variable that one parameter names, and else returns another one. */
function* findForwarded(code: CodeText, offered: readonly OfferedDeclaration[]): Generator<VariableRead> {
  const enclosing = createInnermost(
    offered.filter(({ declaration: { parameters = [] } }) => parameters.length > 0 && parameters.length < 4),
    ({ declaration }) => declaration.region,
  );
  const readers = new Map<string, EnvironmentReader>();
  const reads = (code.libraries.environment?.calls ?? []).flatMap((pattern) => [...code.calls(pattern)]);
  for (const call of reads) {
    const reader = enclosing(call.start)?.declaration;
    if (reader === undefined || readers.has(reader.name)) continue;
    const { name, region, parameters = [] } = reader;
    const place = parameters.findIndex((one) => one.name === call.arguments[0]?.text);
    if (place < 0) continue;
    const given = givenDefault(call) ?? fallbackOf(code, call);
    const body = code.code.slice(region.start, region.end);
    const isFallback = (one: Parameter): boolean =>
      one.name === given ||
      new RegExp(`(?:\\breturn|\\?\\?|\\|\\||\\bor)\\s+${escaped(one.name)}\\s*(?:[;})]|$)`, "m").test(body);
    const fallback = parameters.findIndex((one, at) => at !== place && isFallback(one));
    readers.set(name, { place, fallback, parameters });
  }
  for (const [name, { place, fallback, parameters }] of readers)
    for (const call of code.calls(new RegExp(`(?<![\\w.>:$])${escaped(name)}\\s*\\(`, "g"))) {
      const argumentAt = (index: number): Argument | undefined =>
        call.arguments.find((one) => one.name !== undefined && one.name === parameters[index]?.name) ??
        call.arguments.filter((one) => one.name === undefined)[index];
      const variable = argumentAt(place);
      if (variable?.string === undefined) continue;
      const value = fallback < 0 ? undefined : (argumentAt(fallback)?.text ?? parameters[fallback]!.default);
      yield { name: variable.string, at: variable.start, ...defined({ value }) };
    }
}

/** A function that reads the variable whose name it is given: the places of the name and of the default. */
type EnvironmentReader = {
  readonly place: number;
  readonly fallback: number;
  readonly parameters: readonly Parameter[];
};

/** A name as a part of an expression. */
function escaped(name: string): string {
  return name.replaceAll("$", "\\$");
}

/** `os.getenv("PORT", "80")`, `env.int("PORT", default=80)`. */
function givenDefault({ arguments: [, ...others] }: CallText): string | undefined {
  const named = others.find(({ name }) => name === "default");
  return (named ?? others.find(({ name }) => name === undefined))?.text;
}

/** `${PORT:-3000}`, `${PORT:=3000}`, `${PORT-3000}`; `[ -z "$PORT" ] && PORT=3000`. */
function expansionDefault(code: CodeText, end: number): string | undefined {
  const rest = code.text.slice(end, end + 200);
  const value = /^:?[-=]((?:[^{}$\n]|\$(?=\w))*)\}/.exec(rest) ?? ASSIGNED_IF_EMPTY.exec(rest);
  return value?.[1]?.replace(/^(["'])(.*)\1$/, "$2") || undefined;
}

const ASSIGNED_IF_EMPTY =
  /^\}?"?\s*\]\]?\s*(?:&&|;\s*then|(?<=\n\s*)then)\s*(?:export\s+)?[A-Z]\w*=([^\s;$]+)/;

/** `const { PORT, HOST = "x" } = process.env`. */
function* findDestructured(code: CodeText, pattern: RegExp): Generator<VariableRead> {
  for (const match of code.find(pattern)) {
    const start = match.index + 1;
    for (const entry of match[1]!.matchAll(/(?:^|,)\s*([A-Z][A-Z0-9_]*)(?:\s*:\s*\w+)?(\s*=)?/g)) {
      const end = start + entry.index + entry[0].length;
      const value = entry[2] ? valueAt(code, end) : undefined;
      const at = start + entry.index + entry[0].indexOf(entry[1]!);
      yield { name: entry[1]!, at, ...defined({ value }) };
    }
  }
}
