import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { placeHunks } from "../../src/text/match/hunks/place-hunks.ts";
import { findQuote } from "../../src/text/match/quote.ts";
import type { Edit } from "../../src/text/model/edit.ts";
import { decode, type Encoding, encode } from "../../src/text/model/encoding.ts";
import { indexLines } from "../../src/text/model/lines.ts";
import { planEdits } from "../../src/text/model/plan.ts";
import { applySplices } from "../../src/text/model/splice.ts";
import { parseUnified } from "../../src/text/patch/unified.ts";
import { type GitStore, openStore } from "./git-store.ts";

/**
 * Reproduces real changes of public projects byte for byte: as git's diffs with several amounts of context, as
 * search and replace, and on versions of the file that have moved on, where a refusal is right and any other
 * text is wrong.
 *
 *     node test/replay/replay.ts [--mirror DIR] [--limit N] [--form unified|sr|drifted]
 */
const forms = ["unified", "sr", "drifted"] as const;
const contexts = [0, 1, 3, 10] as const;

type Change = {
  readonly id: string;
  readonly repo: string;
  readonly before: string;
  readonly after: string;
  readonly sr: { readonly edits: readonly (readonly [number, number, number, number])[] };
};
type Drifted = {
  readonly id: string;
  readonly repo: string;
  readonly from: string;
  readonly to: string;
  readonly onto: string;
  readonly result_blob: string;
  readonly class: string;
};

/** What became of one change: the right bytes, those but for kept line endings, a refusal, or other bytes. */
type Fate =
  | { readonly fate: "right" | "endings" }
  | { readonly fate: "refused" | "wrong"; readonly why: string };

const data = fileURLToPath(new URL("../../../shared/bench/replay/", import.meta.url));

function main(): void {
  const { values } = parseArgs({
    options: { mirror: { type: "string" }, limit: { type: "string" }, form: { type: "string" } },
  });
  const mirror = values.mirror ?? process.env.MIRROR;
  if (!existsSync(data) || !mirror || !existsSync(mirror)) {
    console.info(
      "Nothing replayed: the list of changes or the folder of clones (--mirror, MIRROR) is not there.",
    );
    return;
  }
  const limit = Number(values.limit ?? Number.POSITIVE_INFINITY);
  const asked = forms.filter((form) => values.form === undefined || values.form === form);
  const tally = createTally();
  if (asked.includes("unified") || asked.includes("sr"))
    for (const { change, store } of eachOf<Change>("replay_dev.jsonl", mirror, limit, tally)) {
      const blobs = store.blobs([change.before, change.after]);
      const [before, after] = [blobs.get(change.before)!, blobs.get(change.after)!];
      if (asked.includes("unified"))
        for (const context of contexts) {
          const patch = store.diff(change.before, change.after, context);
          tally.add(`unified -U${context}`, change.id, compare(applyPatch(before, patch), change.after));
        }
      if (asked.includes("sr")) {
        const applied = applyQuotes(before, after, change);
        const fate = compare(applied, change.after);
        // A quotation says nothing about line endings, so a change of them alone is not made.
        const kept = applied.ok && fate.fate === "wrong" && sameWords(applied.bytes, after);
        tally.add("search/replace", change.id, kept ? { fate: "endings" } : fate);
      }
    }
  if (asked.includes("drifted"))
    for (const { change, store } of eachOf<Drifted>("drifted_dev.jsonl", mirror, limit, tally)) {
      const onto = store.blobs([change.onto]).get(change.onto)!;
      for (const context of contexts) {
        const patch = store.diff(change.from, change.to, context);
        const fate = compare(applyPatch(onto, patch), change.result_blob);
        tally.add(`drifted -U${context} ${change.class}`, change.id, fate);
      }
    }
  tally.print();
}

function* eachOf<T extends { readonly repo: string }>(
  file: string,
  mirror: string,
  limit: number,
  tally: ReturnType<typeof createTally>,
): Generator<{ change: T; store: GitStore }> {
  const changes = readFileSync(new URL(file, `file://${data}`), "utf8")
    .split("\n")
    .filter(Boolean)
    .slice(0, limit);
  const stores = new Map<string, GitStore | null>();
  for (const line of changes) {
    const change = JSON.parse(line) as T;
    if (!stores.has(change.repo)) stores.set(change.repo, openStore(mirror, change.repo));
    const store = stores.get(change.repo);
    if (store) yield { change, store };
    else tally.missing(change.repo);
  }
}

type Applied =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly why: string };

