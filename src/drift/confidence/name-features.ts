import type { ChangeModel } from "../change/change-model.ts";
import { type FileKind, isBuildScript } from "../change/file-kind.ts";
import type { ForeignNames } from "../change/imports/foreign-names.ts";
import { inStyle, isCommon, isDistinct, partsOf, type Style } from "../change/names.ts";
import type { Survivors } from "../change/survivors.ts";
import type { Notice } from "../findings.ts";
import type { SurfaceChange } from "../surface/surface-change.ts";
import { nameOf } from "./notice-name.ts";

/** Facts about the names of a change, looked up once for all notices. */
export type NameKnowledge = {
  readonly change: ChangeModel;
  readonly survivors: ReadonlyMap<string, Survivors>;
  readonly surface: SurfaceChange;
  readonly foreign: ForeignNames;
  /** The names of all files, without their folders. */
  readonly files: ReadonlySet<string>;
  /** File names, with and without the extension, that the change removed and no file has any more. */
  readonly lostFiles: ReadonlySet<string>;
};

/** Features of a name in the code: whether it is gone, who owned it, and whether the project offered it. */
export function nameFeatures(
  notice: Notice,
  { change, survivors, surface, foreign, files, lostFiles }: NameKnowledge,
): Record<string, number> {
  const name = nameOf(notice.message.old);
  const fileRemoved = lostFiles.has(notice.message.old ?? "") ? 1 : 0;
  if (name === null)
    return {
      "no name": 1,
      "name from elsewhere": isForeignPath(foreign, notice) ? 1 : 0,
      "file removed": fileRemoved,
    };
  const found = survivors.get(name);
  const usage = change.usage(name);
  return {
    "name distinct": isDistinct(name) ? 1 : 0,
    "name everyday": isCommon(name) || /^[a-z]{1,5}$/.test(name) ? 1 : 0,
    "name short": name.length < 4 ? 1 : 0,
    "name was declared": usage.removed.declared > 0 ? 1 : 0,
    "name was used": usage.removed.used > 0 ? 1 : 0,
    "name stands in changed code": usage.living > 0 ? 1 : 0,
    "name left tests too": usage.removedAside > 0 ? 1 : 0,
    "name left many lines": Math.min(1, Math.log2(1 + Math.max(0, usage.before - usage.after)) / 5),
    "name composed": isComposed(change, name) ? 1 : 0,
    "variable read still": surface.readsVariable(name) ? 1 : 0,
    "name of every program": isCommon(name) ? 1 : 0,
    "variable of a build script": isBuildVariable(name, notice) ? 1 : 0,
    "name is a file": files.has(name) ? 1 : 0,
    "file removed": fileRemoved,
    "name spelt otherwise": isSpeltOtherwise(change, name) ? 1 : 0,
    "name of a life cycle": LIFE_CYCLE.test(name) ? 1 : 0,
    "name from elsewhere": isFromElsewhere(foreign, name, notice) ? 1 : 0,
    "owner from elsewhere now": isOfForeignOwner(surface, foreign, name) ? 1 : 0,
    "name lent by another project": foreign.reexports(name, linesBefore(notice)) ? 1 : 0,
    ...(found ? survivorFeatures(found) : {}),
    ...surfaceFeatures(surface, name, notice),
  };
}

/** Scripts that npm or git run automatically: every package may have them. */
const LIFE_CYCLE =
  /^(?:pre|post)(?:install|publish|pack|version|test|start|stop)$|^prepare$|^prepublishOnly$|^(?:pre|post)-?(?:commit|push|merge|checkout|rebase|receive|rewrite)$|^commit-?msg$/;

/** Whether the code took the name from another project. */
function isFromElsewhere(foreign: ForeignNames, name: string, notice: Notice): boolean {
  return foreign.imports(name) || foreign.owns(name, linesBefore(notice));
}

/** Whether each lost thing of that name belonged to a type that the code now takes from another project. */
function isOfForeignOwner(surface: SurfaceChange, foreign: ForeignNames, name: string): boolean {
  const owners = surface.lost(name).map(({ before }) => before?.owner ?? []);
  return owners.length > 0 && owners.every((path) => path.some((owner) => foreign.importsNow(owner)));
}

