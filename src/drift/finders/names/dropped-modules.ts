import type { ChangeModel } from "../../change/change-model.ts";
import { fileKind } from "../../change/file-kind.ts";
import { createOwnModules, readImports } from "../../change/imports/imports.ts";
import { evidenceOfRemoval, type Notice } from "../../findings.ts";
import { findMentions, type Mention } from "../../pages/mentions.ts";

/** A package of another project that the product imported before the change, and its replacement. */
type DroppedModule = { readonly name: string; readonly successor: string | undefined };

const LARGEST = 400_000;
const MOST_FILES = 24;
const MOST_PLACES = 40;

/**
 * The project no longer imports a package of another project, and a page names it as code. The page may still mean the
 * package itself, so the notice is shown only with the possible findings.
 */
export async function findDroppedModules(change: ChangeModel): Promise<Notice[]> {
  const dropped = readDropped(change);
  const mentions = findMentions(change.pages, new Set(dropped.map(({ name }) => name)));
  const marked = dropped.flatMap((module) => {
    const places = (mentions.get(module.name) ?? []).filter(isMarked);
    return places.length && places.length <= MOST_PLACES ? [{ ...module, places }] : [];
  });
  const occurrences = await change.input.occurrences(marked.map(({ name }) => name));
  const notices: Notice[] = [];
  for (const { name, successor, places } of marked)
    if (!(await isImported(change, name, occurrences.get(name) ?? [])))
      notices.push(...places.map((place) => toNotice(change, { name, successor }, place)));
  return notices;
}

function readDropped({ comparisons, input }: ChangeModel): DroppedModule[] {
  const isOwn = createOwnModules(input.tree, input.repository ?? []);
  const successors = new Map<string, Set<string>>();
  for (const { from, path, before, after } of comparisons) {
    if (fileKind(from) !== "product" || (before?.length ?? LARGEST) >= LARGEST) continue;
    const old = readPackages(from, before!, isOwn);
    const fresh = readPackages(path, after ?? "", isOwn);
    const came = [...fresh].filter((name) => !old.has(name));
    for (const name of old)
      if (!fresh.has(name)) successors.set(name, new Set([...(successors.get(name) ?? []), ...came]));
  }
  return [...successors].map(([name, came]) => ({
    name,
    successor: came.size === 1 ? [...came][0] : undefined,
  }));
}

/** The packages of other projects that a file imports, by their names on pages. */
function readPackages(path: string, text: string, isOwn: (module: string) => boolean): Set<string> {
  const modules = [...readImports(path, text)].map(({ module }) => module).filter((module) => !isOwn(module));
  return new Set(modules.map((module) => packageName(path, module)).filter((name) => name.length > 3));
}

/** `requests.adapters`, `lodash/fp`, `github.com/spf13/viper`. */
function packageName(path: string, module: string): string {
  if (/\.go$/.test(path)) return module.replace(/\/v\d+$/, "").replace(/^.*\//, "");
  if (/\.(?:pyi?|rs)$/.test(path)) return module.split(".")[0]!;
  return module.replace(/^node:/, "").split("/")[0]!;
}

function isMarked({ page, line, index }: Mention): boolean {
  const { place, spans } = page.read().lines[line]!;
  const token = page.tokens(line)[index]!;
  return place !== "code" && spans.some(({ start, end }) => start <= token.start && token.end <= end);
}

async function isImported(change: ChangeModel, name: string, paths: readonly string[]): Promise<boolean> {
  const product = paths.filter((path) => fileKind(path) === "product");
  if (product.length > MOST_FILES) return true;
  for (const path of product) {
    const text = await change.read(path);
    if (text === null || readPackages(path, text, () => false).has(name)) return true;
  }
  return false;
}

function toNotice(change: ChangeModel, { name, successor }: DroppedModule, { page, line }: Mention): Notice {
  return {
    page,
    line,
    endLine: line,
    tier: "possible",
    kind: "removal",
    cause: `dropped:${name}`,
    message: { what: "dropped", old: name, ...(successor && { new: successor }) },
    evidence: evidenceOfRemoval(change, name),
    features: { "module dropped": 1 },
  };
}
