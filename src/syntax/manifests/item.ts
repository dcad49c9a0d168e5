import { defined } from "../../text/model/defined.ts";
import type { Region } from "../../text/model/region.ts";
import type { DataEntry, DataNode } from "../data/data.ts";

export type ManifestKind =
  | "name"
  | "version"
  | "engine"
  | "dependency"
  | "bin"
  | "entry-point"
  | "script"
  | "export"
  | "feature"
  | "env"
  | "arg"
  | "port"
  | "image"
  | "service"
  | "input"
  | "output"
  | "workspace";

/** One statement of a manifest that a reader of the docs may meet. `region` is the value's, without quotes. */
export type ManifestItem = {
  readonly kind: ManifestKind;
  readonly key: string;
  readonly value: string;
  readonly region: Region;
  /** Where the name is written, when the file writes one. */
  readonly keyRegion?: Region;
};

/** One kind of manifest. A new kind is a file that exports one of these and a line in the registry. */
export type Manifest = {
  readonly name: string;
  /** Paths of files of this kind. */
  readonly files: RegExp;
  /** Whether it names the packages that the project needs. */
  readonly namesPackages?: boolean;
  /** Whether it says which versions of runtimes or services are used, without naming packages. */
  readonly demands?: true;
  /** Whether its versions are those that the project itself works with, and others may do too. */
  readonly pins?: true;
  readonly read: (text: string, path: string) => ManifestItem[];
};

/** An item for a scalar; nothing for a map or a list. */
export function itemOf(
  kind: ManifestKind,
  key: string,
  node: DataNode | undefined,
  keyRegion?: Region,
): ManifestItem[] {
  if (node?.kind !== "scalar") return [];
  return [{ kind, key, value: node.value ?? "", region: node.region, ...defined({ keyRegion }) }];
}

/** An item for the scalar that `key` has in a map, named `as` where the manifest and its readers use two words. */
export function fieldItem(
  kind: ManifestKind,
  node: DataNode | undefined,
  key: string,
  as: string = key,
): ManifestItem[] {
  const entry = node?.entries?.find((each) => each.key === key);
  return entry ? itemOf(kind, as, entry.node, entry.keyRegion) : [];
}

/** An item for each entry of a map. The value of an entry that is a map or a list is empty. */
export function itemsOf(kind: ManifestKind, node: DataNode | undefined): ManifestItem[] {
  return (node?.entries ?? []).map((entry) => entryItem(kind, entry));
}

/** An item for each scalar of a list; its text is both the key and the value. */
export function listItems(kind: ManifestKind, node: DataNode | undefined): ManifestItem[] {
  return (node?.items ?? []).flatMap((item) => itemOf(kind, item.value ?? "", item, item.region));
}

export function entryItem(kind: ManifestKind, { key, keyRegion, node }: DataEntry): ManifestItem {
  return { kind, key, value: node.value ?? "", region: node.region, keyRegion };
}

/** `name>=1.2`, `name @ url`, `name[extra]`: the name, and the version or source that follows it. */
export function requirement(text: string, region: Region): ManifestItem[] {
  const words = text.slice(region.start, region.end);
  const name = /^(\s*)([\w.-]+)/.exec(words);
  if (!name) return [];
  const start = region.start + name[1]!.length;
  const keyRegion = { start, end: start + name[2]!.length };
  return [
    { kind: "dependency", key: name[2]!, value: words.slice(name[0].length).trim(), region, keyRegion },
  ];
}

/** The items of a part of a file, at their places in the whole file. */
export function shiftItems(items: readonly ManifestItem[], by: number): ManifestItem[] {
  const shift = ({ start, end }: Region): Region => ({ start: start + by, end: end + by });
  return items.map((item) => ({
    ...item,
    region: shift(item.region),
    ...defined({ keyRegion: item.keyRegion ? shift(item.keyRegion) : undefined }),
  }));
}

/** An item of which only the name is written: a target, a recipe, a session. */
export function namedItem(kind: ManifestKind, name: string, start: number): ManifestItem {
  const region = { start, end: start + name.length };
  return { kind, key: name, value: "", region, keyRegion: region };
}

/** The version of a dependency, which is its value or the field `version` of a table. */
export function versionNode(node: DataNode): DataNode | undefined {
  return node.kind === "map" ? node.entries?.find(({ key }) => key === "version")?.node : node;
}
