import { compose } from "../../../syntax/manifests/compose.ts";
import type { ManifestItem, ManifestKind } from "../../../syntax/manifests/item.ts";
import { readManifest } from "../../../syntax/manifests/manifest.ts";
import { defined } from "../../../text/model/defined.ts";
import type { Thing, ThingKind } from "../thing.ts";
import { CodeText, DATA_CODE } from "./code-text.ts";

/** The things of a manifest: scripts, commands, the package with its subpaths, versions, variables. */
export function readManifestThings(path: string, text: string): Thing[] {
  const items = readManifest(path, text).filter(({ kind }) => kind !== "env" || !compose.files.test(path));
  if (items.length === 0) return [];
  const code = new CodeText(path, text, DATA_CODE);
  const name = items.find(({ kind }) => kind === "name")?.value;
  const on = items.find(({ kind, key }) => kind === "feature" && key === "default")?.region;
  const defaults = on ? text.slice(on.start, on.end) : "";
  return items.flatMap((item) =>
    itemThing(
      item.kind === "feature" ? { ...item, value: String(defaults.includes(`"${item.key}"`)) } : item,
      name,
      code,
    ),
  );
}

/**
 * The kind of thing for each kind of manifest item. Dependencies belong to other projects; services and inputs are read
 * as contracts.
 */
const KINDS: Readonly<Partial<Record<ManifestKind, { readonly kind: ThingKind; readonly owner?: string }>>> =
  {
    name: { kind: "package" },
    version: { kind: "version" },
    engine: { kind: "version", owner: "engines" },
    bin: { kind: "command" },
    "entry-point": { kind: "setting", owner: "entry points" },
    script: { kind: "script" },
    export: { kind: "package" },
    feature: { kind: "setting", owner: "features" },
    env: { kind: "environment" },
    arg: { kind: "setting", owner: "arguments" },
  };

function itemThing(item: ManifestItem, packageName: string | undefined, code: CodeText): Thing[] {
  const as = KINDS[item.kind];
  if (!as) return [];
  const name = nameOf(item, packageName);
  if (name === "") return [];
  const value = item.kind === "name" ? "" : item.value.trim();
  const owner = as.owner ? [as.owner] : item.kind === "version" && packageName ? [packageName] : [];
  return [
    code.thing({
      kind: as.kind,
      name,
      owner,
      at: (item.keyRegion ?? item.region).start,
      region: item.region,
      ...defined({ value: value !== "" ? value : undefined }),
    }),
  ];
}

function nameOf({ kind, key, value }: ManifestItem, packageName: string | undefined): string {
  if (kind === "name") return value;
  if (kind === "export") return packageName ? `${packageName}${key.replace(/^\./, "")}` : "";
  return key;
}
