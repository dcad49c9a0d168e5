import { defined } from "../../../text/model/defined.ts";
import type { Region } from "../../../text/model/region.ts";
import type { DocumentPage } from "../../change/change-model.ts";
import { readImports } from "../../change/imports/imports.ts";
import { isCommon, isDistinct } from "../../change/names.ts";
import { commandAt } from "../../pages/command-lines.ts";
import { fileNamesFor, isShell, languageOf, namesBoundBy } from "../../pages/samples.ts";
import {
  firstFrom,
  type Named,
  namesOf,
  readHeadings,
  readStatements,
  type Statement,
} from "../../pages/statements.ts";
import type { Claim } from "../claim.ts";

/** "Call `Client.get`", "`--base`", "`$TOKEN`": the project offers something of this name. */
export type NameClaim = Claim & {
  readonly statement: Statement;
  readonly named: Named;
  readonly role: "flag" | "program" | "command" | "module" | "package" | "feature" | "name";
  /** The name is hardly ever an ordinary word. */
  readonly isShaped: boolean;
  /** The page marks it as a name of the code: ``:class:`Addon` ``, `.. option:: --base`. */
  readonly isMarked?: true;
  /** The page calls it a command: "the `create` command". */
  readonly isTold?: true;
  /** It is a member of something that the sample declares. */
  readonly isOnVariable?: true;
  /** The module from which samples of the page import the name or its owner. */
  readonly module?: string;
};

/** The names that a page writes as code, or that can only be code, and that it does not declare itself. */
export function readNames(page: DocumentPage): readonly NameClaim[] {
  const samples = readSamples(page);
  return [...readStatements(page), ...readHeadings(page)].flatMap((statement) => {
    const text = page.text.slice(statement.region.start, statement.region.end);
    if (PAST.test(text) || (statement.place === "code" && samples.isOutput(statement, text))) return [];
    const specifiers =
      statement.place === "code" ? readSpecifiers(statement, text) : readTaskNames(statement, text);
    const words = [...readWords(statement), ...specifiers, ...readFeatures(statement, text)];
    const taken = new Set(words.flatMap(({ region, role }) => (role === "program" ? [] : region.start)));
    const isInText = statement.place === "code" ? findTexts(statement, text) : () => false;
    const named = statement.names.filter(({ region }) => !taken.has(region.start) && !isInText(region));
    const bare = statement.place === "code" ? [] : readBare(statement, text);
    return [
      ...words,
      ...[...named, ...bare, ...readEscaped(statement, text)].flatMap(
        (one) => claimOf(statement, one, samples) ?? [],
      ),
    ];
  });
}

/** A sentence about the past may name what is gone. What is deprecated, or will be removed, is still there. */
const PAST =
  /\b(?:previously|formerly|no longer|any ?more|used to be|obsolete)\b|\b(?<!will be )(?:renamed|moved|removed|deleted|replaced)\b/i;
/** Variables and constants are written like this, hardly ever words. */
const CAPITALS = /^[A-Z][A-Z0-9]{4,}$/;
const SHORTEST = 4;
/** A role of reStructuredText that names a thing of the code. */
const ROLE =
  /:(?:\w+:)?(?:class|func|meth|attr|exc|data|mod|obj|const|setting|signal|envvar|option|confval|program|command):`[~!]?[\w.]*$/;

const TOLD = /^`+\s+(?:sub)?command\b/;

function claimOf(statement: Statement, named: Named, samples: Samples): NameClaim | null {
  const { page } = statement;
  const { name, region, isFlag, owner } = named;
  if (page.text[region.end] === "/") return null;
  if (name.includes("."))
    return /^[a-z_][\w-]*(?:\.[A-Za-z_][\w-]*)+$/.test(name)
      ? { page, region, statement, named, role: "module", isShaped: true }
      : null;
  const module = samples.moduleOf(owner[0] ?? name) ?? moduleBefore(owner, name);
  const isPlain = owner.length === 0 && module === undefined && !isFlag;
  if (isPlain && (name.length < SHORTEST || isCommon(name))) return null;
  if (samples.declares(statement, name)) return null;
  const isOnVariable = owner[0] !== undefined && samples.declares(statement, owner[0]);
  const isTold =
    statement.place !== "code" &&
    owner.length === 0 &&
    TOLD.test(page.text.slice(region.end, region.end + 16));
  const role = isFlag ? "flag" : isTold ? "command" : "name";
  const isShaped = isDistinct(name) || isFlag || CAPITALS.test(name);
  const isMarked =
    statement.place === "signature" ||
    ROLE.test(page.text.slice(Math.max(0, region.start - 60), region.start));
  return {
    page,
    region,
    statement,
    named,
    role,
    isShaped,
    ...defined({
      isTold: isTold || undefined,
      isMarked: isMarked || undefined,
      isOnVariable: isOnVariable || undefined,
      module,
    }),
  };
}

