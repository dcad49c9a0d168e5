import { expect, test } from "vitest";
import type { DriftInput } from "../../drift/change/change.ts";
import type { Finding } from "../../drift/findings.ts";
import { unknownWords } from "../../wording/findings.ts";
import { auditApart, type DriftFound, findDriftApart } from "./failing-files.ts";

const input: DriftInput = {
  base: "b",
  head: "h",
  files: [
    { path: "a.ts", before: "1", after: "2" },
    { path: "b.ts", before: "1", after: "fails" },
  ],
  tree: [],
  documents: [..."abcdefg"].map((name) => ({ path: `${name}.md`, text: name === "c" ? "fails" : "ok" })),
  occurrences: async () => new Map(),
};

/** A search that fails on certain texts, as a reader with a bug would, and finds every other page. */
async function search({ files, documents }: DriftInput): Promise<DriftFound> {
  if (documents.some(({ text }) => text === "fails")) throw new TypeError("no such property");
  if (files.some(({ after }) => after === "fails")) throw new TypeError("no such property");
  return {
    findings: documents.map(({ path }) => ({ path }) as Finding),
    unknown: [],
    asked: { claims: 0, false: 0, undecidable: [] },
  };
}

test("a page or a source that makes the search fail is unknown, and the others are still judged", async () => {
  const found = await findDriftApart(input, search);
  expect(found.findings.map(({ path }) => path)).toEqual([..."abdefg"].map((name) => `${name}.md`));
  expect(found.unknown).toEqual([
    { path: "b.ts", why: unknownWords.failed },
    { path: "c.md", why: unknownWords.failed },
  ]);
});

test("a check of all documents leaves out a page that makes it fail", async () => {
  const found = await auditApart({ ...input, read: async () => null }, async ({ documents }) =>
    search({ ...input, files: [], documents }),
  );
  expect(found.findings).toHaveLength(6);
  expect(found.unknown).toEqual([{ path: "c.md", why: unknownWords.failed }]);
});

test("a failure that no file causes is not blamed on one", async () => {
  const broken = async (): Promise<DriftFound> => {
    throw new Error("the disk is gone");
  };
  await expect(findDriftApart(input, broken)).rejects.toThrow("the disk is gone");
});

test("a failure with most of the files is not blamed on them", async () => {
  const documents = Array.from({ length: 100 }, (_, index) => ({ path: `${index}.md`, text: "fails" }));
  await expect(findDriftApart({ ...input, documents }, search)).rejects.toThrow("no such property");
});
