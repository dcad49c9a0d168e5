import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createWordFinder } from "../syntax/words/words.ts";
import { applySplices } from "../text/model/splice.ts";
import type { DriftInput } from "./change/change.ts";
import { findDrift } from "./find-drift.ts";
import type { Finding } from "./findings.ts";
import { isDocumentPath } from "./pages/policies.ts";

const examples = join(import.meta.dirname, "..", "..", "examples");
const folder = mkdtempSync(join(tmpdir(), "suture-example-"));
let base: Map<string, string>;
let head: Map<string, string>;

beforeAll(() => {
  cpSync(join(examples, "postbox"), folder, { recursive: true });
  execFileSync("git", ["init", "--quiet"], { cwd: folder });
  base = readFolder();
  execFileSync("git", ["apply", join(examples, "postbox.patch")], { cwd: folder });
  head = readFolder();
});
afterAll(() => rmSync(folder, { recursive: true }));

function readFolder(): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = files.map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
  const own = paths.filter((path) => !path.startsWith(".git"));
  return new Map(own.sort().map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}

function ask(pages: ReadonlyMap<string, string>): DriftInput {
  const code = [...head].filter(([path]) => !isDocumentPath(path));
  const paths = [...new Set([...base.keys(), ...head.keys()])].filter((path) => !isDocumentPath(path));
  return {
    base: "base",
    head: "head",
    files: paths
      .map((path) => ({ path, before: base.get(path) ?? null, after: head.get(path) ?? null }))
      .filter(({ before, after }) => before !== after),
    tree: [...head.keys()],
    documents: [...pages].map(([path, text]) => ({ path, text })),
    occurrences: async (names) => {
      const find = createWordFinder(names);
      const namesByPath = code.map(
        ([path, text]) => [path, new Set(find(text).map(({ name }) => name))] as const,
      );
      return new Map(
        names.map((name) => [name, namesByPath.filter(([, known]) => known.has(name)).map(([path]) => path)]),
      );
    },
  };
}

async function speak(pages: ReadonlyMap<string, string>): Promise<Finding[]> {
  return (await findDrift(ask(pages))).findings.filter(({ tier }) => tier !== "possible");
}

function pagesOf(files: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...files].filter(([path]) => isDocumentPath(path)));
}

function fix(pages: ReadonlyMap<string, string>, findings: readonly Finding[]): Map<string, string> {
  return new Map(
    [...pages].map(([path, text]) => {
      const splices = findings
        .filter((finding) => finding.path === path)
        .flatMap(({ edits }) => edits)
        .flatMap((edit) =>
          "region" in edit.target && "text" in edit ? [{ region: edit.target.region, text: edit.text }] : [],
        )
        .sort((a, b) => a.region.start - b.region.start || a.region.end - b.region.end);
      return [path, applySplices(text, splices)];
    }),
  );
}

test("once all edits are made, a second check has none to make", async () => {
  const fixed = fix(pagesOf(head), await speak(pagesOf(head)));
  const again = await speak(fixed);
  expect(again.filter(({ edits }) => edits.length)).toEqual([]);
});

test("a removed option is not paired with an unrelated new one", async () => {
  const findings = await speak(pagesOf(head));
  expect(findings.filter(({ message }) => message.old === "legacyAuth")).toMatchObject([
    {
      kind: "list",
      evidence: [{ path: "src/client.ts", startLine: 36 }, { before: "  legacyAuth?: boolean;" }],
    },
  ]);
  const options = fix(pagesOf(head), findings).get("docs/options.md")!;
  expect(options).not.toContain("legacyAuth");
  expect(options).toContain("| `timeout` | `number` | `60` |");
});

test("every finding that edits shows the line of code that made it", async () => {
  for (const { evidence, edits } of await speak(pagesOf(head))) {
    expect(evidence.length).toBeGreaterThan(0);
    for (const edit of edits) expect(edit.evidence?.length).toBeGreaterThan(0);
  }
});

test("history is left as it was", async () => {
  const fixed = fix(pagesOf(head), await speak(pagesOf(head)));
  expect(fixed.get("CHANGELOG.md")).toBe(base.get("CHANGELOG.md"));
});
