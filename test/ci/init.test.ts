import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { gitHubWorkflow } from "../../src/hosts/github/ci-template.ts";
import { gitLabJob } from "../../src/hosts/gitlab/ci-template.ts";
import { parseSource, releasedSource, runFrom } from "../../src/hosts/package-source.ts";
import { createRepository, type Repository, sutureIn } from "../drift/repository.ts";

let repository: Repository | undefined;
let folder: string | undefined;
afterEach(() => {
  repository?.remove();
  if (folder) rmSync(folder, { recursive: true, force: true });
  repository = undefined;
  folder = undefined;
});

const source = "export const maxRetries = 3;\nexport function sendLetter(): void {}\n";
const guide = "# Guide\n\nSet `maxRetries` and call `sendLetter`.\n";

const repositories: Record<string, Record<string, string | Uint8Array>> = {
  "a plain project with agents and workflows": {
    "src/send.ts": source,
    "docs/guide.md": guide,
    "README.md": guide,
    "CLAUDE.md": "# Notes\n",
    ".github/workflows/test.yml": "on: push\n",
    ".mcp.json": '{\n\t"mcpServers": {\n\t\t"other": { "command": "x" }\n\t}\n}\n',
  },
  "a monorepo": {
    "packages/a/README.md": guide,
    "packages/a/src/send.ts": source,
    "packages/b/docs/use.md": "# Use\n\nSee `packages/a/src/send.ts`.\n",
    "packages/b/package.json": "{}\n",
    ".cursor/rules/x.mdc": "x\n",
    ".gitlab-ci.yml": "test:\n  script: [true]\n",
  },
  "CRLF, a byte order mark, UTF-16, TOML and existing front matter": {
    "src/send.ts": source,
    "docs/crlf.md": guide.replaceAll("\n", "\r\n"),
    "docs/mark.md": `\ufeff${guide}`,
    "docs/wide.md": Buffer.from(`\ufeff${guide}`, "utf16le"),
    "docs/toml.md": `+++\ntitle = "x"\n+++\n${guide}`,
    "docs/yaml.md": `---\ntitle: x\n---\n${guide}`,
    "docs/own.md": `---\nattention: []\n---\n${guide}`,
    "docs/broken.md": `---\ntitle: [\n---\n${guide}`,
    "docs/page.rst": "Guide\n=====\n\n``maxRetries`` ``sendLetter``\n",
  },
  "settings with comments and a stray list": {
    "docs/guide.md": guide,
    ".mcp.json": '{ // mine\n  "mcpServers": {} }\n',
    ".cursor/mcp.json": '{"mcpServers": []}',
    ".gemini/settings.json": "{}",
    ".vscode/mcp.json": '{"servers":{"a":{"command":"b"}},"inputs":[]}',
  },
};

const address = "git+https://git.example/suture.git#0a1b2c3d";

/** `suture init`, with a place from which runners get Suture. */
function init(place: Repository, ...words: string[]) {
  return place.suture("init", "--from", address, ...words);
}

