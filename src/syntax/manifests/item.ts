import type { Region } from "../../text/model/region.ts";
import type { DataEntry, DataNode } from "../data/data.ts";

export type ManifestKind =
  | "name"
  | "version"
  | "engine"
  | "dependency"
  | "bin"
  | "script"
  | "export"
  | "feature"
  | "env"
  | "arg"
  | "port"
  | "image"
  | "service"
  | "input"
  | "output";

/** One thing a manifest says that a reader of the docs may meet. `region` is the value's, without quotes. */
export type ManifestItem = {
  readonly kind: ManifestKind;
  readonly key: string;
  readonly value: string;
  readonly region: Region;
  /** Where the name is written, when the file writes one. */
  readonly keyRegion?: Region;
};

/** An item for a scalar; nothing for what is not one. */
export function itemOf(
  kind: ManifestKind,
  key: string,
  node: DataNode | undefined,
  keyRegion?: Region,
): ManifestItem[] {
  if (node?.kind !== "scalar") return [];
  return [{ kind, key, value: node.value ?? "", region: node.region, ...(keyRegion && { keyRegion }) }];
}

/** An item for each entry of a map, whatever it holds: of a map or list, the value is empty. */
export function itemsOf(kind: ManifestKind, node: DataNode | undefined): ManifestItem[] {
  return (node?.entries ?? []).map((entry) => entryItem(kind, entry));
}

export function entryItem(kind: ManifestKind, { key, keyRegion, node }: DataEntry): ManifestItem {
  return { kind, key, value: node.value ?? "", region: node.region, keyRegion };
}

/** `name>=1.2`, `name @ url`, `name[extra]`: the name, and what is asked of it. */
export function requirement(text: string, region: Region): ManifestItem[] {
  const words = text.slice(region.start, region.end);
  const name = /^\s*([\w.-]+)/.exec(words);
  return name
    ? [{ kind: "dependency", key: name[1]!, value: words.slice(name[0].length).trim(), region }]
    : [];
}
