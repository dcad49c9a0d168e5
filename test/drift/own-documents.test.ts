import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sutureIn } from "./repository.ts";

const house = join(import.meta.dirname, "..", "..");

/** The last commit's parent, where this is a clone that has it. */
function parent(): string | null {
  try {
    return execFileSync("git", ["rev-parse", "--verify", "--quiet", "HEAD~1"], {
      cwd: house,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return null;
  }
}

const base = parent();

test.skipIf(base === null)(
  `our own documents are true to the last commit${base === null ? ": there is no history here" : ""}`,
  () => {
    const { code, out, err } = sutureIn(house, ["check", "--base", base!, "--head", "HEAD", "--json"]);
    const report = code === 2 ? { findings: [{ message: err }] } : JSON.parse(out);
    expect(report.findings.filter(({ tier }: { tier: string }) => tier === "certain")).toEqual([]);
  },
);
