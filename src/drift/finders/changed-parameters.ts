import type { Declaration } from "../../syntax/source/declaration.ts";
import type { ChangeModel, DocumentPage } from "../change/change-model.ts";
import { isProductPath } from "../change/code-path.ts";
import type { Comparison } from "../change/comparison.ts";
import { isCommon } from "../change/names.ts";
import { createLineCounter, splitLines, type Token } from "../change/tokens.ts";
import type { Notice } from "../findings.ts";
import { findMentions } from "../pages/mentions.ts";

/** A function with a renamed parameter or another return type. */
type Contract = {
  /** Its name on pages; for a constructor, the name of its class. */
  readonly owner: string;
  readonly old: string;
  readonly new: string;
  readonly what: "parameter" | "result";
  readonly file: Comparison;
  /** The old and the new line that declares it, and the number of the new line, counted from 1. */
  readonly before: string;
  readonly after: string;
  readonly declared: number;
  /** Whether the project offers it. */
  readonly isOffered: boolean;
};

/**
 * A parameter was renamed, or a function returns another type, and a page has the old one where it shows that function:
 * between its parentheses, in the fields below its directive, or in its section. Only for languages with a grammar.
 */
export async function findParameters(change: ChangeModel): Promise<Notice[]> {
  const contracts: Contract[] = [];
  for (const file of change.comparisons)
    if (isProductPath(file.path) && mayRename(file)) contracts.push(...(await readContracts(change, file)));
  const byOwner = Map.groupBy(unrivalled(contracts), ({ owner }) => owner);
  const notices: Notice[] = [];
  for (const [owner, mentions] of findMentions(change.pages, new Set(byOwner.keys())))
    for (const { page, line, index } of mentions.slice(0, 400))
      for (const contract of byOwner.get(owner)!)
        for (const place of findPlaces(page, line, index, contract))
          notices.push(toNotice(change, page, place, contract));
  return dedupe(notices);
}

/** Parsing is worthwhile only if a rewritten line has a call, a parameter or a type. */
function mayRename({ rewrites }: Comparison): boolean {
  return rewrites.some(
    ({ removed, added }) =>
      removed.length > 0 && added.length > 0 && removed.some(({ text }) => /[(:,]|->/.test(text)),
  );
}

async function readContracts(change: ChangeModel, file: Comparison): Promise<Contract[]> {
  const declared = await change.declared(file);
  if (!declared) return [];
  const { offeredAt } = await change.surface();
  const fresh = Map.groupBy(declared.after, keyOf);
  const lines = { before: splitLines(file.before!), after: splitLines(file.after!) };
  const [lineBefore, lineAfter] = [createLineCounter(file.before!), createLineCounter(file.after!)];
  return [...Map.groupBy(declared.before, keyOf)].flatMap(([key, were]) => {
    const are = fresh.get(key) ?? [];
    // Overloads are paired in order.
    if (were.length !== are.length) return [];
    return were.flatMap((was, index) => {
      const is = are[index]!;
      const owner = ownerOf(was);
      if (was.visibility === "private" || !owner || isCommon(owner)) return [];
      const shared = {
        owner,
        file,
        before: lines.before[lineBefore(was.nameRegion.start)] ?? "",
        after: lines.after[lineAfter(is.nameRegion.start)] ?? "",
        declared: lineAfter(is.nameRegion.start) + 1,
        isOffered: offeredAt(file.from, lineBefore(was.nameRegion.start) + 1) !== undefined,
      };
      return changesOf(was, is).map((change) => ({ ...shared, ...change }));
    });
  });
}

function keyOf({ path, kind }: Declaration): string {
  return `${kind}\0${path.join("\0")}`;
}

function ownerOf({ name, path }: Declaration): string | undefined {
  return /^(?:__init__|constructor|initialize|new|__new__)$/.test(name) ? path.at(-2) : name;
}

function changesOf(was: Declaration, is: Declaration): Pick<Contract, "old" | "new" | "what">[] {
  const changes: Pick<Contract, "old" | "new" | "what">[] = [];
  const old = was.parameters ?? [];
  const fresh = is.parameters ?? [];
  if (old.length === fresh.length)
    old.forEach(({ name }, index) => {
      const next = fresh[index]!.name;
      if (
        name === next ||
        name.length < 3 ||
        next.startsWith("_") ||
        !/^[\w$]+$/.test(next) ||
        old[index]!.rest !== fresh[index]!.rest
      )
        return;
      if (fresh.some((one) => one.name === name) || old.some((one) => one.name === next)) return;
      changes.push({ old: name, new: next, what: "parameter" });
    });
  if (changes.length > 2) return [];
  const [gave, gives] = [plainType(was.returns), plainType(is.returns)];
  if (gave && gives && gave !== gives) changes.push({ old: gave, new: gives, what: "result" });
  return changes;
}

/** A type of one word, possibly in the quotes of a forward reference. */
function plainType(type: string | undefined): string | undefined {
  return /^["']?([\w.$]+)["']?$/.exec(type?.trim() ?? "")?.[1];
}

/** Two functions of one name that changed differently: a page may mean either. */
function unrivalled(contracts: readonly Contract[]): Contract[] {
  const rivals = Map.groupBy(contracts, ({ owner, old, what }) => `${owner}\0${old}\0${what}`);
  return contracts.filter(({ owner, old, what, new: fresh }) =>
    rivals.get(`${owner}\0${old}\0${what}`)!.every((one) => one.new === fresh),
  );
}

type TokenPlace = { readonly line: number; readonly token: Token };

function findPlaces(page: DocumentPage, line: number, index: number, contract: Contract): TokenPlace[] {
  const tokens = page.tokens(line);
  const { place } = page.read().lines[line]!;
  const closed = closeOf(tokens, index);
  if (contract.what === "result") return closed < 0 ? [] : findResult(tokens, closed, line, contract.old);
  const named = closed < 0 ? [] : findNamed(page, line, { open: index + 1, closed }, contract.old);
  if (/^\s*\.\. /.test(page.read().lines[line]!.text))
    return [...named, ...findFields(page, line, contract.old)];
  return place === "heading" ? [...named, ...findInSection(page, line, index, contract.old)] : named;
}

/** The parameter between the parentheses of its function. In a call, only a keyword argument names a parameter. */
function findNamed(
  page: DocumentPage,
  line: number,
  { open, closed }: { open: number; closed: number },
  old: string,
): TokenPlace[] {
  const tokens = page.tokens(line);
  const { place, text } = page.read().lines[line]!;
  const declares = place === "heading" || DECLARING.test(text.slice(0, tokens[open]!.start));
  return tokens.slice(open + 1, closed).flatMap((token, index) => {
    if (token.text !== old) return [];
    const given = tokens[open + 2 + index]?.text === "=" && tokens[open + 3 + index]?.text !== "=";
    return declares || given ? [{ line, token }] : [];
  });
}

const DECLARING =
  /^\s*\.\. [\w:-]+::|\b(?:def|fn|func|function|fun|class|constructor)\s+[\w.]*$|^\s*[-*+]\s+`[\w.]*$/;

/** The index of the parenthesis that closes the one directly after a name; -1 if none opens or closes. */
function closeOf(tokens: readonly Token[], index: number): number {
  if (tokens[index + 1]?.text !== "(") return -1;
  let depth = 0;
  for (let at = index + 1; at < tokens.length; at++) {
    if (tokens[at]!.text === "(") depth++;
    else if (tokens[at]!.text === ")" && --depth === 0) return at;
  }
  return -1;
}

/** The type after a call's parentheses, with only punctuation before it. */
function findResult(tokens: readonly Token[], closed: number, line: number, old: string): TokenPlace[] {
  for (let at = closed + 1; at < tokens.length && at < closed + 10; at++) {
    const token = tokens[at]!;
    if (token.kind === "name") return token.text === old ? [{ line, token }] : [];
    if (!/^[-:>`*→=]$/.test(token.text)) return [];
  }
  return [];
}

