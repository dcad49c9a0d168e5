import { codeName, controls, replaceHidden } from "../../text/characters/invisible-characters.ts";
import { defined } from "../../text/model/defined.ts";
import { type EditorText, editText } from "./editor.ts";
import { type LiveArea, openLiveArea } from "./live-area.ts";
import { isTerminal, StandardStream } from "./standard-stream.ts";

/** The output of a command: results go to standard output, everything else to standard error. */
export type Terminal = {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** Colours may be used on standard output. */
  readonly colour: boolean;
  /** Standard output is a terminal, so control characters must not reach it. */
  readonly watched: boolean;
  /** How many columns a line of standard output may take. */
  readonly columns: number;
  /** Result text; silent when quiet. Control characters in it are made visible. */
  print(text: string): void;
  /** Result text that has been made visible and painted already. */
  printPainted(text: string): void;
  /** Bytes for another program, exactly as they are. */
  printExactly(text: string | Uint8Array): void;
  /** The one JSON value of a call with `--json`. */
  printJson(value: unknown): void;
  /** Progress and remarks; silent when quiet. */
  remark(text: string): void;
  /** Prints an error. */
  complain(text: string): void;
  /** Asks a person; undefined where no person can answer. */
  ask(question: string): Promise<string | undefined>;
  /** Lets a person change a text in an editor; undefined where no person can, or the editor fails. */
  edit(text: EditorText): Promise<string | undefined>;
  /** Lines that are redrawn in place below all other output; only where standard error is a terminal. */
  readonly live?: (lines: readonly string[]) => void;
};

export type TerminalOptions = {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
};

export function openTerminal({ json, quiet, verbose }: TerminalOptions): Terminal {
  const [stdout, stderr] = [new StandardStream(1), new StandardStream(2)];
  const isWatchedOutput = stdout.isTerminal;
  const colour = wantsColour(process.env, isWatchedOutput);
  const say = (text: string): void => above(() => stderr.write(`${visible(text)}\n`));
  const printPainted = (text: string): void => {
    if (!quiet && !json) above(() => stdout.write(`${text}\n`));
  };
  let area: LiveArea | undefined;
  const above = (write: () => void): void => (area ? area.above(write) : write());
  const live = (lines: readonly string[]): void => {
    area ??= openLiveArea(process.stderr);
    area.show(lines);
  };
  const isWatched = !quiet && process.env.TERM !== "dumb" && stderr.isTerminal;
  return {
    json,
    quiet,
    verbose,
    colour,
    watched: colour || isWatchedOutput,
    get columns() {
      return (isWatchedOutput && process.stdout.columns) || usualColumns;
    },
    print: (text) => printPainted(visible(text)),
    printPainted,
    printExactly: (text) => above(() => stdout.write(text)),
    printJson: (value) => above(() => stdout.write(`${plainJson(value)}\n`)),
    remark: (text) => {
      if (!quiet) say(text);
    },
    complain: say,
    edit: async (text) => {
      if (!isPerson()) return undefined;
      return area ? area.aside(() => editText(text)) : editText(text);
    },
    ask: async (question) => {
      if (!isPerson()) return undefined;
      const ask = () => askPerson(visible(question));
      return area ? area.aside(ask) : ask();
    },
    ...defined({ live: isWatched ? live : undefined }),
  };
}

const usualColumns = 100;

/** A person can be asked: both sides of the conversation are a terminal. */
function isPerson(): boolean {
  return isTerminal(0) && isTerminal(2);
}

/** `FORCE_COLOR` beats `NO_COLOR` beats the kind of terminal. */
export function wantsColour(env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean {
  if (env.FORCE_COLOR !== undefined) return !/^(0|false)$/.test(env.FORCE_COLOR);
  if (env.NO_COLOR) return false;
  return isTerminal && env.TERM !== "dumb";
}

/** Text in which nothing can move the cursor, ring the bell, recolour, reorder or hide anything. */
export function visible(text: string): string {
  const pictured = text.replace(/\r\n/g, "\n").replace(controls, (control) => {
    const code = control.charCodeAt(0);
    return String.fromCharCode(code === 0x7f ? 0x2421 : 0x2400 + code);
  });
  return replaceHidden(pictured, (character) => `<${codeName(character.codePointAt(0)!)}>`);
}

/** The same on one line, so that a name cannot look like a separate line. */
export function visibleOnLine(text: string): string {
  return visible(text).replace(/[\t\n]/g, (one) => String.fromCharCode(0x2400 + one.charCodeAt(0)));
}

async function askPerson(question: string): Promise<string> {
  const { createInterface } = process.getBuiltinModule("node:readline/promises");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await lines.question(`${question} `)).trim().toLowerCase();
  } finally {
    lines.close();
  }
}

/** JSON in which characters that act on a terminal are escaped; those below a space are so already. */
function plainJson(value: unknown): string {
  return JSON.stringify(value, null, 2)?.replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
