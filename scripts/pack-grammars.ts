import { cpSync, mkdirSync, rmSync } from "node:fs";
import { GRAMMARS } from "../src/syntax/grammars.ts";

// Users get the fifteen grammars we read, not the hundred of the package they come from.
const source = "node_modules/tree-sitter-wasm";
rmSync("grammars", { recursive: true, force: true });
mkdirSync("grammars");
cpSync(`${source}/LICENSE`, "grammars/LICENSE");
for (const grammar of GRAMMARS)
  cpSync(`${source}/out/${grammar}/tree-sitter-${grammar}.wasm`, `grammars/${grammar}.wasm`);
