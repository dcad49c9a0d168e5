import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Refusal } from "../../text/model/outcome.ts";
import type { Files } from "../files/files.ts";
import { createMemoryDisk } from "../files/memory-files.ts";
import { foldName } from "./names.ts";
import { gate, parsePath } from "./paths.ts";
import { createWalker, followLinks } from "./walk.ts";

describe("names that the gate refuses, whoever asks", () => {
  const rows: [string, string, Refusal["code"]][] = [
    ["P01 a way up", "../x", "outside"],
    ["P02 a way up in the middle", "a/../../x", "outside"],
    ["P02 even one that stays inside", "a/../b", "outside"],
    ["P03 an absolute path", "/etc/passwd", "outside"],
    ["P05 a drive", "C:\\x", "outside"],
    ["P05 a drive without a root", "C:x", "outside"],
    ["P05 a share", "\\\\server\\share\\x", "outside"],
    ["P05 a device path", "\\\\?\\C:\\x", "outside"],
    ["P05 a share with slashes", "//server/x", "outside"],
    ["P06 backslashes", "a\\..\\..\\x", "malformed"],
    ["P08 NUL", "a\0b", "malformed"],
    ["P09 carriage return", "a\rb", "malformed"],
    ["P09 line feed", "a\nb", "malformed"],
    ["P09 tab", "a\tb", "malformed"],
    ["P09 escape", "a\u001b[31mb", "malformed"],
    ["P09 C1 control", "a\u0085b", "malformed"],
    ["X08 line separator", "a\u2028b", "malformed"],
    ["X08 paragraph separator", "a\u2029b", "malformed"],
    ["P10 a final carriage return", ".githooks/x\r", "malformed"],
    ["P11 a device", "CON", "malformed"],
    ["P11 a device with an extension", "nul.txt", "malformed"],
    ["P11 a port", "LPT1.md", "malformed"],
    ["P11 a port with a superscript", "COM¹", "malformed"],
    ["P11 a device as a directory", "AUX/x", "malformed"],
    ["P12 a trailing dot", "file.txt.", "malformed"],
    ["P12 a trailing space", "file.txt ", "malformed"],
    ["P12 a directory with a trailing space", "docs /a.md", "malformed"],
    ["P13 a stream", "file.txt:stream", "malformed"],
    ["P13 the default stream", "file::$DATA", "malformed"],
    ["P14 a short alias", "GIT~1/config", "malformed"],
    ["P14 a short alias of our own", "SUTURE~1/x", "malformed"],
    ["P22 nothing", "", "malformed"],
    ["P22 the root", ".", "malformed"],
    ["P22 the root with a slash", "./", "malformed"],
    ["P22 a directory", "docs/", "malformed"],
    ["P22 a directory spelt with a dot", "docs/.", "malformed"],
    ["P23 a name of 256 bytes", "a".repeat(256), "too-large"],
    ["P23 a name of 256 bytes in 128 letters", "é".repeat(128), "too-large"],
    ["P23 a path of 5,000 bytes", "abcd/".repeat(999).concat("abcde"), "too-large"],
    ["P23 2,000 components", "a/".repeat(1999).concat("a"), "too-large"],
    ["P26 a file address", "file:///etc/x", "malformed"],
    ["P26 a data address", "data:text/plain,x", "malformed"],
    ["P27 half of a surrogate pair", "a\ud800b", "malformed"],
    ["three dots", "a/.../x", "outside"],
    ["a character that is two dots", "\u2025/x", "outside"],
    ["nothing but invisible code points", "\u200b/x", "outside"],
  ];
  test.each(rows)("%s", (_name, path, code) => {
    for (const access of ["read", "write"] as const) {
      const gated = gate(path, access, { consent: true });
      expect(gated.ok ? "accepted" : gated.refusal.code).toBe(code);
    }
  });
});

describe("names that are protected by any spelling, at any depth, present or absent", () => {
  const rows: [string, string][] = [
    ["P15 upper case", ".GIT/hooks/x"],
    ["P15 mixed case", ".Git/config"],
    ["P16 an invisible joiner", ".g\u200cit/x"],
    ["P16 a soft hyphen at the end", ".git\u00ad/x"],
    ["P16 a byte order mark", "\ufeff.git/x"],
    ["P17 a full-width dot", "．git/x"],
    ["P17 full-width letters", ".ｇｉｔ/x"],
    ["P17 a one-dot leader", "\u2024git/x"],
    ["P18 a long s", ".\u017future/journal/1"],
    ["P18 a dotless i", ".g\u0131t/config"],
    ["P18 a dotted capital I", ".G\u0130T/config"],
    ["P30 .git as a file", ".git"],
    ["P31 a nested repository", "vendor/x/.git/hooks/pre-commit"],
    ["P32 our own state", ".suture/journal/000001.journal"],
    ["P32 our own state, shouted", ".SUTURE/lock/1"],
    ["another version control system", ".hg/hgrc"],
    ["another version control system", "a/.svn/entries"],
    ["another version control system", ".jj/repo"],
  ];
  test.each(rows)("%s", (_name, path) => {
    for (const access of ["read", "write"] as const)
      expect(gate(path, access, { consent: true })).toMatchObject({
        ok: false,
        refusal: { code: "protected" },
      });
  });
});

