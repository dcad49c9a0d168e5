import type { Block } from "../../../syntax/formats/document.ts";
import type { Declaration } from "../../../syntax/source/declaration.ts";
import { outlineSource } from "../../../syntax/source/source.ts";
import { defined } from "../../../text/model/defined.ts";
import type { Region } from "../../../text/model/region.ts";
import { createPast, tellsPast } from "../../calls/page-samples.ts";
import type { DocumentPage } from "../../change/change-model.ts";
import { fileNamesFor } from "../../pages/samples.ts";
import { readStatements, type Statement } from "../../pages/statements.ts";
import type { Claim } from "../claim.ts";
import { readShown, type ShownParameter, type ShownSignature } from "./shown.ts";

/** What a page says about a function: its parameters, what it returns; or whether an option may be left out. */
export type SignatureClaim = Claim & {
  readonly name: string;
  readonly owner: readonly string[];
  readonly isTouched?: true;
  /** It is no member of a type: Go declares a method with its type. */
  readonly isPlain?: boolean;
  /** The words of the heading above it. */
  readonly section?: string;
} & (
    | {
        readonly of: "list";
        readonly parameters: readonly ShownParameter[];
        /** A directive, a heading or a declaration gives the whole signature; a sentence may only call it so. */
        readonly form: "entry" | "sentence";
        /** It stands where the code has it: in a directive, or in a fence as its declaration. */
        readonly isDeclared?: true;
        /** The list is written in another notation, which is not edited. */
        readonly isEncoded?: true;
      }
    | {
        readonly of: "result";
        readonly says: string;
        readonly article?: string;
        readonly form?: "entry" | "sentence";
      }
    | { readonly of: "error"; readonly says: string; readonly article?: string }
    | { readonly of: "parameter"; readonly says: string }
    | {
        readonly of: "need";
        readonly says: string;
        readonly isOptional: boolean;
        readonly statement: Statement;
      }
  );

/** The claims of a page about signatures. */
export async function readSignatures(page: DocumentPage): Promise<SignatureClaim[]> {
  const { blocks } = page.outline();
  const isPast = createPast(page.text, blocks);
  const current = blocks.filter(({ section }) => !isPast(section));
  const inText = current.flatMap((block) => readBlock(page, block, blocks));
  return [...inText, ...(await readDeclarations(page, current)), ...readNeeds(page), ...readManual(page)];
}

