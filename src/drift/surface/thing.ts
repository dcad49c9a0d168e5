import type { Region } from "../../text/model/region.ts";

/*
 * The surface: the things that a project offers its users, and how two surfaces differ. Pure, no disk.
 *
 *   readSurface(path, text)         the things that one file declares (read-surface.ts)
 *   compareSurfaces(before, after)  the facts: how the things of two trees differ (compare/compare-surfaces.ts)
 *
 * A thing is declared, never merely used: a symbol, a flag of a command line parser, a variable that is read from the
 * environment, a key of a settings table. Local names, tests, fixtures, examples, CI and vendored code offer nothing.
 * `read/` turns the declarations of a file into things, `values/` finds their defaults, `library/` knows how command line
 * libraries declare flags, `contracts/` reads files that describe an interface,
 * `compare/` pairs things of two surfaces. `closed.ts` says whether all members of an owner can be listed, `offered.ts`
 * whether a user can reach a thing.
 *
 * Several files may have things of the same id: overloads, copies, platforms. A caller that passes only the changed
 * files sees no survivors outside of them; a caller that passes the whole tree does.
 */

export type ThingKind =
  /** A declaration at the top of a module: function, class, type, constant. */
  | "symbol"
  /** A method or property of a symbol. */
  | "member"
  /** A name destructured from a parameter: `function get({ retries = 3 })`. Plain parameters are in `parameters`. */
  | "parameter"
  /** A value of an enumeration, a union of strings or a list of choices. Its owner is the enumeration or the key. */
  | "enum-value"
  /** A command of the command line, or an installed binary. */
  | "command"
  /** A flag as a reader types it: `--base`, `-b`. Its owner is the command where one is known. */
  | "flag"
  | "environment"
  /** A key that a reader writes into a configuration file or an options object. */
  | "setting"
  | "script"
  /** A path that a server answers. Its owner is the method. */
  | "route"
  /** An error code. */
  | "error"
  /** The text of an error that the project raises. */
  | "message"
  /** A published package, or a subpath of one. */
  | "package"
  /** The version of a package, or the version of an engine that it needs. */
  | "version";

export type ThingParameter = {
  readonly name: string;
  readonly type?: string;
  readonly default?: string;
  readonly optional?: boolean;
  readonly rest?: boolean;
  /** It is passed by its name only, or by its place only. */
  readonly keyword?: "only" | "never";
};

export type ThingLimits = { readonly least?: string; readonly most?: string };

export type Thing = {
  readonly kind: ThingKind;
  /** Identity within the project: kind, owner and name, without the file. */
  readonly id: string;
  /** As documents write it: `get`, `--base`, `SUTURE_ROOT`, `build`. */
  readonly name: string;
  /** Enclosing types, command, settings section or package; outermost first. */
  readonly owner: readonly string[];
  readonly path: string;
  /** The line of the name, from 1. */
  readonly line: number;
  /** The whole declaration. */
  readonly region: Region;
  /** Whether a user can reach it. */
  readonly exported: "yes" | "no" | "unknown";
  /** The signature as written. */
  readonly declaration?: string;
  readonly parameters?: readonly ThingParameter[];
  /** The type; of a function, what it returns. */
  readonly type?: string;
  /** The default or the constant value as written. */
  readonly value?: string;
  /** The values that it accepts, if the declaration lists them. */
  readonly choices?: readonly string[];
  /** The smallest and the largest number or length that it accepts, as written. */
  readonly limits?: ThingLimits;
  /** The program whose command line it belongs to, if the file says which. */
  readonly program?: string;
  /** The first paragraph of the documentation: help text, docstring, JSDoc, schema description. */
  readonly description?: string;
  /** The text of the mark, "" without text. Only when this declaration carries the mark. */
  readonly deprecated?: string;
  /** The name that it has where it is declared, if this declaration offers it under another one. */
  readonly alias?: string;
  /** The types that a type extends, embeds or joins, by their names in the code. */
  readonly bases?: readonly string[];
  /** It takes members that no declaration lists: `__getattr__`, an index signature, a parser that lets other flags pass. */
  readonly open?: true;
  /** A sketch of the body, so that a renamed function is recognised: the smallest hashes of its lines. */
  readonly sketch?: readonly number[];
};

export function thingId(kind: ThingKind, owner: readonly string[], name: string): string {
  return `${kind} ${[...owner, name].join(" > ")}`;
}