/**
 * Names that are not marked as code and can be nothing else, `max_retries`, `maxRetries`, `--retries`, or that are set in
 * bold as a term: `**max-retries:**`.
 */
function readBare({ page, names, region: { start } }: Statement, text: string): Named[] {
  const taken = names.map(({ region }) => region);
  return [...text.matchAll(BARE), ...text.matchAll(BOLD)].flatMap((match) => {
    const region = { start: start + match.index, end: start + match.index + match[0].length };
    const isTaken = taken.some((one) => one.start < region.end && region.start < one.end);
    return isTaken || isAddress(page.text, region) ? [] : namesOf(match[0], region.start);
  });
}

const BOLD = /(?<=\*\*)[a-z]\w*(?:-\w+)+(?=:?\*\*)/g;

const BARE =
  /(?<![\w/@#.:\\`-])(?:--[a-z][\w-]{2,}|(?:[A-Za-z_]\w*\.)*[A-Za-z]\w*(?:_\w+|[a-z\d][A-Z]\w*|[A-Z]{2}[a-z]\w*)|[A-Z]{3,}\d{2,})(?![\w/@\\`-])/g;

function isAddress(text: string, { start, end }: Region): boolean {
  return (
    /[\w)]\.$|\]\([^)\s]*$|https?:\S*$/.test(text.slice(Math.max(0, start - 80), start)) ||
    /^\.\w/.test(text.slice(end, end + 2))
  );
}

/** Subpaths of packages that a line of a sample imports: `from "pkg/sub"`, `require("pkg/sub")`, `"example.org/pkg/sub"`. */
function readSpecifiers(statement: Statement, text: string): NameClaim[] {
  const { page, region: all } = statement;
  return Array.from(text.matchAll(SPECIFIER), ({ 0: whole, 1: name = "", index }) => {
    const start = all.start + index + whole.length - name.length;
    const region = { start, end: start + name.length };
    const named: Named = { name, owner: [], region, isFlag: false };
    return { page, region, statement, named, role: "package", isShaped: true };
  });
}

/** Commands whose names have parts, alone in code: `cache:clear`. */
function readTaskNames(statement: Statement, text: string): NameClaim[] {
  const { page, region: all } = statement;
  return Array.from(text.matchAll(/`([a-z][\w-]*(?::[a-z][\w-]*)+)`/g), ({ 1: name = "", index }) => {
    const start = all.start + index + 1;
    const region = { start, end: start + name.length };
    const named: Named = { name, owner: [], region, isFlag: false };
    return { page, region, statement, named, role: "command", isShaped: true, isTold: true };
  });
}

