import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { dirname, join } from "node:path";

/** A repository with a change that made its page false, in a folder of its own, and a program that must never start. */
export type Ground = { readonly folder: string; readonly root: string; readonly trap: string };

/** One way in which a repository, as a clone or an archive brings it, tries to start a program or to write elsewhere. */
export type HostileRepository = { readonly name: string; readonly arm: (ground: Ground) => void };

/** Makes the repository and arms it. Git runs here only before it is armed. */
export function makeGround(folder: string, { arm }: HostileRepository): Ground {
  const root = join(folder, "clone");
  const trap = join(folder, "trap.sh");
  fs.mkdirSync(root, { recursive: true });
  program(trap, `touch "${folder}/sprung"; cat`);
  git(root, "init", "-q", "-b", "main");
  put(root, "docs/page.md", "# Page\n\nCall `loadThing()` with a limit of `--limit`.\n");
  put(root, "README.md", "# Tool\n\nSee [the page](docs/page.md). Call `loadThing()`.\n");
  put(root, "src/a.js", "export function loadThing() {}\n");
  put(root, "package.json", '{"name":"tool","version":"1.0.0"}\n');
  commit(root);
  put(root, "src/a.js", "export function readThing() {}\n");
  commit(root);
  put(root, "src/a.js", "export function readThing() {}\n// more\n");
  const ground = { folder, root, trap };
  arm(ground);
  return ground;
}

