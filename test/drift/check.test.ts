import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type Repository, sutureIn } from "./repository.ts";
import { repositoryMaker } from "./repository-maker.ts";

const repository = repositoryMaker();

const code = (name: string): string => `export function ${name}(path: string): string {\n  return path;\n}\n`;
const page = (name: string): string =>
  `# Use\n\nCall \`${name}\` with a path.\n\n\`\`\`ts\n${name}("a");\n\`\`\`\n`;

function renamed(): Repository {
  const made = repository();
  made.commit({ "src/open.ts": code("openDocument"), "README.md": page("openDocument") });
  made.commit({ "src/open.ts": code("loadDocument") });
  return made;
}

describe("suture check", () => {
  test("names the passages, the proof and the edit, in the published shape", () => {
    const report = renamed().suture("check", "--base", "HEAD~1", "--json");
    expect(report.code).toBe(1);
    const { base, head, findings, unknown } = report.json();
    expect([base, head].every((id) => /^[0-9a-f]{40}$/.test(id))).toBe(true);
    expect(unknown).toEqual([]);
    expect(findings.length).toBeGreaterThan(0);
    for (const finding of findings) {
      expect(Object.keys(finding).sort()).toEqual([
        "cause",
        "edits",
        "endLine",
        "evidence",
        "formerIds",
        "id",
        "kind",
        "message",
        "path",
        "rule",
        "says",
        "startLine",
        "thing",
        "tier",
      ]);
      expect(finding).toMatchObject({ says: "openDocument", thing: { name: "openDocument" } });
      expect(finding).toMatchObject({ path: "README.md", tier: "certain", kind: "exists" });
      expect(finding.message).toContain("`openDocument` is now `loadDocument`");
      expect(finding.evidence[0]).toMatchObject({
        path: "src/open.ts",
        startLine: 1,
        endLine: 1,
        revision: head,
      });
      for (const edit of finding.edits)
        expect(Object.keys(edit).sort()).toEqual(["new_string", "old_string", "path", "reason"]);
    }
  });

  test("two runs print the same bytes", () => {
    const made = renamed();
    const [one, two] = [made.suture("check", "--json"), made.suture("check", "--json")];
    expect(one.out).toBe(two.out);
    expect(one.out.length).toBeGreaterThan(100);
  });

  test("the cache of an earlier check, intact or damaged, changes no result", () => {
    const made = repository();
    const many = Object.fromEntries(
      Array.from({ length: 250 }, (_, i) => [
        `src/part${i}.ts`,
        `export const part${i} = openOther(${i});\n`,
      ]),
    );
    made.commit({ ...many, "src/open.ts": code("openDocument"), "README.md": page("openDocument") });
    made.commit({ "src/open.ts": code("loadDocument") });
    const kept = join(made.folder, ".git", "kept");
    const run = () =>
      sutureIn(made.folder, ["check", "--base", "HEAD~1", "--json"], { SUTURE_CACHE: kept }).out;
    const cold = run();
    const [file] = readdirSync(join(kept, "words"));
    const path = join(kept, "words", file!);
    expect(JSON.parse(cold).findings.length).toBeGreaterThan(0);
    expect(run()).toBe(cold);
    writeFileSync(path, readFileSync(path).subarray(0, 100));
    expect(run()).toBe(cold);
    expect(JSON.parse(cold).unknown).toEqual([]);
  });

  test("progress and remarks stay off standard output", () => {
    const { out, err } = renamed().suture("check", "--json");
    expect(() => JSON.parse(out)).not.toThrow();
    expect(err).toContain("no longer true");
  });

  test("the other outputs", () => {
    const made = renamed();
    const sarif = JSON.parse(made.suture("check", "--sarif").out);
    expect(sarif).toMatchObject({ version: "2.1.0", runs: [{ tool: { driver: { name: "suture" } } }] });
    expect(sarif.runs[0].results[0]).toMatchObject({ ruleId: "exists", level: "error" });
    expect(made.suture("check", "--github").out).toMatch(/^::error file=README\.md,line=3,/);
    expect(made.suture("check", "--markdown").out).toContain("### Suture: 2 passages no longer true");
    expect(made.suture("check").out).toMatch(
      /^README\.md:3 {2}certain {2}`openDocument` is now `loadDocument`\n {2}3 │ .*\n {4}│ {7}\^{12} write `loadDocument`\n/,
    );
    expect(made.suture("check", "--json", "--sarif").code).toBe(2);
    expect(made.suture("check", "--no-strict").code).toBe(0);
  });

  test("clean, staged, and the work tree", () => {
    const made = repository();
    made.commit({ "src/open.ts": code("openDocument"), "README.md": page("openDocument") });
    made.commit({ "src/other.ts": "export const other = 1;\n" });
    expect(made.suture("check", "--json")).toMatchObject({ code: 0 });
    made.write({ "src/open.ts": code("loadDocument") });
    expect(made.suture("check", "--json").json()).toMatchObject({ head: "worktree" });
    expect(made.suture("check").code).toBe(1);
    expect(made.suture("check", "--staged").code).toBe(0);
    made.git("add", "--all");
    expect(made.suture("check", "--staged").code).toBe(1);
  });

  test("doc comments are documents where the configuration says so, and their code is never touched", () => {
    const other = (name: string): string =>
      `/** Reads what \`${name}\` gives. */\nexport function readAll(path: string): string {\n  return path;\n}\n`;
    const made = repository();
    made.commit({ "src/open.ts": code("openDocument"), "src/other.ts": other("openDocument") });
    made.commit({ "src/open.ts": code("loadDocument") });
    expect(made.suture("check", "--base", "HEAD~1", "--json").json().findings).toEqual([]);
    made.write({ "suture.config.json": '{"docs": {"comments": true}}' });
    const { findings } = made.suture("check", "--base", "HEAD~1", "--json").json();
    expect(findings).toMatchObject([{ path: "src/other.ts", startLine: 1, kind: "exists" }]);
    expect(made.suture("fix", "--base", "HEAD~1", "--yes", "--no-model").code).toBe(0);
    expect(made.read("src/other.ts")).toBe(other("loadDocument"));
    expect(made.suture("undo").code).toBe(0);
    made.git("add", "--all");
    made.git("commit", "--quiet", "--amend", "--message", "with its configuration");
    expect(made.suture("fix", "--base", "HEAD~1", "--yes", "--no-model").code).toBe(0);
    expect(made.suture("verify")).toMatchObject({ code: 0, out: expect.stringContaining("src/other.ts") });
  });

  test("--all finds what is false without a change", () => {
    const made = repository();
    made.commit({ "README.md": "# A\n\n[a](docs/gone.md) and [b](#a)\n", "a.ts": code("a1") });
    const { code: exit, out, err } = made.suture("check", "--all");
    expect(exit).toBe(1);
    expect(out).toMatch(
      /^README\.md:3 {2}likely {2}there is no `docs\/gone\.md`\n {2}3 │ \[a\]\(docs\/gone\.md\) .*\n {4}│ {5}\^{12}\n\n$/,
    );
    expect(err).toContain("1 passage no longer true");
    made.write({ "README.md": "# A\n" });
    expect(made.suture("check", "--all").code).toBe(0);
    expect(made.suture("check", "--all", "--base", "HEAD").code).toBe(2);
  });

  test("in a bare repository, and from a folder inside", () => {
    const made = renamed();
    const bare = mkdtempSync(join(tmpdir(), "suture-bare-"));
    execFileSync("git", ["clone", "--quiet", "--bare", made.folder, bare], { stdio: "ignore" });
    expect(sutureIn(bare, ["check", "--base", "HEAD~1", "--json"]).json().findings.length).toBeGreaterThan(0);
    rmSync(bare, { recursive: true });
    expect(
      sutureIn(join(made.folder, "src"), ["check", "--base", "HEAD~1", "--json"]).json().findings[0].path,
    ).toBe("README.md");
  });

  test("configuration narrows, never widens, and a dismissal is remembered and can be undone", () => {
    const made = renamed();
    const [first, ...rest] = made.suture("check", "--base", "HEAD~1", "--json").json().findings;
    expect(made.suture("dismiss", first.id).code).toBe(2);
    expect(made.suture("dismiss", first.id, "--reason", "an example of the old name").code).toBe(0);
    const left = made.suture("check", "--base", "HEAD~1", "--json").json().findings;
    expect(left.map(({ id }: { id: string }) => id)).toEqual(rest.map(({ id }: { id: string }) => id));
    expect(made.suture("undo", "--yes").code).toBe(0);
    made.write({ "suture.config.json": JSON.stringify({ rules: { rename: "possible" } }) });
    expect(made.suture("check", "--base", "HEAD~1").code).toBe(0);
    made.write({ "suture.config.json": JSON.stringify({ docs: { exclude: ["README.md"] } }) });
    expect(made.suture("check", "--base", "HEAD~1", "--json").json().findings).toEqual([]);
    made.write({ "suture.config.json": "{ not json" });
    expect(made.suture("check", "--base", "HEAD~1").code).toBe(2);
  });

  test("in CI the base's configuration applies, so a change cannot silence its own check", () => {
    const made = repository();
    made.commit({ "src/open.ts": code("openDocument"), "README.md": page("openDocument") });
    made.commit({
      "src/open.ts": code("loadDocument"),
      "suture.config.json": JSON.stringify({ rules: { rename: "off" } }),
    });
    expect(sutureIn(made.folder, ["check", "--base", "HEAD~1"], { CI: "true" }).code).toBe(1);
    expect(made.suture("check", "--base", "HEAD~1").code).toBe(0);
  });
});

