/**
 * Which of the 278 numbered behaviours have a test that names them. A behaviour listed as claimed without such a
 * test fails the run; so does one that is neither claimed nor open.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

type Checklist = { claimed: string[]; open: Record<string, string> };

const totals = { S: 86, J: 88, W: 104 } as const;
const root = join(import.meta.dirname, "..");
const checklist: Checklist = JSON.parse(readFileSync(join(root, "test", "checklist.json"), "utf8"));

const tested = new Map<string, Set<string>>();
for (const file of testFiles(root)) {
  const named = namesIn(readFileSync(join(root, file), "utf8"), file);
  for (const id of named) tested.set(id, (tested.get(id) ?? new Set()).add(file));
}

const claimed = new Set(checklist.claimed.flatMap(expand));
const open = new Map(
  Object.entries(checklist.open).flatMap(([range, why]) => expand(range).map((id) => [id, why])),
);
const all = Object.entries(totals).flatMap(([letter, count]) =>
  Array.from({ length: count }, (_, i) => `${letter}${i + 1}`),
);

const broken = all.filter((id) => claimed.has(id) && !tested.has(id));
const unlisted = all.filter((id) => !claimed.has(id) && !open.has(id));
const early = all.filter((id) => open.has(id) && tested.has(id));

for (const letter of Object.keys(totals)) {
  const ids = all.filter((id) => id.startsWith(letter));
  const done = ids.filter((id) => claimed.has(id) && tested.has(id));
  console.log(`${letter}: ${done.length} of ${ids.length} have a test that names them`);
}
for (const [why, ids] of groupBy([...open], ([, why]) => why))
  console.log(`open (${why}): ${ids.map(([id]) => id).join(" ")}`);
if (early.length > 0) console.log(`open, though a test names them: ${early.join(" ")}`);
if (unlisted.length > 0) console.log(`neither claimed nor open: ${unlisted.join(" ")}`);
if (broken.length > 0) console.log(`claimed without a test: ${broken.join(" ")}`);
console.log(
  `${claimed.size - broken.length} claimed and tested, ${open.size} open, ${broken.length} claimed without a test`,
);
process.exitCode = broken.length + unlisted.length > 0 ? 1 : 0;

function testFiles(folder: string, below = ""): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const name = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory())
      return /^(node_modules|dist|\.|examples)/.test(entry.name) ? [] : testFiles(folder, name);
    return /\.test\.ts$|^scenarios\/[^/]+\/call\.json$/.test(name) ? [name] : [];
  });
}

/**
 * The behaviours that the titles of a file name. Cases of the security reference share two letters: there S is about
 * state and W about the review page, so those are left to the rooms that they are about.
 */
function namesIn(text: string, file: string): Set<string> {
  // Rows of tables start with what they show; a title may name several behaviours on the way.
  const rows = [...text.matchAll(/["'`]((?:[SJWCPLTXMDFHAG]\d+ )+)/g)].map(([, ids]) => ids!);
  const titles = [...text.matchAll(/\btest(?:\.\w+)*\(\s*"((?:[^"\\\n]|\\.)*)"/g)].map(([, title]) => title!);
  const ids = new Set<string>();
  for (const [id] of [...rows, ...titles].join("\n").matchAll(/\b[SJW][1-9]\d*\b/g)) {
    if (id.startsWith("S") && /^(src\/workspace|torture|test\/torture)\//.test(file)) continue;
    if (id.startsWith("W") && file.startsWith("src/web/")) continue;
    ids.add(id);
  }
  return ids;
}

function expand(range: string): string[] {
  const [, letter, first, last] = /^([SJW])(\d+)(?:-[SJW]?(\d+))?$/.exec(range) ?? [];
  if (!letter || !first) throw new TypeError(`not a range of behaviours: ${range}`);
  const [start, end] = [Number(first), Number(last ?? first)];
  return Array.from({ length: end - start + 1 }, (_, i) => `${letter}${start + i}`);
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
}
