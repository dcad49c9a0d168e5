import { splitLines } from "./tokens.ts";

/** A program that runs tasks by name: where it keeps them, and how people call them. */
export type Runner = {
  readonly file: RegExp;
  readonly tasks: (text: string) => ReadonlyMap<string, string>;
  readonly call: string;
  /** The calls that can mean nothing else. */
  readonly said: string;
  /** Whether it also runs names that its file does not list. */
  readonly isOpen?: boolean;
  /** Whether a file takes any name for a task, or includes files that may have more. */
  readonly takesAny?: (text: string) => boolean;
};

export const RUNNERS: readonly Runner[] = [
  {
    file: /(^|\/)package\.json$/,
    tasks: packageScripts,
    call: "(?:npm|pnpm|bun|yarn) run(?:-script)?|(?:pnpm|yarn)",
    said: "(?:npm|pnpm|bun|yarn) run(?:-script)?",
  },
  {
    file: /(^|\/)(?:GNU)?[Mm]akefile$/,
    tasks: recipes,
    call: "make",
    said: "make",
    takesAny: (text) => /^(?:%|\.DEFAULT)\s*:|^-?include\s/m.test(text),
  },
  { file: /(^|\/)\.?[Jj]ustfile$/, tasks: recipes, call: "just", said: "just" },
  {
    file: /(^|\/)tox\.ini$/,
    tasks: environments,
    call: "tox (?:run )?(?:-e|-e=|--env)",
    said: "tox (?:run )?-e",
    isOpen: true,
  },
];

function packageScripts(text: string): Map<string, string> {
  let scripts: unknown;
  try {
    scripts = (JSON.parse(text) as { scripts?: unknown } | null)?.scripts;
  } catch {
    return new Map();
  }
  if (typeof scripts !== "object" || scripts === null) return new Map();
  return new Map(Object.entries(scripts).filter(([, command]) => typeof command === "string"));
}

function recipes(text: string): Map<string, string> {
  const found = new Map<string, string>();
  let name: string | undefined;
  for (const line of splitLines(text)) {
    const head = /^([A-Za-z][\w-]*)(?:\s[^:=]*)?:(?!=)/.exec(line)?.[1];
    if (head) {
      name = head;
      found.set(name, "");
    } else if (name && /^\s+\S/.test(line)) found.set(name, `${found.get(name)!}${line.trim()}\n`);
    else if (line.trim()) name = undefined;
  }
  return found;
}

/** The sections `[testenv:name]` of tox, and the factors of `envlist`, which need no section. */
function environments(text: string): Map<string, string> {
  const found = new Map<string, string>();
  const listed = /^envlist\s*=((?:.*\n?)(?:[ \t]+\S.*\n?)*)/m.exec(text)?.[1] ?? "";
  for (const name of listed.split(/[\s,{}]+/)) if (name) found.set(name, "");
  for (const [, name = "", body = ""] of text.matchAll(/^\[testenv:([\w.-]+)\]\n((?:(?!\[).*\n?)*)/gm))
    found.set(name, body.trim());
  return found;
}
