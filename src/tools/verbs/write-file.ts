import { defined } from "../../text/model/defined.ts";
import type { Edit } from "../../text/model/edit.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import type { Plan } from "../../text/model/plan.ts";
import type { RefusedCall } from "../../wording/refusals/refused-call.ts";
import { refused } from "../../wording/report.ts";
import { countLines } from "../../wording/results.ts";
import { type Applied, applyEdits, findEarlier, type PlanGate } from "../apply-edits.ts";
import { reportOne } from "../edited.ts";
import { isPart } from "../part-version.ts";
import { relativePath } from "../spelling.ts";
import { allows, type Context, type Result, type WriterOptions } from "../tool.ts";

export type WriteFileInput = WriterOptions & {
  readonly path: string;
  readonly content: string;
  readonly rewrite?: boolean | undefined;
};

/** Creates a file. An existing one is replaced only when the caller says so. */
export async function writeFile(context: Context, input: WriteFileInput): Promise<Result> {
  const { content, rewrite = false } = input;
  const path = relativePath(context, input.path);
  const asked = { tool: "write_file", wording: "files", path } as const;
  const earlier = await findEarlier(context, input);
  if (earlier) return reportWritten(earlier, { path, asked });
  const read = await context.reader.read(path);
  if (!read.ok) return refused(read.refusal, asked);
  const exists = read.value.text !== null;
  if (exists && !rewrite) return refused({ code: "exists" }, { ...asked, instead: insteadOf(context) });
  if (exists && !allows(context.mode, "edit") && context.mode !== undefined)
    return refused(
      { code: "not-allowed", detail: `write_file may not replace ${path} in ${context.mode} mode` },
      asked,
    );
  if (exists && isPart(input.base_version))
    return refused(
      {
        code: "not-allowed",
        detail: `base_version comes from reading only a part of ${path}; read all of it before you replace it, or use edit_file`,
      },
      asked,
    );
  const edit: Edit = {
    path,
    ...(exists ? ({ target: { file: "rewrite" } } as const) : ({ target: { file: "create" } } as const)),
    text: content,
    reason: input.reason ?? "",
    evidence: [],
  };
  const applied = await applyEdits(context, [edit], {
    ...input,
    gates: input.base_version === undefined ? [noShrinking] : [],
  });
  return reportWritten(applied, { path, asked });
}

/** What the caller can do with a file that exists. */
function insteadOf({ profile, mode, withheld = [] }: Context): RefusedCall["instead"] {
  const edit = profile === "docs" ? "edit_article" : "edit_file";
  return {
    ...defined({ edit: allows(mode, "edit") ? edit : undefined }),
    rewrite: !withheld.includes("rewrite") && allows(mode, "edit"),
  };
}

function reportWritten(
  applied: Outcome<Applied>,
  { path, asked }: { readonly path: string; readonly asked: RefusedCall },
): Result {
  if (!applied.ok) return refused(applied.refusal, asked);
  const isNew = applied.value.plan.changes[0]?.before.text === null;
  return reportOne("write_file", path, applied.value, [`✓ ${isNew ? "Created" : "Rewrote"} ${path}`]);
}

const smallest = 10;

/** A rewrite that drops more than half of a file must name the version it has read. */
const noShrinking: PlanGate = (plan: Plan) => {
  for (const { path, before, after } of plan.changes) {
    const had = countLines(before.text ?? "");
    const has = countLines(after ?? "");
    if (had > smallest && has * 2 < had)
      return refuse({
        code: "needs-consent",
        path,
        detail: `this would shrink ${path} from ${had} lines to ${has}; pass base_version (from read_file) if that is meant, or use edit_file`,
      });
  }
  return accept(plan);
};
