import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { command as ci } from "../../src/cli/commands/ci/ci.ts";
import { command as check } from "../../src/cli/commands/documents/check.ts";
import { gitLabJob } from "../../src/hosts/gitlab/ci-template.ts";
import { releasedSource } from "../../src/hosts/package-source.ts";

// https://docs.gitlab.com/ci/components/: a file in `templates/` with a header of inputs and a body of jobs.

const text = readFileSync("templates/suture.yml", "utf8");
const [header, body] = parseAllDocuments(text).map((document) => document.toJS()) as [
  { spec: { inputs: Record<string, { default: unknown; options?: string[] }> } },
  Record<string, { script: string[]; artifacts: { reports: Record<string, string> } }>,
];

test("every input that the jobs of the component use is declared, and has a default", () => {
  const used = Array.from(text.matchAll(/\$\[\[ inputs\.(\w+) \]\]/g), ([, name]) => name!);
  expect(new Set(used)).toEqual(new Set(Object.keys(header.spec.inputs)));
  expect(Object.values(header.spec.inputs).every((input) => input.default !== undefined)).toBe(true);
  expect(header.spec.inputs.package!.default).toBe(releasedSource.spec);
});

test("the component calls the command line with options that it has", () => {
  const script = body.suture!.script.join("\n");
  const optionsOf = ({ options }: typeof check): string[] => options.map(({ name }) => name);
  const known = new Set([...optionsOf(check), ...optionsOf(ci), "root", "yes", "ignore-scripts", "package"]);
  const used = Array.from(script.matchAll(/ --([a-z-]+)/g), ([, name]) => name!);
  expect(used.filter((name) => !known.has(name))).toEqual([]);
  expect(header.spec.inputs.mode!.options).toEqual(ci.options.find(({ name }) => name === "mode")!.choices);
});

test("the findings are a code quality report of the merge request", () => {
  expect(body.suture!.artifacts.reports).toEqual({ codequality: "suture-codequality.json" });
});

test.each([
  ["the component", body.suture!.script],
  ["the job that init writes", parse(gitLabJob("npx suture")).documentation.script as string[]],
])("%s starts npx where no other job has put a program or settings", (_, script) => {
  const shared = mkdtempSync(join(tmpdir(), "suture-shared-"));
  try {
    mkdirSync(join(shared, "node_modules"));
    writeFileSync(join(shared, "package.json"), "{}");
    const lines = [script.find((line) => line.startsWith("cd "))!, "npm prefix", "pwd"];
    const env = { ...process.env, TMPDIR: shared };
    const said = execFileSync("bash", ["-ec", lines.join("\n")], { encoding: "utf8", env, cwd: shared });
    const [prefix, folder] = said.trim().split("\n");
    expect(prefix).toBe(folder);
    expect(folder).not.toBe("/tmp");
  } finally {
    rmSync(shared, { recursive: true, force: true });
  }
});
