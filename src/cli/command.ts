import { exit } from "../wording/exit-code.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** One option of a command; without `value` it is a flag. */
export type Option = {
  readonly name: string;
  readonly short?: string;
  /** The name of the value in help. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly integer?: boolean;
  readonly text: string;
};

export type Group = "edit" | "history" | "documentation" | "serve";

/** A command of `suture`, with everything that help, completion and the reference page need. */
export type Command = {
  readonly name: string;
  readonly group: Group;
  /** One line for the list of commands. */
  readonly summary: string;
  /** The arguments after the name, one line for each way to call it. */
  readonly usage: readonly string[];
  /** Fewest and most operands. */
  readonly operands: readonly [number, number];
  readonly options: readonly Option[];
  /** It always prints JSON, as with `--json`. */
  readonly onlyJson?: true;
  /** A comment and a command line each. */
  readonly examples: readonly (readonly [string, string])[];
  /** Returns the exit code. */
  readonly run: (call: Call) => Promise<number>;
};

/** A command without its work: as much as help and completion need, and cheap to load. */
export type Description = Omit<Command, "run">;

/** One call of a command, with parsed arguments. */
export type Call = {
  readonly operands: readonly string[];
  readonly options: Options;
  readonly terminal: Terminal;
};

export type Options = Readonly<Record<string, string | true | undefined>>;

export { exit };

export function isSet(options: Options, name: string): boolean {
  return options[name] !== undefined;
}

export function textOf(options: Options, name: string): string | undefined {
  const value = options[name];
  return value === true ? undefined : value;
}

export function numberOf(options: Options, name: string): number | undefined {
  const value = textOf(options, name);
  return value === undefined ? undefined : Number(value);
}

/** Options that every command takes. */
export const globalOptions: readonly Option[] = [
  { name: "root", value: "DIR", text: "the folder to work in (the current one)" },
  { name: "json", text: "print one JSON value on standard output and nothing else there" },
  { name: "quiet", short: "q", text: "print nothing but errors" },
  { name: "verbose", short: "v", text: "show stack traces and details" },
  { name: "help", short: "h", text: "explain the command" },
];

/** Options of the commands that write. */
export const writing: readonly Option[] = [
  { name: "reason", short: "m", value: "TEXT", text: "why; kept in the journal" },
  { name: "base-version", value: "V", text: "the version that the edit was made for, as `read` shows it" },
  { name: "dry-run", short: "n", text: "show the change and write nothing" },
  {
    name: "consent",
    value: "LIST",
    text: "sensitive files that may be written: manifests, locks, ci, build, settings, …, all, or globs",
  },
  { name: "force", text: "write although a check or another task objects" },
  { name: "yes", short: "y", text: "answer every question with yes" },
  { name: "task", value: "NAME", text: "the task the edit belongs to" },
  { name: "run", value: "NAME", text: "the run the task belongs to" },
  { name: "author", value: "NAME", text: "who makes the edit" },
];
