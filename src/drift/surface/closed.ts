import type { CodeText } from "./read/code-text.ts";
import type { OfferedDeclaration } from "./read/symbols.ts";
import type { Thing } from "./thing.ts";

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
