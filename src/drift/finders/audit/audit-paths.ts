import { formatAt, USUAL_EXTENSIONS } from "../../../syntax/formats/registry.ts";
import type { PastPath } from "../../change/change.ts";
import type { DocumentPage } from "../../change/change-model.ts";
import type { Notice, Tier } from "../../findings.ts";
import { documentClass } from "../../pages/policies.ts";
import { findReferences, type Reference } from "../../pages/references.ts";
import type { Audit } from "../../rule.ts";
import { addressOf, isReadersOwn, relativeAddress } from "../lost-paths.ts";
import { auditAnchors } from "./audit-anchors.ts";
import { auditNotice } from "./audit-notice.ts";
import { auditPermalinks } from "./audit-permalinks.ts";
import { PAST } from "./past-words.ts";
import { createPlaces, type RepositoryPlaces } from "./places.ts";

/**
 * Links, images, own addresses and paths without a target, and anchors without a heading. The history decides which are
 * reported: a removed path was this project's; a path that never existed may be the reader's or the site's.
 */
export async function auditPaths({ pages, input }: Audit): Promise<Notice[]> {
  const places = createPlaces(input);
  const broken = pages.flatMap((page) => findBroken(page, input.repository ?? [], places));
  const targets = [...new Set(broken.flatMap(({ reference }) => reference.targets))];
  const past = (await input.removals?.(targets)) ?? new Map<string, PastPath>();
  const notices = broken.flatMap((one) => toNotice(one, past, places));
  return [...notices, ...auditAnchors(pages, input, places), ...(await auditPermalinks({ pages, input }))];
}

type BrokenReference = { readonly page: DocumentPage; readonly reference: Reference };

function findBroken(
  page: DocumentPage,
  repository: readonly string[],
  places: RepositoryPlaces,
): BrokenReference[] {
  return findReferences(page, repository)
    .filter((reference) => mayBePath(page, reference) && !places.resolves(page.path, reference))
    .map((reference) => ({ page, reference }));
}

/** Names of types, templates and addresses that only look like paths are left out. */
function mayBePath(page: DocumentPage, { form, written }: Reference): boolean {
  if (form === "link" && formatAt(page.path).hasHeadingIds && !/\.\w+$/.test(written)) return false;
  return !/::|^[(`]|\\|\$|%7B|\.\.\.|…/i.test(written) || /^[^:(`$]+\\[^:(`$]+$/.test(written);
}

const PLACEHOLDER = /path\/to|your[-_]|my[-_]|example|sample|foo|bar\b|xxx|<|>/i;
function toNotice(
  { page, reference }: BrokenReference,
  past: ReadonlyMap<string, PastPath>,
  places: RepositoryPlaces,
): Notice[] {
  const target = reference.targets.find((path) => past.has(path));
  if (target === undefined) return neverThere({ page, reference }, places);
  const gone = past.get(target)!;
  const to = gone.movedTo ?? places.onlyNamesake(target);
  const address = to === null ? null : addressOf(page.path, { reference, target, to }, to);
  const isMoved = address !== null && address !== reference.written;
  const { commit, date, subject } = gone;
  return [
    {
      ...auditNotice({ page, line: reference.line }, "path", tierOf(page, reference, isMoved), {
        what: isMoved ? "moved" : "no file",
        old: reference.written,
        ...(isMoved && { new: address }),
      }),
      cause: `path:${target}`,
      since: { commit, date, subject },
      evidence: [{ path: to ?? target, revision: commit, startLine: 1, endLine: 1, before: target }],
      ...(isMoved && { splice: { region: reference.region, text: address } }),
    },
  ];
}

function tierOf(page: DocumentPage, reference: Reference, isMoved: boolean): Tier {
  const { text = "" } = page.read().lines[reference.line] ?? {};
  if (PLACEHOLDER.test(reference.written) || PAST.test(text)) return "possible";
  if (reference.form === "link" || reference.form === "url") return "certain";
  if (reference.form === "site") return isMoved ? "likely" : "possible";
  // A path in a sample is often the reader's, and a path without a successor may be part of a history.
  if (reference.form === "code" || isReadersOwn(page, reference)) return "possible";
  return isMoved || (OURS.test(page.path) && FILE.test(reference.written)) ? "likely" : "possible";
}

/** Pages for contributors. */
const OURS = /(^|\/)(?:contributing|agents|claude|develop|hacking|building|copilot-instructions)[^/]*$/i;

/** Pages that a code host shows unchanged. A site may publish the other pages under other addresses. */
const SHOWN_AS_IS =
  /(^|\/)(?:readme|contributing|security|code_of_conduct|support|changelog|governance)[^/]*$/i;
const OTHER_FILES = /txt|png|jpe?g|gif|svg|webp|ts|js|mjs|py|go|rs|java|rb|c|h|sh|ya?ml|toml|json/;
const FILE = new RegExp(`\\.(?:${[...USUAL_EXTENSIONS, OTHER_FILES.source].join("|")})$`, "i");

/** A line that does not promise the file. */
const OPTIONAL = /\bif (?:present|any|it exists|available|there is one)\b/i;

/** A path that never existed can be judged only as a link on a page that code hosts show unchanged. */
function neverThere({ page, reference }: BrokenReference, places: RepositoryPlaces): Notice[] {
  const { form, written, line } = reference;
  const isPlain =
    form === "link" && FILE.test(written) && SHOWN_AS_IS.test(page.path) && !PLACEHOLDER.test(written);
  const isOptional = OPTIONAL.test(page.read().lines[line]?.text ?? "");
  if (!isPlain || isOptional || documentClass(page.path) === "history") return [];
  const meant = places.onlyEnding(written);
  const text = meant === null ? null : relativeAddress(page.path, meant, written);
  return [
    {
      ...auditNotice({ page, line }, "path", "certain", { what: "no file", old: written }),
      cause: `path:${reference.targets[0]}`,
      ...(text !== null && { splice: { region: reference.region, text } }),
    },
  ];
}
