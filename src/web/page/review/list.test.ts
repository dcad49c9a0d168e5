import { expect, test } from "vitest";
import type { ItemSummary } from "../../review/view.ts";
import { findItems, type Grouping, noFilter, rowsOf } from "./list.ts";

const item = (key: number, path: string, tier: string, cause: string): ItemSummary =>
  ({ key, path, tier, cause, message: cause, kind: "rename", state: "open" }) as unknown as ItemSummary;

const items = [
  item(0, "a.md", "possible", "x"),
  item(1, "a.md", "likely", "y"),
  item(2, "b.md", "certain", "z"),
  item(3, "c.md", "possible", "z"),
];

const rows: [Grouping, number[], string[]][] = [
  ["page", [2, 0, 1, 3], ["b.md", "a.md", "c.md"]],
  ["cause", [2, 3, 1, 0], ["z", "y", "x"]],
];
test.each(rows)("grouped by %s, groups with the surest finding come first", (grouping, keys, groups) => {
  expect(findItems(items, noFilter, grouping).map(({ key }) => key)).toEqual(keys);
  const heads = rowsOf(items, grouping).flatMap((row) => (row.kind === "item" ? [] : [row.id]));
  expect(heads).toEqual(groups);
});
