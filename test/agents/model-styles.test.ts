import { afterEach, describe, expect, test } from "vitest";
import { command as fix } from "../../src/cli/commands/documents/fix.ts";
import { callCommand } from "./call-command.ts";
import { openProject, type Project } from "./project.ts";
import type { Request, Turn } from "./scripted-server.ts";
import { answerSection, askedText } from "./section-model.ts";

let project: Project;
const kept = { ...process.env };
afterEach(async () => {
  process.env = { ...kept };
  await project.close();
});

const page = "# Cache\n\nIt is emptied by `removeCache()`.\n";
const source = "export function removeCache() {}\nexport function clear() {}\n";

/** Bodies as each service sends them, with the fields that a client meets there. */
const bodies = {
  chat: (message: object, finish = "stop", thought = 0) => ({
    id: "chatcmpl-9",
    object: "chat.completion",
    created: 1_760_000_000,
    model: "a-model",
    system_fingerprint: "fp_44709d6fcb",
    choices: [
      { index: 0, message: { role: "assistant", ...message }, logprobs: null, finish_reason: finish },
    ],
    usage: {
      prompt_tokens: 900,
      completion_tokens: 120,
      total_tokens: 1020,
      completion_tokens_details: { reasoning_tokens: thought, accepted_prediction_tokens: 0 },
    },
  }),
  messages: (content: readonly object[], stop = "end_turn") => ({
    id: "msg_01",
    type: "message",
    role: "assistant",
    model: "claude-haiku-4-5",
    content,
    stop_reason: stop,
    stop_sequence: null,
    usage: {
      input_tokens: 900,
      output_tokens: 120,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    },
  }),
};
const send = (body: object): Turn => ({ body: JSON.stringify(body) });
const isFirst = ({ messages }: Request): boolean => messages.length === 1;
const solve = (request: Request): string =>
  answerSection(
    askedText(request),
    (section) => section.replace("removeCache()", "clear()"),
    "FIX",
    "src/cache.ts dropped it.",
  );
const sectionOf = (answer: string): string => /BEGIN SECTION\n([\s\S]*?)\nEND SECTION/.exec(answer)![1]!;
const hasRead = (request: Request): boolean => askedText(request).includes("You called `read_file`");
const call = { name: "read_file", arguments: { path: "src/cache.ts" } };

const onOllama = (model: string) => ({
  SUTURE_MODEL: `ollama:${model}`,
  OLLAMA_BASE_URL: `${project.server.url}/v1`,
});

async function run(say: (request: Request) => Turn, environment: () => Record<string, string>) {
  project = await openProject({ "docs/cache.md": page, "src/cache.ts": source }, say);
  project.put("src/cache.ts", "export function clear() {}\n");
  project.commit("drop removeCache, use clear");
  const said = await callCommand(
    project,
    fix,
    [],
    { base: "HEAD~1", yes: true },
    { environment: environment() },
  );
  return { ...said, text: project.text("docs/cache.md"), asked: project.server.requests.length };
}

type Style = readonly [
  name: string,
  environment: () => Record<string, string>,
  say: (request: Request) => Turn,
];

describe("the same edit from", () => {
  const hosted = () => ({ SUTURE_MODEL: "openai:gpt-4o-mini" });
  const anthropic = () => project.environment("anthropic");
  const styles: readonly Style[] = [
    ["a plain model", hosted, (request) => send(bodies.chat({ content: solve(request), refusal: null }))],
    [
      "a model that calls tools (OpenAI)",
      hosted,
      (request) =>
        isFirst(request)
          ? send(
              bodies.chat(
                {
                  content: null,
                  tool_calls: [
                    {
                      id: "call_1",
                      type: "function",
                      function: { name: call.name, arguments: JSON.stringify(call.arguments) },
                    },
                  ],
                },
                "tool_calls",
              ),
            )
          : send(bodies.chat({ content: solve(request) })),
    ],
    [
      "a model that calls tools (Anthropic)",
      anthropic,
      (request) =>
        isFirst(request)
          ? send(
              bodies.messages(
                [
                  { type: "text", text: "I look at the source first." },
                  { type: "tool_use", id: "toolu_1", name: call.name, input: call.arguments },
                ],
                "tool_use",
              ),
            )
          : send(bodies.messages([{ type: "text", text: solve(request) }])),
    ],
    [
      "a reasoning model whose thinking stands between tags",
      () => onOllama("qwen3:8b"),
      (request) =>
        send(
          bodies.chat({ content: `<think>\nIs it KEEP? No.\n1 KEEP: hm.\n</think>\n\n${solve(request)}` }),
        ),
    ],
    [
      "a reasoning model whose thinking has a field of its own",
      () => onOllama("deepseek-r1:7b"),
      (request) =>
        send(
          bodies.chat({
            content: solve(request),
            reasoning_content: "1 KEEP: hm.",
            reasoning: "1 KEEP: hm.",
          }),
        ),
    ],
    [
      "a model that writes a call as text where tools are offered",
      hosted,
      (request) => send(bodies.chat({ content: hasRead(request) ? solve(request) : JSON.stringify(call) })),
    ],
  ];
  test.each(styles)("%s", async (_, environment, say) => {
    const done = await run(say, environment);
    expect(done.text).toBe(page.replace("removeCache", "clear"));
    expect(done.code).toBe(0);
  });
});

