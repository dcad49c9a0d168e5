import { expect, test } from "vitest";
import { findCandidates } from "../find-drift.ts";
import { type Case, toInput } from "../test-case.ts";

const CLASS = (name: string, text: string): string =>
  `package harbour;\n\npublic class ${name} {\n    /**\n     * ${text}\n     */\n    public static Builder custom() {\n        return new Builder();\n    }\n}\n`;
const OLD = "Returns a builder to create a custom BerthConfig.";
const FILES: Case["files"] = {
  "src/main/java/harbour/QuayConfig.java": [
    CLASS("QuayConfig", OLD),
    CLASS("QuayConfig", "Returns a builder to create a custom QuayConfig."),
  ],
};
const DOCS = { "docs/guide.md": "Call `custom`, which returns a builder to create a custom BerthConfig.\n" };

async function suppressions(rest: Record<string, string>) {
  const candidates = await findCandidates(toInput({ files: FILES, docs: DOCS, rest }));
  return candidates
    .filter(({ notice }) => notice.kind === "description")
    .map(({ suppressedBy }) => suppressedBy);
}

test("a passage that repeats a comment which the change reworded", async () => {
  expect(await suppressions({})).toEqual([null]);
});

test("a comment that another thing has still may be the one that the page repeats", async () => {
  const rest = { "src/main/java/harbour/BerthConfig.java": CLASS("BerthConfig", OLD) };
  expect(await suppressions(rest)).toEqual(["the code still says the same about another thing"]);
});
