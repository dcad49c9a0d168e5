/**
 * The first run of every command, as `npm run package` makes it: in the example, without a network where the system allows
 * that. A command that needs more than the package must say so in its own words.
 */
import { spawnSync } from "node:child_process";
import { commands } from "../src/cli/commands.ts";

export type FirstRun = {
  readonly words: readonly string[];
  readonly input?: string;
  /** The exit code that the run must have. */
  readonly code: number;
  /** What it must print, on either stream. */
  readonly says: RegExp;
};

const patch = "--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n-# Postbox!\n+# Postbox\n";
const changed = ["--base", "HEAD~1"];
/** A finding in the README of the example, which `restore` has brought back. */
const finding = "script-e5affb929fa02230";
const needsModel = /no model is chosen/;
const needsPackage = /npm install suture-fleet/;

/** In this order, on the example of `npm start`: later runs find what earlier ones wrote. */
export const firstRuns: readonly FirstRun[] = [
  { words: ["--version"], code: 0, says: /^\d+\.\d+\.\d+/ },
  { words: ["help"], code: 0, says: /Keep documentation true/ },
  { words: ["completion", "bash"], code: 0, says: /complete / },
  { words: ["check", ...changed], code: 1, says: /README\.md:\d+/ },
  { words: ["fix", ...changed, "--dry-run"], code: 1, says: /would be fixed/ },
  { words: ["review", ...changed, "--export", "../review.html"], code: 0, says: /review\.html/ },
  { words: ["fix", ...changed, "--yes"], code: 0, says: /passages? (was|were) fixed/ },
  { words: ["verify"], code: 0, says: /./ },
  { words: ["undo"], code: 0, says: /README\.md/ },
  { words: ["redo"], code: 0, says: /README\.md/ },
  { words: ["init", "--ci", "github", "--dry-run"], code: 0, says: /\.github\/workflows/ },
  { words: ["ci", "--mode", "check"], code: 2, says: /Neither GitHub Actions nor GitLab CI/ },
  { words: ["edit", "README.md", "# Postbox", "# Postbox!", "-m", "louder"], code: 0, says: /README\.md/ },
  { words: ["patch", "README.md", "-"], input: patch, code: 0, says: /README\.md/ },
  { words: ["insert", "README.md", "3", "A line."], code: 0, says: /README\.md/ },
  { words: ["apply", "-"], input: patch.replaceAll("Postbox!", "Postbox?"), code: 1, says: /README\.md/ },
  { words: ["tool", "read_file", '{"path":"README.md"}'], code: 0, says: /A line/ },
  { words: ["read", "README.md"], code: 0, says: /A line/ },
  { words: ["search", "A line"], code: 0, says: /README\.md/ },
  { words: ["log"], code: 0, says: /louder/ },
  { words: ["show", "1"], code: 0, says: /README\.md/ },
  { words: ["diff", "1"], code: 0, says: /README\.md/ },
  { words: ["restore", "README.md", "--entry", "1"], code: 0, says: /README\.md/ },
  { words: ["dismiss", "0000", "--reason", "an example"], code: 2, says: /No finding has the id 0000/ },
  { words: ["dismiss", finding, ...changed, "-m", "an example"], code: 0, says: /suture\.config\.json/ },
  { words: ["stats"], code: 0, says: /./ },
  { words: ["gc"], code: 0, says: /./ },
  { words: ["doctor"], code: 0, says: /./ },
  { words: ["agent", "status"], code: 0, says: /Claude Code/ },
  { words: ["mcp", "--help"], code: 0, says: /profile/ },
  { words: ["lsp", "--help"], code: 0, says: /language server/i },
  { words: ["documentation"], code: 0, says: needsModel },
  { words: ["claims"], code: 0, says: /claims .*true/ },
  { words: ["readme"], code: 0, says: needsModel },
  { words: ["impact", "search", ...changed], code: 0, says: /./ },
  { words: ["run", "say hello"], code: 1, says: needsModel },
  { words: ["fleet", "status"], code: 3, says: needsPackage },
];

/** Runs every command once, and tells what went otherwise than said. */
export function runAll(suture: string, repository: string): string[] {
  const tried = new Set(firstRuns.map(({ words }) => words[0]));
  const missing = Object.keys(commands).filter((name) => !tried.has(name));
  const wrong = firstRuns.flatMap((run) => {
    const { status, stdout, stderr } = spawnSync(...offline(suture, run.words), {
      cwd: repository,
      encoding: "utf8",
      input: run.input ?? "",
      timeout: 300_000,
    });
    const printed = `${stdout}${stderr}`;
    const isWrong = status !== run.code || !run.says.test(printed) || /^\s+at .*:\d+:\d+\)?$/m.test(printed);
    return isWrong ? [`suture ${run.words.join(" ")}: ended with ${status}\n${printed.trim()}`] : [];
  });
  return [...missing.map((name) => `no first run of ${name} is described`), ...wrong];
}

/** Whether this system lets a program run in a network of its own without any interface. */
export function canBeOffline(): boolean {
  canUnshare ??= spawnSync("unshare", ["-rn", "true"]).status === 0;
  return canUnshare;
}

let canUnshare: boolean | undefined;

function offline(suture: string, words: readonly string[]): [string, string[]] {
  return canBeOffline() ? ["unshare", ["-rn", suture, ...words]] : [suture, [...words]];
}
