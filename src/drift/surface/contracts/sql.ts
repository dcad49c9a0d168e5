import { DOUBLE } from "../../../syntax/languages/literals.ts";
import { defined } from "../../../text/model/defined.ts";
import { CodeText } from "../read/code-text.ts";
import type { Thing } from "../thing.ts";

const COMMENT = /--[^\n]*|\/\*[\s\S]*?(?:\*\/|(?![\s\S]))/;
const TEXT = /'(?:''|[^'])*'?/;
const TABLE =
  /^\s*create\s+(?:temp(?:orary)?\s+)?table\s+(?:if\s+not\s+exists\s+)?(?:[\w"`]+\.)?["`]?(\w+)["`]?\s*\(/gim;
const COLUMN = /^["`]?(\w+)["`]?\s+([a-z]\w*(?:\s*\([\d\s,]+\))?)/i;
const CONSTRAINT = /^(?:primary|foreign|unique|check|constraint|key|index|exclude|like)$/i;
const DEFAULT = /\bdefault\s+(-?[\w.]+|'(?:''|[^'])*')/i;

/** The columns of the tables that a file of SQL creates, with their types and defaults. */
export function readSql(path: string, text: string): Thing[] {
  const code = new CodeText(path, text, { literals: [COMMENT, TEXT, DOUBLE] });
  return [...code.calls(TABLE)].flatMap(({ match, arguments: columns }) =>
    columns.flatMap(({ start, end }) => {
      const written = text.slice(start, end);
      const [, name = "", type = ""] = COLUMN.exec(written) ?? [];
      if (name === "" || CONSTRAINT.test(name)) return [];
      const value = DEFAULT.exec(written)?.[1];
      return [
        code.thing({
          kind: "setting",
          name,
          owner: [match[1]!],
          at: start,
          region: { start, end },
          type: type.toLowerCase(),
          ...defined({ value }),
        }),
      ];
    }),
  );
}