// Long enough for the description of a class; bounded, so that the work on one long line stays linear.
const REACH = 300;

/** `:param name:` and `:type name:` in the lines below a directive. */
function findFields(page: DocumentPage, line: number, old: string): TokenPlace[] {
  const { lines } = page.read();
  const indent = indentOf(lines[line]!.text);
  const found: TokenPlace[] = [];
  for (let at = line + 1; at < lines.length && at < line + REACH; at++) {
    const { text } = lines[at]!;
    if (text.trim() && indentOf(text) <= indent) break;
    const field = /^\s*:(?:param|type|keyword|arg|parameter|kwarg)\s(?:[^:]*\s)?([\w$]+):/.exec(text);
    if (field?.[1] !== old) continue;
    const token = page.tokens(at).find((one) => one.text === old);
    if (token) found.push({ line: at, token });
  }
  return found;
}

/** The lines below a function's own heading that show the parameter with its type or its value. */
function findInSection(page: DocumentPage, line: number, index: number, old: string): TokenPlace[] {
  const heading = page.tokens(line);
  if (heading.slice(0, index).some(({ kind }) => kind === "name")) return [];
  const { lines } = page.read();
  const found: TokenPlace[] = [];
  for (let at = line + 1; at < lines.length && at < line + REACH && lines[at]!.place !== "heading"; at++) {
    const { place, spans } = lines[at]!;
    const tokens = page.tokens(at);
    tokens.forEach((token, i) => {
      if (token.text !== old) return;
      const span = spans.find((one) => one.start <= token.start && token.end <= one.end);
      if (place !== "code" && !span) return;
      const [before, next, after] = [tokens[i - 1]?.text, tokens[i + 1]?.text, tokens[i + 2]?.text];
      const typed = (next === ":" || (next === "?" && after === ":")) && (before === "(" || before === ",");
      if (typed || (span && span.end - span.start === old.length)) found.push({ line: at, token });
    });
  }
  return found;
}

function indentOf(text: string): number {
  return /^\s*/.exec(text)![0].length;
}

function dedupe(notices: readonly Notice[]): Notice[] {
  return [...new Map(notices.map((one) => [`${one.page.path}\0${one.splice!.region.start}`, one])).values()];
}

/** Whether the line is the heading or the directive that shows the function itself. */
function isEntry(page: DocumentPage, line: number): boolean {
  const { place, text } = page.read().lines[line]!;
  return place === "heading" || DECLARING.test(text);
}

function toNotice(
  change: ChangeModel,
  page: DocumentPage,
  { line, token }: TokenPlace,
  contract: Contract,
): Notice {
  const { owner, old, new: fresh, file, before, after, declared, isOffered } = contract;
  const start = page.read().lines[line]!.start + token.start;
  return {
    page,
    line,
    endLine: line,
    tier: "likely",
    kind: "signature",
    message: { what: "renamed", old, new: fresh, owner },
    features: {
      "contract offered": isOffered ? 1 : 0,
      [`contract of a ${contract.what}`]: 1,
      "contract in its own entry": isEntry(page, line) ? 1 : 0,
    },
    evidence: [
      {
        path: file.path,
        revision: change.input.head,
        startLine: declared,
        endLine: declared,
        before,
        after,
      },
    ],
    splice: { region: { start, end: start + token.text.length }, text: fresh },
  };
}
