import type { Region } from "../../../text/model/region.ts";
import { RUNNERS } from "../../change/runners.ts";
import type { Notice } from "../../findings.ts";
import type { Audit } from "../../rule.ts";
import { auditNotice } from "./audit-notice.ts";

/** Pages for those who work on the project; any other may speak of the reader's own. */
const OURS = /(^|\/)(?:contributing|agents|claude|develop|hacking|building|copilot-instructions)[^/]*$/i;

/** Tasks that a page tells people to run and that no file of their runner has. */
export async function auditTasks({ pages, input: { tree, read } }: Audit): Promise<Notice[]> {
  const notices: Notice[] = [];
  for (const runner of RUNNERS) {
    if (runner.isOpen) continue;
    const files = tree.filter((path) => runner.file.test(path)).slice(0, 500);
    const texts = await Promise.all(files.map((path) => read(path)));
    const tasks = texts.map((text) => runner.tasks(text ?? ""));
    // A file whose tasks are not understood (an include, a generator) may have any.
    if (!files.length || tasks.every(({ size }) => size === 0) || texts.some(includesOthers)) continue;
    const call = new RegExp(`(?<![\\w-])(?:${runner.said})\\s+([A-Za-z][\\w:.-]*)`, "g");
    for (const page of pages)
      page.read().lines.forEach(({ text, place, spans }, line) => {
        for (const match of text.matchAll(call)) {
          const end = match.index + match[0].length;
          const isCommand =
            place === "code" ? startsLine(text, match.index) : startsSpan(text, spans, match.index, end);
          if (!isCommand || tasks.some((names) => names.has(match[1]!))) continue;
          const tier = OURS.test(page.path) ? "likely" : "possible";
          notices.push(
            auditNotice({ page, line }, "script", tier, {
              what: "no task",
              old: match[1]!,
              owner: files[0]!,
            }),
          );
        }
      });
  }
  return notices;
}

/** A command begins its line, after a prompt or another command; words in the middle are prose or output. */
function startsLine(text: string, at: number): boolean {
  return /(?:^|&&|;|\|\|)\s*(?:[$>%]\s+)?(?:[A-Z_]+=\S+\s+)*$/.test(text.slice(0, at));
}

function startsSpan(text: string, spans: readonly Region[], at: number, end: number): boolean {
  const span = spans.find((one) => one.start <= at && end <= one.end);
  return span !== undefined && /^`*\s*(?:[$>]\s+)?$/.test(text.slice(span.start, at));
}

function includesOthers(text: string | null): boolean {
  return text === null || /^\s*-?include\s|^%|\$\(eval|^import\s/m.test(text);
}
