import type { ChangeModel, DocumentPage } from "../change/change-model.ts";
import { isLivingPath } from "../change/code-path.ts";
import { fileKind } from "../change/file-kind.ts";
import { bareLine, findLiteralChanges, type LiteralChange } from "../change/literals.ts";
import { fold } from "../change/names.ts";
import type { Notice } from "../findings.ts";
import { pageOwners } from "../pages/owners.ts";
import { lineAt } from "../pages/page.ts";
import { plainName } from "../surface/surface-change.ts";

type ValuePlace = {
  readonly page: DocumentPage;
  readonly line: number;
  readonly start: number;
  readonly bound: "line" | "lead" | "heading" | "none";
  readonly owned: boolean;
};

const GENERIC = new Set([
  "default",
  "value",
  "name",
  "type",
  "format",
  "symbol",
  "style",
  "disabled",
  "enabled",
  "version",
  "const",
  "let",
  "var",
  "return",
  "self",
  "this",
  "string",
  "new",
  "static",
  "pub",
  "options",
  "config",
  "key",
  "id",
  "path",
  "description",
  "help",
  "text",
  "if",
  "case",
  "export",
  "def",
  "from",
  "import",
]);

/**
 * The value of a name changed in the code, and a document states the old value for the same name.
 * The document's line, its introductory line or its heading must have the name. If the name is an everyday word, the
 * section must also name the code that encloses it.
 */
export async function findDefaults(model: ChangeModel): Promise<Notice[]> {
  const literals = findLiteralChanges(model.comparisons)
    .filter((change) => isWorthwhile(change) && !isSetElsewhere(model, change))
    .slice(0, 400);
  if (!literals.length) return [];

  const owner = await findOwners(model);
  const changes = literals.map((change) => ({
    ...change,
    keys: [...new Set([...owner(change), ...change.keys])],
  }));
  const notices: Notice[] = [];
  const gone = await findGoneLiterals(model, changes);
  const declares = await findDeclaredDefaults(model);
  for (const change of changes) {
    const places = model.pages.flatMap((page) => findPlaces(page, change));
    for (const place of choosePlaces(change, places, gone.has(change.old))) {
      const isAmong = isAmongItsLines(change, place);
      notices.push({
        ...toNotice(model, change, place),
        features: {
          "default declared": declares(change) ? 1 : 0,
          [`value bound by ${place.bound}`]: 1,
          "value owned": place.owned ? 1 : 0,
          "value gone": gone.has(change.old) ? 1 : 0,
          "value beside default": isBesideDefault(place) ? 1 : 0,
          "value among its lines": isAmong ? 1 : 0,
          "value in a sample of defaults": isAmong && isSampleOfDefaults(place) ? 1 : 0,
        },
      });
    }
  }
  return notices;
}

/** The owner of a default by the surface, if its line does not name it: `default_value_t = 4` above a field. */
async function findOwners(model: ChangeModel): Promise<(change: LiteralChange) => string[]> {
  const { facts } = await model.surface();
  const known = facts.flatMap(({ kind, before, after, parameter, from, to }) =>
    kind === "default-changed" && before && after
      ? [{ name: fold(plainName(parameter ?? before.name)), path: after.path, line: after.line, from, to }]
      : [],
  );
  return ({ old, new: fresh, site }) => {
    const names = known
      .filter(
        ({ path, line, from, to }) =>
          path === site.path &&
          Math.abs(line - site.new.number) <= NEAR &&
          plainValue(from) === plainValue(old) &&
          plainValue(to) === plainValue(fresh),
      )
      .map(({ name }) => name);
    return new Set(names).size === 1 ? names.slice(0, 1) : [];
  };
}

// A default is on the line of its owner, or on an attribute directly above.
const NEAR = 4;

