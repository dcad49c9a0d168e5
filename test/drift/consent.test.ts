import { expect, test } from "vitest";
import { check } from "../../src/docs/check/check.ts";
import { openProject } from "../../src/docs/project.ts";
import { unwrap } from "../../src/index.ts";
import { openReview } from "../../src/web/review/open-review.ts";
import type { Repository } from "./repository.ts";
import { repositoryMaker } from "./repository-maker.ts";

// Consent is a person's: `--yes`, an answer, or Accept. A page that needs more is left, and the others are written.

const repository = repositoryMaker();

const code = (name: string): string => `export function ${name}(path: string): string {\n  return path;\n}\n`;
const hidden = "examples/.experimental/app/README.md";

function renamed(): Repository {
  const made = repository();
  const page = "# Use\n\nCall `openDocument` with a path.\n";
  made.commit({ "src/open.ts": code("openDocument"), "README.md": page, [hidden]: page, "AGENTS.md": page });
  made.commit({ "src/open.ts": code("loadDocument") });
  return made;
}

test("without consent, a hidden page and one that instructs agents are left with a reason, and the others are written", () => {
  const made = renamed();
  const checked = made.suture("check", "--base", "HEAD~1");
  expect(checked.err).toContain("makes 1 edit and asks about 2 more (in a file that needs your consent)");
  const { out, err, code: exit } = made.suture("fix", "--base", "HEAD~1");
  expect(err).toContain("1 passage was fixed, 2 left for a person");
  expect(out).toContain("not edited: this file is hidden, so a person has to agree");
  expect(out).toContain("not edited: this file instructs agents, so a person has to agree");
  expect(exit).toBe(1);
  expect(made.read("README.md")).toContain("loadDocument");
  expect(made.read(hidden)).toContain("openDocument");
});

test("--yes is consent", () => {
  const made = renamed();
  expect(made.suture("fix", "--base", "HEAD~1", "--yes")).toMatchObject({ code: 0 });
  for (const path of ["README.md", hidden, "AGENTS.md"]) expect(made.read(path)).toContain("loadDocument");
});

test("--yes is no consent to a file of another kind that the findings of another program name", () => {
  const made = renamed();
  made.write({ Makefile: "all:\n\techo a.example\n" });
  const edits = (path: string, old_string: string, new_string: string) => [
    { path, old_string, new_string, reason: "r" },
  ];
  const finding = { startLine: 1, endLine: 1, tier: "certain", kind: "x", message: "m", evidence: [] };
  const findings = [
    { ...finding, id: "x-1", path: "Makefile", edits: edits("Makefile", "a.example", "b.example") },
    { ...finding, id: "x-2", path: "README.md", edits: edits("README.md", "Call", "Use") },
  ];
  made.write({ "f.json": JSON.stringify({ base: "a", head: "b", findings, unknown: [] }) });
  const fixed = made.suture("fix", "--findings", "f.json", "--yes", "--json").json();
  expect(fixed.fixed.map(({ path }: { path: string }) => path)).toEqual(["README.md"]);
  expect(fixed.left).toMatchObject([{ path: "Makefile", why: expect.stringContaining("consent") }]);
  expect(made.read("Makefile")).toContain("a.example");
});

test("Accept in the review is consent", async () => {
  const made = renamed();
  await using project = unwrap(await openProject({ root: made.folder }));
  const find = () => check(project, { base: "HEAD~1" });
  const review = unwrap(await openReview({ root: made.folder, check: find }));
  const session = unwrap(await review.session);
  const { items } = await session.run();
  for (const { key } of items) {
    const item = unwrap(await session.view(key));
    expect(item.obstacle).toBe(null);
    unwrap(await session.approve([key], item.hash!));
  }
  await review.close();
  for (const path of ["README.md", hidden, "AGENTS.md"]) expect(made.read(path)).toContain("loadDocument");
});
