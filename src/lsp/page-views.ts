import type { Range } from "vscode-languageserver";
import type { ReportedFinding } from "../docs/check/report.ts";
import type { ReportedClaim } from "../docs/claims/report.ts";
import { OpenPages } from "../docs/fix/fix.ts";
import { isDocumentPath } from "../drift/pages/policies.ts";
import { once } from "../syntax/keep-last.ts";
import { byteOrderMark } from "../text/model/encoding.ts";
import type { Region } from "../text/model/region.ts";
import type { Context } from "../tools/tool.ts";
import { closable } from "../workspace/lifetime.ts";
import { type PositionEncoding, Positions } from "./positions.ts";
import type { Checked, Repository } from "./repository.ts";

/** A claim with its words as a range of the client. */
export type PlacedClaim = { readonly claim: ReportedClaim; readonly range: Range };

/** The files of one check, with offsets as positions of the client. */
export class PageViews {
  readonly checked: Checked;
  readonly repository: Repository;
  readonly #encoding: PositionEncoding;
  readonly #claims = new Map<string, Promise<readonly PlacedClaim[]>>();
  readonly #positions = new Map<string, Promise<Positions | null>>();
  readonly #pages = once(() => {
    const context = this.context();
    return context && new OpenPages(context);
  });

  constructor(repository: Repository, checked: Checked, encoding: PositionEncoding) {
    this.repository = repository;
    this.checked = checked;
    this.#encoding = encoding;
  }

  /** Null where there is no such file, or none that is text. */
  positions(path: string): Promise<Positions | null> {
    const known = this.#positions.get(path) ?? this.#read(path);
    this.#positions.set(path, known);
    return known;
  }

  /** The range of a finding: the words that its edits change, else its lines. */
  async passage(finding: ReportedFinding): Promise<Region | null> {
    const positions = await this.positions(finding.path);
    if (positions === null) return null;
    const lines = spanOfLines(positions, finding);
    const placed = finding.edits.length > 0 ? await this.#pages()?.place(finding) : undefined;
    const regions = placed?.ok ? (placed.value.splices ?? []).map(({ splice }) => splice.region) : [];
    if (regions.length === 0) return lines;
    const start = Math.min(...regions.map((region) => region.start));
    const end = Math.max(...regions.map((region) => region.end));
    return wholeWords(positions.text, { start, end });
  }

  /** The claims of a page with their places, asked once for each check. */
  claims(path: string): Promise<readonly PlacedClaim[]> {
    const known = this.#claims.get(path) ?? this.#placeClaims(path);
    this.#claims.set(path, known);
    return known;
  }

  async #placeClaims(path: string): Promise<PlacedClaim[]> {
    const positions = isDocumentPath(path) ? await this.positions(path) : null;
    if (positions === null) return [];
    const offset = (line: number, column: number): number =>
      Math.min(positions.line(line - 1).start + column - 1, positions.text.length);
    return (await this.repository.claims(path)).map((claim) => {
      const start = offset(claim.startLine, claim.startColumn);
      return { claim, range: positions.range({ start, end: offset(claim.endLine, claim.endColumn) }) };
    });
  }

  /** A context that reads the project as it was checked and writes nothing. */
  context(): Context | null {
    const { reader } = this.checked.project;
    if (reader === null) return null;
    const nothing = closable(async () => {});
    return { reader, profile: "docs", mode: "analyze", author: "suture", task: "editor", ...nothing };
  }

  async #read(path: string): Promise<Positions | null> {
    const read = await this.checked.project.reader?.read(path);
    if (!read?.ok || read.value.text === null) return null;
    const marked = this.repository.documents.get(path)?.text.startsWith(byteOrderMark) ?? false;
    return new Positions(read.value.text, this.#encoding, { marked });
  }
}

function spanOfLines(positions: Positions, { startLine, endLine }: ReportedFinding): Region {
  const first = positions.line(startLine - 1);
  const indent = /^\s*/.exec(positions.text.slice(first.start, first.end))![0].length;
  const { end } = positions.line(endLine - 1);
  return { start: Math.min(first.start + indent, end), end };
}

/** An edit may begin inside a word; the word is what a reader looks at. */
function wholeWords(text: string, { start, end }: Region): Region {
  const isWord = (at: number): boolean => /[\w$]/.test(text[at] ?? "");
  while (start > 0 && isWord(start - 1) && (isWord(start) || start === end)) start--;
  while (isWord(end) && (isWord(end - 1) || start === end)) end++;
  return { start, end };
}
