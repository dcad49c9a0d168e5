import type { Region } from "../../text/model/region.ts";

/** A value of a data file (JSON, YAML, TOML) and where it is written. */
export type DataNode = {
  readonly kind: "map" | "list" | "scalar";
  /** The value as written; of a quoted string, the text between the quotes. */
  readonly region: Region;
  /** A scalar's text, quotes and escapes read. */
  readonly value?: string;
  readonly entries?: readonly DataEntry[];
  readonly items?: readonly DataNode[];
};

export type DataEntry = { readonly key: string; readonly keyRegion: Region; readonly node: DataNode };

/** What could be read of a data file, and the first thing that is wrong with it. */
export type DataScan = {
  readonly root?: DataNode;
  readonly trouble?: { readonly offset: number; readonly why: string };
};

/** The node reached by keys from `node`, where every step is there. */
export function dataAt(node: DataNode | undefined, ...keys: readonly string[]): DataNode | undefined {
  let at = node;
  for (const key of keys) at = at?.entries?.find((entry) => entry.key === key)?.node;
  return at;
}
