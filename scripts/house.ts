/** Prints the figures of the house: `npm run house`, or `npm run house -- --lists ../another-checkout`. */
import { type Figures, measureHouse } from "../test/house/figures.ts";
import { loadSources } from "../test/house/sources.ts";

const words = process.argv.slice(2);
const roots = words.filter((word) => !word.startsWith("--"));
const figures = measureHouse(loadSources(roots[0] ?? "."));

console.log(printTable(figures));
if (words.includes("--lists")) console.log(printLists(figures));

function printTable(all: Figures): string {
  const { functionLines, largestFolder } = all;
  const rows: [string, string | number][] = [
    ["lines of src / of packages", `${all.lines.core} / ${all.lines.packages}`],
    ["regular expressions, each once", all.expressions],
    ["functions with a body", all.functions],
    [
      "their lines: median / 99th percentile / longest",
      `${functionLines.median} / ${functionLines.p99} / ${functionLines.max}`,
    ],
    ["functions over 80 lines, without tables", all.long.length],
    ["functions with 5 or more parameters", all.wide.length],
    ["most files in one folder", `${largestFolder.files} (${largestFolder.folder})`],
    ["folders with more than 20 files", all.crowded.length],
    ["type names declared more than once", `${all.repeatedTypes.length} of ${all.types}`],
    ["non-null assertions per 1,000 lines", all.assertionsPer1000],
    ["conditional spreads in objects", all.conditionalSpreads.length],
    ["conditions on the text of a message", all.prose.length],
    ...Object.entries(all.touched).map(([part, paths]): [string, number] => [
      `files that mention one ${part}`,
      paths.length,
    ]),
  ];
  return rows.map(([name, value]) => `${name.padEnd(50)}${value}`).join("\n");
}

function printLists(all: Figures): string {
  const lists: [string, readonly string[]][] = [
    ["functions over 80 lines", all.long],
    ["functions with 5 or more parameters", all.wide],
    ["folders with more than 20 files", all.crowded],
    ["type names declared more than once", all.repeatedTypes],
    ["conditional spreads in objects", all.conditionalSpreads],
    ["conditions on the text of a message", all.prose],
    ...Object.entries(all.touched).map(([part, paths]): [string, readonly string[]] => [
      `files that mention one ${part}`,
      paths,
    ]),
  ];
  return lists
    .map(([name, items]) => [`\n${name}`, ...items.map((item) => `  ${item}`)].join("\n"))
    .join("\n");
}