function readBlock(page: DocumentPage, block: Block, blocks: readonly Block[]): SignatureClaim[] {
  const { kind, content, region, language } = block;
  const heading = blocks[block.section]?.content;
  if (kind === "heading") return signaturesIn(page, content, "entry");
  if (kind === "admonition" && language !== undefined) {
    const newline = page.text.indexOf("\n", region.start);
    const end = newline < 0 ? region.end : newline;
    const read = readShown(page.text.slice(region.start, end), region.start);
    const shown = read && {
      ...read,
      owner: read.owner.length > 0 ? read.owner : ownerAround(page, block, blocks),
    };
    if (!shown) return [];
    const claims = claimsOf(page, shown, "entry").map((one) => ({ ...one, isDeclared: true as const }));
    return [...claims, ...readFields(page, region, shown)];
  }
  if (!/^(?:paragraph|table-cell|definition|html)$/.test(kind)) return [];
  const { text } = page;
  const spans = Array.from(text.slice(content.start, content.end).matchAll(/(?<!`)(`+)([^`\n]+)\1/g));
  const lists = spans.flatMap((match) => {
    const start = content.start + match.index + match[1]!.length;
    if (tellsPast(text.slice(Math.max(content.start, start - 80), start))) return [];
    const found = signaturesIn(page, { start, end: start + match[2]!.length }, "sentence");
    return heading
      ? found.map((one) => ({ ...one, section: text.slice(heading.start, heading.end) }))
      : found;
  });
  return [...lists, ...readOutcomes(page, content)];
}

/** The class whose directive has this one in its text. */
function ownerAround(page: DocumentPage, { parent = -1 }: Block, blocks: readonly Block[]): string[] {
  const holder = blocks[parent];
  if (!holder) return [];
  const head = page.text.slice(holder.region.start, holder.region.end);
  const type = /^\.\. (?:\w+:)?(?:class|exception|interface)::\s*([\w.]+)/.exec(head)?.[1];
  return type ? type.split(".") : ownerAround(page, holder, blocks);
}

function signaturesIn(
  page: DocumentPage,
  { start, end }: Region,
  form: "entry" | "sentence",
): SignatureClaim[] {
  const shown = readShown(page.text.slice(start, end), start);
  return shown ? claimsOf(page, shown, form) : [];
}

function claimsOf(page: DocumentPage, shown: ShownSignature, form: "entry" | "sentence"): SignatureClaim[] {
  const { name, owner, parameters, list, result } = shown;
  return [
    ...(parameters.length > 0
      ? [{ page, region: list, of: "list" as const, name, owner, parameters, form }]
      : []),
    ...(result
      ? [{ page, region: result.region, of: "result" as const, name, owner, says: result.text, form }]
      : []),
  ];
}

const RETURNS =
  /`([\p{L}_][\w.:#]*)(?:\([^`]*\))?`\s+(?:returns?|resolves (?:to|with)|yields|gives)\s+((?:an?|the)\s+)?`([^`\n]+)`/gu;
const RAISES =
  /`([\p{L}_][\w.:#]*)(?:\([^`]*\))?`\s+(?:raises?|throws?|rejects with)\s+((?:an?|the)\s+)?`([\w.:\\]+)`/gu;

/** "`parse(line)` returns an `Entry`", "`parse(line)` raises `ParseError`". */
function readOutcomes(page: DocumentPage, { start, end }: Region): SignatureClaim[] {
  const text = page.text.slice(start, end);
  const read = (of: "result" | "error", pattern: RegExp): SignatureClaim[] =>
    Array.from(text.matchAll(pattern)).map((match) => {
      const [whole, path, article = "", says] = match;
      const said = start + match.index + whole.length - 1 - says!.length;
      const from = article === "" ? said : said - 1 - article.length;
      const region = { start: from, end: said + says!.length };
      return {
        page,
        region,
        of,
        ...splitPath(path!),
        says: says!,
        ...defined({ article: article !== "" ? article : undefined }),
      };
    });
  return [...read("result", RETURNS), ...read("error", RAISES)];
}

function splitPath(path: string): Pick<SignatureClaim, "name" | "owner"> {
  const parts = path.split(/\.|::|#/);
  return { name: parts.at(-1)!, owner: parts.slice(0, -1) };
}

const FIELD =
  /^[ \t]*:(?:param|parameter|arg|argument|keyword|kwarg|type)\s(?:[^:\n]*\s)?\*{0,2}([\p{L}_]\w*):/gmu;

/** `:param name:` in the lines of a directive that describes a function. */
function readFields(page: DocumentPage, { start, end }: Region, shown: ShownSignature): SignatureClaim[] {
  const { name, owner } = shown;
  return Array.from(page.text.slice(start, end).matchAll(FIELD)).map((match) => {
    const said = start + match.index + match[0].length - 1 - match[1]!.length;
    const region = { start: said, end: said + match[1]!.length };
    return { page, region, of: "parameter", name, owner, says: match[1]! };
  });
}

/** Declarations that a fence shows, with their parameters. */
async function readDeclarations(page: DocumentPage, blocks: readonly Block[]): Promise<SignatureClaim[]> {
  const found: SignatureClaim[] = [];
  for (const block of blocks) {
    const file = block.kind === "code-fence" ? fileNamesFor(block.language ?? "").at(-1) : undefined;
    if (file === undefined) continue;
    const { start, end } = block.content;
    const text = page.text.slice(start, end);
    if (!/[\w>]\s*\(/.test(text)) continue;
    for (const { path, parameters = [], body, signature, returns } of await outlineFragment(file, text)) {
      const isPlain = file.endsWith(".go") && path.length === 1;
      const first = parameters[0];
      const last = parameters.at(-1);
      // A function with a body is the reader's own.
      if (body && !isStub(text.slice(body.start, body.end))) continue;
      if (signature.end - signature.start > 600) continue;
      const early = text.indexOf(returns ?? "", signature.start);
      const isInList = first && last && early >= first.region.start && early < last.region.end;
      const said = isInList ? text.indexOf(returns ?? "", last.region.end) : early;
      if (returns !== undefined && said >= 0 && said + returns.length <= signature.end)
        found.push({
          page,
          region: { start: start + said, end: start + said + returns.length },
          of: "result",
          ...splitPath(path.join(".")),
          says: returns,
          form: "entry",
          isPlain,
        });
      if (!first || !last) continue;
      found.push({
        page,
        region: { start: start + first.region.start, end: start + last.region.end },
        of: "list",
        name: path.at(-1)!,
        owner: path.slice(0, -1),
        form: "entry",
        isDeclared: true,
        isPlain,
        parameters: parameters.map(({ name, region }) => ({
          name,
          text: text.slice(region.start, region.end),
          region: { start: start + region.start, end: start + region.end },
        })),
      });
    }
  }
  return found;
}

/** The declarations of a fragment: as it is, or as the members of a class. */
async function outlineFragment(file: string, text: string): Promise<readonly Declaration[]> {
  const { declarations } = await outlineSource(file, text);
  const open = file.endsWith(".php") ? "<?php class Shown {" : "class Shown {";
  if (declarations.some(({ parameters }) => parameters) || !/\.(?:java|cs|kt|tsx?|php)$/.test(file))
    return declarations;
  const code = text
    .replace(/^\s*<\?php\s/, (tag) => " ".repeat(tag.length))
    .replace(/\)\s*$/, (end) => `${end};`);
  const own = await outlineSource(file, `${open}${code}\n}`);
  const at = open.length;
  const moved = ({ start, end }: Region): Region => ({ start: start - at, end: end - at });
  return own.declarations
    .filter(({ path, parameters }) => path.length > 1 && parameters)
    .map(({ body, signature, parameters = [], ...one }) => ({
      ...one,
      path: one.path.slice(1),
      signature: moved(signature),
      ...defined({ body: body ? moved(body) : undefined }),
      parameters: parameters.map((each) => ({ ...each, region: moved(each.region) })),
    }));
}

function isStub(body: string): boolean {
  return /^[\s{};]*(?:\.\.\.|pass|…|\/\*.*\*\/|\/\/[^\n]*)?[\s{};]*$/s.test(body);
}

const NEED =
  /(?<=`([\p{L}_$][\w$.-]*)`\**\s{0,2}(?:\([^()\n]{0,40}?,\s*|\(|[:–—-]\s?\*{0,2}|_|\*{1,2}))(optional|required)\b/giu;
const YES = /^\W*(?:yes|true|✓|✔|✅|y)\W*$/i;
const NO = /^\W*(?:no|false|✗|✘|❌|n)\W*$/i;

/** "`region` (optional)", and the cells of a column that says what is required. */
function readNeeds(page: DocumentPage): SignatureClaim[] {
  return readStatements(page).flatMap((statement) => {
    const { region, cells = [], place } = statement;
    if (place === "row") return readNeedCells(statement, cells);
    if (place !== "sentence") return [];
    return Array.from(page.text.slice(region.start, region.end).matchAll(NEED)).map((match) => {
      const start = region.start + match.index;
      return need(statement, match[1]!, { start, end: start + match[2]!.length }, /^o/i.test(match[2]!));
    });
  });
}

function readNeedCells(statement: Statement, cells: NonNullable<Statement["cells"]>): SignatureClaim[] {
  const { text } = statement.page;
  const first = cells[0]?.region;
  const named = statement.names.find(({ region }) => first && region.end <= first.end) ?? statement.leads[0];
  if (!named) return [];
  return cells.flatMap(({ region, header }) => {
    const column = /^\W*(required|optional)\W*\??\W*$/i.exec(header)?.[1]?.toLowerCase();
    const cell = text.slice(region.start, region.end).trim();
    if (!column || !(YES.test(cell) || NO.test(cell))) return [];
    const start = text.indexOf(cell, region.start);
    const isOptional = (column === "optional") === YES.test(cell);
    return [need(statement, named.name, { start, end: start + cell.length }, isOptional)];
  });
}

function need(statement: Statement, path: string, region: Region, isOptional: boolean): SignatureClaim {
  const { page } = statement;
  const parts = path.split(".");
  const says = page.text.slice(region.start, region.end);
  return {
    page,
    region,
    of: "need",
    name: parts.at(-1)!,
    owner: parts.slice(0, -1),
    says,
    isOptional,
    statement,
  };
}

/** The synopsis of a manual page, in which a macro sets every second word in another font. */
function readManual(page: DocumentPage): SignatureClaim[] {
  if (!/\.\d\w{0,2}$/.test(page.path)) return [];
  return Array.from(page.text.matchAll(/^\.(?:BI|BR|IB|B)\s+(.+)$/gm)).flatMap((match) => {
    const words = Array.from(match[1]!.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, bare]) => quoted ?? bare!);
    const shown = readShown(words.join(""), 0);
    if (!shown || shown.parameters.length === 0) return [];
    const { name, owner, parameters } = shown;
    const region = { start: match.index, end: match.index + match[0].length };
    return [{ page, region, of: "list", name, owner, parameters, form: "entry", isEncoded: true }];
  });
}
