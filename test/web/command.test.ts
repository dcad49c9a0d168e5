import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installPage } from "./review-fixture.ts";

const house = join(import.meta.dirname, "..", "..");
const home = mkdtempSync(join(tmpdir(), "suture-command-"));
const root = join(home, "postbox");

function suture(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(house, "src", "cli", "main.ts"), ...words],
    {
      cwd: root,
      encoding: "utf8",
      env: { ...process.env, XDG_STATE_HOME: join(home, "state"), CI: "", SUTURE_MODEL: "" },
    },
  );
  return { status, stdout, stderr };
}

function git(...args: string[]): void {
  const who = ["-c", "user.name=E", "-c", "user.email=e@example.org", "-c", "commit.gpgsign=false"];
  expect(spawnSync("git", [...who, ...args], { cwd: root }).status).toBe(0);
}

beforeAll(async () => {
  cpSync(join(house, "examples", "postbox"), root, { recursive: true });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "1.4");
  git("apply", join(house, "examples", "postbox.patch"));
  git("add", "-A");
  git("commit", "-qm", "2.0");
  await installPage();
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe("suture review on the command line", () => {
  test("fix --propose writes a proposal and no page; review takes it up", () => {
    const before = readFileSync(join(root, "README.md"), "utf8");
    const proposed = suture("fix", "--propose", "--base", "HEAD~1", "--no-model", "--json");
    expect(proposed.status).toBe(0);
    const { run, findings } = JSON.parse(proposed.stdout) as { run: string; findings: unknown[] };
    expect(readFileSync(join(root, "README.md"), "utf8")).toBe(before);
    expect(readdirSync(join(root, ".suture", "proposals"))).toEqual([`${run}.json`]);
    const file = join(home, "report.html");
    const exported = suture("review", "--export", file, "--json");
    expect(JSON.parse(exported.stdout)).toEqual({ success: true, path: file, run, edits: findings.length });
    const html = readFileSync(file, "utf8");
    expect(html).toMatch(/script-src 'sha256-[\w+/=]+'/);
    expect(html.match(/<script/g)).toHaveLength(2);
    expect(html).not.toContain(root);
  });

  test("a check that is shown and not decided about leaves nothing behind", () => {
    const kept = readdirSync(join(root, ".suture", "proposals"));
    expect(suture("review", "--base", "HEAD~1", "--export", join(home, "again.html")).status).toBe(0);
    expect(readdirSync(join(root, ".suture", "proposals"))).toEqual(kept);
  });

  test("--all shows what is false without a change", () => {
    const shown = suture("review", "--all", "--export", join(home, "all.html"), "--json");
    expect(JSON.parse(shown.stdout)).toMatchObject({ success: true, edits: expect.any(Number) });
    expect(suture("review", "--all", "--base", "HEAD~1", "--export", join(home, "none.html")).status).toBe(2);
  });

  test("a past run is exported from its record", () => {
    const fixed = suture("fix", "--base", "HEAD~1", "--no-model", "--json");
    const { run } = JSON.parse(fixed.stdout) as { run: string };
    const file = join(home, "past.html");
    expect(JSON.parse(suture("review", run, "--export", file, "--json").stdout)).toMatchObject({
      success: true,
      run,
    });
    const [, data] = /<script type="application\/json" id="run">(.*?)<\/script>/s.exec(
      readFileSync(file, "utf8"),
    )!;
    const { run: shown, history } = JSON.parse(data!) as { run: { kind: string }; history: unknown[] };
    expect(shown.kind).toBe("record");
    expect(history).toHaveLength(1);
  });

  test("wrong operands and options are refused with their exit codes, and no server keeps running", () => {
    expect(suture("review", "run-nowhere").status).toBe(1);
    expect(suture("review", "--port", "70000").status).toBe(2);
    expect(suture("review", "--base", "no-such-revision", "--export", "x.html").status).toBe(3);
    expect(suture("review", "--export", join(home, "no", "such", "folder.html")).status).toBe(3);
    expect(existsSync(join(home, "state", "suture"))).toBe(false);
  });

  test("nothing to review is said and ends", () => {
    const { status, stdout } = suture("review", "--base", "HEAD");
    expect(stdout).toContain("Nothing to review");
    expect(status).toBe(0);
  });
});
