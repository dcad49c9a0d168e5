import { expect, test } from "vitest";
import { type Repository, sutureIn } from "./repository.ts";
import { repositoryMaker } from "./repository-maker.ts";

// Every command that an answer prints can be pasted, and does what the answer says.

const repository = repositoryMaker();

const code = (name: string): string => `export function ${name}(path: string): string {\n  return path;\n}\n`;

/** A rename four commits ago, which two pages still call by its old name. */
function renamedEarlier(): Repository {
  const made = repository();
  made.commit({
    "src/open.ts": code("openDocument"),
    "README.md": "# Use\n\nCall `openDocument` with a path.\n",
    "docs/it's here.md": "# Guide\n\nFirst `openDocument`, then close it.\n",
  });
  made.commit({ "src/open.ts": code("loadDocument") });
  for (const name of ["a", "b", "c"]) made.commit({ [`src/${name}.ts`]: `export const ${name} = 1;\n` });
  return made;
}

type Answer = ReturnType<Repository["suture"]>;

/** The commands that an answer quotes. */
function hintsIn({ out, err }: Answer): string[] {
  return [...`${out}${err}`.matchAll(/`((?:git [^`]* && )?suture [^`]+)`/g)].map(([, hint]) => hint!);
}

/** Runs what a person pastes; a shell splits it into words. */
function paste(folder: string, line: string): Answer {
  const { execFileSync } = process.getBuiltinModule("node:child_process");
  const [first, second] = line.includes(" && ") ? line.split(" && ") : [null, line];
  if (first) execFileSync("sh", ["-c", first], { cwd: folder, stdio: "ignore" });
  const words = execFileSync(
    "sh",
    ["-c", `for word in ${second!.slice("suture ".length)}; do printf '%s\\0' "$word"; done`],
    { encoding: "utf8" },
  );
  return sutureIn(folder, words.split("\0").slice(0, -1));
}

const calls: [string, string[], number][] = [
  ["with a base", ["check", "--base", "HEAD~4"], 2],
  ["about all documents", ["check", "--all"], 2],
  ["about one folder", ["check", "docs", "--base", "HEAD~4"], 1],
  [
    "about a page with a quote and a space in its name",
    ["check", "docs/it's here.md", "--base", "HEAD~4"],
    1,
  ],
  ["of a folder that is named", ["check", "--root", ".", "--base", "HEAD~4"], 2],
  ["of pages below a folder", ["check", "--docs", "docs", "--base", "HEAD~4"], 1],
  ["of an earlier commit", ["check", "--base", "HEAD~4", "--head", "HEAD~2"], 2],
];
test.each(calls)("the advice of a check %s makes the edits that it promises", (_, words, edits) => {
  const made = renamedEarlier();
  const answer = made.suture(...words);
  expect(answer.code).toBe(1);
  const [fix, ...others] = hintsIn(answer);
  expect(others).toEqual([]);
  expect(answer.err).toContain(`makes ${edits} edit`);
  const fixed = paste(made.folder, fix!);
  expect(fixed.err).toContain(edits === 1 ? "1 passage was fixed" : `${edits} passages were fixed`);
  expect(fixed.code).toBe(0);
});

test("the last line of a fix takes it back", () => {
  const made = renamedEarlier();
  const { err } = made.suture("fix", "--base", "HEAD~4");
  const [, undo] = /Take it back with: (suture undo .*)/.exec(err)!;
  expect(paste(made.folder, undo!).code).toBe(0);
  expect(made.git("status", "--porcelain", "--", "README.md", "docs")).toBe("");
});

test("the advice about likely edits names the same change, and makes them", () => {
  const made = repository();
  made.commit({
    "src/open.ts": code("open"),
    "AGENTS.md": "Call `openDocument(path)`.\n",
    "src/b.ts": code("openDocument"),
  });
  made.commit({ "src/b.ts": code("loadDocument") });
  made.commit({ "src/c.ts": "export const c = 1;\n" });
  const checked = made.suture("check", "--base", "HEAD~2");
  const hint = hintsIn(checked).find((line) => line.endsWith("--yes"));
  expect(hint).toBe("suture fix --base HEAD~2 --yes");
  expect(paste(made.folder, hint!).err).toContain("1 passage was fixed");
  expect(made.read("AGENTS.md")).toContain("loadDocument");
});

