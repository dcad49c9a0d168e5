import type { Region } from "../../text/model/region.ts";
import type { DocumentPage } from "../change/change-model.ts";
import { isKeyword } from "../change/names.ts";
import { lineAt } from "./page.ts";
import { firstFrom, type Statement } from "./statements.ts";

/** A command as a page shows it: the program, and where the words after it are. */
export type CommandLine = { readonly program: string; readonly region: Region; readonly words: number };

const SHELLS = new Set([
  "",
  "sh",
  "bash",
  "zsh",
  "shell",
  "console",
  "fish",
  "shell-session",
  "terminal",
  "text",
]);
/** Words of the shell itself: what follows them belongs to no program. */
const BUILT_IN = new Set(["export", "set", "unset", "declare", "echo", "printf", "source", "alias", "cd"]);
/** Words before the program: a prompt, another user, variables, programs that start another one. */
const LEADERS =
  /^(?:[$>%#]\s+|sudo\s+|env\s+|exec\s+|time\s+|npx\s+(?:-\S+\s+)*|bunx\s+|pnpm\s+(?:dlx|exec)\s+|bundle\s+exec\s+|uv\s+run\s+|uvx\s+|poetry\s+run\s+|php\s+|python3?\s+(?:-m\s+)?|[A-Z_][A-Z0-9_]*=\S*\s+)+/;

/** An assignment, an arrow, a call or the end of a statement after the first word: code, and no command. */
const CODE = /^\S+\s+(?:[-+*/:]?=|=>|->|:)\s|^[^"'$]*\w\(|[;{]\s*$/;

/** The command that a line of a shell sample, or a piece of inline code, shows. */
export function commandAt(statement: Statement, at: number): CommandLine | null {
  const { page, region, place } = statement;
  const shown = place === "code" ? (isShell(page, region.start) ? region : null) : spanAround(statement, at);
  if (!shown) return null;
  const text = page.text.slice(shown.start, shown.end);
  const lead = LEADERS.exec(text.trimStart())?.[0].length ?? 0;
  const start = text.length - text.trimStart().length + lead;
  if (CODE.test(text.slice(start))) return null;
  const program = /^[\w./@-]+(?=\s)/.exec(text.slice(start))?.[0];
  if (!program || BUILT_IN.has(program) || program.startsWith("-") || !/\s/.test(text.slice(start).trim()))
    return null;
  if (isKeyword(program) || CODE.test(text.slice(start))) return null;
  const name = program.slice(program.lastIndexOf("/") + 1);
  const words = shown.start + start + program.length;
  return at < words ? null : { program: name, region: shown, words };
}

function isShell(page: DocumentPage, start: number): boolean {
  const { language = "" } = page.read().lines[lineAt(page.read(), start)] ?? {};
  return SHELLS.has(language.toLowerCase());
}

/** The inline code around an offset. */
function spanAround({ page, region }: Statement, at: number): Region | null {
  const { lines } = page.read();
  const line = lines[lineAt(page.read(), Math.max(at, region.start))]!;
  const span = line.spans[firstFrom(line.spans, at - line.start + 1) - 1];
  return span && at <= line.start + span.end
    ? { start: line.start + span.start, end: line.start + span.end }
    : null;
}

const DATA = new Set(["json", "jsonc", "json5", "yaml", "yml", "toml"]);
const MOST_LINES = 200;

/** The key above a key of a data sample, by indentation; null at the top, `undefined` outside such samples. */
export function parentKeyAt(statement: Statement, at: number): string | null | undefined {
  const { page, place } = statement;
  if (place !== "code") return undefined;
  const { lines } = page.read();
  const line = lineAt(page.read(), at);
  const here = lines[line]!;
  if (!DATA.has((here.language ?? "").toLowerCase())) return undefined;
  let indent = here.text.search(/\S/);
  for (
    let above = line - 1;
    above >= 0 && above > line - MOST_LINES && lines[above]!.place === "code";
    above--
  ) {
    const { text } = lines[above]!;
    const own = text.search(/\S/);
    const table = /^\s*\[+([\w.$-]+)\]+/.exec(text);
    if (own < 0 || (own >= indent && !table) || /^\s*#/.test(text)) continue;
    const key = KEY.exec(text) ?? table;
    if (key) return key[1]!.split(".").at(-1)!;
    indent = own;
  }
  return null;
}

/** The keys at the top of a data sample, where a place is one of them; none elsewhere. */
export function siblingKeysAt(statement: Statement, at: number): readonly string[] {
  if (parentKeyAt(statement, at) !== null) return [];
  const { lines } = statement.page.read();
  const here = lineAt(statement.page.read(), at);
  const indent = lines[here]!.text.search(/\S/);
  const keys: string[] = [];
  for (const step of [-1, 1])
    for (let line = step < 0 ? here - 1 : here; Math.abs(line - here) < MOST_LINES; line += step) {
      const text = lines[line]?.place === "code" ? lines[line]!.text : null;
      if (text === null) break;
      const key = text.search(/\S/) === indent ? KEY.exec(text)?.[1] : undefined;
      if (key !== undefined) keys.push(key.split(".").at(-1)!);
    }
  return keys;
}

const KEY = /^\s*(?:-\s+)?["']?([\w$.-]+)["']?\s*[:=]/;