function applyPatch(before: Uint8Array, patch: Uint8Array): Applied {
  const text = decode(before, { strayBytes: "keep" });
  const diff = decode(patch, { strayBytes: "keep" });
  if (!text.ok || !diff.ok) return { ok: false, why: "not text" };
  const edits = parseUnified(diff.value.text);
  if (!edits.ok) return { ok: false, why: JSON.stringify(edits.refusal) };
  const hunks = edits.value.flatMap(({ target }) => ("hunks" in target ? target.hunks : []));
  const placed = placeHunks(text.value.text, hunks);
  if (!placed.ok) return { ok: false, why: JSON.stringify(placed.refusal) };
  return encoded(
    applySplices(text.value.text, placed.value.splices),
    text.value.encoding,
    diff.value.encoding,
  );
}

/** Bytes that the patch brings in may be of a kind the file did not have. */
function encoded(text: string, ...encodings: readonly Encoding[]): Applied {
  const encoding = encodings.find((each) => each !== "utf-8") ?? "utf-8";
  const bytes = encode(text, encoding);
  return bytes.ok ? { ok: true, bytes: bytes.value } : { ok: false, why: JSON.stringify(bytes.refusal) };
}

function applyQuotes(before: Uint8Array, after: Uint8Array, change: Change): Applied {
  const old = decode(before, { strayBytes: "keep" });
  const now = decode(after, { strayBytes: "keep" });
  if (!old.ok || !now.ok) return { ok: false, why: "not text" };
  const edits = quoteEdits(old.value.text, now.value.text, change);
  const plan = planEdits(edits, [{ path, text: old.value.text, version: "" }]);
  if (!plan.ok) return { ok: false, why: JSON.stringify(plan.refusal) };
  return encoded(plan.value.changes[0]?.after ?? "", old.value.encoding, now.value.encoding);
}

const path = "file";

/** The recorded ranges of lines as quotations; one that stands at several places names its occurrence. */
function quoteEdits(before: string, after: string, change: Change): Edit[] {
  const asked = { path, reason: "", evidence: [] };
  const edits: Edit[] = [];
  let running = before;
  let shift = 0;
  for (const [oldStart, oldCount, newStart, newCount] of change.sr.edits) {
    const region = regionOf(before, oldStart, oldCount);
    const quote = before.slice(region.start, region.end);
    const now = regionOf(after, newStart, newCount);
    const text = after.slice(now.start, now.end);
    if (quote === "") {
      edits.push({ ...asked, target: { file: "rewrite" }, text: after });
      continue;
    }
    const { regions, count } = findQuote(running, quote);
    const at = regions.findIndex(({ start }) => start === region.start + shift);
    const occurrence = count === 1 ? {} : { occurrence: at + 1 };
    edits.push({ ...asked, target: { quote, ...occurrence }, text });
    running = running.slice(0, region.start + shift) + text + running.slice(region.end + shift);
    shift += text.length - quote.length;
  }
  return edits;
}

function regionOf(text: string, start: number, count: number): { start: number; end: number } {
  const { starts } = indexLines(text);
  const from = starts[start - 1] ?? text.length;
  return { start: from, end: starts[start - 1 + count] ?? text.length };
}

/** Whether the bytes are those of a blob; a clean merge is known by its id alone. */
function compare(applied: Applied, wanted: string): Fate {
  if (!applied.ok) return { fate: "refused", why: applied.why };
  const id = createHash("sha1").update(`blob ${applied.bytes.length}\0`).update(applied.bytes).digest("hex");
  return id === wanted ? { fate: "right" } : { fate: "wrong", why: `blob ${id}` };
}

function sameWords(a: Uint8Array, b: Uint8Array): boolean {
  const words = (bytes: Uint8Array): string =>
    Buffer.from(bytes)
      .toString("latin1")
      .replace(/\r\n?|\n/g, "\n");
  return words(a) === words(b);
}

function createTally() {
  const rows: Record<string, Record<Fate["fate"], number>> = {};
  const complaints: string[] = [];
  const absent = new Set<string>();
  return {
    add(form: string, id: string, fate: Fate): void {
      rows[form] ??= { right: 0, endings: 0, refused: 0, wrong: 0 };
      rows[form][fate.fate]++;
      const expected = !("why" in fate) || (fate.fate === "refused" && form.startsWith("drifted"));
      if (!expected) complaints.push(`${form} ${id}: ${fate.fate}: ${fate.why.slice(0, 200)}`);
    },
    missing: (repo: string): void => void absent.add(repo),
    print(): void {
      console.table(rows);
      for (const complaint of complaints) console.info(complaint);
      if (absent.size > 0) console.info(`Not cloned, so left out: ${[...absent].join(", ")}`);
      process.exitCode = complaints.length > 0 ? 1 : 0;
    },
  };
}

main();
