import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { addTrailers, setCommitHooks } from "./commit-hooks.ts";
import { type Git, openGit } from "./git.ts";
import { setMergeDriver } from "./merge-driver.ts";

const made: string[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
});

/** A repository whose files git has to compare by content, and a program that leaves a mark when it is started. */
type Rig = { readonly root: string; readonly trap: string; readonly isSprung: () => boolean };

function rig(): Rig {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "suture-hostile-")));
  made.push(folder);
  const root = join(folder, "clone");
  const trap = join(folder, "trap.sh");
  writeFileSync(trap, `#!/bin/sh\ntouch "${folder}/sprung"\ncat\n`);
  chmodSync(trap, 0o755);
  mkdirSync(join(root, "docs"), { recursive: true });
  run(root, "init", "-q", "-b", "main");
  put(root, "a.md", "one\n");
  put(root, "docs/b.md", "two\n");
  commit(root);
  return { root, trap, isSprung: () => existsSync(join(folder, "sprung")) };
}

/** A file that is newer than the index stays doubtful for git for ever. */
function put(root: string, path: string, text: string): void {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), text);
  const later = Date.now() / 1000 + 3600;
  utimesSync(join(root, path), later, later);
}

function run(cwd: string, ...args: string[]): string {
  const who = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"];
  return execFileSync("git", [...who, ...args], { cwd, stdio: ["ignore", "pipe", "ignore"] }).toString();
}

function commit(root: string): void {
  run(root, "add", "-A");
  run(root, "commit", "-q", "-m", "one");
}

function configure({ root }: Rig, text: string | Uint8Array): void {
  appendFileSync(join(root, ".git/config"), text);
}

/** A filter that every file has, by the attributes of the repository's own folder. */
function filter(hostile: Rig, name: string, settings = `clean = ${hostile.trap}`): void {
  const quoted = name.replaceAll("\\", "\\\\").replaceAll('"', '\\"');
  configure(hostile, `[filter "${quoted}"]\n\t${settings}\n`);
  attribute(hostile, name);
}

function attribute({ root }: Rig, name: string | Uint8Array): void {
  mkdirSync(join(root, ".git/info"), { recursive: true });
  const line = Buffer.concat([Buffer.from("* filter="), Buffer.from(name as string), Buffer.from("\n")]);
  writeFileSync(join(root, ".git/info/attributes"), line);
}

type Questions = Record<Exclude<keyof Git, "top" | "isBare" | "prefix">, () => Promise<unknown>>;

/** Every question that Suture asks of git: a new one is asked here, too. One may fail; none may start a program. */
async function askEverything(folder: string): Promise<void> {
  const git = await openGit(folder);
  if (git === null) return;
  const base = (await git.resolve("HEAD"))!;
  const questions: Questions = {
    stamp: git.stamp,
    isShallow: git.isShallow,
    resolve: () => git.resolve("HEAD~1"),
    mergeBase: () => git.mergeBase("HEAD", "main"),
    mainBranch: git.mainBranch,
    parents: () => git.parents(base),
    remotes: git.remotes,
    message: () => git.message(base),
    changes: () => Promise.allSettled(["worktree", "index", base].map((head) => git.changes(base, head))),
    tree: () => git.tree("HEAD"),
    detours: () => git.detours("HEAD"),
    workFiles: git.workFiles,
    untracked: git.untracked,
    ignored: () => git.ignored(["a.md"]),
    blobs: () => readAll(git),
    eachBlob: async () => git.eachBlob([(await git.tree("HEAD"))[0]!.id], () => {}),
    log: () => git.log("HEAD", 5),
    mainline: () => git.mainline("HEAD", { paths: ["a.md"] }),
    summary: () => git.summary(base),
    blame: () => git.blame(base, "a.md"),
    removals: () => git.removals("HEAD", ["gone.md"]),
    commonFolder: git.commonFolder,
    headMoves: git.headMoves,
    isIgnored: () => git.isIgnored("x.log"),
    workTrees: git.workTrees,
  };
  for (const ask of Object.values(questions)) await ask().catch(() => {});
}

async function readAll(git: Git): Promise<void> {
  await git.blobs((await git.tree("HEAD")).map(({ id }) => id));
}

