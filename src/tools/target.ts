import { accept, type Outcome } from "../text/model/outcome.ts";
import type { Region } from "../text/model/region.ts";
import type { Context } from "./tool.ts";

/** The region that `within` names in a file: a heading's section, or a symbol's declaration. */
export async function narrow(
  context: Context,
  path: string,
  within: string | undefined,
): Promise<Outcome<Region | undefined>> {
  if (within === undefined) return accept(undefined);
  const read = await context.reader.read(path);
  if (!read.ok || read.value.text === null) return accept(undefined);
  const { locateWithin } = await import("../syntax/symbols.ts");
  return locateWithin(path, read.value.text, within);
}
