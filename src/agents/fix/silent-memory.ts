import { askedFile } from "../../docs/record/verdicts.ts";
import { sha256 } from "../../text/model/sha256.ts";
import type { Reader } from "../../workspace/workspace.ts";
import type { AgentRun } from "../run/agent-run.ts";
import type { QuotedPassage } from "./passage-answer.ts";

type Answers = Readonly<Record<string, readonly QuotedPassage[]>>;

const mostAnswers = 200;

/** The passages that a model named for changes in earlier runs. The same change is asked about once. */
export class SilentMemory {
  readonly #run: Pick<AgentRun, "context">;
  readonly #known: Answers;
  readonly #fresh = new Map<string, readonly QuotedPassage[]>();

  static async open(run: Pick<AgentRun, "context">): Promise<SilentMemory> {
    return new SilentMemory(run, await readAnswers(run.context.reader));
  }

  private constructor(run: Pick<AgentRun, "context">, known: Answers) {
    this.#run = run;
    this.#known = known;
  }

  recall(key: string): readonly QuotedPassage[] | undefined {
    return Object.hasOwn(this.#known, key) ? this.#known[key] : undefined;
  }

  keep(key: string, passages: readonly QuotedPassage[]): void {
    this.#fresh.set(key, passages);
  }

  /** Writes what this run has learned; the oldest answers are forgotten first. */
  async save(): Promise<void> {
    const { workspace } = this.#run.context;
    if (!workspace || this.#fresh.size === 0) return;
    const kept = [...Object.entries(this.#known), ...this.#fresh].slice(-mostAnswers);
    const text = `${JSON.stringify({ version: 2, answers: Object.fromEntries(kept) }, null, 1)}\n`;
    await workspace.writeState(askedFile, new TextEncoder().encode(text));
  }
}

/** The key of a question: the change and the page it was put to, whatever its text has become since. */
export function questionKey(
  version: number,
  { commits, code, page }: { readonly commits: unknown; readonly code: unknown; readonly page: string },
): string {
  return sha256(JSON.stringify([version, commits, code, page])).slice(0, 32);
}

async function readAnswers(reader: Reader): Promise<Answers> {
  const read = await reader.readState(askedFile);
  if (!read.ok || read.value === null) return {};
  try {
    const { version, answers } = JSON.parse(new TextDecoder().decode(read.value)) as Record<string, unknown>;
    return version === 2 && isAnswers(answers) ? answers : {};
  } catch {
    return {};
  }
}

function isAnswers(value: unknown): value is Answers {
  const isPassage = (one: unknown): boolean =>
    typeof one === "object" &&
    one !== null &&
    ["kind", "page", "code", "now"].every(
      (name) => typeof (one as Record<string, unknown>)[name] === "string",
    );
  return (
    typeof value === "object" &&
    value !== null &&
    Object.values(value).every((passages) => Array.isArray(passages) && passages.every(isPassage))
  );
}
