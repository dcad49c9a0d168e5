import { execFile } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { build } from "tsdown";
import manifest from "../../package.json" with { type: "json" };

const start = promisify(execFile);
const house = process.cwd();
const here = join(house, "test/vendors");

/** A project of a user: the SDKs of the vendors from npm, this package as it is published, and the programs. */
export type VendorProject = {
  readonly folder: string;
  run(program: string, environment: Readonly<Record<string, string>>): Promise<string>;
  /** Checks the types of the programs. Returns the compiler's lines. */
  checkTypes(options: Readonly<Record<string, unknown>>): Promise<string>;
  remove(): void;
};

/**
 * Makes the project in a temporary folder. `SUTURE_VENDORS` names a folder whose `node_modules` has the SDKs already.
 * Returns the reason where npm cannot give them.
 */
export async function openProject(): Promise<VendorProject | { readonly missing: string }> {
  const folder = fs.mkdtempSync(join(tmpdir(), "suture-vendors-"));
  const remove = (): void => fs.rmSync(folder, { recursive: true, force: true });
  const missing = await install(folder);
  if (missing !== null) {
    remove();
    return { missing };
  }
  await addPackage(join(folder, "node_modules", "suture"));
  fs.cpSync(join(here, "programs"), folder, { recursive: true });
  return {
    folder,
    run: async (program, environment) => {
      const options = { cwd: folder, env: { ...process.env, ...environment }, maxBuffer: 1 << 26 };
      const ran = await start(process.execPath, ["--no-warnings", program], options).catch(
        (error: { stdout: string; stderr: string }) => error,
      );
      return ran.stdout + (ran.stderr ? `\n${ran.stderr}` : "");
    },
    checkTypes: (options) => checkTypes(folder, options),
    remove,
  };
}

async function install(folder: string): Promise<string | null> {
  const given = process.env.SUTURE_VENDORS;
  if (given !== undefined) {
    fs.mkdirSync(join(folder, "node_modules"));
    for (const name of fs.readdirSync(join(given, "node_modules")))
      fs.symlinkSync(resolve(given, "node_modules", name), join(folder, "node_modules", name));
    fs.copyFileSync(join(here, "package.json"), join(folder, "package.json"));
    return null;
  }
  fs.copyFileSync(join(here, "package.json"), join(folder, "package.json"));
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock"];
  return start("npm", ["install", ...options], { cwd: folder, timeout: 420_000 }).then(
    () => null,
    (error: Error) => `npm cannot install the SDKs: ${error.message.split("\n").slice(0, 3).join(" ")}`,
  );
}

/** Builds this package as it is published. Its own dependencies come from this repository. */
async function addPackage(folder: string): Promise<void> {
  fs.mkdirSync(folder, { recursive: true });
  fs.copyFileSync("package.json", join(folder, "package.json"));
  fs.symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  const doors = Object.values(manifest.exports).flatMap((door) =>
    typeof door === "string" ? [] : [door.default.replace(/^\.\/dist\/|\.js$/g, "")],
  );
  await build({
    config: false,
    entry: Object.fromEntries(doors.map((name) => [name, `src/${name}.ts`])),
    outDir: join(folder, "dist"),
    format: "esm",
    platform: "node",
    target: "node22",
    dts: true,
    clean: false,
    logLevel: "error",
    fixedExtension: false,
  });
}

async function checkTypes(folder: string, options: Readonly<Record<string, unknown>>): Promise<string> {
  const compilerOptions = {
    target: "es2023",
    lib: ["es2024", "esnext.disposable", "dom", "dom.iterable", "dom.asynciterable"],
    strict: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    verbatimModuleSyntax: true,
    types: ["node"],
    typeRoots: [join(house, "node_modules/@types")],
    ...options,
  };
  fs.writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  const tsc = join(house, "node_modules/typescript/bin/tsc");
  const ran = await start(process.execPath, [tsc, "-p", folder]).catch((error: { stdout: string }) => error);
  return ran.stdout;
}