describe("names that are accepted as they are", () => {
  const rows: [string, string, string][] = [
    ["P22 a leading dot segment is dropped", "./docs/a.md", "docs/a.md"],
    ["P22 doubled slashes and dots are dropped", "docs//./a.md", "docs/a.md"],
    ["P07 percent signs are not decoded", "%2e%2e/x", "%2e%2e/x"],
    ["P07 nor twice", "..%252fx", "..%252fx"],
    ["P19 composed and decomposed stay apart", "cafe\u0301.md", "cafe\u0301.md"],
    ["P24 a leading hyphen", "-rf", "-rf"],
    ["P25 a tilde", "~/notes/config", "~/notes/config"],
    ["P25 a variable", "$HOME/$X/y", "$HOME/$X/y"],
    ["P04 a twin of the root's name", "root-evil/x", "root-evil/x"],
    ["a full-width colon", "说明：一.md", "说明：一.md"],
    ["dots inside and in front", ".config/a..b/.x.md", ".config/a..b/.x.md"],
    ["names that begin like guarded ones", ".gitignore", ".gitignore"],
    ["a tilde at the end", "notes.md~", "notes.md~"],
  ];
  test.each(rows)("%s", (_name, path, clean) => {
    const gated = gate(path, "write");
    expect(gated).toMatchObject({ ok: true, value: { path: clean, names: clean.split("/") } });
  });

  test("P28 a name that reorders text is marked, so that it is not created", () => {
    expect(gate("a\u202eb.md", "read")).toMatchObject({ ok: true, value: { hidesText: true } });
    expect(gate("a\u2066b.md", "read")).toMatchObject({ ok: true, value: { hidesText: true } });
    expect(gate("ab.md", "read")).toMatchObject({ ok: true, value: { hidesText: false } });
  });
});

describe("names that somebody is asked about first", () => {
  const rows: [string, string][] = [
    [".github/workflows/ci.yml", "continuous integration"],
    [".GitHub/workflows/ci.yml", "continuous integration"],
    [".gitlab-ci.yml", "continuous integration"],
    [".vscode/settings.json", "editor or agent settings"],
    [".claude/settings.json", "editor or agent settings"],
    [".mcp.json", "editor or agent settings"],
    ["AGENTS.md", "instructions for agents"],
    ["packages/a/claude.md", "instructions for agents"],
    [".husky/pre-commit", "hooks"],
    [".npmrc", "secrets"],
    [".env", "secrets"],
    [".env.production", "secrets"],
    ["keys/server.pem", "secrets"],
    ["package.json", "package manifest"],
    ["\u1e9eetup.py".replace("\u1e9e", "\u017f"), "package manifest"],
    ["yarn.lock", "lock file"],
    ["Makefile", "build file"],
    ["Dockerfile.dev", "build file"],
    [".bashrc", "shell or tool settings"],
  ];
  test.each(rows)("P29 %s: %s", (path, concern) => {
    expect(gate(path, "write")).toMatchObject({
      ok: false,
      refusal: { code: "needs-consent", detail: concern },
    });
    expect(gate(path, "write", { consent: true }).ok).toBe(true);
    expect(gate(path, "write", { consent: (_path, asked) => asked === concern }).ok).toBe(true);
    expect(gate(path, "write", { consent: () => false }).ok).toBe(false);
  });

  test("A04 secrets are not even read unasked; the rest is", () => {
    expect(gate(".env", "read").ok).toBe(false);
    expect(gate(".ssh/id_ed25519", "read").ok).toBe(false);
    expect(gate(".env.example", "read").ok).toBe(true);
    expect(gate("package.json", "read").ok).toBe(true);
  });

  test("C10 an allow-list of writable paths decides for writing only", () => {
    const policy = { writable: (path: string) => path === "docs/a.md" };
    expect(gate("./docs//a.md", "write", policy).ok).toBe(true);
    expect(gate("docs/b.md", "write", policy)).toMatchObject({ ok: false, refusal: { code: "not-allowed" } });
    expect(gate("docs/b.md", "read", policy).ok).toBe(true);
  });
});

