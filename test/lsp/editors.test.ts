import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Bundle, bundleCommand } from "../doors/bundle.ts";
import { createRepository, type Repository } from "../drift/repository.ts";

const code = "export function fetchUser(id, limit = 30) {\n  return id;\n}\n";
const page =
  "# Guide é🙂\n\nCall `fetchUser` with an id.\n\n- 🙂 `fetchUser` again, and `fetchUser`\n\n```js\nfetchUser('7');\n```\n";

let bundle: Bundle;
let repository: Repository;

beforeAll(async () => {
  bundle = await bundleCommand();
});
afterAll(() => bundle.remove());
beforeEach(() => {
  repository = createRepository();
});
afterEach(() => repository.remove());

/** Why an editor cannot be used here; null where it can. */
function missing(command: string, args: readonly string[]): string | null {
  const run = spawnSync(command, args, { encoding: "utf8" });
  return run.status === 0 ? null : `${command} is not installed, or lacks a part; this test is skipped`;
}

/** The bytes that `suture fix` writes for the page, in a copy of the repository. */
function fixedByCommand(): string {
  const copy = createRepository();
  try {
    copy.commit({ "client.js": code, "docs/guide.md": repository.read("docs/guide.md") });
    copy.write({ "client.js": code.replace("fetchUser", "loadUser") });
    expect(copy.suture("fix", "--base", "HEAD", "--no-model").code).toBe(0);
    return copy.read("docs/guide.md");
  } finally {
    copy.remove();
  }
}

type Answer = {
  readonly failure?: string;
  readonly messages?: readonly string[];
  readonly places?: unknown;
  readonly undone?: boolean;
};

function runEditor(command: string, args: readonly string[], env: Readonly<Record<string, string>>): Answer {
  const out = join(repository.folder, ".git", "answer.json");
  const run = spawnSync(command, args, {
    cwd: repository.folder,
    encoding: "utf8",
    timeout: 180_000,
    env: {
      ...process.env,
      CI: "",
      HOME: join(repository.folder, ".git"),
      SUTURE_CODE: join(repository.folder, "client.js"),
      SUTURE_PAGE: join(repository.folder, "docs/guide.md"),
      SUTURE_OUT: out,
      ...env,
    },
  });
  if (!existsSync(out)) return { failure: `${run.error ?? ""}${run.stdout}${run.stderr}` };
  return JSON.parse(readFileSync(out, "utf8")) as Answer;
}

describe.each([
  ["LF", page],
  ["CRLF", page.replaceAll("\n", "\r\n")],
])("a page that ends its lines with %s", (_, text) => {
  const neovim = missing("nvim", ["--version"]);
  if (neovim) console.log(neovim);
  test.skipIf(neovim)("Neovim shows the passages, writes the bytes of `suture fix`, and undoes", () => {
    repository.commit({ "client.js": code, "docs/guide.md": text });
    const expected = fixedByCommand();
    const setup = `lua package.path = package.path .. ";${resolve("editors/neovim")}/?.lua"; require("suture").setup({ cmd = { "${process.execPath}", "${bundle.main}", "lsp" }, base = "HEAD" })`;
    const script = `luafile ${resolve("test/lsp/editors/neovim.lua")}`;
    const answer = runEditor("nvim", ["--headless", "-u", "NONE", "-n", "-c", setup, "-c", script], {});
    expect(answer.failure).toBeUndefined();
    expect(answer.messages?.[0]).toBe("`fetchUser` is now `loadUser` (client.js:1).");
    expect(repository.read("docs/guide.md")).toBe(expected);
    expect(answer.undone).toBe(true);
  });

  const emacs = missing("emacs", ["--batch", "--eval", "(require 'eglot)"]);
  if (emacs) console.log(emacs);
  test.skipIf(emacs)("Emacs shows the passages, writes the bytes of `suture fix`, and undoes", () => {
    repository.commit({ "client.js": code, "docs/guide.md": text });
    const expected = fixedByCommand();
    const answer = runEditor("emacs", ["--batch", "-l", resolve("test/lsp/editors/emacs.el")], {
      SUTURE_EL: resolve("editors/emacs/suture.el"),
      SUTURE_COMMAND: `${process.execPath} ${bundle.main} lsp`,
    });
    expect(answer.failure).toBeUndefined();
    expect(answer.messages?.join("\n")).toContain("`fetchUser` is now `loadUser` (client.js:1).");
    expect(repository.read("docs/guide.md")).toBe(expected);
    expect(answer.undone).toBe(true);
  });
});
