/**
 * The package as its users get it: `npm run package [-- --sbom FILE]`. Packs it, looks at what is in it, installs the
 * tarball in an empty folder, weighs it, and uses it there: every command on a repository of its own and without a network,
 * the MCP server, the library with its types. `--sbom` writes the bill of materials of what was installed.
 */
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { printTable } from "../bench/report.ts";
import manifest from "../package.json" with { type: "json" };
import { type Bill, billOf } from "./bill-of-materials.ts";
import { makeExample } from "./example.ts";
import { canBeOffline, runAll } from "./first-runs.ts";
import { bundledParts } from "./third-party.ts";

/** In MB, as the disk counts it. `npm install suture` brings what check, fix, review, edit, lsp and mcp need. */
const largestInstalled = 30;

type Packed = {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
};

/** What users need of the package itself. */
const coreFiles = [
  "dist/index.js",
  "dist/index.d.ts",
  "bin/suture.cjs",
  "bin/load.cjs",
  "grammars/go.wasm.gz",
  "grammars/web-tree-sitter.cjs",
  "THIRD-PARTY.txt",
  "schemas/audit.schema.json",
];

const folder = fs.mkdtempSync(join(tmpdir(), "suture-package-"));
const [project, repository] = [join(folder, "project"), join(folder, "repository")];
const suture = join(project, "node_modules", ".bin", "suture");
const failures: string[] = [];
const { values } = parseArgs({ options: { sbom: { type: "string" } } });

try {
  const packed = pack();
  lookInside(packed);
  const fleet = pack("--workspace", "suture-fleet", "--ignore-scripts");
  lookInside(fleet, ["dist/index.js", "dist/check-program.js", "dist/web/fleet.html", "THIRD-PARTY.txt"]);
  await step("publint and are-the-types-wrong", () => {
    run("publint", ["--strict"], process.cwd());
    run("attw", ["--profile", "esm-only", join(folder, packed.filename)], process.cwd());
  });
  await step("npm install in an empty folder, no scripts", () => {
    fs.mkdirSync(project);
    fs.writeFileSync(
      join(project, "package.json"),
      '{ "name": "trial", "version": "1.0.0", "private": true, "type": "module" }\n',
    );
    run(
      "npm",
      ["install", "--ignore-scripts", "--no-audit", "--no-fund", join("..", packed.filename)],
      project,
    );
  });
  audit();
  weigh();
  const bill = values.sbom;
  if (bill !== undefined) await step("bill of materials", () => writeBill(bill));
  const network = canBeOffline()
    ? "without a network"
    : "with a network, which this system does not let us remove";
  await step(`every command's first run, ${network}`, () => {
    makeExample(repository);
    const wrong = runAll(suture, repository);
    if (wrong.length > 0) throw new Error(wrong.join("\n"));
  });
  await step("suture mcp answers an MCP client", askServer);
  await step("the library, with types", useLibrary);
  await step("suture fleet, with its package beside it", () => {
    run(
      "npm",
      ["install", "--ignore-scripts", "--no-audit", "--no-fund", join("..", fleet.filename)],
      project,
    );
    expect(fs.existsSync(join(project, "node_modules", "suture-fleet", "node_modules", "suture")), false);
    const home = join(folder, "fleet");
    const call = (...words: string[]): string => run(suture, ["fleet", ...words, "--home", home], project);
    call("add", repository);
    call("run", "--once");
    expect(call("list").includes("repository"), true);
  });
  await step("npm install from a git address, which builds itself", () => {
    const place = join(folder, "from-git");
    fs.mkdirSync(place);
    fs.writeFileSync(
      join(place, "package.json"),
      '{ "name": "trial", "version": "1.0.0", "private": true }\n',
    );
    run("npm", ["install", "--no-audit", "--no-fund", `git+file://${process.cwd()}`], place);
    const built = join(place, "node_modules", ".bin", "suture");
    expect(run(built, ["--version"], place).trim(), manifest.version);
    expect(run(built, ["check", "--all", "--root", repository, "--no-strict"], place) === "", false);
  });
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

function pack(...options: readonly string[]): Packed {
  const output = run("npm", ["pack", "--json", "--pack-destination", folder, ...options], process.cwd());
  const [packed] = JSON.parse(output.slice(output.indexOf("[\n"))) as Packed[];
  console.log(
    `${packed!.filename}: ${(packed!.size / 2 ** 20).toFixed(1)} MB, ${packed!.files.length} files`,
  );
  return packed!;
}

function lookInside({ filename, files }: Packed, wanted: readonly string[] = coreFiles): void {
  const strays = files.filter(({ path }) =>
    /(^|\/)(test|scenarios|torture|bench|\.ci)\/|\.test\.|\.map$|\.env/.test(path),
  );
  note(
    `${filename}: nothing but what users need`,
    strays.map(({ path }) => `${path} is in the package`),
  );
  const missing = wanted.filter((path) => !files.some((file) => file.path === path));
  note(
    `${filename}: what users need`,
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

/** What each installed package takes on the disk, and all of them together. */
function weigh(): void {
  const modules = join(project, "node_modules");
  const names = fs
    .readdirSync(modules)
    .flatMap((name) =>
      name.startsWith("@") ? fs.readdirSync(join(modules, name)).map((one) => `${name}/${one}`) : [name],
    )
    .filter((name) => !name.startsWith("."));
  const weights = names.map((name) => ({ name, ...weightOf(join(modules, name)) }));
  const all = weights.reduce(
    (sum, { bytes, blocks }) => ({ bytes: sum.bytes + bytes, blocks: sum.blocks + blocks }),
    { bytes: 0, blocks: 0 },
  );
  const rows = [...weights.sort((a, b) => b.blocks - a.blocks), { name: "all", ...all }];
  const megabytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(2);
  console.log(
    printTable(
      ["package", "MB of files", "MB on disk"],
      rows.map(({ name, bytes, blocks }) => [name, megabytes(bytes), megabytes(blocks)]),
    ),
  );
  const excess = all.blocks > largestInstalled * 2 ** 20 ? [`${megabytes(all.blocks)} MB are installed`] : [];
  note(`at most ${largestInstalled} MB installed`, excess);
}

function weightOf(folder: string): { readonly bytes: number; readonly blocks: number } {
  const files = fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => fs.lstatSync(join(entry.parentPath, entry.name)));
  return {
    bytes: files.filter((file) => file.isFile()).reduce((sum, { size }) => sum + size, 0),
    blocks: files.reduce((sum, { blocks }) => sum + blocks * 512, 0),
  };
}

/** A bill of materials in the form of CycloneDX: what npm installed, and what is inside our own package. */
function writeBill(file: string): void {
  const folder = JSON.parse(run("npm", ["sbom", "--sbom-format=cyclonedx"], project)) as Bill;
  const bundled = bundledParts();
  const bill = billOf({ name: manifest.name, bundled }, folder);
  fs.writeFileSync(file, `${JSON.stringify(bill, null, 2)}\n`);
  console.log(`  ${bill.components.length} packages, of which ${bundled.length} are bundled`);
}

async function askServer(): Promise<void> {
  const { Client } = await import("@modelcontextprotocol/client");
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
  const client = new Client({ name: "trial", version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({ command: suture, args: ["mcp", "--root", repository], stderr: "ignore" }),
  );
  const { tools } = await client.listTools();
  if (!tools.some(({ name }) => name === "edit_file")) throw new Error("edit_file is not offered");
  const read = await client.callTool({ name: "read_file", arguments: { path: "README.md" } });
  if (!JSON.stringify(read).includes("Postbox")) throw new Error("read_file did not read");
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
