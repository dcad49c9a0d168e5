import { registerTelemetry, tool } from "ai";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { CostBudget } from "../../src/agents/model/budget.ts";
import { type Limits, type Model, type ModelRequest, openModel } from "../../src/agents/model/model.ts";
import {
  type EnvironmentVariables,
  resolveSettings,
  type UserConfig,
} from "../../src/agents/run/settings.ts";
import { createRedact, secretsIn } from "../../src/text/match/secrets.ts";
import { openServer, type Script, type ScriptedServer, type Turn, type Wire } from "./scripted-server.ts";

const wires: readonly Wire[] = ["openai", "anthropic", "google"];

let server: ScriptedServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

type Given = { environment?: EnvironmentVariables; config?: UserConfig; limits?: Partial<Limits> };

async function serveWire(wire: Wire, script: Script, given: Given = {}): Promise<Model> {
  server = await openServer(script);
  const environment = { ...server.environment(wire), ...given.environment };
  const settings = resolveSettings({ environment, ...(given.config ? { config: given.config } : {}) });
  if (!settings.ok) throw new Error(JSON.stringify(settings.refusal));
  const redact = createRedact(secretsIn(environment));
  const opened = await openModel("writer", settings.value, {
    redact,
    ...(given.limits ? { limits: given.limits } : {}),
  });
  if (!opened.ok) throw new Error(JSON.stringify(opened.refusal));
  return opened.value;
}

function ask(more: Partial<ModelRequest> = {}): ModelRequest {
  return { instructions: "You help.", prompt: "Say something.", budget: new CostBudget(), ...more };
}

async function value(model: Model, question: ModelRequest) {
  const answered = await model.ask(question);
  if (!answered.ok) throw new Error(JSON.stringify(answered.refusal));
  return answered.value;
}

async function detail(model: Model, question: ModelRequest): Promise<string> {
  const answered = await model.ask(question);
  if (answered.ok || answered.refusal.code !== "unavailable")
    throw new Error("expected an unavailable model");
  return answered.refusal.detail;
}

function recorder() {
  const seen: unknown[] = [];
  const note = tool({
    description: "Notes a word.",
    inputSchema: z.object({ word: z.string() }),
    execute: async ({ word }) => {
      seen.push(word);
      return `noted ${word}`;
    },
  });
  return { seen, tools: { note } };
}

const call = (word: string): Turn => ({ calls: [{ name: "note", input: { word } }] });

const ways = wires.flatMap((wire) => [[wire, "whole"] as const, [wire, "in pieces"] as const]);