/** One commit, and then the words of a call. */
function one(files: Readonly<Record<string, string>>, ...words: string[]) {
  return (made: Repository): string[] => {
    made.commit(files);
    return words;
  };
}

describe("every repository gets a clear answer, and a check that could not judge a page is not clean", () => {
  const rows: [string, (made: Repository) => string[], number, RegExp][] = [
    ["no commit yet", () => ["check"], 3, /no commit yet/],
    ["one commit", one({ "README.md": "# A\n" }, "check"), 3, /nothing to compare with/],
    ["no such base", one({ a: "a\n" }, "check", "--base", "nope"), 3, /no revision nope/],
    [
      "no documents",
      (made) => {
        made.commit({ "a.ts": code("a1") });
        return one({ "a.ts": code("b1") }, "check")(made);
      },
      0,
      /nothing to check: there is no page here/,
    ],
    [
      "malformed Markdown and broken code",
      (made) => {
        const odd = { "README.md": "# \n```\n| a\n<!-- [x](", "a.ts": "export function (((" };
        made.commit(odd);
        made.commit({ "a.ts": "export function )))) openDocument {" });
        return ["check"];
      },
      0,
      /no drift found/,
    ],
    [
      "a change that makes a page unreadable",
      (made) => {
        made.commit({ "README.md": "# A\n", "a.ts": code("a1") });
        made.commit({ "README.md": Uint8Array.of(0, 1, 2, 255), "a.ts": code("b1") });
        return ["check"];
      },
      3,
      /could not be looked at/,
    ],
    [
      "a changed code file that is not UTF-8",
      (made) => {
        made.commit({ "README.md": "# A\n", "a.ts": Uint8Array.of(0x61, 0xe9) });
        made.commit({ "a.ts": Uint8Array.of(0x62, 0xe9) });
        return ["check"];
      },
      3,
      /could not be looked at/,
    ],
    [
      "a merge commit",
      (made) => {
        made.commit({ "src/open.ts": code("openDocument"), "README.md": page("openDocument") });
        made.git("checkout", "--quiet", "-b", "side");
        made.commit({ "src/open.ts": code("loadDocument") });
        made.git("checkout", "--quiet", "main");
        made.commit({ "other.ts": "export const x = 1;\n" });
        made.git("merge", "--quiet", "--no-edit", "side");
        return ["check", "--base", "HEAD^1"];
      },
      1,
      /no longer true/,
    ],
    [
      "a submodule",
      (made) => {
        const inner = repository();
        inner.commit({ "README.md": "# inner\n" });
        made.commit({ "a.ts": code("a1"), "README.md": "# A\n" });
        made.git("submodule", "--quiet", "add", inner.folder, "inner");
        made.commit({}, "with a submodule");
        return ["check"];
      },
      0,
      /no drift found/,
    ],
  ];
  test.each(rows)("%s", (_, prepare, exit, words) => {
    const made = repository();
    const { code, out, err } = made.suture(...prepare(made));
    expect(`${out}${err}`).toMatch(words);
    expect(code).toBe(exit);
    expect(err).not.toMatch(/\n\s+at /);
  });

  test("a shallow clone says how to get more", () => {
    const made = renamed();
    const shallow = mkdtempSync(join(tmpdir(), "suture-shallow-"));
    execFileSync("git", ["clone", "--quiet", "--depth", "1", `file://${made.folder}`, shallow], {
      stdio: "ignore",
    });
    const { code, err } = sutureIn(shallow, ["check"]);
    expect(code).toBe(3);
    expect(err).toContain("git fetch --deepen");
    rmSync(shallow, { recursive: true });
  });

  test("no repository at all", () => {
    const folder = mkdtempSync(join(tmpdir(), "suture-none-"));
    for (const words of [["check"], ["check", "--all"]]) {
      const { code, err } = sutureIn(folder, words, { GIT_CEILING_DIRECTORIES: tmpdir() });
      expect(code).toBe(3);
      expect(err).toContain("in no git repository");
      expect(err).not.toContain("no change");
    }
    rmSync(folder, { recursive: true });
  });
});

