import { fold } from "../../drift/change/names.ts";
import { outlineDocument } from "../../syntax/formats/outline.ts";
import type { Region } from "../../text/model/region.ts";
import { gateText } from "../../wording/agents.ts";
import type { KnownFacts } from "./known-facts.ts";
import { isOfNode, isStandardConstant, isStandardType } from "./names/standard-names.ts";
import type { DraftedPage, GateVerdict } from "./objection.ts";

/**
 * Names, flags, variables, files and packages in new text must exist in the code or in the old page. The objection
 * names the invented ones.
 */
export function checkNames({ path, before, after }: DraftedPage, facts: KnownFacts): Partial<GateVerdict> {
  const old = new Set(before === null ? [] : findMentions(path, before).map(({ text }) => text));
  const ofSamples = before === null ? new Set<string>() : wordsOfSamples(path, after);
  const unknown = new Map<string, NameKind>();
  for (const mention of findMentions(path, after)) {
    const { kind, text } = mention;
    if (kind === "name" && ofSamples.has(fold(text))) continue;
    if (mention.sample && kind === "file" && isReadersFile(text, facts)) continue;
    if (old.has(text) || unknown.has(text) || isKnown(mention, facts) || before?.includes(text)) continue;
    unknown.set(text, kind);
    if (unknown.size === maxNames) break;
  }
  const details = [...unknown].map(([text, kind]) => ({ path, detail: gateText.unknownName(kind, text) }));
  if (facts.complete) return { objections: details.map((one) => ({ gate: "names", ...one })) };
  return { risks: details.map((one) => ({ what: "unknown name", ...one })) };
}

/** A file in a sample may be one of the reader's: in a folder that the repository has not, or that every project has. */
function isReadersFile(path: string, facts: KnownFacts): boolean {
  const [folder = ""] = path.split("/", 1);
  return folder.startsWith(".") || !facts.hasFolder(folder);
}

const maxNames = 20;

/**
 * Words of samples, and of command lines, paths and quoted values in inline code, that are no calls, members or keys: the programs and
 * values of an example.
 */
function wordsOfSamples(path: string, text: string): Set<string> {
  const { blocks, spans } = outlineDocument(path, text);
  const textOf = ({ content }: { readonly content: Region }): string =>
    text.slice(content.start, content.end);
  const fences = blocks.filter(({ kind }) => kind === "code-fence").map(textOf);
  const lines = spans.filter(({ kind }) => kind === "code").map(textOf);
  const code = [...fences, ...lines.filter((line) => /[\s/"']/.test(line.trim()))].join("\n");
  const words = code.match(/(?<![\p{L}\p{N}_$.-])[\p{L}_$][\p{L}\p{N}_$]*(?![\p{L}\p{N}_$(:=])/gu) ?? [];
  return new Set(words.map(fold));
}

type NameKind = "flag" | "variable" | "name" | "file" | "package";

/** `sample`: in a fence, where a file in a folder that the repository has not is one of the reader's. */
type NameMention = { readonly kind: NameKind; readonly text: string; readonly sample?: true };

function isKnown({ kind, text }: NameMention, facts: KnownFacts): boolean {
  // A program may write a file that the repository has not.
  if (kind === "file") return isFile(text, facts) || facts.holds(text);
  if (kind === "package") return facts.knowsPackage(text);
  if (kind === "name" && isStandardType(text)) return true;
  if (kind === "variable" && isStandardConstant(text)) return true;
  return facts.knows(text.replace(/^-+/, ""));
}

/** All names on a page that seem to be code: in inline code, in fences, and flags anywhere. */
function findMentions(path: string, text: string): NameMention[] {
  const outline = outlineDocument(path, text);
  const mentions: NameMention[] = [];
  for (const { kind, content } of outline.spans)
    if (kind === "code") mentions.push(...mentionsInSpan(text.slice(content.start, content.end)));
  for (const { kind, content } of outline.blocks)
    if (kind === "code-fence")
      mentions.push(
        ...mentionsInCode(text.slice(content.start, content.end)).map(
          (mention): NameMention => ({ ...mention, sample: true }),
        ),
      );
    else if (kind === "paragraph" || kind === "table-cell" || kind === "heading" || kind === "html")
      mentions.push(...findFlags(text.slice(content.start, content.end)));
  return mentions;
}

const call = /^[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#|->|\?\.)[\p{L}_$][\p{L}\p{N}_$]*)*(?:\(.{0,200}\))?;?$/u;

function mentionsInSpan(code: string): NameMention[] {
  const inside = mentionsInCode(code);
  if (inside.length > 0 || !call.test(code) || fileName.test(code)) return inside;
  const name = code.replace(/\(.*$/s, "").replace(/;$/, "");
  const parts = name.split(/\.|::|#|->|\?\./);
  if (parts.length === 2 && isOfNode(parts[0]!, parts[1]!)) return [];
  return parts
    .filter((part) => part !== "" && !plainWords.has(part))
    .map((part) => ({ kind: "name", text: part }));
}

/** A file name without a folder may belong to the reader's project. */
const fileName =
  /^[\w-]+\.(?:[cm]?[jt]sx?|json[c5]?|ya?ml|toml|mdx?|txt|py|rs|go|rb|sh|ini|cfg|conf|lock|html?|css|xml|csv|log|env)$/i;

function mentionsInCode(code: string): NameMention[] {
  return [
    ...code.split("\n").flatMap((line) => (foreign.test(line) ? [] : findFlags(line))),
    ...Array.from(
      code.matchAll(/(?<![\w$])\$?([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?![\w-])/g),
      ([, text]): NameMention => ({ kind: "variable", text: text! }),
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

function findFlags(text: string): NameMention[] {
  const flags = text.matchAll(/(?<![\w<!-])--([A-Za-z][\w]*(?:-[\w]+)*)/g);
  return Array.from(flags, ([text]): NameMention => ({ kind: "flag", text })).filter(
    ({ text }) => !everywhere.has(text) && !placeholderFlag.test(text),
  );
}

const everywhere = new Set(["--help", "--version"]);

/** Paths with a folder and an extension. Shorter ones may be anything. */
function findFiles(code: string): NameMention[] {
  const paths = code.matchAll(
    /(?<![\w:/@.$~*{-])((?:[\w.-]+\/)+[\w.-]*\w\.[A-Za-z][A-Za-z0-9]{0,8})(?![\w/*}])/g,
  );
  return Array.from(paths, ([, text]): NameMention => ({ kind: "file", text: withoutDots(text!) }));
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

function findPackages(code: string): NameMention[] {
  return Array.from(code.matchAll(installs), ([, words]) => withoutComment(words!).split(/\s+/)).flatMap(
    (words) =>
      words
        .filter((word) => /^@?[A-Za-z][\w./@-]*$/.test(word))
        .map((word): NameMention => ({ kind: "package", text: word.replace(/(?<=.)@[^/]*$/, "") })),
  );
}

/** A line of a shell without the comment at its end. */
function withoutComment(line: string): string {
  return line.replace(/(?:^|\s)#.*$/, "");
}

/** Words of common languages that name nothing in this project. */
const plainWords = new Set(
  "true false null undefined none nil None True False NaN Infinity string number boolean bool int integer float double object array list dict map set void any unknown never char str bytes this self super new await async return const let var function def class import from export default if else for while in of is not and or yes no on off GET POST PUT PATCH DELETE HEAD OPTIONS HTTP HTTPS URL URI JSON YAML TOML XML CSV HTML CSS SQL UTF ASCII LF CRLF stdin stdout stderr localhost".split(
    " ",
  ),
);
