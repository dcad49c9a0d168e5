/**
 * Checkers of samples and comments beside Suture, on the same small projects.
 *
 *   npm run bench:peers -- --cases FILE[,FILE…] --peers FOLDER [--list]
 *
 * The peers are installed into FOLDER where they are missing: typescript-docs-verifier, twoslash and eslint-plugin-jsdoc from
 * npm. pylint is asked where it is on the path, doctest where Python is. A peer knows one state only, so it finds a case
 * where it reports something at the head that it does not report at the base, and is false where it does so in a twin.
 * Every peer gets the cases of its languages and kind only.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { ask, openProductGit } from "./drift/ask.ts";
import { Scratch } from "./drift/mirror.ts";
import { printTable } from "./report.ts";
import { isSaid, type TextbookCase } from "./textbook/case.ts";
import { writeCases } from "./textbook/repository.ts";

const { values } = parseArgs({
  options: {
    cases: { type: "string" },
    peers: { type: "string" },
    list: { type: "boolean", default: false },
  },
});
if (!values.cases || !values.peers) {
  console.log("peers bench skipped: set --cases and --peers");
  process.exit(0);
}

type Peer = {
  readonly name: string;
  readonly kind: string;
  readonly languages: RegExp;
  readonly isHere: () => boolean;
  /** What it reports about a folder, each problem as a line. */
  readonly report: (folder: string, files: readonly string[]) => Promise<string[]> | string[];
};

const SCRIPTS = /^(?:Type|Java)Script$/;
const folder = resolve(values.peers);
const modules = join(folder, "node_modules");
install();
const cases = values.cases
  .split(",")
  .flatMap((path) => readFileSync(path, "utf8").split("\n").filter(Boolean))
  .map((line) => JSON.parse(line) as TextbookCase);
const scratch = mkdtempSync(join(tmpdir(), "suture-peers-"));
const said = await askSuture();
const rows: string[][] = [];
for (const peer of peers()) rows.push(...(await score(peer)));
console.log(printTable(["peer", "kind", "cases", "found", "missed", "false", "seconds a case"], rows));
rmSync(scratch, { recursive: true, force: true });

function install(): void {
  if (existsSync(join(modules, "typescript-docs-verifier"))) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), "{}");
  const wanted =
    "typescript-docs-verifier twoslash typescript@5 eslint eslint-plugin-jsdoc @typescript-eslint/parser";
  execFileSync("npm", ["install", "--ignore-scripts", "--no-audit", ...wanted.split(" ")], { cwd: folder });
}

/** A module of a peer. */
async function load(name: string) {
  const path = createRequire(join(folder, "peers.js")).resolve(name);
  const loaded = await import(pathToFileURL(path).href);
  return loaded.default ?? loaded;
}

function peers(): Peer[] {
  const has = (program: string) => spawnSync(program, ["--version"]).status === 0;
  return [
    {
      name: "typescript-docs-verifier",
      kind: "sample",
      languages: SCRIPTS,
      isHere: () => true,
      report: verify,
    },
    { name: "twoslash", kind: "sample", languages: SCRIPTS, isHere: () => true, report: twoslash },
    { name: "eslint-plugin-jsdoc", kind: "comment", languages: SCRIPTS, isHere: () => true, report: lint },
    {
      name: "pylint docparams",
      kind: "comment",
      languages: /^Python$/,
      isHere: () => has("pylint"),
      report: pylint,
    },
    { name: "doctest", kind: "sample", languages: /^Python$/, isHere: () => has("python3"), report: doctest },
  ];
}

async function score({ name, kind, languages, isHere, report }: Peer): Promise<string[][]> {
  if (!isHere()) return [[name, kind, "not installed"]];
  const own = cases.filter((one) => one.kind === kind && languages.test(one.language));
  const began = performance.now();
  const found = new Set<string>();
  for (const one of own) {
    const states = [one.base, { ...one.base, ...one.head }].map((files, at) =>
      write(`${one.id}/${at}`, files),
    );
    const [before, after] = [await report(...states[0]!), await report(...states[1]!)];
    if (after.some((problem) => !before.includes(problem))) found.add(one.id);
  }
  const seconds = (performance.now() - began) / 1000 / Math.max(1, own.length);
  const row = (who: string, hits: ReadonlySet<string>, time: number): string[] => {
    const [pairs, twins] = [own.filter(({ twin_of }) => !twin_of), own.filter(({ twin_of }) => twin_of)];
    const right = pairs.filter(({ id }) => hits.has(id));
    const wrong = twins.filter(({ id }) => hits.has(id));
    if (values.list)
      for (const { id } of [...pairs.filter((one) => !right.includes(one)), ...wrong]) console.log(who, id);
    const counts = [pairs.length, right.length, pairs.length - right.length, wrong.length];
    return [who, kind, ...counts.map(String), time.toFixed(2)];
  };
  return [row(name, found, seconds), row("suture, same cases", said.found, said.seconds)];
}