test.each([
  "a=b",
  "=",
  "a=",
  "=b",
  "a==b",
  "a=b.clean",
  "x.y=z",
  'q"u=o',
  "b\\a=c",
  "ü=ä",
  "a=b=clean=",
  "-c=a",
  "x",
  "A.b",
])("a filter with the name %j is not run", async (name) => {
  const hostile = rig();
  filter(hostile, name);
  await askEverything(hostile.root);
  expect(hostile.isSprung()).toBe(false);
});

test.each<[string, (hostile: Rig) => void]>([
  ["a filter that runs on, with an equals sign", (h) => filter(h, "a=b", `process = ${h.trap}\n\trequired`)],
  [
    "a filter with a name that is not UTF-8",
    (h) => {
      const name = Buffer.from([0x66, 0xff, 0xfe]);
      configure(h, Buffer.concat([Buffer.from('[filter "'), name, Buffer.from(`"]\n\tclean = ${h.trap}\n`)]));
      attribute(h, name);
    },
  ],
  [
    "a filter of an included file",
    (h) => {
      writeFileSync(join(h.root, ".git/more"), `[FILTER "a=b"]\n\tCLEAN = ${h.trap}\n`);
      configure(h, "[include]\n\tpath = more\n");
      attribute(h, "a=b");
    },
  ],
  [
    "a filter of a file that is included on this branch",
    (h) => {
      writeFileSync(join(h.root, ".git/more"), `[filter "a=b"]\n\tclean = ${h.trap}\n`);
      configure(h, '[includeIf "onbranch:main"]\n\tpath = more\n');
      attribute(h, "a=b");
    },
  ],
  [
    "a filter of the work tree's own settings",
    (h) => {
      writeFileSync(join(h.root, ".git/config.worktree"), `[filter "a=b"]\n\tclean = ${h.trap}\n`);
      configure(h, "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tworktreeConfig = true\n");
      attribute(h, "a=b");
    },
  ],
  ["a monitor of files", (h) => configure(h, `[core]\n\tfsmonitor = ${h.trap}\n`)],
  [
    "hooks",
    (h) => {
      for (const name of [
        "post-index-change",
        "fsmonitor-watchman",
        "post-checkout",
        "reference-transaction",
      ]) {
        mkdirSync(join(h.root, ".git/hooks"), { recursive: true });
        writeFileSync(join(h.root, ".git/hooks", name), `#!/bin/sh\nexec ${h.trap}\n`, { mode: 0o755 });
      }
    },
  ],
  [
    "drivers of diffs and merges",
    (h) => {
      configure(
        h,
        `[diff "t"]\n\tcommand = ${h.trap}\n\ttextconv = ${h.trap}\n[diff]\n\texternal = ${h.trap}\n`,
      );
      configure(h, `[merge "t"]\n\tdriver = ${h.trap}\n`);
      writeFileSync(join(h.root, ".git/info/attributes"), "* diff=t merge=t\n");
    },
  ],
  [
    "pagers, aliases, editors and helpers",
    (h) => {
      const words = ["log", "rev-parse", "diff-index", "ls-files", "config", "cat-file"];
      configure(h, `[pager]\n${words.map((word) => `\t${word} = ${h.trap}\n`).join("")}`);
      configure(h, `[alias]\n${words.map((word) => `\t${word} = !${h.trap}\n`).join("")}`);
      configure(h, `[core]\n\tpager = ${h.trap}\n\teditor = ${h.trap}\n\taskPass = ${h.trap}\n`);
      configure(h, `[credential]\n\thelper = ${h.trap}\n[core]\n\talternateRefsCommand = ${h.trap}\n`);
    },
  ],
  [
    "a program that checks signatures",
    (h) => {
      configure(h, `[log]\n\tshowSignature = true\n[gpg]\n\tprogram = ${h.trap}\n`);
      const plain = run(h.root, "cat-file", "commit", "HEAD");
      const signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n AAAA\n -----END PGP SIGNATURE-----\n";
      writeFileSync(join(h.root, ".git/signed"), plain.replace("\n\n", `\n${signature}\n`));
      const id = run(h.root, "hash-object", "-t", "commit", "-w", ".git/signed").trim();
      run(h.root, "update-ref", "-m", "commit: signed", "HEAD", id);
    },
  ],
  [
    "a remote that has the missing objects",
    (h) => {
      const source = `ext::${h.trap} %S`;
      configure(h, "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = origin\n");
      configure(h, `[remote "origin"]\n\turl = ${source}\n\tpromisor = true\n[protocol]\n\tallow = always\n`);
      configure(h, `[remote "origin"]\n\tuploadpack = ${h.trap}\n`);
      const id = run(h.root, "rev-parse", "HEAD:a.md").trim();
      rmSync(join(h.root, ".git/objects", id.slice(0, 2), id.slice(2)), { force: true });
    },
  ],
  [
    "a submodule with a monitor and a filter",
    (h) => {
      const inner = join(h.root, "part");
      mkdirSync(inner);
      run(inner, "init", "-q", "-b", "main");
      put(inner, "c.md", "three\n");
      commit(inner);
      run(h.root, "add", "-A");
      run(h.root, "commit", "-q", "-m", "two");
      appendFileSync(
        join(inner, ".git/config"),
        `[core]\n\tfsmonitor = ${h.trap}\n[filter "x"]\n\tclean = ${h.trap}\n`,
      );
      writeFileSync(join(inner, ".git/info/attributes"), "* filter=x\n");
    },
  ],
])("a repository that names %s starts no program", async (_, prepare) => {
  const hostile = rig();
  prepare(hostile);
  await askEverything(hostile.root);
  await askEverything(join(hostile.root, "docs"));
  expect(hostile.isSprung()).toBe(false);
});

