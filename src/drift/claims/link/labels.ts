import { hasDocumentEnding } from "../../../syntax/formats/registry.ts";
import { defined } from "../../../text/model/defined.ts";
import { boundTo } from "../../binding/bound-by.ts";
import type { ChangedFile } from "../../change/change.ts";
import type { DocumentPage } from "../../change/change-model.ts";
import { createPace } from "../../pace.ts";
import type { State } from "../../state/state.ts";
import type { Drift, PastStates, Truth } from "../claim.ts";
import type { LinkClaim } from "./read.ts";

/** A role of reStructuredText whose target is a label, whatever it looks like. */
export const LABEL_ROLE = /^:(?:std:)?(?:ref|numref)\b/;

/** The labels that roles of a page point at. */
export function readLabels(page: DocumentPage): LinkClaim[] {
  return page.outline().spans.flatMap(({ kind, region, destination }) => {
    if (kind !== "link" || !destination) return [];
    if (!LABEL_ROLE.test(page.text.slice(region.start, region.start + 20))) return [];
    const at = destination.region;
    return [{ page, region: at, form: "label", written: destination.value, at, fragment: null, label: null }];
  });
}

/** The labels that a page had and has not now. */
export function lostLabels({ before, after }: ChangedFile): string[] {
  const kept = new Set(labelsOf(after ?? "").map(({ name }) => name));
  return labelsOf(before ?? "").flatMap(({ name }) => (kept.has(name) ? [] : [name]));
}

type Label = {
  readonly name: string;
  /** Counted from 1. */
  readonly line: number;
  /** The first line below it that is no label: what it names. */
  readonly of: string;
};

function labelsOf(text: string): Label[] {
  if (!/\.\. _|\)=/.test(text)) return [];
  const lines = text.split("\n");
  return lines.flatMap((line, at) => {
    const name = LABEL.exec(line)?.slice(1).find(Boolean);
    if (name === undefined) return [];
    const of = lines.slice(at + 1, at + 8).find((next) => next.trim() !== "" && !LABEL.test(next)) ?? "";
    return [{ name: plain(name), line: at + 1, of: of.trim() }];
  });
}

/** `.. _name:`, and `(name)=` where Sphinx reads Markdown. */
const LABEL = /^\s*\.\. _`?([^:`]+)`?:\s*$|^\(([\w.:-]+)\)=\s*$/;

/** Labels are compared without capitals and with single spaces. */
function plain(name: string): string {
  return name.toLowerCase().replace(/\s+/g, " ").trim();
}

type LabelPlace = Label & { readonly path: string };

/** The page that has a label. */
async function placeOf(written: string, state: State): Promise<LabelPlace | null> {
  const known = places.get(state) ?? readPlaces(state);
  places.set(state, known);
  return (await known).get(plain(written)) ?? null;
}

const places = new WeakMap<State, Promise<ReadonlyMap<string, LabelPlace>>>();

/** All labels of a state. Pages are no code, so that no index of words has them. */
async function readPlaces(state: State): Promise<ReadonlyMap<string, LabelPlace>> {
  const found = new Map<string, LabelPlace>();
  const pace = createPace();
  for (const path of state.files()) {
    if (!hasDocumentEnding(path)) continue;
    await pace();
    for (const label of labelsOf((await state.text(path)) ?? "")) found.set(label.name, { ...label, path });
  }
  return found;
}

/** A label of another project's pages, or one that a program makes of a heading, is no claim. */
export async function labelTruth({ written }: LinkClaim, state: State): Promise<Truth> {
  const place = await placeOf(written, state);
  if (!place) return { is: "none", why: "no page of the project has the label" };
  return { is: "true", ...boundTo([place], "file") };
}

export async function judgeLabel(
  claim: LinkClaim,
  { base, head }: PastStates,
): Promise<Drift<LinkClaim> | null> {
  const was = base && (await placeOf(claim.written, base));
  if (!base || !was || (await placeOf(claim.written, head))) return null;
  const path = head.has(was.path) ? was.path : ((await head.movedTo?.(was.path))?.to ?? null);
  const [before, after] = [(await base.text(was.path)) ?? "", (path && (await head.text(path))) ?? ""];
  const known = new Set(labelsOf(before).map(({ name }) => name));
  const heirs = labelsOf(after).filter(({ name, of }) => of === was.of && !known.has(name));
  const now = heirs.length === 1 ? heirs[0]! : null;
  const evidence = now && path ? { path, line: now.line, state: head } : { ...was, state: base };
  return {
    claim,
    tier: "likely",
    rule: "anchor",
    message: now
      ? { what: "moved", old: claim.written, new: now.name }
      : { what: "removed", old: claim.written },
    evidence: [
      {
        path: evidence.path,
        revision: evidence.state.revision,
        startLine: evidence.line,
        endLine: evidence.line,
        before: `.. _${was.name}:`,
        ...defined({ after: now ? `.. _${now.name}:` : undefined }),
      },
    ],
    cause: `label:${was.name}`,
    ...defined({ repair: now?.name }),
  };
}
