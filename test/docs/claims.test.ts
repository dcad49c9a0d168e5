import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ClaimsReport, ReportedClaim } from "../../src/docs/claims/report.ts";
import { claimsSchema } from "../../src/docs/schemas.ts";
import { createRepository, type Repository } from "../drift/repository.ts";

let made: Repository;
beforeAll(() => {
  made = createRepository();
  made.commit({
    "package.json": '{ "name": "courier", "exports": "./src/index.js", "engines": { "node": ">=20" } }\n',
    "src/index.js": [
      "export class Courier {",
      "  send(parcel, { timeoutSeconds = 30 } = {}) {}",
      "  track(id) {}",
      "}",
      "export const RETRY_LIMIT = Number(process.env.COURIER_RETRIES);",
      "",
    ].join("\n"),
    "src/parcel.js": "export class Parcel {\n  open() {}\n  weigh() {}\n}\n",
    "src/letter.js": "export class Letter {\n  open() {}\n}\n",
    "docs/guide.md": [
      "# Guide",
      "",
      "Requires Node.js 20 or newer. See [the code](../src/index.js) and `Courier.track`.",
      "",
      "`timeoutSeconds` defaults to 30. `RETRY_LIMIT` defaults to 5.",
      "",
      "Call `requests.fetch` of another project. Then `weigh` it, or `open` it.",
      "",
    ].join("\n"),
    ".github/ISSUE_TEMPLATE/bug.md": "Run `courier --version`.\n",
    "CHANGELOG.md": "# Changelog\n\n## 1.0.0\n\n- `Courier.track` is new.\n",
  });
  made.write({
    "src/index.js": "export class Courier {\n  send(parcel, { timeoutSeconds = 60 } = {}) {}\n}\n",
  });
  made.commit({});
});
afterAll(() => made.remove());

const read = (...words: string[]): ClaimsReport => made.suture("claims", "--json", ...words).json();

function one(says: string): ReportedClaim | undefined {
  return read()
    .pages.flatMap(({ claims }) => claims)
    .find((claim) => claim.says === says);
}

describe("the claims of a page", () => {
  test.each([
    ["../src/index.js", { kind: "link", truth: "true", by: "file", thing: { path: "src/index.js" } }],
    ["20", { kind: "version", truth: "true", by: "package", thing: { path: "package.json" } }],
    ["track", { kind: "exists", truth: "false", by: "qualified", thing: { name: "track", line: 3 } }],
    ["30", { kind: "value", truth: "false", thing: { name: "timeoutSeconds", line: 2 } }],
    ["weigh", { truth: "true", by: "word", thing: { path: "src/parcel.js", line: 3 } }],
    ["open", { truth: "undecidable", why: "the page does not say whose name it is" }],
  ])("%s is bound to its thing, and true or false", (says, expected) => {
    expect(one(says)).toMatchObject(expected);
  });

  test("a false claim says what became of the thing, and an undecidable one what is missing", () => {
    expect(one("30")?.why).toMatch(/60/);
    const undecidable = read("--undecidable").pages.flatMap(({ claims }) => claims);
    expect(undecidable.every(({ truth, why }) => truth === "undecidable" && why !== undefined)).toBe(true);
  });

  test("the thing of a false claim has the line that declared it when the words were true", () => {
    expect(one("30")?.thing?.declaration).toBe("send(parcel, { timeoutSeconds = 30 } = {}) {}");
    expect(one("weigh")?.thing).not.toHaveProperty("declaration");
  });

  test("words about somebody else's thing are no claim", () => {
    expect(one("fetch")).toBeUndefined();
  });

  test("the JSON has the published shape, and its totals count its claims", () => {
    const report = read();
    expect(claimsSchema.safeParse(report).error).toBeUndefined();
    const claims = report.pages.flatMap((page) => page.claims);
    expect(report.totals).toMatchObject({ pages: 1, claims: claims.length });
    const leftOut = report.leftOut.map(({ path }) => path);
    expect(leftOut.sort()).toEqual([".github/ISSUE_TEMPLATE/bug.md", "CHANGELOG.md"]);
  });

  test("the terminal shows the counts and the false claims", () => {
    const { out, err, code } = made.suture("claims");
    expect(code).toBe(0);
    expect(out).toMatch(/^docs\/guide\.md +\d+ claims/);
    expect(out).toContain("✗ docs/guide.md:5 value `30`");
    const counts = /\d+ claims, \d+ true, 3 false, \d+ undecidable/.exec(err)?.[0];
    expect(counts).toBeDefined();
    expect(made.suture("check", "--all").err).toContain(`(1 page, ${counts};`);
  });
});

