import { parseJson } from "../../../text/model/json.ts";

/** A call that a model wrote as text instead of making it. */
export type TextCall = { readonly name: string; readonly input: unknown };

/**
 * The calls of an answer that holds nothing else, or holds them between the marks of a model's own format. Prose that
 * mentions a call is not one.
 */
export function findTextCalls(text: string, isOffered: (name: string) => boolean): TextCall[] {
  for (const read of formats) {
    const calls = read(text);
    if (calls.length > 0 && calls.every(({ name }) => isOffered(name))) return calls;
  }
  return [];
}

type CallFormat = (text: string) => TextCall[];

/** The formats of model families, those with marks of their own first. */
const formats: readonly CallFormat[] = [
  // Hermes, Qwen: JSON or function tags between <tool_call> tags; the last one may lack its end.
  (text) => between(text, /<tool_call>\s*([\s\S]*?)\s*(?:<\/tool_call>|$)/g).flatMap(parseBody),
  // DeepSeek
  (text) =>
    named(
      text,
      /<｜tool▁call▁begin｜>(?:function<｜tool▁sep｜>)?(\w+)\s*(?:<｜tool▁sep｜>|```json)?([\s\S]*?)(?:```\s*)?<｜tool▁call▁end｜>/g,
    ),
  // gpt-oss
  (text) => named(text, /to=(?:functions\.)?(\w+)\b[^\n{]*<\|message\|>([\s\S]*?)(?:<\|call\|>|$)/g),
  // Mistral: a list of JSON, or name and arguments
  (text) => between(text, /^\s*\[TOOL_CALLS\]\s*([[{][\s\S]*)$/g).flatMap(parseBody),
  (text) => named(text, /\[TOOL_CALLS\]\s*(\w+)\s*(?:\[ARGS\]\s*)?(\{[\s\S]*?\})\s*(?=\[TOOL_CALLS\]|$)/g),
  // Llama
  (text) => between(text, /^\s*<\|python_tag\|>\s*([\s\S]*?)\s*(?:<\|e\w+_id\|>)?\s*$/g).flatMap(parseBody),
  (text) => named(text, /<function=(\w+)>\s*(\{[\s\S]*?\})\s*<\/function>/g),
  (text) => tagged(text, /<function=(\w+)>([\s\S]*?)<\/function>/g),
  (text) => tagged(text, /<invoke name="(\w+)">([\s\S]*?)<\/invoke>/g),
  // Gemma, and models that have no format: one fence, or nothing else
  (text) =>
    between(text, /^\s*```(?:json|tool_call|tool_code|python)?[ \t]*\n([\s\S]*?)\n[ \t]*```\s*$/g).flatMap(
      parseBody,
    ),
  parseBody,
  // Small models: JSON in fences of their own, or at the end, with sentences around it
  fencedInProse,
  afterProse,
];

const mostFences = 40;

/** Calls in JSON fences between sentences. A call may hold a fence itself, so each end is tried. */
function fencedInProse(text: string): TextCall[] {
  const lines = text.split(/\r?\n/);
  const marks = [...lines.entries()].filter(([, line]) => /^\s*```/.test(line)).slice(0, mostFences);
  const calls: TextCall[] = [];
  let after = -1;
  for (const [start, opening] of marks) {
    if (start <= after || !/^\s*```(?:json|tool_call|tool_code)?\s*$/.test(opening)) continue;
    for (const [end, closing] of marks) {
      if (end <= start || closing.trim() !== "```") continue;
      const found = parseCalls(lines.slice(start + 1, end).join("\n"));
      if (found.length === 0) continue;
      calls.push(...found);
      after = end;
      break;
    }
  }
  return calls;
}

/** A call in JSON that begins a line and ends the answer. */
function afterProse(text: string): TextCall[] {
  const start = /^[ \t]*[[{][ \t]*["{\n]/m.exec(text)?.index;
  return start === undefined ? [] : parseCalls(text.slice(start));
}

/** Calls in JSON, and in nothing else. */
function parseCalls(text: string): TextCall[] {
  const value = parseInput(text);
  if (value === undefined) return [];
  const calls = (Array.isArray(value) ? value : [value]).map(toCall);
  return calls.every((call) => call !== null) ? calls : [];
}

function between(text: string, shape: RegExp): string[] {
  return Array.from(text.matchAll(shape), ([, body]) => body!);
}

/** A name and its arguments as JSON. */
function named(text: string, shape: RegExp): TextCall[] {
  const calls = Array.from(text.matchAll(shape), ([, name, body]) => ({
    name: name!,
    input: parseInput(body!),
  }));
  return calls.every(({ input }) => typeof input === "object" && input !== null) ? calls : [];
}

/** A name and a tag for each argument. */
function tagged(text: string, shape: RegExp): TextCall[] {
  return Array.from(text.matchAll(shape), ([, name, body]) => {
    const fields = body!.matchAll(/<parameter(?:=(\w+)| name="(\w+)"[^>]*)>\n?([\s\S]*?)\n?<\/parameter>/g);
    const input = Array.from(fields, ([, short, long, value]) => [short ?? long!, scalarOf(value!)]);
    return { name: name!, input: Object.fromEntries(input) as unknown };
  });
}

/** Calls in JSON, in function tags, or as Python writes them. */
function parseBody(text: string): TextCall[] {
  if (parseInput(text) !== undefined) return parseCalls(text);
  return /^\s*<function=/.test(text)
    ? tagged(text, /<function=(\w+)>([\s\S]*?)<\/function>/g)
    : parsePython(text);
}

/** `{tool, input}`, `{name, arguments}`, `{name, parameters}` or `{function: {…}}`; arguments may be JSON in a string. */
function toCall(value: unknown): TextCall | null {
  if (typeof value !== "object" || value === null) return null;
  const call = value as Record<string, unknown>;
  if (typeof call.function === "object") return toCall(call.function);
  const name = call.tool ?? call.name ?? call.tool_name ?? call.function;
  const input = call.input ?? call.arguments ?? call.parameters ?? call.args;
  if (typeof name !== "string" || input === undefined) return null;
  return { name, input: typeof input === "string" ? parseInput(input) : input };
}

/** `[name(key="value")]`, or the call alone. Only named arguments: their order says nothing without a schema. */
function parsePython(text: string): TextCall[] {
  const body = /^\s*(?:\[\s*)?(?:print\()?(\w+)\(([\s\S]*?)\)?\)\s*\]?\s*$/.exec(text);
  if (!body) return [];
  const value = `"(?:\\\\.|[^"\\\\])*"|'(?:\\\\.|[^'\\\\])*'|-?\\d+(?:\\.\\d+)?|True|False|None|true|false|null`;
  const fields = new RegExp(`\\s*(\\w+)\\s*=\\s*(${value})\\s*(?:,|$)`, "y");
  const input: Record<string, unknown> = {};
  while (fields.lastIndex < body[2]!.length) {
    const field = fields.exec(body[2]!);
    if (!field) return [];
    input[field[1]!] = pythonValue(field[2]!);
  }
  return [{ name: body[1]!, input }];
}

function pythonValue(text: string): unknown {
  if (/^["']/.test(text)) return text.slice(1, -1).replace(/\\(["'\\])/g, "$1");
  return scalarOf(text.toLowerCase() === "none" ? "null" : text.toLowerCase());
}

/** A number, a yes or no, or the words themselves. */
function scalarOf(text: string): unknown {
  return /^(?:-?\d+(?:\.\d+)?|true|false|null)$/.test(text) ? JSON.parse(text) : text;
}

/** JSON, also with real line breaks and tabs in its strings, which JSON does not allow and models write. */
function parseInput(text: string): unknown {
  return parseJson(text) ?? parseJson(text.replace(jsonString, escapeControls));
}

const jsonString = /"(?:\\[\s\S]|[^"\\])*"/g;

function escapeControls(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1));
}
