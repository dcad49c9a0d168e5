import { boundTo } from "../../binding/bound-by.ts";
import type { State } from "../../state/state.ts";
import type { Drift, Truth } from "../claim.ts";
import type { NameClaim } from "./read.ts";

/** The dotted names of modules whose files are gone. */
export function lostModules(gone: Iterable<string>): string[] {
  return [...gone].flatMap((path) => {
    const name = dottedOf(path);
    return name === null ? [] : [name];
  });
}

/** The name under which others import a file: its path without source folders and ending. */
function dottedOf(path: string): string | null {
  const match = /^(?:(?:src|lib|python)\/)*([\w/]+?)(?:\/__init__)?\.py$/.exec(path);
  return match ? match[1]!.replaceAll("/", ".") : null;
}

/** The file of the longest part of a dotted path that is a module, and that part. */
function moduleOf(path: string, state: State): { readonly file: string; readonly name: string } | null {
  const parts = path.split(".");
  for (let length = parts.length; length > 1; length--) {
    const name = parts.slice(0, length).join(".");
    const file = fileOf(name, state);
    if (file !== null) return { file, name };
  }
  return null;
}

function fileOf(name: string, state: State): string | null {
  const stem = name.replaceAll(".", "/");
  for (const folder of ["", "src/", "lib/", "python/"])
    for (const file of [`${folder}${stem}.py`, `${folder}${stem}/__init__.py`])
      if (state.has(file)) return file;
  return null;
}

/** `scrapy.contrib.spiders` was a module, and its file has gone: to the new path, or for good. */
export async function judgeModule(
  claim: NameClaim,
  { base, head }: { readonly base: State; readonly head: State },
): Promise<Drift<NameClaim> | null> {
  const was = moduleOf(claim.named.name, base);
  if (!was || fileOf(was.name, head) !== null) return null;
  const moved = (await head.movedTo?.(was.file))?.to ?? null;
  const now = moved === null ? null : dottedOf(moved);
  const { start } = claim.region;
  const own = { ...claim, region: { start, end: start + was.name.length } };
  const before = await base.line(was.file, 1);
  return {
    claim: own,
    tier: now === null ? "likely" : "certain",
    message: now === null ? { what: "removed", old: was.name } : { what: "moved", old: was.name, new: now },
    evidence: [{ path: was.file, revision: base.revision, startLine: 1, endLine: 1, before }],
    cause: now === null ? `removed:${was.name}` : `renamed:${was.name}→${now}`,
    rule: "module",
    ...(now !== null && { repair: now }),
  };
}

export async function moduleTruth({ named }: NameClaim, state: State): Promise<Truth> {
  const found = moduleOf(named.name, state);
  if (!found) return { is: "none", why: "the project has no module of this name" };
  const bound = boundTo([{ name: found.name, path: found.file, line: 1 }], "qualified");
  if (found.name === named.name || found.name === named.name.slice(0, named.name.lastIndexOf(".")))
    return { is: "true", ...bound };
  return { is: "undecidable", why: "a part of the name may be no module", ...bound };
}
