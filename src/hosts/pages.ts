import type { z } from "zod";
import { accept, type Outcome, refuse } from "../text/model/outcome.ts";
import type { Answer, Http, Question } from "./rest.ts";

const mostPages = 200;

/** A list that a host hands out page by page, at most `most` items of it. */
export async function readPages<T>(
  http: Http,
  question: Question,
  shape: z.ZodType<T>,
  { most }: { readonly most: number },
): Promise<Outcome<T[]>> {
  const items: T[] = [];
  for (let page = 1; page <= mostPages && items.length < most; page++) {
    const answer = await http({ ...question, query: { ...question.query, per_page: 100, page } });
    const list = shaped(shape.array(), answer);
    if (!list.ok) return list;
    items.push(...list.value);
    if (!answer.ok || !hasNext(answer.value)) break;
  }
  return accept(items.slice(0, most));
}

/** GitHub links to the next page, GitLab numbers it. Only that there is one is believed. */
function hasNext({ headers }: Answer): boolean {
  return /rel="?next"?/.test(headers.get("link") ?? "") || (headers.get("x-next-page") ?? "") !== "";
}

/** An answer as what it should be. A host that speaks otherwise is not one we can use. */
export function shaped<T>(shape: z.ZodType<T>, answer: Outcome<Answer>): Outcome<T> {
  if (!answer.ok) return answer;
  const parsed = shape.safeParse(answer.value.value);
  if (parsed.success) return accept(parsed.data);
  const [issue] = parsed.error.issues;
  const where = issue?.path.join(".") || "its top";
  return refuse({
    code: "unavailable",
    detail: `the code host answered in a form that is not its own (at ${where})`,
  });
}
