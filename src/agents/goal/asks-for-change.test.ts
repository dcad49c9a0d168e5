import { expect, test } from "vitest";
import { asksForChange } from "./asks-for-change.ts";

test.each([
  "Rename nothing; just list candidates",
  "Do not, ever, edit any file; report",
  "Do a dry run: rename foo to bar, but write nothing",
  "Tell me what would break if we removed the legacy parser",
  "Audit the code but refrain from editing",
  "Analyze src/sunwell/mirror/analysis.py and suggest 3 code improvements",
  "Analyze source/core/retry-timing.ts and suggest improvements. Do not change anything.",
  "Review the retry code; do not edit or modify any file",
  "What is wrong in source/core/Ky.ts?",
  "Proofread readme.md",
  "Is the README up to date?",
  "Why does the retry test fail?",
  "Explain how to add a hook",
  "Review the docs",
  "explain how src/update.ts works",
  "Audit src/fix/add.ts for security",
  "find dead links in README.md",
  "List what should be changed in the guide",
  "Fix nothing, only report",
  "Suggest improvements to the parser without changing the code",
  "Tell me which options should be renamed",
  "Check whether the update broke anything",
  "How would you refactor this?",
  "Look for places to add tests, make no changes",
  "Describe the change in src/a.ts",
  "Read-only review: rename suggestions welcome",
  "You must not write any files. Fix ideas are welcome.",
  "Summarize the edit history",
  "",
])("%j only reads", (goal) => {
  expect(asksForChange(goal)).toBe(false);
});

test.each([
  "Don't explain, just fix the typo in README.md",
  "Change nothing but the title of docs/a.md",
  "Analyze a.ts and fix what is wrong",
  "Rename the flag",
  "Review and update the docs",
  "Add a section on caching",
  "Make it faster",
  "Please rename the option colour to color everywhere",
  "Could you add a test for retry?",
  "I want you to remove the legacy parser",
  "The option colour should be renamed to color everywhere",
  "Fix the typo in README.md. Do not change any other file.",
  "Find the dead links in docs/guide.md, then remove them",
  "Update docs/cli.md but do not touch the examples section",
  "Run the tests",
  "We need the guide translated",
  "In docs/guide.md, replace npm with pnpm",
])("%j asks for a change", (goal) => {
  expect(asksForChange(goal)).toBe(true);
});
