import type { Result } from "../tools/tool.ts";

/** The most characters of the text of an answer, and of one field of its data. */
export const longestText = 210_000;
const longestField = 16_000;
const mostItems = 100;

/** Fields that say again what the text says. Some clients show the data to the model, and would show it twice. */
const repeating = new Set(["content", "files", "matches", "entries", "diff", "backup", "lineCounts"]);

/** The data of an answer within the same limits as its text: long fields and long lists are cut. */
export function boundAnswer(result: Result): Record<string, unknown> {
  const own = Object.entries(result).filter(([name]) => !repeating.has(name));
  const bounded = own.map(([name, value]): [string, unknown] => {
    if (typeof value === "string")
      return [name, clipText(value, name === "output" ? longestText : longestField)];
    if (Array.isArray(value) && value.length > mostItems) return [name, value.slice(0, mostItems)];
    return [name, value];
  });
  return Object.fromEntries(bounded);
}

/** The beginning of a text, and how much is left out. */
export function clipText(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = (text.charCodeAt(most - 1) & 0xfc00) === 0xd800 ? most - 1 : most;
  return `${text.slice(0, end)}\n… ${text.length - end} more characters; ask for lines with read_file (start_line, end_line).`;
}
