import { afterAll, describe, expect, test } from "vitest";
import { openProject, type VendorProject } from "./project.ts";
import { openModels } from "./scripted-model.ts";

// npm may take longer than a hook may.
const project = await openProject();
const models = await openModels();
const isMissing = "missing" in project;
if (isMissing) console.log(`skipped: ${project.missing}`);
afterAll(async () => {
  await models.close();
  if (!isMissing) project.remove();
});

type Line = {
  readonly kit: string;
  readonly case: string;
  readonly outcome: "done" | "the tool has no such call" | { readonly problem: string };
};

const wanted = ["read", "edit", "patch of several files", "create", "undo", "refusal", "approval", "abort"];

describe.skipIf(isMissing)("the tools of a session in the SDK of a vendor", () => {
  test.each([
    ["anthropic.ts", 4],
    ["openai.ts", 3],
    ["ai.ts", 4],
    ["langchain.ts", 1],
  ])("%s: read, edit, patch, create, undo, refusal, approval and abort", async (program, kits) => {
    const { run } = project as VendorProject;
    const output = await run(program, { MODEL_URL: models.url, RESPONSES_URL: models.responsesUrl });
    const lines = output
      .split("\n")
      .flatMap((line) => (line.startsWith("{") ? [JSON.parse(line) as Line] : []));
    const ran = lines.filter(({ outcome }) => outcome === "done");
    console.log(`${program}: ${ran.length} conversations with ${kits} kits`);
    expect(lines.filter(({ outcome }) => typeof outcome === "object")).toEqual([]);
    expect(
      lines.map(({ case: name }) => name),
      output,
    ).toEqual(Array(kits).fill(wanted).flat());
  });

  test.each([
    ["bundler", { module: "esnext", moduleResolution: "bundler" }],
    ["node16", { module: "node16", moduleResolution: "node16" }],
  ])("every program compiles in strict mode with %s", async (_, options) => {
    expect(await (project as VendorProject).checkTypes(options)).toBe("");
  });
});
