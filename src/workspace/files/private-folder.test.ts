import {
  chmodSync,
  chownSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isPrivatePath } from "./private-folder.ts";

let home = "";
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "suture-private-")));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const other = 65_534;
const isRoot = process.getuid?.() === 0;

function folder(path: string, { mode = 0o700, user }: { mode?: number; user?: number } = {}): string {
  const at = join(home, path);
  mkdirSync(at, { recursive: true });
  chmodSync(at, mode);
  if (user !== undefined) chownSync(at, user, user);
  return at;
}

function last(...made: readonly string[]): string {
  return made.at(-1)!;
}

test.skipIf(process.platform === "win32").each<[string, () => string, boolean]>([
  ["a folder of the user's own", () => folder("a"), true],
  ["a folder that others may read", () => folder("a", { mode: 0o755 }), true],
  ["a folder that is not there yet", () => join(folder("a"), "b/c/d"), true],
  ["a folder that everyone may write to", () => folder("a", { mode: 0o777 }), false],
  ["a folder below such a folder", () => last(folder("a", { mode: 0o777 }), folder("a/b")), false],
  ["a missing folder below such a folder", () => join(folder("a", { mode: 0o777 }), "b"), false],
  [
    "an own folder in a shared one that keeps owners",
    () => last(folder("a", { mode: 0o1777 }), folder("a/b")),
    true,
  ],
  [
    "a link of the user's to a folder that everyone may write to",
    () => {
      symlinkSync(folder("a", { mode: 0o777 }), join(home, "link"));
      return join(home, "link");
    },
    false,
  ],
  [
    "a link of the user's to an own folder",
    () => {
      symlinkSync(folder("a"), join(home, "link"));
      return join(home, "link/b");
    },
    true,
  ],
])("%s", (_, make, expected) => expect(isPrivatePath(make())).toBe(expected));

test.skipIf(!isRoot).each<[string, () => string]>([
  ["a folder of another user", () => folder("a", { user: other })],
  [
    "a folder below one of another user",
    () => last(folder("a/b"), folder("a", { user: other }), join(home, "a/b")),
  ],
  [
    "a folder of another user in a shared one",
    () => last(folder("a", { mode: 0o1777 }), folder("a/suture", { user: other })),
  ],
  [
    "a link of another user to an own folder",
    () => {
      symlinkSync(folder("a"), join(home, "link"));
      lchownSync(join(home, "link"), other, other);
      return join(home, "link");
    },
  ],
  ["a folder of another user that others may read", () => folder("a/b", { user: other, mode: 0o755 })],
])("%s is not private", (_, make) => expect(isPrivatePath(make())).toBe(false));
