/** What `npm pack` adds to the built files: the grammars with their parser, and the notices of other people's work. */
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { GRAMMARS } from "../src/syntax/languages/registry.ts";
import { readGrammar } from "../src/syntax/source/grammars.ts";
import { accompanying, bundledParts, bundledWithFleet, installedParts, printNotice } from "./third-party.ts";

// Users get the few grammars that we read, not the hundred of the package most of them come from.
rmSync("grammars", { recursive: true, force: true });
const grammars = GRAMMARS.map((grammar) => ({ name: grammar.name, bytes: readGrammar(grammar) }));
mkdirSync("grammars");
for (const { name, bytes } of grammars)
  writeFileSync(`grammars/${name}.wasm.gz`, gzipSync(bytes, { level: 9 }));
// Of the parser's package, 4 MB are maps and a build for debugging.
for (const file of ["web-tree-sitter.cjs", "web-tree-sitter.wasm"])
  copyFileSync(`node_modules/web-tree-sitter/${file}`, `grammars/${file}`);
writeFileSync("THIRD-PARTY.txt", printNotice(bundledParts(), accompanying(installedParts())));
writeFileSync("packages/fleet/THIRD-PARTY.txt", printNotice(bundledWithFleet()));
