import { z } from "zod";
import { nearest } from "../text/match/nearest.ts";
import { defined } from "../text/model/defined.ts";
import { type Outcome, refuse } from "../text/model/outcome.ts";

/** The schema that refused some settings, and the name of the file or place that holds them. */
export type SettingsPlace = { readonly schema: z.ZodType; readonly name: string; readonly path?: string };

/** Refuses settings: names the key, and for an unknown key the one that was probably meant. */
export function refuseSettings({ issues: [issue] }: z.ZodError, place: SettingsPlace): Outcome<never> {
  const { schema, name, path } = place;
  const at = issue?.path.join(".") ?? "";
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys[0] : undefined;
  const hint = unknown === undefined ? undefined : hintFor(unknown, keysAt(schema, issue?.path ?? []));
  return refuse({
    code: "malformed",
    what:
      unknown === undefined
        ? `${name}: ${at === "" ? "" : `${at}: `}${lowered(issue?.message ?? "not valid")}`
        : `${name}: there is no key ${JSON.stringify(unknown)}${at === "" ? "" : ` in ${at}`}`,
    ...defined({ path, hint }),
  });
}

/** The message of the schema, as a part of a sentence. */
function lowered(message: string): string {
  return message.slice(0, 1).toLowerCase() + message.slice(1);
}

function hintFor(unknown: string, keys: readonly string[]): string | undefined {
  const meant = nearest(unknown, keys);
  if (meant !== undefined) return `Did you mean ${JSON.stringify(meant)}?`;
  return keys.length === 0 ? undefined : `The keys are ${keys.join(", ")}.`;
}

type Described = {
  readonly properties?: Readonly<Record<string, Described>>;
  readonly items?: Described;
};

/** The keys that a schema allows at a place. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let at: Described | undefined = z.toJSONSchema(schema, { io: "input" }) as Described;
  for (const key of path) at = typeof key === "number" ? at?.items : at?.properties?.[String(key)];
  return Object.keys(at?.properties ?? {});
}
