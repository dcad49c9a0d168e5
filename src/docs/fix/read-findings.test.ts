import { describe, expect, test } from "vitest";
import { openDesk } from "../../tools/testing.ts";
import { fixFindings } from "./fix.ts";
import { readFindings } from "./read-findings.ts";

const page = "# Guide\r\n\r\nUse foo.\r\nUse foo.\r\nThe end.\r\n";

const sarif = (fixes: unknown, extra: object = {}) =>
  JSON.stringify({
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "linter" } },
        results: [
          {
            ruleId: "no-foo",
            level: "error",
            message: { text: "foo is bar now" },
            locations: [
              { physicalLocation: { artifactLocation: { uri: "docs/a%20b.md" }, region: { startLine: 4 } } },
            ],
            ...extra,
            fixes,
          },
        ],
      },
    ],
  });
const change = (replacements: unknown[], uri = "docs/a%20b.md") => [
  { artifactChanges: [{ artifactLocation: { uri }, replacements }] },
];

async function fixWith(text: string) {
  const desk = await openDesk({ "docs/a b.md": page });
  const report = await readFindings(desk.context.reader, text);
  if (!report.ok) return { refusal: report.refusal, text: desk.text("docs/a b.md") };
  const options = { tiers: ["certain", "likely"], run: "r1", time: "2026-01-01T00:00:00.000Z" } as const;
  const fixed = await fixFindings(desk.context, report.value, options);
  return { report: report.value, fixed: fixed.ok ? fixed.value : null, text: desk.text("docs/a b.md") };
}

describe("findings of another program", () => {
  test("own JSON needs a path, a message and the edits, and can be undone like any edit", async () => {
    const findings = [
      {
        path: "docs/a b.md",
        message: "ends better",
        edits: [{ old_string: "The end.", new_string: "Done." }],
      },
      { path: "docs/a b.md", startLine: 1, message: "only said" },
    ];
    const { fixed, text } = await fixWith(JSON.stringify({ findings }));
    expect(text).toBe(page.replace("The end.", "Done."));
    expect(fixed && [fixed.fixed.length, fixed.left.length]).toEqual([1, 1]);
    expect(fixed?.record?.articles[0]?.status).toBe("updated");
  });

  test.each([
    ["line and columns", { startLine: 4, startColumn: 5, endColumn: 8 }],
    ["a character offset", { charOffset: page.lastIndexOf("foo"), charLength: 3 }],
  ])("a SARIF fix by %s changes the second of two equal lines", async (_, deletedRegion) => {
    const { text, report } = await fixWith(
      sarif(change([{ deletedRegion, insertedContent: { text: "bar" } }])),
    );
    expect(text).toBe("# Guide\r\n\r\nUse foo.\r\nUse bar.\r\nThe end.\r\n");
    expect(report?.findings).toMatchObject([{ kind: "no-foo", tier: "certain", startLine: 4 }]);
  });

  test.each([[[30]], [[30, 31]], [[0, 99]], [[98]]])(
    "the lines %j of a hundred equal ones are found",
    async (wanted) => {
      const equal = Array.from({ length: 100 }, () => "Use foo.");
      const findings = wanted.map((line) => ({
        path: "a.md",
        startLine: line + 1,
        message: "foo is bar now",
        edits: [{ old_string: "Use foo.", new_string: "Use bar.", occurrence: line + 1 }],
      }));
      const together = await openDesk({ "a.md": equal.join("\n") });
      const inTurn = await openDesk({ "a.md": equal.join("\n") });
      const fix = async (desk: typeof together, some: unknown[]): Promise<void> => {
        const report = await readFindings(desk.context.reader, JSON.stringify({ findings: some }));
        if (!report.ok) throw new Error(report.refusal.code);
        await fixFindings(desk.context, report.value, {
          tiers: ["likely"],
          run: "r1",
          time: "2026-01-01T00:00:00.000Z",
        });
      };
      const expected = equal.map((text, at) => (wanted.includes(at) ? "Use bar." : text)).join("\n");
      await fix(together, findings);
      expect(together.text("a.md")).toBe(expected);
      // One after the other: the numbers have changed by then, and the lines have not.
      for (const finding of findings) await fix(inTurn, [finding]);
      expect(inTurn.text("a.md")).toBe(expected);
    },
  );

  test("several replacements of one fix are made together", async () => {
    const at = (startLine: number) => ({
      deletedRegion: { startLine, startColumn: 5, endColumn: 8 },
      insertedContent: { text: "bar" },
    });
    const { text } = await fixWith(sarif(change([at(4), at(3)])));
    expect(text).toBe(page.replaceAll("foo", "bar"));
  });

  test("a SARIF result without a fix is a finding without an edit", async () => {
    const { fixed, text } = await fixWith(sarif(undefined));
    expect(text).toBe(page);
    expect(fixed?.left).toMatchObject([{ path: "docs/a b.md", message: "foo is bar now" }]);
  });

  test.each([
    ["no JSON", "hello", "malformed"],
    ["another shape", '{"results":[]}', "malformed"],
    [
      "an edit of another file",
      '{"findings":[{"path":"a","message":"m","edits":[{"path":"b","old_string":"x","new_string":"y"}]}]}',
      "malformed",
    ],
    ["a region outside of the file", sarif(change([{ deletedRegion: { startLine: 99 } }])), "malformed"],
    [
      "overlapping regions",
      sarif(change([{ deletedRegion: { startLine: 1 } }, { deletedRegion: { startLine: 1 } }])),
      "malformed",
    ],
    [
      "a file that is not there",
      sarif(change([{ deletedRegion: { startLine: 1 } }], "none.md")),
      "not-found",
    ],
    ["a file outside of the root", sarif(change([{ deletedRegion: { startLine: 1 } }], "../x")), "outside"],
  ])("%s is refused, and nothing is written", async (_, text, code) => {
    const tried = await fixWith(text);
    expect(tried.refusal?.code).toBe(code);
    expect(tried.text).toBe(page);
  });
});
