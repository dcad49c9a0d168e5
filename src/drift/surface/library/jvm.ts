import type { Argument, CodeText } from "../read/code-text.ts";
import { kebab } from "../read/names.ts";
import type { OfferedDeclaration } from "../read/symbols.ts";
import type { Thing } from "../thing.ts";
import { valueAt } from "../values/value-text.ts";
import { createOwners, type OwnedRange } from "./command-owners.ts";
import { commandThing, flagThings, named, stringsIn, unnamed } from "./flag-things.ts";

/** Commands and flags of picocli, JCommander and clikt. */
export function readJvmFlags(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  if (!/@(?:CommandLine\.)?(?:Option|Parameter|Command)\b|\boption\s*\(|\bCliktCommand\b/.test(code.code))
    return [];
  return [...readAnnotations(code, offered), ...readClikt(code)];
}

function readAnnotations(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  const ownerAt = createOwners(commandRanges(offered));
  return [
    ...code.calls(
      /@(?:field:|CommandLine\.|picocli\.CommandLine\.)?(Option|Parameter|Command|Parameters)\s*\(/g,
    ),
  ].flatMap((call) => {
    const description = textOf(
      code,
      named(call.arguments, "description", "header", "commandDescription", "usage"),
    );
    const place = {
      at: call.start,
      end: call.end,
      description,
      hidden: named(call.arguments, "hidden")?.text === "true",
    };
    if (call.match[1] === "Command") {
      const name = named(call.arguments, "name")?.string;
      return name ? commandThing(code, { name, ...place }) : [];
    }
    const names = named(call.arguments, "names", "name") ?? unnamed(call.arguments)[0];
    const spelled = names ? (names.string !== undefined ? [names.string] : stringsIn(code, names)) : [];
    return flagThings(code, {
      names: spelled.filter((name) => name.startsWith("-")),
      ...place,
      owner: ownerAt(call.start),
      value: named(call.arguments, "defaultValue")?.text ?? initialValue(code, call.end),
    });
  });
}

/** The value of the field below an annotation: `@Option(names = "--port") int port = 80;`. */
function initialValue(code: CodeText, end: number): string | undefined {
  const field = /^\s*(?:@\w+\s*)*(?:[\w<>[\],.?]+\s+){1,5}\w+\s*=\s*/.exec(code.code.slice(end, end + 200));
  return field ? valueAt(code, end + field[0].length) : undefined;
}

/** The class of each command, if the file has several. */
function commandRanges(offered: readonly OfferedDeclaration[]): OwnedRange[] {
  const classes = offered.flatMap(({ declaration: { kind, region }, preamble }) => {
    const name = /@(?:CommandLine\.)?Command\([^)]*?\bname\s*=\s*"([\w-]+)"/.exec(preamble)?.[1];
    return kind === "class" && name ? [{ ...region, owner: [name] }] : [];
  });
  return classes.length > 1 ? classes : [];
}

function textOf(code: CodeText, argument: Argument | undefined): string | undefined {
  return argument?.string ?? (argument ? stringsIn(code, argument).join(" ") || undefined : undefined);
}

/** `private val port by option("--port", "-p", help = "…").int().default(80)`. */
function readClikt(code: CodeText): Thing[] {
  return [...code.calls(/\bval\s+(\w+)(?:\s*:\s*[\w<>?, ]+)?\s+by\s+option\s*\(/g)].flatMap((call) => {
    const names = unnamed(call.arguments).flatMap(({ string }) =>
      string?.startsWith("-") ? string.split("/") : [],
    );
    const rest = code.text.slice(call.end, call.end + 400);
    const chain = /^(?:\s*\.\s*\w+\s*(?:\((?:[^()]|\([^()]*\))*\)|\{[^{}]*\}))*/.exec(rest)?.[0] ?? "";
    const value = /\.default\(\s*([^()]+?)\s*\)|\bdefault\s*=\s*([^,()]+)/.exec(chain);
    const variable = named(call.arguments, "envvar")?.string;
    return [
      ...flagThings(code, {
        names: names.length > 0 ? names : [`--${kebab(call.match[1]!)}`],
        at: call.start,
        end: call.end,
        description: named(call.arguments, "help")?.string,
        value: value?.[1] ?? value?.[2],
        hidden: named(call.arguments, "hidden")?.text === "true",
      }),
      ...(variable ? [code.thing({ kind: "environment", name: variable, at: call.start })] : []),
    ];
  });
}
