import { afterAll, expect, test } from "vitest";
import { createTools } from "../../src/ai.ts";
import { check } from "../../src/docs/check/check.ts";
import type { CheckReport } from "../../src/docs/check/report.ts";
import { openProject, type ProjectPlace } from "../../src/docs/project.ts";
import { callTool, checkDrift, openContext } from "../../src/index.ts";
import { accept, type Outcome } from "../../src/text/model/outcome.ts";
import { openGit } from "../../src/workspace/git/git.ts";
import { openReader } from "../../src/workspace/workspace.ts";
import { createRepository, type Repository } from "../drift/repository.ts";

// Every door gives the answer of the one check, whatever the configuration says.

const opened: Repository[] = [];
afterAll(() => {
  for (const each of opened) each.remove();
});

const code = (name: string): string => `export function ${name}(path: string): string {\n  return path;\n}\n`;

const commented = { "src/other.ts": `/** Reads what \`openDocument\` gives. */\n${code("readAll")}` };

function renamed(config: unknown, others: Readonly<Record<string, string>> = {}): Repository {
  const made = createRepository();
  opened.push(made);
  made.commit({
    "src/open.ts": code("openDocument"),
    ...others,
    "README.md": "# Use\n\nCall `openDocument` with a path.\n",
    "suture.config.json": JSON.stringify(config),
  });
  made.commit({ "src/open.ts": code("loadDocument") });
  return made;
}

type Door = (folder: string) => Promise<Outcome<Pick<CheckReport, "findings" | "unknown">>>;

const base = "HEAD~1";
const through = async (place: ProjectPlace): Promise<Outcome<CheckReport>> => {
  const project = await openProject(place);
  if (!project.ok) return project;
  await using open = project.value;
  return await check(open, { base });
};

const doors: Readonly<Record<string, Door>> = {
  "the command line": (root) => through({ root }),
  "CI and the fleet, from git alone": async (root) => through({ git: (await openGit(root))! }),
  "the library": async (root) => {
    const reader = await openReader(root, {});
    if (!reader.ok) return reader;
    const checked = await checkDrift(await openGit(root), reader.value, { base });
    await reader.value.close();
    return checked;
  },
  "find_drift for a program": async (root) => {
    const context = await openContext({ root, profile: "docs", mode: "analyze" });
    if (!context.ok) return context;
    const result = await callTool(context.value, "find_drift", { base });
    await context.value.reader.close();
    return accept(result as unknown as CheckReport);
  },
  "find_drift for the AI SDK": async (root) => {
    await using tools = await createTools({ root, profile: "docs", mode: "analyze" });
    const options = { toolCallId: "1", messages: [], context: {} };
    const result = await tools.find_drift!.execute!({ base }, options as never);
    return accept(result as CheckReport);
  },
};

async function pathsOf(door: Door, folder: string): Promise<string[]> {
  const report = await door(folder);
  if (!report.ok) throw new Error(JSON.stringify(report.refusal));
  return report.value.findings.map(({ path, tier }) => `${path} ${tier}`);
}

for (const [name, door] of Object.entries(doors)) {
  test(`${name}: finds the drift, and only in pages by default`, async () => {
    expect(await pathsOf(door, renamed({}).folder)).toEqual(["README.md certain"]);
  });

  test(`${name}: applies the configuration`, async () => {
    expect(await pathsOf(door, renamed({ rules: { rename: "possible" } }).folder)).toEqual([
      "README.md possible",
    ]);
    expect(await pathsOf(door, renamed({ docs: { exclude: ["*.md"] } }).folder)).toEqual([]);
  });

  test(`${name}: a dismissed finding does not come back`, async () => {
    const made = renamed({});
    const found = await door(made.folder);
    const id = found.ok ? found.value.findings[0]!.id : "";
    const dismissed = renamed({ dismissed: [{ id, reason: "an example of the old name" }] });
    expect(await pathsOf(door, dismissed.folder)).toEqual([]);
  });

  test(`${name}: doc comments are documents where the configuration says so`, async () => {
    expect(await pathsOf(door, renamed({ docs: { comments: true } }, commented).folder)).toEqual([
      "README.md certain",
      "src/other.ts certain",
    ]);
  });

  test(`${name}: excluded sources prove nothing`, async () => {
    expect(await pathsOf(door, renamed({ code: { exclude: ["src/**"] } }).folder)).toEqual([]);
  });

  test(`${name}: a rule that does not exist is refused`, async () => {
    const { folder } = renamed({ rules: { renamings: "off" } });
    const report = await door(folder);
    const code = report.ok ? (report.value as { code?: string }).code : report.refusal.code;
    expect(code).toBe("malformed");
  });
}
