import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { GRAMMARS } from "../src/syntax/languages/registry.ts";
import { readGrammar } from "../src/syntax/source/grammars.ts";

// Copies only the grammars that we use, and a notice with their makers: the package they come from has a hundred more.
rmSync("grammars", { recursive: true, force: true });
const grammars = await Promise.all(
  GRAMMARS.map(async (grammar) => ({ name: grammar.name, bytes: await readGrammar(grammar) })),
);
mkdirSync("grammars");
for (const { name, bytes } of grammars) writeFileSync(`grammars/${name}.wasm`, bytes);
writeFileSync("grammars/LICENSE", printNotice());

function printNotice(): string {
  const terms = readFileSync("LICENSE", "utf8");
  const lines = GRAMMARS.map(({ name, maker }) => `${name}: Copyright (c) ${maker}`);
  const builds = "Built for the web by tree-sitter-wasm: Copyright (c) 2026 Crysthamus (all but kotlin)";
  return `The grammars in this folder, all under the MIT licence below:\n\n${lines.join("\n")}\n${builds}\n\n${terms.slice(terms.indexOf("Permission is hereby"))}`;
}
