import type { Tool } from "ai";
import type { Edit } from "../../text/model/edit.ts";
import type { FileContext, SnippetInput } from "../../tools/snippet.ts";
import { createPatchFileTool } from "./tool-set.ts";

/** A page in memory while a model patches it: its text, the patches that went in, and the last one that did not. */
export type HeldPage = {
  readonly tool: Tool;
  content(): string;
  /** The patches as edits of the page, in order, each with its reason. */
  edits(): readonly Edit[];
  /** What the tool said to the last call that failed and was not followed by one that worked. */
  unresolved(): string | null;
  /** Goes back to a state that `edits().length` named. */
  rewind(edits: number): void;
};

export function holdPage(path: string, content: string): HeldPage {
  const page: FileContext = { content, path };
  const patch = createPatchFileTool(page);
  const states = [content];
  const edits: Edit[] = [];
  let unresolved: string | null = null;
  const execute = async (input: unknown, options: unknown): Promise<string> => {
    const said = await (patch.execute as (input: unknown, options: unknown) => Promise<string> | string)(
      input,
      options,
    );
    if (page.content === states.at(-1)) {
      unresolved = said;
      return said;
    }
    const { original_text_snippet: quote, new_text_snippet: text, reason } = input as SnippetInput;
    edits.push({ path, target: { quote, countFolded: true }, text, reason, evidence: [] });
    states.push(page.content);
    unresolved = null;
    return said;
  };
  return {
    tool: { ...patch, execute } as Tool,
    content: () => page.content,
    edits: () => [...edits],
    unresolved: () => unresolved,
    rewind: (count) => {
      edits.length = Math.min(edits.length, count);
      states.length = edits.length + 1;
      page.content = states.at(-1)!;
    },
  };
}
