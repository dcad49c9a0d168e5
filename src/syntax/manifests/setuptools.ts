import type { Region } from "../../text/model/region.ts";
import { scanIni } from "../data/ini.ts";
import { type Manifest, type ManifestItem, requirement } from "./item.ts";

export const setupCfg: Manifest = {
  name: "setup.cfg",
  files: /(?:^|\/)setup\.cfg$/,
  namesPackages: true,
  read: (text) =>
    scanIni(text).items.flatMap(({ section, key, keyRegion, value, region }): ManifestItem[] => {
      const path = `${section}.${key}`;
      if (path === "metadata.name") return [{ kind: "name", key: "name", value, region, keyRegion }];
      if (path === "metadata.version") return [{ kind: "version", key: "version", value, region, keyRegion }];
      if (path === "options.python_requires") return [{ kind: "engine", key: "python", value, region }];
      if (path === "options.install_requires") return requirement(text, region);
      if (section === "options.extras_require")
        return [
          { kind: "feature", key, value: "", region: keyRegion, keyRegion },
          ...requirement(text, region),
        ];
      return section === "options.entry_points" ? entryPoint(key, value, region.start) : [];
    }),
};

/** The arguments of `setup(…)` that are written as literals, also in a dictionary that it is given: `setup(**arguments)`. */
export const setupPy: Manifest = {
  name: "setup.py",
  files: /(?:^|\/)setup\.py$/,
  namesPackages: true,
  read(text) {
    const found = /\bsetup\s*\(\s*(\*\*)?/.exec(text);
    if (!found) return [];
    const call = found[1] ? 0 : found.index;
    return [
      ...argument(text, call, { name: "name", kind: "name" }),
      ...argument(text, call, { name: "version", kind: "version" }),
      ...argument(text, call, { name: "python_requires", kind: "engine", key: "python" }),
      ...literals(text, call, /\binstall_requires\s*=\s*\[/g).flatMap(({ start, end }) =>
        requirement(text, { start, end }),
      ),
      ...literals(text, call, /["']console_scripts["']\s*:\s*\[/g).flatMap(({ start, end }) =>
        entryPoint("console_scripts", text.slice(start, end), start),
      ),
      ...extras(text),
    ];
  },
};

/** The keys of `extras_require={"tls": ["idna"]}`, also of a variable of that name. */
function extras(text: string): ManifestItem[] {
  const table = /\bextras_require\s*=\s*\{([^{}]*)\}/.exec(text);
  if (!table) return [];
  const from = table.index + table[0].length - 1 - table[1]!.length;
  return Array.from(table[1]!.matchAll(/(?<=(?:^|,|\n)\s*["'])([A-Za-z][\w.-]*)(?=["']\s*:)/g), (match) => {
    const start = from + match.index;
    const keyRegion = { start, end: start + match[0].length };
    return { kind: "feature", key: match[0], value: "", region: keyRegion, keyRegion };
  });
}

/** `name = package.module:function` in a group of entry points; the scripts among them are commands. */
function entryPoint(group: string, line: string, at: number): ManifestItem[] {
  const parts = /^([\w.-]+)(\s*=\s*)(\S.*)$/.exec(line.trim());
  if (!parts) return [];
  const keyStart = at + line.indexOf(parts[1]!);
  const start = keyStart + parts[1]!.length + parts[2]!.length;
  return [
    {
      kind: /^(?:console|gui)_scripts$/.test(group) ? "bin" : "entry-point",
      key: parts[1]!,
      value: parts[3]!,
      region: { start, end: start + parts[3]!.length },
      keyRegion: { start: keyStart, end: keyStart + parts[1]!.length },
    },
  ];
}

type SetupArgument = { readonly name: string; readonly kind: ManifestItem["kind"]; readonly key?: string };

/** `name="value"` or `"name": "value"` among the arguments of a call that begins at `from`. */
function argument(text: string, from: number, { name, kind, key = name }: SetupArgument): ManifestItem[] {
  const pattern = new RegExp(String.raw`\b${name}["']?\s*[=:]\s*(["'])([^"'\r\n]*)\1`, "g");
  pattern.lastIndex = from;
  const match = pattern.exec(text);
  if (!match) return [];
  const end = match.index + match[0].length - 1;
  const region = { start: end - match[2]!.length, end };
  const keyRegion = { start: match.index, end: match.index + name.length };
  return [{ kind, key, value: match[2]!, region, keyRegion }];
}

/** The strings of the list that `opening` begins, without their quotes. */
function literals(text: string, from: number, opening: RegExp): Region[] {
  opening.lastIndex = from;
  const match = opening.exec(text);
  if (!match) return [];
  const start = match.index + match[0].length;
  const close = text.indexOf("]", start);
  const list = text.slice(start, close < 0 ? text.length : close);
  return Array.from(list.matchAll(/(["'])([^"'\r\n]*)\1/g), (string) => {
    const at = start + string.index + 1;
    return { start: at, end: at + string[2]!.length };
  });
}