const SPECIFIER =
  /(?:\b(?:from|import|require)\b\s*\(?\s*["']|^\s*(?:[\w.]+\s+)?"(?=\w[\w-]*\.[\w.-]*\/)|\bgo (?:get|install|run)\s+(?:-\S+\s+)*)((?:@[\w.-]+\/)?[a-z][\w.-]*\/[\w./-]+)(?=["'@\s]|$)/g;

/** The extras of a package that a reader installs: `pip install "boat[tls,http2]"`, `boat = { features = ["tls"] }`. */
function readFeatures(statement: Statement, text: string): NameClaim[] {
  const { page, region: all, names } = statement;
  const asked = [...text.matchAll(EXTRAS), ...text.matchAll(FEATURES)];
  return asked.flatMap(({ 0: whole, 1: owner = "", 2: listed = "", index }) => {
    const isCode = names.some(({ region: { end } }) => end === all.start + index + owner.length);
    const from = all.start + index + whole.length - 1 - listed.length;
    return Array.from(isCode ? listed.matchAll(/[\w.-]+/g) : []).map(({ 0: name, index: at }): NameClaim => {
      const region = { start: from + at, end: from + at + name.length };
      const named: Named = { name, owner: [owner], region, isFlag: false };
      return { page, region, statement, named, role: "feature", isShaped: true };
    });
  });
}

const FEATURES = /(?<=^\s*)([A-Za-z][\w-]*)\s*=\s*\{[^{}]*\bfeatures\s*=\s*\[([^\]]*)\]/g;
const EXTRAS = /(?<![\w./@$-])([A-Za-z][\w.-]*)\[([A-Za-z][\w.-]*(?:\s*,\s*[A-Za-z][\w.-]*)*)\]/g;

/** Whether a place of a line is inside a string of several words, which names nothing. */
function findTexts({ region: { start } }: Statement, text: string): (region: Region) => boolean {
  const texts = [...text.matchAll(/(["'`])((?:(?!\1)[^\\]|\\.)*)\1/g)].filter(({ 2: words = "" }) =>
    /\S\s+\S/.test(words),
  );
  return (region) =>
    texts.some(
      ({ 0: all, index }) => start + index <= region.start && region.end <= start + index + all.length,
    );
}

/** Flags of a manual page, whose dashes are escaped. */
function readEscaped({ region: { start } }: Statement, text: string): Named[] {
  return Array.from(text.matchAll(/\\-\\-([a-z][\w]*(?:\\-\w+)*)/g), ({ 0: all, 1: name = "", index }) => ({
    name: name.replaceAll("\\", ""),
    owner: [],
    region: { start: start + index + all.length - name.length, end: start + index + all.length },
    isFlag: true,
  }));
}

/** The words that a command gives its program before any argument could stand: `tool deploy`, `rake db:seed`. */
function readWords(statement: Statement): NameClaim[] {
  const { page, region, place } = statement;
  const first = place === "code" ? region.end : undefined;
  const starts = first === undefined ? statement.names.map(({ region: { end } }) => end) : [first];
  const found = new Map<number, NameClaim>();
  for (const at of starts) {
    const command = commandAt(statement, at);
    if (!command || found.has(command.words - command.program.length)) continue;
    const text = page.text.slice(command.words, command.region.end);
    const own = { start: command.words - command.program.length, end: command.words };
    const program: Named = { name: command.program, owner: [], region: own, isFlag: false };
    found.set(own.start, { page, region: own, statement, named: program, role: "program", isShaped: true });
    for (const match of [...text.matchAll(WORD)].slice(0, MOST_WORDS)) {
      const start = command.words + match.index;
      const word = { start, end: start + match[0].length };
      const named: Named = { name: match[0], owner: [], region: word, isFlag: false };
      found.set(start, { page, region: word, statement, named, role: "command", isShaped: true });
    }
  }
  return [...found.values()];
}

const WORD = /(?<=^\s*|\s)[a-z][\w:.-]*(?=\s|$)/g;
const MOST_WORDS = 4;

/** The module in a whole path of a type: `org.acme.tide` of `org.acme.tide.Store`. */
function moduleBefore(owner: readonly string[], name: string): string | undefined {
  const isPath = owner.length > 1 && /^\p{Lu}/u.test(name) && owner.every((part) => /^[a-z_]\w*$/.test(part));
  return isPath ? owner.join(".") : undefined;
}

type Samples = {
  /** Whether a line of a terminal session is what a program printed. */
  readonly isOutput: (statement: Statement, text: string) => boolean;
  /** Whether the sample of a line declares the name: then it is the reader's own. */
  readonly declares: (statement: Statement, name: string) => boolean;
  /** The module from which a sample of the page imports a name. */
  readonly moduleOf: (name: string) => string | undefined;
};

function readSamples(page: DocumentPage): Samples {
  const modules = new Map<string, string>();
  const sessions: Region[] = [];
  const samples: Region[] = [];
  const declared: ReadonlySet<string>[] = [];
  for (const { kind, language: marked, content } of page.outline().blocks) {
    if (kind !== "code-fence") continue;
    const text = page.text.slice(content.start, content.end);
    if (PROMPT.test(text)) sessions.push(content);
    const language = languageOf(marked, text);
    const [file] = language ? fileNamesFor(language) : [];
    if (!language || !(file || isShell(language))) continue;
    for (const { names, module } of file ? readImports(file, text) : [])
      for (const name of names) modules.set(name, module);
    const names = Array.from(text.matchAll(DECLARED), (match) => match[1]!);
    samples.push(content);
    declared.push(new Set([...names, ...namesBoundBy({ text, language })]));
  }
  return {
    isOutput: ({ region: { start } }, text) =>
      !PROMPT.test(text) && sessions.some((session) => session.start <= start && start <= session.end),
    moduleOf: (name) => modules.get(name),
    declares: (statement, name) => {
      if (statement.place !== "code") return false;
      const { start } = statement.region;
      const at = firstFrom(samples, start + 1) - 1;
      return at >= 0 && start <= samples[at]!.end && declared[at]!.has(name);
    },
  };
}

const PROMPT = /^[ \t]*(?:[$%]|>>?>?|\.\.\.)\s/m;

/** `class Name`, `def name`, `fn name`: declarations of the common languages. `import { type Name }` declares nothing. */
const DECLARED =
  /\b(?:class|def|func|fn|fun|function|interface|struct|trait|(?<!import\s+|[{,]\s*)type|enum|module)\s+([\p{L}_$][\w$]*)/gu;
