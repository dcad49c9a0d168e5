import type { Region } from "../../text/model/region.ts";

export type DeclarationKind =
  | "function"
  | "method"
  | "class"
  | "interface"
  | "type"
  | "enum"
  | "member"
  | "property"
  | "variable"
  | "constant"
  | "module"
  | "struct"
  | "trait"
  | "macro";

export type Parameter = {
  readonly name: string;
  readonly region: Region;
  readonly type?: string;
  readonly default?: string;
  readonly optional?: boolean;
  readonly rest?: boolean;
  /** It is passed by its name only, or by its place only. */
  readonly keyword?: "only" | "never";
};

/** One declaration of a source file. Regions refer to the file's text. */
export type Declaration = {
  readonly kind: DeclarationKind;
  readonly name: string;
  /** Names from the outermost holder to this one: `["Client", "get"]`. */
  readonly path: readonly string[];
  /** Whole declaration with its doc comment and decorators. */
  readonly region: Region;
  readonly nameRegion: Region;
  /** From the first keyword up to the body: what a reader calls the signature. */
  readonly signature: Region;
  readonly body?: Region;
  readonly doc?: Region;
  readonly visibility: "public" | "private" | "unknown";
  readonly parameters?: readonly Parameter[];
  readonly returns?: string;
  /** A variable's, property's, member's or option's value as written. */
  readonly value?: string;
  readonly type?: string;
  /** The exported name, if different: `b` of `export { a as b }`, `default`. */
  readonly exportedAs?: string;
  /** Its own mark of deprecation: an attribute, or a line of its doc comment. */
  readonly deprecated?: Region;
  /** A Go field's tag as written: where options keep the names they have outside. */
  readonly tag?: string;
};

/** The declarations of a source file. `grammar: "none"` means that it could not be parsed. */
export type SourceOutline = {
  readonly language: string;
  readonly grammar: "tree-sitter" | "none";
  readonly declarations: readonly Declaration[];
  /** First line that did not parse, where there is one. */
  readonly brokenAt?: number;
  /** Why a file in a known language has no declarations. */
  readonly trouble?: string;
};
