import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { GRAMMARS, readGrammar } from "../src/syntax/grammars.ts";

// Users get the few grammars we read, not the hundred of the package most of them come from.
rmSync("grammars", { recursive: true, force: true });
const grammars = await Promise.all(GRAMMARS.map(async (name) => ({ name, bytes: await readGrammar(name) })));
mkdirSync("grammars");
for (const { name, bytes } of grammars) writeFileSync(`grammars/${name}.wasm`, bytes);