test("what a page says has one truth, whatever else the past was asked about", () => {
  const own = createRepository();
  const manifest = (node: number): string =>
    `{ "name": "courier", "exports": "./index.js", "engines": { "node": ">=${node}" } }\n`;
  own.commit({
    "package.json": manifest(18),
    "index.js": "export class Parcel {\n  openParcel() {}\n}\n",
    "README.md": "# Courier\n\nNeeds Node 18 or newer.\n",
    "docs/guide.md": "Use `openParcel` of `Parcel`. See [gone](gone.md).\n",
  });
  own.commit({ "package.json": manifest(20), "index.js": "export class Parcel {}\n" });
  const alone = own.suture("claims", "README.md");
  const all = own.suture("claims");
  const audited = own.suture("check", "--all");
  const [about, aboutAll] = [["--base", "HEAD~1"], ["--all"]].map(
    (words) => own.suture("check", "--json", ...words).json().findings[0],
  );
  own.remove();
  for (const { out } of [alone, all]) expect(out).toContain("✗ README.md:3 version `18`");
  expect(audited.out).toContain("README.md:3  certain  the version is now `20`, not `18`");
  const declaration = manifest(18).trim();
  const expected = { says: "18", thing: { name: "node", path: "package.json", line: 1, declaration } };
  for (const finding of [about, aboutAll]) expect(finding).toMatchObject(expected);
});

describe("one line, explained", () => {
  test("says what was read, what it is bound to, and why the rest is no claim", () => {
    const { out } = made.suture("claims", "--at", "docs/guide.md:7");
    expect(out).toContain("Call `requests.fetch` of another project.");
    expect(out).toMatch(/^ {2}– \w+ `requests.fetch`: no claim about the project: /m);
    const bound = made.suture("claims", "--at", "docs/guide.md:5").out;
    expect(bound).toMatch(
      /^ {2}✗ value `30`: .*60.*\n {4}It means timeoutSeconds in src\/index\.js:2, found by /m,
    );
  });

  test("a page that claims nothing says why", () => {
    expect(made.suture("claims", "--at", "CHANGELOG.md:5").out).toMatch(/This line claims nothing: /);
    const form = made.suture("claims", "--at", ".github/ISSUE_TEMPLATE/bug.md:1").out;
    expect(form).toContain("This line claims nothing: it is a form");
  });

  test.each([
    ["docs/guide.md", "takes PATH:LINE"],
    ["docs/guide.md:0", "takes PATH:LINE"],
    ["nowhere.md:1", "No page of this project is called nowhere.md"],
    ["docs:1", "called docs."],
    ["docs/guide.md:999", "There is no line 999 in docs/guide.md"],
    ["docs/big.md:1", "The page docs/big.md was not looked at: it is larger than"],
  ])("%s is refused", (place, why) => {
    made.commit({ "docs/big.md": "a line\n".repeat(200_000) });
    const { code, err } = made.suture("claims", "--at", place);
    made.commit({ "docs/big.md": null });
    expect([code, err]).toEqual([2, expect.stringContaining(why)]);
  });
});

test("findings of another program stand beside the claims of their page", () => {
  const finding = { path: "docs/guide.md", startLine: 3, endLine: 3, message: "Passive voice." };
  made.write({ "other.json": JSON.stringify({ findings: [finding] }) });
  const [page] = read("--join", "other.json").pages;
  expect(page?.findings).toEqual([{ startLine: 3, endLine: 3, message: "Passive voice." }]);
});
