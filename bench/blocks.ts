/**
 * How long a check of a very large change keeps the event loop busy at a stretch: a server that checks must still
 * answer. `npm run bench:blocks [-- --files 200000 --changed 2000]`
 *
 * A bare repository is made with N files, a page for every hundred of them, and a commit that renames functions in
 * some. A block is the CPU time of the main thread between two turns of the loop, so that other programs on the
 * machine do not count.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { checkDrift } from "../src/docs/check/check.ts";
import { openGit } from "../src/workspace/git/git.ts";
import { printTable } from "./report.ts";

const { values } = parseArgs({
  options: {
    files: { type: "string", default: "200000" },
    changed: { type: "string", default: "2000" },
    most: { type: "string", default: "1000" },
  },
});
const files = Number(values.files);
const changed = Number(values.changed);
const folder = mkdtempSync(join(tmpdir(), "suture-bench-blocks-"));
process.env.SUTURE_CACHE = join(folder, "cache");

try {
  await makeRepository(folder);
  const git = await openGit(folder);
  if (git === null) throw new Error("no repository");
  const loop = watchLoop();
  const began = performance.now();
  const report = await checkDrift(git, null, { base: "refs/heads/main~1", head: "refs/heads/main" });
  const longest = loop.stop();
  if (!report.ok) throw new Error(JSON.stringify(report.refusal));
  console.log(`${files} files, ${changed} changed, Node ${process.version}`);
  console.log(
    printTable(
      ["figure", "value"],
      [
        ["findings", String(report.value.findings.length)],
        ["whole check", `${Math.round(performance.now() - began)} ms`],
        ["longest block (CPU)", `${Math.round(longest)} ms`],
      ],
    ),
  );
  if (longest > Number(values.most)) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Watches the CPU time between two turns of the loop; `stop` returns the longest, in milliseconds. */
function watchLoop(): { stop: () => number } {
  const busy = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let longest = 0;
  let last = busy();
  let isOn = true;
  const turn = (): void => {
    const now = busy();
    longest = Math.max(longest, now - last);
    last = busy();
    if (isOn) setImmediate(turn);
  };
  setImmediate(turn);
  return {
    stop: () => {
      isOn = false;
      return Math.max(longest, busy() - last);
    },
  };
}

/** Two commits, fed to git as one stream: files of their own would take minutes. */
async function makeRepository(root: string): Promise<void> {
  await run("git", ["init", "--quiet", "--bare", "--initial-branch=main", root]);
  const importer = spawn("git", ["--git-dir", root, "fast-import", "--quiet"], {
    stdio: ["pipe", "inherit", "inherit"],
  });
  const done = new Promise<void>((resolve, reject) => {
    importer.on("error", reject);
    importer.on("exit", (code) =>
      code === 0 ? resolve() : reject(new Error(`fast-import ended with ${code}`)),
    );
  });
  for (const chunk of stream())
    if (!importer.stdin.write(chunk)) await new Promise((resolve) => importer.stdin.once("drain", resolve));
  importer.stdin.end();
  await done;
}

function* stream(): Iterable<string> {
  yield commit("first");
  for (let at = 0; at < files; at++) yield file(sourcePath(at), source(at, `readRecord${at}`));
  for (let at = 0; at < files; at += 100) yield file(`docs/group${at}.md`, page(at));
  yield commit("second");
  const step = Math.max(1, Math.floor(files / changed));
  for (let at = 0, count = 0; count < changed; at += step, count++)
    yield file(sourcePath(at), source(at, `fetchRecord${at}`));
}

function commit(message: string): string {
  return `commit refs/heads/main\ncommitter B <b@example.org> 1700000000 +0000\ndata ${message.length}\n${message}\n`;
}

function file(path: string, text: string): string {
  return `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`;
}

function sourcePath(at: number): string {
  return `src/part${at % 500}/record${at}.ts`;
}

function source(at: number, name: string): string {
  return `/** Reads record ${at}. */\nexport function ${name}(id: string, limit = ${at % 90}): string {\n  return \`\${id}:\${limit}\`;\n}\n`;
}

function page(at: number): string {
  const names = Array.from({ length: 100 }, (_, index) => `readRecord${at + index}`);
  const rows = names.map((name) => `- \`${name}(id)\` reads one record.`);
  return `# Group ${at}\n\n${rows.join("\n")}\n`;
}

function run(command: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: "inherit" });
    child.on("error", reject);
    child.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`${command} ended with ${code}`))));
  });
}