test("an answer says what was compared with what, and which pages were not read", () => {
  const made = renamedEarlier();
  made.commit({ "docs/latin.md": Uint8Array.from([0x63, 0xe9, 0x0a]) });
  made.commit({ "src/d.ts": "export const d = 1;\n" });
  const { err, code: exit } = made.suture("check");
  expect(err).toMatch(
    /^no drift found \(compared with the commit before, 1 commit, 1 file; 2 pages, \d+ claims? about the change, 1 page not read; \d+(\.\d)? s\)\n/m,
  );
  expect(err).toContain("not read: docs/latin.md: it is not text");
  expect(exit).toBe(0);
  const [hint] = hintsIn({ err, out: "" } as Answer);
  expect(hint).toBe("suture check --all");
  expect(paste(made.folder, hint!).err).toContain("2 passages no longer true");
  made.git("checkout", "--quiet", "-b", "work");
  made.commit({ "src/e.ts": "export const e = 1;\n" });
  expect(made.suture("check").err).toContain("compared with main, 1 commit, 1 file; 2 pages,");
  made.git("checkout", "--quiet", "main");
  made.write({ "src/d.ts": "export const d = 2;\n" });
  expect(made.suture("check").err).toContain("compared with the last commit, 1 file; 2 pages,");
});

test("suture alone looks at the repository and names the commands to begin with, which can be pasted", () => {
  const made = renamedEarlier();
  const { out, code: exit } = made.suture();
  expect(exit).toBe(0);
  expect(out).toContain("Here: 2 pages and 4 other files.");
  const next = [...out.matchAll(/^ {2}(suture .*?) {2,}/gm)].map(([, line]) => line!);
  expect(next).toEqual(["suture check --all", "suture fix --all", "suture check"]);
  expect(next.map((line) => paste(made.folder, line).code)).toEqual([1, 0, 0]);
  made.git("checkout", "--quiet", "-b", "work");
  made.commit({ "src/e.ts": "export const e = 1;\n" });
  expect(made.suture().out).toMatch(
    /Begin with:\n {2}suture check .*what this branch made false since main\n/,
  );
});

test("a fix that finds nothing says what it has looked at", () => {
  const made = repository();
  made.commit({ "README.md": "# Use\n", "src/a.ts": "export const a = 1;\n" });
  made.commit({ "src/a.ts": "export const a = 2;\n" });
  const fixed = made.suture("fix");
  expect(fixed.err).toContain(
    "0 passages were fixed (compared with the commit before, 1 commit, 1 file; 1 page",
  );
  expect(fixed.code).toBe(0);
});

test("a repository without pages does not sound clean", () => {
  const made = repository();
  made.commit({ "a.ts": code("a1") });
  made.commit({ "a.ts": code("b1") });
  expect(made.suture("check").err).toContain("nothing to check: there is no page here");
});

const sentences: [string, string[], number, string][] = [
  [
    "a revision that is not there",
    ["check", "--base", "HEAD~99"],
    3,
    "There is no revision HEAD~99 in this clone.\n",
  ],
  ["a branch that is not there", ["check", "--base", "topic"], 3, "(git fetch origin topic)"],
  [
    "a file instead of a folder",
    ["check", "--root", "README.md"],
    2,
    "suture: --root takes a folder, and README.md is a file\n",
  ],
  ["a folder that is not there", ["check", "--root", "nope"], 2, "suture: There is no folder nope\n"],
  [
    "a setting that is not there",
    ["check", "--all"],
    2,
    'suture.config.json: there is no key "excludes" in docs.',
  ],
];
test.each(sentences)("the answer to %s", (_, words, exit, said) => {
  const made = renamedEarlier();
  if (words.includes("--all")) made.write({ "suture.config.json": '{"docs":{"excludes":[]}}' });
  const { code: ended, err } = made.suture(...words);
  expect(err).toContain(said);
  expect(ended).toBe(exit);
});

