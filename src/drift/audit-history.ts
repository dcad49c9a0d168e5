import { createWordFinder } from "../syntax/words/words.ts";
import type { CommitChange, DocumentText, History, Loss, SoughtKeys, WholeInput } from "./change/change.ts";
import type { DocumentPage } from "./change/change-model.ts";
import { nameOf } from "./confidence/notice-name.ts";
import { judgeChange } from "./find-drift.ts";
import { createRecheck, type NoticeRecheck } from "./finders/audit/recheck.ts";
import { findUnknownNames, nameKey } from "./finders/audit/said-names.ts";
import { findUnknownTasks, taskKey } from "./finders/audit/said-tasks.ts";
import type { Notice } from "./findings.ts";

/** Commits that are judged at most, the newest first. */
const mostCommits = 60;

/**
 * Passages that a past commit made false. The history says which commit removed a name or a task that pages still have;
 * the rules then compare that commit with the present pages.
 */
export async function auditHistory(pages: readonly DocumentPage[], input: WholeInput): Promise<Notice[]> {
  const { history } = input;
  if (!history) return [];
  const losses = await history.losses(
    seekTogether([await findUnknownNames(pages, input), await findUnknownTasks(pages, input)]),
  );
  const recheck = createRecheck(input);
  const notices: Notice[] = [];
  for (const lost of groupByCommit(losses).slice(0, mostCommits))
    notices.push(...(await judgeCommit(lost, { input, history, recheck })));
  return notices;
}

/** Joins several searches into one. A file is searched only for the keys that it may contain. */
function seekTogether(sought: readonly SoughtKeys[]): SoughtKeys {
  return {
    keys: sought.flatMap(({ keys }) => keys),
    mayHold: (path) => sought.some(({ mayHold }) => mayHold(path)),
    keysOf: async (path, text) => {
      const holders = sought.filter(({ mayHold }) => mayHold(path));
      return (await Promise.all(holders.map(({ keysOf }) => keysOf(path, text)))).flatMap((keys) => [
        ...keys,
      ]);
    },
  };
}

/** The keys that one commit removed. */
type LostTogether = { readonly since: Loss; readonly keys: ReadonlySet<string> };

/** The newest commit first. */
function groupByCommit(losses: ReadonlyMap<string, Loss>): LostTogether[] {
  return [...Map.groupBy(losses, ([, { commit }]) => commit).values()]
    .map((group) => ({ since: group[0]![1], keys: new Set(group.map(([key]) => key)) }))
    .sort((a, b) => (a.since.date < b.since.date ? 1 : a.since.date > b.since.date ? -1 : 0));
}

type Present = { readonly input: WholeInput; readonly history: History; readonly recheck: NoticeRecheck };

async function judgeCommit(
  { since: { commit, date, subject }, keys }: LostTogether,
  { input, history, recheck }: Present,
): Promise<Notice[]> {
  const change = await history.changeOf(commit);
  if (change === null) return [];
  const said = saidBefore([...keys], input.documents, await history.documentsAt(change.base));
  const documents = input.documents.filter(({ path }) => said.has(path));
  if (documents.length === 0) return [];
  const judged = await judgeChange(asDriftInput(change, input, documents));
  const isOffered = findOffered(judged);
  const own = judged.filter((notice) => {
    const key = keyOf(notice);
    return keys.has(key) && said.get(notice.page.path)?.has(key) && isOffered(notice);
  });
  const kept = await Promise.all(own.map((notice) => recheck(notice)));
  return kept.map((notice) => ({ ...notice, since: { commit, date, subject } }));
}

/** The change of a commit, with the present documents and sources. */
function asDriftInput(
  change: CommitChange,
  { tree, repository, read, occurrences }: WholeInput,
  documents: readonly DocumentText[],
): Parameters<typeof judgeChange>[0] {
  return { ...change, tree, ...(repository && { repository }), documents, read, occurrences };
}

/** The key that was searched for, of the thing that a notice reports as removed. */
function keyOf({ kind, message: { old = "" } }: Notice): string {
  return kind === "script" ? taskKey(old) : nameKey(nameOf(old) ?? "");
}

/** Whether a notice is about something that the project offered. Other words of the code are no evidence by themselves. */
function findOffered(judged: readonly Notice[]): (notice: Notice) => boolean {
  const placeOf = ({ page, line, message }: Notice): string =>
    `${page.path}\0${line}\0${nameOf(message.old) ?? ""}`;
  const offered = new Set(judged.filter(({ features }) => features?.["thing lost"]).map(placeOf));
  return (notice) =>
    notice.kind === "script" ||
    ((notice.kind === "rename" || notice.kind === "removal") && offered.has(placeOf(notice)));
}

/** For each page, the lost keys that it has now and had before. A word that was written later means something else. */
function saidBefore(
  keys: readonly string[],
  documents: readonly DocumentText[],
  past: ReadonlyMap<string, string>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const byWord = new Map(keys.map((key) => [key.slice(key.indexOf(" ") + 1), key]));
  const find = createWordFinder(byWord.keys());
  const keysOf = (text: string): Set<string> => new Set(find(text).map(({ name }) => byWord.get(name)!));
  let anywhere: Set<string> | undefined;
  const said = new Map<string, ReadonlySet<string>>();
  for (const { path, text } of documents) {
    const now = keysOf(text);
    const before = past.get(path);
    // The page had another path then: search all pages of that time.
    if (before === undefined && now.size > 0) anywhere ??= keysOf([...past.values()].join("\n"));
    const then = before === undefined ? (anywhere ?? now) : keysOf(before);
    const both = [...now].filter((key) => then.has(key));
    if (both.length > 0) said.set(path, new Set(both));
  }
  return said;
}
