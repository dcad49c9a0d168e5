import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decode, spliceBytes } from "../src/text/encoding.ts";
import type { Outcome } from "../src/text/outcome.ts";
import { type Change, planEdits } from "../src/text/plan.ts";
import { invert, type Splice } from "../src/text/splice.ts";

const page = "# Client\r\n\r\nRequests wait\r\n30 seconds.  \r\n\r\nRetries wait\r\n5 seconds.\r\n";

const folder = mkdtempSync(join(tmpdir(), "suture-demo-"));
const file = join(folder, "client.md");
try {
  writeFileSync(file, page);
  show("A page with Windows line endings and trailing spaces:");

  const change = edit("Requests wait\n30 seconds.", "Requests wait\n60 seconds.");
  if (change) writeSplices(change.splices);
  show("Quoted with plain line endings, one number changed:");

  edit("seconds.", "minutes.");

  if (change) writeSplices(invert(page, change.splices));
  show(`Undone; every byte as before: ${readFileSync(file, "utf8") === page ? "yes" : "NO"}`);
} finally {
  rmSync(folder, { recursive: true });
}

function edit(quote: string, text: string): Change | undefined {
  const snapshot = { path: "client.md", text: accepted(decode(readFileSync(file))).text, version: "" };
  const asked = {
    path: "client.md",
    target: { quote },
    text,
    reason: "the client waits longer",
    evidence: [],
  };
  const planned = planEdits([asked], [snapshot]);
  if (planned.ok) return planned.value.changes[0];
  console.log(`Quoting ${JSON.stringify(quote)} is refused, and nothing is written:`);
  console.log(`  ${JSON.stringify(planned.refusal)}\n`);
  return;
}

function writeSplices(splices: readonly Splice[]): void {
  const bytes = readFileSync(file);
  const { text, encoding } = accepted(decode(bytes));
  writeFileSync(file, accepted(spliceBytes(bytes, text, encoding, splices)));
}

function show(title: string): void {
  const lines = readFileSync(file, "utf8").split(/(?<=\n)/);
  console.log(`${title}\n${lines.map((line) => `  ${JSON.stringify(line)}`).join("\n")}\n`);
}

function accepted<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.refusal));
  return outcome.value;
}
