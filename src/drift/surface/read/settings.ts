import type { Thing } from "../thing.ts";
import type { CodeText } from "./code-text.ts";
import { inStyle } from "./names.ts";
import { marks, type OfferedDeclaration } from "./symbols.ts";

/** Settings in the tags of Go. */
export function readTags(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  return offered.flatMap((each) => readTag(each, code));
}

const TAG =
  /\b(yaml|json|toml|mapstructure|hcl|koanf|ini|xml|env|envconfig|default|usage|description):"([^"]*)"/g;

function readTag(each: OfferedDeclaration, code: CodeText): Thing[] {
  const { declaration } = each;
  if (!declaration.tag) return [];
  const tags = new Map(Array.from(declaration.tag.matchAll(TAG), (match) => [match[1]!, match[2]!] as const));
  const common = {
    at: declaration.nameRegion.start,
    region: declaration.region,
    ...(declaration.type && { type: declaration.type }),
    ...(tags.has("default") && { value: tags.get("default")! }),
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
  ];
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
  const names = [name, ...Array.from(preamble.matchAll(/\balias\s*=\s*"([^"]+)"/g), (match) => match[1]!)];
  return names.map((spelling) =>
    code.thing({
      kind: declaration.kind === "member" ? "enum-value" : "setting",
      name: spelling,
      owner: declaration.path.slice(0, -1),
      at: declaration.nameRegion.start,
      region: declaration.region,
      exported: "yes",
      ...(declaration.type && { type: declaration.type }),
      ...marks(each),
    }),
  );
}

/** Settings in the annotations of Spring: `@Value("${server.port:8080}")`. */
export function readPlaceholders(code: CodeText): Thing[] {
  return [...code.calls(/@(?:field:)?Value\s*\(/g)].flatMap((call) => {
    const text = call.arguments[0]?.string?.replace(/^\\/, "");
    const match = /^\$\{([\w.-]+)(?::([^}]*))?\}$/.exec(text ?? "");
    if (!match) return [];
    const value = match[2] === undefined ? {} : { value: match[2] };
    return [code.thing({ kind: "setting", name: match[1]!, at: call.arguments[0]!.start, ...value })];
  });
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
  return withRustDefaults([...others, ...settings], offered, code);
}

/** Gives the fields of a Rust struct the values that `impl Default` writes for them. */
function withRustDefaults(
  things: readonly Thing[],
  offered: readonly OfferedDeclaration[],
  code: CodeText,
): readonly Thing[] {
  const defaults = new Map<string, string>();
  for (const { declaration } of offered) {
    if (declaration.name !== "default" || declaration.kind !== "method" || !declaration.body) continue;
    const owner = declaration.path.at(-2)!;
    const { start, end } = declaration.body;
    const literal = /\b(?:Self|[A-Z]\w*)\s*(?:::\s*\w+\s*)?\{/.exec(code.code.slice(start + 1, end));
    const group = literal && code.readGroup(start + literal.index + literal[0].length);
    for (const { name, text } of group?.arguments ?? [])
      if (name && text.length <= 300) defaults.set(`${owner}\0${name}`, text);
  }
  if (defaults.size === 0) return things;
  return things.map((thing) => {
    const value =
      defaults.get(`${thing.owner.at(-1)}\0${thing.name}`) ??
      defaults.get(`${thing.owner.at(-1)}\0${thing.name.replaceAll("-", "_")}`);
    return value !== undefined && thing.value === undefined && /^(?:member|setting)$/.test(thing.kind)
      ? { ...thing, value }
      : thing;
  });
}

/** Gives the keys of a schema in code the default and the description that their validators carry. */
export function joinSchemaCalls({ symbols, settings, offered, code }: FoundSettings): readonly Thing[] {
  const things = [...symbols, ...settings];
  const chains = new Map<number, string>();
  for (const { declaration } of offered)
    if (
      declaration.kind === "property" &&
      declaration.value &&
      /^(?:z|v|yup|joi|Joi|c|Field|fields?|attr|vol|config_options)\b/.test(declaration.value)
    )
      chains.set(declaration.region.start, declaration.value.slice(0, 2000));
  if (chains.size === 0) return things;
  return things.map((thing) => {
    const chain = chains.get(thing.region.start);
    if (chain === undefined || thing.path !== code.path) return thing;
    const { value: _, ...rest } = thing;
    return { ...rest, ...readChain(chain) };
  });
}

function readChain(chain: string): Pick<Thing, "value" | "description" | "type"> {
  const value =
    /\.(?:default|catch|optional)\(\s*([^()]+?)\s*\)|\bdefault\s*=\s*([^,()]+|[^,()]*\([^()]*\))/.exec(chain);
  const description =
    /\.(?:describe|description)\(\s*(["'`])([\s\S]*?)\1\s*\)|\bdescription\s*=\s*(["'])([\s\S]*?)\3/.exec(
      chain,
    );
  const type = /^[\w.]+/.exec(chain)?.[0];
  const written = (value?.[1] ?? value?.[2])?.trim();
  const words = description?.[2] ?? description?.[4];
  return {
    ...(type !== undefined && { type }),
    ...(written && { value: written }),
    ...(words && { description: words }),
  };
}
