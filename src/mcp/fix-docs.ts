import { randomBytes } from "node:crypto";
import {
  type CreateMessageRequestParams,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
  type Tool as ToolListing,
} from "@modelcontextprotocol/server";
import { checkDrift, type ReportedFinding } from "../docs/check.ts";
import { fixFindings } from "../docs/fix.ts";
import { documentClass } from "../drift/pages/policies.ts";
import { RefusalError } from "../text/model/outcome.ts";
import { allows, type Context, type Result } from "../tools/tool.ts";
import { plural, refused } from "../wording/report.ts";
import { openGit } from "../workspace/git/git.ts";
import { benchFor } from "./agent-run.ts";
import { type Errand, startErrand } from "./resumable-call.ts";
import { openSamplingModel, type Sampled } from "./sampling.ts";

/** What `suture fix` does, with the client's own model: offered to clients that let a server ask it. */
export const fixDocsListing: ToolListing = {
  name: "fix_docs",
  title: "Make the documentation true again",
  description:
    "Find the passages that a code change made false, make the edits that a rule is certain of, and have this client's own model word the rest, passage by passage, under the same checks. Needs no key.",
  inputSchema: {
    type: "object",
    properties: {
      base: { type: "string", description: "Git revision to compare with." },
      path: { type: "string", description: "Only this document." },
      limit: { type: "integer", minimum: 1, maximum: 20, description: "Most passages to ask about (5)." },
    },
    additionalProperties: false,
  },
  annotations: {
    title: "Make the documentation true again",
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: false,
  },
};

/** Whether the tool makes sense here: pages are edited, and somebody writes. */
export function offersFixDocs({ profile, mode, workspace }: Context): boolean {
  return profile === "docs" && workspace !== undefined && allows(mode, "edit");
}

type Waiting = { readonly errand: Sampling; readonly stop: AbortController; rounds: number };

// Clients give up after eight rounds or ten; what is still open by then is left, and what is done is kept.
const mostRounds = 7;

type Sampling = Errand<CreateMessageRequestParams, Sampled, Result>;

/** Runs that wait for a client's answers, by the names they gave to the client. */
export type FixDocs = {
  call(
    place: Context,
    input: Readonly<Record<string, unknown>>,
    request: ServerContext,
    client: string,
  ): Promise<Result | InputRequiredResult>;
};

const mostWaiting = 16;
const asked = { tool: "fix_docs", wording: "files" } as const;

export function createFixDocs(): FixDocs {
  const waiting = new Map<string, Waiting>();
  const forget = (name: string): void => void waiting.delete(name);

  return {
    call: async (place, input, request, client) => {
      if (place.reader.isClosed()) return refused({ code: "closed" }, asked);
      const named = request.mcpReq.requestState();
      const known = typeof named === "string" ? waiting.get(named) : undefined;
      const name = known ? (named as string) : randomBytes(16).toString("hex");
      if (!known) {
        const stop = new AbortController();
        const errand: Sampling = startErrand((ask) => fixDocs(place, input, client, stop.signal, ask));
        waiting.set(name, { errand, stop, rounds: 0 });
        // A client that never comes back holds nothing for ever: the run that has waited longest is stopped.
        const [oldest] = waiting;
        if (waiting.size > mostWaiting && oldest) {
          oldest[1].stop.abort(new Error("the client did not come back"));
          forget(oldest[0]);
        }
      }
      const mine = waiting.get(name)!;
      try {
        let standing = await mine.errand.go(answersIn(request));
        mine.rounds++;
        while ("questions" in standing && mine.rounds > mostRounds)
          standing = await mine.errand.go(unanswered(standing.questions));
        if ("done" in standing) {
          forget(name);
          return standing.done;
        }
        const questions = Object.entries(standing.questions);
        return inputRequired({
          inputRequests: Object.fromEntries(
            questions.map(([key, params]) => [key, inputRequired.createMessage(params)]),
          ),
          requestState: name,
        });
      } catch (error) {
        forget(name);
        if (error instanceof RefusalError) return refused(error.refusal, asked);
        throw error;
      }
    },
  };
}