describe("suture fix on the bundled example", () => {
  let made: Repository;
  beforeAll(() => {
    made = repository();
    made.copy("examples/postbox");
    made.commit({});
    expect(
      made.suture("apply", join(import.meta.dirname, "..", "..", "examples", "postbox.patch"), "--force")
        .code,
    ).toBe(0);
    made.commit({});
  });

  test("a dry run writes nothing", () => {
    const before = made.git("status", "--porcelain");
    expect(made.suture("fix", "--base", "HEAD~1", "--dry-run", "--json").json()).toMatchObject({
      dryRun: true,
    });
    expect(made.git("status", "--porcelain")).toBe(before);
  });

  test("edits only what was false, leaves a record that git confirms, and is undone to the byte", () => {
    const report = made.suture("check", "--base", "HEAD~1", "--json").json();
    const fixed = made.suture("fix", "--base", "HEAD~1", "--yes", "--json").json();
    expect(fixed.fixed.length).toBe(
      report.findings.filter(
        ({ tier, edits }: { tier: string; edits: unknown[] }) => tier !== "possible" && edits.length > 0,
      ).length,
    );
    expect(made.read("README.md")).toContain("client.deliver(");
    expect(made.read("CHANGELOG.md")).toContain("`sendMail` waits 30 seconds");
    expect(made.read("docs/options.md")).toContain("`timeout` seconds, 60 by default");
    const record = JSON.parse(made.read(`.suture/audit/${fixed.run}.json`));
    for (const { patch, editReasons, edits } of record.articles.filter(
      ({ status }: { status: string }) => status === "updated",
    )) {
      expect(editReasons.length).toBe(edits.length);
      execFileSync("git", ["apply", "--check", "--reverse", "-"], { cwd: made.folder, input: patch });
    }
    expect(
      made
        .suture("verify", fixed.run, "--json")
        .json()
        .edits.every(({ verdict }: { verdict: string }) => verdict === "derived"),
    ).toBe(true);
    expect(
      made
        .suture("check", "--base", "HEAD~1", "--json")
        .json()
        .findings.filter(({ tier }: { tier: string }) => tier === "certain"),
    ).toEqual([]);
    expect(made.suture("undo", fixed.run, "--yes").code).toBe(0);
    expect(made.git("status", "--porcelain", "--", ".").trim()).toBe("");
  });
});

