import { HOST_SITES } from "../../../syntax/code-hosts.ts";
import { USUAL_EXTENSIONS } from "../../../syntax/formats/registry.ts";
import { defined } from "../../../text/model/defined.ts";
import type { DocumentPage } from "../../change/change-model.ts";
import { lastName } from "../../change/folders.ts";
import type { Tier } from "../../findings.ts";
import { lineAt } from "../../pages/page.ts";
import { PAST } from "../../pages/past-words.ts";
import { documentClass } from "../../pages/policies.ts";
import type { Moved, State } from "../../state/state.ts";
import { isOwn, locate } from "./locate.ts";
import { placesOf } from "./places.ts";
import { type LinkClaim, readLinks } from "./read.ts";

/** A link that leads nowhere, without a past of its page: what is known of its target. */
export type Dead = {
  readonly from: string;
  readonly to: string | null;
  readonly since?: NonNullable<Moved["since"]>;
  readonly tier: Tier;
};

/**
 * What a link without a target means: a path that once was, a path in other letters, or one that never was. The last is
 * reported only where the folder beside it shows that the page means this repository.
 */
export async function findDead(
  claim: LinkClaim,
  paths: readonly string[],
  head: State,
): Promise<Dead | null> {
  const [from = ""] = paths;
  const isDoubtful = isPlaceholder(claim) || tellsPast(claim);
  const other = placesOf(head).inOtherCase(from);
  if (other !== null) return { from, to: other, tier: isDoubtful ? "possible" : "certain" };
  for (const path of paths) {
    const moved = (await head.movedTo?.(path)) ?? null;
    if (moved === null) continue;
    const tier = isDoubtful || isFragment(claim) ? "possible" : "certain";
    return { from: path, to: moved.to, ...defined({ since: moved.since }), tier };
  }
  return isDoubtful || isFragment(claim) ? null : neverThere(claim, from, head);
}

async function neverThere(claim: LinkClaim, from: string, head: State): Promise<Dead | null> {
  const { page, form, written } = claim;
  const folder = from.slice(0, Math.max(0, from.length - lastName(from).length - 1));
  const isShown = SHOWN_AS_IS.test(page.path);
  if (!FILE.test(written) || isOptional(claim) || documentClass(page.path) === "history") return null;
  if (isOfAnother(page, head) || (await isSample(page, head))) return null;
  if (form !== "url" && isShown) {
    const meant = onlyEnding(written, head);
    if (meant !== null) return { from, to: meant, tier: "likely" };
  }
  if (!head.has(folder)) return isShown && form === "link" ? { from, to: null, tier: "likely" } : null;
  return { from, to: null, tier: isShown && form === "link" ? "certain" : "likely" };
}

/** The one file that a link means if it was written for another folder: its path ends with the link's. */
function onlyEnding(written: string, head: State): string | null {
  const plain = written.replace(/^(?:\.{0,2}\/)+/, "");
  const [only, ...others] = plain.includes("/") ? placesOf(head).endingWith(plain) : [];
  return only !== undefined && others.length === 0 ? only : null;
}

/** Pages that a code host shows unchanged. A site may publish the other pages under other addresses. */
export const SHOWN_AS_IS =
  /(^|\/)(?:readme|contributing|security|code_of_conduct|support|changelog|governance)[^/]*$/i;
const OTHER_FILES = "txt|png|jpe?g|gif|svg|webp|ts|js|mjs|py|go|rs|java|rb|c|h|sh|ya?ml|toml|json";
const FILE = new RegExp(`\\.(?:${[...USUAL_EXTENSIONS, OTHER_FILES].join("|")})$`, "i");
const PLACEHOLDER = /path\/to|your[-_]|my[-_]|example|sample|foo|bar\b|xxx/i;

function isPlaceholder({ written }: LinkClaim): boolean {
  return PLACEHOLDER.test(written);
}

const FRAGMENT =
  /(^|\/)_[^/]*$|\.question\.md$|(^|\/)_?(?:includes?|partials?|snippets?|fragments?|shared|reuse|macros)\//i;

/** Whether others take the page in: its links are relative to them. FAQtory joins `*.question.md`. */
export function isFragment({ page }: LinkClaim): boolean {
  return FRAGMENT.test(page.path);
}

function lineOf({ page, at }: LinkClaim): string {
  const read = page.read();
  return read.lines[lineAt(read, at.start)]?.text ?? "";
}

function tellsPast(claim: LinkClaim): boolean {
  return PAST.test(lineOf(claim));
}

const NAMES_REPOSITORY = new RegExp(
  String.raw`^[ \t]*(?:repo(?:sitory)?|source|homepage)\s*[:=]\s*["']?https?://(?:${HOST_SITES})/([\w.-]+/[\w-]+)`,
  "im",
);

/** Whether the front matter of a page names another repository as its own: a catalogue shows that one's page. */
function isOfAnother(page: DocumentPage, state: State): boolean {
  const [, , front = ""] = /^(---|\+\+\+)\r?\n([\s\S]{0,4000}?)\n\1/.exec(page.text.trimStart()) ?? [];
  const named = NAMES_REPOSITORY.exec(front)?.[1];
  return named !== undefined && !isOwn(named.toLowerCase(), page, state);
}

const samples = new WeakMap<State, Map<string, Promise<boolean>>>();

/** Whether a page shows how to write links: it has many, and none of them leads anywhere. */
function isSample(page: DocumentPage, head: State): Promise<boolean> {
  const known = samples.get(head) ?? new Map<string, Promise<boolean>>();
  samples.set(head, known);
  const answer = known.get(page.path) ?? leadsNowhere(page, head);
  known.set(page.path, answer);
  return answer;
}

async function leadsNowhere(page: DocumentPage, head: State): Promise<boolean> {
  const links = readLinks(page).filter(({ form, written }) => form === "link" && written !== "");
  const byTarget = new Map(links.map((claim) => [claim.written, claim]));
  if (byTarget.size < 5) return false;
  const places = await Promise.all([...byTarget.values()].map((claim) => locate(claim, head)));
  return places.every(({ is }) => is !== "there") && places.filter(({ is }) => is === "missing").length > 3;
}

/** A line that does not promise the file. */
function isOptional(claim: LinkClaim): boolean {
  return /\bif (?:present|any|it exists|available|there is one)\b/i.test(lineOf(claim));
}