function plainValue(text: string | undefined): string {
  return (text ?? "").trim().replace(/^["'`]|["'`]$/g, "");
}

/** Whether the surface confirms that the default of this thing changed from the old value to the new one. */
async function findDeclaredDefaults(model: ChangeModel): Promise<(change: LiteralChange) => boolean> {
  const { facts } = await model.surface();
  const known = new Set(
    facts.flatMap(({ kind, before, parameter, from, to }) =>
      kind === "default-changed" && before
        ? [`${fold(plainName(parameter ?? before.name))}\0${plainValue(from)}\0${plainValue(to)}`]
        : [],
    ),
  );
  return ({ keys, old, new: fresh }) =>
    keys.some((key) => known.has(`${key}\0${plainValue(old)}\0${plainValue(fresh)}`));
}

/** Whether the line calls the value the default, or is a row of a table with such a column. */
function isBesideDefault({ page, line }: ValuePlace): boolean {
  const { lines } = page.read();
  const saysDefault = (at: number): boolean => /\bdefaults?\b/i.test(lines[at]!.text);
  let head = line;
  while (line - head < LONGEST_TABLE && lines[head]?.place === "table" && lines[head - 1]?.place === "table")
    head--;
  return saysDefault(line) || saysDefault(head);
}

const LONGEST_TABLE = 500;
const LONGEST_SAMPLE = 60;

/** Whether the sentence above the sample calls its values defaults. */
function isSampleOfDefaults({ page, line }: ValuePlace): boolean {
  const above = page
    .read()
    .lines.slice(Math.max(0, line - LONGEST_SAMPLE), line)
    .findLast(({ text, place }) => place !== "code" && place !== "blank" && !/^\s*[`~]{3}/.test(text));
  return above !== undefined && /\bdefaults?\b/i.test(above.text);
}

const NOTHING = /^(?:none|null|nil|undefined)$/i;

/** Whether a value gave way to nothing and the change writes it on another line of the file: the code sets it there. */
function isSetElsewhere({ comparisons }: ChangeModel, { old, new: fresh, site }: LiteralChange): boolean {
  if (!NOTHING.test(fresh)) return false;
  const value = new RegExp(`(?<![\\w.])${old.replace(/\W/g, "\\$&")}(?![\\w.])`);
  return comparisons
    .filter(({ path }) => path === site.path)
    .flatMap(({ rewrites }) => rewrites)
    .some(({ added }) => added.some(({ text }) => value.test(text)));
}

function isWorthwhile(change: LiteralChange): boolean {
  return (
    plainNumber(change.old) !== plainNumber(change.new) &&
    repositoryOf(change.old) !== repositoryOf(change.new) &&
    !isTypeOfValue(change) &&
    !isPieceOf(change.old, change.new) &&
    !isFilledBy(change.old, change.new) &&
    change.old.length < 400 &&
    (change.keys.length > 0 || isTelling(change.old)) &&
    !isPinned(change)
  );
}

/** The end of a sentence that spans several lines of the code: words moved from one line to the next. */
function isPieceOf(old: string, fresh: string): boolean {
  return /^\s*\p{Ll}.*\s/u.test(old) && fresh.includes(old.trim());
}

const PLACEHOLDER = /\$\{[^}]*\}|#\{[^}]*\}|\{\{[^}]*\}\}|\{[^{}]*\}|%[sdfqvr]/g;

/** Whether the new text, a template, can print the old one. */
function isFilledBy(old: string, fresh: string): boolean {
  const fixed = fresh.split(PLACEHOLDER);
  if (fixed.length < 2 || fixed.join("").trim().length < 4) return false;
  const pattern = fixed.map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join(".*");
  return new RegExp(`^${pattern}$`, "s").test(old) || fixed.join("").trim() === old.trim();
}

/** `10_000` is `10000`. */
function plainNumber(value: string): string {
  return /^\d[\d_]*(?:\.\d+)?$/.test(value) ? value.replaceAll("_", "") : value;
}

/** `git://host/owner/name.git`, `github:owner/name` and `owner/name` are one repository. */
function repositoryOf(value: string): string {
  const path = value.replace(/^(?:git\+)?(?:https?|git|ssh):\/\/(?:[^/@]*@)?[^/]+\/|^github:/, "");
  return /^[\w.-]+\/[\w.-]+$/.test(path) ? path.replace(/\.git$/, "") : value;
}

const TYPE = /^(?:string|number|integer|boolean|object|array|null)$/;

/** A type in a schema: the word `string` on a page rarely means that entry. */
function isTypeOfValue({ keys, old, new: fresh }: LiteralChange): boolean {
  return keys[0] === "type" && TYPE.test(old) && TYPE.test(fresh);
}

/** The version of a dependency in a manifest: the rule `version` compares it with pages. */
function isPinned({ old, site }: LiteralChange): boolean {
  return /^[\^~>=<v ]*\d+(?:\.\d+)+/.test(old) && /^(?:manifest|generated)$/.test(fileKind(site.path));
}

/** A text that is too long to be repeated by chance. */
function isTelling(text: string): boolean {
  return text.length >= 12 && /[^\w\s]|\s\S+\s/.test(text);
}

async function findGoneLiterals(model: ChangeModel, changes: readonly LiteralChange[]): Promise<Set<string>> {
  const telling = Map.groupBy(
    changes.filter((change) => isTelling(change.old)),
    (change) => change.old,
  );
  const occurrences = await model.input.occurrences([...telling.keys()]);
  const after = new Map(model.comparisons.map((file) => [file.path, file.after ?? ""]));
  // The new text still contains the old one.
  const holds = (path: string, text: string): boolean => {
    const left = telling
      .get(text)!
      .reduce(
        (rest, change) => (change.new.includes(text) ? rest.replaceAll(change.new, () => "") : rest),
        after.get(path) ?? text,
      );
    return left.includes(text);
  };
  return new Set(
    [...telling.keys()].filter(
      (text) => !occurrences.get(text)?.some((path) => isLivingPath(path) && holds(path, text)),
    ),
  );
}

function findPlaces(page: DocumentPage, change: LiteralChange): ValuePlace[] {
  const places: ValuePlace[] = [];
  const { text } = page;
  for (
    let at = text.indexOf(change.old);
    at >= 0 && places.length < 200;
    at = text.indexOf(change.old, at + 1)
  ) {
    if (!standsAlone(text, at, change) || isNewAlready(text, at, change)) continue;
    const line = lineAt(page.read(), at);
    places.push({ page, line, start: at, ...binding(page, line, at, change) });
  }
  return places;
}

/** Whether the old value at that place is only a part of the new one. */
function isNewAlready(text: string, at: number, { old, new: fresh }: LiteralChange): boolean {
  const within = fresh.indexOf(old);
  return within >= 0 && text.startsWith(fresh, at - within);
}

function standsAlone(text: string, at: number, change: LiteralChange): boolean {
  const before = text[at - 1] ?? "\n";
  const after = text[at + change.old.length] ?? "\n";
  if (/[\w-]/.test(change.old[0]!) && /[\w-]/.test(before)) return false;
  if (/[\w-]/.test(change.old.at(-1)!) && /[\w-]/.test(after)) return false;
  if (
    change.shape === "number" &&
    (/[.\d]/.test(before) || /^\.\d/.test(text.slice(at + change.old.length, at + change.old.length + 2)))
  )
    return false;
  if (change.shape === "string" && change.old.length < 12)
    return (
      (/["'`]/.test(before) && /["'`]/.test(after)) || /[:=]\s*$/.test(text.slice(Math.max(0, at - 4), at))
    );
  return true;
}

function binding(
  page: DocumentPage,
  line: number,
  at: number,
  change: LiteralChange,
): Pick<ValuePlace, "bound" | "owned"> {
  const here = page.read().lines[line]!;
  const key = change.keys[0];
  const near = page
    .tokens(line)
    .filter((token) => token.kind === "name" && here.start + token.end <= at)
    .map((token) => fold(token.text));
  const { introduction, headings, stem } = pageOwners(page, line);
  const owners = new Set(
    [...change.owners, ...change.keys.slice(1)].filter((name) => name.length > 2 && !GENERIC.has(name)),
  );
  const about = [...headings, ...stem, ...introduction, ...near];
  const owned = about.some(
    (name) =>
      owners.has(name) ||
      [...owners].some(
        (owner) =>
          owner.length > 4 &&
          name.length > 3 &&
          (owner === `${name}config` || owner === `${name}s` || `${owner}s` === name),
      ),
  );
  if (!key) return { bound: "none", owned };
  if (near.includes(key)) return { bound: "line", owned };
  if (introduction.includes(key)) return { bound: "lead", owned };
  if (headings.includes(key) || stem.includes(key)) return { bound: "heading", owned };
  return { bound: "none", owned };
}

/** The places that clearly mean this value; none if the choice would be a guess. */
function choosePlaces(
  change: LiteralChange,
  places: readonly ValuePlace[],
  gone: boolean,
): readonly ValuePlace[] {
  if (gone)
    return places.length <= 12 ? places : places.filter((place) => place.bound !== "none" || place.owned);
  const bound = places.filter(
    (place) => place.bound !== "none" && saysDefault(change, place) && !isAnothers(place, change),
  );
  const key = change.keys[0] ?? "";
  const telling = !GENERIC.has(key) && key.length >= 4;
  if (telling && bound.length <= 3) return bound;
  const owned = bound.filter((place) => place.owned);
  return owned.length <= 6 ? owned : [];
}

const GIVEN = /([\p{L}_$][\p{L}\p{N}_$-]*)["'`]?\s*[:=]\s*["'`]?$/u;
const CHOICE_AFTER = /^["'`]\s*(?:,|\bor\b|\band\b|\||,\s*(?:or|and))\s*["'`]/;
const CHOICE_BEFORE = /["'`)]\s*(?:,|\bor\b|\band\b|,\s*(?:or|and))\s*\[?["'`]$/;

/** Whether the value has another meaning there: it belongs to another name, or is one of several choices. */
function isAnothers({ page, line, start }: ValuePlace, change: LiteralChange): boolean {
  const here = page.read().lines[line]!;
  const before = here.text.slice(Math.max(0, start - here.start - 80), start - here.start);
  if (change.shape === "string") {
    const after = here.text.slice(start - here.start + change.old.length).slice(0, 20);
    return (
      (CHOICE_BEFORE.test(before) || CHOICE_AFTER.test(after)) && !/[[{][^\]}]*$/.test(before.slice(0, -2))
    );
  }
  const name = GIVEN.exec(before)?.[1];
  return name !== undefined && change.shape !== "list" && !isKeyOrDefault(name, change);
}

function isKeyOrDefault(name: string, { keys, owners }: LiteralChange): boolean {
  const folded = fold(name);
  return (
    folded.includes("default") || GENERIC.has(folded) || keys.includes(folded) || owners.includes(folded)
  );
}

/** A bare number or yes/no must be where defaults are stated, or be assigned to the name itself. */
function saysDefault(change: LiteralChange, place: ValuePlace): boolean {
  const line = place.page.read().lines[place.line]!;
  if (/default/i.test(line.text) || line.place === "table") return true;
  if (line.place === "code" && change.shape !== "list" && change.old.length < 12)
    return isAmongItsLines(change, place);
  const before = line.text.slice(0, place.start - line.start);
  if (place.bound === "line" && /[:=]\s*["'`]?$/.test(before)) return true;
  return (
    change.shape === "list" || (change.shape === "string" && change.old.length > 5 && place.bound === "line")
  );
}

const REACH = 4;

/** Whether the page shows the same line of code together with two or more of its neighbours. */
function isAmongItsLines({ around, site }: LiteralChange, { page, line }: ValuePlace): boolean {
  const { lines } = page.read();
  if (bareLine(lines[line]!.text) !== bareLine(site.old.text)) return false;
  const near = lines.slice(Math.max(0, line - REACH), line + REACH + 1);
  const shared = near.filter(({ text, place }) => place === "code" && around.has(bareLine(text)));
  return new Set(shared.map(({ text }) => bareLine(text))).size >= 2;
}

/** A folded name as the changed line spells it. */
function spelled(key: string, { site }: LiteralChange): string {
  const words = `${site.new.text} ${site.old.text}`.match(/[\p{L}_$][\p{L}\p{N}_$-]*/gu) ?? [];
  return words.find((word) => fold(word) === key) ?? key;
}

function toNotice(model: ChangeModel, change: LiteralChange, place: ValuePlace): Notice {
  const [key] = change.keys;
  return {
    page: place.page,
    line: place.line,
    endLine: place.line,
    tier: "likely",
    kind: "default",
    message: {
      what: "value",
      old: change.old,
      new: change.new,
      ...(key ? { owner: spelled(key, change) } : {}),
    },
    // Files may spell one name in several ways.
    cause: `default:${key ? `${key}.` : ""}${change.old}→${change.new}`,
    evidence: [
      {
        path: change.site.path,
        revision: model.input.head,
        startLine: change.site.new.number,
        endLine: change.site.new.number,
        before: change.site.old.text,
        after: change.site.new.text,
      },
    ],
    splice: { region: { start: place.start, end: place.start + change.old.length }, text: change.new },
  };
}
