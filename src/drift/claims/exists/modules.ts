import { JVM_FOLDER, JVM_SOURCE } from "../../../syntax/languages/registry.ts";
import { defined } from "../../../text/model/defined.ts";
import { boundTo } from "../../binding/bound-by.ts";
import type { State } from "../../state/state.ts";
import type { Thing } from "../../surface/thing.ts";
import type { Drift, Truth } from "../claim.ts";
import type { NameClaim } from "./read.ts";

/** The dotted names of modules whose files are gone. */
export function lostModules(gone: Iterable<string>): string[] {
  return [...gone].flatMap((path) => {
    const name = dottedOf(path);
    return name === null ? [] : [name];
  });
}

const PYTHON = /^(?:(?:src|lib|python)\/)*([\w/]+?)(?:\/__init__)?\.py$/;

/** The name under which others import a file: its path without source folders and ending. */
function dottedOf(path: string): string | null {
  const isPackaged = JVM_SOURCE.test(path) && path.includes("src/main/");
  const name = isPackaged ? path.replace(JVM_FOLDER, "").replace(JVM_SOURCE, "") : PYTHON.exec(path)?.[1];
  return name === undefined ? null : name.replaceAll("/", ".");
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
  const files = filesByName.get(state) ?? new Map([...state.files()].map((path) => [dottedOf(path), path]));
  filesByName.set(state, files);
  return files.get(name) ?? null;
}

const filesByName = new WeakMap<State, ReadonlyMap<string | null, string>>();

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
    ...defined({ repair: now ?? undefined }),
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

/** The package or subpath of a package that a sample imports, as its manifest offers it. */
async function packageOf(name: string, state: State): Promise<Thing | undefined> {
  const root = /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name;
  const { things } = await state.things(root);
  const manifests = new Set(things.filter(({ kind }) => kind === "package").map(({ path }) => path));
  for (const path of manifests) {
    const found = (await state.surface(path)).find(
      (thing) => thing.kind === "package" && thing.name === name,
    );
    if (found) return found;
  }
  return goPackageOf(name, state);
}

/** The folder of a package of Go, below the module that its path begins with. */
async function goPackageOf(name: string, state: State): Promise<Thing | undefined> {
  for (const path of state.files()) {
    if (!/(?:^|\/)go\.mod$/.test(path)) continue;
    const module = (await state.surface(path)).find(({ kind }) => kind === "package");
    if (!module || !name.startsWith(`${module.name}/`)) continue;
    const folder = path.slice(0, -"go.mod".length) + name.slice(module.name.length + 1);
    if (state.has(folder)) return { ...module, name, value: folder };
  }
  return undefined;
}

/** `pkg/sub` was exported by the manifest of `pkg`, and the same manifest exports it no more: perhaps its file by another name. */
export async function judgePackage(
  claim: NameClaim,
  { base, head }: { readonly base: State; readonly head: State },
): Promise<Drift<NameClaim> | null> {
  const { name } = claim.named;
  const was = await packageOf(name, base);
  if (!was || !name.includes("/", name.startsWith("@") ? name.indexOf("/") + 1 : 0)) return null;
  const now = (await head.surface(was.path)).filter(({ kind }) => kind === "package");
  if (now.length === 0 || now.some((one) => one.name === name || one.name.includes("*"))) return null;
  if (await goPackageOf(name, head)) return null;
  const before = new Set((await base.surface(was.path)).map(({ id }) => id));
  const moved = await movedPackage(was, head);
  const heirs = moved ?? now.filter(({ id, value }) => !before.has(id) && value === was.value);
  const heir = heirs.length === 1 ? heirs[0] : undefined;
  const shown = heir ?? was;
  const revision = (heir ? head : base).revision;
  return {
    claim,
    tier: "certain",
    message: heir ? { what: "renamed", old: name, new: heir.name } : { what: "removed", old: name },
    evidence: [
      {
        path: shown.path,
        revision,
        startLine: shown.line,
        endLine: shown.line,
        before: await base.line(was.path, was.line),
        ...defined({ after: heir ? await head.line(heir.path, heir.line) : undefined }),
      },
    ],
    cause: heir ? `renamed:${name}→${heir.name}` : `removed:${name}`,
    rule: "module",
    ...defined({ repair: heir?.name }),
  };
}

/** The package of Go that the folder of another one became; none where it went away. */
async function movedPackage(was: Thing, head: State): Promise<readonly Thing[] | null> {
  if (!was.path.endsWith("go.mod")) return null;
  const folder = (await head.movedTo?.(was.value!))?.to;
  const module = was.name.slice(0, -was.value!.length);
  return folder && was.name.endsWith(was.value!) ? [{ ...was, name: `${module}${folder}` }] : [];
}

export async function packageTruth({ named }: NameClaim, state: State): Promise<Truth> {
  return (await packageOf(named.name, state))
    ? { is: "true" }
    : { is: "undecidable", why: "no manifest of the project exports it" };
}
