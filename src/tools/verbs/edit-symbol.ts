import { stillParses } from "../../syntax/check.ts";
import { formatOf, outlineDocument } from "../../syntax/formats/outline.ts";
import { languageAt } from "../../syntax/languages/registry.ts";
import { outlineSource, sourceLanguage } from "../../syntax/source/source.ts";
import { locateSection, locateSymbol } from "../../syntax/symbols.ts";
import { scan } from "../../text/match/scan.ts";
import { defined } from "../../text/model/defined.ts";
import type { Edit } from "../../text/model/edit.ts";
import { endingAt, indexLines, lineAt } from "../../text/model/lines.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import type { Plan } from "../../text/model/plan.ts";
import type { Region } from "../../text/model/region.ts";
import { refused } from "../../wording/report.ts";
import { type Applied, applyEdits, findEarlier, type PlanGate } from "../apply-edits.ts";
import { reportOne } from "../edited.ts";
import { relativePath } from "../spelling.ts";
import type { Context, Result, WriterOptions } from "../tool.ts";

export type SymbolAction =
  | "replace"
  | "replace_body"
  | "insert_before"
  | "insert_after"
  | "insert_into"
  | "rename"
  | "delete";

export type EditSymbolInput = WriterOptions & {
  readonly path: string;
  readonly symbol: string;
  readonly action: SymbolAction;
  readonly content?: string | undefined;
};

/** Edits a declaration or a section by its name. What parsed before must parse after. */
export async function editSymbol(context: Context, input: EditSymbolInput): Promise<Result> {
  const { symbol, action } = input;
  const path = relativePath(context, input.path);
  const asked = { tool: "edit_symbol", wording: "files", path } as const;
  const applied = (await findEarlier(context, input)) ?? (await applyToSymbol(context, { ...input, path }));
  if (!applied.ok) return refused(applied.refusal, asked);
  const left = action === "rename" ? usesLeft(applied.value, path) : { name: "", lines: [] };
  const lead = [`✓ ${done[action]} ${symbol} in ${path}`, ...usesText(left)];
  return { ...reportOne("edit_symbol", path, applied.value, lead), ...usesOf(left) };
}

async function applyToSymbol(context: Context, input: EditSymbolInput): Promise<Outcome<Applied>> {
  const { path, symbol, action } = input;
  const read = await context.reader.read(path);
  if (!read.ok) return read;
  const { text } = read.value;
  if (text === null) return refuse({ code: "not-found", what: "file" });
  const part = await locatePart(path, text, symbol);
  if (!part.ok) return part;
  const placed = place(text, part.value, action, input.content);
  if (!placed.ok) return placed;
  const edit: Edit = {
    path,
    target: { region: placed.value.region },
    text: placed.value.text,
    reason: input.reason ?? "",
    evidence: [],
  };
  return applyEdits(context, [edit], { ...input, gates: [mustParse] });
}

/** The old name, and the lines that still have it as a whole word. */
type UsesLeft = { readonly name: string; readonly lines: readonly number[] };

/** A rename changes the declaration. Uses may mean another thing of that name, so they are left and listed. */
function usesLeft({ plan }: Applied, path: string): UsesLeft {
  const change = plan.changes.find((candidate) => candidate.path === path);
  const splice = change?.splices[0];
  const text = change?.before.text ?? "";
  if (!splice || change?.after == null) return { name: "", lines: [] };
  const name = wordAround(text, splice.region);
  if (!/[\p{L}\p{N}_$]/u.test(name)) return { name: "", lines: [] };
  const index = indexLines(change.after);
  const lines: number[] = [];
  scan(change.after, name, 0, (start) => {
    const isWord = !/[\p{L}\p{N}_$]/u.test(
      (change.after?.[start - 1] ?? " ") + (change.after?.[start + name.length] ?? " "),
    );
    const line = lineAt(index, start) + 1;
    if (isWord && lines.at(-1) !== line) lines.push(line);
    return lines.length < mostUses;
  });
  return { name, lines };
}

const mostUses = 50;

/** Splices leave out equal ends, so the old name reaches as far as the word does. */
function wordAround(text: string, { start, end }: Region): string {
  let [from, to] = [start, end];
  while (from > 0 && /[\p{L}\p{N}_$]/u.test(text[from - 1]!)) from--;
  while (to < text.length && /[\p{L}\p{N}_$]/u.test(text[to]!)) to++;
  return text.slice(from, to);
}

