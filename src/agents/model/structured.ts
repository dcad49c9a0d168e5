import type { z } from "zod";
import { parseJson } from "../../text/model/json.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { fixText, modelText } from "../../wording/agents.ts";
import { refusalIn } from "./answer/refusal.ts";
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
  const refusal = refusalIn(second.value.text);
  const detail =
    refusal === null ? modelText.wrongForm(model.name, reparsed.why) : fixText.refusedBy(model.name, refusal);
  return refuse({ code: "unavailable", detail });
}

function correction(why: string): string {
  return `Your last answer could not be used: ${why}. Answer again with the JSON alone.`;
}

type ParsedAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly why: string };

export function parseAnswer<T>(text: string, schema: z.ZodType<T>): ParsedAnswer<T> {
  const whys: string[] = [];
  for (const json of findJson(text)) {
    const parsed = schema.safeParse(withoutNulls(json));
    if (parsed.success) return { ok: true, value: parsed.data };
    const [issue] = parsed.error.issues;
    whys.push(`at ${issue?.path.join(".") || "its top"}: ${issue?.message}`);
  }
  // The first value is the whole answer, or the first thing in it that is JSON.
  return { ok: false, why: whys[0] ?? "it holds no JSON value" };
}

/** A value without the fields that are `null`: models write them for fields that are absent. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutNulls(field)]));
}

const mostValues = 20;

/** The JSON values of an answer: the whole text, the contents of fences, and objects and arrays among words. */
function* findJson(text: string): Generator<object> {
  const fenced = Array.from(
    text.matchAll(/```(?:json)?[ \t]*\n([\s\S]*?)\n[ \t]*```/g),
    ([, body = ""]) => body,
  );
  for (const candidate of [text, ...fenced.slice(0, mostValues), ...bareValues(text)]) {
    const value = parseJson(candidate);
    if (typeof value === "object" && value !== null) yield value;
  }
}

/** Texts that may be objects or arrays, one after the other. */
function* bareValues(text: string): Generator<string> {
  let at = 0;
  for (let tried = 0; tried < mostValues; tried++) {
    const open = text.slice(at).search(/[{[]/);
    if (open < 0) return;
    const end = endOfJson(text, at + open);
    yield text.slice(at + open, end);
    at = end < text.length ? end : at + open + 1;
  }
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
