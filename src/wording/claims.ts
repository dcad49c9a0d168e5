import type {
  ClaimCounts,
  ClaimsReport,
  ExplainedLine,
  ReportedClaim,
  ReportedPage,
} from "../docs/claims/report.ts";
import { plural } from "./sentences.ts";

const marks = { true: "✓", false: "✗", undecidable: "?", none: "–" } as const;

/** "1,930 claims, 1,811 true, 7 false, 112 undecidable" */
export function countsText({ claims, ...counts }: ClaimCounts): string {
  return [
    `${shown(claims)} ${claims === 1 ? "claim" : "claims"}`,
    ...(["true", "false", "undecidable"] as const).map((truth) => `${shown(counts[truth])} ${truth}`),
  ].join(", ");
}

function shown(count: number): string {
  return count.toLocaleString("en-US");
}

/** One line for each page and each kind, with columns of equal width. */
export function countsTable({ pages, totals: { kinds } }: ClaimsReport): string[] {
  const told = pages.filter(({ claims }) => claims.length > 0);
  const rows = [
    ...table(told.map(({ path, totals }) => [path, totals])),
    ...(told.length > 0 ? [""] : []),
    ...table(Object.entries(kinds)),
  ];
  const silent = pages.length - told.length;
  return silent === 0 ? rows : [...rows, `${plural(silent, "page")} without a claim that is read`];
}

function table(rows: readonly (readonly [name: string, counts: ClaimCounts])[]): string[] {
  const cells = rows.map(([name, { claims, true: held, false: lost, undecidable }]) => [
    name,
    countsOf(claims, claims === 1 ? "claim" : "claims"),
    countsOf(held, "true"),
    countsOf(lost, "false"),
    countsOf(undecidable, "undecidable"),
  ]);
  const widths = [0, 1, 2, 3, 4].map((at) => Math.max(0, ...cells.map((row) => row[at]!.length)));
  return cells.map(([name, ...counts]) =>
    [name!.padEnd(widths[0]!), ...counts.map((count, at) => count.padStart(widths[at + 1]!))].join("  "),
  );
}

function countsOf(count: number, word: string): string {
  return count === 0 ? "" : `${shown(count)} ${word}`;
}

/** A claim on a line of its own: where, what it says, what that is about, and why it is not so. */
export function claimText(
  path: string,
  { kind, startLine, says, thing, by, truth, why }: ReportedClaim,
): string {
  const about = thing ? ` → ${thing.name} (${thing.path}:${thing.line}, by ${byWords(by)})` : "";
  return `${marks[truth]} ${path}:${startLine} ${kind} ${quoted(says)}${about}${why ? `: ${why}` : ""}`;
}

function byWords(by: ReportedClaim["by"]): string {
  return by === undefined ? "nothing" : howNamed[by];
}

/** How words name a thing, in a few words. */
export const howNamed: Readonly<Record<NonNullable<ReportedClaim["by"]>, string>> = {
  qualified: "its owner before the name",
  import: "an import",
  role: "a role",
  command: "its program",
  file: "its path",
  "closed owner": "the members of an owner",
  sentence: "an owner in the sentence",
  section: "a heading",
  package: "the package of the page",
  shape: "the shape of the name",
  word: "the name alone",
  text: "its words",
  declaration: "the declaration below",
};

function quoted(says: string): string {
  return says.includes("`") ? `"${cut(says)}"` : `\`${cut(says)}\``;
}

const longest = 60;

function cut(says: string): string {
  return says.length <= longest ? says : `${says.slice(0, longest).toWellFormed()}…`;
}

/** The undecidable claims below their reason, with what a writer can do about it. */
export function undecidableLines({ pages, totals: { reasons } }: ClaimsReport): string[] {
  const open = pages.flatMap(({ path, claims }) =>
    claims.flatMap((claim) => (claim.truth === "undecidable" ? { path, claim } : [])),
  );
  const byReason = Map.groupBy(open, ({ claim }) => claim.why ?? "");
  return reasons.flatMap(({ why, count }) => [
    `${why}: ${shown(count)}`,
    ...adviceLines(why),
    ...byReason
      .get(why)!
      .map(({ path, claim: { startLine, says } }) => `  ${path}:${startLine} ${quoted(says)}`),
  ]);
}

