import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";

/** A tree-sitter grammar that ships with this package. */
export type Grammar = {
  /** The name its maker gave it. */
  readonly name: string;
  /** Who holds the copyright, for the notice that is packed with it. */
  readonly maker: string;
  /** The hash of the bytes that were reviewed. Review a new version before changing the hash. */
  readonly sha256: string;
  /** Its path in `node_modules`, if it is not in the package that has most grammars. */
  readonly installedAt?: string;
};

/**
 * The bytes of a grammar that ships with this package. This file is the one place where this room touches the disk, and
 * it reads only what was packed with it. In a checkout the grammars are still in the package they come from.
 */
export async function readGrammar(grammar: Grammar): Promise<Uint8Array> {
  packageRoot ??= findPackageRoot();
  const packed = join(packageRoot, "grammars", `${grammar.name}.wasm.gz`);
  if (existsSync(packed)) return decompress(await readFile(packed));
  const bytes = await readFile(
    join(
      packageRoot,
      "node_modules",
      grammar.installedAt ?? `tree-sitter-wasm/out/${grammar.name}/tree-sitter-${grammar.name}.wasm`,
    ),
  );
  return grammar.name === "swift" ? repairSwift(bytes) : bytes;
}

// The grammars are tables that shrink to a tenth; a grammar is decompressed in one to eight milliseconds.
const decompress = promisify(gunzip);

/** Where the library lies that parses with the grammars: packed beside them, or installed in a checkout. */
export function findParser(): string {
  packageRoot ??= findPackageRoot();
  const packed = join(packageRoot, "grammars", "web-tree-sitter.cjs");
  return existsSync(packed) ? packed : createRequire(import.meta.url).resolve("web-tree-sitter");
}

let packageRoot: string | undefined;

function findPackageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json")) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

/**
 * The published Swift scanner allocates zero times four bytes of state and then writes four, so it misreads the second
 * file. Its authors have corrected the zero to a one; this function does the same, if the code occurs exactly once.
 */
function repairSwift(bytes: Buffer): Uint8Array {
  const asksForNothing = Buffer.from([0x00, 0x41, 0x00, 0x41, 0x04, 0x10, 0x00, 0x0b]);
  const at = bytes.indexOf(asksForNothing);
  if (at < 0 || bytes.indexOf(asksForNothing, at + 1) >= 0) return bytes;
  const repaired = Buffer.from(bytes);
  repaired[at + 2] = 1;
  return repaired;
}
