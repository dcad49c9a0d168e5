import type { Tool } from "ai";
import { locateQuote } from "../../text/match/locate.ts";
import type { Edit } from "../../text/model/edit.ts";
import type { FileContext, SnippetInput } from "../../tools/verbs/snippet.ts";
import { progressText } from "../../wording/agents.ts";
import { missHint } from "../../wording/refusals/not-found.ts";
import { ClosingCall, type Execute } from "./closing-call.ts";
import { createPatchFileTool } from "./tool-set.ts";

/** A page in memory while a model patches it with `patch_file`. */
export class PageBuffer {
  readonly tool: Tool;
  readonly closing = new ClosingCall();
  readonly #page: FileContext;
  readonly #versions: string[];
  readonly #edits: Edit[] = [];
  #unresolved: string | null = null;

  constructor(path: string, content: string) {
    this.#page = { content, path };
    this.#versions = [content];
    const tool = createPatchFileTool(this.#page);
    const patch = tool.execute as Execute<string>;
    const execute: Execute<string> = async (input, options) =>
      this.#record(input as SnippetInput, await patch(input, options));
    this.tool = this.closing.wrap({ ...tool, execute } as Tool, () => this.#unresolved === null);
  }

  content(): string {
    return this.#page.content;
  }

  /** The patches as edits of the page, in order, each with its reason. */
  edits(): readonly Edit[] {
    return [...this.#edits];
  }

  /** The tool's answer to the last failed call, unless a later call succeeded. */
  unresolved(): string | null {
    return this.#unresolved;
  }

  /** Drops all edits after the first `count`. */
  rewind(count: number): void {
    this.#edits.length = Math.min(this.#edits.length, count);
    this.#versions.length = this.#edits.length + 1;
    this.#page.content = this.#versions.at(-1) ?? "";
  }

  /** The nearest text of the page, so that the model can quote it without another look. */
  #hint({ original_text_snippet: quote, new_text_snippet: text }: Partial<SnippetInput>): string {
    if (typeof quote !== "string" || typeof text !== "string") return "";
    const located = locateQuote(this.#page.content, { quote, countFolded: true }, text);
    if (located.ok || located.refusal.code !== "not-found") return "";
    const hint = missHint(located.refusal);
    return hint === undefined ? "" : `\n${hint}`;
  }

  #record(input: SnippetInput, answer: string): string {
    if (this.#page.content === this.#versions.at(-1)) {
      this.#unresolved = `${answer}${wantedText(input)}`;
      return `${answer}${this.#hint(input)}`;
    }
    const { original_text_snippet: quote, new_text_snippet: text, reason } = input;
    const target = { quote, countFolded: true } as const;
    this.#edits.push({ path: this.#page.path, target, text, reason, evidence: [] });
    this.#versions.push(this.#page.content);
    this.#unresolved = null;
    return answer;
  }
}

const longestWanted = 80;

/** The beginning of the text that a failed call wanted to replace. */
function wantedText({ original_text_snippet: quote }: Partial<SnippetInput>): string {
  if (typeof quote !== "string" || quote.trim() === "") return "";
  const [line = ""] = quote.trim().split("\n");
  return progressText.wanted(line.length > longestWanted ? `${line.slice(0, longestWanted)}…` : line);
}
