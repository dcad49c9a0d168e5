import type { AgentResult, ArticleDecision } from "../../../agents/impact/agent.ts";
import type { Impacted, SearchOptions, SearchResult } from "../../../agents/impact/search.ts";
import type { AgentRun } from "../../../agents/run/agent-run.ts";
import type { OpenAgentRun } from "../../../agents/run/open-agent-run.ts";
import { type Call, type Command, exit, isSet, numberOf, textOf } from "../../command.ts";
import { misuse } from "../../usage-error.ts";
import { usageLine } from "../../usage-line.ts";
import { asking, explain, stepsOf, withAgentRun } from "../../with-models.ts";

export const command: Command = {
  name: "impact",
  group: "documentation",
  summary: "find the articles that a change concerns by their own rules, and update them",
  usage: ["extract", "search", "agent"],
  operands: [1, 1],
  options: [
    { name: "base", short: "b", value: "REF", text: "the revision to look from; also as origin/REF" },
    { name: "uncommitted", short: "u", text: "what is not committed yet, instead" },
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
    { name: "limit", value: "N", integer: true, text: "agent: at most so many articles" },
    { name: "no-propagate", text: "agent: leave out articles that watch updated articles" },
    { name: "propagate-only", text: "agent: only those, from the last run" },
    { name: "max-depth", value: "N", integer: true, text: "agent: how far from the change to go (5)" },
    ...asking,
  ],
  examples: [
    ["which articles does this branch concern", "suture impact search"],
    ["update them, asking for each", "suture impact agent --model anthropic:claude-sonnet-4-5"],
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
  return misuse(call.terminal, `no such part of impact: ${action}`, "Use extract, search or agent.");
}

async function extract(call: Call, { run }: OpenAgentRun): Promise<number> {
  const { options, terminal } = call;
  const { readChanges } = await import("../../../agents/impact/sources.ts");
  const { extractChange, queryPrompt } = await import("../../../agents/impact/extract.ts");
  const [found] = await readChanges(run, ["local"], {
    sources: {},
    named: undefined,
    question: questionOf(call),
  });
  if (!found || "why" in found)
    return explain(call, { code: "unavailable", detail: found?.why ?? "no change" }, run);
  if (isSet(options, "prompt")) terminal.printExactly(run.redact(queryPrompt(found.change)));
  else {
    const value = extractChange(found.change);
    if (terminal.json) terminal.printJson(value);
    else if (value.files.length === 0) terminal.print("No changes detected.");
    else
      for (const { path, from, status, hunks } of value.files) {
        terminal.print(`${status.padEnd(8)} ${from === undefined ? path : `${from} → ${path}`}`);
        for (const { header, removed, added, names } of hunks)
          terminal.print(
            `  ${header}  -${removed} +${added}${names.length > 0 ? `  ${names.slice(0, 6).join(" ")}` : ""}`,
          );
      }
  }
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
  };
}

async function search(call: Call, { run }: OpenAgentRun): Promise<number> {
  const { terminal } = call;
  const { searchImpact } = await import("../../../agents/impact/search.ts");
  const found = await searchImpact(run, searchOptions(call));
  if (!found.ok) return explain(call, found.refusal, run);
  if (terminal.json) terminal.printJson(searchValue(found.value));
  else showSearch(call, found.value);
  return exit.done;
}

function searchValue({ articles, impacted, changes, unresolved, notes }: SearchResult) {
  return {
    articles: articles.length,
    impacted: impacted.map(({ article, evidence }) => ({ jrn: article.jrn, path: article.path, evidence })),
    changedFiles: changes.flatMap(({ source, change }) => change.files.map(({ path }) => ({ source, path }))),
    unresolved,
    notes,
  };
}

function showSearch({ terminal }: Call, { impacted, changes, unresolved, notes }: SearchResult): void {
  for (const { source, why } of unresolved) terminal.remark(`The source ${source} was not looked at: ${why}`);
  for (const note of notes) terminal.remark(note);
  if (changes.every(({ change }) => change.files.length === 0)) {
    terminal.print("No changes detected.");
    return;
  }
  if (impacted.length === 0) {
    terminal.print("No impacted articles found.");
    return;
  }
  for (const { article, evidence } of impacted)
    terminal.print(
      [
        article.path,
        ...evidence.map(
          ({ changedFile, pattern, matchType, source }) =>
            `  ${changedFile} (${source}) fits ${pattern}, ${matchType}`,
        ),
      ].join("\n"),
    );
}