test.each([
  ["the project's packages", "node_modules/.bin", (root: string) => join(root, "node_modules/.bin")],
  [
    "the packages of a folder above",
    "../node_modules/.bin",
    (root: string) => join(root, "../node_modules/.bin"),
  ],
  [
    "the packages of a folder above, with a slash",
    "../node_modules/.bin",
    (root: string) => `${join(root, "../node_modules/.bin")}/`,
  ],
  ["a folder of the project", "tools", (root: string) => join(root, "tools")],
  ["a folder of the project by a detour", "tools", (root: string) => `${root}/docs/../tools`],
  ["a hidden folder of the project", ".venv/bin", (root: string) => join(root, ".venv/bin")],
  ["a folder whose name begins with two dots", "..tools", (root: string) => join(root, "..tools")],
  ["the project itself", ".", (root: string) => root],
  ["the current folder", ".", () => "."],
  ["the current folder by an empty word", ".", () => ""],
  ["a folder below the current one", "bin", () => "bin"],
  ["a folder below the current one, with a dot", "node_modules/.bin", () => "./node_modules/.bin"],
])("git is not looked for in %s", async (_, place, folder) => {
  const { root, trap, isSprung } = rig();
  mkdirSync(join(root, place), { recursive: true });
  copyFileSync(trap, join(root, place, "git"));
  vi.stubEnv("PATH", [folder(root), process.env.PATH].join(delimiter));
  vi.spyOn(process, "cwd").mockReturnValue(root);
  await askEverything(root);
  expect(isSprung()).toBe(false);
});

test("a filter that git cannot switch off is named, and nothing is compared", async () => {
  const hostile = rig();
  const name = Buffer.from([0x66, 0xff]);
  configure(hostile, Buffer.concat([Buffer.from('[filter "'), name, Buffer.from('"]\n\tclean = cat\n')]));
  const git = (await openGit(hostile.root))!;
  await expect(git.changes((await git.resolve("HEAD"))!, "worktree")).rejects.toThrow("cannot switch off");
});

test("a bare repository is opened where it was named, and not inside a work tree", async () => {
  const { root } = rig();
  run(root, "clone", "-q", "--bare", root, join(root, "docs/site"));
  run(root, "clone", "-q", "--bare", root, join(root, "../bare.git"));
  expect(await openGit(join(root, "docs/site"))).toBeNull();
  expect(await openGit(join(root, "../bare.git"))).toMatchObject({ isBare: true });
});

