/**
 * The whole rig: `npm run torture -- [--only PART,…] [--seed N] [--scale X] [--short] [--no-teeth] [--json]`. Prints its
 * counts, the seed, and every bad outcome, and exits with 1 if there was one. `--json`: a line for each part.
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
    json: { type: "boolean", default: false },
  },
});
const extent: Extent = {
  form: values.short ? "short" : "long",
  scale: Number(values.scale),
  seed: values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed),
};
const chosen = values.only?.split(",").map(locatePart) ?? parts;
const mostShown = 10;
const say = (line: string): void => {
  if (!values.json) console.log(line);
};

say(
  `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${process.platform} ${release()}, ${commitHere()}`,
);
say(`${extent.form} form, scale ${extent.scale}, --seed ${extent.seed}\n`);
let bad = 0;
for (const part of chosen) bad += await run(part);
if (!values["no-teeth"])
  for (const tooth of teeth) if (chosen.some(({ name }) => name === tooth.part)) bad += await bite(tooth);
say(bad === 0 ? "\nbad outcomes: 0" : `\nBAD OUTCOMES: ${bad}`);
process.exitCode = bad === 0 ? 0 : 1;

async function run(part: Part): Promise<number> {
  const tally = newTally();
  const start = Date.now();
  await part.run(tally, extent);
  const seconds = Math.round((Date.now() - start) / 1000);
  if (values.json) console.log(JSON.stringify({ part: part.name, seconds, ...tally }));
  for (const line of print(part, tally, seconds)) say(line);
  return tally.bad.length;
}

function print({ name, description }: Part, { counts, bad, skipped }: Tally, seconds: number): string[] {
  const counted = Object.entries(counts).map(([what, number]) => `${what} ${number.toLocaleString("en")}`);
  return [
    `${name}: ${description}`,
    `  ${counted.join(", ")}; bad ${bad.length}; ${seconds} s`,
    ...[...new Set(skipped)].map((why) => `  skipped: ${why}`),
    ...bad.slice(0, mostShown).map((each) => `  BAD ${each}`),
    ...(bad.length > mostShown ? [`  BAD and ${bad.length - mostShown} more`] : []),
  ];
}

/** If the rig does not detect something broken, that is a bad outcome of the rig itself. */
async function bite({ part, broken, bite: look }: Tooth): Promise<number> {
  const found = await look(extent.seed);
  const how = found === null ? "cannot be tried here" : found > 0 ? `caught (${found})` : "NOT CAUGHT";
  say(`${part}, broken on purpose: ${broken}: ${how}`);
  return found === 0 ? 1 : 0;
}

function commitHere(): string {
  try {
    const output = execFileSync("git", ["rev-parse", "--short", "HEAD"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    return `commit ${output.toString().trim()}`;
  } catch {
    return "not a git repository";
  }
}
