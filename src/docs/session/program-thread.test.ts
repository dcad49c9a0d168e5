import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { ProgramThread } from "./program-thread.ts";

/** Answers after as many steps of progress as the request asks for. */
const program = `import { parentPort } from "node:worker_threads";
parentPort.on("message", ({ request }) => {
  let done = 0;
  const timer = setInterval(() => {
    if (done === request) return clearInterval(timer), parentPort.postMessage({ answer: "done" });
    parentPort.postMessage({ progress: [++done, request] });
  }, 500);
});
`;

test("a request may take long as long as it shows progress", async () => {
  const folder = mkdtempSync(join(tmpdir(), "suture-thread-"));
  const file = join(folder, "program.mjs");
  writeFileSync(file, program);
  const thread = new ProgramThread<number, string>({ programs: [pathToFileURL(file)], seconds: 5 });
  try {
    expect(await thread.call(12)).toBe("done");
  } finally {
    await thread.close();
    rmSync(folder, { recursive: true });
  }
});