function adviceLines(why: string): string[] {
  const advice = adviceFor(why);
  return advice === null ? [] : [`  ${advice}`];
}

/** What a writer can do so that such a claim can be decided; null where there is nothing to do on the page. */
export function adviceFor(why: string): string | null {
  return advices.get(why) ?? null;
}

const advices: ReadonlyMap<string, string> = new Map([
  [
    "the page does not say whose name it is",
    "Write the owner before the name, or as the heading of the section.",
  ],
  [
    "not read in the module that the sample imports",
    "Import the name in the sample from the module that offers it.",
  ],
  ["several functions have this name", "Import the name in the sample, or write the owner before it."],
  ["no such member of the type is read", "Write the type of the variable in the sample."],
  ["several files have a path that ends so", "Write the path from the root of the repository, or as a link."],
  ["no manifest of the page's package asks for this", "State the version in the manifest of the package."],
  ["the history is not here", "Fetch the whole history: `git fetch --unshallow`."],
]);

/** The cheapest ways to have more claims decided: what writers can do, for the most claims first. */
export function cheapestWays({ reasons }: ClaimsReport["totals"]): string[] {
  const ways = reasons.flatMap(({ why, count }) => {
    const advice = adviceFor(why);
    return advice === null ? [] : [`  ${shown(count)} undecidable, because ${why}: ${advice}`];
  });
  return ways.slice(0, MOST_WAYS);
}

const MOST_WAYS = 3;

/** One line of a page, explained for a person. */
export function explainedLines({ path, line, text, claims, why }: ExplainedLine): string[] {
  return [
    `${path}:${line} ${text.trim()}`,
    ...(why === undefined ? [] : [`  This line claims nothing: ${why}.`]),
    ...(why === undefined && claims.length === 0 ? [`  ${claimWords.nothingRead}`] : []),
    ...claims.flatMap(({ thing, by, why = "", ...claim }) => [
      `  ${claimSentence({ ...claim, why })}`,
      ...(thing
        ? [`    It means ${thing.name} in ${thing.path}:${thing.line}, found by ${byWords(by)}.`]
        : []),
      ...adviceLines(why).map((one) => `  ${one}`),
    ]),
  ];
}

/** What a claim says, and whether it is so. */
export function claimSentence({
  kind,
  says,
  truth,
  why = "",
}: Pick<ExplainedLine["claims"][number], "kind" | "says" | "truth" | "why">): string {
  return `${marks[truth]} ${kind} ${quoted(says)}: ${verdicts[truth]}${why}`;
}

const verdicts = {
  true: "true",
  false: "",
  undecidable: "cannot be decided: ",
  none: "no claim about the project: ",
} as const;

/** Sentences of `suture claims`. */
export const claimWords = {
  title: (name: string): string => `What the documents of ${name} say`,
  reading: "reading the claims of all documents",
  noPage: (path: string): string => `no page of this project is called ${path}`,
  notRead: ({ path, why }: { readonly path: string; readonly why: string }): string =>
    `the page ${path} was not looked at: ${why}`,
  noLine: (path: string, line: number): string => `there is no line ${line} in ${path}`,
  badPlace: (place: string): string => `--at takes PATH:LINE, not ${place}`,
  silent: "the page asks to ignore it, or its section tells of the past",
  noWorkTree: "findings of other programs are about files, and this clone has no work tree",
  nothingRead: "Nothing on this line was read as a statement about the project.",
  written: (file: string): string => `written: ${file}`,
  joined: (count: number): string => `${plural(count, "finding")} of another program joined`,
};

/** The pages with the claims that could not be decided, and no others. */
export function onlyUndecidable(report: ClaimsReport): ClaimsReport {
  const pages = report.pages.map(
    (page): ReportedPage => ({
      ...page,
      claims: page.claims.filter(({ truth }) => truth === "undecidable"),
    }),
  );
  return { ...report, pages };
}