describe.each(ways)("over the wire of %s, %s", (wire, way) => {
  const serve = (on: Wire, script: Script, given: Given = {}): Promise<Model> =>
    serveWire(on, script, {
      ...given,
      environment: { ...given.environment, ...(way === "in pieces" ? { SUTURE_STREAM: "1" } : {}) },
    });
  const sent = (): Record<string, unknown> => {
    const { body } = server!.requests[0]!;
    return wire === "google" ? ((body.generationConfig ?? {}) as Record<string, unknown>) : body;
  };
  const limitName = { openai: "max_tokens", anthropic: "max_tokens", google: "maxOutputTokens" }[wire];

  test("temperature, token limit and tools reach the provider", async () => {
    const model = await serve(wire, [{ text: "ok" }]);
    await value(
      model,
      ask({ temperature: 0.1, maxOutputTokens: 4000, tools: recorder().tools, maxSteps: 5 }),
    );
    // Gemini's thinking counts as output, so it gets room for it.
    const limit = wire === "google" ? 12_000 : 4000;
    expect(sent()).toMatchObject({ temperature: 0.1, [limitName]: limit });
    expect(server!.requests[0]!.tools).toEqual(["note"]);
    expect(server!.requests[0]!.system).toContain("You help.");
  });

  test("options that are not given are not sent", async () => {
    const model = await serve(wire, [{ text: "ok" }]);
    await value(model, ask());
    expect(sent()).not.toHaveProperty("temperature");
    expect(server!.requests[0]!.body).not.toHaveProperty("tools");
    // Anthropic's format demands a token limit; the SDK fills in the model's own.
    if (wire !== "anthropic") expect(sent()).not.toHaveProperty(limitName);
  });

  test("the model gets its round trips and sees each tool result", async () => {
    const { seen, tools } = recorder();
    const model = await serve(wire, [call("a"), call("b"), call("c"), { text: "three notes" }]);
    const answer = await value(model, ask({ tools, maxSteps: 5 }));
    expect(seen).toEqual(["a", "b", "c"]);
    expect(answer).toMatchObject({
      text: "three notes",
      steps: 4,
      stopReason: "done",
      toolCalls: { note: 3 },
    });
    expect(
      server!.requests
        .at(-1)!
        .messages.filter(({ role }) => role === "tool")
        .map(({ text }) => text)
        .join(),
    ).toContain("noted c");
  });

  test("an endless loop ends at the step limit", async () => {
    const { seen, tools } = recorder();
    const model = await serve(wire, () => call("again"));
    const answer = await value(model, ask({ tools, maxSteps: 5 }));
    expect(answer).toMatchObject({ steps: 5, stopReason: "steps" });
    expect(seen).toHaveLength(5);
    expect(server!.requests).toHaveLength(5);
  });

  test("calls of one step run in order", async () => {
    let running = 0;
    const order: string[] = [];
    const slow = tool({
      description: "Slow.",
      inputSchema: z.object({ word: z.string() }),
      execute: async ({ word }) => {
        expect(++running).toBe(1);
        await new Promise((resolve) => setTimeout(resolve, 5));
        running--;
        order.push(word);
        return word;
      },
    });
    const words = ["a", "b", "c"];
    const model = await serve(wire, [
      { calls: words.map((word) => ({ name: "slow", input: { word } })) },
      { text: "ok" },
    ]);
    await value(model, ask({ tools: { slow }, maxSteps: 5 }));
    expect(order).toEqual(words);
  });

  test("arguments that do not match the schema return an error and run nothing", async () => {
    const { seen, tools } = recorder();
    const model = await serve(wire, [
      { calls: [{ name: "note", input: { wrong: 1 } }] },
      { calls: [{ name: "unknown_tool", input: {} }] },
      call("right"),
      { text: "ok" },
    ]);
    const answer = await value(model, ask({ tools, maxSteps: 5 }));
    expect(seen).toEqual(["right"]);
    expect(answer.stopReason).toBe("done");
  });

  test("a rate limit is waited out and the wait the server names is kept", async () => {
    const limited: Turn = { status: 429, text: "slow down", headers: { "retry-after-ms": "20" } };
    const model = await serve(wire, [limited, limited, { text: "at last" }]);
    expect((await value(model, ask())).text).toBe("at last");
    expect(server!.requests).toHaveLength(3);
  });

  test("a rate limit that does not end is a refusal that says how often it was tried", async () => {
    const model = await serve(wire, () => ({
      status: 429,
      text: "slow down",
      headers: { "retry-after-ms": "1" },
    }));
    expect(await detail(model, ask())).toMatch(/429: slow down \(4 tries\)/);
  });

  test("a request the provider rejects is not repeated", async () => {
    const model = await serve(wire, () => ({ status: 400, text: "context too long" }));
    expect(await detail(model, ask())).toContain("answered 400: context too long");
    expect(server!.requests).toHaveLength(1);
  });

  test("a malformed answer is refused", async () => {
    for (const body of ["{", "[]", '{"nothing":true}', "<html>"]) {
      const model = await serve(wire, () => ({ body }), { limits: { maxRetries: 0 } });
      const answered = await model.ask(ask());
      expect(answered.ok ? answered.value.stopReason : answered.refusal.code).toMatch(
        /^(stopped|unavailable)$/,
      );
      await server!.close();
    }
  });

  test("a key that the provider repeats is not in the refusal", async () => {
    const key = Object.entries({
      openai: "sk-scripted-0123456789abcdef",
      anthropic: "sk-ant-scripted-0123456789abcdef",
      google: "scripted-key-0123456789abcdef",
    }).find(([name]) => name === wire)![1];
    const model = await serve(wire, () => ({ status: 401, text: `Incorrect API key provided: ${key}.` }));
    expect(await detail(model, ask())).toMatch(/401: Incorrect API key provided: \[secret\]/);
  });

  test("an answer cut at the token limit says so", async () => {
    const model = await serve(wire, [{ text: "half of a", cut: true }]);
    expect(await value(model, ask({ maxOutputTokens: 10 }))).toMatchObject({
      text: "half of a",
      stopReason: "length",
    });
  });

  test("tokens and money are counted over all steps", async () => {
    const { tools } = recorder();
    const budget = new CostBudget();
    const page = budget.child();
    const model = await serve(
      wire,
      [
        { ...call("a"), usage: { input: 1000, output: 100 } },
        { text: "ok", usage: { input: 2000, output: 50 } },
      ],
      {
        config: { prices: { [`${wire}:x`]: { input: 1, output: 10 } } },
        environment: { SUTURE_MODEL: `${wire}:x` },
      },
    );
    const { usage } = await value(model, ask({ tools, maxSteps: 5, budget: page }));
    expect(usage).toEqual({ inputTokens: 3000, outputTokens: 150, costUsd: 0.0045 });
    expect(page.total().costUsd).toBeCloseTo(0.0045);
    expect(budget.total().inputTokens).toBe(3000);
  });
});