/** `XC_OS` in a Makefile: the person who builds may set it. */
function isBuildVariable(name: string, { evidence }: Notice): boolean {
  return /^[A-Z][A-Z\d]*_[A-Z\d_]+$/.test(name) && evidence.some(({ path }) => isBuildScript(path));
}

const STYLES: readonly Style[] = ["camel", "pascal", "snake", "kebab", "constant"];

/** `--ignore-case` that is now derived from the field `ignore_case`. */
function isSpeltOtherwise({ usage }: ChangeModel, name: string): boolean {
  const parts = partsOf(name);
  if (parts.length < 2) return false;
  const others = STYLES.map((style) => inStyle(parts, style)).filter((other) => other !== name);
  return others.some((other) => usage(other).after > usage(other).before);
}

function linesBefore({ evidence }: Notice): string[] {
  return evidence.flatMap(({ before }) => (before === undefined ? [] : [before]));
}

/** `strings.Replace`: a member of a module of another project. */
function isForeignPath(foreign: ForeignNames, { message: { old = "" } }: Notice): boolean {
  const holder = /^([\w$]+)(?:\.|::)[\w$.:]+$/.exec(old)?.[1];
  return holder !== undefined && foreign.imports(holder);
}

/** Whether the changed code has two strings that form the name of an environment variable: a prefix and the rest. */
function isComposed({ comparisons }: ChangeModel, name: string): boolean {
  if (!/^[A-Z][A-Z\d]*_[A-Z\d_]+$/.test(name)) return false;
  const holds = (part: string): boolean =>
    comparisons.some(({ after }) =>
      ['"', "'", "`"].some((quote) => after?.includes(`${quote}${part}${quote}`)),
    );
  const parts = name.split("_");
  return parts.slice(1).some((_, at) => {
    const [head, tail] = [parts.slice(0, at + 1).join("_"), parts.slice(at + 1).join("_")];
    return (holds(head) || holds(`${head}_`)) && (holds(tail) || holds(`_${tail}`));
  });
}

function survivorFeatures({ files, declared, used, text, elsewhere }: Survivors): Record<string, number> {
  const total = Object.values(files).reduce((sum, count) => sum + count, 0);
  const aside: FileKind[] = ["test", "example", "automation", "tooling", "generated", "data"];
  const features: Record<string, number> = {
    "name gone": total === 0 ? 1 : 0,
    "name declared still": declared > 0 ? 1 : 0,
    "name used still": used > 0 ? 1 : 0,
    "name used widely": Math.min(1, Math.log1p(used) / 4),
    "name in text still": text > 0 && used + declared === 0 ? 1 : 0,
    "name elsewhere": elsewhere > 0 ? 1 : 0,
  };
  if (total > 0 && declared + used === 0)
    for (const kind of aside) if (files[kind] > 0) features[`name left in ${kind}`] = 1;
  return features;
}

function surfaceFeatures(surface: SurfaceChange, name: string, notice: Notice): Record<string, number> {
  const { message } = notice;
  const lost = surface.lost(name);
  const thing = lost[0]?.before;
  if (!thing) return unlostFeatures(surface, name, notice);
  const renamed = lost.some(({ kind, after }) => kind === "renamed" && after?.name === message.new);
  return {
    "surface lost it": 1,
    [`surface ${thing.kind}`]: 1,
    "surface exported": lost.some(({ before }) => before?.exported === "yes") ? 1 : 0,
    "surface internal": lost.every(({ before }) => before?.exported === "no") ? 1 : 0,
    "surface renamed so": renamed ? 1 : 0,
  };
}

/** The name may have been a parameter of a function that the page names. */
function unlostFeatures(surface: SurfaceChange, name: string, { page }: Notice): Record<string, number> {
  if (surface.wasThing(name)) return { "surface has it still": 1 };
  const holders = surface.withoutParameter(name).map(({ name: own, owner }) => ownName(own, owner));
  return {
    "surface never had it": 1,
    "parameter lost": holders.length ? 1 : 0,
    "parameter of a function of the page": holders.some((own) => page.text.includes(own)) ? 1 : 0,
  };
}

/** A constructor is known by the name of its class. */
function ownName(name: string, owner: readonly string[]): string {
  return /^(?:__init__|constructor|initialize|new|__new__)$/.test(name) ? (owner.at(-1) ?? name) : name;
}
