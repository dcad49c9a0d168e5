import { registerHooks } from "node:module";
import { sourceEntries } from "./source-entries.ts";

// Programs that import `suture` or `suture-fleet` get the sources of this repository.
registerHooks({
  resolve(name, context, next) {
    const url = sourceEntries[name];
    return url ? { url, shortCircuit: true } : next(name, context);
  },
});
