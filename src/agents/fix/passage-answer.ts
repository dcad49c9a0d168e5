/** A passage that a model named: its words on the page, the changed line behind it, and what holds now. */
export type QuotedPassage = {
  readonly kind: "false" | "missing";
  readonly page: string;
  readonly code: string;
  readonly now: string;
};

const kindLine = /^[\s>*_`#\d.)-]*(FALSE|MISSING)\b[\s*_`:]*$/i;
const fieldLine = /^[\s>*_`-]*(page|code|now)[*_`]*\s*:[*_]*\s*(.*)$/i;

/** Reads the blocks of an answer. A block without a passage, or without a sentence, is none. */
export function parsePassages(text: string): QuotedPassage[] {
  const blocks: Record<string, string>[] = [];
  for (const line of text.split(/\r?\n/)) {
    const kind = kindLine.exec(line)?.[1];
    if (kind !== undefined) blocks.push({ kind: kind.toLowerCase() });
    const [, name, value] = fieldLine.exec(line) ?? [];
    const block = blocks.at(-1);
    if (name !== undefined && block) block[name.toLowerCase()] ??= unquote(value ?? "");
  }
  return blocks.flatMap(({ kind, page = "", code = "", now = "" }) =>
    page === "" || now === "" ? [] : [{ kind: kind as QuotedPassage["kind"], page, code, now }],
  );
}

/** Whether an answer says that nothing is concerned. */
export function saysNone(text: string): boolean {
  return /^\W*NONE\b|\bNONE\W*$/i.test(text.trim());
}

/** A value without quotation marks around the whole. */
function unquote(value: string): string {
  const text = value.trim();
  const inside = /^(["'“])(.*)["'”]$/.exec(text) ?? /^(`)([^`]*)`$/.exec(text);
  return inside?.[2] ?? text;
}