const serve = serveWire;
const streamed = { environment: { SUTURE_STREAM: "1" } };

test.each(wires)("an answer in pieces that breaks off is no answer (%s)", async (wire) => {
  const { seen, tools } = recorder();
  const model = await serve(wire, [{ ...call("half"), text: "Well", tear: 2 }], {
    ...streamed,
    limits: { maxRetries: 0 },
  });
  const answered = await model.ask(ask({ tools, maxSteps: 3 }));
  expect(answered.ok ? answered.value.stopReason : answered.refusal.code).toMatch(/^(stopped|unavailable)$/);
  expect(seen).toEqual([]);
});

test("pieces that come slowly are waited for, however long the whole takes; silence is not", async () => {
  const limits = { stepMs: 3000, maxRetries: 0 };
  const slow = await serve("openai", [{ text: "steady", pause: 600 }], { ...streamed, limits });
  expect((await value(slow, ask())).text).toBe("steady");
  await server!.close();
  for (const turn of [{ hang: true }, { text: "pause", pause: 20_000 }]) {
    const stuck = await serve("openai", () => turn, { ...streamed, limits: { ...limits, stepMs: 80 } });
    expect(await detail(stuck, ask())).toMatch(
      /^openai:gpt-4o-mini: no answer in time \(0.08 s\); raise the limit with --timeout/,
    );
    await server!.close();
  }
});

test("a provider that fails five times in a row is not asked again in this run; one success in between counts", async () => {
  const limits = { maxRetries: 0 };
  const failing: Turn = { status: 500, text: "down" };
  const model = await serve("openai", [failing, failing, { text: "up" }, ...Array(20).fill(failing)], {
    limits,
  });
  const answers: boolean[] = [];
  for (let i = 0; i < 12; i++) answers.push((await model.ask(ask())).ok);
  expect(answers.filter(Boolean)).toHaveLength(1);
  expect(server!.requests).toHaveLength(8);
  expect(await detail(model, ask())).toBe("openai:gpt-4o-mini: answered 500: down; it is not asked again");
});

test("a connection that breaks is tried again", async () => {
  const model = await serve("openai", [{ drop: true }, { text: "back" }]);
  expect((await value(model, ask())).text).toBe("back");
});

test("an abort ends an answer in pieces at once, with the caller's own reason", async () => {
  const controller = new AbortController();
  const model = await serve(
    "openai",
    () => {
      setTimeout(() => controller.abort(new Error("stopped by hand")), 30);
      return { hang: true };
    },
    streamed,
  );
  await expect(model.ask(ask({ signal: controller.signal }))).rejects.toThrow("stopped by hand");
});

test("a model that never answers ends by timeout", async () => {
  const model = await serve("openai", () => ({ hang: true }), { limits: { stepMs: 80, maxRetries: 0 } });
  expect(await detail(model, ask())).toMatch(
    /^openai:gpt-4o-mini: no answer in time \(0.08 s\); raise the limit with --timeout/,
  );
});

test("an abort ends the call at once, with the caller's own reason", async () => {
  const model = await serve("openai", () => ({ hang: true }));
  const controller = new AbortController();
  const reason = new Error("stopped by hand");
  setTimeout(() => controller.abort(reason), 30);
  // The server never answers, so only the abort can end the call.
  await expect(model.ask(ask({ signal: controller.signal }))).rejects.toBe(reason);
});

test("an answer without end is cut off", async () => {
  const model = await serve("openai", () => ({ body: `{"a":"${"x".repeat(17 * 1024 * 1024)}"}` }), {
    limits: { maxRetries: 0 },
  });
  expect(await detail(model, ask())).toContain("openai");
});

test("a redirect is not followed: a key would go with it", async () => {
  const elsewhere = await openServer([{ text: "thanks for the key" }]);
  const model = await serve(
    "anthropic",
    () => ({ status: 307, headers: { location: `${elsewhere.url}/v1/messages` }, body: "" }),
    { limits: { maxRetries: 0 } },
  );
  await detail(model, ask());
  expect(elsewhere.requests).toHaveLength(0);
  await elsewhere.close();
});

