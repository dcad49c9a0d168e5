import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { generateAll } from "./generated.ts";

for (const [path, text] of Object.entries(await generateAll())) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