test("suture fix renames a heading with the links to it on every page, in one run", () => {
  const made = repository();
  const option = (name: string): string =>
    `export interface Options {\n  ${name}?: number;\n}\nexport function call(url: string, options?: Options): void;\n`;
  const api = (name: string, anchor: string): string =>
    `# API\n\nSee [${name}](#${anchor}).\n\n## \`${name}\`\n\nThe \`${name}\` option says how long to wait.\n`;
  const guide = (name: string, anchor: string): string =>
    `# Guide\n\nSet [${name}](./api.md#${anchor}), or [less](api.md#${anchor}).\n`;
  const pages = (name: string, anchor: string) => ({
    "docs/api.md": api(name, anchor),
    "docs/guide.md": guide(name, anchor),
  });
  const manifest = { "package.json": '{ "name": "x", "types": "src/index.d.ts" }\n' };
  made.commit({ ...manifest, "src/index.d.ts": option("timeoutMs"), ...pages("timeoutMs", "timeoutms") });
  made.commit({ "src/index.d.ts": option("requestTimeout") });
  const fixed = made.suture("fix", "--base", "HEAD~1", "--yes", "--json").json();
  for (const [path, text] of Object.entries(pages("requestTimeout", "requesttimeout")))
    expect(made.read(path)).toBe(text);
  expect(made.suture("check", "--base", "HEAD~1", "--json").json().findings).toEqual([]);
  const { articles } = JSON.parse(made.read(`.suture/audit/${fixed.run}.json`)) as {
    articles: { path: string; status: string; edits: unknown[]; editReasons: unknown[] }[];
  };
  expect(articles.map(({ path, status }) => [path, status])).toEqual([
    ["docs/api.md", "updated"],
    ["docs/guide.md", "updated"],
  ]);
  expect(
    made
      .suture("verify", fixed.run, "--json")
      .json()
      .edits.every(({ verdict }: { verdict: string }) => verdict === "derived"),
  ).toBe(true);
});
