import { composerJson } from "../../syntax/manifests/composer-json.ts";
import { denoJson } from "../../syntax/manifests/deno-json.ts";
import { gradle } from "../../syntax/manifests/gradle.ts";
import type { Manifest } from "../../syntax/manifests/item.ts";
import { pyproject } from "../../syntax/manifests/pyproject.ts";
import { justfile } from "../../syntax/manifests/tasks/justfile.ts";
import { noxfile } from "../../syntax/manifests/tasks/noxfile.ts";
import { rakefile } from "../../syntax/manifests/tasks/rakefile.ts";
import { taskfile } from "../../syntax/manifests/tasks/taskfile.ts";
import { parseJson } from "../../text/model/json.ts";
import { splitLines } from "./tokens.ts";

/** A program that runs tasks by name: the files that define them, and the commands that run them. */
export type Runner = {
  readonly file: RegExp;
  readonly tasks: (text: string) => ReadonlyMap<string, string>;
  readonly call: string;
  /** The commands that are unambiguous. */
  readonly said: string;
  /** Whether it also runs names that its file does not list. */
  readonly isOpen?: boolean;
  /** Whether a file accepts any task name, or includes files that may define more. */
  readonly takesAny?: (text: string) => boolean;
  /** Files from which a program generates the task file, so that the repository does not list all tasks. */
  readonly madeFrom?: RegExp;
};

/** Options that select the package of a script. */
const WORKSPACE =
  "(?: (?:-[FCw]|--(?:filter|dir|cwd|prefix|workspace))[ =]\\S+| -[rw]| --(?:recursive|workspaces))*";

export const RUNNERS: readonly Runner[] = [
  {
    file: /(^|\/)package\.json$/,
    tasks: packageScripts,
    call: `(?:npm|pnpm|bun|yarn)${WORKSPACE} run(?:-script)?|(?:pnpm|yarn)${WORKSPACE}|yarn workspace \\S+`,
    said: "(?:npm|pnpm|bun|yarn) run(?:-script)?",
  },
  {
    file: /(^|\/)(?:GNU)?[Mm]akefile$/,
    tasks: recipes,
    call: "make",
    said: "make",
    takesAny: (text) => /^(?:%|\.DEFAULT)\s*:|^-?include\s/m.test(text),
    madeFrom: /(^|\/)(?:Makefile\.(?:am|in|PL)|CMakeLists\.txt|configure(?:\.ac|\.in)?)$/i,
  },
  {
    file: /(^|\/)\.?[Jj]ustfile$/,
    tasks: (text) => new Map([...scriptsOf(justfile, text), ...recipes(text)]),
    call: "just",
    said: "just",
  },
  {
    file: /(^|\/)(?:tox\.(?:ini|toml)|setup\.cfg|pyproject\.toml)$/,
    tasks: environments,
    call: "tox (?:run )?(?:-e|-e=|--env)",
    said: "tox (?:run )?-e",
    isOpen: true,
  },
  {
    ...fromManifest(taskfile, "task"),
    takesAny: (text) => /^includes\s*:/m.test(text),
  },
  fromManifest(composerJson, "composer run(?:-script)?|composer"),
  fromManifest(denoJson, "deno task"),
  fromManifest(noxfile, "nox (?:-s|-e|--sessions?)"),
  fromManifest(rakefile, "rake"),
  fromManifest(gradle, "(?:\\./)?gradlew?"),
  fromManifest(pyproject, "(?:poe|(?:uv|poetry|pdm|hatch|rye|pixi) run(?: poe)?)"),
];

/** A runner whose tasks a manifest reader finds. It may also run built-in tasks, or tasks of plugins. */
function fromManifest(manifest: Manifest, call: string): Runner {
  return { file: manifest.files, tasks: (text) => scriptsOf(manifest, text), call, said: call, isOpen: true };
}

/** The tasks of a manifest, each with the text next to its name. */
function scriptsOf({ read, name }: Manifest, text: string): Map<string, string> {
  return new Map(
    read(text, name).flatMap(({ kind, key, value }) =>
      kind === "script" || kind === "bin" ? [[key, value]] : [],
    ),
  );
}

function packageScripts(text: string): Map<string, string> {
  const scripts = (parseJson(text) as { scripts?: unknown } | null | undefined)?.scripts;
  if (typeof scripts !== "object" || scripts === null) return new Map();
  return new Map(Object.entries(scripts).filter(([, command]) => typeof command === "string"));
}

/** The targets of a Makefile or the recipes of a justfile with their commands; a line may name several targets. */
function recipes(text: string): Map<string, string> {
  const found = new Map<string, string>();
  let names: readonly string[] = [];
  for (const line of splitLines(text)) {
    const head = /^@?([A-Za-z][^:=#]*?)\s*:(?!=)/.exec(line)?.[1];
    if (head) {
      names = head.split(/\s+/).filter((name) => /^[A-Za-z][\w./-]*$/.test(name));
      for (const name of names) found.set(name, "");
    } else if (/^\s+\S/.test(line))
      for (const name of names) found.set(name, `${found.get(name)!}${line.trim()}\n`);
    else if (line.trim()) names = [];
  }
  return found;
}

/** The sections `[testenv:name]` and `[env.name]` of tox, and the factors of its list, which need no section. */
function environments(text: string): Map<string, string> {
  const found = new Map<string, string>();
  const listed = /^env_?list\s*=((?:.*\n?)(?:[ \t]+\S.*\n?)*)/m.exec(text)?.[1] ?? "";
  for (const name of listed.split(/[\s,{}[\]"']+/)) if (name) found.set(name, "");
  for (const [, name = "", body = ""] of text.matchAll(
    /^\[(?:testenv:|(?:tool\.tox\.)?env\.)([\w.-]+)\]\n((?:(?!\[).*\n?)*)/gm,
  ))
    found.set(name, body.trim());
  return found;
}