export const hostileRepositories: readonly HostileRepository[] = [
  ...["x", "a=b", "a.b", 'a"b', "a b", "=", "a=b=c", "é", "a#b", "[a]"].map((name) => ({
    name: `a filter called ${JSON.stringify(name)}`,
    arm: (ground: Ground) => filter(ground, name, ["clean", "smudge", "process"]),
  })),
  {
    name: "a filter that is required",
    arm: (ground) => {
      filter(ground, "must", ["clean", "smudge"]);
      configure(ground, '[filter "must"]\n\trequired = true\n');
    },
  },
  {
    name: "hooks of the repository",
    arm: ({ root, trap }) => {
      for (const hook of hooks) link(trap, join(root, ".git/hooks", hook));
    },
  },
  {
    name: "hooks in a folder of the work tree",
    arm: (ground) => {
      for (const hook of hooks) link(ground.trap, join(ground.root, ".githooks", hook));
      configure(ground, "[core]\n\thooksPath = .githooks\n");
    },
  },
  setting(
    "a monitor of the file system",
    (trap) => `[core]\n\tfsmonitor = ${trap}\n\tuntrackedCache = true\n`,
  ),
  setting("a pager, an editor and an ssh command", (trap) =>
    [
      `[core]\n\tpager = ${trap}\n\teditor = ${trap}\n\tsshCommand = ${trap}\n\taskPass = ${trap}\n`,
      `[pager]\n\tlog = ${trap}\n\tdiff = ${trap}\n\tshow = ${trap}\n\tblame = ${trap}\n\tconfig = ${trap}\n`,
      `[sequence]\n\teditor = ${trap}\n`,
    ].join(""),
  ),
  setting("an alternate refs command, a gpg program and a signed commit", (trap) =>
    [
      `[core]\n\talternateRefsCommand = ${trap}\n\tgitProxy = ${trap}\n`,
      `[gpg]\n\tprogram = ${trap}\n[gpg "ssh"]\n\tprogram = ${trap}\n\tdefaultKeyCommand = ${trap}\n`,
      "[log]\n\tshowSignature = true\n[commit]\n\tgpgSign = true\n[merge]\n\tverifySignatures = true\n",
    ].join(""),
  ),
  {
    name: "drivers of diff, text conversion and merge",
    arm: (ground) => {
      const { trap } = ground;
      attributes(ground, "* diff=evil merge=evil text=auto eol=crlf ident working-tree-encoding=UTF-16");
      configure(
        ground,
        `[diff "evil"]\n\tcommand = ${trap}\n\ttextconv = ${trap}\n\tcachetextconv = true\n`,
        `[merge "evil"]\n\tdriver = ${trap} %O %A %B\n[diff]\n\texternal = ${trap}\n[merge]\n\ttool = evil\n`,
        `[mergetool "evil"]\n\tcmd = ${trap}\n[difftool "evil"]\n\tcmd = ${trap}\n[diff]\n\ttool = evil\n`,
        `[interactive]\n\tdiffFilter = ${trap}\n`,
      );
    },
  },
  {
    name: "drivers by committed attributes",
    arm: (ground) => {
      put(ground.root, ".gitattributes", "* filter=evil diff=evil merge=evil\n");
      for (const kind of ["clean", "smudge", "process"])
        configure(ground, `[filter "evil"]\n\t${kind} = ${ground.trap}\n`);
      configure(ground, `[diff "evil"]\n\ttextconv = ${ground.trap}\n\tcommand = ${ground.trap}\n`);
    },
  },
  setting("aliases of the commands that Suture uses", (trap) =>
    ["rev-parse", "status", "diff", "log", "cat-file", "ls-files", "blame", "config", "show", "diff-index"]
      .map((name) => `[alias]\n\t${name} = !${trap}\n`)
      .join(""),
  ),
  {
    name: "settings that are included from the work tree",
    arm: (ground) => {
      put(
        ground.root,
        "evil.inc",
        `[core]\n\tfsmonitor = ${ground.trap}\n[filter "i=n"]\n\tclean = ${ground.trap}\n`,
      );
      configure(
        ground,
        "[include]\n\tpath = ../evil.inc\n",
        '[includeIf "gitdir:**"]\n\tpath = ../evil.inc\n',
      );
      attributes(ground, "* filter=i=n");
    },
  },
  {
    name: "settings of a work tree of its own",
    arm: (ground) => {
      configure(ground, "[extensions]\n\tworktreeConfig = true\n[core]\n\trepositoryFormatVersion = 1\n");
      fs.writeFileSync(
        join(ground.root, ".git/config.worktree"),
        `[core]\n\tfsmonitor = ${ground.trap}\n[filter "w"]\n\tclean = ${ground.trap}\n`,
      );
      attributes(ground, "* filter=w");
    },
  },
  {
    name: "a submodule with settings of its own",
    arm: (ground) => {
      const inner = join(ground.root, "sub");
      fs.mkdirSync(inner);
      git(inner, "init", "-q", "-b", "main");
      put(inner, "a.md", "one\n");
      commit(inner);
      put(
        ground.root,
        ".gitmodules",
        `[submodule "sub"]\n\tpath = sub\n\turl = ext::${ground.trap}\n\tupdate = !${ground.trap}\n`,
      );
      git(ground.root, "add", ".gitmodules", "sub");
      commit(ground.root);
      put(inner, "a.md", "two\n");
      configure(
        { ...ground, root: inner },
        `[core]\n\tfsmonitor = ${ground.trap}\n[filter "s"]\n\tclean = ${ground.trap}\n`,
      );
      attributes({ ...ground, root: inner }, "* filter=s");
      configure(
        ground,
        `[submodule]\n\trecurse = true\n[status]\n\tsubmoduleSummary = true\n[diff]\n\tsubmodule = log\n`,
      );
    },
  },
  {
    name: "a promised object that a program of the repository would fetch",
    arm: (ground) => {
      configure(
        ground,
        `[remote "origin"]\n\turl = ext::${ground.trap}\n\tpromisor = true\n\tuploadpack = ${ground.trap}\n\tvcs = evil\n`,
        "[extensions]\n\tpartialClone = origin\n[core]\n\trepositoryFormatVersion = 1\n[protocol]\n\tallow = always\n",
        `[credential]\n\thelper = !${ground.trap}\n`,
      );
      const tree = git(ground.root, "rev-parse", "HEAD~1:docs/page.md").trim();
      fs.rmSync(join(ground.root, ".git/objects", tree.slice(0, 2), tree.slice(2)), { force: true });
    },
  },
  {
    name: "alternates that lead elsewhere",
    arm: ({ root, folder }) =>
      fs.writeFileSync(
        join(root, ".git/objects/info/alternates"),
        `${folder}/elsewhere\n../../../../etc\n"\\012"\n`,
      ),
  },
  {
    name: "a bare repository inside the clone",
    arm: (ground) => {
      const bare = join(ground.root, "docs/bare");
      fs.mkdirSync(bare, { recursive: true });
      for (const name of ["objects", "refs"]) fs.mkdirSync(join(bare, name));
      fs.writeFileSync(join(bare, "HEAD"), "ref: refs/heads/main\n");
      fs.writeFileSync(
        join(bare, "config"),
        `[core]\n\tbare = false\n\tworktree = ..\n\tfsmonitor = ${ground.trap}\n`,
      );
    },
  },
  {
    name: "a work tree elsewhere",
    arm: (ground) => configure(ground, `[core]\n\tworktree = ${ground.folder}\n`),
  },
  {
    name: "a .git file that leads into the work tree",
    arm: (ground) => {
      fs.renameSync(join(ground.root, ".git"), join(ground.root, "store"));
      fs.writeFileSync(join(ground.root, ".git"), "gitdir: store\n");
      fs.appendFileSync(join(ground.root, "store/config"), `[core]\n\tfsmonitor = ${ground.trap}\n`);
    },
  },
  {
    name: "file names that look like options, revisions and commands",
    arm: ({ root, trap }) => {
      const names = [
        "--output=../escaped",
        "-p",
        "HEAD",
        "a=b.md",
        'a"b.md',
        "a\nb.md",
        "$(touch sprung).md",
        "`id`.md",
        ":(top)x.md",
        "a;b.md",
        "\u001b[2J.md",
        "--upload-pack=x.md",
      ];
      for (const name of names) put(root, name, "# One\n\nCall `loadThing()`.\n");
      commit(root);
      put(root, `docs/${trap.length}.md`, "x\n");
    },
  },
  {
    name: "branches and tags that look like options",
    arm: ({ root }) => {
      const head = git(root, "rev-parse", "HEAD").trim();
      for (const name of ["--output=escaped", "-p", "$(id)", "main@{0}", "HEAD"])
        fs.writeFileSync(join(root, ".git/refs/heads", name), `${head}\n`);
    },
  },
  {
    name: "a project that is called suture, with a program",
    arm: ({ root, trap }) => {
      put(
        root,
        "package.json",
        '{"name":"suture","version":"9.9.9","bin":{"suture":"./s.js"},"scripts":{"prepare":"./s.js"}}\n',
      );
      put(
        root,
        "s.js",
        `#!/usr/bin/env node\nrequire("fs").writeFileSync(${JSON.stringify(join(dirname(trap), "sprung"))}, "");\n`,
      );
      fs.chmodSync(join(root, "s.js"), 0o755);
    },
  },
  {
    name: "programs of the project in node_modules/.bin",
    arm: ({ root, trap }) => {
      for (const name of programs) link(trap, join(root, "node_modules/.bin", name));
    },
  },
  {
    name: "programs in the folder itself",
    arm: ({ root, trap }) => {
      for (const name of programs) link(trap, join(root, name));
    },
  },
  {
    name: "settings of npm, node and shells",
    arm: ({ root, trap }) => {
      put(
        root,
        ".npmrc",
        `script-shell=${trap}\nnode-options=--require ${trap}\ngit=${trap}\nprefix=${root}\ninit-module=${trap}\n`,
      );
      put(root, ".envrc", `${trap}\n`);
      put(root, ".env", `NODE_OPTIONS=--require=${trap}\nGIT_SSH=${trap}\nPATH=${root}\n`);
      put(root, ".node-version", "0\n");
      put(root, "node.config.json", `{"nodeOptions":{"require":["${trap}"]}}\n`);
    },
  },
  {
    name: "packages of the project that Suture could load",
    arm: ({ root, folder }) => {
      const code = `require("fs").writeFileSync(${JSON.stringify(join(folder, "sprung"))}, "");\n`;
      for (const name of [
        "ai",
        "pg",
        "pg-boss",
        "zod",
        "yaml",
        "suture",
        "typescript",
        "@ai-sdk/openai",
        "@ai-sdk/openai-compatible",
        "@electric-sql/pglite",
        "web-tree-sitter",
        "playwright-core",
      ]) {
        put(
          root,
          `node_modules/${name}/package.json`,
          `{"name":"${name}","version":"99.0.0","main":"index.js"}\n`,
        );
        put(root, `node_modules/${name}/index.js`, code);
      }
    },
  },
  {
    name: "configuration files that are programs",
    arm: ({ root, folder }) => {
      const code = `require("fs").writeFileSync(${JSON.stringify(join(folder, "sprung"))}, "");\n`;
      for (const name of [
        "suture.config.js",
        "suture.config.ts",
        "vite.config.js",
        "docusaurus.config.js",
        "eslint.config.js",
        "next.config.js",
        "conf.py",
        "docs/conf.py",
        "Makefile",
        "setup.py",
        "build.gradle.kts",
        ".pnp.cjs",
        ".pnp.loader.mjs",
      ])
        put(root, name, code);
      put(
        root,
        "suture.config.json",
        '{"code":{"root":"../elsewhere"},"docs":{"root":"../elsewhere"},"extends":"./suture.config.js"}\n',
      );
    },
  },
  ...[
    ".gitignore",
    ".gitattributes",
    ".git/info/exclude",
    ".git/HEAD",
    ".git/config",
    "suture.config.json",
  ].map((path) => ({
    name: `a named pipe in the place of ${path}`,
    arm: ({ root }: Ground) => pipe(join(root, path)),
  })),
  {
    name: "named pipes in the place of pages, sources and saved copies",
    arm: ({ root }) => {
      for (const path of [
        "docs/page.md",
        "src/a.js",
        "package.json",
        ".suture/journal",
        ".suture/state.json",
      ])
        pipe(join(root, path));
    },
  },
  setting("a merge driver called suture", (trap) =>
    [
      `[merge "suture"]\n\tdriver = ${trap} %O %A %B\n\tname = suture\n[merge]\n\tconflictStyle = diff3\n`,
      `[mergetool "suture"]\n\tcmd = ${trap}\n[rerere]\n\tenabled = true\n`,
    ].join(""),
  ),
  {
    name: "hooks and attributes of the clone that lead elsewhere",
    arm: (ground) => {
      const { root } = ground;
      elsewhere(ground, "outside.sh", "#!/bin/sh\n");
      for (const hook of hooks) leadElsewhere(ground, join(root, ".git/hooks", hook), "outside.sh");
      leadElsewhere(ground, join(root, ".git/hooks/prepare-commit-msg"), "outside.sh");
      leadElsewhere(ground, join(root, ".git/info/attributes"), "outside.sh");
    },
  },
  {
    name: "folders of .git that lead elsewhere",
    arm: (ground) => {
      elsewhere(ground, "x", "");
      for (const folder of ["hooks", "info"]) leadElsewhere(ground, join(ground.root, ".git", folder), ".");
    },
  },
  {
    name: "settings of the clone that lead elsewhere",
    arm: (ground) => {
      elsewhere(ground, "gitconfig", fs.readFileSync(join(ground.root, ".git/config"), "utf8"));
      leadElsewhere(ground, join(ground.root, ".git/config"), "gitconfig");
    },
  },
  {
    name: "a common folder elsewhere",
    arm: (ground) => {
      fs.cpSync(join(ground.root, ".git"), join(ground.folder, "elsewhere"), { recursive: true });
      fs.writeFileSync(join(ground.root, ".git/commondir"), "../../elsewhere\n");
    },
  },
  {
    name: "named pipes in the place of hooks and attributes",
    arm: ({ root }) => {
      for (const path of [...hooks, "prepare-commit-msg"]
        .map((hook) => `hooks/${hook}`)
        .concat("info/attributes"))
        pipe(join(root, ".git", path));
    },
  },
  {
    name: "work trees that lie elsewhere",
    arm: (ground) => {
      const { root, folder, trap } = ground;
      elsewhere(ground, "page.md", "# Page\n");
      elsewhere(ground, ".git", `gitdir: ${join(root, ".git/worktrees/other")}\n`);
      const other = join(root, ".git/worktrees/other");
      fs.mkdirSync(other, { recursive: true });
      fs.writeFileSync(join(other, "gitdir"), `${join(folder, "elsewhere/.git")}\n`);
      fs.writeFileSync(join(other, "commondir"), "../..\n");
      fs.writeFileSync(join(other, "HEAD"), "ref: refs/heads/main\n");
      fs.writeFileSync(join(other, "config.worktree"), `[core]\n\tfsmonitor = ${trap}\n`);
    },
  },
  setting("files that git reads elsewhere", (trap) =>
    [
      `[blame]\n\tignoreRevsFile = ${trap}\n\tmarkUnblamableLines = true\n[mailmap]\n\tfile = ${trap}\n`,
      `[core]\n\tattributesFile = ${trap}\n\texcludesFile = ${trap}\n[diff]\n\torderFile = ${trap}\n`,
      `[commit]\n\ttemplate = ${trap}\n[include]\n\tpath = ${trap}\n[trace2]\n\teventTarget = ../trace\n`,
    ].join(""),
  ),
  {
    name: "a state of Suture that comes with the clone",
    arm: (ground) => {
      const { root, folder } = ground;
      elsewhere(ground, "page.md", "# Page\n");
      const outside = join(folder, "elsewhere/page.md");
      put(root, ".suture/state.json", JSON.stringify({ format: 1, root: folder, id: "x" }));
      put(
        root,
        ".suture/journal/1.jsonl",
        `${JSON.stringify({ type: "intent", path: outside, backup: "x" })}\n`,
      );
      put(root, ".suture/backups/1/docs/page.md.bak", "evil\n");
      put(root, ".suture/lock", JSON.stringify({ pid: 1, host: "x" }));
    },
  },
  {
    name: "notes that come with the clone",
    arm: (ground) => {
      const { root, trap } = ground;
      for (const name of ["ai", "commits", "suture"])
        git(
          root,
          "notes",
          `--ref=${name}`,
          "add",
          "-m",
          `docs/page.md\n  ../../elsewhere/x 1-999999999\n---\n{"trap":"${trap}"}`,
          "HEAD",
        );
      configure(
        ground,
        "[notes]\n\tdisplayRef = refs/notes/*\n\trewriteRef = refs/notes/*\n\trewriteMode = concatenate\n",
      );
    },
  },
  setting("trailers that run commands", (trap) =>
    ["Assisted-by", "Co-authored-by", "assisted-by"]
      .map(
        (key) =>
          `[trailer "${key}"]\n\tkey = ${key}\n\tcommand = ${trap}\n\tcmd = ${trap}\n\tifExists = replace\n`,
      )
      .join(""),
  ),
  {
    name: "a state folder that leads elsewhere",
    arm: ({ root, folder }) => {
      fs.mkdirSync(join(folder, "elsewhere"), { recursive: true });
      fs.symlinkSync("../elsewhere", join(root, ".suture"));
    },
  },
  {
    name: "pages and folders that lead elsewhere",
    arm: ({ root, folder }) => {
      fs.mkdirSync(join(folder, "elsewhere"), { recursive: true });
      fs.writeFileSync(join(folder, "elsewhere/page.md"), "# Page\n\nCall `loadThing()`.\n");
      fs.rmSync(join(root, "docs"), { recursive: true });
      fs.symlinkSync("../elsewhere", join(root, "docs"));
      fs.rmSync(join(root, "README.md"));
      fs.symlinkSync("../elsewhere/page.md", join(root, "README.md"));
    },
  },
];

