import { writeFileSync } from "node:fs";
import { generateAll } from "./generated.ts";

for (const [path, text] of Object.entries(await generateAll())) writeFileSync(path, text);
