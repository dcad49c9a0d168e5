import { expect, test } from "vitest";
import { findExcerpts } from "./excerpts.ts";
import { buildQuestion } from "./section-question.ts";

test("a notice about the place between two sections quotes no line that the question does not show", async () => {
  const text = "# Options\n\n## timeout\n\nIn seconds.\n\n## hooks\n\nThey run.\n";
  const finding = {
    id: "sibling-0",
    path: "docs/a.md",
    startLine: 3,
    endLine: 7,
    kind: "sibling",
    tier: "likely",
    message: "`total` is new and missing here.",
    evidence: [],
    edits: [],
  } as const;
  const [excerpt] = findExcerpts("docs/a.md", text, [finding]);
  const place = { path: "docs/a.md", text, region: excerpt!.region };
  const { section, notices } = await buildQuestion(excerpt!, place, { change: null, redact: String });
  expect(section).toBe("## timeout\n\nIn seconds.\n\n");
  expect(notices[0]).toMatchObject({ lines: "lines 1 to 4", words: "## timeout\n\nIn seconds." });
});
