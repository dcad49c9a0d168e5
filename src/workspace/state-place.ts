import { accept, type Outcome, refuse } from "../text/outcome.ts";
import type { Dir } from "./files.ts";
import type { State } from "./state.ts";

/** Where a file lies that other rooms keep in the state; no directory where there is no state yet. */
export function locateState(
  name: string,
  state: State | null,
): Outcome<{ readonly dir: Dir | null; readonly name: string }> {
  if (name === "lineage.json") return accept({ dir: state?.dir ?? null, name });
  const [folder, file, ...rest] = name.split("/");
  if (folder === "audit" && rest.length === 0 && /^[A-Za-z0-9][A-Za-z0-9._-]{0,120}\.json$/.test(file ?? ""))
    return accept({ dir: state?.audit ?? null, name: file! });
  return refuse({ code: "not-allowed", path: name, detail: "not a file of the state that others may keep" });
}
