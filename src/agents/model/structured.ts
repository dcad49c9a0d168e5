import type { z } from "zod";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { modelText } from "../../wording/agents.ts";
import type { Model, ModelAnswer, ModelRequest } from "./model.ts";

/** An answer in the requested JSON shape. */
export type Structured<T> = { readonly value: T; readonly answer: ModelAnswer };

/**
 * Asks for JSON in plain text, which every provider supports, and checks it. After a wrong answer, the model gets the
 * error and one more try.
 */
export async function askFor<T>(
  model: Model,
  question: ModelRequest,
  schema: z.ZodType<T>,
): Promise<Outcome<Structured<T>>> {
  const first = await model.ask(question);
  if (!first.ok) return first;
  const parsed = parseAnswer(first.value.text, schema);
  if (parsed.ok) return accept({ value: parsed.value, answer: first.value });
  const again = { ...question, prompt: `${question.prompt}\n\n${correction(parsed.why)}` };
  const second = await model.ask(again);
  if (!second.ok) return second;
  const reparsed = parseAnswer(second.value.text, schema);
  if (reparsed.ok) return accept({ value: reparsed.value, answer: second.value });
  return refuse({
    code: "unavailable",
    detail: modelText.wrongForm(model.name, reparsed.why),
  });
}

function correction(why: string): string {
  return `Your last answer could not be used: ${why}. Answer again with the JSON alone.`;
}

type ParsedAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly why: string };

export function parseAnswer<T>(text: string, schema: z.ZodType<T>): ParsedAnswer<T> {
  const json = findJson(text);
  if (json === undefined) return { ok: false, why: "it holds no JSON value" };
  const parsed = schema.safeParse(json);
  if (parsed.success) return { ok: true, value: parsed.data };
  const [issue] = parsed.error.issues;
  return { ok: false, why: `at ${issue?.path.join(".") || "its top"}: ${issue?.message}` };
}

/** The JSON of an answer: the whole text, the content of a fence, or the first object or array. */
function findJson(text: string): unknown {
  const fenced = /```(?:json)?[ \t]*\n([\s\S]*?)\n[ \t]*```/.exec(text)?.[1];
  const open = text.search(/[{[]/);
  const bare = open < 0 ? undefined : text.slice(open, endOfJson(text, open));
  for (const candidate of [text, fenced, bare]) {
    if (candidate === undefined) continue;
    try {
      const value: unknown = JSON.parse(candidate);
      if (typeof value === "object" && value !== null) return value;
    } catch {}
  }
  return undefined;
}

/** The end of the JSON value at `start`. Strings are skipped. */
function endOfJson(text: string, start: number): number {
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    const character = text[i];
    if (character === '"') {
      while (++i < text.length && text[i] !== '"') if (text[i] === "\\") i++;
    } else if (character === "{" || character === "[") depth++;
    else if ((character === "}" || character === "]") && --depth === 0) return i + 1;
  }
  return text.length;
}