describe("laws of the gate", () => {
  const anyPath = fc.oneof(
    fc.string({ unit: "binary" }),
    fc
      .array(fc.oneof(fc.constantFrom("..", ".", "", ".git", "a", "CON", "a\\b"), fc.string()), {
        maxLength: 6,
      })
      .map((parts) => parts.join("/")),
  );

  test("what is accepted is one spelling, relative, inside, and accepted again", () => {
    fc.assert(
      fc.property(anyPath, (path) => {
        const gated = parsePath(path);
        if (!gated.ok) return;
        const { path: clean, names } = gated.value;
        expect(
          names.every((name) => name !== "" && name !== "." && name !== ".." && !name.includes("/")),
        ).toBe(true);
        expect(names.join("/")).toBe(clean);
        expect(parsePath(clean)).toEqual(gated);
      }),
    );
  });

  test("folding is settled after one turn, and blind to case", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (name) => {
        expect(foldName(foldName(name))).toBe(foldName(name));
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii" }), (name) => {
        expect(foldName(name.toUpperCase())).toBe(foldName(name.toLowerCase()));
      }),
    );
  });
});

describe("walking", () => {
  test("L03 a link on the way is refused, and so is a file", async () => {
    const disk = createMemoryDisk();
    disk.put("real/a.md", "x");
    disk.putLink("docs", "real");
    const { walk } = await walkerOn(disk.process());
    expect(await walk(["docs", "a.md"])).toMatchObject({
      ok: false,
      refusal: { code: "outside", detail: "a link" },
    });
    expect(await walk(["real", "a.md", "x"])).toMatchObject({ ok: false, refusal: { code: "outside" } });
  });

  test("missing directories are named, none is made", async () => {
    const disk = createMemoryDisk();
    disk.putDir("docs");
    const { walk } = await walkerOn(disk.process());
    expect(await walk(["docs", "b", "c", "a.md"])).toMatchObject({
      ok: true,
      value: { name: "a.md", missing: ["b", "c"] },
    });
    expect(disk.tree()).toEqual(["docs/"]);
  });

  const linkRows: [string, (disk: ReturnType<typeof createMemoryDisk>) => void, string, string | null][] = [
    ["L02 to a file inside", (disk) => disk.putLink("a.md", "docs/real.md"), "a.md", "docs/real.md"],
    ["L02 through a directory inside", (disk) => disk.putLink("d", "docs"), "d/real.md", "docs/real.md"],
    [
      "L02 with a way up that stays inside",
      (disk) => disk.putLink("docs/up", "../other/x"),
      "docs/up",
      "other/x",
    ],
    ["L01 to an absolute path", (disk) => disk.putLink("a.md", "/etc/passwd"), "a.md", null],
    ["L01 out of the root", (disk) => disk.putLink("a.md", "../x"), "a.md", null],
    ["L06 out of the root and back", (disk) => disk.putLink("docs/a.md", "../../root/x"), "docs/a.md", null],
    ["L04 a loop", (disk) => disk.putLink("a.md", "a.md"), "a.md", null],
    ["to a protected name", (disk) => disk.putLink("a.md", ".git/config"), "a.md", null],
  ];
  test.each(linkRows)("followed where the policy says so: %s", async (_name, prepare, path, expected) => {
    const disk = createMemoryDisk();
    disk.put("docs/real.md", "x");
    prepare(disk);
    const files = disk.process();
    const walker = await walkerOn(files);
    const from = gate(path, "write");
    if (!from.ok) throw new Error("a usable path");
    const followed = await followLinks(files, walker, from.value, (target) => gate(target, "write"));
    expect(followed.ok ? followed.value.path : null).toBe(expected);
  });

  test("L04 a chain of 41 links is refused", async () => {
    const disk = createMemoryDisk();
    disk.put("l41", "x");
    for (let i = 0; i < 41; i++) disk.putLink(`l${i}`, `l${i + 1}`);
    const files = disk.process();
    const walker = await walkerOn(files);
    const follow = async (path: string) => {
      const from = gate(path, "write");
      return from.ok && (await followLinks(files, walker, from.value, (target) => gate(target, "write"))).ok;
    };
    expect(await follow("l0")).toBe(false);
    expect(await follow("l1")).toBe(true);
  });
});

async function walkerOn(files: Files) {
  return createWalker(files, await files.openRoot("/"));
}
