import type { CodeText } from "./read/code-text.ts";
import type { OfferedDeclaration } from "./read/symbols.ts";
import type { Thing } from "./thing.ts";

/** Finds the things of a name in the whole project. */
export type FindThings = (name: string) => Promise<readonly Thing[]>;

/**
 * Whether all members of the owner of a thing can be listed, so that a member that no declaration names is missing: the
 * flags of a parser, the values of an enumeration, the scripts of a package, the members of a type whose bases are all
 * in the project. A variable, a route, a key that a program only looks up have no such owner.
 */
export async function isClosed(member: Thing, find: FindThings): Promise<boolean> {
  if (member.kind === "flag" || member.kind === "command") return !member.open;
  if (member.kind === "enum-value" || member.kind === "script") return true;
  const owner = member.owner.at(-1);
  if (owner === undefined || (member.kind !== "member" && member.kind !== "setting")) return false;
  return isClosedType(owner, find, new Set());
}

const MOST_TYPES = 30;

/** Bases that add nothing that a page would name as a member. */
const EMPTY_BASES: ReadonlySet<string> = new Set(
  "ABC Enum Flag Generic IntEnum NamedTuple Protocol Serializable StrEnum Struct TypedDict BaseModel BaseSettings".split(
    " ",
  ),
);

async function isClosedType(name: string, find: FindThings, seen: Set<string>): Promise<boolean> {
  if (seen.has(name)) return true;
  seen.add(name);
  const types = (await find(name)).filter(
    ({ kind, declaration }) => kind === "symbol" && declaration !== undefined,
  );
  if (types.length === 0 || seen.size > MOST_TYPES || types.some(({ open }) => open)) return false;
  for (const base of new Set(types.flatMap(({ bases = [] }) => bases)))
    if (!EMPTY_BASES.has(base) && !(await isClosedType(base, find, seen))) return false;
  return true;
}

/** Methods that answer for members that no declaration lists. */
const CATCH_ALL: ReadonlySet<string> = new Set(
  "__getattr__ __getattribute__ method_missing respond_to_missing? __call __callStatic __get".split(" "),
);

/** Words of a parser that lets flags pass that it does not know, or that gets flags from elsewhere. */
const LENIENT =
  /\b(?:parse_known_args|ignore_unknown_options|allowUnknownOption|allow_unknown|UnknownFlags|allow_external_subcommands)\b|\.Add(?:Go)?Flags?(?:Set)?\(|\(flatten\)|\bparents\s*=/;

/** `[key: string]: unknown`, `extra = "allow"`. */
const INDEX = /^[^\S\n]*(?:readonly\s+)?\[\w+\s*:\s*string\]\s*\??:|\bextra\s*=\s*["']\u0001{5}["']/m;

/** Marks the types and the flags of a file whose members or neighbours no declaration lists. */
export function withOpenness(
  things: readonly Thing[],
  offered: readonly OfferedDeclaration[],
  code: CodeText,
): readonly Thing[] {
  const open = new Set<string>();
  for (const { declaration } of offered) {
    const { name, path, kind, region } = declaration;
    if (CATCH_ALL.has(name) && path.length > 1) open.add(path.at(-2)!);
    if (path.length === 1 && TYPES.has(kind) && INDEX.test(code.code.slice(region.start, region.end)))
      open.add(name);
  }
  const isLenient = LENIENT.test(code.code);
  if (open.size === 0 && !isLenient) return things;
  return things.map((thing) => {
    const isOpen =
      thing.kind === "flag" || thing.kind === "command"
        ? isLenient
        : thing.kind === "symbol" && open.has(thing.name);
    return isOpen ? { ...thing, open: true } : thing;
  });
}

const TYPES: ReadonlySet<string> = new Set(["class", "interface", "type", "struct"]);
