/**
 * The whole rig: `npm run torture -- [--only PART,…] [--seed N] [--scale X] [--short] [--no-teeth]`. Prints what was done
 * how often, from which seed, and every bad outcome; ends with 1 if there was one.
 */
import { execFileSync } from "node:child_process";
import { release } from "node:os";
import { parseArgs } from "node:util";
import { type Extent, locatePart, type Part, parts } from "./parts.ts";
import { newTally, type Tally } from "./tally.ts";
import { type Tooth, teeth } from "./teeth.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    seed: { type: "string" },
    scale: { type: "string", default: "1" },
    short: { type: "boolean", default: false },
    "no-teeth": { type: "boolean", default: false },
  },
});
const extent: Extent = {
  form: values.short ? "short" : "long",
  scale: Number(values.scale),
  seed: values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed),
};
const chosen = values.only?.split(",").map(locatePart) ?? parts;
const mostShown = 10;

console.log(
  `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${process.platform} ${release()}, ${versionHere()}`,
);
console.log(`${extent.form} form, scale ${extent.scale}, --seed ${extent.seed}\n`);
let bad = 0;
for (const part of chosen) bad += await run(part);
if (!values["no-teeth"])
  for (const tooth of teeth) if (chosen.some(({ name }) => name === tooth.part)) bad += await bite(tooth);
console.log(bad === 0 ? "\nbad outcomes: 0" : `\nBAD OUTCOMES: ${bad}`);
process.exitCode = bad === 0 ? 0 : 1;

async function run(part: Part): Promise<number> {
  const tally = newTally();
  const start = Date.now();
  await part.run(tally, extent);
  console.log(`${part.name}: ${part.about}`);
  console.log(
    `  ${printCounts(tally)}; bad ${tally.bad.length}; ${((Date.now() - start) / 1000).toFixed(0)} s`,
  );
  for (const why of new Set(tally.skipped)) console.log(`  skipped: ${why}`);
  for (const each of tally.bad.slice(0, mostShown)) console.log(`  BAD ${each}`);
  if (tally.bad.length > mostShown) console.log(`  BAD and ${tally.bad.length - mostShown} more`);
  return tally.bad.length;
}

/** Something broken that goes unnoticed is a bad outcome of the rig itself. */
async function bite({ part, broken, bite: look }: Tooth): Promise<number> {
  const found = await look(extent.seed);
  const how = found === null ? "cannot be tried here" : found > 0 ? `caught (${found})` : "NOT CAUGHT";
  console.log(`${part}, broken on purpose: ${broken}: ${how}`);
  return found === 0 ? 1 : 0;
}

function printCounts({ counts }: Tally): string {
  return Object.entries(counts)
    .map(([what, number]) => `${what} ${number.toLocaleString("en")}`)
    .join(", ");
}

function versionHere(): string {
  try {
    return `commit ${execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim()}`;
  } catch {
    return "not a git repository";
  }
}