async function agent(call: Call, { run }: OpenAgentRun): Promise<number> {
  const { options, terminal } = call;
  const { runImpactAgent, runPropagation, lastRunFile } = await import("../../../agents/impact/agent.ts");
  const agentOptions = {
    ...searchOptions(call),
    dryRun: isSet(options, "dry-run"),
    limit: numberOf(options, "limit"),
    propagate: !isSet(options, "no-propagate"),
    maxDepth: numberOf(options, "max-depth"),
    maxSteps: stepsOf(call),
    decide: (impacted: Impacted) => decide(call, impacted),
  };
  if (isSet(options, "propagate-only")) {
    const { readStateText } = await import("../../../agents/run/agent-run.ts");
    const { parseAudit } = await import("../../../docs/record/audit-schema.ts");
    const id = /"id":"([\w.-]+)"/.exec((await readStateText(run, lastRunFile)) ?? "")?.[1];
    const record = id === undefined ? null : parseAudit((await readStateText(run, `audit/${id}.json`)) ?? "");
    if (!record)
      return misuse(
        terminal,
        "there is no earlier run to propagate from",
        "Run `suture impact agent` first.",
      );
    return finish(call, await runPropagation(run, agentOptions, record), run);
  }
  return finish(call, await runImpactAgent(run, agentOptions), run);
}

/** Update, view, skip or quit; any other answer, and nobody there to give one, is skip. */
async function decide(call: Call, { article, evidence, patches }: Impacted): Promise<ArticleDecision> {
  const { options, terminal } = call;
  if (isSet(options, "yes")) return "update";
  if (terminal.json) return "skip";
  for (;;) {
    const answer = await terminal.ask(
      `${article.path} (${evidence.map(({ changedFile }) => changedFile).join(", ")}): [u]pdate, [v]iew, [s]kip, [q]uit? [s]`,
    );
    if (answer === undefined)
      terminal.remark(`${article.path} was skipped: nobody is there to ask. Pass --yes to update it.`);
    if (answer?.startsWith("u")) return "update";
    if (answer?.startsWith("q")) return "quit";
    if (!answer?.startsWith("v")) return "skip";
    for (const { patch } of patches) terminal.remark(patch);
  }
}

async function finish(
  call: Call,
  done: Awaited<ReturnType<typeof import("../../../agents/impact/agent.ts").runImpactAgent>>,
  run: AgentRun,
): Promise<number> {
  if (!done.ok) return explain(call, done.refusal, run);
  const result = done.value;
  if (call.terminal.json) call.terminal.printJson(agentValue(result));
  else showAgent(call, result);
  const waits = result.howTo !== undefined && result.left.length > 0;
  const failed = [...result.phase1, ...result.phase2].some(({ status }) => status === "error");
  return failed || waits ? exit.refused : exit.done;
}

function agentValue({ search, phase1, phase2, depth, cut, records, left, usage, howTo }: AgentResult) {
  return {
    results: [...phase1, ...phase2],
    auditRecordId: records[0]?.id ?? null,
    phase1Results: phase1,
    phase2Results: phase2,
    propagationResult: { depth, cut, records: records.slice(1).map(({ id }) => id) },
    ...searchValue(search),
    left,
    usage,
    ...(howTo === undefined ? {} : { howTo }),
  };
}

function showAgent(call: Call, result: AgentResult): void {
  const { terminal } = call;
  const { search, phase1, phase2, left, usage, howTo, cut } = result;
  if (phase1.length + phase2.length === 0) showSearch(call, search);
  if (howTo !== undefined) {
    terminal.print(left.length > 0 ? `\n${left.length} articles are left; ${howTo}` : howTo);
    return;
  }
  const all = [...phase1, ...phase2];
  if (all.length === 0) return;
  const count = (status: string): number => all.filter((article) => article.status === status).length;
  for (const { path, status, reasoning, error } of all)
    terminal.print(
      `${status.padEnd(9)} ${path}${(error ?? reasoning) ? `: ${(error ?? reasoning)!.split("\n", 1)[0]}` : ""}`,
    );
  terminal.print(
    `\nUpdated ${count("updated")}, Unchanged ${count("unchanged")}, Skipped ${count("skipped")}, Errors ${count("error")}; ${usageLine(usage)}`,
  );
  if (cut) terminal.print("More articles watch those that were updated; raise --max-depth to go on.");
}