describe("a clear message, and nothing written, for", () => {
  const styles: readonly (readonly [...Style, RegExp])[] = [
    [
      "a reasoning model whose budget is gone before it answers",
      () => ({ SUTURE_MODEL: "openai:gpt-5-mini", SUTURE_MAX_OUTPUT: "300" }),
      () => send(bodies.chat({ content: "", refusal: null }, "length", 300)),
      /no usable answer: all 300 output tokens.*SUTURE_MAX_OUTPUT/s,
    ],
    [
      "a reasoning model that is cut inside its thinking",
      () => ({ ...onOllama("qwen3:8b"), SUTURE_MAX_OUTPUT: "300" }),
      () => send(bodies.chat({ content: "<think>\nFirst, the section says" }, "length")),
      /no usable answer: all 300 output tokens.*SUTURE_MAX_OUTPUT/s,
    ],
    [
      "a model that never ends its thinking, and answers in it",
      () => onOllama("deepseek-r1:7b"),
      (request) => send(bodies.chat({ content: `<think>\nIt is gone.\n${solve(request)}` })),
      /no usable answer/,
    ],
    [
      "a model that answers in JSON",
      () => onOllama("llama3.2:3b"),
      (request) =>
        send(
          bodies.chat({
            content: JSON.stringify({ notices: [{ verdict: "FIX" }], section: sectionOf(solve(request)) }),
          }),
        ),
      /no usable answer/,
    ],
    [
      "a model that leaves the end of the section out",
      () => onOllama("llama3.2:3b"),
      (request) => send(bodies.chat({ content: solve(request).replace(/\nEND SECTION$/, "") })),
      /no usable answer/,
    ],
    [
      "a model that calls in tags where no tools are offered",
      () => onOllama("qwen2.5-coder:7b"),
      () => send(bodies.chat({ content: `<tool_call>\n${JSON.stringify(call)}\n</tool_call>` })),
      /no usable answer/,
    ],
    [
      "a model that talks about something else",
      () => onOllama("llama3.2:3b"),
      () => send(bodies.chat({ content: "The section looks good overall! Let me know." })),
      /no usable answer/,
    ],
    [
      "a model that refuses",
      () => onOllama("llama3.2:3b"),
      () => send(bodies.chat({ content: "I'm sorry, but I can't help with that." })),
      /ollama:llama3\.2:3b refused to answer: .*I'm sorry, but I can't help with that\./s,
    ],
    [
      "a model that is cut",
      () => onOllama("llama3.2:3b"),
      () => send(bodies.chat({ content: "1 FIX: src/cache.ts dropped it.\nBEGIN SECTION\n# Ca" }, "length")),
      /cut at the output limit \(raise it with SUTURE_MAX_OUTPUT\)/,
    ],
    [
      "a model that answers with nothing",
      () => onOllama("llama3.2:3b"),
      () => send(bodies.chat({ content: "" })),
      /no usable answer/,
    ],
    [
      "a model that says FIX and writes no section",
      () => onOllama("llama3.2:3b"),
      () => send(bodies.chat({ content: "1 FIX: src/cache.ts dropped it." })),
      /no usable answer|section/,
    ],
    [
      "a model that writes a call as text where no tools are offered",
      () => onOllama("llama3.2:3b"),
      () => send(bodies.chat({ content: JSON.stringify(call) })),
      /no usable answer.*no line says KEEP, FIX or ADD/s,
    ],
  ];
  test.each(styles)("%s", async (_, environment, say, message) => {
    const done = await run(say, environment);
    expect(done.text).toBe(page);
    expect(done.code).toBe(1);
    expect(`${done.out}\n${done.err}`).toMatch(message);
  });
});

test("models on servers of one's own are offered no tools, because not all of them take any", async () => {
  await run(
    (request) => send(bodies.chat({ content: solve(request) })),
    () => onOllama("qwen3:8b"),
  );
  expect(project.server.requests[0]!.tools).toEqual([]);
  expect(askedText(project.server.requests[0]!)).not.toContain("read_file");
});
