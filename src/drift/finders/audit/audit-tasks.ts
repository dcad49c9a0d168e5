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
          const marked = place === "code" || spans.some((one) => one.start <= match.index && end <= one.end);
          if (!marked || tasks.some((names) => names.has(match[1]!))) continue;
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

function includesOthers(text: string | null): boolean {
  return text === null || /^\s*-?include\s|^%|\$\(eval|^import\s/m.test(text);
}
