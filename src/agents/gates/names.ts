import { fold } from "../../drift/change/names.ts";
import { gateText } from "../../wording/agents.ts";
import type { KnownFacts } from "./known-facts.ts";
import { isOfNode, isPlain, isStandard, isStandardConstant } from "./names/standard-names.ts";
import type { DraftedPage, GateVerdict } from "./objection.ts";
import { findChanges } from "./section/changes.ts";
import { isInsideFence, type Piece } from "./section/pieces.ts";

/** A name in new text, and how it stands there. */
export type WrittenName = {
  readonly kind: "flag" | "variable" | "name" | "file" | "package" | "member";
  readonly text: string;
  readonly isSample?: true;
  /** It is written as a call. */
  readonly isCall?: boolean;
  /** An entry, a row or a heading begins with it: it is what they are about. */
  readonly isSubject?: boolean;
  /** A label of reStructuredText, which any page may define. */
  readonly isLabel?: boolean;
};

/**
 * Names, flags, variables, files and packages in new text must come from the old page, from an example beside them, from
 * a standard library or from the repository. The objection names the invented ones.
 */
export function checkNames({ path, before, after }: DraftedPage, facts: KnownFacts): Partial<GateVerdict> {
  const old = before ?? "";
  const { added } = findChanges({ path, before: old, after });
  const isExample = examplesIn(added);
  const unknown = new Map<string, Exclude<WrittenName["kind"], "member">>();
  for (const name of namesIn(added)) {
    const { kind, text } = name;
    if (kind === "member" || unknown.has(text) || old.includes(text) || exists(name, facts)) continue;
    if (before !== null && kind === "name" && isExample(name)) continue;
    unknown.set(text, kind);
    if (unknown.size === mostNames) break;
  }
  const details = [...unknown].map(([text, kind]) => ({ path, detail: gateText.unknownName(kind, text) }));
  if (facts.complete) return { objections: details.map((one) => ({ gate: "names", ...one })) };
  return { risks: details.map((one) => ({ what: "unknown name", ...one })) };
}

const mostNames = 20;

function exists({ kind, text, isSample, isLabel }: WrittenName, facts: KnownFacts): boolean {
  // A program may write a file that the repository has not, and a sample may have one of the reader's.
  if (kind === "file")
    return isFile(text, facts) || facts.holds(text) || (isSample === true && isReadersFile(text, facts));
  if (kind === "package") return facts.knowsPackage(text);
  if (isPlain(text) || isStandardConstant(text) || (isLabel === true && facts.documents(text))) return true;
  return facts.knows(text.replace(/^-+/, ""));
}

/** A file in a sample may be one of the reader's: in a folder that the repository has not, or that every project has. */
function isReadersFile(path: string, facts: KnownFacts): boolean {
  const [folder = ""] = path.split("/", 1);
  return folder.startsWith(".") || !facts.hasFolder(folder);
}

/** What is known where a model was shown a part of the repository. */
export type ShownNames = {
  readonly added: readonly Piece[];
  readonly shown: string;
  /** The page above the section. Its names may be used again; an entry needs a name that was shown. */
  readonly above?: string | undefined;
  readonly knows: (name: string) => boolean;
  readonly documents?: ((name: string) => boolean) | undefined;
  /** Whether a name is one of a function. */
  readonly calls?: ((name: string) => boolean) | undefined;
};

/**
 * Names in new text that the model was not shown. In prose, a name that both code and other pages use may be mentioned;
 * in a sample, one that the code has.
 */
export function findUnseenNames({ added, shown, above = "", knows, documents, calls }: ShownNames): string[] {
  const seen = new Set(wordsOf(shown));
  const onPage = new Set(wordsOf(above));
  const isExample = examplesIn(added);
  const isUsed = ({ text, isSample, isCall }: WrittenName): boolean =>
    fold(text) !== "" &&
    (onPage.has(fold(text)) || (knows(text) && (isSample === true || (documents?.(text) ?? false)))) &&
    (isCall !== true || (calls?.(text) ?? true));
  const unseen = namesIn(added).filter((name) => {
    const { kind, text, isSubject, isLabel } = name;
    if (kind !== "name" && kind !== "member" && (kind !== "variable" || name.isSample)) return false;
    if (seen.has(fold(text)) || isStandard(text) || isExample(name)) return false;
    if (isLabel === true && (documents?.(text) ?? false)) return false;
    // An entry is about a thing of the change. Other things may be mentioned in it.
    return isSubject === true || !isUsed(name);
  });
  return [...new Set(unseen.map(({ text }) => text))];
}

