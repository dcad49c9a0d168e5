import { defined } from "../../../text/model/defined.ts";
import type { Argument, CodeText } from "../read/code-text.ts";
import type { OfferedDeclaration } from "../read/symbols.ts";
import { type Thing, thingId } from "../thing.ts";
import { fallbackOf } from "../values/fallback.ts";
import { bareValue, isPlainValue } from "../values/value-text.ts";
import { type CallForm, readForms } from "./call-forms.ts";
import { readChain } from "./command-owners.ts";
import { commandThing, flagThings } from "./flag-things.ts";

/** Commands and flags of Symfony and of Laravel's artisan. */
export function readPhpFlags(code: CodeText): Thing[] {
  return [...readSymfony(code), ...readArtisan(code)];
}

const FORMS: readonly CallForm[] = [
  {
    declares: "command",
    head: /(?:#\[AsCommand|->setName|->setAliases)\s*\(/g,
    facts: { names: ["name", "aliases", 0], description: ["description", 1], hidden: ["hidden"] },
  },
  {
    declares: "flag",
    head: /->addOption\s*\(|\bnew\s+InputOption\s*\(/g,
    facts: {
      names: ["name", "shortcut", 0, 1],
      description: ["description", 3],
      value: ["default", 4],
    },
  },
];

/** `->addOption('port', 'p', InputOption::VALUE_REQUIRED, 'The port', 80)`, `#[AsCommand(name: 'app:run')]`. */
function readSymfony(code: CodeText): Thing[] {
  const names = [...code.calls(/(?:#\[AsCommand|->setName)\s*\(/g)].map(
    (call) =>
      call.arguments.find(({ name, string }) => string !== undefined && (!name || name === "name"))?.string,
  );
  const only = new Set(names).size === 1 ? names[0] : undefined;
  const owner = only ? [only] : [];
  return readForms(code, FORMS, { ownerAt: () => owner }).map((thing) =>
    thing.kind === "command" ? { ...thing, owner: [], id: thingId("command", [], thing.name) } : thing,
  );
}

/** `protected $signature = 'mail:send {user} {--queue=default : The queue}'`. */
function readArtisan(code: CodeText): Thing[] {
  return Array.from(code.find(/\$signature\s*=\s*(["'])[\u0001\s]*\1/g)).flatMap((match) => {
    const signature = code.text.slice(
      match.index + match[0].indexOf(match[1]!) + 1,
      match.index + match[0].length - 1,
    );
    const command = /^\s*([\w:-]+)/.exec(signature)?.[1];
    const options = signature.matchAll(/\{\s*--(?:(\w)\|)?([\w-]+)(?:=([^\s:}]*))?\s*(?::\s*([^}]*))?\}/g);
    const place = { at: match.index, end: match.index + match[0].length };
    return [
      ...(command ? commandThing(code, { name: command, ...place }) : []),
      ...Array.from(options).flatMap((option) =>
        flagThings(code, {
          ...place,
          names: [`--${option[2]}`, ...(option[1] ? [`-${option[1]}`] : [])],
          owner: command ? [command] : [],
          value: option[3] || undefined,
          description: option[4],
        }),
      ),
    ];
  });
}

/** The keys of a configuration file that returns an array, and of a property that holds one. */
export function readPhpSettings(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  const file = /(?:^|\/)config\/([\w-]+)\.php$/.exec(code.path)?.[1];
  const returned = file
    ? [...code.calls(/^return\s*\[/gm)].flatMap((call) => entryThings(code, call.arguments, [file]))
    : [];
  const held = offered.flatMap(({ declaration: { kind, name, path, nameRegion } }) => {
    if (kind !== "property" || !/options|defaults?|config|settings/i.test(name)) return [];
    const sign = /^\s*=\s*(?=\[)/.exec(code.code.slice(nameRegion.end, nameRegion.end + 20));
    const group = sign && code.readGroup(nameRegion.end + sign[0].length);
    return entryThings(code, group?.arguments ?? [], path.slice(0, -1));
  });
  return [...returned, ...held, ...readResolvers(code), ...readNodes(code), ...readKeyDefaults(code)];
}

/** `$resolver->setDefaults(['timeout' => 30])`, `array_merge(['size' => 5], $options)`, `->setDefault('retries', 3)`. */
function readResolvers(code: CodeText): Thing[] {
  const tables = [...code.calls(/(?:->setDefaults|\barray_(?:merge|replace)(?:_recursive)?)\s*\(\s*\[/g)];
  const single = [...code.calls(/->setDefault\s*\(/g)].flatMap(({ arguments: [key, value] }) =>
    key?.string && value && isPlainValue(value.text)
      ? [settingAt(code, key.string, { at: key.start, value: value.text })]
      : [],
  );
  return [...tables.flatMap((call) => entryThings(code, call.arguments, [])), ...single];
}

/** `->integerNode('port')->defaultValue(80)` of a tree of configuration. */
function readNodes(code: CodeText): Thing[] {
  return [...code.calls(/->(?:scalar|integer|boolean|float|enum|variable)Node\s*\(/g)].flatMap((call) => {
    const name = call.arguments[0]?.string;
    const { links } = readChain(code, call.end, "end");
    const preset = links.find((link) => link.name.startsWith("default"));
    const value =
      /^default(True|False|Null)$/.exec(preset?.name ?? "")?.[1]?.toLowerCase() ?? preset?.arguments[0]?.text;
    return name ? [settingAt(code, name, { at: call.start, value })] : [];
  });
}

/** `$options['port'] ?? 80`. */
function readKeyDefaults(code: CodeText): Thing[] {
  return [...code.calls(/\$\w*(?:options|config|settings|opts|params)\s*\[/gi)].flatMap((call) => {
    const name = call.arguments[0]?.string;
    const value = fallbackOf(code, call);
    return name && value !== undefined ? [settingAt(code, name, { at: call.start, value })] : [];
  });
}

function settingAt(
  code: CodeText,
  name: string,
  { at, value }: { at: number; value: string | undefined },
): Thing {
  return code.thing({
    kind: "setting",
    name,
    at,
    exported: "unknown",
    ...defined({ value }),
  });
}

function entryThings(code: CodeText, entries: readonly Argument[], owner: readonly string[]): Thing[] {
  return entries.flatMap((entry) => {
    const { name, start, valueStart, text } = entry;
    if (!name || !/^[A-Za-z_][\w.-]*$/.test(name)) return [];
    if (code.code[valueStart] === "[") {
      const inner = code.readGroup(valueStart)?.arguments ?? [];
      if (inner.some((each) => each.name)) return entryThings(code, inner, [...owner, name]);
    }
    const written = /^(?:\(\w+\)\s*)?env\(\s*["'][^"']*["']\s*,\s*([^,()]+)\)$/.exec(text)?.[1] ?? text;
    const value = bareValue(written);
    return [
      code.thing({
        kind: "setting",
        name,
        owner,
        at: start,
        ...defined({ value: isPlainValue(value) ? value : undefined }),
      }),
    ];
  });
}
