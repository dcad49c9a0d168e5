import { isManifest } from "../../syntax/manifests/manifest.ts";
import { sourceLanguage } from "../../syntax/source/source.ts";
import type { ChangeModel, DocumentPage } from "../change/change-model.ts";
import { type FileKind, fileKind } from "../change/file-kind.ts";
import { type ForeignNames, readForeignNames } from "../change/foreign-names.ts";
import { isCommon, isDistinct, partsOf } from "../change/names.ts";
import { flipsMeaning } from "../change/rename-candidates.ts";
import { findSurvivors, type Survivors } from "../change/survivors.ts";
import { splitLines } from "../change/tokens.ts";
import { causeOf, type Notice } from "../findings.ts";
import { createPace } from "../pace.ts";
import { pageOwners } from "../pages/owners.ts";
import { isFilledIn, type PageLine } from "../pages/page.ts";
import { bindsName, sampleAround } from "../pages/samples.ts";
import type { SurfaceChange } from "../surface/surface-change.ts";

/** What speaks for or against a finding, by name. An absent feature is 0. */
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
  const files = new Set(change.input.tree.map((path) => path.slice(path.lastIndexOf("/") + 1)));
  const pace = createPace();
  const measured = new Map<Notice, Features>();
  for (const notice of notices) {
    await pace();
    measured.set(notice, measure({ change, notice, survivors, surface, crowds, written, foreign, files }));
  }
  return measured;
}

type Measured = {
  readonly change: ChangeModel;
  readonly notice: Notice;
  readonly survivors: ReadonlyMap<string, Survivors>;
  readonly surface: SurfaceChange;
  readonly crowds: ReadonlyMap<string, Crowd>;
  readonly written: WrittenLines;
  readonly foreign: ForeignNames;
  /** The names of all files, without their folders. */
  readonly files: ReadonlySet<string>;
};

