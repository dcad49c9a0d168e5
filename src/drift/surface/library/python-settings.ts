import { defined } from "../../../text/model/defined.ts";
import type { CodeText } from "../read/code-text.ts";
import type { OfferedDeclaration } from "../read/symbols.ts";
import type { Thing } from "../thing.ts";
import { readDefaultTables } from "../values/option-defaults.ts";
import { bareValue, isPlainValue } from "../values/value-text.ts";
import { flagThings, named } from "./flag-things.ts";

/** Settings that Python reads with a default: modules of settings, tables of defaults, classes of settings. */
export function readPythonSettings(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  return [
    ...readAttributes(code),
    ...readDefaultTables(code),
    ...readPrefixedVariables(code, offered),
    ...readSections(code),
    ...readToolTables(code),
    ...readDeclaredClasses(code, offered),
  ];
}

/** `getattr(settings, "APP_TIMEOUT", 30)`. */
function readAttributes(code: CodeText): Thing[] {
  return [...code.calls(/\bgetattr\s*\((?=\s*(?:\w+\.)*\w*(?:settings|config|conf|options)\b)/g)].flatMap(
    (call) => {
      const [, name, value] = call.arguments;
      if (name?.string === undefined || !/^[A-Za-z]\w*$/.test(name.string)) return [];
      const plain = value && bareValue(value.text);
      const isKnown = plain !== undefined && isPlainValue(plain) && plain !== "None";
      return [
        code.thing({
          kind: "setting",
          name: name.string,
          at: name.start,
          ...defined({ value: isKnown ? plain : undefined }),
        }),
      ];
    },
  );
}

/** `config.getint("server", "port", fallback=80)` of configparser. */
function readSections(code: CodeText): Thing[] {
  const pattern = /\.get(?:int|float|boolean)?\s*\((?=\s*["']\u0001+["']\s*,\s*["']\u0001+["'])/g;
  return [...code.calls(pattern)].flatMap((call) => {
    const [section, key] = call.arguments;
    const fallback = named(call.arguments, "fallback");
    if (!fallback || !section?.string || !key?.string) return [];
    const value = isPlainValue(fallback.text) ? { value: fallback.text } : {};
    return [
      code.thing({ kind: "setting", name: key.string, owner: [section.string], at: key.start, ...value }),
    ];
  });
}

/** `section = data.get("tool", {}).get("app", {})`, then `section.get("line-length", 88)`: keys of the project's table. */
function readToolTables(code: CodeText): Thing[] {
  const held = [...code.find(/^[ \t]*(\w+)\s*=[^\n]*?(?:\[|\.get\()\s*["']\u0001{4}["']/gm)].flatMap(
    (match) => {
      const line = code.text.slice(match.index, match.index + match[0].length + 200).split("\n")[0]!;
      const path = [...line.matchAll(/(?:\[|\.get\()\s*["']([\w.-]+)["']/g)].map((each) => each[1]!);
      return path[0] === "tool" && path.length > 1 ? [{ variable: match[1]!, owner: path.slice(1) }] : [];
    },
  );
  return held.flatMap(({ variable, owner }) =>
    [...code.calls(new RegExp(`\\b${variable}\\s*(?:\\.get\\s*\\(|\\[)(?=\\s*["'])`, "g"))].flatMap(
      ({ arguments: [key, value] }) => {
        if (key?.string === undefined || !/^[A-Za-z][\w-]*$/.test(key.string)) return [];
        const plain = value && isPlainValue(value.text) ? { value: value.text } : {};
        return [code.thing({ kind: "setting", name: key.string, owner, at: key.start, ...plain })];
      },
    ),
  );
}

/** A setting that is a class: `name = "workers"`, `default = 1`, `cli = ["-w", "--workers"]`, `desc = "…"`. */
function readDeclaredClasses(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  const fields = Map.groupBy(
    offered.filter(({ declaration: { kind }, parent }) => kind === "property" && parent?.kind === "class"),
    ({ declaration }) => declaration.path.slice(0, -1).join("."),
  );
  return [...fields.values()].flatMap((held) => {
    const field = (...names: readonly string[]) =>
      held.find(({ declaration }) => names.includes(declaration.name))?.declaration;
    const name = /^["']([a-z][\w.-]*)["']$/.exec(field("name", "key")?.value ?? "")?.[1];
    const preset = field("default");
    if (!name || !preset) return [];
    const { region } = held[0]!.parent!;
    const value = bareValue(preset.value ?? "");
    const words = field("desc", "description", "help")?.value?.replace(/^["'\s]+|["'\s]+$/g, "");
    const description = words?.split(/\n\s*\n/)[0];
    const facts = defined({
      value: isPlainValue(value) ? value : undefined,
      description: description || undefined,
    });
    const spelled = field("cli", "flags")?.value?.matchAll(/["'](--?[\w-]+)["']/g) ?? [];
    const names = Array.from(spelled, (each) => each[1]!);
    return [
      code.thing({ kind: "setting", name, at: preset.nameRegion.start, region, ...facts }),
      ...flagThings(code, { names, at: preset.nameRegion.start, end: region.end, ...facts }),
    ];
  });
}

/** The variables that fill a class of pydantic settings: the prefix and the name of the field. */
function readPrefixedVariables(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  const prefixes = new Map<number, string>();
  for (const call of code.calls(/\bSettingsConfigDict\s*\(/g)) {
    const prefix = named(call.arguments, "env_prefix")?.string;
    if (prefix) prefixes.set(call.start, prefix);
  }
  for (const match of code.find(
    /(?:\benv_prefix\s*(?::\s*str\s*)?=|\{\s*["']\u0001{10}["']\s*:)\s*["']\u0001+["']/g,
  )) {
    const prefix = /\benv_prefix\b.*["'](\w+)["']$/.exec(
      code.text.slice(match.index, match.index + match[0].length),
    )?.[1];
    if (prefix) prefixes.set(match.index, prefix);
  }
  if (prefixes.size === 0) return [];
  return offered.flatMap(({ declaration, parent }) => {
    const { kind, name, value, type, nameRegion } = declaration;
    if (kind !== "property" || parent?.kind !== "class" || name === "model_config") return [];
    const { start, end } = parent.region;
    const prefix = [...prefixes].find(([at]) => start <= at && at < end)?.[1];
    if (prefix === undefined || !type) return [];
    const plain = value && defaultOf(value);
    const place = { kind: "environment", at: nameRegion.start, region: declaration.region } as const;
    const alias = /\b(?:validation_alias|alias|env)\s*=\s*["']([A-Z][A-Z0-9_]*)["']/.exec(value ?? "")?.[1];
    const variable = alias ?? `${prefix}${name}`.toUpperCase();
    return [code.thing({ ...place, name: variable, type, ...defined({ value: plain || undefined }) })];
  });
}

/** The default of a field: the value itself, or the argument of `Field(…)`. */
function defaultOf(value: string): string | undefined {
  const given = /^Field\(\s*(?:default\s*=\s*)?(?!\s)([^,()=]*[^,()=\s])\s*[,)]/.exec(value)?.[1];
  const plain = bareValue(given ?? value);
  return isPlainValue(plain) ? plain : undefined;
}
