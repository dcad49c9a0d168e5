// One of many writers: `node writer-child.ts ROOT LINE NAME COUNT [blind]` changes its LINE of shared.md COUNT times, one
// commit each. For each change it prints when it begins (`try`), when the engine has reported success (`done`), if the value
// is missing when the next change begins (`lost`), and if it has to be planned again (`again`).
// `blind`: it reads the file and writes it with its line changed, as editors without a lock do.
import { readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { openWorkspace } from "../src/workspace/workspace.ts";
import { commitEdits, edit } from "./workloads.ts";

const [root, line, name, count, how] = process.argv.slice(2) as [string, string, string, string, string?];
const say = (what: string): void => void writeSync(1, `${what}\n`);
const opened = await openWorkspace(root, { durability: "fast", patience: 600_000 });
if (!opened.ok) throw new Error(JSON.stringify(opened.refusal));
const workspace = opened.value;

let last = "";
for (let number = 0; number < Number(count); number++) {
  const value = `${name}-${number}`;
  say(`try ${value}`);
  if (how === "blind") writeBlindly(value);
  else await write(value);
  say(`done ${value}`);
  last = value;
}
await workspace.close();

/** Other writers change their lines meanwhile. Our edit is rebased, or planned again after very many changes. */
async function write(value: string): Promise<void> {
  for (;;) {
    const read = await workspace.read("shared.md");
    if (!read.ok) throw new Error(JSON.stringify(read.refusal));
    const asked = { ...edit("shared.md", lineOf(read.value.text!), `${line}: ${value}`), reason: value };
    const done = await commitEdits(workspace, [asked]);
    if (done.ok) return;
    if (done.refusal.code !== "stale") throw new Error(JSON.stringify(done.refusal));
    say(`again ${value}`);
  }
}

function writeBlindly(value: string): void {
  const path = join(root, "shared.md");
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replace(lineOf(text), `${line}: ${value}`));
}

function lineOf(text: string): string {
  const found = text.split("\n").find((each) => each.startsWith(`${line}: `)) ?? "";
  if (last !== "" && found !== `${line}: ${last}`) say(`lost ${last}`);
  return found;
}
