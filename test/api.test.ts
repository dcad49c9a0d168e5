import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { readApi } from "../scripts/api-report.ts";

const api = readApi();
const page = readFileSync("docs/library.md", "utf8");

test("the library page names about fifteen names, and each is a current export of its entry", () => {
  const [table = ""] = /^\| Job \| Names \|\n.*?\n\n/ms.exec(page) ?? [];
  const rows = table.split("\n").slice(2).filter(Boolean);
  const names = rows.flatMap((row) => {
    const [, , cell = ""] = row.split("|");
    const entry = /from `(suture\/\w+)`/.exec(cell)?.[1] ?? "suture";
    const listed = cell.replace(/from `.*/, "").matchAll(/`(\w+)`/g);
    return Array.from(listed, ([, name]) => ({ entry, name: name! }));
  });
  expect(names.length).toBeGreaterThan(10);
  expect(names.length).toBeLessThan(18);
  const isCurrent = ({ entry, name }: { entry: string; name: string }): boolean =>
    api.get(entry)?.some((each) => each.name === name && each.deprecated === null) ?? false;
  expect(names.filter((each) => !isCurrent(each))).toEqual([]);
});

test("every deprecated name says since when, and names what replaces it", () => {
  const notes = [...api.values()].flat().flatMap(({ deprecated }) => deprecated ?? []);
  expect(notes.filter((note) => !/^since \d+\.\d+: .*(`|without a replacement)/.test(note))).toEqual([]);
  expect(notes.length).toBeGreaterThan(20);
});

test("every entry has a page in the report", () => {
  const entries = Object.keys(manifest.exports).filter((entry) => entry !== "./package.json");
  const pages = entries.map((entry) => `docs/api/suture${entry.slice(1).replace("/", "-")}.api.md`);
  expect(pages.filter((path) => !existsSync(path))).toEqual([]);
});
