import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { compareTexts } from "../../src/text/diff/compare.ts";
import type { ThreeWays } from "../../src/text/merge/three-ways.ts";
import { applySplices, type Splice } from "../../src/text/model/splice.ts";
import { type Clone, openClone, openClones } from "../edits/clone.ts";

/** Three versions of a file and the text that people made of them; `null`: they should stay a conflict. */
export type MergeCase = {
  readonly id: string;
  readonly path: string;
  readonly versions: ThreeWays<string>;
  readonly expected: string | null;
};

/** The folders of three versions and of the result, in a published set of cases. */
type Layout = {
  readonly repo: string;
  /** A file of the base: its case and the paths of the other versions. */
  readonly read: (path: string) => { readonly id: string; readonly paths: readonly string[] } | null;
};

const besideBase = (path: string, names: readonly string[]) => {
  const end = extname(path);
  return { id: dirname(path), paths: names.map((name) => `${dirname(path)}/${name}${end}`) };
};

const layouts: Readonly<Record<string, Layout>> = {
  mergiraf: {
    repo: "qundao/mirror-mergiraf",
    read: (path) =>
      /^examples\/[^/]+\/(?:working|failing)\/[^/]+\/Base[^/]*$/.test(path)
        ? besideBase(path, ["Left", "Right", path.includes("/failing/") ? "ExpectedIdeally" : "Expected"])
        : null,
  },
  weave: {
    repo: "Ataraxy-Labs/weave",
    read: (path) =>
      path.startsWith("benchmarks/") && path.endsWith("/base")
        ? {
            id: dirname(path),
            paths: ["ours", "theirs", "human"].map((name) => `${dirname(path)}/${name}`),
          }
        : null,
  },
  ConflictBench: {
    repo: "UBOWENVT/ConflictBench",
    read: (path) => {
      const [, start, rest] = /^(Resource\/merge_scenarios\/[^/]+\/\w+)\/base\/(.*)$/.exec(path) ?? [];
      return start
        ? { id: start, paths: ["left", "right", "child"].map((name) => `${start}/${name}/${rest}`) }
        : null;
    },
  },
};

export const publishedSets = Object.keys(layouts);
export const publishedRepositories = Object.values(layouts).map(({ repo }) => repo);

/** The cases of a published set, from its clone; none where the clone is absent. */
export function publishedCases(mirror: string, name: string): MergeCase[] {
  const { repo, read } = layouts[name]!;
  const folder = join(mirror, repo.replace("/", "+"), "repo");
  if (!existsSync(folder)) return [];
  const git = (args: readonly string[]): string =>
    execFileSync("git", ["-C", folder, ...args], { maxBuffer: 1 << 30, encoding: "utf8" });
  const paths = new Set(git(["ls-tree", "-r", "--name-only", "-z", "HEAD"]).split("\0"));
  return [...paths].flatMap((path) => {
    const found = read(path);
    const [ours, theirs, expected] = found?.paths ?? [];
    if (!found || !ours || !theirs || !expected || !paths.has(ours) || !paths.has(theirs)) return [];
    const show = (each: string): string => git(["show", `HEAD:${each}`]);
    const text = paths.has(expected) ? show(expected) : null;
    return [
      {
        id: found.id,
        path: pathOf(name, path),
        versions: { base: show(path), ours: show(ours), theirs: show(theirs) },
        expected: text === null || /^<{7}/m.test(text) ? null : text,
      },
    ];
  });
}

/** The path by which a program learns the language. */
function pathOf(set: string, path: string): string {
  if (set === "weave")
    return basename(dirname(path))
      .replace(/^\w+?_/, "")
      .replaceAll("_", "/");
  const language = path.split("/")[1]!;
  return set === "mergiraf" && extname(path) === "" ? language : path;
}

/** Cases made of the history of each clone: what one commit did, as two changes of two people. */
export function historyCases(mirror: string, most: number, without: ReadonlySet<string>): MergeCase[] {
  const names = openClones(mirror, without).map(({ name }) => name);
  const each = Math.ceil(most / names.length);
  // A clone keeps every text that it was asked for.
  return names.flatMap((name) => casesOf(openClone(mirror, name)!, each)).slice(0, most);
}

function casesOf(clone: Clone, most: number): MergeCase[] {
  const cases: MergeCase[] = [];
  const lists = [...clone.changes(1500)]
    .filter(([path]) => !/(?:lock|\.min\.\w+|\.snap|\.svg)$/.test(path))
    .slice(0, 6 * most);
  for (let round = 0; cases.length < most && round < 12; round++) {
    const chosen = lists.flatMap(([path, list]) => (list[round] ? [{ path, at: round, list }] : []));
    clone.load(chosen.flatMap(({ list, at }) => [list[at]!.before, list[at]!.after]));
    for (const { path, list, at } of chosen) {
      const [base, after] = [clone.text(list[at]!.before), clone.text(list[at]!.after)];
      const halves = base === null || after === null ? null : halve(base, after, cases.length);
      if (!halves) continue;
      const [ours, theirs] = cases.length % 2 === 0 ? halves : [halves[1], halves[0]];
      cases.push({
        id: `${clone.name} ${path} ${list[at]!.after.slice(0, 10)}`,
        path,
        versions: { base: base!, ours: ours!, theirs: theirs! },
        expected: after!,
      });
      if (cases.length >= most) break;
    }
  }
  return cases;
}

/**
 * A change as two: every second of its places to the other side, or what it inserts at one place cut at a blank line. Null
 * where it is one change at one place.
 */
function halve(base: string, after: string, turn: number): [string, string] | null {
  const splices = compareTexts(base, after);
  const inserted = splices.findIndex(({ text }) => text.trim().split(/\n\s*\n/).length > 1);
  if (inserted >= 0 && turn % 3 === 0) {
    const { region, text } = splices[inserted]!;
    const cut = text.indexOf("\n", text.slice(0, text.trimEnd().length).search(/\n\s*\n/) + 1) + 1;
    const others = splices.filter((_, i) => i !== inserted);
    const part = (own: Splice) => [...others.slice(0, inserted), own, ...others.slice(inserted)];
    if (cut > 0 && text.slice(cut).trim() !== "" && region.start === region.end)
      return [
        applySplices(base, part({ region, text: text.slice(0, cut) })),
        applySplices(base, [{ region, text: text.slice(cut) }]),
      ];
  }
  if (splices.length < 2) return null;
  const half = (odd: number) =>
    applySplices(
      base,
      splices.filter((_, i) => i % 2 === odd),
    );
  return [half(0), half(1)];
}
