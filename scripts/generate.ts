import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

// The commands of the fleet are printed too.
await import("../test/suture-from-source.ts");
const { generateAll } = await import("./generated.ts");

for (const [path, text] of Object.entries(await generateAll())) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
