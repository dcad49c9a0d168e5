import { defined } from "../../text/model/defined.ts";
import type { Evidence } from "../../text/model/edit.ts";
import type { State } from "../state/state.ts";
import type { States } from "../state/states.ts";

/** A line of a file, counted from 1. */
type CodeLine = { readonly path: string; readonly line: number };

/** What a line was at the base, and what the line in its place is at the head; one alone where the other is gone. */
export async function evidenceOf(
  was: CodeLine | null,
  is: CodeLine | null,
  { base, head }: States,
): Promise<Evidence> {
  const { path, line } = (is ?? was)!;
  const evidence = { path, revision: (is ? head : base).revision, startLine: line, endLine: line };
  return {
    ...evidence,
    ...defined({
      before: was ? await base.line(was.path, was.line) : undefined,
      after: is ? await head.line(is.path, is.line) : undefined,
    }),
  };
}

/** What a line is in a state. */
export function evidenceAt(line: CodeLine, state: State): Promise<Evidence> {
  return evidenceOf(null, line, { base: state, head: state });
}

/** The line that holds an offset of a file, or one below it. */
export async function lineOfOffset(
  path: string,
  offset: number,
  { text }: State,
  below = 0,
): Promise<CodeLine> {
  const source = (await text(path)) ?? "";
  return { path, line: source.slice(0, offset).split("\n").length + below };
}
