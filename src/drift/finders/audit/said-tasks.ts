import type { Region } from "../../../text/model/region.ts";
import type { SoughtKeys, WholeInput } from "../../change/change.ts";
import type { DocumentPage } from "../../change/change-model.ts";
import { RUNNERS, type Runner } from "../../change/runners.ts";

/** A task that a page tells people to run. */
export type SaidTask = { readonly page: DocumentPage; readonly line: number; readonly name: string };

/** A runner, and the files of the repository that list its tasks. */
export type KnownTasks = {
  readonly runner: Runner;
  readonly files: readonly string[];
  readonly texts: readonly (string | null)[];
  readonly names: ReadonlySet<string>;
};

export async function readTasks(runner: Runner, { tree, read }: WholeInput): Promise<KnownTasks> {
  const files = tree.filter((path) => runner.file.test(path)).slice(0, 500);
  const texts = await Promise.all(files.map((path) => read(path)));
  const names = new Set(texts.flatMap((text) => [...runner.tasks(text ?? "").keys()]));
  return { runner, files, texts, names };
}

/** Whether the task file is generated from other files. */
export function isMade({ madeFrom }: Runner, { tree }: Pick<WholeInput, "tree">): boolean {
  return madeFrom !== undefined && tree.some((path) => madeFrom.test(path));
}

/** The calls of a runner on pages: at the beginning of a command, in a sample or in inline code. */
export function findSaidTasks(pages: readonly DocumentPage[], calls: string): SaidTask[] {
  const call = new RegExp(`(?<![\\w-])(?:${calls})\\s+([A-Za-z][\\w:.-]*)`, "g");
  const first = new RegExp(`(?<![\\w-])(?:${calls})\\s`);
  return pages.flatMap((page) => {
    if (!first.test(page.text)) return [];
    return page.read().lines.flatMap(({ text, place, spans }, line) =>
      [...text.matchAll(call)].flatMap((match) => {
        const end = match.index + match[0].length;
        const isCommand =
          place === "code" ? startsLine(text, match.index) : startsSpan(text, spans, match.index, end);
        return isCommand ? [{ page, line, name: match[1]!.replace(/[.:]+$/, "") }] : [];
      }),
    );
  });
}

/** The tasks that pages name and that no file of their runner has, to be searched for in the history. */
export async function findUnknownTasks(
  pages: readonly DocumentPage[],
  input: WholeInput,
): Promise<SoughtKeys> {
  const keys = new Set<string>();
  for (const runner of RUNNERS) {
    const said = findSaidTasks(pages, runner.call);
    if (said.length === 0) continue;
    const { files, names } = await readTasks(runner, input);
    if (files.length === 0 || isMade(runner, input)) continue;
    for (const { name } of said) if (!names.has(name)) keys.add(taskKey(name));
  }
  return {
    keys: [...keys],
    mayHold: (path) => RUNNERS.some(({ file }) => file.test(path)),
    keysOf: (path, text) =>
      RUNNERS.filter(({ file }) => file.test(path)).flatMap(({ tasks }) =>
        [...tasks(text).keys()].map(taskKey),
      ),
  };
}

export function taskKey(name: string): string {
  return `task ${name}`;
}

/** A command begins its line, after a prompt or another command; words in the middle are prose or output. */
function startsLine(text: string, at: number): boolean {
  return /(?:^|&&|;|\|\|)\s*(?:[$>%]\s+)?(?:[A-Z_]+=\S+\s+)*$/.test(text.slice(0, at));
}

function startsSpan(text: string, spans: readonly Region[], at: number, end: number): boolean {
  const span = spans.find((one) => one.start <= at && end <= one.end);
  return span !== undefined && /^`*\s*(?:[$>]\s+)?$/.test(text.slice(span.start, at));
}
