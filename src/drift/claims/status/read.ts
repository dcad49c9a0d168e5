import type { Region } from "../../../text/model/region.ts";
import type { DocumentPage } from "../../change/change-model.ts";
import { isDistinct } from "../../change/names.ts";
import { lineAt } from "../../pages/page.ts";
import { type Named, namesOf, readStatements, type Statement } from "../../pages/statements.ts";
import type { Claim } from "../claim.ts";

/** A page uses a thing as if it were in good standing, or says that it is deprecated. */
export type StatusClaim = Claim & {
  readonly statement: Statement;
  readonly subject: Named;
  readonly says: "current" | "deprecated";
  /** The word for its standing is all that the region holds. */
  readonly isWord: boolean;
  /** Its name has a shape that everyday words do not have, or the page calls it, and not on somebody's variable. */
  readonly isShaped: boolean;
};

/** The claims of a page about the standing of things; only those about the wanted names, where some are given. */
export function readStatus(page: DocumentPage, wanted?: ReadonlySet<string>): readonly StatusClaim[] {
  const isWanted = ({ name }: Named): boolean => wanted?.has(name) ?? true;
  const isTold = createCautions(page);
  return [...readStatements(page), ...readHeadings(page)].flatMap((statement) => {
    if (isFilledIn(statement)) return [];
    const routes = routesOf(statement);
    const isApart = ({ region }: Named): boolean =>
      !routes.some((route) => route.region.start <= region.start && region.end <= route.region.end);
    const names = [...routes, ...statement.names.filter(isApart)].filter(isWanted);
    if (names.length === 0) return [];
    const standing = statement.place === "row" ? standingCell(statement) : null;
    if (standing) return names.slice(0, 1).map((subject) => claimOf(statement, subject, standing));
    return names.flatMap((subject) => {
      const said = saidStanding(statement, subject);
      if (said) return [claimOf(statement, subject, said)];
      return isTold(statement, subject) ? [] : [claimOf(statement, subject, null)];
    });
  });
}

/** A directive that prints the docstring prints its mark too. */
function isFilledIn({ page, region, place }: Statement): boolean {
  return place === "signature" && /^\s*(?:\.\.\s+auto|:::\s)/.test(page.text.slice(region.start, region.end));
}

type Standing = { readonly region: Region; readonly says: StatusClaim["says"] };

function claimOf(statement: Statement, subject: Named, standing: Standing | null): StatusClaim {
  const { page } = statement;
  const isCalled = page.text[subject.region.end] === "(" && subject.owner.length === 0;
  return {
    page,
    statement,
    subject,
    region: standing?.region ?? subject.region,
    says: standing?.says ?? "current",
    isWord: standing !== null,
    isShaped: subject.isFlag || subject.name.startsWith("/") || isDistinct(subject.name) || isCalled,
  };
}

/** Headings name things too: a section below `## connect()` presents it. */
function readHeadings(page: DocumentPage): Statement[] {
  return page.outline().blocks.flatMap(({ kind, content }) => {
    if (kind !== "heading") return [];
    const names = namesOf(page.text.slice(content.start, content.end), content.start);
    const shaped = names.filter(
      ({ name, region, isFlag }) => isFlag || isDistinct(name) || /[`(]/.test(page.text[region.end] ?? ""),
    );
    return [
      { page, region: content, place: "sentence" as const, names: shaped, leads: [], headings: [content] },
    ];
  });
}

/** Paths of a server: `GET /users/{id}`. */
function routesOf({ page, region }: Statement): Named[] {
  const text = page.text.slice(region.start, region.end);
  return Array.from(text.matchAll(/`(?:[A-Z]{3,7} )?(\/[\w/{}:.-]+)`/g), (match) => {
    const end = region.start + match.index + match[0].length - 1;
    return { name: match[1]!, owner: [], region: { start: end - match[1]!.length, end }, isFlag: false };
  });
}

const CURRENT = /^(?:supported|stable|current|active|recommended|available|maintained)$/i;

/** The cell of a row below "Status" that holds nothing but a word for the standing. */
function standingCell({ page, cells = [] }: Statement): Standing | null {
  for (const { region, header } of cells.slice(1)) {
    if (!/^\W*(?:status|state|stability|support)\W*$/i.test(header)) continue;
    const word = page.text.slice(region.start, region.end).trim();
    const says = CURRENT.test(word) ? "current" : /^deprecated$/i.test(word) ? "deprecated" : null;
    if (says) return { region, says };
  }
  return null;
}

/** "`open` (deprecated)", "`open` is deprecated". */
function saidStanding({ page, region, place }: Statement, subject: Named): Standing | null {
  if (place === "code") return null;
  const text = page.text.slice(subject.region.end, Math.min(region.end, subject.region.end + 60));
  const match = /^[^`\n]{0,3}`?[\s:(*_|-]*(?:is |are )?(?:now )?(deprecated)\b/i.exec(text);
  if (!match) return null;
  const end = subject.region.end + match[0].length;
  return { region: { start: end - match[1]!.length, end }, says: "deprecated" };
}

const CAUTION =
  /deprecat|obsolete|legacy|discouraged|no longer|superseded|removed in|be removed|going away|go away|phased out|do not use|don't use|instead of/i;
const NEAR = 3;

/** Whether the page warns of a thing: on a line near it, where a section begins that holds it, or on a line that names it. */
function createCautions(page: DocumentPage): (statement: Statement, subject: Named) => boolean {
  const read = page.read();
  const cautious = read.lines.flatMap(({ text }, line) => (CAUTION.test(text) ? [line] : []));
  if (cautious.length === 0) return () => false;
  const intro = introEnd(page);
  const lastNaming = new Map<string, number>();
  for (const line of cautious)
    for (const word of read.lines[line]!.text.match(/[\w$-]+/g) ?? []) lastNaming.set(word, line);
  const warnsWithin = (from: number, to: number): boolean => {
    const at = firstFrom(cautious, from);
    return at < cautious.length && cautious[at]! <= to;
  };
  return ({ headings, place, region }, { name }) => {
    const [first, last] = [lineAt(read, region.start), lineAt(read, Math.max(region.start, region.end - 1))];
    const tops = headings.map(({ start }) => lineAt(read, start));
    const [top = 0] = tops;
    const reach = place === "row" ? 0 : NEAR;
    return (
      warnsWithin(first - reach, last + reach) ||
      tops.some((line) => warnsWithin(line, line + NEAR)) ||
      warnsWithin(0, intro) ||
      (lastNaming.get(name) ?? -1) >= top
    );
  };
}

/** The last line of what a page says below its title, before its sections begin: a warning there is about all of it. */
function introEnd(page: DocumentPage): number {
  const [title, next] = page.outline().blocks.filter(({ kind }) => kind === "heading");
  if (!title || !next) return -1;
  const read = page.read();
  return Math.min(lineAt(read, next.region.start), lineAt(read, title.region.end) + INTRO);
}

const INTRO = 12;

function firstFrom(lines: readonly number[], from: number): number {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (lines[middle]! < from) low = middle + 1;
    else high = middle;
  }
  return low;
}
