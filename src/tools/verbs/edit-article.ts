import type { Edit } from "../../text/model/edit.ts";
import { refused } from "../../wording/report.ts";
import { plural } from "../../wording/sentences.ts";
import { applyEdits } from "../apply-edits.ts";
import { reportOne } from "../edited.ts";
import { keepFrontMatter } from "../front-matter.ts";
import { keepCode } from "../keep-code.ts";
import { relativePath, spell } from "../spelling.ts";
import type { Context, Result, WriterOptions } from "../tool.ts";

export type ArticleEdit = {
  readonly old_string: string;
  readonly new_string: string;
  readonly reason: string;
};

export type EditArticleInput = Omit<WriterOptions, "reason"> & {
  readonly path: string;
  readonly edits: readonly ArticleEdit[];
};

/** Several explained edits of one article, in order, all or none; each quotation must be unique. */
export async function editArticle(context: Context, input: EditArticleInput): Promise<Result> {
  const path = spell(relativePath(context, input.path));
  const asked = { tool: "edit_article", wording: "article", path: input.path } as const;
  if (context.article !== undefined && spell(context.article) !== path)
    return refused(
      {
        code: "not-allowed",
        detail: `edit_article may only change ${context.article} here, not ${input.path}`,
      },
      asked,
    );
  const blank = input.edits.findIndex(({ reason }) => reason.trim() === "");
  if (blank >= 0)
    return refused(
      {
        code: "malformed",
        edit: blank,
        what: "Missing or invalid 'reason'",
        hint: "Say in one sentence why the text changes.",
      },
      asked,
    );
  // An article is prose in UTF-8: what is not is refused, where other files keep their bytes.
  const read = await context.reader.read(path);
  if (!read.ok && read.refusal.code === "not-text") return refused(read.refusal, asked);
  const edits = input.edits.map(toEdit(path));
  // The profile of the documents' agents has no tool for code. A person may bind the tool to any one file.
  const prose = context.profile === "docs" && context.article === undefined ? [keepCode] : [];
  const applied = await applyEdits(context, edits, { ...input, gates: [keepFrontMatter, ...prose] });
  if (!applied.ok) {
    const now = await context.reader.read(path);
    const text = now.ok ? now.value.text : null;
    return refused(applied.refusal, { ...asked, text });
  }
  const done = `Applied ${plural(input.edits.length, "edit")} to ${input.path}`;
  const reasons = input.edits.map(({ reason }, index) => ({ index, reason }));
  return { ...reportOne("edit_article", path, applied.value, [done]), appliedEdits: reasons };
}

function toEdit(path: string): (edit: ArticleEdit) => Edit {
  return ({ old_string, new_string, reason }) => ({
    path,
    target: { quote: old_string },
    text: new_string,
    reason,
    evidence: [],
  });
}
