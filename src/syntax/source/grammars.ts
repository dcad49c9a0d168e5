import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

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
 * The bytes of a grammar that ships with this package: the one place where this room touches the disk, and it reads
 * only what was packed with it. In a checkout the grammars are still in the package they come from.
 */
export async function readGrammar(grammar: Grammar): Promise<Uint8Array> {
  packageRoot ??= findPackageRoot();
  const packed = join(packageRoot, "grammars", `${grammar.name}.wasm`);
  const installed = join(
    packageRoot,
    "node_modules",
    grammar.installedAt ?? `tree-sitter-wasm/out/${grammar.name}/tree-sitter-${grammar.name}.wasm`,
  );
  const bytes = await readFile(existsSync(packed) ? packed : installed);
  return grammar.name === "swift" ? repairSwift(bytes) : bytes;
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
