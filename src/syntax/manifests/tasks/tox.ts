import type { Region } from "../../../text/model/region.ts";
import { scanIni } from "../../data/ini.ts";
import { type Manifest, type ManifestItem, namedItem } from "../item.ts";

/** The environments of tox: those it lists, and those that have a section. */
export const tox: Manifest = { name: "tox.ini", files: /(?:^|\/)tox\.ini$/, read: readTox };

export function readTox(text: string): ManifestItem[] {
  const { sections, items } = scanIni(text);
  const listed = items
    .filter(({ section, key }) => section === "tox" && /^env_?list$/.test(key))
    .flatMap(({ value, region }) => environmentItems(value, region));
  const known = new Set(listed.map(({ key }) => key));
  const described = sections.flatMap(({ name, region }) => {
    const [, environment] = /^testenv:(.+)$/.exec(name) ?? [];
    return environment === undefined || known.has(environment)
      ? []
      : [namedItem("script", environment, region.end - environment.length)];
  });
  return [...listed, ...described];
}

/** `py{310,311}-{unit,all}, lint`: each environment that a list names, at the place of its pattern. */
function environmentItems(list: string, { start }: Region): ManifestItem[] {
  return Array.from(list.matchAll(/(?:[^\s,{}]|\{[^{}]*\})+/g)).flatMap((match) => {
    const region = { start: start + match.index, end: start + match.index + match[0].length };
    return expandBraces(match[0]).map((key) => ({ kind: "script", key, value: match[0], region }));
  });
}

const MOST_EXPANSIONS = 100;

function expandBraces(pattern: string): string[] {
  let expanded = [""];
  for (const [part] of pattern.matchAll(/\{[^{}]*\}|[^{}]+/g)) {
    const choices = part.startsWith("{")
      ? part
          .slice(1, -1)
          .split(",")
          .map((each) => each.trim())
      : [part];
    if (expanded.length * choices.length > MOST_EXPANSIONS) return [];
    expanded = expanded.flatMap((before) => choices.map((choice) => before + choice));
  }
  return expanded;
}
