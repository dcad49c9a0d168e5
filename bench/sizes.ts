/**
 * `npm run bench:sizes [-- --before COMMIT] [--no-install]`: the sizes of browser bundles, the processor time of importing
 * each entry, and the size of an installation. With a commit, the same figures for that commit beside them. Its sources
 * are built with the packages of this folder, and its installation has the packages that its own manifest names.
 */
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "tsdown";

type Manifest = {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
};
type Figures = ReadonlyMap<string, string>;

const { values } = parseArgs({
  options: { before: { type: "string" }, "no-install": { type: "boolean", default: false } },
});

/** The programs of a browser, each with the names that it takes from `suture/text`. */
const bundles: Readonly<Record<string, string>> = {
  "apply a patch": "planEdits, parseEdits",
  "print a diff": "printDiff",
  "merge three texts": "mergeThreeWay",
  "all of suture/text": "*",
};

const folder = fs.mkdtempSync(join(tmpdir(), "suture-sizes-"));
try {
  const columns = [
    ...(values.before === undefined
      ? []
      : [[values.before, await measure(checkOut(values.before))] as const]),
    ["here", await measure(resolve("."))] as const,
  ];
  print(columns);
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}

/** The sources of a commit, with the packages of this folder. */
function checkOut(commit: string): string {
  const place = join(folder, "before");
  fs.mkdirSync(place);
  const archive = execFileSync("git", ["archive", commit], { maxBuffer: 1 << 30 });
  execFileSync("tar", ["-x", "-C", place], { input: archive });
  fs.symlinkSync(resolve("node_modules"), join(place, "node_modules"));
  return place;
}

async function measure(place: string): Promise<Figures> {
  const manifest = JSON.parse(fs.readFileSync(join(place, "package.json"), "utf8")) as Manifest;
  const dist = await buildEntries(place, manifest);
  const figures = new Map<string, string>();
  for (const [name, names] of Object.entries(bundles))
    figures.set(`browser: ${name}, minified / gzip`, await bundleSize(join(dist, "text.js"), names));
  for (const [entry, file] of entriesOf(manifest))
    figures.set(`import of suture${entry.slice(1)}, processor time`, importTime(join(dist, `${file}.js`)));
  if (!values["no-install"]) {
    figures.set("npm install suture (enough for suture/text)", installSize(manifest.dependencies));
    const peers = Object.entries(manifest.peerDependencies ?? {});
    const models = peers.filter(([name]) => name === "ai" || name.startsWith("@ai-sdk/"));
    const all = { ...manifest.dependencies, ...Object.fromEntries(models) };
    figures.set("… with the packages that ask a model", installSize(all));
  }
  return figures;
}

function entriesOf(manifest: Manifest): [entry: string, file: string][] {
  return Object.entries(manifest.exports).flatMap(([entry, door]) =>
    typeof door === "string" ? [] : [[entry, door.default.replace(/^\.\/dist\/|\.js$/g, "")]],
  );
}

async function buildEntries(place: string, manifest: Manifest): Promise<string> {
  const outDir = join(place, "node_modules/.cache", `suture-sizes-${process.pid}-${place.length}`);
  await build({
    config: false,
    cwd: place,
    entry: Object.fromEntries(entriesOf(manifest).map(([, file]) => [file, `src/${file}.ts`])),
    outDir,
    format: "esm",
    platform: "node",
    target: "node22",
    dts: false,
    clean: false,
    logLevel: "error",
    fixedExtension: false,
  });
  process.on("exit", () => fs.rmSync(outDir, { recursive: true, force: true }));
  return outDir;
}

async function bundleSize(entry: string, names: string): Promise<string> {
  const program = join(folder, "program.js");
  const taken = names === "*" ? "* as taken" : `{ ${names} }`;
  const used = names === "*" ? "taken" : `[${names}]`;
  fs.writeFileSync(program, `import ${taken} from ${JSON.stringify(entry)};\nglobalThis.used = ${used};\n`);
  const outDir = join(folder, "bundle");
  const how = { config: false, format: "esm", platform: "browser", target: "es2023", dts: false } as const;
  await build({ ...how, entry: { program }, outDir, minify: true, logLevel: "error", fixedExtension: false });
  const bytes = fs.readFileSync(join(outDir, "program.js"));
  return `${kilobytes(bytes.length)} / ${kilobytes(gzipSync(bytes, { level: 6 }).length)}`;
}

/** The least of several runs: other programs on the machine can only add to it. */
function importTime(file: string): string {
  const script = `const start = process.cpuUsage();
    await import(${JSON.stringify(file)});
    const { user, system } = process.cpuUsage(start);
    console.log((user + system) / 1000);`;
  const times = Array.from({ length: 7 }, () =>
    Number(execFileSync(process.execPath, ["--input-type=module", "--eval", script], { encoding: "utf8" })),
  );
  return `${Math.round(Math.min(...times))} ms`;
}

/** The packages that an installation brings, without this one. */
function installSize(packages: Readonly<Record<string, string>>): string {
  const place = fs.mkdtempSync(join(folder, "install-"));
  fs.writeFileSync(join(place, "package.json"), JSON.stringify({ private: true, dependencies: packages }));
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--legacy-peer-deps"];
  execFileSync("npm", ["install", ...options], { cwd: place, stdio: "ignore" });
  const lock = JSON.parse(fs.readFileSync(join(place, "package-lock.json"), "utf8")) as { packages: object };
  const bytes = sizeOf(join(place, "node_modules"));
  return `${Object.keys(lock.packages).length - 1} packages, ${(bytes / 2 ** 20).toFixed(1)} MB`;
}

function sizeOf(path: string): number {
  return fs
    .readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + fs.statSync(join(entry.parentPath, entry.name)).size, 0);
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} K`;
}

function print(columns: readonly (readonly [string, Figures])[]): void {
  const rows = [...columns.at(-1)![1].keys()];
  console.log(`| | ${columns.map(([name]) => name).join(" | ")} |`);
  console.log(`| --- |${columns.map(() => " --- |").join("")}`);
  for (const row of rows)
    console.log(`| ${row} | ${columns.map(([, figures]) => figures.get(row) ?? "").join(" | ")} |`);
}
