import { expect, test } from "vitest";
import type { PassingSchema } from "../../tools/passing-schema.ts";
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
