import { splitLines } from "./tokens.ts";

/** A program that runs tasks by name: where it keeps them, and how people call them. */
export type Runner = {
  readonly file: RegExp;
  readonly tasks: (text: string) => ReadonlyMap<string, string>;
  readonly call: string;
  /** The calls that can mean nothing else. */
  readonly said: string;
};

export const RUNNERS: readonly Runner[] = [
  {
    file: /(^|\/)package\.json$/,
    tasks: packageScripts,
    call: "(?:npm|pnpm|bun|yarn) run(?:-script)?|(?:pnpm|yarn)",
    said: "(?:npm|pnpm|bun|yarn) run(?:-script)?",
  },
  { file: /(^|\/)(?:GNU)?[Mm]akefile$/, tasks: recipes, call: "make", said: "make" },
  { file: /(^|\/)\.?[Jj]ustfile$/, tasks: recipes, call: "just", said: "just" },
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
