// Reads FILE as fast as it can and says, when its input ends, how often, how often it was missing, and how often torn:
// not the same line again and again. `node read-child.ts FILE`
import { readFileSync, writeSync } from "node:fs";

const [file] = process.argv.slice(2) as [string];
const seen = { reads: 0, missing: 0, torn: 0, versions: 0 };
let last = "";
process.stdin.resume().on("end", () => {
  writeSync(1, JSON.stringify(seen));
  process.exit();
});
writeSync(1, "ready\n");
readOnAndOn();

function readOnAndOn(): void {
  for (let i = 0; i < 50; i++) look();
  setImmediate(readOnAndOn);
}

function look(): void {
  seen.reads++;
  let text: string;
  try {
    text = readFileSync(file, "latin1");
  } catch {
    seen.missing++;
    return;
  }
  const line = text.slice(0, text.indexOf("\n") + 1);
  if (text === "" || text !== line.repeat(text.length / line.length)) seen.torn++;
  if (line !== last) seen.versions++;
  last = line;
}
