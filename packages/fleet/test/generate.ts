import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A small repository: code, a page that is true at the first commit, and a second commit that makes the page false. */
export type Generated = {
  readonly folder: string;
  readonly name: string;
  readonly first: string;
  readonly head: string;
};

const filler = (n: number): string =>
  Array.from(
    { length: 8 },
    (_, i) => `export function step${n}${i}(input) {\n  return input + ${i};\n}\n`,
  ).join("\n");

/** What is in the repository at each commit. */
export function contents(n: number): {
  readonly before: Record<string, string>;
  readonly after: Record<string, string>;
} {
  const code = (name: string): string =>
    `/** Fetches a page. */\nexport function ${name}(url, { retries = 3 } = {}) {\n  return fetch(url, { retries });\n}\n`;
  const page = `# Library ${n}\n\nCall \`loadPage${n}\` with a URL:\n\n\`\`\`js\nimport { loadPage${n} } from "library-${n}";\n\nloadPage${n}("https://example.org");\n\`\`\`\n\nIt gives up after three attempts.\n`;
  const shared = {
    "docs/guide.md": page,
    "README.md": `# Library ${n}\n\nSee [the guide](docs/guide.md).\n`,
    "src/steps.js": filler(n),
    "package.json": `{\n  "name": "library-${n}",\n  "version": "1.0.0"\n}\n`,
  };
  return {
    before: { ...shared, "src/index.js": code(`loadPage${n}`) },
    after: { "src/index.js": code(`fetchPage${n}`) },
  };
}

/** A bare repository by one call of git. */
export async function generate(folder: string, organisation: string, n: number): Promise<Generated> {
  const name = `library-${n}`;
  const place = join(folder, organisation, `${name}.git`);
  initialise(place);
  const { before, after } = contents(n);
  const out = await git(place, ["fast-import", "--quiet", "--done"], fastImport([before, after]));
  const [first, head] = out.trim().split("\n");
  return { folder: place, name, first: first!, head: head! };
}

/** An empty bare repository, as `git init` makes it, without a process of its own. */
function initialise(place: string): void {
  for (const each of ["objects/info", "objects/pack", "refs/heads", "refs/tags"])
    mkdirSync(join(place, each), { recursive: true });
  writeFileSync(join(place, "HEAD"), "ref: refs/heads/main\n");
  writeFileSync(
    join(place, "config"),
    "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n",
  );
}

/** One more commit on top, which renames the function once more. */
export async function change(
  repository: Pick<Generated, "folder">,
  n: number,
  name: string,
): Promise<string> {
  const files = { "src/index.js": contents(n).before["src/index.js"]!.replaceAll(`loadPage${n}`, name) };
  return (
    await git(
      repository.folder,
      ["fast-import", "--quiet", "--done"],
      fastImport([files], "refs/heads/main^0"),
    )
  ).trim();
}

function fastImport(commits: readonly Record<string, string>[], from?: string): string {
  const blob = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const lines = commits.flatMap((files, i) => [
    "commit refs/heads/main",
    `mark :${i + 1}`,
    `committer T <t@example.org> ${1_700_000_000 + i} +0000`,
    blob(`change ${i + 1}`).trimEnd(),
    ...(i === 0 && from ? [`from ${from}`] : []),
    ...Object.entries(files).map(([path, text]) => `M 100644 inline ${path}\n${blob(text)}`.trimEnd()),
    "",
    `get-mark :${i + 1}`,
  ]);
  return `${lines.join("\n")}\ndone\n`;
}

function git(folder: string, args: readonly string[], input = ""): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn("git", args, { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
    let out = "";
    child.stdout.on("data", (chunk) => {
      out += chunk;
    });
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve(out) : reject(new Error(`git ${args[0]}: ${code}`))));
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}

export function gitIn(folder: string, ...args: string[]): string {
  return execFileSync("git", args, {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();
}

/** Options that give git an author. */
export const author = ["-c", "user.name=T", "-c", "user.email=t@example.org"];

/** Clones the repository, makes a change, commits it and pushes it. */
export function commitToMain(
  { folder }: Pick<Generated, "folder">,
  message: string,
  makeChange: (tree: string) => void,
): void {
  const tree = mkdtempSync(join(tmpdir(), "suture-clone-"));
  gitIn(tree, "clone", "--quiet", folder, ".");
  makeChange(tree);
  gitIn(tree, "add", "--all");
  gitIn(tree, ...author, "commit", "--quiet", "--message", message);
  gitIn(tree, "push", "--quiet", "origin", "main");
  rmSync(tree, { recursive: true, force: true });
}