describe("the cost ceiling", () => {
  const dear = { prices: { "openai:gpt-4o-mini": { input: 0, output: 1000 } } };

  test("a call that could pass it is not made", async () => {
    const model = await serve("openai", [{ text: "ok" }], { config: dear });
    expect(
      await detail(model, ask({ budget: new CostBudget({ maxCostUsd: 3 }), maxOutputTokens: 4000 })),
    ).toContain("cost ceiling");
    expect(server!.requests).toHaveLength(0);
  });

  test("a loop stops before the step that could pass it", async () => {
    const { tools } = recorder();
    const budget = new CostBudget({ maxCostUsd: 5 });
    const model = await serve("openai", () => ({ ...call("x"), usage: { input: 0, output: 1000 } }), {
      config: dear,
    });
    const answer = await value(model, ask({ tools, maxSteps: 50, maxOutputTokens: 1000, budget }));
    expect(answer.stopReason).toBe("cost");
    expect(budget.total().costUsd).toBeLessThanOrEqual(5);
    expect(server!.requests).toHaveLength(5);
  });

  test("calls side by side do not pass it together", async () => {
    const budget = new CostBudget({ maxCostUsd: 2.5 });
    const model = await serve("openai", () => ({ text: "ok", usage: { input: 0, output: 1000 } }), {
      config: dear,
    });
    const asked = await Promise.all(
      Array.from({ length: 8 }, () => model.ask(ask({ budget: budget.child(), maxOutputTokens: 1000 }))),
    );
    expect(asked.filter(({ ok }) => ok)).toHaveLength(2);
    expect(budget.total().costUsd).toBeCloseTo(2);
  });

  test("a model without a price is refused under a ceiling, and its cost is unknown without one", async () => {
    const environment = { SUTURE_MODEL: "openai:new-model" };
    const model = await serve("openai", [{ text: "ok" }], { environment });
    expect(await detail(model, ask({ budget: new CostBudget({ maxCostUsd: 100 }) }))).toContain(
      "price of the model is not known",
    );
    expect((await value(model, ask())).usage.costUsd).toBeNull();
  });

  test("a model on this machine costs nothing", async () => {
    server = await openServer([{ text: "ok" }]);
    const environment = { OLLAMA_HOST: server.url, SUTURE_MODEL: "ollama:llama3.2:3b" };
    const settings = resolveSettings({ environment });
    const model = await openModel("writer", settings.ok ? settings.value : (undefined as never), {
      redact: createRedact(),
    });
    expect(
      model.ok &&
        (await value(model.value, ask({ budget: new CostBudget({ maxCostUsd: 0 }) }))).usage.costUsd,
    ).toBe(0);
    expect(server.requests[0]).toMatchObject({ wire: "openai", model: "llama3.2:3b" });
    expect(server.requests[0]!.headers.authorization).toBeUndefined();
  });
});

describe("tracing", () => {
  test("telemetry is off by default; turned on, it carries the metadata of the call and no text", async () => {
    const events: { kind: string; event: unknown }[] = [];
    registerTelemetry({
      onStart: (event: unknown) => void events.push({ kind: "start", event }),
      onEnd: (event: unknown) => void events.push({ kind: "end", event }),
    } as never);
    const metadata = {
      session: "run-1",
      properties: { documentPath: "docs/a.md", documentType: "guide", mode: "surgical-update" },
      tags: ["documentation"],
    };
    const quiet = await serve("openai", [{ text: "answer-text" }]);
    await value(quiet, ask({ metadata, prompt: "prompt-text" }));
    expect(events).toEqual([]);
    await server!.close();
    const traced = await serve("openai", [{ text: "answer-text" }], {
      environment: { SUTURE_TELEMETRY: "1" },
    });
    await value(traced, ask({ metadata, prompt: "prompt-text" }));
    expect(events.map(({ kind }) => kind)).toEqual(["start", "end"]);
    const printed = JSON.stringify(events);
    expect(printed).toContain('"documentPath":"docs/a.md"');
    expect(printed).toContain('"mode":"surgical-update"');
    expect(printed).not.toMatch(/answer-text|prompt-text/);
  });
});

