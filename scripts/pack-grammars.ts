import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { GRAMMARS, type Grammar, readGrammar } from "../src/syntax/source/grammars.ts";

// Users get the few grammars we read, not the hundred of the package most of them come from, and who made each.
const makers: Record<Grammar, string> = {
  bash: "2017 Max Brunsfeld",
  c: "2014 Max Brunsfeld",
  c_sharp: "2014-2023 Max Brunsfeld, Damien Guard, Amaan Qureshi, and contributors",
  cpp: "2014 Max Brunsfeld",
  go: "2014 Max Brunsfeld",
  java: "2017 Ayman Nadeem",
  javascript: "2014 Max Brunsfeld",
  kotlin: "2024 Amaan Qureshi",
  php: "2017 Josh Vera, GitHub",
  python: "2016 Max Brunsfeld",
  ruby: "2016 Rob Rix",
  rust: "2017 Maxim Sokolov",
  swift: "2021 alex-pinkus",
  tsx: "2017 Max Brunsfeld",
  typescript: "2017 Max Brunsfeld",
};

rmSync("grammars", { recursive: true, force: true });
const grammars = await Promise.all(GRAMMARS.map(async (name) => ({ name, bytes: await readGrammar(name) })));
mkdirSync("grammars");
for (const { name, bytes } of grammars) writeFileSync(`grammars/${name}.wasm`, bytes);
writeFileSync("grammars/LICENSE", printNotice());

function printNotice(): string {
  const terms = readFileSync("LICENSE", "utf8");
  const lines = GRAMMARS.map((name) => `${name}: Copyright (c) ${makers[name]}`);
  const builds = "Built for the web by tree-sitter-wasm: Copyright (c) 2026 Crysthamus (all but kotlin)";
  return `The grammars in this folder, all under the MIT licence below:\n\n${lines.join("\n")}\n${builds}\n\n${terms.slice(terms.indexOf("Permission is hereby"))}`;
}
