import { registerHooks } from "node:module";

// Programs that import `suture` get the sources of this repository.
const house = new URL("../", import.meta.url);
const entries = {
  suture: "src/index.ts",
  "suture/text": "src/text.ts",
  "suture/workspace": "src/workspace/index.ts",
  "suture/drift": "src/drift/index.ts",
  "suture/tools": "src/tools.ts",
  "suture/ai": "src/ai.ts",
  "suture/mcp": "src/mcp/index.ts",
};

registerHooks({
  resolve(name, context, next) {
    const entry = entries[name];
    return entry ? { url: new URL(entry, house).href, shortCircuit: true } : next(name, context);
  },
});
