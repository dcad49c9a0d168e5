import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sutureFromSource } from "../../packages/fleet/test/from-source.ts";
import type { CheckReport } from "../../src/index.ts";
import {
  commandIn,
  createDriftRepository,
  type DriftCase,
  type DriftRepository,
  type ExpectedFinding,
  loadDriftCases,
  toExpected,
} from "./drift.ts";

const cases = loadDriftCases();

describe("drift cases through a fleet", () => {
  const home = mkdtempSync(join(tmpdir(), "suture-drift-fleet-"));
  const repositories: DriftRepository[] = [];
  let found: Map<string, readonly ExpectedFinding[]>;

  beforeAll(async () => {
    const suture = commandIn(sutureFromSource);
    repositories.push(...cases.map(createDriftRepository));
    const fleet = async (...words: string[]) => {
      const run = await suture(home, ["fleet", ...words, "--home", home]);
      // It ends with 1 while a repository has drift.
      if (run.code > 1) throw new Error(run.err);
      return run.out;
    };
    await fleet("add", ...repositories.map(({ root }) => root));
    await fleet("run", "--once", "--port", "0");
    found = readRuns(await fleet("export"));
  });
  afterAll(() => {
    for (const repository of repositories) repository.remove();
    rmSync(home, { recursive: true, force: true });
  });

  test.each(cases.map((each) => [each.name, each] as const))("%s", (name, { expected }: DriftCase) => {
    expect(found.get(name)).toEqual(expected);
  });
});

/** The runs of the fleet's checks, by the name of the repository. */
function readRuns(exported: string): Map<string, ExpectedFinding[]> {
  type Run = { readonly kind: string; readonly name: string; readonly record: CheckReport | null };
  const runs = exported
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Run);
  const checks = runs.filter(({ kind }) => kind === "check");
  return new Map(checks.map(({ name, record }) => [name, toExpected(record?.findings ?? [])]));
}
