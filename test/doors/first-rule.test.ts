import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const kindPath = "src/drift/claims/dotenv/dotenv.ts";
let copy: string;

/** A copy of the sources with the kind that the contributors' page shows, added as the page says. */
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "suture-first-rule-"));
  for (const path of ["src", "package.json", "biome.json", "tsconfig.json"])
    cpSync(path, join(copy, path), { recursive: true });
  symlinkSync(resolve("node_modules"), join(copy, "node_modules"));
  const page = readFileSync("docs/contribute.md", "utf8");
  mkdirSync(join(copy, "src/drift/claims/dotenv"));
  writeFileSync(join(copy, kindPath), /^```typescript\n(.*?)^```$/ms.exec(page)![1]!);
  addToList(join(copy, "src/drift/claims/registry.ts"));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

function addToList(file: string): void {
  const list = readFileSync(file, "utf8");
  const line = 'import { dotenv } from "./dotenv/dotenv.ts";';
  writeFileSync(
    file,
    list.replace("\n\n", `\n${line}\n\n`).replace("kinds = register(", "kinds = register(dotenv, "),
  );
}

function run(...words: readonly string[]): { readonly said: string; readonly status: number | null } {
  const ran = spawnSync(process.execPath, words, { cwd: copy, encoding: "utf8" });
  return { said: ran.stdout + ran.stderr, status: ran.status };
}

describe("the kind that the contributors' page shows", () => {
  test("compiles", () => {
    const project = { extends: "./tsconfig.json", include: ["src/drift"], exclude: ["**/*.test.ts"] };
    writeFileSync(join(copy, "tsconfig.rule.json"), JSON.stringify(project));
    expect(run("node_modules/typescript/bin/tsc", "-p", "tsconfig.rule.json")).toEqual({
      said: "",
      status: 0,
    });
  });

  test("is formatted as the linter wants", () => {
    const { said, status } = run(
      "node_modules/@biomejs/biome/bin/biome",
      "check",
      "--vcs-enabled=false",
      kindPath,
    );
    expect(status, said).toBe(0);
  });

  test("reports a page that names the deleted file, until it is switched off", () => {
    const repository = join(copy, "shop");
    const git = (...words: readonly string[]): void => {
      const who = ["-c", "user.name=ada", "-c", "user.email=ada@example.org"];
      spawnSync("git", ["-C", repository, ...who, ...words]);
    };
    spawnSync("git", ["init", "-q", repository]);
    writeFileSync(join(repository, "prod.env"), "PORT=80\n");
    writeFileSync(join(repository, "README.md"), "# Shop\n\nThe port stands in prod.env.\n");
    git("add", "--all");
    git("commit", "-qm", "begin");
    rmSync(join(repository, "prod.env"));
    const check = (): string =>
      run("src/cli/main.ts", "check", "--root", repository, "--base", "HEAD", "--verbose").said;
    expect(check()).toMatch(/README\.md:3 {2}likely {2}`prod\.env` no longer exists[\s\S]*rule dotenv/);
    writeFileSync(join(repository, "suture.config.json"), JSON.stringify({ rules: { dotenv: "off" } }));
    expect(check()).not.toMatch(/dotenv|prod\.env/);
  });
});