describe("init", () => {
  test.each(Object.entries(repositories))(
    "%s: written once, then nothing is left to do, then undone to the byte",
    (_, files) => {
      repository = createRepository();
      repository.commit(files);
      const before = snapshot(repository.folder);
      expect(init(repository, "--dry-run")).toMatchObject({ code: 0 });
      expect(snapshot(repository.folder)).toEqual(before);

      const first = init(repository, "--yes", "--with", "attention", "--json").json();
      expect(first).toMatchObject({ success: true, written: true });
      const after = snapshot(repository.folder);
      const changed = Object.keys({ ...before, ...after }).filter((path) => before[path] !== after[path]);
      expect(changed.sort()).toEqual(
        [...new Set((first.files as { path: string }[]).map(({ path }) => path))].sort(),
      );

      const second = init(repository, "--yes", "--with", "attention", "--json").json();
      expect(second).toMatchObject({ written: false, files: [], diff: "" });
      expect(snapshot(repository.folder)).toEqual(after);

      expect(repository.suture("undo").code).toBe(0);
      expect(snapshot(repository.folder)).toEqual(before);
    },
  );

  test("the files it writes are valid for the programs that read them", () => {
    repository = createRepository();
    repository.commit(repositories["a plain project with agents and workflows"]!);
    init(repository, "--yes", "--with", "attention");
    expect(repository.read("docs/guide.md")).toBe(
      `---\nattention:\n  - op: file\n    path: "src/send.ts"\n---\n\n${guide}`,
    );
    expect(repository.read("README.md")).toBe(guide);
    expect(JSON.parse(repository.read(".mcp.json")).mcpServers).toEqual({
      other: { command: "x" },
      suture: { command: "npx", args: ["-y", "--prefix", "~/", "--package", address, "--", "suture", "mcp"] },
    });
    repository.commit({ "src/send.ts": source.replace("3", "4") });
    const found = repository.suture("impact", "search", "--base", "HEAD~1", "--json");
    expect(found.out).toContain("docs/guide.md");
  });

  test("the sources that a runner can get Suture from", () => {
    const lines: [string, string][] = [
      ["1.2.3", "npx --yes --ignore-scripts @OWNER/suture@1.2.3"],
      [address, `npx --yes --package '${address}' -- suture`],
      ["github:acme/suture", "npx --yes --package 'github:acme/suture' -- suture"],
      [
        "https://files.example/s.tgz",
        'npx --yes --ignore-scripts --package "https://files.example/s.tgz" -- suture',
      ],
      ["./vendor/s.tgz", 'npx --yes --ignore-scripts --package "$TOP/vendor/s.tgz" -- suture'],
    ];
    for (const [from, line] of lines) expect(runFrom(parseSource(from), "$TOP")).toBe(line);
  });

  test("where it is not known how a runner gets Suture, no file that runs it is proposed", () => {
    repository = createRepository();
    repository.commit(repositories["a plain project with agents and workflows"]!);
    const { files, notes } = repository.suture("init", "--yes", "--json", "--replay", "0").json();
    expect(files).toEqual([]);
    expect(notes.join()).toContain("suture init --from");
    const odd = repository.suture("init", "--from", "x'; rm -rf ~ #");
    expect(odd).toMatchObject({ code: 2, err: expect.stringContaining("--from takes a version") });
  });

  test("it says what is false today", () => {
    repository = createRepository();
    repository.commit({ "README.md": "# R\n\nSee [more](docs/gone.md).\n", "src/send.ts": source });
    expect(init(repository, "--dry-run").err).toContain(
      "False today: 1 passage in 1 page; `suture check --all` shows them",
    );
    const counts = { claims: 1, true: 0, false: 1, undecidable: 0 };
    expect(init(repository, "--json").json().today).toEqual({
      passages: 1,
      pages: 1,
      fixable: 0,
      read: 1,
      coverage: { pages: 1, ...counts, kinds: { link: counts }, reasons: [] },
    });
  });

  test("no page is written unless that is asked for", () => {
    repository = createRepository();
    repository.commit(repositories["a plain project with agents and workflows"]!);
    const { files } = init(repository, "--yes", "--json").json();
    expect(files.filter(({ path }: { path: string }) => /\.(md|rst)$/.test(path))).toEqual([]);
    expect(repository.read("docs/guide.md")).toBe(guide);
  });

  test("it prints what it found", () => {
    repository = createRepository();
    repository.commit(repositories["a monorepo"]!);
    expect(init(repository, "--json").json().found).toEqual({
      pages: { packages: 2 },
      languages: { typescript: 1 },
      manifests: ["packages/b/package.json"],
      ci: "gitlab",
    });
    expect(init(repository, "--dry-run").err).toContain(
      "Found: pages in packages (2); sources in typescript (1);",
    );
  });

  test("an existing configuration, workflow and entry are left as they are", () => {
    repository = createRepository();
    const own = {
      "docs/guide.md": "# Guide\n",
      "suture.config.json": "{ }",
      ".github/workflows/docs.yml": "on: push\njobs: { a: { steps: [{ run: npx suture check }] } }\n",
      ".mcp.json": '{"mcpServers":{"suture":{"command":"mine"}}}',
    };
    repository.commit(own);
    expect(init(repository, "--yes", "--json").json()).toMatchObject({ written: false, files: [] });
    for (const [path, text] of Object.entries(own)) expect(repository.read(path)).toBe(text);
  });

  test("an empty repository and one without documents: nothing to do", () => {
    repository = createRepository();
    expect(init(repository, "--yes", "--json").json()).toMatchObject({ files: [] });
    repository.commit({ "src/send.ts": source });
    const { files, notes } = init(repository, "--yes", "--json").json();
    expect(files).toEqual([]);
    expect(notes.join()).toContain("no pages");
  });

  test("no git: no CI file", () => {
    folder = mkdtempSync(join(tmpdir(), "suture-init-"));
    for (const [name, text] of [
      ["send.ts", source],
      ["README.md", guide],
    ] as const)
      writeFileSync(join(folder, name), text);
    const { files, notes } = sutureIn(folder, [
      "init",
      "--from",
      address,
      "--yes",
      "--ci",
      "github",
      "--json",
    ]).json();
    expect(files).toEqual([]);
    expect(notes.join()).toContain("no git repository");
    expect(existsSync(join(folder, ".github"))).toBe(false);
  });

  test("links out of the root are not followed", () => {
    repository = createRepository();
    folder = mkdtempSync(join(tmpdir(), "suture-outside-"));
    writeFileSync(join(folder, "page.md"), guide);
    repository.commit({ "README.md": "# R\n", "AGENTS.md": "# A\n" });
    symlinkSync(folder, join(repository.folder, "docs"));
    symlinkSync(join(folder, "mcp.json"), join(repository.folder, ".mcp.json"));
    init(repository, "--yes");
    expect(readdirSync(folder)).toEqual(["page.md"]);
    expect(readFileSync(join(folder, "page.md"), "utf8")).toBe(guide);
  });

  test("without a person to ask, nothing is written unless --yes says so; parts can be left out", () => {
    repository = createRepository();
    repository.commit(repositories["a plain project with agents and workflows"]!);
    const before = snapshot(repository.folder);
    const asked = init(repository);
    expect(asked.code).toBe(0);
    expect(asked.err).toContain("`--yes` writes it");
    expect(snapshot(repository.folder)).toEqual(before);
    const { files } = init(repository, "--json", "--without", "ci,mcp").json();
    expect(files).toEqual([]);
    expect(init(repository, "--without", "song").code).toBe(2);
  });

  test("an existing workflow that runs untrusted code with secrets is reported", () => {
    repository = createRepository();
    repository.commit({
      "README.md": "# R\n",
      ".github/workflows/bad.yml":
        "on: pull_request_target\njobs:\n  a:\n    steps:\n      - uses: actions/checkout@v5\n        with:\n          ref: $" +
        "{{ github.event.pull_request.head.sha }}\n",
    });
    const { flaws } = init(repository, "--json").json();
    expect(flaws).toMatchObject([{ path: ".github/workflows/bad.yml" }]);
  });

  test("the files it writes for CI are the recipes of docs/ci", () => {
    const released = runFrom(releasedSource, "");
    expect(gitHubWorkflow(released)).toBe(readFileSync("docs/ci/check.yml", "utf8"));
    expect(gitLabJob(released)).toBe(readFileSync("docs/ci/gitlab-ci.yml", "utf8"));
  });
});

function snapshot(root: string): Record<string, string> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
  const own = paths.filter((path) => !/^\.(git|suture)\//.test(path)).sort();
  return Object.fromEntries(own.map((path) => [path, readFileSync(join(root, path), "base64")]));
}
