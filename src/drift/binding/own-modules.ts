import { namesPackages } from "../../syntax/manifests/manifest.ts";
import { isOwnModule } from "../calls/origin.ts";
import type { State } from "../state/state.ts";

/** Whether a module is the project's: by its place in the tree, or by the name that a manifest gives a package. */
export async function isOwn(module: string, state: State): Promise<boolean> {
  if (state.isOwnModule(module) || (await isOwnModule(module, { family: "go", state }))) return true;
  const name = /^(?:@[^/]+\/)?[^/.:]+/.exec(module)?.[0] ?? module;
  if (
    /^\w+$/.test(module) &&
    new RegExp(`^module\\s.*/${module}(?:/v\\d+)?\\s*$`, "m").test((await state.text("go.mod")) ?? "")
  )
    return true;
  const { things } = await state.things(name);
  return things.some(({ kind }) => kind === "package") || ![...state.files()].some(tellsOwnModules);
}

/** Whether a file shows what the project's modules are called: a manifest, or a source in the folders of its package. */
function tellsOwnModules(path: string): boolean {
  return namesPackages(path) || /\.(?:java|kt|scala|groovy)$/.test(path);
}

/** What a module has, beside the settings and flags that its files read. */
export const OF_MODULE: ReadonlySet<string> = new Set(["symbol", "error", "enum-value"]);
