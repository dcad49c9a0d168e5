import { afterEach, expect, test } from "vitest";
import { parseSince } from "../../src/cli/commands/history/stats.ts";
import { createRepository, type Repository } from "../drift/repository.ts";

let repository: Repository | undefined;
afterEach(() => repository?.remove());

test("stats counts the edits of fix and those that were undone", () => {
  repository = createRepository();
  repository.commit({
    "src/env.ts": "export const token = process.env.POSTBOX_TOKEN;\n",
    "README.md": "Set `POSTBOX_TOKEN`.\n",
    "docs/a.md": "The variable `POSTBOX_TOKEN` is needed.\n",
  });
  repository.commit({ "src/env.ts": "export const token = process.env.POSTBOX_API_TOKEN;\n" });
  repository.suture("fix", "--base", "HEAD~1", "--yes", "--no-model");
  expect(repository.suture("stats", "--json").json()).toMatchObject({
    adoption: { edits: 2, rewrites: 0, share: 1 },
    rules: { exists: { kept: 2, undone: 0, rejected: 0, share: 1 } },
    commands: { fix: { runs: 1, edits: 2 } },
    toolCalls: { edit_article: 2, write_file: 0 },
  });
  repository.suture("undo");
  expect(repository.suture("stats", "--json").json().rules).toEqual({
    exists: { kept: 0, undone: 2, rejected: 0, share: 0 },
  });
  const { code, out } = repository.suture("stats", "--since", "7d");
  expect(code).toBe(0);
  expect(out).toContain("exists");
  expect(repository.suture("stats", "--since", "yesterday").code).toBe(2);
});

test.each([
  ["2026-01-31", "2026-01-31T00:00:00.000Z"],
  ["12h", "2026-03-01T12:00:00.000Z"],
  ["7d", "2026-02-23T00:00:00.000Z"],
  ["1w", "2026-02-23T00:00:00.000Z"],
  ["2026-13-45", null],
  ["soon", null],
  ["-1d", null],
])("--since %s", (text, moment) => {
  expect(parseSince(text, Date.parse("2026-03-02T00:00:00.000Z"))).toBe(moment);
});
