import { defined } from "../../../text/model/defined.ts";
import { commandThing, flagThings } from "../library/flag-things.ts";
import type { Thing } from "../thing.ts";
import { withConstructed } from "../values/constructed.ts";
import { readLimits } from "../values/limits.ts";
import type { CodeText } from "./code-text.ts";
import { inStyle, kebab } from "./names.ts";
import { marks, type OfferedDeclaration } from "./symbols.ts";

/** Settings in the tags of Go. */
export function readTags(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  return offered.flatMap((each) => readTag(each, code));
}

const TAG_WORDS = [
  ...["yaml", "json", "toml", "mapstructure", "hcl", "koanf", "ini", "xml", "env", "envconfig"],
  ...["default", "envDefault", "env-default", "usage", "description", "help"],
  ...["name", "long", "short", "enum", "choice", "cmd", "arg"],
];
const TAG = new RegExp(`\\b(${TAG_WORDS.join("|")}):"([^"]*)"`, "g");

function readTag(each: OfferedDeclaration, code: CodeText): Thing[] {
  const { declaration } = each;
  if (!declaration.tag) return [];
  const tags = new Map(Array.from(declaration.tag.matchAll(TAG), (match) => [match[1]!, match[2]!] as const));
  const value = tags.get("default") ?? tags.get("envDefault") ?? tags.get("env-default");
  const common = {
    at: declaration.nameRegion.start,
    region: declaration.region,
    ...defined({ type: declaration.type || undefined, value }),
    ...marks(each),
  };
  const names = new Set<string>();
  for (const library of SETTING_TAGS) {
    const name = tags.get(library)?.split(",")[0];
    if (name && name !== "-") names.add(name);
  }
  const variable = (tags.get("env") ?? tags.get("envconfig"))?.split(",")[0];
  return [
    ...[...names].map((name) =>
      code.thing({ kind: "setting", name, owner: declaration.path.slice(0, -1), ...common }),
    ),
    ...(variable ? [code.thing({ kind: "environment", name: variable, ...common })] : []),
    ...tagFlags(each, code, { tags, value }),
  ];
}

type FlagTags = { readonly tags: ReadonlyMap<string, string>; readonly value: string | undefined };

/** The flags of go-flags, kong and go-arg: `long:"count" short:"n" default:"4"`, `arg:"-n,--count"`; kong names a flag after its field. */
function tagFlags(
  { declaration, parent }: OfferedDeclaration,
  code: CodeText,
  { tags, value }: FlagTags,
): Thing[] {
  const isKong = code.has(/\bkong\b/);
  const long = tags.get("long") ?? (isKong ? tags.get("name") : undefined);
  const listed = (tags.get("arg") ?? "").split(",").filter((name) => name.startsWith("-"));
  if (long === undefined && !isKong && listed.length === 0) return [];
  const { nameRegion, name, region, tag = "" } = declaration;
  const place = {
    at: nameRegion.start,
    end: region.end,
    description: tags.get("help") ?? tags.get("description"),
  };
  if (tags.has("cmd")) return commandThing(code, { ...place, name: kebab(name) });
  const words = Array.from(tag.matchAll(/\b(?:choice|enum):"([^"]*)"/g), (match) => match[1]!.split(","));
  const short = tags.get("short");
  return flagThings(code, {
    ...place,
    names: listed.length > 0 ? listed : [`--${long ?? kebab(name)}`, ...(short ? [`-${short}`] : [])],
    owner: /\bcmd:"/.test(parent?.tag ?? "") ? [kebab(parent!.name)] : [],
    value,
    choices: words.flat().filter(Boolean),
  });
}

const SETTING_TAGS = ["yaml", "json", "toml", "mapstructure", "hcl", "koanf", "ini"] as const;

/** Settings in the attributes of serde. */
export function readSerde(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  return offered.flatMap((each) => readSerdeField(each, code));
}

