import type { Addition } from "../change/additions.ts";
import type { ChangeModel } from "../change/change-model.ts";
import { fold, isCommon } from "../change/names.ts";
import { splitLines } from "../change/tokens.ts";
import { enclosingNames } from "../pages/owners.ts";
import { plainName, type SurfaceChange } from "./surface-change.ts";
import type { Thing } from "./thing.ts";

const LISTED = new Set([
  "flag",
  "environment",
  "setting",
  "command",
  "member",
  "symbol",
  "enum-value",
  "error",
]);
const FEWEST = 3;

/**
 * What the change offers beside things of the same kind and owner, by the grammar of its language. Each one lists its
 * siblings, so a caller takes as many as it needs.
 */
export function* findAddedThings(
  { comparisons }: ChangeModel,
  { facts, beside }: SurfaceChange,
): Generator<Addition> {
  let lines: readonly string[] = [];
  let path: string | undefined;
  for (const { kind, after } of facts) {
    if ((kind !== "added" && kind !== "value-added") || !after || !isListed(after)) continue;
    const siblings = beside(after).filter(
      (thing) => thing.exported !== "no" && isCalled(thing) === isCalled(after),
    );
    if (siblings.length < FEWEST) continue;
    if (after.path !== path) {
      path = after.path;
      lines = splitLines(comparisons.find((file) => file.path === path)?.after ?? "");
    }
    yield toAddition(after, siblings, lines);
  }
}

/** A list of keys does not have the methods beside them. */
function isCalled({ parameters }: Thing): boolean {
  return parameters !== undefined;
}

function isListed({ kind, name, exported }: Thing): boolean {
  const plain = plainName(name);
  return (
    LISTED.has(kind) && exported !== "no" && plain.length > 2 && !plain.startsWith("_") && !isCommon(plain)
  );
}

function toAddition(thing: Thing, siblings: readonly Thing[], lines: readonly string[]): Addition {
  return {
    name: plainName(thing.name),
    path: thing.path,
    line: { number: thing.line, text: lines[thing.line - 1] ?? "" },
    siblings: siblings.map(({ name, line }) => ({ name: plainName(name), line })),
    owners: [...thing.owner.map(fold), ...enclosingNames(lines, thing.line, thing.path)],
    comment: thing.description ?? "",
  };
}
