import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { generateText, isStepCount } from "ai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTools } from "../../src/ai.ts";
import { type CheckReport, checkDrift, openGit, openReader, type Result } from "../../src/index.ts";
import { openServer } from "../agents/scripted-server.ts";
import { type Bundle, bundleCommand } from "../doors/bundle.ts";
import {
  applyExpected,
  commandIn,
  createDriftRepository,
  type DriftRepository,
  type ExpectedFinding,
  loadDriftCases,
  toExpected,
} from "./drift.ts";

const cases = loadDriftCases();

let bundle: Bundle;
let suture: ReturnType<typeof commandIn>;
beforeAll(async () => {
  bundle = await bundleCommand();
  suture = commandIn([bundle.main]);
});
afterAll(() => bundle.remove());

/** A way to ask for the drift of the last commit. */
type Door = (repository: DriftRepository) => Promise<readonly ExpectedFinding[]>;

const doors: Record<string, Door> = {
  library: async ({ root }) => {
    const reader = await openReader(root);
    if (!reader.ok) throw new Error(JSON.stringify(reader.refusal));
    try {
      const checked = await checkDrift(await openGit(root), reader.value, { base: "HEAD~1" });
      if (!checked.ok) throw new Error(JSON.stringify(checked.refusal));
      return toExpected(checked.value.findings);
    } finally {
      await reader.value.close();
    }
  },

  "command line": async ({ root }) => {
    const { code, out } = await suture(root, ["check", "--base", "HEAD~1", "--json"]);
    const { findings } = JSON.parse(out) as CheckReport;
    expect(code).toBe(findings.some(({ tier }) => tier !== "possible") ? 1 : 0);
    return toExpected(findings);
  },

  MCP: async ({ root }) => {
    const client = new Client({ name: "drift", version: "1.0.0" });
    const args = [bundle.main, "mcp", "--root", root, "--profile", "docs"];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "inherit" }));
    try {
      const answer = await client.callTool({ name: "find_drift", arguments: { base: "HEAD~1" } });
      return findingsOf(answer.structuredContent as Result);
    } finally {
      await client.close();
    }
  },

  "AI SDK": async ({ root }) => {
    const turns = [{ calls: [{ name: "find_drift", input: { base: "HEAD~1" } }] }];
    const server = await openServer(() => turns.shift() ?? { text: "Done." });
    const tools = await createTools({ root, profile: "docs" });
    const provider = createOpenAICompatible({
      name: "scripted",
      baseURL: `${server.url}/v1`,
      apiKey: "none",
    });
    try {
      const { steps } = await generateText({
        model: provider("scripted"),
        prompt: "Go on.",
        tools,
        stopWhen: isStepCount(2),
      });
      return findingsOf(steps[0]!.toolResults[0]!.output as Result);
    } finally {
      await tools[Symbol.asyncDispose]();
      await server.close();
    }
  },
};

describe.each(Object.entries(doors))("drift cases through the %s", (_, door) => {
  test.each(cases.map((each) => [each.name, each] as const))("%s", async (_name, each) => {
    const repository = createDriftRepository(each);
    try {
      expect(await door(repository)).toEqual(each.expected);
    } finally {
      repository.remove();
    }
  });
});

describe("drift cases through suture ci", () => {
  test.each(cases.map((each) => [each.name, each] as const))("%s", async (_name, each) => {
    const repository = createDriftRepository(each);
    const out = mkdtempSync(join(tmpdir(), "suture-drift-ci-"));
    try {
      const sarif = join(out, "suture.sarif");
      const words = ["ci", "--artefact", out, "--sarif", sarif];
      await suture(repository.root, words, pullRequestEnvironment(repository, out));
      expect(readSarif(sarif)).toEqual(each.expected.map(({ edits: _edits, ...shown }) => shown));
      const pages = applyExpected(each, repository, ["certain", "likely"]);
      applyArtefact(repository, join(out, "suture.json"));
      for (const [path, text] of Object.entries(pages)) expect(repository.read(path)).toBe(text);
      expect(repository.git("diff", "--name-only").split("\n").filter(Boolean)).toEqual(
        Object.keys(pages).sort(),
      );
    } finally {
      repository.remove();
      rmSync(out, { recursive: true, force: true });
    }
  });
});

function findingsOf(result: Result): ExpectedFinding[] {
  expect(result.success, JSON.stringify(result).slice(0, 2000)).toBe(true);
  return toExpected((result as Result & Pick<CheckReport, "findings">).findings);
}

/** SARIF has no edits: those are in the artefact. */
function readSarif(file: string): Omit<ExpectedFinding, "edits">[] {
  const { runs } = JSON.parse(readFileSync(file, "utf8")) as Sarif;
  return runs[0]!.results.map(({ ruleId, level, locations: [place] }) => ({
    path: decodeURIComponent(place!.physicalLocation.artifactLocation.uri),
    ...place!.physicalLocation.region,
    kind: ruleId,
    tier: ({ error: "certain", warning: "likely", note: "possible" } as const)[level],
  }));
}

type Sarif = {
  readonly runs: readonly {
    readonly results: readonly {
      readonly ruleId: string;
      readonly level: "error" | "warning" | "note";
      readonly locations: readonly {
        readonly physicalLocation: {
          readonly artifactLocation: { readonly uri: string };
          readonly region: { readonly startLine: number; readonly endLine: number };
        };
      }[];
    }[];
  }[];
};

function applyArtefact({ root, git }: DriftRepository, file: string): void {
  const { patch } = JSON.parse(readFileSync(file, "utf8")) as { patch: string };
  if (patch === "") return;
  const written = join(root, "..", "artefact.patch");
  writeFileSync(written, patch);
  git("apply", written);
}

function pullRequestEnvironment({ root, git }: DriftRepository, out: string): Record<string, string> {
  const [base, head] = [git("rev-parse", "HEAD~1"), git("rev-parse", "HEAD")];
  const repo = { full_name: `cases/${basename(root)}` };
  const event = {
    pull_request: {
      number: 1,
      head: { ref: "topic", sha: head, repo },
      base: { ref: "main", sha: base, repo },
    },
  };
  writeFileSync(join(out, "event.json"), JSON.stringify(event));
  return {
    CI: "true",
    GITHUB_ACTIONS: "true",
    GITHUB_EVENT_NAME: "pull_request",
    GITHUB_EVENT_PATH: join(out, "event.json"),
    GITHUB_REPOSITORY: repo.full_name,
    GITHUB_SHA: head,
  };
}