/** A field of a struct that serde reads under another name; one with the same name is a setting already. */
function readSerdeField(each: OfferedDeclaration, code: CodeText): Thing[] {
  const { declaration, parent, preamble } = each;
  if (!parent || !/^(?:property|member)$/.test(declaration.kind)) return [];
  const head = code.text.slice(parent.region.start, parent.signature.start);
  if (!/\bderive\([^)]*\b(?:Deserialize|Serialize)\b/.test(head)) return [];
  const own = /#\[serde\([^\]]*\brename\s*=\s*"([^"]+)"/.exec(preamble)?.[1];
  const style = /#\[serde\([^\]]*\brename_all\s*=\s*"([^"]+)"/.exec(head)?.[1];
  const name = own ?? inStyle(declaration.name, style);
  if (declaration.kind === "member" && name === declaration.name) return [];
  const maker = /#\[serde\([^\]]*\bdefault\s*=\s*"([\w:]+)"/.exec(preamble)?.[1];
  const names = [name, ...Array.from(preamble.matchAll(/\balias\s*=\s*"([^"]+)"/g), (match) => match[1]!)];
  return names.map((spelling) =>
    code.thing({
      kind: declaration.kind === "member" ? "enum-value" : "setting",
      name: spelling,
      owner: declaration.path.slice(0, -1),
      at: declaration.nameRegion.start,
      region: declaration.region,
      exported: "yes",
      ...defined({ type: declaration.type || undefined, value: maker ? `${maker}()` : undefined }),
      ...marks(each),
    }),
  );
}

/** The symbols that a file declares, and the settings whose names are written beside a field. */
export type FoundSettings = {
  readonly symbols: readonly Thing[];
  readonly settings: readonly Thing[];
  readonly offered: readonly OfferedDeclaration[];
  readonly code: CodeText;
};

/** A field that serde reads is one thing: the setting. */
export function joinSerde({ symbols, settings, offered, code }: FoundSettings): readonly Thing[] {
  const places = new Set(settings.filter(({ kind }) => kind === "setting").map(({ region }) => region.start));
  const others = symbols.filter(
    ({ region, kind }) => !places.has(region.start) || (kind !== "member" && kind !== "setting"),
  );
  return withConstructed([...others, ...settings], offered, code);
}

/** A field of a Go struct and the key of its tag are two names of one value. */
export function joinTags({ symbols, settings, offered, code }: FoundSettings): readonly Thing[] {
  return withConstructed([...symbols, ...settings], offered, code);
}

/** Gives the keys of a schema in code the default and the description that their validators carry. */
export function joinSchemaCalls({ symbols, settings, offered, code }: FoundSettings): readonly Thing[] {
  const things = [...symbols, ...settings];
  const chains = new Map<number, string>();
  for (const { declaration } of offered)
    if (
      declaration.kind === "property" &&
      declaration.value &&
      /^(?:z|v|yup|joi|Joi|c|Field|fields?|attrs?|vol|config_options|serializers|models|forms)\b/.test(
        declaration.value,
      )
    )
      chains.set(declaration.region.start, declaration.value.slice(0, 2000));
  if (chains.size === 0) return things;
  return things.map((thing) => {
    const chain = chains.get(thing.region.start);
    if (chain === undefined || thing.path !== code.path) return thing;
    const { value: _, ...rest } = thing;
    return { ...readChain(chain), ...rest, ...readLimits(chain) };
  });
}

function readChain(chain: string): Pick<Thing, "value" | "description" | "type" | "choices"> {
  const value =
    /\.(?:default|catch|optional)\(\s*([^()]+?)\s*\)|\bdefault\s*=\s*([^,()]+|[^,()]*\([^()]*\))/.exec(
      chain,
    ) ?? /^Field\(\s*()([^,()=]+?)\s*[,)]/.exec(chain);
  const description =
    /\.(?:describe|description)\(\s*(["'`])([\s\S]*?)\1\s*\)|\bdescription\s*=\s*(["'])([\s\S]*?)\3/.exec(
      chain,
    );
  const type = /^[\w.]+/.exec(chain)?.[0];
  const written = (value?.[1] || value?.[2])?.trim();
  const words = description?.[2] ?? description?.[4];
  return {
    ...defined({ type, value: written || undefined, description: words || undefined }),
    ...choicesOf(chain),
  };
}

/** `z.enum(["a", "b"])`, `v.picklist(["a", "b"])`, `z.union([z.literal("a"), z.literal("b")])`. */
function choicesOf(chain: string): Pick<Thing, "choices"> {
  const list = /^[\w.]*\.(?:enum|picklist|union|oneOf|nativeEnum|valid)\(\s*\[([^\]]*)\]/.exec(chain)?.[1];
  const choices = Array.from(list?.matchAll(/(["'])(.*?)\1/g) ?? [], (match) => match[2]!);
  return choices.length > 0 ? { choices } : {};
}