test.each([
  ["another folder", "../private"],
  ["the folder above", ".."],
  ["the root of the disk", "../../../../../../../.."],
  ["a folder inside", "docs"],
])("a work tree that the settings put elsewhere is not opened: %s", async (_, where) => {
  const { root } = rig();
  mkdirSync(join(root, where), { recursive: true });
  run(root, "config", "core.worktree", join(root, where));
  expect(await openGit(root)).toBeNull();
  expect(await openGit(join(root, "docs"))).toBeNull();
});

const elsewhere: readonly (readonly [what: string, arm: (git: string, outside: string) => void])[] = [
  ...["hooks/post-commit", "hooks", "info/attributes", "info", "config"].map(
    (name) =>
      [
        `a link in the place of ${name}`,
        (git: string, outside: string) => {
          const target = name.includes("/") || name === "config" ? `${outside}/file` : outside;
          mkdirSync(join(git, name, ".."), { recursive: true });
          if (name === "config") copyFileSync(join(git, name), target);
          rmSync(join(git, name), { recursive: true, force: true });
          symlinkSync(target, join(git, name));
        },
      ] as const,
  ),
  ...["hooks/post-commit", "info/attributes"].map(
    (name) =>
      [
        `a named pipe in the place of ${name}`,
        (git: string) => {
          mkdirSync(join(git, name, ".."), { recursive: true });
          rmSync(join(git, name), { force: true });
          execFileSync("mkfifo", [join(git, name)]);
        },
      ] as const,
  ),
  [
    "a folder of another clone as the common one",
    (git, outside) => {
      cpSync(git, outside, { recursive: true });
      writeFileSync(join(git, "commondir"), `${outside}\n`);
    },
  ],
];
test.each(elsewhere)("a clone is set up in its own folder alone: %s", async (_, arm) => {
  const { root } = rig();
  const outside = join(root, "../outside");
  mkdirSync(outside);
  writeFileSync(join(outside, "file"), "#!/bin/sh\n");
  arm(join(root, ".git"), outside);
  const before = contentOf(outside);
  const done = [
    await setCommitHooks(root, { "post-commit": "x" }),
    await setMergeDriver(root, "x"),
    await setCommitHooks(root, { "post-commit": null }),
    await setMergeDriver(root, null),
  ];
  expect(done).toContain("elsewhere");
  expect(contentOf(outside)).toEqual(before);
});

function contentOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.name} ${readFileSync(join(entry.parentPath, entry.name), "hex")}`);
}

test.each(["command", "cmd"])("a trailer whose %s the settings name starts no program", async (kind) => {
  const hostile = rig();
  configure(hostile, `[trailer "assisted-by"]\n\tkey = Assisted-by\n\t${kind} = ${hostile.trap}\n`);
  put(hostile.root, "message", "one\n");
  expect(await addTrailers(hostile.root, "message", ["Assisted-by: a:b"])).toBe(true);
  expect(readFileSync(join(hostile.root, "message"), "utf8")).toBe("one\n\nAssisted-by: a:b\n");
  expect(hostile.isSprung()).toBe(false);
});

const pipes = [
  ".gitignore",
  "docs/.gitignore",
  ".gitattributes",
  "docs/.gitattributes",
  "a.md",
  ".git/info/exclude",
  ".git/info/attributes",
  ".git/info/grafts",
  ".git/shallow",
  ".git/packed-refs",
  ".git/refs/heads/main",
  ".git/HEAD",
  ".git/index",
  ".git/config",
  ".git/commondir",
  ".git/objects/info/alternates",
] as const;
test.skipIf(process.platform !== "linux")(
  "no file of a repository that is a named pipe stops it",
  async () => {
    // Each ends by itself; a test that waits for ever would fail here.
    await Promise.all(
      pipes.map(async (name) => {
        const { root } = rig();
        rmSync(join(root, name), { force: true });
        execFileSync("mkfifo", [join(root, name)]);
        const ask = async () => {
          const git = (await openGit(root))!;
          await git.changes((await git.resolve("HEAD"))!, "worktree");
          return [...(await git.untracked()), ...(await git.workFiles())];
        };
        const failed = await ask().catch((error: Error) => error);
        expect(failed, name).toMatchObject({ message: expect.stringContaining("named pipe") });
      }),
    );
  },
);
