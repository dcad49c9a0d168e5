import type { Thing } from "../thing.ts";
import { fallbackOf } from "../values/fallback.ts";
import { valueAt } from "../values/value-text.ts";
import type { CallText, CodeText } from "./code-text.ts";

/** The environment variables that a source file reads, each once, with the default if the file has one. */
export function readEnvironment(code: CodeText): Thing[] {
  const found = new Map<string, Thing>();
  for (const { name, at, value } of findReads(code)) {
    if (!/^[A-Za-z_]\w+$/.test(name) || isOfSystem(name)) continue;
    if (found.get(name)?.value !== undefined || (found.has(name) && value === undefined)) continue;
    found.set(name, code.thing({ kind: "environment", name, at, ...(value !== undefined && { value }) }));
  }
  return [...found.values()];
}

type VariableRead = { readonly name: string; readonly at: number; readonly value?: string };

/** Variables that the system, the runtime or the bundler sets: no project offers them. */
const SYSTEM: ReadonlySet<string> = new Set(
  "PATH HOME USER USERNAME LOGNAME SHELL PWD OLDPWD TMPDIR TMP TEMP LANG LC_ALL TERM DISPLAY APPDATA LOCALAPPDATA USERPROFILE PATHEXT COMSPEC SYSTEMROOT WINDIR ProgramFiles HOSTNAME CI NODE_ENV MODE DEV PROD SSR BASE_URL".split(
    " ",
  ),
);

/** XDG names are a standard of the desktop: libraries read them too. */
function isOfSystem(name: string): boolean {
  return SYSTEM.has(name) || name.startsWith("XDG_");
}

function* findReads(code: CodeText): Generator<VariableRead> {
  const { names = [], calls = [], destructured } = code.libraries.environment ?? {};
  for (const pattern of names) {
    for (const match of code.find(pattern)) {
      const name = match[1]!;
      const at = match.index + match[0].lastIndexOf(name);
      const value =
        code.language === "bash"
          ? expansionDefault(code, at + name.length)
          : fallbackOf(code, { start: match.index, end: at + name.length });
      yield { name, at, ...(value !== undefined && { value }) };
    }
  }
  for (const pattern of calls) {
    for (const call of code.calls(pattern)) {
      const name = call.arguments[0];
      if (name?.string === undefined) continue;
      const value = givenDefault(call) ?? fallbackOf(code, call);
      yield { name: name.string, at: name.start, ...(value !== undefined && { value }) };
    }
  }
  if (destructured) yield* findDestructured(code, destructured);
}

/** `os.getenv("PORT", "80")`, `env.int("PORT", default=80)`. */
function givenDefault({ arguments: [, ...others] }: CallText): string | undefined {
  const named = others.find(({ name }) => name === "default");
  return (named ?? others.find(({ name }) => name === undefined))?.text;
}

/** `${PORT:-3000}`, `${PORT:=3000}`, `${PORT-3000}`; `[ -z "$PORT" ] && PORT=3000`. */
function expansionDefault(code: CodeText, end: number): string | undefined {
  const rest = code.text.slice(end, end + 200);
  const value = /^:?[-=]([^{}$\n]*)\}/.exec(rest) ?? ASSIGNED_IF_EMPTY.exec(rest);
  return value?.[1]?.replace(/^(["'])(.*)\1$/, "$2") || undefined;
}

const ASSIGNED_IF_EMPTY = /^\}?"?\s*\]\]?\s*(?:&&|;\s*then|\n\s*then)\s*(?:export\s+)?[A-Z]\w*=([^\s;$]+)/;

/** `const { PORT, HOST = "x" } = process.env`. */
function* findDestructured(code: CodeText, pattern: RegExp): Generator<VariableRead> {
  for (const match of code.find(pattern)) {
    const start = match.index + 1;
    for (const entry of match[1]!.matchAll(/(?:^|,)\s*([A-Z][A-Z0-9_]*)(?:\s*:\s*\w+)?(\s*=)?/g)) {
      const end = start + entry.index + entry[0].length;
      const value = entry[2] ? valueAt(code, end) : undefined;
      const at = start + entry.index + entry[0].indexOf(entry[1]!);
      yield { name: entry[1]!, at, ...(value !== undefined && { value }) };
    }
  }
}
