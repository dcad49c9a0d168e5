/** A name that a sample imports: what it is called there and in its module. */
export type ImportedName = {
  readonly module: string;
  readonly local: string;
  /** The name in the module; "*" for the module itself. */
  readonly name: string;
};

/** Reads the imports of a sample. */
export type ImportReader = (text: string) => ImportedName[];

export const readGoImports: ImportReader = (text) =>
  list(
    text,
    /^[ \t]*(?:import\s+)?\(?\s*(?:([\w.]+)\s+)?"([\w.-]+(?:\/[\w.-]+)*)"\s*\)?\s*$/gm,
    ([, alias, module]) => [
      whole(
        module!,
        alias ??
          module!
            .replace(/\/v\d+$/, "")
            .split("/")
            .at(-1)!,
      ),
    ],
  );

export const readUsings: ImportReader = (text) =>
  list(text, /^[ \t]*using\s+([\w.]+)\s*;/gm, ([, module]) => [whole(module!, "*")]);

export const readPhpImports: ImportReader = (text) =>
  list(text, /^[ \t]*use\s+([\w\\]+)(?:\s+as\s+(\w+))?\s*;/gm, ([, path, alias]) => [
    last(path!, "\\", alias),
  ]);

export const readRequires: ImportReader = (text) =>
  list(text, /^[ \t]*require(?:_relative)?\s*\(?\s*["']([\w./-]+)["']/gm, ([, module]) => [
    whole(module!, "*"),
  ]);

export const readIncludes: ImportReader = (text) =>
  list(text, /^[ \t]*#\s*include\s*[<"]([\w./+-]+)[>"]/gm, ([, module]) => [whole(module!, "*")]);

function list(
  text: string,
  pattern: RegExp,
  read: (match: RegExpMatchArray) => ImportedName[],
): ImportedName[] {
  return Array.from(text.matchAll(pattern)).flatMap(read);
}

function whole(module: string, local: string): ImportedName {
  return { module, local, name: "*" };
}

/** `a.b.C`: the last part is imported from the parts before it. */
function last(path: string, separator: string, alias?: string): ImportedName {
  const parts = path.split(separator).filter((part) => part !== "");
  const name = parts.at(-1)!;
  return { module: parts.slice(0, -1).join("."), local: alias ?? name, name };
}

export function readJavaScriptImports(text: string): ImportedName[] {
  return [
    ...list(
      text,
      /\bimport\s+(?:type\s+)?([^'";]{1,4000}?)\s+from\s*["']([^"'\n]+)["']/g,
      ([, names, module]) => boundNames(names!, module!),
    ),
    ...list(
      text,
      /\b(?:const|let|var)\s+([^=;]{1,500}?)\s*=\s*(?:require|await\s+import)\(\s*["']([^"'\n]+)["']\s*\)/g,
      ([, names, module]) => boundNames(names!, module!),
    ),
  ];
}

function boundNames(names: string, module: string): ImportedName[] {
  const [outside, inside = ""] = names.replace("}", "").split("{");
  const plain = outside!.split(",").flatMap((part) => {
    const namespace = /\*\s*as\s+([\w$]+)/.exec(part)?.[1];
    const local = namespace ?? part.trim();
    if (!/^[\w$]+$/.test(local)) return [];
    return [{ module, local, name: namespace ? "*" : "default" }];
  });
  return [
    ...plain,
    ...inside
      .split(",")
      .flatMap((part) => renamed(part.replace(/^\s*type\s+/, ""), module, /\s+as\s+|\s*:\s*/)),
  ];
}

/** `a`, `a as b`, `a: b`. */
function renamed(part: string, module: string, joint: RegExp): ImportedName[] {
  const [name, local = name] = part.trim().split(joint);
  return name && /^[\w$]+$/.test(name) && local ? [{ module, local, name }] : [];
}

export function readPythonImports(text: string): ImportedName[] {
  return [
    ...list(
      text,
      /^[ \t>.]*from\s+([\w.]+)\s+import\s+(?:\(([^)]{1,600})\)|([^\n#]+))/gm,
      ([, module, inside, line]) =>
        (inside ?? line!).split(",").flatMap((part) => renamed(part, module!, /\s+as\s+/)),
    ),
    ...list(text, /^[ \t>.]*import\s+([\w.]+)(?:\s+as\s+(\w+))?/gm, ([, module, alias]) => [
      whole(module!, alias ?? module!),
    ]),
  ];
}

export function readRustImports(text: string): ImportedName[] {
  return list(
    text,
    /^[ \t]*(?:pub\s+)?use\s+([\w:]+?)(?:::\{([^}]{1,600})\}|::(\*))?\s*(?:\s+as\s+(\w+))?;/gm,
    (match) => {
      const [, path, inside, star, alias] = match;
      if (inside !== undefined) return inside.split(",").flatMap((part) => renamed(part, path!, /\s+as\s+/));
      return star ? [whole(path!, "*")] : [last(path!, "::", alias)];
    },
  );
}

export function readPackageImports(text: string): ImportedName[] {
  return list(
    text,
    /^[ \t]*import\s+(?:static\s+)?([\w.]+?)(\.\*)?(?:\s+as\s+(\w+))?\s*;?\s*$/gm,
    ([, path, star, alias]) => (star ? [whole(path!, "*")] : [last(path!, ".", alias)]),
  );
}