function usesText({ name, lines }: UsesLeft): string[] {
  if (lines.length === 0) return [];
  const where = `${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")}`;
  return [`Only the declaration was renamed: ${name} is still on ${where}.`];
}

function usesOf({ lines }: UsesLeft): Partial<Result> {
  return lines.length === 0 ? {} : { usesLeft: lines };
}

const done: Record<SymbolAction, string> = {
  replace: "Replaced",
  replace_body: "Replaced the body of",
  insert_before: "Inserted before",
  insert_after: "Inserted after",
  insert_into: "Inserted into",
  rename: "Renamed",
  delete: "Deleted",
};

const mustParse: PlanGate = async (plan: Plan) => {
  for (const { path, before, after } of plan.changes) {
    if (before.text === null || after === null) continue;
    const parsed = await stillParses(path, before.text, after);
    if (!parsed.ok) return parsed;
  }
  return accept(plan);
};

/** A named part of a file. `body` is its content, without braces or heading. */
type NamedPart = { readonly whole: Region; readonly name: Region; readonly body?: Region };

async function locatePart(path: string, text: string, symbol: string): Promise<Outcome<NamedPart>> {
  if (formatOf(path) !== "plain" || !sourceLanguage(path, text)) {
    const outline = outlineDocument(path, text);
    if (outline.editable === false)
      return refuse({
        code: "unavailable",
        detail: `sections of a ${outline.format} cannot be edited by name; edit its text by quotation`,
      });
    const section = locateSection(text, outline, symbol);
    if (!section.ok) return section;
    const heading = outline.blocks.find(
      ({ kind, region }) => kind === "heading" && region.start >= section.value.start,
    )!;
    const whole = withoutTrailingBlanks(text, section.value);
    const start = Math.min(lineAfter(text, heading.region.end), whole.end);
    return accept({ whole, name: heading.content, body: { start, end: whole.end } });
  }
  const found = locateSymbol(text, await outlineSource(path, text), symbol);
  if (!found.ok) return found;
  const { region, nameRegion, body } = found.value;
  const whole = { ...region, start: startWithComments(path, text, region.start) };
  return accept({
    whole,
    name: nameRegion,
    ...defined({ body: body ? insideBraces(text, body) : undefined }),
  });
}

/** The start of the comments directly above a declaration: they explain it, whatever their form. */
function startWithComments(path: string, text: string, declared: number): number {
  const marks = languageAt(path, text)?.comments;
  let start = declared;
  while (marks && startsLine(text, start)) {
    const end = lineStart(text, start) - 1;
    if (end < 0) break;
    const line = text.slice(lineStart(text, end), end).trim();
    const isLine = marks.line.some((mark) => line.startsWith(mark)) && !line.startsWith("#!");
    const block = marks.block.find(([, close]) => line.endsWith(close));
    const opened = block ? text.lastIndexOf(block[0], end) : -1;
    if (opened >= 0 && startsLine(text, opened)) start = opened;
    else if (isLine) start = text.indexOf(line, lineStart(text, end));
    else break;
  }
  return start;
}

/** The region that an action changes and the new text, formatted like its surroundings. */
function place(
  text: string,
  part: NamedPart,
  action: SymbolAction,
  content: string | undefined,
): Outcome<{ region: Region; text: string }> {
  if (action === "delete") return accept({ region: wholeLines(text, part.whole), text: "" });
  if (content === undefined || content === "")
    return refuse({ code: "malformed", what: `${action} needs content` });
  const { whole, name, body } = part;
  const ending = endingAt(text, whole.start, whole.end);
  const indent = indentAt(text, whole.start);
  const lines = indented(content.replace(/\r?\n$/, ""), indent);
  switch (action) {
    case "rename":
      return accept({ region: name, text: content.trim() });
    case "replace":
      return accept({ region: whole, text: lines.slice(indent.length) });
    case "insert_before":
      return accept({
        region: at(whole.start),
        text: `${lines.slice(indent.length)}${ending}${gapAfter(text, whole.end, ending)}${indent}`,
      });
    case "insert_after":
      return accept({ region: at(whole.end), text: `${ending}${gapAfter(text, whole.end, ending)}${lines}` });
    case "insert_into":
    case "replace_body": {
      if (!body) return refuse({ code: "malformed", what: "it has no body" });
      const trimmed = action === "replace_body" ? content.replace(/^(?:\r?\n)+/, "") : content;
      const inner = indented(trimmed.replace(/\r?\n$/, ""), bodyIndent(text, body, indent));
      return accept(
        action === "replace_body"
          ? replaceBody(text, body, inner, ending)
          : appendToBody(text, body, inner, ending),
      );
    }
  }
}

