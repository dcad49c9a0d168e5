import { RUNNERS } from "../../change/runners.ts";
import type { Notice } from "../../findings.ts";
import type { Audit } from "../../rule.ts";
import { auditNotice } from "./audit-notice.ts";
import { findSaidTasks, isMade, readTasks } from "./said-tasks.ts";

/** Pages for contributors. Other pages may mean tasks of the reader's project. */
const OURS = /(^|\/)(?:contributing|agents|claude|develop|hacking|building|copilot-instructions)[^/]*$/i;

/** Tasks that a page tells people to run and that no file of their runner has. */
export async function auditTasks({ pages, input }: Audit): Promise<Notice[]> {
  const notices: Notice[] = [];
  for (const runner of RUNNERS) {
    if (runner.isOpen || isMade(runner, input)) continue;
    const { files, texts, names } = await readTasks(runner, input);
    // A file whose tasks cannot be listed (an include, a generator) may have any task.
    if (!files.length || names.size === 0 || texts.some(includesOthers)) continue;
    for (const { page, line, name } of findSaidTasks(pages, runner.said)) {
      if (names.has(name)) continue;
      const tier = OURS.test(page.path) ? "likely" : "possible";
      notices.push(
        auditNotice({ page, line }, "script", tier, { what: "no task", old: name, owner: files[0]! }),
      );
    }
  }
  return notices;
}

function includesOthers(text: string | null): boolean {
  return text === null || /^\s*-?include\s|^%|\$\(eval|^import\s|^[^\s#:=]*\$[({][^:=]*:(?!=)/m.test(text);
}