/** The files of a state in a folder, as a project that compilers accept. */
function write(name: string, files: Readonly<Record<string, string | null>>): [string, string[]] {
  const own = join(scratch, "states", name);
  const all: Record<string, string | null> = {
    "tsconfig.json": JSON.stringify({
      compilerOptions: {
        ...{ target: "esnext", module: "esnext", moduleResolution: "bundler", strict: true, noEmit: true },
        ...{ allowImportingTsExtensions: true, skipLibCheck: true, jsx: "preserve", allowJs: true },
      },
    }),
    ...files,
  };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(own, path)), { recursive: true });
    if (text !== null) writeFileSync(join(own, path), text);
  }
  return [own, Object.entries(files).flatMap(([path, text]) => (text === null ? [] : [path]))];
}

async function askSuture(): Promise<{ found: ReadonlySet<string>; seconds: number }> {
  process.env.SUTURE_CACHE = "off";
  const heads = writeCases(join(scratch, "cases"), cases);
  const repository = new Scratch({ gitDir: scratch, folder: join(scratch, "cases") });
  const git = await openProductGit(repository);
  const began = performance.now();
  const found = new Set<string>();
  for (const { id, expect } of cases) {
    const head = heads.get(id) ?? "";
    const { findings } = await ask(git, (await repository.parentOf(head)) ?? "", head);
    const own = findings.filter(isSaid);
    const isFound = expect.some((line) =>
      own.some(
        ({ path, startLine, endLine }) =>
          path === line.path && startLine <= line.line && line.line <= endLine,
      ),
    );
    if (isFound || (expect.length === 0 && own.length > 0)) found.add(id);
  }
  repository.close();
  return { found, seconds: (performance.now() - began) / 1000 / cases.length };
}

function verify(own: string, files: readonly string[]): string[] {
  const pages = files.filter((path) => path.endsWith(".md"));
  const program = join(modules, "typescript-docs-verifier/dist/bin/compile-typescript-docs.js");
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [program, "--project", "tsconfig.json", "--input-files", ...pages],
    { cwd: own, encoding: "utf8" },
  );
  return status === 0 ? [] : `${stdout}${stderr}`.split("\n").filter((line) => /TS\d+|error/i.test(line));
}

type Manifest = { readonly name: string; readonly main?: string; readonly exports?: string | object };

async function twoslash(own: string, files: readonly string[]): Promise<string[]> {
  const { createTwoslasher } = await load("twoslash");
  if (!files.includes("package.json")) return [];
  const manifest = JSON.parse(readFileSync(join(own, "package.json"), "utf8")) as Manifest;
  const { name, main = "./src/index.ts", exports: entry = main } = manifest;
  const run = createTwoslasher({ vfsRoot: own });
  const problems: string[] = [];
  for (const page of files.filter((path) => path.endsWith(".md")))
    for (const [, language, code] of readFileSync(join(own, page), "utf8").matchAll(
      /^```(tsx?|jsx?|typescript)\n([\s\S]*?)^```/gm,
    ))
      try {
        run(code, language === "typescript" ? "ts" : language, {
          compilerOptions: {
            baseUrl: own,
            paths: { [name]: [typeof entry === "string" ? entry : main] },
            allowImportingTsExtensions: true,
            noEmit: true,
            allowJs: true,
            checkJs: true,
            module: 99,
            moduleResolution: 100,
            target: 99,
            jsx: 1,
          },
        });
      } catch (error) {
        problems.push(
          ...String((error as { description?: string }).description ?? error)
            .split("\n")
            .filter(Boolean),
        );
      }
  return problems;
}

async function lint(own: string, files: readonly string[]): Promise<string[]> {
  const [{ ESLint }, jsdoc, parser] = await Promise.all([
    load("eslint"),
    load("eslint-plugin-jsdoc"),
    load("@typescript-eslint/parser"),
  ]);
  const linter = new ESLint({
    cwd: own,
    overrideConfigFile: true,
    overrideConfig: [
      { files: ["**/*.ts", "**/*.tsx"], languageOptions: { parser } },
      jsdoc.configs["flat/recommended-error"],
    ],
  });
  const sources = files.filter((path) => /\.[jt]sx?$/.test(path));
  const results = (await linter.lintFiles(sources)) as { messages: { message: string }[] }[];
  return results.flatMap(({ messages }) => messages.map(({ message }) => message));
}

function pylint(own: string, files: readonly string[]): string[] {
  const sources = files.filter((path) => path.endsWith(".py"));
  const asked = [
    "--load-plugins=pylint.extensions.docparams",
    "--disable=all",
    "--enable=W9015,W9016,W9017,W9018,W9003,W9006,W9011,W9012",
  ];
  const { stdout } = spawnSync("pylint", [...asked, "--msg-template={msg}", ...sources], {
    cwd: own,
    encoding: "utf8",
  });
  return stdout.split("\n").filter((line) => line !== "" && !line.startsWith("*"));
}

function doctest(own: string, files: readonly string[]): string[] {
  const pages = files.filter((path) => /\.(?:md|rst)$/.test(path));
  return pages.flatMap((path) => {
    const { status, stdout } = spawnSync("python3", ["-m", "doctest", path], { cwd: own, encoding: "utf8" });
    return status === 0 ? [] : stdout.split("\n");
  });
}