test("verify after a fix of code that is not committed says why it cannot check", () => {
  const made = repository();
  made.commit({ "src/open.ts": code("openDocument"), "README.md": "# Use\n\nCall `openDocument`.\n" });
  made.write({ "src/open.ts": code("loadDocument") });
  expect(made.suture("fix").err).toContain("1 passage was fixed");
  expect(made.suture("verify").err).toContain(
    "1 edit cannot be checked: the code was not committed when the edits were made",
  );
});

test("a repository of one commit names the command that needs no change", () => {
  const made = repository();
  made.commit({ "README.md": "# A\n" });
  const { err, code: exit } = made.suture("check");
  expect(exit).toBe(3);
  expect(hintsIn({ err, out: "" } as Answer)).toEqual(["suture check --all"]);
  expect(paste(made.folder, "suture check --all").code).toBe(0);
});

test("a path that is not there is named", () => {
  const made = renamedEarlier();
  expect(made.suture("check", "dosc")).toMatchObject({
    code: 2,
    err: "suture: There is no dosc in this repository.\n",
  });
});

// Other systems refuse such a name.
test.skipIf(process.platform !== "linux")(
  "an edit of a page whose name is not UTF-8 is not promised, and the others are made",
  () => {
    const made = renamedEarlier();
    const page = Buffer.from("docs/caf\xe9.md", "latin1");
    const { writeFileSync } = process.getBuiltinModule("node:fs");
    writeFileSync(Buffer.concat([Buffer.from(`${made.folder}/`), page]), "# Use\n\nCall `openDocument`.\n");
    made.commit({});
    const checked = made.suture("check", "--base", "HEAD~5");
    expect(checked.err).toContain("makes 2 edits. 1 passage needs a person.");
    const fixed = made.suture("fix", "--base", "HEAD~5");
    expect(fixed.err).toContain("2 passages were fixed, 1 left for a person");
    expect(fixed.out).toContain("not edited: its page cannot be read");
  },
);

test.each([
  ["fix", "\n`suture fix` is a command of its own.\n"],
  ["watch", "\nSee `suture help check`.\n"],
  ["format", "\nSee `suture help check`.\n"],
])("--%s, which other tools have, is an unknown option and no text", (name, hint) => {
  const { code: exit, err } = renamedEarlier().suture("check", `--${name}`);
  expect(exit).toBe(2);
  expect(err).toContain(`Unknown option --${name}${hint}`);
  expect(err).not.toContain("Put `--` before");
});

test("pages of a hidden folder that the code host shows are checked, with and without a change", () => {
  const made = repository();
  const page = "# Help\n\nSee [it](../docs/gone.md).\n";
  const pages = { ".github/CONTRIBUTING.md": page, ".github/copilot-instructions.md": page };
  made.commit({ ...pages, "docs/gone.md": "# A\n", "docs/kept.md": "# B\n" });
  made.commit({ "docs/gone.md": null });
  for (const words of [["check"], ["check", "--all"]]) {
    const found = made.suture(...words, "--json").json().findings;
    expect(found.map(({ path }: { path: string }) => path).sort()).toEqual(Object.keys(pages));
  }
});

test.each([
  [
    "in UTF-16 is read",
    new Uint8Array(Buffer.from("\ufeff# A\n\nCall `openDocument`.\n", "utf16le")),
    1,
    "docs/wide.md:3",
  ],
  [
    "of more than a megabyte is named",
    `# A\n\nCall \`openDocument\`.\n${"words of a line\n".repeat(70_000)}`,
    3,
    "not looked at: docs/wide.md: it is larger than 1,000,000 bytes",
  ],
  [
    "in Latin-1 is named",
    new Uint8Array(Buffer.from("# Caf\xe9\n\nCall `openDocument`.\n", "latin1")),
    3,
    "not looked at: docs/wide.md: it is not text in UTF-8 or UTF-16",
  ],
])("a page that names what the change renamed and is %s", (_, text, exit, said) => {
  const made = repository();
  made.commit({ "src/open.ts": code("openDocument"), "README.md": "# Use\n", "docs/wide.md": text });
  made.commit({ "src/open.ts": code("loadDocument") });
  const { code: ended, out, err } = made.suture("check");
  expect(`${out}${err}`).toContain(said);
  expect(ended).toBe(exit);
});