describe("models that think, and models that write their calls as text", () => {
  test.each([
    ["<think>\nIt changed.\n</think>\n\nYES. It is 5.", "YES. It is 5."],
    ["It changed, so…\n</think>\nYES. It is 5.", "YES. It is 5."],
    ["<thinking>a</thinking><think>b</think>YES", "YES"],
    [
      "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>YES<|return|>",
      "YES",
    ],
    ["Use `<think>` tags.", "Use `<think>` tags."],
  ])("%j is read without its thinking", async (text, read) => {
    const model = await serve("openai", [{ text }]);
    expect((await value(model, ask())).text).toBe(read);
  });

  test("an answer that was cut while it thought is no usable answer, and says what to change", async () => {
    const turns = [
      { text: "", cut: true },
      { text: "<think>and then", cut: true },
    ];
    const model = await serve("openai", turns);
    for (const _ of turns)
      expect(await detail(model, ask({ maxOutputTokens: 300 }))).toMatch(
        /no usable answer: all 300 output tokens.*SUTURE_MAX_OUTPUT/,
      );
  });

  test("an empty answer is no usable answer", async () => {
    const model = await serve("openai", [{ text: "  " }]);
    expect(await detail(model, ask())).toContain("the answer is empty");
  });

  test("thinking that is never closed is no usable answer, and is said to be the reason", async () => {
    const model = await serve("openai", [{ text: "<think>\n1 KEEP: it may be right." }]);
    expect(await detail(model, ask())).toMatch(/no usable answer: it opens its thinking and never closes it/);
  });

  test("an answer that a filter stopped is no usable answer, and the filter is named", async () => {
    const choice = { index: 0, message: { role: "assistant", content: "" }, finish_reason: "content_filter" };
    const body = JSON.stringify({
      id: "c",
      object: "chat.completion",
      created: 1,
      model: "m",
      choices: [choice],
    });
    const model = await serve("openai", [{ body }]);
    expect(await detail(model, ask())).toMatch(/no usable answer: the provider stopped it.*filter/);
  });

  test.each([
    ["a gateway", '{"error":{"message":"the model behind it is overloaded","code":502}}', "is overloaded"],
    ["a server of one's own", '{"error":"model not found, try pulling it first"}', "try pulling it first"],
    ["a stream", 'data: {"error":{"message":"out of memory","type":"server_error"}}\n\n', "out of memory"],
  ])("an error that %s sends as a good response is told in its words", async (_, body, words) => {
    const model = await serve("openai", () => ({ body }), { limits: { maxRetries: 0 } });
    expect(await detail(model, ask())).toContain(`answered with an error: `);
    expect(await detail(model, ask())).toContain(words);
  });

  test("a reasoning model gets room to think, and the user's own limit wins", async () => {
    const thinker = { environment: { SUTURE_MODEL: "openai:gpt-5-mini" } };
    const model = await serve("openai", [{ text: "a" }], thinker);
    await value(model, ask({ maxOutputTokens: 300 }));
    expect(server!.requests[0]!.body.max_completion_tokens).toBe(8300);
    await server!.close();
    const limited = { environment: { ...thinker.environment, SUTURE_MAX_OUTPUT: "12345" } };
    await value(await serve("openai", [{ text: "a" }], limited), ask({ maxOutputTokens: 300 }));
    expect(server!.requests[0]!.body.max_completion_tokens).toBe(12_345);
  });

  test.each([
    '{"tool": "note", "input": {"word": "a"}}',
    '```json\n{"name": "note", "arguments": {"word": "a"}}\n```',
    '<tool_call>\n{"name": "note", "arguments": "{\\"word\\": \\"a\\"}"}\n</tool_call>',
    '[TOOL_CALLS] [{"name": "note", "arguments": {"word": "a"}}]',
    '{"function": {"name": "note", "parameters": {"word": "a"}}}',
  ])("a call written as %j is made, and its result goes back", async (text) => {
    const { tools, seen } = recorder();
    const model = await serve("openai", [{ text }, { text: "Done." }]);
    const answer = await value(model, ask({ tools, maxSteps: 3 }));
    expect(answer).toMatchObject({ text: "Done.", steps: 2, toolCalls: { note: 1 } });
    expect(seen).toEqual(["a"]);
    expect(server!.requests[1]!.messages[0]!.text).toContain("You called `note`");
  });

  test("a call written as text where no step is left leaves the work unfinished", async () => {
    const { tools, seen } = recorder();
    const call = { text: '{"tool": "note", "input": {"word": "a"}}' };
    const model = await serve("openai", [call, call, call]);
    expect(await value(model, ask({ tools, maxSteps: 2 }))).toMatchObject({ stopReason: "steps", steps: 2 });
    expect(seen).toEqual(["a"]);
  });

  test("prose that mentions a call makes none", async () => {
    const { tools, seen } = recorder();
    const model = await serve("openai", [
      { text: 'One could send {"tool": "note", "input": {"word": "a"}}.' },
    ]);
    await value(model, ask({ tools, maxSteps: 3 }));
    expect(seen).toEqual([]);
  });

  test("Anthropic is asked to cache the prefix", async () => {
    await value(await serve("anthropic", [{ text: "a" }]), ask());
    expect(JSON.stringify(server!.requests[0]!.body)).toContain('"cache_control":{"type":"ephemeral"}');
  });
});
