import { describe, expect, test } from "vitest";
import { withoutThinking } from "./thinking.ts";

describe("thinking is left out", () => {
  test.each([
    ["after a greeting", "Okay.\n<think>\n1 KEEP: hm.\n</think>\n1 FIX: so.", "1 FIX: so."],
    ["with attributes in its tag", '<think time="3">a</think>\n1 FIX: so.', "1 FIX: so."],
    ["between other marks", "[THINK]a[/THINK]1 FIX: so.", "1 FIX: so."],
    ["between Kimi's marks", "◁think▷a◁/think▷1 FIX: so.", "1 FIX: so."],
    ["between Seed's tags", "<seed:think>a</seed:think>1 FIX: so.", "1 FIX: so."],
    ["without an end", "<think>\nso it is", ""],
    ["without an end, after a greeting", "Okay.\n<think>\nso it is", ""],
  ])("%s", (_, text, read) => {
    expect(withoutThinking(text).trim()).toBe(read);
  });

  test.each([
    "Use `<think>` tags.",
    "# Tags\n\n```text\n<think>\nwhy\n</think>\n```\n",
    "1 FIX: so.\nBEGIN SECTION\nModels write\n<think>\nwhy\n</think>\nEND SECTION",
  ])("but not from a page that tells of it: %j", (text) => {
    expect(withoutThinking(text)).toBe(text);
  });
});
