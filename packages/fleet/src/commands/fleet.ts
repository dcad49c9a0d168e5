import { type Call, type Command, numberOf, ownerForms, usageError } from "suture/service";
import { sinkNames } from "../publish/sinks.ts";
import { repositoryStates } from "../store/repository-state.ts";
import { recordOf } from "./record-of.ts";
import type { RecordedCall } from "./with-fleet.ts";

/** The subcommands of `suture fleet`, each loaded on first use. */
const actions: Readonly<Record<string, (call: Call) => Promise<number>>> = {
  add: async (call) => (await import("./add.ts")).add(call),
  import: async (call) => (await import("./add.ts")).importRepositories(call),
  run: async (call) => (await import("./serve.ts")).serve(call),
  worker: async (call) => (await import("./serve.ts")).work(call),
  status: async (call) => (await import("./status.ts")).status(call),
  why: async (call) => (await import("./status.ts")).why(call),
  search: async (call) => (await import("./status.ts")).search(call),
  export: async (call) => (await import("./status.ts")).exportRuns(call),
  list: async (call) => (await import("./status.ts")).list(call),
  remove: async (call) => (await import("./control.ts")).remove(call),
  move: async (call) => (await import("./control.ts")).move(call),
  pause: async (call) => (await import("./control.ts")).pause(call),
  resume: async (call) => (await import("./control.ts")).resume(call),
  retry: async (call) => (await import("./control.ts")).retry(call),
  cancel: async (call) => (await import("./control.ts")).cancel(call),
  drain: async (call) => (await import("./control.ts")).drain(call),
  budget: async (call) => (await import("./control.ts")).budget(call),
  lease: async (call) => (await import("./control.ts")).lease(call),
  preview: async (call) => (await import("./rollout.ts")).preview(call),
  approve: async (call) => (await import("./rollout.ts")).approve(call),
  stop: async (call) => (await import("./rollout.ts")).stop(call),
  settings: async (call) => (await import("./settings.ts")).settings(call),
  gc: async (call) => (await import("./control.ts")).collect(call),
  grant: async (call) => (await import("./people.ts")).grant(call),
  revoke: async (call) => (await import("./people.ts")).revoke(call),
  members: async (call) => (await import("./people.ts")).members(call),
  audit: async (call) => (await import("./people.ts")).audit(call),
};

/** How many operands an action takes, where it is not any number. */
const operandCounts: Readonly<Record<string, readonly [fewest: number, most: number]>> = {
  run: [0, 0],
  worker: [0, 0],
  status: [0, 0],
  export: [0, 0],
  list: [0, 1],
  remove: [1, 1],
  move: [2, 2],
  pause: [1, 1],
  resume: [1, 1],
  retry: [0, 1],
  cancel: [1, 1],
  drain: [0, 0],
  budget: [1, 1],
  lease: [0, 2],
  preview: [0, 1],
  approve: [0, 1],
  stop: [0, 1],
  settings: [0, 2],
  gc: [0, 0],
  grant: [2, 3],
  revoke: [1, 2],
  members: [0, 0],
};

