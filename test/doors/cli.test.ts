import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Result } from "../../src/tools/tool.ts";
import { type Bundle, bundleCommand } from "./bundle.ts";

let bundle: Bundle;
let root: string;
beforeAll(async () => {
  bundle = await bundleCommand();
});
afterAll(() => bundle.remove());
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "suture-cli-"));
  return () => rmSync(root, { recursive: true, force: true });
});

type Ran = { readonly status: number | null; readonly stdout: string; readonly stderr: string };

function suture(
  words: readonly string[],
  options: { input?: string; env?: Record<string, string> } = {},
): Ran {
  const env = { ...process.env, NO_COLOR: "", FORCE_COLOR: undefined, ...options.env };
  const { status, stdout, stderr } = spawnSync(process.execPath, [bundle.main, ...words], {
    cwd: root,
    encoding: "utf8",
    input: options.input ?? "",
    env: env as NodeJS.ProcessEnv,
  });
  return { status, stdout, stderr };
}

const put = (path: string, text: string): void => {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), text);
};
const text = (path: string): string => readFileSync(join(root, path), "utf8");
const json = (ran: Ran): Result => JSON.parse(ran.stdout) as Result;

describe("editing", () => {
  test("edit replaces, says so, and keeps the way back", () => {
    put("docs/a.md", "one\r\ntwo\r\n");
    const ran = suture(["edit", "docs/a.md", "two", "2", "--reason", "digits"]);
    expect(ran).toMatchObject({ status: 0, stderr: "" });
    expect(ran.stdout).toContain("✓ Edited docs/a.md");
    expect(text("docs/a.md")).toBe("one\r\n2\r\n");
    expect(suture(["log"]).stdout).toContain("digits");
    expect(suture(["undo"]).status).toBe(0);
    expect(text("docs/a.md")).toBe("one\r\ntwo\r\n");
    expect(suture(["redo"]).status).toBe(0);
    expect(text("docs/a.md")).toBe("one\r\n2\r\n");
  });

  test.each<[string, string[], string]>([
    ["the first match by default", [], "y x x\n"],
    ["the last match", ["--last"], "x x y\n"],
    ["all matches", ["--all"], "y y y\n"],
    ["the second match", ["--occurrence", "2"], "x y x\n"],
    ["occurrence -1", ["-o", "-1"], "x x y\n"],
  ])("edit: %s", (_, words, after) => {
    put("a.txt", "x x x\n");
    expect(suture(["edit", "a.txt", "x", "y", ...words]).status).toBe(0);
    expect(text("a.txt")).toBe(after);
  });

  test("edit refuses text with other white space, unless --fit accepts it", () => {
    put("a.txt", "  one\n  two\n");
    const words = ["edit", "a.txt", "one\ntwo", "one\n2"];
    expect(suture(words).status).toBe(1);
    expect(text("a.txt")).toBe("  one\n  two\n");
    expect(suture([...words, "--fit", "white-space"]).status).toBe(0);
    expect(text("a.txt")).toBe("  one\n  2\n");
  });

  test("edit --strict refuses more than one match", () => {
    put("a.txt", "x x\n");
    expect(suture(["edit", "a.txt", "x", "y", "--strict"])).toMatchObject({ status: 1, stdout: "" });
    expect(text("a.txt")).toBe("x x\n");
  });

  test("edit takes texts from files and from standard input, byte for byte", () => {
    put("a.txt", "begin\nold 1\nold 2\nend\n");
    put("old.txt", "old 1\nold 2\n");
    expect(suture(["edit", "a.txt", "--old-file", "old.txt", "-"], { input: "new $& 1\n" }).status).toBe(0);
    expect(text("a.txt")).toBe("begin\nnew $& 1\nend\n");
    put("new.txt", "newer\n");
    expect(suture(["edit", "a.txt", "new $& 1\n", "--new-file", "new.txt"]).status).toBe(0);
    expect(text("a.txt")).toBe("begin\nnewer\nend\n");
  });

  test("edit of text that begins with a dash", () => {
    put("a.md", "- one\n--flag\n");
    expect(suture(["edit", "a.md", "- one", "- two"]).status).toBe(0);
    expect(suture(["edit", "a.md", "--", "--flag", "--other"]).status).toBe(0);
    expect(text("a.md")).toBe("- two\n--other\n");
  });

  test("patch and apply from a file and from standard input", () => {
    put("a.txt", "one\ntwo\n");
    put("p.diff", "@@ -1,2 +1,2 @@\n-one\n+1\n two\n");
    expect(suture(["patch", "a.txt", "p.diff"]).status).toBe(0);
    expect(text("a.txt")).toBe("1\ntwo\n");
    const patch = "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n 1\n-two\n+2\n";
    expect(suture(["apply", "--check"], { input: patch })).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("It applies."),
    });
    expect(text("a.txt")).toBe("1\ntwo\n");
    expect(suture(["apply"], { input: patch }).status).toBe(0);
    expect(text("a.txt")).toBe("1\n2\n");
    expect(suture(["apply", "--check", "-"], { input: patch }).status).toBe(1);
  });

  test("insert at a line, at the end, and from standard input", () => {
    put("a.txt", "one\nthree\n");
    expect(suture(["insert", "a.txt", "1", "two"]).status).toBe(0);
    expect(suture(["insert", "a.txt", "-1", "-"], { input: "four\n" }).status).toBe(0);
    expect(text("a.txt")).toBe("one\ntwo\nthree\nfour\n");
    expect(suture(["insert", "a.txt", "x", "y"]).status).toBe(2);
  });

  test("a dry run shows the diff and writes nothing", () => {
    put("a.txt", "one\n");
    const ran = suture(["edit", "a.txt", "one", "two", "--dry-run"]);
    expect(ran.stdout).toContain("-one\n+two");
    expect(text("a.txt")).toBe("one\n");
    expect(existsSync(join(root, ".suture", "journal")) ? suture(["log"]).stdout : "No edits yet.\n").toBe(
      "No edits yet.\n",
    );
  });

  test("--force gives a person's consent", () => {
    put(".github/workflows/ci.yml", "on: push\n");
    expect(suture(["edit", ".github/workflows/ci.yml", "push", "pull_request"]).status).toBe(1);
    expect(suture(["edit", ".github/workflows/ci.yml", "push", "pull_request", "--force"]).status).toBe(0);
  });
});

