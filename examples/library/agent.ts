// An agent that reads, edits two files at once, and takes its work back. The model is scripted.
import { isStepCount, simulateReadableStream, streamText } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { openSession, unwrap } from "suture";
import { createMemoryDisk } from "suture/workspace";

const patch = "--- a/a.md\n+++ b/a.md\n@@ -1 +1 @@\n-one\n+two\n--- a/b.md\n+++ b/b.md\n@@ -1 +1 @@\n-one\n+two\n";
const script: [string, unknown][] = [
  ["read_file", { path: "a.md" }],
  ["edit_file", { path: "a.md", old_content: "zero", new_content: "one" }],
  ["apply_patch", { patch }],
  ["undo", {}],
];
const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } };
const model = new MockLanguageModelV4({
  doStream: async () => {
    const [toolName, input] = script.shift() ?? [];
    const answer = toolName
      ? ({ type: "tool-call", toolCallId: toolName, toolName, input: JSON.stringify(input) } as const)
      : ({ type: "text-delta", id: "1", delta: "Done." } as const);
    const around = toolName ? [answer] : [{ type: "text-start", id: "1" } as const, answer, { type: "text-end", id: "1" } as const];
    const finishReason = { unified: toolName ? "tool-calls" : "stop", raw: undefined } as const;
    return { stream: simulateReadableStream({ chunks: [...around, { type: "finish", finishReason, usage }] }) };
  },
});

const disk = createMemoryDisk();
disk.put("a.md", "zero\n");
disk.put("b.md", "one\n");
const session = unwrap(await openSession({ root: "/", files: disk.process(), author: "docs agent" }));
try {
  const { textStream } = streamText({ model, prompt: "Go on.", tools: session.tools.ai(), stopWhen: isStepCount(6) });
  for await (const text of textStream) console.log(text); // prints: Done.
} finally {
  await session.close();
}
console.log(["a.md", "b.md"].map((path) => new TextDecoder().decode(disk.read(path)?.bytes).trim())); // prints: [ 'one', 'one' ]
