import type { ChangeModel } from "../change/change-model.ts";
import { fileKind, isBuildScript } from "../change/file-kind.ts";
import { readForeignNames } from "../change/imports/foreign-names.ts";
import { findSurvivors } from "../change/survivors.ts";
import { splitLines } from "../change/tokens.ts";
import { causeOf, type Notice } from "../findings.ts";
import { createPace } from "../pace.ts";
import { mentionFeatures } from "./mention-features.ts";
import { type NameKnowledge, nameFeatures } from "./name-features.ts";
import { nameOf } from "./notice-name.ts";
import { replacementFeatures } from "./replacement-features.ts";

/** The evidence for or against a finding, by name. An absent feature is 0. */
export type Features = Readonly<Record<string, number>>;

/** The features of every notice. Names are looked up in the tree once for all of them. */
export async function measureNotices(
  change: ChangeModel,
  notices: readonly Notice[],
): Promise<Map<Notice, Features>> {
  const names = notices.flatMap(({ message }) => (nameOf(message.old) ? [nameOf(message.old)!] : []));
  const survivors = await findSurvivors(change, names);
  const surface = await change.surface();
  const crowds = countCrowds(notices);
  const written = readWrittenLines(change);
  const foreign = readForeignNames(change);
  const files = new Set(change.input.tree.map(fileName));
  const lostFiles = readLostFiles(change.input);
  const pace = createPace();
  const measured = new Map<Notice, Features>();
  for (const notice of notices) {
    await pace();
    measured.set(
      notice,
      measure({ change, notice, survivors, surface, crowds, written, foreign, files, lostFiles }),
    );
  }
  return measured;
}

/** File names, with and without the extension, that existed before the change and not after it. */
function readLostFiles({ tree, paths }: ChangeModel["input"]): Set<string> {
  const removed = (paths?.removed ?? []).filter(({ path }) => !isAside(path)).map(({ path }) => path);
  if (!removed.length) return new Set();
  const left = new Set(tree.flatMap(fileNames));
  return new Set(removed.flatMap(fileNames).filter((name) => !left.has(name)));
}

