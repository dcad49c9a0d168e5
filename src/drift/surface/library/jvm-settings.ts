import { defined } from "../../../text/model/defined.ts";
import type { CodeText } from "../read/code-text.ts";
import { kebab } from "../read/names.ts";
import { marks, type OfferedDeclaration } from "../read/symbols.ts";
import type { Thing } from "../thing.ts";
import { bareValue, isPlainValue } from "../values/value-text.ts";

/** Settings of Spring and Micronaut: placeholders, and the properties of a class with a prefix. */
export function readJvmSettings(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  return [...readPlaceholders(code), ...readSystemProperties(code), ...readProperties(code, offered)];
}

/** `System.getProperty("app.dir", "/tmp")`, `Integer.getInteger("app.size", 5)`. */
function readSystemProperties(code: CodeText): Thing[] {
  return [
    ...code.calls(/\b(?:System\.getProperty|Integer\.getInteger|Boolean\.getBoolean|Long\.getLong)\s*\(/g),
  ].flatMap(({ arguments: [name, value] }) =>
    name?.string && !/^(?:java|os|user|file|line|path|sun)\./.test(name.string)
      ? [
          code.thing({
            kind: "setting",
            name: name.string,
            at: name.start,
            ...defined({ value: value && isPlainValue(value.text) ? value.text : undefined }),
          }),
        ]
      : [],
  );
}

/** `@Value("${server.port:8080}")`. */
function readPlaceholders(code: CodeText): Thing[] {
  return [...code.calls(/@(?:field:)?Value\s*\(/g)].flatMap((call) => {
    const text = call.arguments[0]?.string?.replace(/^\\/, "");
    const match = /^\$\{([\w.-]+)(?::([^}]*))?\}$/.exec(text ?? "");
    if (!match) return [];
    const value = match[2] === undefined ? {} : { value: match[2] };
    return [code.thing({ kind: "setting", name: match[1]!, at: call.arguments[0]!.start, ...value })];
  });
}

/** `@ConfigurationProperties(prefix = "app.mail")`: a reader writes `app.mail.batch-size` for `batchSize`. */
function readProperties(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  const prefixes = new Map<string, string>();
  for (const { declaration, preamble } of offered) {
    const prefix = /@ConfigurationProperties\(\s*(?:(?:prefix|value)\s*=\s*)?"([\w.-]+)"/.exec(preamble)?.[1];
    if (prefix && declaration.path.length === 1) prefixes.set(declaration.name, prefix);
  }
  if (prefixes.size === 0) return [];
  return offered.flatMap((each) => {
    const { kind, path, value, type, nameRegion, region, signature } = each.declaration;
    const prefix = prefixes.get(path[0]!);
    const isConstant = /\b(?:static|const)\b/.test(code.code.slice(signature.start, nameRegion.start));
    if (kind !== "property" || prefix === undefined || isConstant) return [];
    const plain = value && bareValue(value);
    return [
      code.thing({
        kind: "setting",
        name: [prefix, ...path.slice(1).map(kebab)].join("."),
        at: nameRegion.start,
        region,
        ...defined({ type: type || undefined, value: plain && isPlainValue(plain) ? plain : undefined }),
        ...marks(each),
      }),
    ];
  });
}
