import { locateQuote } from "../../src/text/match/locate.ts";
import { applySplices } from "../../src/text/model/splice.ts";
import { correctPair, type QuotePair } from "../../src/tools/retry.ts";

/** An edit as a model writes it: slightly wrong, with the text that a careful reader would make of it. */
export type ImperfectEdit = {
  readonly kind: string;
  readonly text: string;
  readonly pair: QuotePair;
  /** The right text; null where only a refusal is right. */
  readonly wanted: string | null;
};

export type Fate = "right" | "refused, then right" | "refused" | "wrong";

/** What becomes of an edit, and of the corrected call where the refusal carries one. */
export function tryEdit({ text, pair, wanted }: ImperfectEdit): Fate {
  const first = apply(text, pair);
  if (typeof first === "string") return first === wanted ? "right" : "wrong";
  const again = correctPair(first, text, pair);
  const second = again && apply(text, again);
  return typeof second === "string" && second === wanted ? "refused, then right" : "refused";
}

function apply(text: string, { old, new: now }: QuotePair) {
  const located = locateQuote(text, { quote: old, fit: "white-space" }, now);
  return located.ok ? applySplices(text, located.value.splices) : located.refusal;
}

/** The edits of every kind that can be made of a change of some lines of a text. */
export function imperfectEdits(text: string, first: number, count: number): ImperfectEdit[] {
  const lines = text.split("\n");
  const old = lines.slice(first, first + count);
  const at = old.findIndex((line) => /[A-Za-z]{4}/.test(line));
  if (at < 0 || old.join("\n").trim() === "" || text.split(old.join("\n")).length !== 2) return [];
  const now = old.map((line, i) => (i === at ? line.replace(/[A-Za-z]{4,}/, "changedWord") : line));
  const wanted = [...lines.slice(0, first), ...now, ...lines.slice(first + count)].join("\n");
  const both = (change: (line: string, i: number) => string): QuotePair => ({
    old: old.map(change).join("\n"),
    new: now.map(change).join("\n"),
  });
  const numbered = (line: string, i: number): string => `${String(first + i + 1).padStart(6)}\t${line}`;
  const misquoted = old.findIndex((line, i) => i !== at && /[A-Za-z]{4}/.test(line));
  const misquote = (line: string, i: number): string =>
    i === misquoted ? line.replace(/[A-Za-z]{4,}/, "otherWord") : line;
  const pairs: Record<string, QuotePair> = {
    exact: both((line) => line),
    "four spaces too many": both((line) => (line.trim() === "" ? line : `    ${line}`)),
    dedented: both(dedent(old)),
    "tabs as spaces": both((line) => line.replace(/^\t+/, (tabs) => "    ".repeat(tabs.length))),
    "blanks at line ends": both((line) => `${line}  `),
    "blanks lacking at line ends": both((line) => line.trimEnd()),
    "line numbers": both(numbered),
    "a fence around both": { old: fenced(old), new: fenced(now) },
    "blank lines around both": { old: `\n${old.join("\n")}\n\n`, new: `\n${now.join("\n")}\n\n` },
    "escaped newlines": both((line) => line.replaceAll("\\", "\\\\")),
    ...(misquoted < 0 ? {} : { "one word wrong in a line that stays": both(misquote) }),
  };
  const escaped = pairs["escaped newlines"]!;
  pairs["escaped newlines"] = {
    old: escaped.old.replaceAll("\n", "\\n"),
    new: escaped.new.replaceAll("\n", "\\n"),
  };
  return Object.entries(pairs).map(([kind, pair]) => ({ kind, text, pair, wanted }));
}

function dedent(lines: readonly string[]): (line: string) => string {
  const filled = lines.filter((line) => line.trim() !== "");
  const depth = Math.min(...filled.map((line) => /^[ \t]*/.exec(line)![0].length));
  return (line) => (line.trim() === "" ? line : line.slice(depth));
}

function fenced(lines: readonly string[]): string {
  return `\`\`\`\n${lines.join("\n")}\n\`\`\``;
}