function replaceBody(
  text: string,
  body: Region,
  inner: string,
  ending: string,
): { region: Region; text: string } {
  const old = text.slice(body.start, body.end);
  const lead = /^\s*?\r?\n/.exec(old)?.[0] ?? "";
  const tail = /\r?\n[ \t]*$/.exec(old.slice(lead.length))?.[0] ?? "";
  if (lead === "" && tail === "" && !old.includes("\n")) {
    // A body on one line: in place where the new one fits there too.
    const bare = inner.trim();
    if (!bare.includes("\n")) return { region: body, text: /^\s/.test(old) ? ` ${bare} ` : bare };
  }
  const start = body.start + lead.length;
  // Where the body starts behind its own indentation, that indentation is already there.
  if (lead === "" && startsLine(text, body.start))
    return { region: { start, end: body.end - tail.length }, text: inner.trimStart() };
  const firstIndented = lead !== "";
  return {
    region: { start, end: body.end - tail.length },
    text: firstIndented ? inner : `${ending}${inner}${tail === "" ? ending : ""}`,
  };
}

function appendToBody(
  text: string,
  body: Region,
  inner: string,
  ending: string,
): { region: Region; text: string } {
  const old = text.slice(body.start, body.end);
  const end = body.start + old.trimEnd().length;
  return { region: at(end), text: `${ending}${inner}${old.trimEnd() === "" ? ending : ""}` };
}

/** Without the braces that some grammars count as part of a body. */
function insideBraces(text: string, body: Region): Region {
  const closing = { "{": "}", "(": ")", "[": "]" }[text[body.start] ?? ""];
  return closing !== undefined && text[body.end - 1] === closing
    ? { start: body.start + 1, end: body.end - 1 }
    : body;
}

/** The content shifted to an indentation, unless it already has it. */
function indented(content: string, indent: string): string {
  const lines = content.split(/\r?\n/);
  const own = Math.min(
    ...lines.filter((line) => line.trim() !== "").map((line) => /^[ \t]*/.exec(line)![0].length),
  );
  return lines.map((line) => (line.trim() === "" ? "" : indent + line.slice(own))).join("\n");
}

function bodyIndent(text: string, body: Region, outer: string): string {
  const inner = /(?:^|\n)([ \t]*)\S/.exec(
    text.slice(startsLine(text, body.start) ? lineStart(text, body.start) : body.start, body.end),
  );
  if (inner && inner[1]!.length >= outer.length && inner[1] !== "") return inner[1]!;
  return text[body.start - 1] === "{" ? `${outer}${/\n\t/.test(text) ? "\t" : "  "}` : outer;
}

function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))![0];
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

function lineAfter(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end < 0 ? text.length : end + 1;
}

function startsLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).trim() === "";
}

/** A blank line, where such parts are set apart by one. */
function gapAfter(text: string, end: number, ending: string): string {
  return /^[ \t]*\r?\n[ \t]*(?:\r?\n|$)/.test(text.slice(end, end + 200)) || end >= text.trimEnd().length
    ? ending
    : "";
}

/** A region with the rest of its first and last line, and one blank line below, if these contain nothing else. */
function wholeLines(text: string, region: Region): Region {
  const start = startsLine(text, region.start) ? lineStart(text, region.start) : region.start;
  const rest = /^[ \t;,]*(?:\r?\n(?:[ \t]*\r?\n)?|$)/.exec(text.slice(region.end));
  return { start, end: region.end + (rest && start !== region.start + 1 ? rest[0].length : 0) };
}

function withoutTrailingBlanks(text: string, region: Region): Region {
  return { start: region.start, end: region.start + text.slice(region.start, region.end).trimEnd().length };
}

function at(offset: number): Region {
  return { start: offset, end: offset };
}
