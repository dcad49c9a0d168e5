import { describe, expect, test } from "vitest";
import { findTextCalls } from "./written-calls.ts";

const isOffered = (name: string): boolean => name === "read_file";
const call = { name: "read_file", input: { path: "src/a.ts" } };
const json = '{"name": "read_file", "arguments": {"path": "src/a.ts"}}';

describe("a call written as text is found in the form of", () => {
  test.each([
    ["Hermes and Qwen", `<tool_call>\n${json}\n</tool_call>`],
    ["Qwen, with a sentence before it", `I look at the file.\n\n<tool_call>\n${json}\n</tool_call>`],
    ["Hermes, cut at its stop word", `<tool_call>\n${json}`],
    [
      "Qwen Coder",
      "<tool_call>\n<function=read_file>\n<parameter=path>\nsrc/a.ts\n</parameter>\n</function>\n</tool_call>",
    ],
    ["Mistral", `[TOOL_CALLS][${json}]`],
    ["Mistral, without a list", '[TOOL_CALLS]read_file[ARGS]{"path": "src/a.ts"}'],
    ["Mistral, without a mark for the arguments", '[TOOL_CALLS] read_file{"path": "src/a.ts"}'],
    ["Llama", '<|python_tag|>{"name": "read_file", "parameters": {"path": "src/a.ts"}}<|eom_id|>'],
    ["Llama, as a function tag", '<function=read_file>{"path": "src/a.ts"}</function>'],
    ["Llama, as Python", '<|python_tag|>[read_file(path="src/a.ts")]'],
    ["Gemma", "```tool_code\nread_file(path='src/a.ts')\n```"],
    [
      "DeepSeek",
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file\n```json\n{"path": "src/a.ts"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    ],
    [
      "gpt-oss",
      '<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"path": "src/a.ts"}<|call|>',
    ],
    [
      "invoke tags",
      '<function_calls>\n<invoke name="read_file">\n<parameter name="path">src/a.ts</parameter>\n</invoke>\n</function_calls>',
    ],
    ["a JSON fence", `\`\`\`json\n${json}\n\`\`\``],
    ["bare JSON", json],
    ["a JSON fence after a sentence", `I look at the file.\n\n\`\`\`json\n${json}\n\`\`\``],
    ["a JSON fence between two sentences", `First this:\n\`\`\`json\n${json}\n\`\`\`\nThen I go on.`],
    ["bare JSON after a sentence", `I look at the file.\n\n${json}`],
    [
      "a JSON fence beside a sample of code",
      `The code is:\n\`\`\`js\nread();\n\`\`\`\n\`\`\`json\n${json}\n\`\`\``,
    ],
  ])("%s", (_, text) => {
    expect(findTextCalls(text, isOffered)).toEqual([call]);
  });

  test("several calls at once", () => {
    const text = `<tool_call>${json}</tool_call>\n<tool_call>${json.replace("a.ts", "b.ts")}</tool_call>`;
    expect(findTextCalls(text, isOffered)).toEqual([call, { ...call, input: { path: "src/b.ts" } }]);
  });

  test("strings with real line breaks and tabs, which JSON does not allow", () => {
    const text = '{"name": "read_file", "arguments": {"path": "a\n\tb \\" c\\n"}}';
    expect(findTextCalls(text, isOffered)).toEqual([{ name: "read_file", input: { path: 'a\n\tb " c\n' } }]);
  });

  test("numbers, words and quoted commas as Python writes them", () => {
    const text = "[read_file(path='a, b.md', offset=3, whole=True)]";
    expect(findTextCalls(text, isOffered)).toEqual([
      { name: "read_file", input: { path: "a, b.md", offset: 3, whole: true } },
    ]);
  });
});

describe("no call is found in", () => {
  test.each([
    ["prose about a call", 'One could send {"name": "read_file", "arguments": {"path": "a"}}.'],
    ["a fence that holds other data", 'The settings are:\n```json\n{"name": "acme"}\n```'],
    ["prose about a function", "Call read_file(path='a') first."],
    ["a call of a tool that is not offered", '<tool_call>{"name": "rm", "arguments": {}}</tool_call>'],
    ["a form without a name", "[TOOL_CALLS]"],
    ["broken JSON", '<tool_call>{"name": "read_file", "arguments": {</tool_call>'],
  ])("%s", (_, text) => {
    expect(findTextCalls(text, isOffered)).toEqual([]);
  });
});