/** How a name may stand in a line of code. */
type Role = "method" | "key" | "set" | "quoted" | "word";

/**
 * Whether a name is one of an example's own: in prose, a word that the examples beside it have without calling it or
 * setting it; in a sample, one that it has in two roles, as it declares and uses it.
 */
function examplesIn(added: readonly Piece[]): (name: WrittenName) => boolean {
  const samples = added.filter(isInsideFence);
  const roles = new Map<string, Set<Role>>();
  for (const { text, block } of samples)
    for (const [name, role] of rolesIn(text)) {
      const key = `${block} ${name}`;
      roles.set(key, (roles.get(key) ?? new Set()).add(role));
    }
  const declared = new Set(
    [...roles].flatMap(([key, own]) => (own.size > 1 ? [key.slice(key.indexOf(" ") + 1)] : [])),
  );
  const lines = added.filter((piece) => !isInsideFence(piece)).flatMap(({ text }) => linesInSpans(text));
  const free = new Set(
    [...samples.map(({ text }) => text), ...lines].flatMap((line) =>
      rolesIn(line).flatMap(([name, role]) => (role === "word" ? [fold(name)] : [])),
    ),
  );
  return ({ text, isSample }) => declared.has(text) || (isSample !== true && free.has(fold(text)));
}

/** Command lines, paths and quoted values in inline code, without the names of calls: examples of a reader's own words. */
function linesInSpans(text: string): string[] {
  return Array.from(text.matchAll(/(`{1,2})(?!`)([^`\n]{1,200})\1/g), ([, , code]) => code!.trim())
    .filter((code) => /[\s/"']/.test(code))
    .map((code) => code.replace(/(?<![\p{L}\p{N}_$])[\p{L}\p{N}_$]+\s*\(/gu, "("));
}

/** The names of a line of code: called methods, keys, keyword arguments, variables that are set, and other words. */
function rolesIn(text: string): [string, Role][] {
  // A sample may stand in a quotation.
  const line = text.replace(/^[\s>]+/, "");
  const code = line.replace(/(["'`])(?:\\.|(?!\1|\\).)*\1/g, "''").replace(/(?:\/\/|#\s).*$/, "");
  const found: [string, Role][] = [];
  for (const [shape, role] of roleShapes)
    for (const { groups } of (role === "quoted" ? line : code).matchAll(shape))
      found.push([groups!.name!, role]);
  const bound = new Set(found.map(([name]) => name));
  const values = Array.from(line.matchAll(/(["'])((?:(?!\1).)*)\1(?!\s*:)/g), ([, , value]) => value!);
  const words = [
    ...(line.match(/(?<![\p{L}\p{N}_$.-])[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []),
    ...values.flatMap((value) => value.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []),
  ];
  return [...found, ...words.flatMap((word): [string, Role][] => (bound.has(word) ? [] : [[word, "word"]]))];
}

const roleShapes: readonly (readonly [RegExp, Role])[] = [
  [/(?:\.|::|->)(?<name>[\p{L}_$][\p{L}\p{N}_$]{2,})\s*\(/gu, "method"],
  [/(?:^(?:-\s+)?|[{,(]\s*|^\s+)(?<name>[\p{L}_$][\p{L}\p{N}_$]{2,})\s*\??:(?!:)/gu, "key"],
  [/(?:^(?:-\s+)?|[{,(]\s*|^\s+)(?<name>[\p{L}_$][\p{L}\p{N}_$]{2,})\s*=(?![=>])/gu, "set"],
  [/(["'])(?<name>[\p{L}_$][\p{L}\p{N}_$-]{2,})\1\s*:/gu, "quoted"],
  [/(?<![\w$.-])(?<name>[A-Z][A-Z0-9]*(?:_[A-Za-z0-9]+)+)=/g, "set"],
];

/** The names in new sentences, rows and lines of code: in inline code, in samples, and flags anywhere. */
function namesIn(added: readonly Piece[]): WrittenName[] {
  return added.flatMap((piece) =>
    isInsideFence(piece) ? namesOfSample(piece.text) : namesOfProse(piece.text),
  );
}

function namesOfSample(line: string): WrittenName[] {
  const members = rolesIn(line).filter(([, role]) => role !== "word");
  return [
    ...namesInCode(line).map((name): WrittenName => ({ ...name, isSample: true })),
    ...members.map(([text]): WrittenName => ({ kind: "member", text, isSample: true })),
  ];
}

function namesOfProse(text: string): WrittenName[] {
  const subject = subjectShape.exec(text)?.[0].length ?? 0;
  const names: WrittenName[] = findFlags(text.replace(spanShape, " "));
  for (const { 0: span, 1: ticked, 2: element, index } of text.matchAll(spanShape)) {
    const isLabel = /:(?:ref|doc|term|numref):$/.test(text.slice(Math.max(0, index - 8), index));
    const isSubject = index + span.length <= subject;
    for (const name of namesInSpan((ticked ?? element!).trim())) names.push({ ...name, isSubject, isLabel });
  }
  return names;
}

const spanShape = /`([^`\n]{1,200})`|<(?:code|tt)>([^<\n]{1,200})</g;

/** The inline code that an entry of a list, a row or a heading begins with. */
const subjectShape = /^\s*(?:(?:[-*+]|\d+[.)]|\||#{1,6})[\s*_[]*`[^`\n]+`|`[^`\n]+`(?=\s*:))/;

const callShape =
  /^[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#|->|\?\.)[\p{L}_$][\p{L}\p{N}_$]*)*(?:\(.{0,200}\))?;?$/u;

function namesInSpan(code: string): WrittenName[] {
  const inside = namesInCode(code);
  if (inside.length > 0 || !callShape.test(code) || fileName.test(code)) return inside;
  const parts = code.replace(/\(.*$|;$/s, "").split(/\.|::|#|->|\?\./);
  if (parts.length === 2 && isOfNode(parts[0]!, parts[1]!)) return [];
  return parts
    .map(
      (text, at): WrittenName => ({
        kind: "name",
        text,
        isCall: code.includes("(") && at === parts.length - 1,
      }),
    )
    .filter(({ text }) => text.length > 2);
}

/** A file name without a folder may belong to the reader's project. */
const fileName =
  /^[\w-]+\.(?:[cm]?[jt]sx?|json[c5]?|ya?ml|toml|mdx?|txt|py|rs|go|rb|sh|ini|cfg|conf|lock|html?|css|xml|csv|log|env)$/i;

function namesInCode(code: string): WrittenName[] {
  return [
    ...(foreign.test(code) ? [] : findFlags(code)),
    ...Array.from(
      code.matchAll(/(?<![\w$])\$?([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?![\w-])/g),
      ([, text]): WrittenName => ({ kind: "variable", text: text! }),
    ).filter(({ text }) => !commonVariables.test(text)),
    ...findFiles(code),
    ...findPackages(code),
  ];
}

// Programs with their own flags. Programs that only start another one (npx, node, npm run) are not in this list.
const foreign =
  /^\s*(?:\$ |> )?(?:sudo )?(?:git|docker|podman|kubectl|helm|curl|wget|pip3?|brew|apt(?:-get)?|apk|yum|dnf|ssh|scp|tar|unzip|make|cmake|chmod|chown|mkdir|cp|mv|rm|ls|cat|grep|find|sed|awk|openssl|psql|npm (?:i|install|ci|init|publish|login|config|add)|(?:yarn|pnpm) (?:add|install)|cargo (?:add|build|install|test)|go (?:get|build|install|test)|gh)\b/;

/** Common system variables, and placeholders for the reader's own. */
const commonVariables =
  /^(?:NODE_ENV|NO_COLOR|FORCE_COLOR|LC_ALL|LC_CTYPE|XDG_\w+|HTTPS?_PROXY|NO_PROXY|(?:YOUR|MY|SOME|EXAMPLE)_\w+)$/;

function findFlags(text: string): WrittenName[] {
  const flags = text.matchAll(/(?<![\w<!-])--([A-Za-z][\w]*(?:-[\w]+)*)/g);
  return Array.from(flags, ([text]): WrittenName => ({ kind: "flag", text })).filter(
    ({ text }) => !everywhere.has(text) && !placeholderFlag.test(text),
  );
}

const everywhere = new Set(["--help", "--version"]);

/** Paths with a folder and an extension. Shorter ones may be anything. */
function findFiles(code: string): WrittenName[] {
  const paths = code.matchAll(
    /(?<![\w:/@.$~*{-])((?:[\w.-]+\/)+[\w.-]*\w\.[A-Za-z][A-Za-z0-9]{0,8})(?![\w/*}])/g,
  );
  return Array.from(paths, ([, text]): WrittenName => ({ kind: "file", text: withoutDots(text!) }));
}

function withoutDots(path: string): string {
  return path
    .split("/")
    .filter((name) => name !== "." && name !== "..")
    .join("/");
}

/**
 * A page may name a built file by its source, a source by the end of its path, and a file as those who install the
 * package import it.
 */
function isFile(text: string, facts: KnownFacts): boolean {
  const built = text.replace(/^(?:dist|build|lib|out)\//, "");
  if (placeholder.test(text) || facts.hasPathEnd(text) || facts.hasPathEnd(built, { stem: true }))
    return true;
  const [, name = "", rest = ""] = /^([\w.-]+)\/(.+)$/.exec(text) ?? [];
  const isOwn = [`"name": "${name}"`, `name = "${name}"`].some((line) => facts.knowsPackage(line));
  return isOwn && facts.hasFile(rest);
}

/** A path that says itself that the reader is to put in another. */
const placeholder = /^(?:path\/to|xxx|yyy|(?:my|your)[-_]\w+)\/|(?:^|\/)(?:foo|bar|baz)\//i;

/** A flag of words that stand for any. */
const placeholderFlag = /^--(?:foo|bar|baz|qux|xxx|yyy)(?:-(?:foo|bar|baz|qux|xxx|yyy))*$/;

const installs =
  /\b(?:npm (?:i|install|add|create|exec)|npx|pnpm (?:add|dlx|create)|yarn (?:add|dlx|create)|bunx|bun (?:add|x)|pip3? install|pipx (?:install|run)|uvx|uv (?:add|tool (?:run|install)|run --with)|poetry add|cargo (?:add|install)|go (?:get|install)|gem install|brew install|composer require)[ \t]+([^\n|;&`]+)/g;

function findPackages(code: string): WrittenName[] {
  return Array.from(code.matchAll(installs), ([command, words]) => {
    const named = withoutComment(words!)
      .split(/\s+/)
      .filter((word) => /^@?[A-Za-z][\w./@-]*$/.test(word));
    // The words after the package that is run are its own.
    return runs.test(command) ? named.slice(0, 1) : named;
  })
    .flat()
    .map((word): WrittenName => ({ kind: "package", text: word.replace(/(?<=.)@[^/]*$/, "") }));
}

const runs = /^(?:npx|bunx|uvx|\w+ (?:dlx|exec|create|x|run)\b)/;

/** A line of a shell without the comment at its end. */
function withoutComment(line: string): string {
  return line.replace(/(?:^|\s)#.*$/, "");
}

function wordsOf(text: string): string[] {
  const words = text.match(/[\p{L}_$][\p{L}\p{N}_$]*(?:-[\p{L}\p{N}_$]+)*/gu) ?? [];
  return words.flatMap((word) => [fold(word), ...word.split(/[-_]/).map(fold)]).filter((word) => word !== "");
}
