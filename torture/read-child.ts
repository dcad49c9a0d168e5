// `node read-child.ts FILE` reads FILE in a loop. When its input is closed, it prints how often it has read the file, how
// often the file was missing, and how often it was torn: not the same line repeated.
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
