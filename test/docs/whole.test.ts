import { afterAll, expect, test } from "vitest";
import type { ReportedFinding } from "../../src/docs/check/report.ts";
import { createRepository, type Repository } from "../drift/repository.ts";

const opened: Repository[] = [];
afterAll(() => {
  for (const each of opened) each.remove();
});

/** A repository whose files went long ago, in commits that touched no page. */
function withHistory(): Repository {
  const made = createRepository();
  opened.push(made);
  const code = "export const limit = 1;\n".repeat(20);
  made.commit({
    "lib/doh.c": code,
    "docs/start.md": "# Start\n\nWords that stay the same.\n",
    "tools/old.sh": "echo\n",
    "README.md": "# Tool\n\nSee [start](docs/start.md), [script](tools/old.sh) and `lib/doh.c`.\n",
    "docs/other.md": "# Other\n\nSee [Set up](#set-up) and [the site](made-by-the-site).\n",
    "docs/manual.adoc": ":imagesdir: images\n\n= Manual\n\nimage::one.png[]\n\nSee <<chapter>>.\n",
    "docs/images/one.png": Uint8Array.of(137, 80, 78, 71),
    "docs/install.md": "# Install\n\n## Set up\n",
  });
  made.git("mv", "docs/start.md", "docs/begin.md");
  made.git("commit", "--quiet", "--message", "a better name for the first page");
  made.write({ "lib/vdns/doh.c": code });
  made.git("rm", "--quiet", "lib/doh.c", "tools/old.sh");
  made.commit({});
  return made;
}

test("every broken link is reported with the commit that broke it, and fixed where the history shows the new place", () => {
  const made = withHistory();
  const { findings, unknown } = made.suture("check", "--all", "--json").json();
  expect(unknown).toEqual([]);
  expect(
    findings.map(({ path, startLine, tier, since, edits }: ReportedFinding) => [
      `${path}:${startLine}`,
      tier,
      since?.subject ?? "",
      edits.length,
    ]),
  ).toEqual([
    ["README.md:3", "certain", "a better name for the first page", 1],
    ["docs/other.md:3", "likely", "", 0],
  ]);
  const dry = made.suture("fix", "--all", "--yes", "--no-model", "--dry-run");
  expect(dry.out).toContain("+See [start](docs/begin.md), [script](tools/old.sh) and `lib/vdns/doh.c`.");
  const fixed = made.suture("fix", "--all", "--yes", "--no-model", "--json").json();
  expect(fixed).toMatchObject({ success: expect.any(Boolean) });
  expect(made.read("README.md")).toBe(
    "# Tool\n\nSee [start](docs/begin.md), [script](tools/old.sh) and `lib/vdns/doh.c`.\n",
  );
  // Another page with such a heading is no proof that the link means it.
  expect(made.read("docs/other.md")).toContain("[Set up](#set-up)");
  const verified = made.suture("verify", "--json");
  expect(verified.json().edits.map(({ verdict }: { verdict: string }) => verdict)).toEqual(
    verified.json().edits.map(() => "derived"),
  );
  expect(made.suture("undo").code).toBe(0);
  expect(made.read("README.md")).toContain("`lib/doh.c`");
});
