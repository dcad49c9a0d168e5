import { defined } from "../../../text/model/defined.ts";
import type { Argument, CodeText } from "../read/code-text.ts";
import { flagName } from "../read/code-text.ts";
import type { Thing } from "../thing.ts";

export type FlagDraft = {
  /** `--name`, `-n`, or a bare name. */
  readonly names: readonly string[];
  readonly at: number;
  readonly end?: number;
  readonly owner?: readonly string[] | undefined;
  readonly value?: string | undefined;
  readonly description?: string | undefined;
  readonly type?: string | undefined;
  readonly deprecated?: string | undefined;
  readonly choices?: readonly string[] | undefined;
  readonly limits?: Thing["limits"] | undefined;
  readonly hidden?: boolean | undefined;
};

/** One thing for each spelling of a flag, and one for each value that it accepts. */
export function flagThings(code: CodeText, draft: FlagDraft): Thing[] {
  const { at, owner = [], choices = [] } = draft;
  const names = [...new Set(draft.names.map(flagName))].filter((name) =>
    /^--?[A-Za-z0-9?#:@][\w.:-]*$/.test(name),
  );
  const region = { start: at, end: draft.end ?? at };
  const common = {
    at,
    region,
    exported: draft.hidden ? ("no" as const) : ("yes" as const),
    ...defined({
      type: draft.type,
      choices: choices.length > 0 ? choices : undefined,
      limits: draft.limits,
      description: draft.description ? draft.description.trim() : undefined,
      deprecated: draft.deprecated,
    }),
  };
  const long = names.find((name) => name.startsWith("--")) ?? names[0];
  return [
    ...names.map((name) =>
      code.thing({
        kind: "flag",
        name,
        owner,
        ...common,
        // The default of `--color` is not that of `--no-color`.
        ...(draft.value !== undefined && !isNegation(name, names) && { value: draft.value }),
      }),
    ),
    ...(long
      ? choices.map((name) => code.thing({ kind: "enum-value", name, owner: [...owner, long], at, region }))
      : []),
  ];
}

function isNegation(name: string, names: readonly string[]): boolean {
  return name.startsWith("--no-") && names.includes(`--${name.slice("--no-".length)}`);
}

export type CommandDraft = {
  readonly name: string;
  readonly at: number;
  readonly end?: number;
  readonly owner?: readonly string[];
  readonly description?: string | undefined;
  readonly deprecated?: string | undefined;
  readonly hidden?: boolean | undefined;
};

export function commandThing(code: CodeText, draft: CommandDraft): Thing[] {
  const { name, at, owner = [], description, deprecated } = draft;
  if (!/^[A-Za-z][\w:.-]*$/.test(name)) return [];
  return [
    code.thing({
      kind: "command",
      name,
      owner,
      at,
      region: { start: at, end: draft.end ?? at + name.length },
      exported: draft.hidden ? "no" : "yes",
      ...defined({ description: description ? description.trim() : undefined, deprecated }),
    }),
  ];
}

export function named(args: readonly Argument[], ...names: readonly string[]): Argument | undefined {
  return args.find((each) => each.name !== undefined && names.includes(each.name));
}

export function unnamed(args: readonly Argument[]): Argument[] {
  return args.filter((each) => each.name === undefined);
}

/** The strings of a list literal. */
export function stringsIn(code: CodeText, argument: Argument | undefined): string[] {
  if (!argument) return [];
  const open = code.code.slice(argument.valueStart, argument.end).search(/[[({]/);
  const group = open < 0 ? undefined : code.readGroup(argument.valueStart + open);
  return (group?.arguments ?? []).flatMap(({ string }) => (string !== undefined ? [string] : []));
}
