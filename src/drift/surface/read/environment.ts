import type { Thing } from "../thing.ts";
import type { CodeText } from "./code-text.ts";

/** The environment variables that a source file reads, each once, with the default if the call names one. */
export function readEnvironment(code: CodeText): Thing[] {
  const found = new Map<string, Thing>();
  for (const { name, at, value } of findReads(code)) {
    if (found.has(name) || !/^[A-Za-z_]\w+$/.test(name) || isOfSystem(name)) continue;
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
      const value = fallback(code, at + name.length);
      yield { name, at, ...(value !== undefined && { value }) };
    }
  }
  for (const pattern of calls) {
    for (const call of code.calls(pattern)) {
      const [first, second] = call.arguments;
      if (first?.string === undefined) continue;
      const value = second && second.name !== "encoding" ? second.text : fallback(code, call.end);
      yield { name: first.string, at: first.start, ...(value !== undefined && { value }) };
    }
  }
  if (destructured) yield* findDestructured(code, destructured);
}

/** `process.env.PORT ?? 80`. */
function fallback(code: CodeText, end: number): string | undefined {
  const match = /^\s*(?:\?\?|\|\||\?:)\s*(["'`]?)/.exec(code.code.slice(end, end + 40));
  if (!match) return undefined;
  const from = end + match[0].length - match[1]!.length;
  const value = /^(?:(["'`])\u0001*\1|-?[\w.]+)/.exec(code.code.slice(from, from + 200))?.[0];
  return value === undefined ? undefined : code.text.slice(from, from + value.length);
}

/** `const { PORT, HOST = "x" } = process.env`. */
function* findDestructured(code: CodeText, pattern: RegExp): Generator<VariableRead> {
  for (const match of code.find(pattern)) {
    const start = match.index + 1;
    for (const name of match[1]!.matchAll(/(?:^|,)\s*([A-Z][A-Z0-9_]*)/g))
      yield { name: name[1]!, at: start + name.index + name[0].length - name[1]!.length };
  }
}
