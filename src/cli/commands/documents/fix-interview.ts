import type { ReportedEdit, ReportedFinding } from "../../../docs/check/report.ts";
import type { AskedAbout, EditDecision } from "../../../docs/fix/choose.ts";
import type { Unwanted } from "../../../docs/fix/dismiss.ts";
import { fixWords } from "../../../wording/fix.ts";
import { paintFinding } from "../../terminal/paint-findings.ts";
import type { Terminal } from "../../terminal/terminal.ts";

type KeyAnswer = "yes" | "no";

/**
 * Asks a person about edits, one by one, with the keys of `git add -p`. An answer may hold for all edits of one cause, or
 * for everything that is left.
 */
export class FixInterview {
  readonly #terminal: Terminal;
  readonly #causes = new Map<string, KeyAnswer>();
  readonly #rules = new Set<string>();
  readonly #sources = new Set<string>();
  #rest: KeyAnswer | null = null;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** The rules and sources whose findings the person never wants. */
  get unwanted(): Unwanted {
    return { rules: this.#rules, sources: this.#sources };
  }

  /** Undefined: there is no person to ask. */
  async ask(finding: ReportedFinding, { concern }: AskedAbout): Promise<EditDecision> {
    const cause = `${finding.kind} ${finding.cause ?? finding.message}`;
    // A page that instructs agents is always asked about by itself.
    const isAlone = concern === "instructions";
    const known = isAlone && this.#rest !== "no" ? undefined : (this.#rest ?? this.#causes.get(cause));
    if (known !== undefined) return known === "yes";
    if (this.#rules.has(finding.kind) || this.#sources.has(sourceOf(finding) ?? "")) return false;
    for (;;) {
      const key = await this.#terminal.ask(this.#question(finding, concern));
      if (key === undefined) return undefined;
      if (key.trim().toLowerCase() === "e") {
        const edits = await this.#reword(finding);
        if (edits !== undefined) return edits;
        this.#terminal.remark(fixWords.notWorded);
        continue;
      }
      if (this.#leaveOut(key.trim().toLowerCase(), finding)) return false;
      const answer = this.#decide(key.trim(), cause);
      if (answer !== undefined) return answer === "yes";
      this.#terminal.remark(fixWords.keys);
    }
  }

  #question(finding: ReportedFinding, concern: AskedAbout["concern"]): string {
    const warning = concern === null ? "" : `\n${fixWords.concern[concern]}`;
    const look = { colour: false, columns: this.#terminal.columns };
    return `${paintFinding(finding, look)}${warning}\n${fixWords.question}`;
  }

  /** The edits as the person writes them; undefined if one is left empty or the editor fails. */
  async #reword({ edits }: ReportedFinding): Promise<readonly ReportedEdit[] | undefined> {
    const worded: ReportedEdit[] = [];
    for (const edit of edits) {
      const text = await this.#terminal.edit({ text: edit.new_string, name: edit.path });
      if (text === undefined || text.trim() === "") return undefined;
      const isSame = text === edit.new_string;
      worded.push(isSame ? edit : { ...edit, new_string: text, original: edit.new_string });
    }
    return worded;
  }

  #leaveOut(key: string, finding: ReportedFinding): boolean {
    const source = sourceOf(finding);
    if (key === "r") this.#rules.add(finding.kind);
    else if (key === "s" && source !== undefined) this.#sources.add(source);
    else return false;
    return true;
  }

  #decide(key: string, cause: string): KeyAnswer | undefined {
    const simple = decisions[key.toLowerCase()];
    if (simple === undefined) return undefined;
    const { answer, holds } = simple;
    if (holds === "cause") this.#causes.set(cause, answer);
    if (holds === "rest") this.#rest = answer;
    return answer;
  }
}

/** The source whose change the finding is about. */
function sourceOf({ evidence: [proof] }: ReportedFinding): string | undefined {
  return proof?.path;
}

type KeyMeaning = { readonly answer: KeyAnswer; readonly holds: "once" | "cause" | "rest" };

/** An empty line means no. */
const decisions: Readonly<Record<string, KeyMeaning | undefined>> = {
  y: { answer: "yes", holds: "once" },
  yes: { answer: "yes", holds: "once" },
  n: { answer: "no", holds: "once" },
  no: { answer: "no", holds: "once" },
  "": { answer: "no", holds: "once" },
  a: { answer: "yes", holds: "cause" },
  d: { answer: "no", holds: "cause" },
  w: { answer: "yes", holds: "rest" },
  q: { answer: "no", holds: "rest" },
};
