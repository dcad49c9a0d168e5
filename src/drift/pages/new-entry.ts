import type { Addition } from "../change/additions.ts";
import type { DocumentPage } from "../change/change-model.ts";
import type { Comparison } from "../change/comparison.ts";

// A longer line was generated: it is neither a row that a person wrote nor a declaration.
const LONGEST = 1000;

type Column = "name" | "type" | "default" | "meaning";

const COLUMNS: readonly [Column, RegExp][] = [
  [
    "name",
    /^(?:options?|names?|keys?|fields?|propert(?:y|ies)|props?|parameters?|params?|settings?|arguments?)$/i,
  ],
  ["type", /^types?$/i],
  ["default", /^defaults?(?: values?)?$/i],
  ["meaning", /^(?:description|meaning|purpose|notes?|use|usage|what it does|effect|explanation)$/i],
];

/** A row of a table, and the line of the table's header. */
type TableRow = { readonly page: DocumentPage; readonly header: number; readonly model: number };

/**
 * The new row of a Markdown table, in the format of the row before it, with the type, the default and the description
 * from the code. Nothing if a column is not understood or the code does not have its content.
 */
export function writeRow(
  { page, header, model }: TableRow,
  addition: Addition,
  file: Comparison | undefined,
): string | null {
  const { lines } = page.read();
  const titles = cellsOf(lines[header]!.text);
  const cells = cellsOf(lines[model]!.text);
  if (
    addition.line.text.length > LONGEST ||
    !titles ||
    !cells ||
    titles.length !== cells.length ||
    !isRule(lines[header + 1]?.text)
  )
    return null;
  const said = factsOf(addition, file);
  const columns = titles.map((title) => COLUMNS.find(([, shape]) => shape.test(title.trim()))?.[0]);
  if (columns[0] !== "name" || new Set(columns).size !== columns.length) return null;
  const row: string[] = [];
  for (const [index, column] of columns.entries()) {
    const fact = column && said[column];
    const like = cells[index]!.trim();
    if (!fact || !like || (column === "name" && !/^`?[\w$]+`?$/.test(like))) return null;
    const marked = column !== "meaning" && /^`.*`$/.test(like) ? `\`${fact}\`` : fact;
    row.push(` ${marked.replace(/(?<!\\)\|/g, "\\|")} `.padEnd(cells[index]!.length));
  }
  return `${/^\s*/.exec(lines[model]!.text)![0]}|${row.join("|")}|`;
}

function cellsOf(text: string): string[] | null {
  if (text.length > LONGEST) return null;
  const inside = /^\s*\|(.*)\|\s*$/.exec(text)?.[1];
  return inside === undefined ? null : inside.split(/(?<!\\)\|/);
}

function isRule(text: string | undefined): boolean {
  return text !== undefined && /^[\s|:-]+$/.test(text) && text.includes("-");
}

const DECLARED = /^\s*[?!]?\s*:\s*([^=;]+?)\s*(?:=\s*([^;]+?)\s*)?[;,]?\s*$/;
const SIMPLE = /^(?:-?\d[\w.]*|true|false|null|None|True|False|"[^"]*"|'[^']*')$/;

function factsOf(
  { name, line, comment }: Addition,
  file: Comparison | undefined,
): Partial<Record<Column, string>> {
  const stated = DECLARED.exec(line.text.slice(line.text.indexOf(name) + name.length));
  const type = stated?.[1];
  const value = stated?.[2] ?? (file ? givenValue(name, line.number, file) : undefined);
  const meaning = comment.split(/\s@\w+/)[0]!.trim();
  return {
    name,
    ...(type && !SIMPLE.test(type) ? { type } : {}),
    ...(value && SIMPLE.test(value) ? { default: value } : {}),
    ...(meaning ? { meaning } : {}),
  };
}

/** The literal that the changed lines assign to the name outside its declaration, if they all assign the same one. */
function givenValue(name: string, declared: number, { rewrites }: Comparison): string | undefined {
  const given = new RegExp(
    `(?<![\\w$.-])${name.replace(/\$/g, "\\$")}\\s*[:=]\\s*("[^"]*"|'[^']*'|-?\\d[\\w.]*|true|false|null)(?=\\s*[,;})]|\\s*$)`,
    "g",
  );
  const values = new Set<string>();
  for (const { added } of rewrites)
    for (const { number, text } of added)
      if (number !== declared && text.includes(name))
        for (const match of text.matchAll(given)) values.add(match[1]!);
  return values.size === 1 ? [...values][0] : undefined;
}