const hooks = [
  "pre-commit",
  "post-checkout",
  "post-index-change",
  "post-commit",
  "pre-push",
  "reference-transaction",
  "fsmonitor-watchman",
  "post-merge",
  "pre-auto-gc",
  "post-rewrite",
];
const programs = [
  "suture",
  "git",
  "node",
  "npm",
  "npx",
  "sh",
  "env",
  "gpg",
  "less",
  "rg",
  "xdg-open",
  "code",
];

/** A file beside the repository, which no command may change. */
function elsewhere({ folder }: Ground, name: string, text: string): void {
  fs.mkdirSync(join(folder, "elsewhere"), { recursive: true });
  fs.writeFileSync(join(folder, "elsewhere", name), text);
}

function leadElsewhere({ folder }: Ground, path: string, name: string): void {
  fs.mkdirSync(dirname(path), { recursive: true });
  fs.rmSync(path, { force: true, recursive: true });
  fs.symlinkSync(join(folder, "elsewhere", name), path);
}

function setting(name: string, text: (trap: string) => string): HostileRepository {
  return { name, arm: (ground) => configure(ground, text(ground.trap)) };
}

function filter(ground: Ground, name: string, kinds: readonly string[]): void {
  const quoted = name.replaceAll("\\", "\\\\").replaceAll('"', '\\"');
  for (const kind of kinds) configure(ground, `[filter "${quoted}"]\n\t${kind} = ${ground.trap}\n`);
  attributes(ground, `* filter=${name}`);
}

