import type { Thing } from "../surface/thing.ts";

/** How the words of a page name a thing of the project. The tiers rest on it. */
export const BOUND_BY = [
  /** With its owner or its whole path: `Client.get`. */
  "qualified",
  /** By an import of the project in the sample. */
  "import",
  /** In a role or a directive: ``:class:`Client` ``. */
  "role",
  /** On the command line of the project's own program. */
  "command",
  /** By the path of a file, or a heading of a file. */
  "file",
  /** As a member of an owner whose members can all be listed. */
  "closed owner",
  /** The sentence names the owner. */
  "sentence",
  /** A heading is the owner's name. */
  "section",
  /** A manifest of the package that the page belongs to. */
  "package",
  /** The only thing of a name that is hardly ever an ordinary word. */
  "shape",
  /** The only thing of a name that may be an ordinary word. */
  "word",
  /** The words are those of a text of the program. */
  "text",
  /** The comment stands above the declaration. */
  "declaration",
] as const;

export type BoundBy = (typeof BOUND_BY)[number];

/** Why words are bound to nothing: they are no claim about the project, or it is not known what they are about. */
export type Unbound = { readonly is: "none" | "undecidable"; readonly why: string };

/** The part of a thing that reports show: its name, and the line that declares it. */
export type BoundThing = Pick<Thing, "name" | "path" | "line">;

/** The same with the line that declares it, as it was when the words were true. */
export type DeclaredThing = BoundThing & { readonly declaration: string };

/** The thing that a claim is bound to, and the way. */
export type BoundTo = { readonly thing: BoundThing; readonly by: BoundBy };

/** The same from things that are equal in what is claimed: the first one stands for all. */
export function boundTo([thing]: readonly BoundThing[], by: BoundBy): BoundTo | Record<string, never> {
  return thing ? { thing, by } : {};
}
