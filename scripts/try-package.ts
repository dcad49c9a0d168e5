/**
 * The package as its users get it: `npm run package`. Packs it, looks at what is in it, installs the tarball in an empty
 * folder and uses it there: the command line on a repository of its own, the MCP server, the library with its types.
 */
import { execFileSync, spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import manifest from "../package.json" with { type: "json" };

type Packed = {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
};

const folder = fs.mkdtempSync(join(tmpdir(), "suture-package-"));
const [project, repository] = [join(folder, "project"), join(folder, "repository")];
const failures: string[] = [];

try {
  const packed = pack();
  lookInside(packed);
  await step("publint and are-the-types-wrong", () => {
    run("publint", ["--strict"], process.cwd());
    run("attw", ["--profile", "esm-only", join(folder, packed.filename)], process.cwd());
  });
  await step("npm install in an empty folder, no scripts", () => {
    fs.mkdirSync(project);
    fs.writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }\n');
    run(
      "npm",
      ["install", "--ignore-scripts", "--no-audit", "--no-fund", join("..", packed.filename)],
      project,
    );
  });
  audit();
  await step("suture check and fix on a repository", checkAndFix);
  await step("suture mcp answers an MCP client", askServer);
  await step("the library, with types", useLibrary);
  await step("npx and a global install", () => {
    const prefix = join(folder, "global");
    const options = ["--ignore-scripts", "--no-audit", "--no-fund"];
    run("npm", ["install", "-g", "--prefix", prefix, ...options, join(folder, packed.filename)], folder);
    expect(run(join(prefix, "bin", "suture"), ["--version"], folder).trim(), manifest.version);
    expect(run("npx", ["--no-install", "suture", "--version"], project).trim(), manifest.version);
  });
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
console.log(failures.length === 0 ? "\nThe package works." : `\n${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;

function pack(): Packed {
  const output = run("npm", ["pack", "--json", "--pack-destination", folder], process.cwd());
  const [packed] = JSON.parse(output.slice(output.indexOf("[\n"))) as Packed[];
  console.log(
    `${packed!.filename}: ${(packed!.size / 2 ** 20).toFixed(1)} MB, ${packed!.files.length} files`,
  );
  return packed!;
}

function lookInside({ files }: Packed): void {
  const strays = files.filter(({ path }) =>
    /(^|\/)(test|scenarios|torture|bench|\.ci)\/|\.test\.|\.map$|\.env/.test(path),
  );
  note(
    "nothing but what users need",
    strays.map(({ path }) => `${path} is in the package`),
  );
  const wanted = [
    "dist/index.js",
    "dist/index.d.ts",
    "bin/suture.cjs",
    "grammars/LICENSE",
    "schemas/audit.schema.json",
  ];
  const missing = wanted.filter((path) => !files.some((file) => file.path === path));
  note(
    "what users need",
    missing.map((path) => `${path} is missing`),
  );
  const scripts = Object.keys(manifest.scripts).filter((name) => /^(pre|post)?install$/.test(name));
  note("no install scripts", scripts);
}

/** Some registries offer no audit. Then the output says that nothing was audited. */
function audit(): void {
  try {
    run("npm", ["audit", "--omit=dev"], project);
    note("npm audit", []);
  } catch (error) {
    const isSilent = /audit endpoint returned an error/.test(String(error));
    if (isSilent) console.log("- npm audit: skipped, this registry answers no audits");
    else note("npm audit", [String(error)]);
  }
}

function checkAndFix(): void {
  const git = (...options: string[]): string =>
    run("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...options], repository);
  fs.mkdirSync(repository);
  git("init", "-q");
  fs.writeFileSync(join(repository, "cli.js"), 'export const flag = "--retries";\nexport const limit = 3;\n');
  fs.writeFileSync(join(repository, "README.md"), "# Tool\n\nPass `--retries` to try again.\n");
  git("add", ".");
  git("commit", "-qm", "one");
  fs.writeFileSync(
    join(repository, "cli.js"),
    'export const flag = "--attempts";\nexport const limit = 3;\n',
  );
  git("commit", "-qam", "two");
  const suture = join(project, "node_modules", ".bin", "suture");
  const checked = spawnSync(suture, ["check", "--base", "HEAD~1", "--json"], {
    cwd: repository,
    encoding: "utf8",
  });
  expect(checked.status, 1);
  expect((JSON.parse(checked.stdout) as { findings: unknown[] }).findings.length, 1);
  run(suture, ["fix", "--base", "HEAD~1", "--yes"], repository);
  expect(
    fs.readFileSync(join(repository, "README.md"), "utf8"),
    "# Tool\n\nPass `--attempts` to try again.\n",
  );
  run(suture, ["undo"], repository);
  expect(
    fs.readFileSync(join(repository, "README.md"), "utf8"),
    "# Tool\n\nPass `--retries` to try again.\n",
  );
}

async function askServer(): Promise<void> {
  const { Client } = await import("@modelcontextprotocol/client");
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
  const client = new Client({ name: "trial", version: "1.0.0" });
  const command = join(project, "node_modules", ".bin", "suture");
  await client.connect(
    new StdioClientTransport({ command, args: ["mcp", "--root", repository], stderr: "ignore" }),
  );
  const { tools } = await client.listTools();
  if (!tools.some(({ name }) => name === "edit_file")) throw new Error("edit_file is not offered");
  const read = await client.callTool({ name: "read_file", arguments: { path: "README.md" } });
  if (!JSON.stringify(read).includes("--retries")) throw new Error("read_file did not read");
  await client.close();
}

function useLibrary(): void {
  const entries = Object.keys(manifest.exports).filter((entry) => entry !== "./package.json");
  const imports = entries
    .map((entry, i) => `import * as entry${i} from "suture${entry.slice(1)}";`)
    .join("\n");
  const source = `${imports}
import { planEdits, type Plan } from "suture/text";
const outcome = planEdits(
  [{ path: "a", target: { quote: "x" }, text: "y", reason: "", evidence: [] }],
  [{ path: "a", text: "x", version: "1" }],
);
const plan: Plan | null = outcome.ok ? outcome.value : null;
if (plan?.changes[0]?.after !== "y") throw new Error("the edit was not planned");
console.log([${entries.map((_, i) => `Object.keys(entry${i}).length`).join(", ")}].join(" "));
`;
  fs.writeFileSync(join(project, "use.ts"), source);
  console.log(`  exports: ${run(process.execPath, ["use.ts"], project).trim()}`);
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2024"];
  run(
    join(process.cwd(), "node_modules", ".bin", "tsc"),
    [...options, "--types", "node", "--typeRoots", join(process.cwd(), "node_modules", "@types"), "use.ts"],
    project,
  );
}

function run(command: string, options: readonly string[], cwd: string): string {
  try {
    return execFileSync(command, options, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${command} ${options.join(" ")}\n${stdout}${stderr}`);
  }
}

async function step(name: string, work: () => void | Promise<void>): Promise<void> {
  const start = Date.now();
  try {
    await work();
    console.log(`✓ ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
  } catch (error) {
    note(name, [error instanceof Error ? error.message : String(error)]);
  }
}

function note(name: string, wrong: readonly string[]): void {
  console.log(`${wrong.length === 0 ? "✓" : "✗"} ${name}${wrong.map((line) => `\n    ${line}`).join("")}`);
  failures.push(...wrong);
}

function expect(found: unknown, wanted: unknown): void {
  if (found !== wanted) throw new Error(`${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`);
}
