import type { Region } from "../../../text/model/region.ts";
import { type Thing, thingId } from "../thing.ts";
import type { CodeText } from "./code-text.ts";
import type { OfferedDeclaration } from "./symbols.ts";

const MOST_BASES = 8;

/**
 * The members that a type has from a type of the same file that is not offered, as members of its own. Members of an
 * offered base stay with it: each declaration is offered once.
 */
export function withInherited(
  things: readonly Thing[],
  offered: readonly OfferedDeclaration[],
  code: CodeText,
): readonly Thing[] {
  const all = findBases(offered, code);
  const hidden = new Set(
    offered.filter(({ exported }) => exported === "no").map(({ declaration }) => declaration.path.join(".")),
  );
  const bases = new Map(
    [...all].flatMap(([name, words]) => {
      const own = words.filter((word) => hidden.has(word));
      return own.length > 0 ? [[name, own] as const] : [];
    }),
  );
  const marked = all.size === 0 ? things : things.map((thing) => withBases(thing, all));
  if (bases.size === 0) return marked;
  const byOwner = Map.groupBy(things.filter(isMember), ({ owner }) => owner.join("\0"));
  const types = new Map(
    things.flatMap((thing) => (thing.kind === "symbol" ? [[thing.name, thing] as const] : [])),
  );
  const inherited: Thing[] = [];
  for (const name of bases.keys()) {
    const known = new Set((byOwner.get(name) ?? []).map((thing) => thing.name));
    for (const base of allBases(name, bases))
      for (const thing of byOwner.get(base) ?? []) {
        if (known.has(thing.name)) continue;
        known.add(thing.name);
        inherited.push(asMemberOf(thing, name, types.get(name)));
      }
  }
  return [...marked, ...inherited];
}

function withBases(thing: Thing, all: ReadonlyMap<string, readonly string[]>): Thing {
  const bases = all.get([...thing.owner, thing.name].join("."));
  return bases ? { ...thing, bases } : thing;
}

function isMember({ kind, owner, name }: Thing): boolean {
  return owner.length === 1 && (kind === "member" || kind === "setting") && !/^[#_]/.test(name);
}

function asMemberOf(thing: Thing, owner: string, type: Thing | undefined): Thing {
  // A type that nobody can name may be the base of one that everybody can.
  const exported = type?.exported ?? thing.exported;
  const isOption = /(?:Options?|Opts|Config|Settings|Props)$/.test(owner) && !/\.go$/.test(thing.path);
  const kind = isOption && thing.parameters === undefined ? "setting" : thing.kind;
  return { ...thing, kind, owner: [owner], id: thingId(kind, [owner], thing.name), exported };
}

const KEYWORDS: ReadonlySet<string> = new Set(
  "extends implements with public private protected internal virtual where class struct interface type object readonly".split(
    " ",
  ),
);

const TYPES: ReadonlySet<string> = new Set(["class", "interface", "struct", "type", "trait", "module"]);

/** The bases that the head of each type names, and what its body takes in. */
function findBases(
  offered: readonly OfferedDeclaration[],
  code: CodeText,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const { declaration } of offered) {
    const { nameRegion, body, signature, kind, name, region, path } = declaration;
    if (!TYPES.has(kind)) continue;
    const isAlias = kind === "type" && code.family === "javascript";
    const end = isAlias ? region.end : (body?.start ?? signature.end);
    const head = withoutArguments(code.code.slice(nameRegion.end, Math.min(end, nameRegion.end + 400)), code);
    const words = isAlias ? intersected(head) : kind === "module" ? "" : head;
    const bases = Array.from(
      words.matchAll(/(?<![\w.])(?:\w+(?:\.|::))*([A-Za-z_]\w*)(?!\s*=)/g),
      (match) => match[1]!,
    ).filter((word) => word !== name && !KEYWORDS.has(word));
    const all = [...new Set([...bases, ...takenIn(code, region)])].slice(0, MOST_BASES);
    if (all.length > 0) found.set(path.join("."), all);
  }
  return found;
}

/** A head without parameters of types and of constructors. Python writes its bases in brackets. */
function withoutArguments(head: string, { family }: CodeText): string {
  if (family === "python") return head.replace(/\[[^[\]]*\]|\w+\s*=\s*[\w.]+/g, " ");
  return head
    .replace(/<[^<>]*>/g, " ")
    .replace(/<[^<>]*>/g, " ")
    .replace(/\([^()]*\)/g, " ");
}

/** `= Common & { … }`: the types that an alias joins, or the one that it stands for. */
function intersected(head: string): string {
  const parts = head.replace(/\{[^{}]*\}?/g, " ").split("&");
  return parts.length > 1 || /^\s*=\s*[\w.]+\s*;?\s*$/.test(head) ? parts.join(" ") : "";
}

/** A line of a struct or an interface of Go that is only a type; a trait of PHP; a module that Ruby mixes in. */
const TAKEN_IN: Readonly<Record<string, RegExp>> = {
  go: /^[ \t]*\*?(?:\w+\.)?([A-Za-z]\w*)[ \t]*(?:`[^`\n]*`)?$/gm,
  php: /^[ \t]*use[ \t]+(?:\w+\\)*(\w+)/gm,
  ruby: /^[ \t]*(?:include|extend|prepend)[ (]+(?:\w+::)*([A-Z]\w*)/gm,
};

function takenIn({ code, family }: CodeText, { start, end }: Region): string[] {
  const form = TAKEN_IN[family];
  const lines = form ? code.slice(start, Math.min(end, start + 20_000)).matchAll(form) : [];
  return Array.from(lines, (line) => line[1] ?? "");
}

function allBases(name: string, bases: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  const waiting = [...(bases.get(name) ?? [])];
  for (let at = 0; at < waiting.length && found.length < MOST_BASES; at++) {
    const base = waiting[at] ?? "";
    if (base === name || found.includes(base)) continue;
    found.push(base);
    waiting.push(...(bases.get(base) ?? []));
  }
  return found;
}
