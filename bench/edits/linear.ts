import type { Edit } from "../../src/text/model/edit.ts";
import { planEdits } from "../../src/text/model/plan.ts";
import { median, milliseconds, printTable } from "../report.ts";

const sizes = [1250, 2500, 5000, 10_000];
const rounds = 3;

/** The CPU time to plan more and more edits of one file of 1 MB: twice the edits must not take much more than twice. */
export function measureLinear(): boolean {
  const text = Array.from(
    { length: 20_000 },
    (_, i) => `line ${i} of the file, with some more words behind it\n`,
  ).join("");
  const rows = sizes.map((size) => ({
    size,
    plain: timeOf(text, size, "plain"),
    short: timeOf(text, size, "newline"),
  }));
  const last = rows.at(-1)!;
  console.log(
    `A file of ${text.length.toLocaleString("en")} characters; the median of ${rounds} rounds, CPU time.`,
  );
  console.log(
    printTable(
      ["edits", "quotations", "each", "quotations that begin with a newline", "each"],
      rows.map(({ size, plain, short }) => [
        String(size),
        milliseconds(plain),
        milliseconds(plain / size),
        milliseconds(short),
        milliseconds(short / size),
      ]),
    ),
  );
  const first = rows[0]!;
  const growth = Math.max(last.plain / first.plain, last.short / first.short) / (last.size / first.size);
  console.log(`Time for each edit, ${last.size} edits to ${first.size}: ${growth.toFixed(2)} ×`);
  return growth < quadratic;
}

/** Quadratic time would make this 8. */
const quadratic = 2;

function timeOf(text: string, count: number, kind: "plain" | "newline"): number {
  const edits = editsOf(count, kind);
  const times = Array.from({ length: rounds }, () => {
    const start = process.cpuUsage();
    const planned = planEdits(edits, [{ path, text, version: "" }]);
    const { user, system } = process.cpuUsage(start);
    if (!planned.ok) throw new Error(JSON.stringify(planned.refusal));
    return (user + system) / 1000;
  });
  return median(times);
}

const path = "file.txt";

function editsOf(count: number, kind: "plain" | "newline"): Edit[] {
  return Array.from({ length: count }, (_, i): Edit => {
    const line = 2 * i + 1;
    const lead = kind === "newline" ? "\n" : "";
    const target = { quote: `${lead}line ${line} of the file` };
    return { path, target, text: `${lead}line ${line} of this file`, reason: "", evidence: [] };
  });
}
