import type { ChangeModel, DocumentPage } from "../change/change-model.ts";
import type { Comparison } from "../change/comparison.ts";
import { RUNNERS, type Runner } from "../change/runners.ts";
import type { Notice } from "../findings.ts";

type Gone = {
  readonly name: string;
  readonly successor: string | null;
  readonly runner: Runner;
  readonly file: Comparison;
};

/**
 * A script or task was renamed or removed, and a document tells people to run it.
 * Certain if one new task has exactly the commands of the old one; a removed task is reported without an edit.
 */
export async function findScripts(change: ChangeModel): Promise<Notice[]> {
  const gone = change.comparisons.flatMap(findGone);
  if (!gone.length) return [];
  const occurrences = await change.input.occurrences(gone.map(({ name }) => name));
  const changed = new Set(change.comparisons.map(({ path }) => path));
  return gone
    .filter(
      ({ name, runner }) =>
        !occurrences.get(name)?.some((path) => runner.file.test(path) && !changed.has(path)) &&
        !change.comparisons.some(
          ({ path, after }) => runner.file.test(path) && after !== null && runner.tasks(after).has(name),
        ),
    )
    .flatMap((task) => change.pages.flatMap((page) => findCalls(change, page, task)));
}

function findGone(file: Comparison): Gone[] {
  const runner = RUNNERS.find((one) => one.file.test(file.path));
  if (!runner || file.before === null) return [];
  const before = runner.tasks(file.before);
  if (file.after !== null && runner.takesAny?.(file.after)) return [];
  // A deleted task file has lost all its tasks.
  const after = runner.tasks(file.after ?? "");
  // A file that no longer parses, for example because of conflict markers, has lost no task.
  if (after.size === 0 && [...before.keys()].some((name) => file.after?.includes(name))) return [];
  const fresh = [...after].filter(([name]) => !before.has(name));
  const lost = [...before].filter(([name]) => !after.has(name));
  return lost.map(([name, command]) => {
    const heirs = fresh.filter(([, one]) => one === command);
    const rivals = lost.filter(([, one]) => one === command);
    const successor = command && heirs.length === 1 && rivals.length === 1 ? heirs[0]![0] : null;
    return { name, successor, runner, file };
  });
}

function findCalls(
  change: ChangeModel,
  page: DocumentPage,
  { name, successor, runner, file }: Gone,
): Notice[] {
  if (!page.text.includes(name)) return [];
  const literal = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const call = new RegExp(`(?<![\\w-])(?:${runner.call})\\s+${literal}(?![\\w:/.-]*[\\w:/])`, "g");
  const notices: Notice[] = [];
  page.read().lines.forEach(({ text, start, place, spans }, line) => {
    if (!text.includes(name)) return;
    for (const match of text.matchAll(call)) {
      const end = match.index + match[0].length;
      // `make` and `just` are also English words.
      if (place !== "code" && !spans.some((span) => span.start <= match.index && end <= span.end)) continue;
      const region = { start: start + end - name.length, end: start + end };
      notices.push({
        page,
        line,
        endLine: line,
        tier: successor ? "certain" : "likely",
        kind: "script",
        message: successor ? { what: "renamed", old: name, new: successor } : { what: "removed", old: name },
        evidence: [evidenceFor(change, file, name, successor)],
        features: { "task renamed": successor ? 1 : 0, "task gone": successor ? 0 : 1 },
        ...(successor ? { splice: { region, text: successor } } : {}),
      });
    }
  });
  return notices;
}

function evidenceFor(
  change: ChangeModel,
  { path, from, rewrites }: Comparison,
  name: string,
  successor: string | null,
): Notice["evidence"][number] {
  const has = (word: string) => (line: { text: string }) => line.text.includes(word);
  const old = rewrites.flatMap(({ removed }) => removed).find(has(name));
  const fresh = successor === null ? undefined : rewrites.flatMap(({ added }) => added).find(has(successor));
  const at = (fresh ?? old)?.number ?? 1;
  return {
    path: fresh ? path : from,
    revision: fresh ? change.input.head : change.input.base,
    startLine: at,
    endLine: at,
    ...(old ? { before: old.text } : {}),
    ...(fresh ? { after: fresh.text } : {}),
  };
}
