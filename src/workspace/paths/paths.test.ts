import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Refusal } from "../../text/model/outcome.ts";
import type { Files } from "../files/files.ts";
import { createMemoryDisk } from "../files/memory-files.ts";
import { foldName } from "./names.ts";
import { gate, parsePath } from "./paths.ts";
import { followLinks, Walker } from "./walk.ts";

describe("names that the gate refuses for every caller", () => {
  const rows: [string, string, Refusal["code"]][] = [
    ["a parent segment at the start", "../x", "outside"],
    ["a parent segment in the middle", "a/../../x", "outside"],
    ["a parent segment that stays inside", "a/../b", "outside"],
    ["an absolute path", "/etc/passwd", "outside"],
    ["a Windows drive", "C:\\x", "outside"],
    ["a Windows drive without a root", "C:x", "outside"],
    ["a network share", "\\\\server\\share\\x", "outside"],
    ["a device path", "\\\\?\\C:\\x", "outside"],
    ["a network share with slashes", "//server/x", "outside"],
    ["backslashes", "a\\..\\..\\x", "malformed"],
    ["a NUL character", "a\0b", "malformed"],
    ["a carriage return", "a\rb", "malformed"],
    ["a line feed", "a\nb", "malformed"],
    ["a tab", "a\tb", "malformed"],
    ["an escape character", "a\u001b[31mb", "malformed"],
    ["an eight-bit control character", "a\u0085b", "malformed"],
    ["a line separator", "a\u2028b", "malformed"],
    ["a paragraph separator", "a\u2029b", "malformed"],
    ["a final carriage return", ".githooks/x\r", "malformed"],
    ["a Windows device name", "CON", "malformed"],
    ["a Windows device name with an extension", "nul.txt", "malformed"],
    ["a serial port name", "LPT1.md", "malformed"],
    ["a port name with a superscript", "COM¹", "malformed"],
    ["a Windows device name as a directory", "AUX/x", "malformed"],
    ["a trailing dot", "file.txt.", "malformed"],
    ["a trailing space", "file.txt ", "malformed"],
    ["a directory with a trailing space", "docs /a.md", "malformed"],
    ["an alternate data stream", "file.txt:stream", "malformed"],
    ["the default data stream", "file::$DATA", "malformed"],
    ["an 8.3 short name", "GIT~1/config", "malformed"],
    ["an 8.3 short name of the state folder", "SUTURE~1/x", "malformed"],
    ["an empty path", "", "malformed"],
    ["the root", ".", "malformed"],
    ["the root with a slash", "./", "malformed"],
    ["a directory", "docs/", "malformed"],
    ["a directory spelled with a dot", "docs/.", "malformed"],
    ["a name of 256 bytes", "a".repeat(256), "too-large"],
    ["a name of 256 bytes in 128 letters", "é".repeat(128), "too-large"],
    ["a path of 5,000 bytes", "abcd/".repeat(999).concat("abcde"), "too-large"],
    ["a path of 2,000 components", "a/".repeat(1999).concat("a"), "too-large"],
    ["a file: address", "file:///etc/x", "malformed"],
    ["a data: address", "data:text/plain,x", "malformed"],
    ["half of a surrogate pair", "a\ud800b", "malformed"],
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
    [".git in upper case", ".GIT/hooks/x"],
    [".git in mixed case", ".Git/config"],
    [".git with an invisible joiner", ".g\u200cit/x"],
    [".git with a soft hyphen at the end", ".git\u00ad/x"],
    [".git with a byte order mark", "\ufeff.git/x"],
    [".git with a full-width dot", "．git/x"],
    [".git in full-width letters", ".ｇｉｔ/x"],
    [".git with a one-dot leader", "\u2024git/x"],
    ["a protected name with a long s", ".\u017future/journal/1"],
    ["a protected name with a dotless i", ".g\u0131t/config"],
    ["a protected name with a dotted capital I", ".G\u0130T/config"],
    [".git as a file", ".git"],
    ["a nested repository's .git", "vendor/x/.git/hooks/pre-commit"],
    ["the state folder", ".suture/journal/000001.journal"],
    ["the state folder in upper case", ".SUTURE/lock/1"],
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
    ["a leading dot segment is dropped", "./docs/a.md", "docs/a.md"],
    ["doubled slashes and dots are dropped", "docs//./a.md", "docs/a.md"],
    ["percent signs are not decoded", "%2e%2e/x", "%2e%2e/x"],
    ["percent signs are not decoded twice", "..%252fx", "..%252fx"],
    ["composed and decomposed names stay different", "cafe\u0301.md", "cafe\u0301.md"],
    ["a leading hyphen", "-rf", "-rf"],
    ["a tilde is not expanded", "~/notes/config", "~/notes/config"],
    ["a variable is not expanded", "$HOME/$X/y", "$HOME/$X/y"],
    ["a name that starts like the root's name", "root-evil/x", "root-evil/x"],
    ["a full-width colon", "说明：一.md", "说明：一.md"],
    ["dots inside and in front", ".config/a..b/.x.md", ".config/a..b/.x.md"],
    ["names that begin like guarded ones", ".gitignore", ".gitignore"],
    ["a tilde at the end", "notes.md~", "notes.md~"],
  ];
  test.each(rows)("%s", (_name, path, clean) => {
    const gated = gate(path, "write", { consent: true });
    expect(gated).toMatchObject({ ok: true, value: { path: clean, names: clean.split("/") } });
  });

  test("a name that reorders text is marked and cannot be created", () => {
    expect(gate("a\u202eb.md", "read")).toMatchObject({ ok: true, value: { hidesText: true } });
    expect(gate("a\u2066b.md", "read")).toMatchObject({ ok: true, value: { hidesText: true } });
    expect(gate("ab.md", "read")).toMatchObject({ ok: true, value: { hidesText: false } });
  });
});

