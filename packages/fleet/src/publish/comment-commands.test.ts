import { expect, test } from "vitest";
import { isCommand, readCommands } from "./comment-commands.ts";

const id = "rename-0123456789abcdef";
const other = "lost-name-fedcba9876543210";

test.each<[string, string, ReturnType<typeof readCommands>]>([
  ["one passage", `/suture dismiss ${id}`, [{ ids: [id], reason: "" }]],
  [
    "several, with a reason",
    `/suture dismiss ${id}, ${other} it is a quotation`,
    [{ ids: [id, other], reason: "it is a quotation" }],
  ],
  ["in code marks", `/suture dismiss \`${id}\``, [{ ids: [id], reason: "" }]],
  ["all of them", "/suture dismiss all the page is old", [{ ids: null, reason: "the page is old" }]],
  ["among other lines", `Thanks!\n\n  /suture dismiss ${id}\nbye`, [{ ids: [id], reason: "" }]],
  [
    "two commands",
    `/suture dismiss ${id}\r\n/suture dismiss ${other} x`,
    [
      { ids: [id], reason: "" },
      { ids: [other], reason: "x" },
    ],
  ],
  ["a misspelt id", "/suture dismiss renam-123", []],
  ["nothing named", "/suture dismiss", []],
  ["another command", "/suture merge all", []],
  ["a quotation of a command", `> /suture dismiss ${id}`, []],
  ["in the middle of a line", `I wrote /suture dismiss ${id}`, []],
])("%s", (_, comment, expected) => {
  expect(readCommands(comment)).toEqual(expected);
  expect(isCommand(comment)).toBe(expected.length > 0);
});