describe("reading", () => {
  test("read shows numbers, a range, and with --plain the bytes", () => {
    put("a.txt", "one\ntwo\nthree\n");
    expect(suture(["read", "a.txt"]).stdout).toContain("2\ttwo");
    expect(suture(["read", "a.txt:2-3"]).stdout).not.toContain("one");
    expect(suture(["read", "a.txt:2", "--plain"]).stdout).toBe("two\n");
    expect(suture(["read", "a.txt", "--plain"]).stdout).toBe("one\ntwo\nthree\n");
    expect(json(suture(["read", "a.txt", "--json"]))).toMatchObject({ success: true, totalLines: 3 });
  });

  test("search finds text that looks like an option after --", () => {
    put("docs/a.md", "use --no-cache\n");
    expect(suture(["search", "--", "--no-cache", "docs"]).stdout).toContain("docs/a.md:1: use --no-cache");
  });

  test("show and diff of an entry; to a pipe the diff is exact", () => {
    put("a.txt", "one\r\ntwo\r\n");
    const { entry } = json(suture(["edit", "a.txt", "one", "1", "--reason", "r", "--json"]));
    expect(suture(["show", entry!]).stdout).toContain("reason  r");
    expect(suture(["diff", entry!]).stdout).toContain("-one\r\n+1\r\n two\r\n");
    expect(suture(["show", "no-such-entry"])).toMatchObject({ status: 1, stdout: "" });
  });

  test("text of files and journals cannot control the terminal", () => {
    put("a.txt", "\u001b[2Jone\u0007\n");
    const hostile = "why\u001b]0;owned\u0007\nforged entry";
    const edited = suture(["edit", "a.txt", "one", "two", "--reason", hostile]);
    const { entry } = (json(suture(["log", "--json"])).entries as { entry?: string; id: string }[]).map(
      ({ id }) => ({ entry: id }),
    )[0]!;
    const outputs = [
      edited,
      suture(["log"]),
      suture(["show", entry]),
      suture(["read", "a.txt"]),
      suture(["search", "two"]),
    ];
    for (const { stdout } of outputs) expect(stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
    expect(suture(["log"]).stdout.trimEnd().split("\n")).toHaveLength(1);
    const colour = suture(["diff", entry], { env: { FORCE_COLOR: "1" } }).stdout.replace(/\u001b\[\d+m/g, "");
    expect(colour).not.toContain("\u001b");
  });

  test("colour only where it is wanted", () => {
    put("a.txt", "one\n");
    const { entry } = json(suture(["edit", "a.txt", "one", "two", "--json"]));
    expect(suture(["diff", entry!]).stdout).not.toContain("\u001b");
    expect(suture(["diff", entry!], { env: { FORCE_COLOR: "1" } }).stdout).toContain("\u001b[3");
    expect(suture(["diff", entry!], { env: { FORCE_COLOR: "0" } }).stdout).not.toContain("\u001b");
  });
});

describe("programs", () => {
  test("--json prints one value on standard output, for answers, refusals and usage errors", () => {
    put("a.txt", "one\n");
    expect(json(suture(["edit", "a.txt", "one", "two", "--json"]))).toMatchObject({
      success: true,
      path: "a.txt",
    });
    const refused = suture(["edit", "a.txt", "three", "four", "--json"]);
    expect(refused).toMatchObject({ status: 1, stderr: "" });
    expect(json(refused)).toMatchObject({ success: false, output: "", code: "not-found" });
    const misused = suture(["edit", "--json"]);
    expect(misused).toMatchObject({ status: 2, stderr: "" });
    expect(json(misused)).toMatchObject({ success: false, code: "malformed" });
    expect(json(suture(["log", "--json"])).entries).toHaveLength(1);
  });

  test("--json before the command's name counts, and so does --root", () => {
    put("sub/a.txt", "one\n");
    expect(json(suture(["--root", "sub", "--json", "edit", "a.txt", "one", "two"]))).toMatchObject({
      success: true,
    });
    expect(text("sub/a.txt")).toBe("two\n");
  });

  test("tool takes JSON as a word or on standard input, and prints the whole result", () => {
    put("a.txt", "one\n");
    const input = JSON.stringify({ path: "a.txt", old_content: "one", new_content: "two" });
    expect(json(suture(["tool", "edit_file", input]))).toMatchObject({ success: true, tool: "edit_file" });
    const back = JSON.stringify({ path: "a.txt", old_content: "two", new_content: "one" });
    expect(json(suture(["tool", "edit_file", "-", "--json"], { input: back }))).toMatchObject({
      success: true,
    });
    expect(json(suture(["tool", "edit_file"], { input }))).toMatchObject({ success: true });
  });

  test.each<[string, string[], number]>([
    ["a refusal", ["tool", "read_file", '{"path":"none.txt"}'], 1],
    ["arguments that the tool does not take", ["tool", "read_file", '{"file":"none.txt"}'], 2],
    ["an unknown tool", ["tool", "reed_file", "{}"], 2],
    ["no JSON", ["tool", "read_file", "{path"], 2],
    ["an unknown mode", ["tool", "read_file", "{}", "--mode", "destroy"], 2],
    ["a root that is not there", ["tool", "read_file", '{"path":"a"}', "--root", "nowhere"], 2],
  ])("tool exits by its outcome: %s", (_, words, status) => {
    const ran = suture(words);
    expect(ran.status, ran.stdout + ran.stderr).toBe(status);
    expect(json(ran)).toMatchObject({ success: false, error: expect.any(String) });
  });

  test("--article binds edit_article to one page", () => {
    put("docs/a.md", "one\n");
    put("docs/b.md", "one\n");
    const ask = (path: string) =>
      suture([
        "tool",
        "edit_article",
        JSON.stringify({ path, edits: [{ old_string: "one", new_string: "two", reason: "x" }] }),
        "--profile",
        "docs",
        "--article",
        "docs/a.md",
      ]);
    expect(ask("docs/b.md").status).toBe(1);
    expect(ask("./docs/a.md").status).toBe(0);
  });

  test("without a terminal a conflict is skipped, and --force overrides it", () => {
    put("a.md", "one\n");
    const edit = (from: string, to: string, task: string, ...words: string[]) =>
      suture(["edit", "a.md", from, to, "--task", task, "--run", "r", ...words]);
    expect(edit("one", "two", "A").status).toBe(0);
    const skipped = edit("two", "three", "B");
    expect(skipped.status).toBe(1);
    expect(skipped.stderr).toContain("Conflict");
    expect(text("a.md")).toBe("two\n");
    expect(edit("two", "three", "B", "--force").status).toBe(0);
    expect(text("a.md")).toBe("three\n");
  });
});

describe("words", () => {
  test.each<[string, string[], number, string]>([
    ["an unknown command, with the nearest", ["eidt"], 2, "Did you mean edit?"],
    [
      "an unknown option, with the nearest",
      ["edit", "a", "b", "c", "--ocurrence", "2"],
      2,
      "Did you mean --occurrence?",
    ],
    ["too few words", ["edit", "a"], 2, "help edit"],
    ["too many words", ["log", "a", "b"], 2, "Usage: suture log"],
    ["options that exclude each other", ["edit", "a", "b", "c", "--all", "--last"], 2, "exclude"],
    ["nothing at all", [], 2, ""],
    ["a name of every object", ["constructor"], 2, "Unknown command"],
  ])("%s", (_, words, status, said) => {
    const ran = suture(words);
    expect(ran.status).toBe(status);
    expect(ran.stderr).toContain(said);
    expect(ran.stderr).not.toMatch(/\n\s+at /);
  });

  test("help in one screen, for everything and for each command, with examples", () => {
    const overview = suture(["help"]);
    expect(overview.status).toBe(0);
    expect(overview.stdout.split("\n").length).toBeLessThanOrEqual(50);
    const names = [...overview.stdout.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name]) => name!);
    expect(names).toContain("edit");
    for (const name of names) {
      const help = suture([name, "--help"]);
      expect(help).toMatchObject({ status: 0, stderr: "" });
      expect(help.stdout).toContain(`suture ${name}`);
      expect(help.stdout).toContain("Examples");
      // `fleet` is a family of commands with one page.
      expect(help.stdout.split("\n").length, name).toBeLessThanOrEqual(name === "fleet" ? 85 : 50);
    }
  });

  test("docs/cli.md is what the command prints", () => {
    expect(suture(["help", "--markdown"]).stdout).toBe(readFileSync("docs/cli.md", "utf8"));
  });

  test("--version", () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
    expect(suture(["--version"])).toEqual({ status: 0, stdout: `${version}\n`, stderr: "" });
  });

  test("--quiet prints nothing after a success", () => {
    put("a.txt", "one\n");
    expect(suture(["edit", "a.txt", "one", "two", "--quiet"])).toEqual({ status: 0, stdout: "", stderr: "" });
  });

  test.each(["bash", "zsh", "fish"])("completion for %s", (shell) => {
    const ran = suture(["completion", shell]);
    expect(ran.status).toBe(0);
    expect(ran.stdout).toContain("occurrence");
    put(`completion.${shell}`, ran.stdout);
    const checked = spawnSync(shell, ["-n", join(root, `completion.${shell}`)], { encoding: "utf8" });
    if (checked.error) console.log(`${shell} is not installed: its script was not checked by it`);
    else expect(checked).toMatchObject({ status: 0, stderr: "" });
  });

  test("fish completes commands and options", ({ skip }) => {
    if (spawnSync("fish", ["--version"]).error) skip("fish is not installed");
    put("suture.fish", suture(["completion", "fish"]).stdout);
    const complete = (line: string): string[] =>
      spawnSync("fish", ["-c", `source ${join(root, "suture.fish")}; complete -C "${line}"`], {
        encoding: "utf8",
      })
        .stdout.trim()
        .split("\n")
        .map((each) => each.replace(/\t.*/, ""));
    expect(complete("suture ver")).toEqual(["verify"]);
    expect(complete("suture edit --occ")).toEqual(["--occurrence"]);
  });

  test("bash completes commands, options and choices", () => {
    const script = suture(["completion", "bash"]).stdout;
    const complete = (...words: string[]): string[] => {
      const line = `${script}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _suture; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return spawnSync("bash", ["-c", line], { encoding: "utf8" }).stdout.trim().split("\n");
    };
    expect(complete("suture", "ed")).toEqual(["edit"]);
    expect(complete("suture", "edit", "--occ")).toEqual(["--occurrence"]);
    expect(complete("suture", "tool", "--mode", "an")).toEqual(["analyze"]);
  });
});

const hasScript = spawnSync("script", ["--version"]).status === 0;

describe.skipIf(!hasScript)(
  `at a terminal${hasScript ? "" : " (skipped: the program `script` is not installed)"}`,
  () => {
    /** Runs the command with a terminal for all three streams, and types the answer. */
    const type = (answer: string, words: readonly string[]): { status: number | null; screen: string } => {
      const line = [process.execPath, bundle.main, ...words].map((word) => `'${word}'`).join(" ");
      const ran = spawnSync("script", ["-qec", line, "/dev/null"], {
        cwd: root,
        input: `${answer}\n`,
        encoding: "utf8",
        env: { ...process.env, TERM: "xterm", NO_COLOR: "", FORCE_COLOR: undefined } as NodeJS.ProcessEnv,
      });
      return { status: ran.status, screen: ran.stdout };
    };

    test("an edit is shown in colour", () => {
      put("a.txt", "one\n");
      expect(type("", ["edit", "a.txt", "one", "two"]).screen).toContain("\u001b[31m-one");
    });

    test("undo of a run asks first", () => {
      put("a.txt", "one\n");
      suture(["edit", "a.txt", "one", "two", "--run", "r7", "--task", "t"]);
      expect(type("n", ["undo", "r7"])).toMatchObject({
        status: 1,
        screen: expect.stringContaining("Go on?"),
      });
      expect(text("a.txt")).toBe("two\n");
      expect(type("y", ["undo", "r7"]).status).toBe(0);
      expect(text("a.txt")).toBe("one\n");
    });

    test("a conflict shows both edits and offers skip, force and manual", () => {
      put("a.md", "one\n");
      suture(["edit", "a.md", "one", "two", "--task", "A", "--run", "r", "--reason", "A was here"]);
      const edit = ["edit", "a.md", "two", "three", "--task", "B", "--run", "r"];
      const skipped = type("s", edit);
      expect(skipped).toMatchObject({ status: 1, screen: expect.stringContaining("A was here") });
      expect(text("a.md")).toBe("two\n");
      expect(type("h", edit)).toMatchObject({
        status: 1,
        screen: expect.stringContaining("resolved by hand"),
      });
      expect(text("a.md")).toBe("two\n");
      expect(type("f", edit).status).toBe(0);
      expect(text("a.md")).toBe("three\n");
    });

    test("--force asks first, --yes answers", () => {
      put("a.txt", "one\n");
      expect(type("n", ["edit", "a.txt", "one", "two", "--force"]).status).toBe(1);
      expect(text("a.txt")).toBe("one\n");
      expect(type("", ["edit", "a.txt", "one", "two", "--force", "--yes"]).status).toBe(0);
      expect(text("a.txt")).toBe("two\n");
    });
  },
);

describe("errors and interrupts", () => {
  test("a reader that has seen enough is no error", async () => {
    put("big.txt", "line\n".repeat(50_000));
    const child = spawn(process.execPath, [bundle.main, "read", "big.txt", "--plain"], {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let errors = "";
    child.stderr.on("data", (chunk) => (errors += chunk));
    child.stdout.once("data", () => child.stdout.destroy());
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect({ code, errors }).toEqual({ code: 0, errors: "" });
  });

  test("input that is not UTF-8, and files that cannot be read, are usage errors", () => {
    put("a.txt", "one\n");
    writeFileSync(join(root, "bad.txt"), Buffer.from([0xff, 0xfe, 0x41]));
    expect(suture(["edit", "a.txt", "one", "--new-file", "bad.txt"])).toMatchObject({ status: 2 });
    expect(suture(["apply", "nowhere.patch"])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("ENOENT"),
    });
  });

  test("Ctrl-C before anything is read leaves everything as it was", async () => {
    put("a.txt", "one\n");
    const child = spawn(process.execPath, [bundle.main, "apply"], {
      cwd: root,
      stdio: ["pipe", "pipe", "pipe"],
    });
    setTimeout(() => child.kill("SIGINT"), 300);
    const ended = await new Promise((resolve) =>
      child.on("close", (code, signal) => resolve(code ?? signal)),
    );
    expect([130, "SIGINT"]).toContain(ended);
    expect(text("a.txt")).toBe("one\n");
  });

  test("Ctrl-C at any moment of a transaction leaves all of it or nothing", async () => {
    for (let delay = 40; delay <= 200; delay += 20) {
      for (const name of ["a", "b", "c"]) put(`${name}.txt`, "old\n");
      const patch = ["a", "b", "c"]
        .map((name) => `--- a/${name}.txt\n+++ b/${name}.txt\n@@ -1 +1 @@\n-old\n+new\n`)
        .join("");
      put("p.patch", patch);
      const child = spawn(process.execPath, [bundle.main, "apply", "p.patch"], {
        cwd: root,
        stdio: "ignore",
      });
      setTimeout(() => child.kill("SIGINT"), delay);
      await new Promise((resolve) => child.on("close", resolve));
      suture(["log"]);
      suture(["doctor"]);
      const texts = new Set(["a", "b", "c"].map((name) => text(`${name}.txt`)));
      expect(texts.size, `interrupted after ${delay} ms`).toBe(1);
    }
  });

  test("doctor and gc", () => {
    put("a.txt", "one\n");
    suture(["edit", "a.txt", "one", "two"]);
    const examined = suture(["doctor"]);
    expect(examined).toMatchObject({ status: 0, stderr: "" });
    expect(examined.stdout).toMatch(/^Everything is well\.\n/);
    expect(examined.stdout).toContain("no git repository");
    expect(suture(["gc", "--dry-run"]).status).toBe(0);
    expect(suture(["gc"]).status).toBe(0);
    expect(suture(["undo"]).status).toBe(0);
    expect(text("a.txt")).toBe("one\n");
  });

  test("restore puts a file back as it was before or after an entry", () => {
    put("a.txt", "one\n");
    const { entry } = json(suture(["edit", "a.txt", "one", "two", "--json"]));
    suture(["edit", "a.txt", "two", "three"]);
    expect(suture(["restore", "a.txt", "--entry", entry!, "--side", "after"]).status).toBe(0);
    expect(text("a.txt")).toBe("two\n");
    expect(suture(["restore", "a.txt", "--entry", entry!]).status).toBe(0);
    expect(text("a.txt")).toBe("one\n");
    expect(suture(["restore", "a.txt"]).status).toBe(2);
  });

  test("undo of a run takes back all of it", () => {
    put("a.txt", "one\n");
    put("b.txt", "one\n");
    suture(["edit", "a.txt", "one", "two", "--run", "r7", "--task", "t"]);
    suture(["edit", "b.txt", "one", "two", "--run", "r7", "--task", "t"]);
    expect(suture(["undo", "r7"]).status).toBe(0);
    expect([text("a.txt"), text("b.txt")]).toEqual(["one\n", "one\n"]);
  });
});