function isAside(path: string): boolean {
  const kind = fileKind(path);
  return kind === "test" || kind === "example" || kind === "generated";
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function fileNames(path: string): string[] {
  const name = fileName(path);
  return [name, name.replace(/\.\w+$/, "")];
}

type Measured = NameKnowledge & {
  readonly notice: Notice;
  readonly crowds: ReadonlyMap<string, Crowd>;
  readonly written: WrittenLines;
};

function measure(measured: Measured): Features {
  const { notice } = measured;
  const common: Record<string, number> = {
    ...evidenceFeatures(notice),
    ...nameFeatures(notice, measured),
    ...mentionFeatures(notice, measured.change.input.repository ?? []),
    ...replacementFeatures(notice),
    ...crowdFeatures(measured),
    ...authorFeatures(measured),
    ...pageFeatures(notice),
    "rule says certain": notice.tier === "certain" ? 1 : 0,
    "rule says possible": notice.tier === "possible" ? 1 : 0,
    ...notice.features,
  };
  const features: Record<string, number> = {
    [`rule ${notice.kind}`]: 1,
    [`${notice.kind}: ${notice.message.what}`]: 1,
  };
  for (const [name, value] of Object.entries({ ...common, ...conjoin(common) })) {
    if (value === 0) continue;
    features[name] = value;
    if (CROSSED.test(name)) features[`${notice.kind}: ${name}`] = value;
  }
  return features;
}

/** Combinations of features: a vanished name is a fact about the project only if the project offered it. */
export function conjoin(features: Features): Record<string, number> {
  const is = (name: string): boolean => (features[name] ?? 0) > 0;
  const isMarked = ["span", "code", "heading", "table"].some((place) => is(`mention in ${place}`));
  const isGone = is("name gone");
  const isResolved = is("thing lost") && (is("claim by role") || is("claim by owner"));
  const isPublicRename = is("surface exported") && is("surface renamed so");
  // The author removed another row of that name and left this one.
  const isKeptEntry = is("page dropped it elsewhere") && is("mention in table") && is("mention first");
  const isAgreed = is("rule says certain") && (features["names alike"] ?? 0) >= 0.4;
  const when = (holds: boolean): number => (holds ? 1 : 0);
  return {
    "gone and offered": when(isGone && is("name distinct") && is("surface exported")),
    "gone and renamed so": when(isGone && is("surface renamed so")),
    "renamed and marked": when(
      isGone && is("name distinct") && isMarked && (isPublicRename || (isAgreed && is("surface lost it"))),
    ),
    "marked thing gone": when(isGone && is("claim by role") && (is("thing flag") || is("thing environment"))),
    "gone and marked": when(isGone && is("name distinct") && isMarked),
    "offered, gone and marked": when(
      isGone && is("name distinct") && is("surface exported") && isMarked && !isKeptEntry,
    ),
    "file of that name gone": when(
      is("file removed") && ((isGone && is("name distinct")) || is("literal gone")),
    ),
    "parameter gone and marked": when(
      isGone && is("name distinct") && isMarked && is("parameter of a function of the page"),
    ),
    "gone and everyday": when(isGone && !is("name distinct")),
    "gone and never offered": when(isGone && is("surface never had it")),
    "left in tests and offered": when(
      is("name left in test") && is("name distinct") && is("surface lost it"),
    ),
    "resolved and unused": when(isResolved && !is("name used still") && !is("name declared still")),
  };
}

/** Features whose weight differs from rule to rule. */
const CROSSED = /^(?:name |surface |only |evidence |mention |owner |page for |value |rule says )/;

function evidenceFeatures({ evidence }: Notice): Record<string, number> {
  const kinds = new Set(evidence.map(({ path }) => fileKind(path)));
  const features: Record<string, number> = {};
  for (const kind of kinds) features[`evidence ${kind}`] = 1;
  const [only] = kinds;
  if (only !== undefined && kinds.size === 1) features[`only ${only}`] = 1;
  if (evidence.length && evidence.every(({ path }) => isBuildScript(path)))
    features["evidence is a build script"] = 1;
  const comment = /^\s*(?:\/\/|#(?!\[)|\*|\/\*|--\s|"""|'''|<!--)/;
  const lines = evidence.map(({ before, after }) => before ?? after ?? "");
  if (lines.length && lines.every((line) => comment.test(line))) features["evidence is a comment"] = 1;
  if (lines.some((line) => /^\s*(?:import\b|from\b.*\bimport\b|use\s|#include|require\()/.test(line)))
    features["evidence is an import"] = 1;
  return features;
}

const CONTRIBUTORS =
  /(?:^|\/)(?:contributing|agents|claude|develop|hacking|building|maintain|architecture|internals?|design)/i;

/** Whether the page already has the new word, and whether it is next to the changed code. */
function pageFeatures({ page, evidence, message }: Notice): Record<string, number> {
  const fresh = nameOf(message.new);
  const folder = page.path.split("/").slice(0, -1);
  const isBeside =
    folder.length > 0 && evidence.some(({ path }) => path.startsWith(`${folder.slice(0, 2).join("/")}/`));
  return {
    "page knows the new name": fresh !== null && fresh.length > 3 && page.text.includes(fresh) ? 1 : 0,
    "page beside the code": isBeside ? 1 : 0,
    "page at the root": folder.length === 0 ? 1 : 0,
    "page for contributors": CONTRIBUTORS.test(page.path) ? 1 : 0,
  };
}

/** The lines that the change added to each page. */
type WrittenLines = ReadonlyMap<string, ReadonlySet<string>>;

function readWrittenLines({ input }: ChangeModel): WrittenLines {
  return new Map(
    (input.pages ?? []).flatMap(({ path, before, after }) => {
      if (after === null) return [];
      const known = new Set(splitLines(before ?? ""));
      return [[path, new Set(splitLines(after).filter((line) => !known.has(line)))] as const];
    }),
  );
}

/** Whether the author of the change edited the page, or even wrote the line. */
function authorFeatures({ change, notice, written }: Measured): Record<string, number> {
  const own = written.get(notice.page.path);
  if (!own) return {};
  const line = notice.page.read().lines[notice.line]?.text ?? "";
  return {
    "page changed too": 1,
    "line is new": own.has(line) ? 1 : 0,
    "page dropped it elsewhere": droppedElsewhere(change, notice) ? 1 : 0,
  };
}

/** Whether the change removed the name from other lines of the page and left this one. */
function droppedElsewhere({ input }: ChangeModel, { page, message }: Notice): boolean {
  const name = nameOf(message.old);
  const before = input.pages?.find(({ path }) => path === page.path)?.before;
  if (!name || !before) return false;
  const bounded = new RegExp(`(?<![\\w-])${name.replace(/[$]/g, "\\$&")}(?![\\w-])`, "g");
  return (before.match(bounded)?.length ?? 0) > (page.text.match(bounded)?.length ?? 0);
}

type Crowd = { readonly places: number; readonly pages: number };

function countCrowds(notices: readonly Notice[]): Map<string, Crowd> {
  const meant = notices.filter(({ features }) => !features?.["further mention"]);
  return new Map(
    [...Map.groupBy(meant, causeOf)].map(([cause, own]) => [
      cause,
      { places: own.length, pages: new Set(own.map(({ page }) => page.path)).size },
    ]),
  );
}

function crowdFeatures({ change, notice, crowds }: Measured): Record<string, number> {
  const { places, pages } = crowds.get(causeOf(notice))!;
  return {
    "many places": Math.log2(places) / 4,
    "many pages": Math.log2(pages) / 3,
    "large change": Math.min(1.5, Math.log2(1 + change.comparisons.length) / 6),
  };
}