function measure(measured: Measured): Features {
  const { notice } = measured;
  const common: Record<string, number> = {
    ...evidenceFeatures(notice),
    ...nameFeatures(measured),
    ...mentionFeatures(notice),
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

/** What only means something together: a name that is gone is a fact about the project if the project offered it. */
export function conjoin(features: Features): Record<string, number> {
  const is = (name: string): boolean => (features[name] ?? 0) > 0;
  const isMarked = ["span", "code", "heading", "table"].some((place) => is(`mention in ${place}`));
  const isGone = is("name gone");
  const isResolved = is("thing lost") && (is("claim by role") || is("claim by owner"));
  const isPublicRename = is("surface exported") && is("surface renamed so");
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
    "gone and everyday": when(isGone && !is("name distinct")),
    "gone and never offered": when(isGone && is("surface never had it")),
    "left in tests and offered": when(
      is("name left in test") && is("name distinct") && is("surface lost it"),
    ),
    "deprecated thing": when(
      is("mark on a declaration") && !is("surface never had it") && !is("name elsewhere"),
    ),
    "default in a row": when(is("value bound by line") && is("mention in table")),
    ...conjoinList(features),
    // A text that stands on many pages is a slogan, or a generator prints it anew.
    "text copied": when(is("description whole") && (features["many places"] ?? 0) < 0.65),
    "resolved and unused": when(isResolved && !is("name used still") && !is("name declared still")),
  };
}

/** A list that has most of what stands beside an addition is kept up with the code; one that has few is a choice. */
function conjoinList(features: Features): Record<string, number> {
  const [near, all] = [features["list has the neighbours"] ?? 0, features["list has the siblings"] ?? 0];
  const isSample = (features["list of keys"] ?? 0) > 0;
  const isPublic = OFFERS.some((name) => (features[`addition ${name}`] ?? 0) > 0);
  return {
    "list keeps up": near >= 0.7 && all >= 0.6 ? 1 : 0,
    "list keeps up closely": near >= 0.7 && all >= 0.8 ? 1 : 0,
    "list is a choice": all > 0 && all < 0.5 ? 1 : 0,
    "listed like its siblings": near === 1 && all >= 0.9 && isPublic && !isSample ? 1 : 0,
  };
}

const OFFERS = ["public", "flag", "environment", "setting"];

/** Features whose weight differs from rule to rule. */
const CROSSED = /^(?:name |surface |only |evidence |mention |owner |page for |value |rule says )/;

/** The name that a notice is about, where it is about one. */
export function nameOf(old: string | undefined): string | null {
  const name = old?.replace(/^-{1,2}/, "");
  return name && /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(name) ? name : null;
}

/** Whether a manifest is a program, or the settings of one: the words in it are mostly the build tool's. */
function isBuildScript(path: string): boolean {
  return isManifest(path) && (sourceLanguage(path, "") !== undefined || path.endsWith("setup.cfg"));
}

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

function nameFeatures({
  change,
  notice,
  survivors,
  surface,
  foreign,
  files,
}: Measured): Record<string, number> {
  const name = nameOf(notice.message.old);
  if (name === null) return { "no name": 1, "name from elsewhere": isForeignPath(foreign, notice) ? 1 : 0 };
  const found = survivors.get(name);
  const usage = change.usage(name);
  return {
    "name distinct": isDistinct(name) ? 1 : 0,
    "name everyday": isCommon(name) || /^[a-z]{1,5}$/.test(name) ? 1 : 0,
    "name short": name.length < 4 ? 1 : 0,
    "name was declared": usage.removed.declared > 0 ? 1 : 0,
    "name was used": usage.removed.used > 0 ? 1 : 0,
    "name stands in changed code": usage.living > 0 ? 1 : 0,
    "name left tests too": usage.removedAside > 0 ? 1 : 0,
    "name left many lines": Math.min(1, Math.log2(1 + Math.max(0, usage.before - usage.after)) / 5),
    "name composed": isComposed(change, name) ? 1 : 0,
    "variable read still": surface.readsVariable(name) ? 1 : 0,
    "name of every program": isCommon(name) ? 1 : 0,
    "name is a file": files.has(name) ? 1 : 0,
    "name of a life cycle": LIFE_CYCLE.test(name) ? 1 : 0,
    "name from elsewhere": isFromElsewhere(foreign, name, notice) ? 1 : 0,
    ...(found ? survivorFeatures(found) : {}),
    ...surfaceFeatures(surface, name, notice),
  };
}

/** Scripts that npm runs by itself: every package may have them. */
const LIFE_CYCLE =
  /^(?:pre|post)(?:install|publish|pack|version|test|start|stop)$|^prepare$|^prepublishOnly$/;

/** Whether the code had the name from another project. */
function isFromElsewhere(foreign: ForeignNames, name: string, { evidence }: Notice): boolean {
  const lines = evidence.flatMap(({ before }) => (before === undefined ? [] : [before]));
  return foreign.imports(name) || foreign.owns(name, lines);
}

/** `strings.Replace`: a member of a module of another project. */
function isForeignPath(foreign: ForeignNames, { message: { old = "" } }: Notice): boolean {
  const holder = /^([\w$]+)(?:\.|::)[\w$.:]+$/.exec(old)?.[1];
  return holder !== undefined && foreign.imports(holder);
}

/** Whether the changed code holds two strings that make up a name of the environment: a prefix and the rest of it. */
function isComposed({ comparisons }: ChangeModel, name: string): boolean {
  if (!/^[A-Z][A-Z\d]*_[A-Z\d_]+$/.test(name)) return false;
  const holds = (part: string): boolean =>
    comparisons.some(({ after }) =>
      ['"', "'", "`"].some((quote) => after?.includes(`${quote}${part}${quote}`)),
    );
  const parts = name.split("_");
  return parts.slice(1).some((_, at) => {
    const [head, tail] = [parts.slice(0, at + 1).join("_"), parts.slice(at + 1).join("_")];
    return (holds(head) || holds(`${head}_`)) && (holds(tail) || holds(`_${tail}`));
  });
}

function survivorFeatures({ files, declared, used, text, elsewhere }: Survivors): Record<string, number> {
  const total = Object.values(files).reduce((sum, count) => sum + count, 0);
  const aside: FileKind[] = ["test", "example", "automation", "tooling", "generated", "data"];
  const features: Record<string, number> = {
    "name gone": total === 0 ? 1 : 0,
    "name declared still": declared > 0 ? 1 : 0,
    "name used still": used > 0 ? 1 : 0,
    "name used widely": Math.min(1, Math.log1p(used) / 4),
    "name in text still": text > 0 && used + declared === 0 ? 1 : 0,
    "name elsewhere": elsewhere > 0 ? 1 : 0,
  };
  if (total > 0 && declared + used === 0)
    for (const kind of aside) if (files[kind] > 0) features[`name left in ${kind}`] = 1;
  return features;
}

function surfaceFeatures(surface: SurfaceChange, name: string, { message }: Notice): Record<string, number> {
  const lost = surface.lost(name);
  const thing = lost[0]?.before;
  if (!thing) return surface.wasThing(name) ? { "surface has it still": 1 } : { "surface never had it": 1 };
  const renamed = lost.some(({ kind, after }) => kind === "renamed" && after?.name === message.new);
  return {
    "surface lost it": 1,
    [`surface ${thing.kind}`]: 1,
    "surface exported": lost.some(({ before }) => before?.exported === "yes") ? 1 : 0,
    "surface internal": lost.every(({ before }) => before?.exported === "no") ? 1 : 0,
    "surface renamed so": renamed ? 1 : 0,
  };
}

/** How the page has the name: where on the page, as what, and under whose heading. */
function mentionFeatures(notice: Notice): Record<string, number> {
  const line = notice.page.read().lines[notice.line];
  if (!line) return {};
  const features: Record<string, number> = { [`mention in ${line.place}`]: 1 };
  const at = positionOf(notice, line);
  if (at) {
    const [before, after] = [line.text.slice(0, at.start), line.text.slice(at.end)];
    const inSpan = line.spans.some((span) => span.start <= at.start && at.end <= span.end);
    if (inSpan) features["mention in span"] = 1;
    features[`mention ${roleAt(before, after)}`] = 1;
    if (!inSpan && line.place !== "code" && line.place !== "heading") features["mention plain"] = 1;
    if (/^[\s|#>*+-]*(?:\d+[.)]\s+)?[`*_[<"'.:-]*$/.test(before)) features["mention first"] = 1;
    if (/\bhttps?:\/\/\S*$/.test(before)) features["mention in address"] = 1;
    if (features["mention bare"] && isReadersOwn(notice)) features["sample declares the name"] = 1;
  }
  if (isFilledIn(line)) features["mention filled in"] = 1;
  if (HISTORY.test(line.text)) features["line tells history"] = 1;
  if (tellsHistory(notice)) features["page tells its history"] = 1;
  if (/(?:^|\/)readme[^/]*$/i.test(notice.page.path)) features["page readme"] = 1;
  return { ...features, ...ownerFeatures(notice.page, notice) };
}

/** Whether the sample around the passage declares a variable of the name. */
function isReadersOwn({ page, line, message }: Notice): boolean {
  const name = nameOf(message.old);
  const sample = name === null ? null : sampleAround(page, line);
  return sample !== null && bindsName(sample, name!);
}

const HISTORY =
  /\b(?:deprecated|obsolete|no longer|formerly|previously|used to be|renamed|removed|legacy|before v?\d|since v?\d|prior to)\b/i;

/** Whether a line of the page says of the name that it is deprecated or gone. */
function tellsHistory({ page, message: { old } }: Notice): boolean {
  if (old === undefined || old.length < 4) return false;
  return historyOf(page).some((text) => text.includes(old));
}

const histories = new WeakMap<DocumentPage, readonly string[]>();

/** The lines of a page that tell of an end, looked for once a page. */
function historyOf(page: DocumentPage): readonly string[] {
  const known = histories.get(page);
  if (known) return known;
  const lines = page.read().lines.flatMap(({ text }) => (HISTORY.test(text) ? [text] : []));
  histories.set(page, lines);
  return lines;
}

function positionOf(
  { splice, message, kind }: Notice,
  line: PageLine,
): { start: number; end: number } | null {
  if (splice && kind !== "sibling" && splice.region.start >= line.start) {
    const start = splice.region.start - line.start;
    if (start <= line.text.length)
      return { start, end: Math.min(line.text.length, splice.region.end - line.start) };
  }
  const at = message.old ? line.text.indexOf(message.old) : -1;
  return at < 0 ? null : { start: at, end: at + message.old!.length };
}

function roleAt(before: string, after: string): string {
  if (/--$/.test(before)) return "flag";
  if (/[\w)\]]\.$|::$|->$|#$/.test(before)) return "member";
  if (/^\(/.test(after)) return "call";
  if (/^\s*[:=](?![:=])/.test(after)) return "key";
  if (/["']$/.test(before) && /^["']/.test(after)) return "quoted";
  if (/\$\{?$/.test(before)) return "variable";
  return "bare";
}

/** Whether the page's section, its lead line or the word before the dot names what holds the thing in the code. */
function ownerFeatures(page: DocumentPage, { line, evidence, message }: Notice): Record<string, number> {
  const { headings, stem, lead } = pageOwners(page, line);
  const about = new Set([...headings, ...stem, ...lead]);
  const own = new Set(evidence.flatMap(({ path }) => stemParts(path)));
  const isNamed = [...own].some((name) => name.length > 3 && about.has(name));
  const owner = message.owner?.toLowerCase();
  return {
    "owner in section": isNamed ? 1 : 0,
    "owner said": owner !== undefined && about.has(owner) ? 1 : 0,
  };
}

function stemParts(path: string): string[] {
  return path
    .toLowerCase()
    .split("/")
    .slice(-2)
    .map((part) => part.replace(/\.\w+$/, "").replace(/[^\p{L}\p{N}]/gu, ""));
}

function replacementFeatures({ message, splice }: Notice): Record<string, number> {
  const features: Record<string, number> = {
    "has edit": splice ? 1 : 0,
    "case only":
      message.new !== undefined && message.old?.toLowerCase() === message.new.toLowerCase() ? 1 : 0,
    "scheme only": isSchemeOnly(message.old, message.new) ? 1 : 0,
    "value tiny": message.old !== undefined && message.old.replace(/[^\p{L}\p{N}]/gu, "").length < 1 ? 1 : 0,
    "new word is no name": message.new !== undefined && NO_NAME.test(message.new) ? 1 : 0,
    "value long": Math.min(1, (message.old?.length ?? 0) / 40),
  };
  const [old, fresh] = [nameOf(message.old), nameOf(message.new)];
  if (!old || !fresh) return features;
  const [was, is] = [partsOf(old), partsOf(fresh)];
  const shared = was.filter((part) => is.includes(part)).length;
  features["names alike"] = (2 * shared) / Math.max(1, was.length + is.length);
  features["names unlike"] = shared === 0 ? 1 : 0;
  features["style differs"] = styleOf(old) === styleOf(fresh) ? 0 : 1;
  features["meaning flips"] = flipsMeaning(was, is) ? 1 : 0;
  return features;
}

/** A letter, or a word that every language has for nothing, yes or no. */
const NO_NAME = /^(?:[\p{L}_]|undefined|null|nil|none|true|false|void|unit)$/iu;

/** `http://` became `https://`: the old address still leads there. */
function isSchemeOnly(old = "", fresh = ""): boolean {
  const bare = (address: string): string => address.replace(/^https?:\/\//, "").replace(/\/$/, "");
  return /^http:/.test(old) && /^https:/.test(fresh) && bare(old) === bare(fresh);
}

function styleOf(name: string): string {
  if (name.includes("-")) return "kebab";
  if (name.includes("_")) return /[a-z]/.test(name) ? "snake" : "constant";
  if (/^\p{Lu}/u.test(name)) return "pascal";
  return /\p{Lu}/u.test(name) ? "camel" : "flat";
}

const CONTRIBUTORS =
  /(?:^|\/)(?:contributing|agents|claude|develop|hacking|building|maintain|architecture|internals?|design)/i;

/** Whether the page knows the new word already, and lies beside the code that changed. */
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

/** The lines of each changed page that the change itself put there. */
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

/** The author of the change has just read the page, or even written the line. */
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

/** Whether the change took the name from other lines of the page and left this one. */
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
