import type { ReportedFinding } from "../../docs/check/report.ts";
import {
  type Judgement,
  readVerdicts,
  rememberVerdicts,
  type Verdicts,
  verdictKey,
} from "../../docs/record/verdicts.ts";
import { fixText } from "../../wording/agents.ts";
import { sectionPromptVersion } from "../prompts/fix-section.ts";
import type { AgentRun } from "../run/agent-run.ts";
import type { PassageResult } from "./section-editor.ts";

type ReadText = (path: string) => Promise<string | null> | string | null;

/** The verdicts of earlier runs. A passage that was judged to be right is not asked about again. */
export class VerdictMemory {
  readonly #run: Pick<AgentRun, "context">;
  readonly #known: Verdicts;
  readonly #keys = new Map<string, string>();
  readonly #seen = new Map<string, number>();

  static async open(run: Pick<AgentRun, "context">): Promise<VerdictMemory> {
    return new VerdictMemory(run, await readVerdicts(run.context.reader));
  }

  private constructor(run: Pick<AgentRun, "context">, known: Verdicts) {
    this.#run = run;
    this.#known = known;
  }

  /** Splits findings into those to ask about and those that an earlier run left as they are. */
  async recall(
    findings: readonly ReportedFinding[],
    readPage: ReadText,
  ): Promise<{ readonly open: readonly ReportedFinding[]; readonly remembered: readonly PassageResult[] }> {
    const open: ReportedFinding[] = [];
    const remembered: PassageResult[] = [];
    for (const finding of findings) {
      const judged = await this.find(finding, readPage);
      if (judged?.verdict !== "keep") open.push(finding);
      else
        remembered.push({
          finding: finding.id,
          startLine: finding.startLine,
          summary: fixText.remembered(judged.reason),
          edits: [],
          verdict: { word: "keep", reason: judged.reason },
        });
    }
    return { open, remembered };
  }

  /** The remembered verdict on a finding. Each finding is asked for once, in the order of the report. */
  async find(finding: ReportedFinding, readPage: ReadText): Promise<Judgement | undefined> {
    const text = (await readPage(finding.path)) ?? "";
    const { startLine, endLine } = finding;
    const passage = text
      .split("\n")
      .slice(startLine - 1, endLine)
      .join("\n");
    const key = this.#tellApart(verdictKey(finding, passage, sectionPromptVersion));
    this.#keys.set(`${finding.id} ${startLine}`, key);
    return Object.hasOwn(this.#known, key) ? this.#known[key] : undefined;
  }

  /** The same words may stand in two sections, and be right in one of them only. */
  #tellApart(key: string): string {
    const before = this.#seen.get(key) ?? 0;
    this.#seen.set(key, before + 1);
    return before === 0 ? key : `${key}-${before + 1}`;
  }

  async remember(
    passages: readonly Pick<PassageResult, "finding" | "startLine" | "verdict">[],
    by: string,
  ): Promise<void> {
    const fresh = passages.flatMap(({ finding, startLine, verdict }) => {
      const key = this.#keys.get(`${finding} ${startLine}`);
      if (key === undefined || !verdict) return [];
      return [[key, { verdict: verdict.word, reason: verdict.reason, by }] as const];
    });
    await rememberVerdicts(this.#run.context.workspace, this.#known, Object.fromEntries(fresh));
  }
}
