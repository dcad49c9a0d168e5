import { expect, test } from "vitest";
import type { PassingSchema } from "../../tools/passing-schema.ts";
import { openDesk } from "../../tools/testing.ts";
import type { Context } from "../../tools/tool.ts";
import { AgentTools } from "./agent-tools.ts";

test.each(["docs", "files"] as const)(
  "no description of the %s tools names a parameter that is withheld",
  (profile) => {
    const { tools } = new AgentTools({ profile } as Context, (text) => text);
    expect(Object.keys(tools)).toContain("write_file");
    const told = Object.entries(tools).map(([name, { description, inputSchema }]) => {
      const schema = inputSchema as unknown as PassingSchema<unknown>;
      return `${name}: ${description} ${JSON.stringify(schema["~standard"].jsonSchema.input())}`;
    });
    expect(told.join("\n")).toContain("The whole text of the file.");
    expect(told.filter((text) => /\b(?:dry_run|idempotency_key|rewrite)\b|["`]task["`]/.test(text))).toEqual(
      [],
    );
  },
);

test.each([
  ["files", undefined, "Use edit_file to change part of it."],
  ["docs", undefined, "Use edit_article to change part of it."],
  ["docs", "generate", "Write to a path that has no file yet."],
] as const)(
  "a refused write, profile %s and mode %s, advises what the model can do",
  async (profile, mode, hint) => {
    const desk = await openDesk({ "a.md": "old\n" });
    const context: Context = { ...desk.context, profile, ...(mode === undefined ? {} : { mode }) };
    const { tools } = new AgentTools(context, (text) => text);
    const call = { toolCallId: "1", messages: [], context: undefined };
    const said = await tools.write_file!.execute!({ path: "a.md", content: "new\n" }, call);
    expect(said).toContain(hint);
    expect(said).not.toContain("rewrite");
  },
);
