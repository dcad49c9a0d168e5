import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

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
  /** Bytes that its maker has corrected since. They are corrected here, if they occur exactly once. */
  readonly correction?: { readonly bytes: readonly number[]; readonly corrected: readonly number[] };
};

/**
 * The bytes of a grammar that ships with this package. This file is the one place where this room touches the disk, and
 * it reads only what was packed with it. In a checkout the grammars are still in the package they come from.
 */
export function readGrammar(grammar: Grammar): Uint8Array {
  packageRoot ??= findPackageRoot();
  const packed = join(packageRoot, "grammars", `${grammar.name}.wasm.gz`);
  if (existsSync(packed)) return decompress(readFileSync(packed));
  const bytes = readFileSync(
    join(
      packageRoot,
      "node_modules",
      grammar.installedAt ?? `tree-sitter-wasm/out/${grammar.name}/tree-sitter-${grammar.name}.wasm`,
    ),
  );
  return grammar.correction ? correct(bytes, grammar.correction) : bytes;
}

/** The grammars are tables that shrink to a tenth; a grammar is decompressed in one to eight milliseconds. */
function decompress(bytes: Uint8Array): Uint8Array {
  return process.getBuiltinModule("node:zlib").gunzipSync(bytes);
}

/** Where the library lies that parses with the grammars: packed beside them, or installed in a checkout. */
export function findParser(): string {
  packageRoot ??= findPackageRoot();
  const packed = join(packageRoot, "grammars", "web-tree-sitter.cjs");
  return existsSync(packed) ? packed : createRequire(import.meta.filename).resolve("web-tree-sitter");
}

let packageRoot: string | undefined;

function findPackageRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, "package.json")) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

function correct(bytes: Buffer, { bytes: wrong, corrected }: NonNullable<Grammar["correction"]>): Uint8Array {
  const sought = Buffer.from(wrong);
  const at = bytes.indexOf(sought);
  if (at < 0 || bytes.indexOf(sought, at + 1) >= 0) return bytes;
  const copy = Buffer.from(bytes);
  copy.set(corrected, at);
  return copy;
}
