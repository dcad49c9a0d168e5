import type { SourceOutline } from "../../../syntax/source/declaration.ts";
import { defined } from "../../../text/model/defined.ts";
import type { CodeText } from "../read/code-text.ts";
import type { Thing } from "../thing.ts";
import { bareValue, isPlainValue, valueAt } from "./value-text.ts";

const HOLDERS: ReadonlySet<string> = new Set(["constant", "variable", "property", "member", "macro"]);

/** The literals behind the names of a file: constants, entries of constant tables, functions that only return one. */
export function readConstants({ declarations }: SourceOutline, code: CodeText): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const { kind, path, value, body, parameters } of declarations) {
    // Another name of a type; a union is known by its own.
    if (kind === "type" && value && /^[\w.[\]<>]{1,60}$/.test(value))
      values.set(`type ${path.join(".")}`, value);
    const written = HOLDERS.has(kind) ? value && bareValue(value) : undefined;
    const returned = body && !parameters?.length ? returnedValue(code, body) : undefined;
    const found = written !== undefined && isPlainValue(written) ? written : returned;
    if (found === undefined || path.length > 3) continue;
    values.set(path.join("."), found);
    // A constant of a class is known by its own name too, unless two classes have one.
    const name = `*.${path.at(-1)!}`;
    values.set(name, !values.has(name) || values.get(name) === found ? found : "");
  }
  return values;
}

/** `fn default_port() -> u16 { 8080 }`. */
function returnedValue(code: CodeText, { start, end }: { start: number; end: number }): string | undefined {
  if (end - start > 120) return undefined;
  const open = /^[{:]?\s*(?:return\s+)?/.exec(code.code.slice(start, end))![0].length;
  const value = valueAt(code, start + open);
  const rest = value === undefined ? "" : code.code.slice(start + open + value.length, end);
  return value !== undefined && /^(?:\.\w+\(\))?[\s;)}]*$/.test(rest) ? value : undefined;
}

const NAME = /^[A-Za-z_$][\w$]*(?:(?:\.|::|->)[A-Za-z_$][\w$]*)*(?:\(\))?$/;
const KEYWORD = /^(?:true|false|null|nil|none|undefined)$/i;

/** Writes the literal wherever a default is only the name of a constant of the same file. */
export function resolveConstants(
  things: readonly Thing[],
  values: ReadonlyMap<string, string>,
): readonly Thing[] {
  if (values.size === 0) return things;
  return things.map((thing) => {
    const value = resolve(thing.value, values, thing.owner);
    const scope = [...thing.owner, thing.name];
    const parameters = thing.parameters?.map((each) => {
      const written = resolve(each.default, values, scope);
      return written === each.default ? each : { ...each, default: written! };
    });
    const type = thing.owner.length > 0 ? values.get(`type ${thing.type}`) : undefined;
    const isSame =
      type === undefined &&
      value === thing.value &&
      !parameters?.some((each, at) => each !== thing.parameters![at]);
    if (isSame) return thing;
    return {
      ...thing,
      ...defined({ value, type, parameters }),
    };
  });
}

function resolve(
  written: string | undefined,
  values: ReadonlyMap<string, string>,
  owner: readonly string[],
): string | undefined {
  if (written === undefined || !NAME.test(written) || KEYWORD.test(written)) return written;
  let value = written;
  for (let step = 0; step < 3; step++) {
    const path = value.replace(/\(\)$/, "").replaceAll(/::|->/g, ".");
    const own = path.replace(/^(?:self|Self|this|cls|static|super|crate)\./, "");
    const scopes = owner.map((_, at) => [...owner.slice(0, owner.length - at), own].join("."));
    const found = [...scopes, own, `*.${own}`].map((each) => values.get(each)).find(Boolean);
    if (found === undefined || found === value) return value;
    value = found;
    if (!NAME.test(value)) return value;
  }
  return value;
}
