/**
 * Prints the numbered behaviours, or with `--threats` the threats, with the number of tests that show each.
 * Words select rows by id and list their tests: `npm run behaviours -- S12 J27`.
 * `--move` rewrites both tables after test files were renamed: a title that is gone from its file and stands in
 * exactly one other file is listed there.
 */
import { writeFileSync } from "node:fs";
import { type Behaviour, hasTitle, loadBehaviours, loadTitles } from "../test/behaviours.ts";

const words = process.argv.slice(2);
if (words.includes("--move")) moveTests();
else printTable(words.includes("--threats") ? "threats" : "behaviours");

function printTable(name: "behaviours" | "threats"): void {
  const ids = words.filter((word) => !word.startsWith("--"));
  const table = loadBehaviours(name);
  const rows = ids.length === 0 ? table : table.filter(({ id }) => ids.includes(id));
  for (const row of rows) console.log(ids.length === 0 ? printRow(row) : printTests(row));
  if (ids.length === 0) console.log(printTotals(table));
  process.exitCode = rows.length === 0 ? 2 : 0;
}

function printRow({ id, behaviour, tests }: Behaviour): string {
  return `${id.padEnd(12)}${String(tests.length).padStart(3)}  ${behaviour}`;
}

function printTests(row: Behaviour): string {
  const tests = row.tests.map(({ file, title }) => `${" ".repeat(17)}${file}: ${title}`);
  return [printRow(row), ...tests].join("\n");
}

function printTotals(all: readonly Behaviour[]): string {
  const tested = all.filter(({ tests }) => tests.length > 0);
  const tests = new Set(all.flatMap((row) => row.tests.map(({ file, title }) => `${file} ${title}`)));
  return `${tested.length} of ${all.length} have tests; ${tests.size} test titles`;
}

function moveTests(): void {
  const titles = loadTitles();
  const locate = (file: string, title: string): string => {
    if (hasTitle(titles, file, title)) return file;
    const others = [...titles.keys()].filter((other) => hasTitle(titles, other, title));
    const sameName = others.filter((other) => other.split("/").at(-1) === file.split("/").at(-1));
    const [found, second] = sameName.length > 0 ? sameName : others;
    if (found !== undefined && second === undefined) return found;
    console.log(`${file}: ${title}: ${second === undefined ? "in no file" : "in several files"}`);
    return file;
  };
  for (const name of ["behaviours", "threats"] as const) {
    const rows = loadBehaviours(name).map((row) => ({
      ...row,
      tests: row.tests.map(({ file, title }) => ({ file: locate(file, title), title })),
    }));
    writeFileSync(`docs/${name}.json`, `${JSON.stringify(rows, null, 2)}\n`);
  }
}