export const command: Command = {
  name: "fleet",
  group: "documentation",
  summary: "keep the documents of many repositories true",
  usage: [
    "add URL|DIR…",
    `import ${["FILE", "GLOB", ...ownerForms].join("|")}`,
    "run [--once] [--no-workers]",
    "worker",
    "status",
    "why ORG/REPO PATH:LINE",
    "search WORDS…",
    "export",
    "list [TEXT] [--state STATE]",
    "remove ORG/REPO",
    "move ORG/REPO URL|DIR",
    "pause ORG/REPO",
    "resume HOST|HOST/ORG|ORG/REPO",
    "retry [ORG/REPO]",
    "cancel ORG/REPO",
    "drain [--resume]",
    "budget ORG [--usd N] [--tokens N]",
    "lease ORG/REPO PATH:START-END --holder NAME | --release NUMBER",
    "preview [ORG|ORG/REPO] [--cause TEXT]",
    "approve [ORG|ORG/REPO] [--cause TEXT] [--most N] [--all]",
    "stop [ORG|ORG/REPO]",
    "settings ['*'|ORG|ORG/REPO [FILE]]",
    "gc [--days N] [--clones GB]",
    "grant EMAIL|group:NAME viewer|operator [ORG]",
    "revoke EMAIL|group:NAME [ORG]",
    "members",
    "audit [TEXT]",
  ],
  operands: [0, 10_000],
  options: [
    {
      name: "home",
      value: "DIR",
      text: "the folder for clones, patches and the embedded database (in the user's state folder)",
    },
    {
      name: "sink",
      value: "NAME",
      choices: sinkNames,
      text: "add, import: where edits go (by the host of the URL)",
    },
    {
      name: "most",
      value: "N",
      integer: true,
      text: "import, list, preview, approve: at most so many repositories; search, status, audit: so many lines",
    },
    {
      name: "state",
      value: "STATE",
      choices: [...repositoryStates, "paused"],
      text: "list: only repositories in this state",
    },
    { name: "cause", value: "TEXT", text: "preview, approve: only edits of this cause, or of this rule" },
    { name: "all", text: "approve: the edits of all repositories" },
    { name: "once", text: "run: check every repository once, then end" },
    { name: "no-workers", text: "run: leave the work to `fleet worker`" },
    { name: "slots", value: "N", integer: true, text: "run, worker: jobs at once in this process (2)" },
    {
      name: "part",
      value: "PART",
      choices: ["all", "reading", "publishing"],
      text: "worker: reading: only jobs without write access; publishing: only jobs with it",
    },
    { name: "patches", value: "DIR", text: "run, worker: where the directory sink puts patches" },
    { name: "model", value: "P:M", text: "run, worker: the model for what rules leave, as provider:name" },
    { name: "max-cost", value: "USD", text: "run, worker: the most that one job may spend on it (0.5)" },
    { name: "likely", text: "run, worker: make the likely edits too" },
    {
      name: "heartbeat",
      value: "SECONDS",
      integer: true,
      text: "run, worker: a job without a heartbeat for so long goes to another worker (30, at least 10)",
    },
    {
      name: "every",
      value: "SECONDS",
      integer: true,
      text: "run: seconds between scheduled checks of a repository (86400)",
    },
    {
      name: "port",
      value: "PORT",
      integer: true,
      text: "run: the port of webhooks, metrics and the page (7390)",
    },
    {
      name: "listen",
      value: "ADDRESS",
      text: "run: listen on this address; other machines also need --allow-host",
    },
    {
      name: "allow-host",
      value: "NAMES",
      text: "run: comma-separated Host names to accept",
    },
    {
      name: "otel",
      text: "run, worker: send traces and metrics to OpenTelemetry, also without an OTEL_ variable",
    },
    { name: "resume", text: "drain: hand out jobs again" },
    { name: "usd", value: "N", text: "budget: dollars a day" },
    { name: "tokens", value: "N", integer: true, text: "budget: tokens a day" },
    { name: "holder", value: "NAME", text: "lease: who holds the lines" },
    { name: "reason", short: "m", value: "TEXT", text: "lease: what for" },
    { name: "seconds", value: "N", integer: true, text: "lease: for how long (60)" },
    { name: "release", value: "NUMBER", integer: true, text: "lease: release a lease" },
    { name: "days", value: "N", integer: true, text: "gc: delete runs that are older (365)" },
    {
      name: "clones",
      value: "GB",
      integer: true,
      text: "gc, run, worker: delete the clones used longest ago until the rest takes at most so much",
    },
    {
      name: "check-memory",
      value: "MB",
      integer: true,
      text: "run, worker: the most memory that one check may use (1024)",
    },
    {
      name: "check-seconds",
      value: "N",
      integer: true,
      text: "run, worker: the most seconds that one check may take (600)",
    },
  ],
  examples: [
    [
      "try it on the clones of a folder, without a server",
      "suture fleet import 'clones/*' && suture fleet run --once",
    ],
    ["a server, and a worker on another machine", "DATABASE_URL=postgres://… suture fleet run --no-workers"],
    ["what the fleet looks like", "suture fleet status"],
    ["publish the edits of ten repositories, after a preview", "suture fleet approve acme --most 10"],
    ["why a line says what it says", "suture fleet why acme/api docs/limits.md:12"],
  ],
  run,
};

async function run(call: Call): Promise<number> {
  const [name = "", ...operands] = call.operands;
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action)
    return usageError(
      call.terminal,
      name === "" ? "fleet needs an action" : `fleet has no action ${name}`,
      `Use ${Object.keys(actions).join(", ")}.`,
    );
  const [fewest, most] = Object.hasOwn(operandCounts, name) ? operandCounts[name]! : [0, Infinity];
  if (operands.length < fewest || operands.length > most)
    return usageError(call.terminal, `usage: suture fleet ${usageOf(name)}`);
  if ((numberOf(call.options, "port") ?? 0) > 65_535)
    return usageError(call.terminal, "--port takes a port from 0 to 65535");
  const inner = { ...call, operands };
  const recorded: RecordedCall = { ...inner, record: recordOf(name, inner) };
  return action(recorded);
}

function usageOf(name: string): string {
  return command.usage.find((line) => line === name || line.startsWith(`${name} `)) ?? name;
}
