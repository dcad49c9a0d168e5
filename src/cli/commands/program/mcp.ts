import { defined } from "../../../text/model/defined.ts";
import { accept, type Outcome } from "../../../text/model/outcome.ts";
import { modes, profiles } from "../../../tools/tool.ts";
import { exitCodeOf } from "../../../wording/exit-code.ts";
import { type Call, type Command, exit, isSet, numberOf, type Options, textOf } from "../../command.ts";
import { untilStopped } from "../../terminal/interrupt.ts";
import { explainUsageError, usageError } from "../../usage-error.ts";
import { decline } from "../../with-project.ts";

export const command: Command = {
  name: "mcp",
  group: "serve",
  summary: "serve the tools to a program that speaks MCP",
  usage: ["", "--http PORT"],
  operands: [0, 0],
  options: [
    { name: "profile", value: "P", choices: profiles, text: "the set of tools to offer" },
    {
      name: "mode",
      value: "M",
      choices: modes,
      text: "what the clients are for; it decides which tools exist",
    },
    { name: "article", value: "PATH", text: "the only article that edit_article may change" },
    {
      name: "consent",
      value: "LIST",
      text: "sensitive files that clients may write: manifests, locks, ci, build, settings, …, all, or globs",
    },
    {
      name: "docs",
      value: "DIR",
      text: "serve the pages of another clone; find_drift checks them against the code of this one",
    },
    { name: "task", value: "NAME", text: "the task that edits belong to" },
    { name: "run", value: "NAME", text: "the run that the task belongs to" },
    { name: "author", value: "NAME", text: "who edits; the client's own name by default" },
    {
      name: "http",
      value: "PORT",
      integer: true,
      text: "listen on a port of this machine instead of standard input",
    },
    { name: "token-file", value: "FILE", text: "the file to write the token for that port to" },
    {
      name: "listen",
      value: "ADDRESS",
      text: "listen on this address; other machines also need --allow-host",
    },
    {
      name: "allow-host",
      value: "NAMES",
      text: "comma-separated Host names to accept",
    },
    { name: "allow-origin", value: "URLS", text: "comma-separated origins of web pages to accept" },
  ],
  examples: [
    ["for a client that starts it", "suture mcp --root ~/project"],
    ["documentation tools that cannot write", "suture mcp --profile docs --mode analyze"],
    ["pages in another clone", "suture mcp --docs ../handbook --profile docs"],
    ["on a port; the token is in a file only you can read", "suture mcp --http 7391"],
  ],
  run,
};

async function run({ options, terminal }: Call): Promise<number> {
  const { openMcp, serveHttp, serveStdio } = await import("../../../mcp/index.ts");
  const { version } = await import("../../version.ts");
  const { refused, textOf: words } = await import("../../../wording/report.ts");
  const port = numberOf(options, "http");
  if (port !== undefined && (port < 0 || port > 65_535))
    return usageError(terminal, "--http takes a port from 0 to 65535");
  const { consentOf } = await import("../../run-tool.ts");
  const consent = consentOf(options);
  if (!consent.ok) return explainUsageError(terminal, consent.refusal);
  const roots = await findRoots(options);
  if (!roots.ok) return decline(terminal, "mcp", roots.refusal);
  const door = await openMcp({ ...placeOf(options), ...roots.value, ...consent.value, version });
  if (!door.ok) {
    terminal.complain(`suture: ${words(refused(door.refusal, { tool: "mcp", wording: "files" }))}`);
    return exitCodeOf(door.refusal);
  }
  if (port === undefined) return (await serveStdio(door.value)) ? exit.done : exit.failed;
  const served = await serveHttp(door.value, { port, ...addressOf(options) });
  if (!served.ok) return explainUsageError(terminal, served.refusal);
  const { url, token, tokenPath, close } = served.value;
  terminal.remark(`Serving MCP at ${url}`);
  // A person may copy the token; a log must not hold it.
  terminal.remark(
    process.stderr.isTTY ? `Token: ${token} (also in ${tokenPath})` : `The token is in ${tokenPath}`,
  );
  await untilStopped();
  await close();
  return exit.done;
}

/** The folder to serve, and the clone with the code where its documents are in another one. */
async function findRoots(
  options: Options,
): Promise<Outcome<{ readonly root: string; readonly code?: string }>> {
  const root = textOf(options, "root") ?? ".";
  const docs = textOf(options, "docs");
  if (docs === undefined) return accept({ root });
  const { openProject } = await import("../../../docs/project.ts");
  const opened = await openProject({ root, docs });
  if (!opened.ok) return opened;
  await opened.value.close();
  const { docs: pages, root: code } = opened.value;
  return accept(pages === undefined ? { root: code } : { root: pages.root, code });
}

function placeOf(options: Options) {
  return {
    profile: textOf(options, "profile") as (typeof profiles)[number] | undefined,
    mode: textOf(options, "mode") as (typeof modes)[number] | undefined,
    article: textOf(options, "article"),
    task: textOf(options, "task"),
    run: textOf(options, "run"),
    ...defined({ author: isSet(options, "author") ? textOf(options, "author") : undefined }),
  };
}

function addressOf(options: Options) {
  const listOf = (name: string): string[] => textOf(options, name)?.split(",").filter(Boolean) ?? [];
  const listen = textOf(options, "listen");
  const tokenPath = textOf(options, "token-file");
  return {
    hosts: listOf("allow-host"),
    origins: listOf("allow-origin"),
    ...defined({ listen, tokenPath }),
  };
}