function configure({ root }: Ground, ...texts: string[]): void {
  fs.appendFileSync(join(root, ".git/config"), `[core]\n\tcheckStat = minimal\n${texts.join("")}`);
}

function attributes({ root }: Ground, text: string): void {
  fs.mkdirSync(join(root, ".git/info"), { recursive: true });
  fs.writeFileSync(join(root, ".git/info/attributes"), `${text}\n`);
}

/** A file that is newer than the index stays doubtful for git, so that git compares it by content. */
function put(root: string, path: string, text: string): void {
  fs.mkdirSync(dirname(join(root, path)), { recursive: true });
  fs.writeFileSync(join(root, path), text);
  const later = Date.now() / 1000 + 3600;
  fs.utimesSync(join(root, path), later, later);
}

function program(path: string, script: string): void {
  fs.writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

function pipe(path: string): void {
  fs.mkdirSync(dirname(path), { recursive: true });
  fs.rmSync(path, { force: true });
  execFileSync("mkfifo", [path]);
}

function link(trap: string, path: string): void {
  fs.mkdirSync(dirname(path), { recursive: true });
  fs.copyFileSync(trap, path);
  fs.chmodSync(path, 0o755);
}

function git(cwd: string, ...args: string[]): string {
  const who = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"];
  return execFileSync("git", [...who, ...args], { cwd, stdio: ["ignore", "pipe", "ignore"] }).toString();
}

function commit(root: string): void {
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "one");
}
