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

/** For the path of each type, what a caller passes to make one. Types with several constructors are left out. */
export function findConstructors(
  declarations: readonly Declaration[],
  source: SourceText,
): ReadonlyMap<string, readonly Parameter[]> {
  const makers = Map.groupBy(
    declarations.filter((one) => isConstructor(one, source)),
    ({ path }) => path.slice(0, -1).join("\0"),
  );
  const found = new Map<string, readonly Parameter[]>();
  for (const [path, [maker, ...others]] of makers)
    if (maker?.parameters && others.length === 0) found.set(path, maker.parameters);
  if (!/\.pyi?$/.test(source.path)) return found;
  for (const type of declarations)
    if (type.kind === "class" && !makers.has(type.path.join("\0")) && isRecord(type, source))
      found.set(type.path.join("\0"), fieldsOf(type, declarations));
  return found;
}

const RECORD = /^@(?:\w+\.)?(?:dataclass|define|frozen|mutable)\b/m;

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
    const isBare = value === undefined || (/^(?:\w+\.)?field\(/.test(value) && !/\b(?:default|factory|default_factory)\b/.test(value));
    return [{ name, type: written, region: nameRegion, ...(!isBare && { default: value!, optional: true }) }];
  });
}
