import type { AgentResult, ArticleDecision } from "../../../agents/impact/agent.ts";
import type { Impacted, SearchOptions, SearchResult } from "../../../agents/impact/search.ts";
import type { OpenAgentRun } from "../../../agents/run/open-agent-run.ts";
import {
  agentText,
  agentValue,
  extractText,
  impactWords,
  searchRemarks,
  searchText,
  searchValue,
} from "../../../wording/impact.ts";
import { type Call, type Command, exit, isSet, numberOf, textOf } from "../../command.ts";
import { usageError } from "../../usage-error.ts";
import { explain, modelOptions, stepsOf, withAgentRun } from "../../with-models.ts";

export const command: Command = {
  name: "impact",
  group: "documentation",
  summary: "find the articles that a change concerns by their own rules, and update them",
  usage: ["extract", "search", "agent"],
  operands: [1, 1],
  options: [
    { name: "base", short: "b", value: "REF", text: "compare from this revision; also as origin/REF" },
    { name: "uncommitted", short: "u", text: "look at uncommitted changes instead" },
    { name: "json", short: "j", text: "print one JSON value on standard output and nothing else there" },
    { name: "prompt", short: "p", text: "extract: print a prompt that finds search words" },
    { name: "docs", short: "d", value: "DIR", text: "where articles live (docs)" },
    {
      name: "source",
      short: "s",
      value: "NAME",
      text: "only rules about this repository; `local` is this one",
    },
    { name: "strict", text: "fail when a watched repository cannot be read" },
    { name: "yes", short: "y", text: "agent: update every article without asking" },
    { name: "dry-run", short: "n", text: "agent: list the articles and change nothing" },
    { name: "limit", value: "N", integer: true, text: "agent: the most articles to update" },
    { name: "no-propagate", text: "agent: leave out articles that watch updated articles" },
    { name: "propagate-only", text: "agent: update only articles that watch those of the last run" },
    { name: "max-depth", value: "N", integer: true, text: "agent: how far from the change to go (5)" },
    ...modelOptions,
  ],
  examples: [
    ["which articles does this branch concern", "suture impact search"],
    ["update them, asking about each", "suture impact agent --model anthropic:claude-sonnet-4-5"],
    ["what is not committed yet, without questions", "suture impact agent -u -y"],
  ],
  run,
};

async function run(call: Call): Promise<number> {
  const [action] = call.operands;
  if (action === "extract") return withAgentRun(call, (opened) => extract(call, opened), { readOnly: true });
  if (action === "search") return withAgentRun(call, (opened) => search(call, opened), { readOnly: true });
  if (action === "agent")
    return withAgentRun(call, (opened) => agent(call, opened), {
      readOnly: isSet(call.options, "dry-run"),
      review: false,
    });
  return usageError(call.terminal, `impact has no action ${action}`, "Use extract, search or agent.");
}

async function extract(call: Call, { run }: OpenAgentRun): Promise<number> {
  const { options, terminal } = call;
  const { readChanges } = await import("../../../agents/impact/sources.ts");
  const { extractChange, queryPrompt } = await import("../../../agents/impact/extract.ts");
  const asked = { sources: {}, named: undefined, question: questionOf(call) };
  const [found] = await readChanges(run, ["local"], asked);
  if (!found || "why" in found)
    return explain(call, { code: "unavailable", detail: found?.why ?? "no change" }, run);
  if (isSet(options, "prompt")) terminal.printExactly(run.redact(queryPrompt(found.change)));
  else if (terminal.json) terminal.printJson(extractChange(found.change));
  else terminal.print(extractText(extractChange(found.change)));
  return exit.done;
}

function questionOf({ options }: Call) {
  return { base: textOf(options, "base"), uncommitted: isSet(options, "uncommitted") };
}

function searchOptions(call: Call): SearchOptions {
  const { options } = call;
  return {
    ...questionOf(call),
    docs: (textOf(options, "docs") ?? "docs").replace(/\/+$/, ""),
    source: textOf(options, "source"),
    strict: isSet(options, "strict"),
    askSources: (list, sources) => askSources(call, list, sources),
  };
}

async function askSources(
  { terminal }: Call,
  list: string,
  sources: Readonly<Record<string, string>>,
): Promise<boolean> {
  const answer = terminal.json ? undefined : await terminal.ask(impactWords.askSources(list, sources));
  return answer?.toLowerCase().startsWith("y") ?? false;
}

async function search(call: Call, { run }: OpenAgentRun): Promise<number> {
  const { searchImpact } = await import("../../../agents/impact/search.ts");
  const found = await searchImpact(run, searchOptions(call));
  if (!found.ok) return explain(call, found.refusal, run);
  if (call.terminal.json) call.terminal.printJson(searchValue(found.value));
  else showSearch(call, found.value);
  return exit.done;
}

function showSearch({ terminal }: Call, found: SearchResult): void {
  for (const remark of searchRemarks(found)) terminal.remark(remark);
  terminal.print(searchText(found));
}

async function agent(call: Call, { run }: OpenAgentRun): Promise<number> {
  const { options, terminal } = call;
  const { readLastRun, runImpactAgent, runPropagation } = await import("../../../agents/impact/agent.ts");
  const agentOptions = {
    ...searchOptions(call),
    dryRun: isSet(options, "dry-run"),
    limit: numberOf(options, "limit"),
    propagate: !isSet(options, "no-propagate"),
    maxDepth: numberOf(options, "max-depth"),
    maxSteps: stepsOf(call),
    decide: (impacted: Impacted) => decide(call, impacted),
  };
  const onlyPropagates = isSet(options, "propagate-only");
  const last = onlyPropagates ? await readLastRun(run) : null;
  if (onlyPropagates && last === null)
    return usageError(terminal, impactWords.noEarlierRun, impactWords.noEarlierRunHint);
  const done = await (last ? runPropagation(run, agentOptions, last) : runImpactAgent(run, agentOptions));
  return done.ok ? conclude(call, done.value) : explain(call, done.refusal, run);
}

/** Update, view, skip or quit; any other answer, and no terminal to answer at, is skip. */
async function decide(call: Call, impacted: Impacted): Promise<ArticleDecision> {
  const { options, terminal } = call;
  if (isSet(options, "yes")) return "update";
  if (terminal.json) return "skip";
  for (;;) {
    const answer = await terminal.ask(impactWords.question(impacted));
    if (answer === undefined) terminal.remark(impactWords.unanswered(impacted.article.path));
    if (answer?.startsWith("u")) return "update";
    if (answer?.startsWith("q")) return "quit";
    if (!answer?.startsWith("v")) return "skip";
    for (const { patch } of impacted.patches) terminal.remark(patch);
  }
}

function conclude(call: Call, result: AgentResult): number {
  const { terminal } = call;
  const isEmpty = result.phase1.length + result.phase2.length === 0;
  if (terminal.json) terminal.printJson(agentValue(result));
  else {
    if (isEmpty) showSearch(call, result.search);
    const text = agentText(result);
    if (text !== "") terminal.print(text);
  }
  const waits = (result.howTo !== undefined || !isEmpty) && result.left.length > 0;
  return waits ? exit.refused : exit.done;
}
