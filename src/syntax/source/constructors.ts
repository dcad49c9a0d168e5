import type { Region } from "../../text/model/region.ts";
import type { Declaration, Parameter } from "./declaration.ts";

type SourceText = { readonly path: string; readonly text: string };

const NAMES: readonly (readonly [files: RegExp, name: string])[] = [
  [/\.pyi?$/, "__init__"],
  [/\.(?:[cm]?[jt]sx?|vue|svelte|kts?)$/, "constructor"],
  [/\.(?:rb|rake)$/, "initialize"],
  [/\.php$/, "__construct"],
  [/\.swift$/, "init"],
];

/** Whether a method makes an object of the type that holds it. */
export function isConstructor({ kind, name, path }: Declaration, { path: file }: SourceText): boolean {
  if (kind !== "method") return false;
  const own = NAMES.find(([files]) => files.test(file))?.[1];
  return own === undefined ? name === path.at(-2) : name === own;
}

/** A way to make an object of a type: what a caller passes, and where it is declared. */
export type Constructor = { readonly parameters: readonly Parameter[]; readonly region: Region };

/** For the path of each type, the ways to make one. */
export function findConstructors(
  declarations: readonly Declaration[],
  source: SourceText,
): ReadonlyMap<string, readonly Constructor[]> {
  const makers = Map.groupBy(
    declarations.filter((one) => isConstructor(one, source)),
    ({ path }) => path.slice(0, -1).join("\0"),
  );
  const found = new Map<string, readonly Constructor[]>();
  const isPython = /\.pyi?$/.test(source.path);
  for (const [path, own] of makers) {
    const all = own.flatMap(({ parameters, region }) => (parameters ? [{ parameters, region }] : []));
    // The last one of Python is the one that runs; those before it only give types.
    found.set(path, isPython ? all.slice(-1) : all);
  }
  if (!isPython) return found;
  for (const type of declarations)
    if (type.kind === "class" && !makers.has(type.path.join("\0")) && isRecord(type, source))
      found.set(type.path.join("\0"), [{ parameters: fieldsOf(type, declarations), region: type.region }]);
  return found;
}

/** The decorators that make a constructor of the fields of a class. */
export const RECORD = /^@(?:\w+\.)?(?:dataclass|define|frozen|mutable)\b/m;

/** A class whose constructor Python makes of its fields. With a base it has further ones. */
function isRecord({ region, nameRegion, signature }: Declaration, { text }: SourceText): boolean {
  const head = text.slice(nameRegion.end, signature.end);
  return RECORD.test(text.slice(region.start, nameRegion.start)) && !/^\s*\(\s*\w/.test(head);
}

function fieldsOf(type: Declaration, declarations: readonly Declaration[]): Parameter[] {
  return declarations.flatMap(({ kind, name, type: written, nameRegion, value, path }) => {
    const isOwn = path.length === type.path.length + 1 && type.path.every((part, at) => part === path[at]);
    if (!isOwn || kind !== "property" || written === undefined || /^(?:typing\.)?ClassVar\b/.test(written))
      return [];
    if (value !== undefined && /\binit\s*=\s*False\b/.test(value)) return [];
    const isBare =
      value === undefined ||
      (/^(?:\w+\.)?field\(/.test(value) && !/\b(?:default|factory|default_factory)\b/.test(value));
    return [{ name, type: written, region: nameRegion, ...(!isBare && { default: value!, optional: true }) }];
  });
}
