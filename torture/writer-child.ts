// One of many writers: `node writer-child.ts ROOT NAME COUNT [blind]` adds COUNT lines of its own to shared.md, one
// commit each, and says of every one when it begins (`try`) and when the engine has answered that it is done (`done`).
// `blind`: it writes what it has read and one line more, as editors without a lock do.
import { readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Edit } from "../src/text/edit.ts";
import { openWorkspace } from "../src/workspace/workspace.ts";
import { commitEdits } from "./workloads.ts";

const [root, name, count, how] = process.argv.slice(2) as [string, string, string, string?];
const say = (line: string): void => void writeSync(1, `${line}\n`);
const opened = await openWorkspace(root, { durability: "fast", patience: 600_000 });
if (!opened.ok) throw new Error(JSON.stringify(opened.refusal));
const workspace = opened.value;

for (let number = 0; number < Number(count); number++) {
  const line = `${name}-${number}`;
  say(`try ${line}`);
  if (how === "blind") addBlindly(line);
  else await addLine(line);
  say(`done ${line}`);
}
await workspace.close();

/** Others write between our reading and our commit; then the plan is for another file, and is made again. */
async function addLine(line: string): Promise<void> {
  const edit: Edit = {
    path: "shared.md",
    target: { line: -1 },
    text: `${line}\n`,
    reason: line,
    evidence: [],
  };
  for (;;) {
    const done = await commitEdits(workspace, [edit]);
    if (done.ok) return;
    if (!["stale", "conflict"].includes(done.refusal.code)) throw new Error(JSON.stringify(done.refusal));
  }
}

function addBlindly(line: string): void {
  const path = join(root, "shared.md");
  writeFileSync(path, `${readFileSync(path, "utf8")}${line}\n`);
}
