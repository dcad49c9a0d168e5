import type { Region } from "../../../text/model/region.ts";
import type { Argument, CodeText } from "../read/code-text.ts";
import { createInnermost } from "../values/enclosing.ts";

/** A stretch of code whose flags belong to a command. */
export type OwnedRange = Region & { readonly owner: readonly string[] };

/** Looks up the owner of the innermost range around an offset; none outside of all ranges. */
export function createOwners(ranges: readonly OwnedRange[]): (at: number) => readonly string[] {
  const innermost = createInnermost(ranges, (range) => range);
  return (at) => innermost(at)?.owner ?? [];
}

const LINK = /^\s*(?:\??\.|->)\s*(\w+)\s*(?:(?:::)?<[^<>()]*>\s*)?\(/;
const LONGEST_CHAIN = 200;

type ChainLink = { readonly name: string; readonly arguments: readonly Argument[] };

/** The calls that are chained behind an offset, at the latest before a link of the name `until`, and where they end. */
export function readChain(
  code: CodeText,
  from: number,
  until?: string,
): { readonly links: readonly ChainLink[]; readonly end: number } {
  const links: ChainLink[] = [];
  let end = from;
  for (let step = 0; step < LONGEST_CHAIN; step++) {
    const link = LINK.exec(code.code.slice(end, end + 200));
    const group = link && link[1] !== until ? code.readGroup(end + link[0].length - 1) : undefined;
    if (!link || !group) break;
    links.push({ name: link[1]!, arguments: group.arguments });
    end = group.end;
  }
  return { links, end };
}

/** The name that the code before an offset assigns to: `sub` of `const sub = program.command("x")`. */
export function assignedName(code: CodeText, at: number): string | undefined {
  const before = code.code.slice(Math.max(0, at - 80), at);
  return /(?:^|[\s;(])([A-Za-z_$][\w$]*)\s*:?=\s*(?:[\w$.&]+(?:\(\))?\s*)?$/.exec(before)?.[1];
}

/** The name directly before an offset: `sub` of `sub.add_argument(…)`. */
export function receiverName(code: CodeText, at: number): string | undefined {
  return /(?<![\w$])([A-Za-z_$@][\w$]*)\s*(?:(?:\.|->)\s*)?$/.exec(
    code.code.slice(Math.max(0, at - 60), at),
  )?.[1];
}