describe("names that need a person's consent", () => {
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
    ...["AGENT.md", "docs/AGENT.md", "CONVENTIONS.md", "replit.md", "Junie.md", "docs/system-prompt.txt"].map(
      (path): [string, string] => [path, "instructions for agents"],
    ),
    ...[
      "docs/conf.py",
      "mkdocs.yml",
      "docs/book.toml",
      "_config.yml",
      "docusaurus.config.ts",
      "sidebars.js",
    ].map((path): [string, string] => [path, "build file"]),
    ...["gradle/wrapper/gradle-wrapper.properties", "rules.mk", "main.tf", "Directory.Build.props"].map(
      (path): [string, string] => [path, "build file"],
    ),
    ...[
      "requirements/dev.txt",
      "constraints-ci.txt",
      "requirements.in",
      "environment.yml",
      "Package.swift",
      "Directory.Packages.props",
      "packages.config",
      "nuget.config",
      "lib/tool.fsproj",
      "shard.yml",
      "pnpm-workspace.yaml",
    ].map((path): [string, string] => [path, path.endsWith(".props") ? "build file" : "package manifest"]),
    ...[
      "binding.gyp",
      "build.xml",
      "build.sbt",
      "build.zig",
      "conanfile.py",
      "configure.ac",
      "Makefile.am",
      "tsup.config.ts",
      "wdio.conf.js",
      "docker-bake.hcl",
      "lib/tasks/clean.rake",
      "src/evil.pth",
      "magefile.go",
    ].map((path): [string, string] => [path, "build file"]),
    ...["azure-pipelines-release.yml", "Jenkinsfile.release", "heroku.yml", "Procfile.dev"].map(
      (path): [string, string] => [path, "continuous integration"],
    ),
    ...[
      ".github/workflows/triage.md",
      ".github/skills/deploy/reference.md",
      ".github/instructions/backend/api.md",
      ".github/aw/imports/tools.md",
      "rules/style.mdc",
      "SOUL.md",
    ].map((path): [string, string] => [path, "instructions for agents"]),
    ["CODEOWNERS", "continuous integration"],
    ["docs/CODEOWNERS", "continuous integration"],
    ["hooks/hooks.json", "editor or agent settings"],
    ["my.code-workspace", "editor or agent settings"],
    ["etc/tool.service", "shell or tool settings"],
    ...["gcp-key.json", "acme-firebase-adminsdk.json", "kubeconfig.yaml", "vault.yml", "wp-config.php"].map(
      (path): [string, string] => [path, "secrets"],
    ),
    ...[".my.cnf", "secrets.enc.yaml", "token.txt", "auth.json", "prod-secrets.yaml"].map(
      (path): [string, string] => [path, "secrets"],
    ),
  ];
  test.each(rows)("a protected name that does not exist yet: %s: %s", (path, concern) => {
    expect(gate(path, "write")).toMatchObject({
      ok: false,
      refusal: { code: "needs-consent", detail: concern },
    });
    expect(gate(path, "write", { consent: true }).ok).toBe(true);
    expect(gate(path, "write", { consent: (_path, asked) => asked === concern }).ok).toBe(true);
    expect(gate(path, "write", { consent: () => false }).ok).toBe(false);
    expect(gate(path, "read").ok).toBe(concern !== "secrets");
  });

  test.each([
    "docs/agents.rst",
    "docs/tokens.md",
    "docs/auth.md",
    "docs/secrets.md",
    "src/token.ts",
    "book.md",
    "rules.yml",
    ".github/CONTRIBUTING.md",
    ".github/ISSUE_TEMPLATE/bug.md",
    "docs/requirements/index.md",
    "docs/environment.md",
    "src/config.ts",
    "src/app.config.go",
    "docs/configure.md",
  ])("an ordinary page or source needs none: %s", (path) => expect(gate(path, "write").ok).toBe(true));

  test("secrets are not read without consent; other files are", () => {
    expect(gate(".env", "read").ok).toBe(false);
    expect(gate(".ssh/id_ed25519", "read").ok).toBe(false);
    expect(gate(".env.example", "read").ok).toBe(true);
    expect(gate("package.json", "read").ok).toBe(true);
  });

  test("the list of writable paths applies to writing only", () => {
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

  test("an accepted path is relative, inside the root, in canonical spelling, and is accepted again", () => {
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

  test("folding twice changes nothing more, and folding ignores case", () => {
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
  test("a link or a file in the middle of a path is refused", async () => {
    const disk = createMemoryDisk();
    disk.put("real/a.md", "x");
    disk.putLink("docs", "real");
    const walker = await walkerOn(disk.process());
    expect(await walker.resolve(["docs", "a.md"])).toMatchObject({
      ok: false,
      refusal: { code: "outside", detail: "a link" },
    });
    expect(await walker.resolve(["real", "a.md", "x"])).toMatchObject({
      ok: false,
      refusal: { code: "outside" },
    });
  });

  test("missing directories are named, and none is created", async () => {
    const disk = createMemoryDisk();
    disk.putDir("docs");
    const walker = await walkerOn(disk.process());
    expect(await walker.resolve(["docs", "b", "c", "a.md"])).toMatchObject({
      ok: true,
      value: { name: "a.md", missing: ["b", "c"] },
    });
    expect(disk.tree()).toEqual(["docs/"]);
  });

  const linkRows: [string, (disk: ReturnType<typeof createMemoryDisk>) => void, string, string | null][] = [
    ["a link to a file inside", (disk) => disk.putLink("a.md", "docs/real.md"), "a.md", "docs/real.md"],
    ["a link through a directory inside", (disk) => disk.putLink("d", "docs"), "d/real.md", "docs/real.md"],
    [
      "a link with a parent segment that stays inside",
      (disk) => disk.putLink("docs/up", "../other/x"),
      "docs/up",
      "other/x",
    ],
    ["a link to an absolute path", (disk) => disk.putLink("a.md", "/etc/passwd"), "a.md", null],
    ["a link out of the root", (disk) => disk.putLink("a.md", "../x"), "a.md", null],
    [
      "a link out of the root and back",
      (disk) => disk.putLink("docs/a.md", "../../project/x"),
      "docs/a.md",
      null,
    ],
    ["a link loop", (disk) => disk.putLink("a.md", "a.md"), "a.md", null],
    ["to a protected name", (disk) => disk.putLink("a.md", ".git/config"), "a.md", null],
  ];
  test.each(linkRows)(
    "links are followed where the policy allows it: %s",
    async (_name, prepare, path, expected) => {
      const disk = createMemoryDisk();
      disk.put("docs/real.md", "x");
      prepare(disk);
      const files = disk.process();
      const walker = await walkerOn(files);
      const from = gate(path, "write");
      if (!from.ok) throw new Error("a usable path");
      const followed = await followLinks({ files, walker }, from.value, (target) => gate(target, "write"));
      expect(followed.ok ? followed.value.path : null).toBe(expected);
    },
  );

  test("a chain of 41 links is refused", async () => {
    const disk = createMemoryDisk();
    disk.put("l41", "x");
    for (let i = 0; i < 41; i++) disk.putLink(`l${i}`, `l${i + 1}`);
    const files = disk.process();
    const walker = await walkerOn(files);
    const follow = async (path: string) => {
      const from = gate(path, "write");
      return (
        from.ok && (await followLinks({ files, walker }, from.value, (target) => gate(target, "write"))).ok
      );
    };
    expect(await follow("l0")).toBe(false);
    expect(await follow("l1")).toBe(true);
  });
});

async function walkerOn(files: Files) {
  return new Walker(files, await files.openRoot("/"));
}

test.each([
  ...["lefthook.yml", ".gitea/workflows/x.yml", ".forgejo/workflows/x.yml", ".woodpecker.yml", ".cirrus.yml"],
  ...[".build.yml", "buildspec.yml", "cloudbuild.yaml", ".gdbinit", ".lefthook.yml", ".opencode/x.json"],
  ...[
    ".aider.conf.yml",
    ".continue/config.json",
    ".roo/rules.md",
    ".kiro/x.md",
    ".junie/guidelines.md",
    ".augment/x",
  ],
  ...["QWEN.md", "WARP.md", ".rules", "mise.toml", "flake.nix", "shell.nix", "sitecustomize.py", "tox.ini"],
  ...[
    ".yarn/releases/yarn.cjs",
    ".pnp.cjs",
    ".bazelrc",
    "BUILD.bazel",
    "MODULE.bazel",
    "Vagrantfile",
    "Tiltfile",
  ],
  ...[
    "action.yml",
    ".readthedocs.yaml",
    "netlify.toml",
    "vercel.json",
    ".cargo/config.toml",
    ".zed/tasks.json",
  ],
  ...[
    ".dir-locals.el",
    "conftest.py",
    "opencode.json",
    "suture.config.json",
    ".jolli/sources.json",
    "prod.env",
  ],
  ...[
    ".env-prod",
    "credentials.json",
    "service-account.json",
    "secrets.yaml",
    "terraform.tfstate",
    "id_rsa.bak",
  ],
  ...[".htpasswd", "key.ppk", ".docker/config.json", "docs/.hidden/x.md", ".newtool", "vite.config.ts"],
])("%s may only be written with consent", (path) => {
  const gated = gate(path, "write");
  expect(gated.ok ? "ok" : gated.refusal.code).toBe("needs-consent");
  expect(gate(path, "write", { consent: true }).ok).toBe(true);
  const isSecret = gate(path, "write", { consent: (_path, concern) => concern === "secrets" }).ok;
  expect(gate(path, "read").ok).toBe(!isSecret);
});

test.each([
  ...[
    "docs/guide.md",
    "README.md",
    "src/build.ts",
    ".gitignore",
    ".editorconfig",
    ".env.example",
    "env/readme.md",
  ],
  ...[
    ".changeset/brave-cats.md",
    ".nvmrc",
    "docs/environment.md",
    "src/credentials.ts",
    "docs/secrets.md",
    "src/action.ts",
  ],
])("%s may be written", (path) => {
  expect(gate(path, "write").ok).toBe(true);
});