function unanswered(questions: Readonly<Record<string, unknown>>): Record<string, Sampled> {
  return Object.fromEntries(Object.keys(questions).map((key) => [key, undefined]));
}

function answersIn({ mcpReq }: ServerContext): Record<string, Sampled> {
  const responses = mcpReq.inputResponses ?? {};
  const answers = Object.keys(responses).map((key): [string, Sampled] => {
    const view = inputResponse(responses, key);
    if (view.kind !== "sampling") return [key, undefined];
    const { content, stopReason } = view.result;
    const blocks = Array.isArray(content) ? content : [content];
    const text = blocks.map((block) => (block.type === "text" ? block.text : "")).join("");
    return [key, { text, cut: stopReason === "maxTokens" }];
  });
  return Object.fromEntries(answers);
}

async function fixDocs(
  place: Context,
  input: Readonly<Record<string, unknown>>,
  client: string,
  signal: AbortSignal,
  sample: (params: CreateMessageRequestParams) => Promise<Sampled>,
): Promise<Result> {
  const { base, path, limit } = input;
  const git = await openGit(place.reader.root);
  const checked = await checkDrift(git, place.reader, { base: typeof base === "string" ? base : undefined });
  if (!checked.ok) return refused(checked.refusal, asked);
  const findings = checked.value.findings.filter(
    (finding) =>
      (typeof path !== "string" || finding.path === path) && documentClass(finding.path) !== "instructions",
  );
  const report = { ...checked.value, findings };
  const bench = await benchFor(place, signal);
  const options = { tiers: ["certain"], run: bench.run, time: bench.now().toISOString() } as const;
  const byRule = await fixFindings(bench.context, report, options);
  if (!byRule.ok) return refused(byRule.refusal, asked);
  const most = typeof limit === "number" && limit >= 1 ? Math.min(Math.floor(limit), 20) : 5;
  const open = byRule.value.left.filter(({ kind }) => kind !== "subject").slice(0, most);
  const model = openSamplingModel(`client:${client}`, sample);
  const crew = { planner: model, writer: model, researcher: model, reviewer: null };
  const { fixRest } = await import("../agents/fix/fix-rest.ts");
  const rest =
    open.length === 0
      ? null
      : await fixRest({ ...bench, crew }, crew, open, byRule.value, report, { maxSteps: 2 });
  if (rest && !rest.ok) return refused(rest.refusal, asked);
  const passages = rest?.value.passages ?? [];
  const worded = open.filter(({ id }) =>
    passages.some(({ finding, edits, error }) => finding === id && edits.length > 0 && error === undefined),
  );
  const done = [...byRule.value.fixed, ...worded];
  const left = findings.filter((finding) => !done.includes(finding));
  return {
    success: true,
    output: summaryOf(
      done,
      left,
      new Map(passages.map(({ finding, said, error }) => [finding, error ?? said])),
    ),
    tool: "fix_docs",
    run: bench.run,
    fixed: done.map((finding) => ({ ...finding, by: worded.includes(finding) ? model.name : "rule" })),
    left,
    unknown: report.unknown,
  };
}

function summaryOf(
  done: readonly ReportedFinding[],
  left: readonly ReportedFinding[],
  why: ReadonlyMap<string, string>,
): string {
  const line = ({ id, path, startLine, message }: ReportedFinding): string => {
    const said = why.get(id);
    return `${path}:${startLine} ${message}${said ? ` (${said})` : ""}`;
  };
  return [
    `${plural(done.length, "passage")} made true, ${left.length} left.`,
    ...done.map((finding) => `✓ ${line(finding)}`),
    ...left.map((finding) => `- ${line(finding)}`),
  ].join("\n");
}
