import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Result } from "../tools/tool.ts";
import { textOf, withConsentOption } from "../wording/report.ts";

/** The most characters of the text of an answer, and of one field of its data. */
export const longestText = 210_000;
const longestField = 16_000;
/** Names and codes stay whole where the room is used up. */
const shortestField = 200;
const mostItems = 100;

/** Fields that say again what the text says. Some clients show the data to the model, and would show it twice. */
const repeating = new Set(["content", "backup", "lineCounts"]);

/** What a client is sent, within the limits: the thread of a check makes it too, so that a server never holds more. */
export function answerOf(answered: Result): CallToolResult {
  const result = withConsentOption(answered);
  return {
    content: [{ type: "text", text: clipText(textOf(result), longestText) }],
    structuredContent: boundAnswer(result),
    isError: !result.success,
  };
}

/** The data of an answer within the same limits as its text: long texts and long lists are cut, however deep they lie. */
export function boundAnswer(result: Result): Record<string, unknown> {
  const { output, ...data } = result;
  // The diff of a dry run is its answer.
  const own = Object.entries(data).filter(
    ([name]) => !repeating.has(name) && (name !== "diff" || data.dryRun === true),
  );
  const room = { left: longestText };
  return { output: clipText(output, longestText), ...(bound(Object.fromEntries(own), room) as object) };
}

/** `room`: how many characters of texts the whole answer may still have. */
function bound(value: unknown, room: { left: number }): unknown {
  if (typeof value === "string") {
    const clipped = clipText(value, Math.min(longestField, Math.max(room.left, shortestField)));
    room.left -= clipped.length;
    return clipped;
  }
  if (Array.isArray(value))
    return value.slice(0, mostItems).flatMap((each) => (room.left > 0 ? [bound(each, room)] : []));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, bound(each, room)]));
}

/** The beginning of a text, and how much is left out. */
function clipText(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = (text.charCodeAt(most - 1) & 0xfc00) === 0xd800 ? most - 1 : most;
  return `${text.slice(0, end)}\n… ${text.length - end} more characters; ask for lines with read_file (start_line, end_line).`;
}
