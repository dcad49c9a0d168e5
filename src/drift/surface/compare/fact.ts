import type { Thing } from "../thing.ts";

/** How one thing of a surface changed. */
export type Fact = {
  readonly kind: FactKind;
  /** The thing's id before the change; of an added thing, after it. */
  readonly id: string;
  readonly before?: Thing;
  readonly after?: Thing;
  /** Of a fact about a parameter: its name before, or after where it was added. */
  readonly parameter?: string;
  /** Of a renamed parameter: its new name. */
  readonly newParameter?: string;
  /** What changed, as written: a type, a default, a description. Absent where there was none. */
  readonly from?: string;
  readonly to?: string;
  /** Of a rename or a move: the agreements found, and how strong they are together, 0 to 1. */
  readonly evidence?: readonly Agreement[];
  readonly score?: number;
  /** Of a deprecation: the replacement that its text recommends. */
  readonly instead?: string;
  /** Of a removal: other files that still declare a thing of this id. */
  readonly elsewhere?: readonly string[];
  /** The id of the removed or added owner that took this thing with it. */
  readonly cause?: string;
};

export type FactKind =
  | "removed"
  | "renamed"
  | "moved"
  | "added"
  | "parameter-removed"
  | "parameter-added"
  | "parameter-renamed"
  | "parameters-reordered"
  | "type-changed"
  | "default-changed"
  | "value-removed"
  | "value-added"
  | "deprecated"
  | "description-changed";

export type Agreement =
  | "name"
  | "declaration"
  | "parameters"
  | "type"
  | "value"
  | "description"
  | "body"
  | "members"
  | "position"
  | "file"
  | "replacement";
