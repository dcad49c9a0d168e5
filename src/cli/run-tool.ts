import { defined } from "../text/model/defined.ts";
import { accept, type Outcome } from "../text/model/outcome.ts";
import { openContext } from "../tools/context.ts";
import { outputForPerson } from "../tools/edited.ts";
import type { Context, Mode, Profile, Result } from "../tools/tool.ts";
import { exitCodeOf } from "../wording/exit-code.ts";
import { refused, textOf as textOfResult, withConsentOption, withForceOption } from "../wording/report.ts";
import { parseConsent } from "../workspace/paths/consent.ts";
import type { PathPolicy } from "../workspace/paths/paths.ts";
import { type Call, exit, isSet, type Options, textOf } from "./command.ts";
import { untilDone } from "./terminal/interrupt.ts";
import { paintDiff } from "./terminal/paint.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** The work of a command, in the context that its options open. */
export type ToolWork = (context: Context) => Promise<Result>;

/** `readOnly`: the command gets a reader, which takes no lock and cannot write. `show` prints a success. */
export type RunOptions = { readonly readOnly?: boolean; readonly show?: Show };

/** How a success is shown to a person. */
export type Show = (terminal: Terminal, result: Result) => void;

/** Runs a tool and shows its result. Where the tool needs consent, it asks the person and tries again with --force. */
export async function runTool(
  call: Call,
  tool: string,
  work: ToolWork,
  how: RunOptions = {},
): Promise<number> {
  const { terminal } = call;
  const options = how.readOnly ? { ...call.options, mode: "research" } : call.options;
  if (
    isSet(options, "force") &&
    !(await mayGoOn(call, "--force writes past rules and over other tasks' lines."))
  )
    return decline(terminal);
  const first = await untilDone((signal) => attempt(options, tool, work, signal));
  const again = isConsent(first.result) && !isSet(options, "force") && (await agrees(terminal, first.result));
  const { result, code } = again
    ? await untilDone((signal) => attempt({ ...options, force: true }, tool, work, signal))
    : first;
  answer(terminal, result, how.show ?? showOutput);
  return code;
}

/** Asks a person at a terminal before something risky. A program, or a person who said `--yes`, has decided. */
export async function mayGoOn({ options, terminal }: Call, risk: string): Promise<boolean> {
  if (isSet(options, "yes")) return true;
  const answer = await terminal.ask(`${risk} Go on? [y/N]`);
  return answer === undefined || answer.startsWith("y");
}

/** Says that nothing was changed, because a person declined. */
export function decline(terminal: Terminal): number {
  terminal.complain("suture: Nothing was changed.");
  return exit.refused;
}

type ToolRun = { readonly result: Result; readonly code: number };

/** Opens the workspace that the options name, and closes it again. */
async function attempt(
  options: Options,
  tool: string,
  work: ToolWork,
  signal: AbortSignal,
): Promise<ToolRun> {
  const consent = consentOf(options);
  const opened = consent.ok
    ? await openContext({ ...contextOptions(options), ...consent.value, signal })
    : consent;
  if (!opened.ok) {
    const result = refused(opened.refusal, { tool, wording: "files" });
    return { result, code: exitCodeOf(opened.refusal) };
  }
  try {
    const result = withForceOption(withConsentOption(await work(opened.value)));
    return { result, code: result.success ? exit.done : exitCodeOf(result) };
  } finally {
    await opened.value.reader.close();
  }
}

function contextOptions(options: Options) {
  const force = isSet(options, "force");
  return {
    root: textOf(options, "root") ?? ".",
    profile: textOf(options, "profile") as Profile | undefined,
    mode: textOf(options, "mode") as Mode | undefined,
    author: textOf(options, "author"),
    task: textOf(options, "task"),
    run: textOf(options, "run"),
    article: textOf(options, "article"),
    ...defined({ strict: isSet(options, "strict") || undefined, force: force || undefined }),
  };
}

/** The consent that the options give: `--force` to everything, `--consent` to what it lists. */
export function consentOf(options: Options): Outcome<{ readonly policy?: PathPolicy }> {
  if (isSet(options, "force")) return accept({ policy: { consent: true } });
  const list = textOf(options, "consent");
  const consent = list === undefined ? undefined : parseConsent(list);
  if (consent === undefined) return accept({});
  return consent.ok ? accept({ policy: { consent: consent.value } }) : consent;
}

/** The fields that writers share, from the options of the same name. */
export function writerFields(options: Options) {
  return defined({
    reason: isSet(options, "reason") ? textOf(options, "reason") : undefined,
    base_version: isSet(options, "base-version") ? textOf(options, "base-version") : undefined,
    dry_run: isSet(options, "dry-run") || isSet(options, "check") || undefined,
  });
}

function isConsent({ success, code }: Result): boolean {
  return !success && (code === "conflict" || code === "needs-consent");
}

/** Without an answer, the edit is skipped. */
async function agrees(terminal: Terminal, result: Result): Promise<boolean> {
  if (terminal.json) return false;
  const answer = await terminal.ask(
    `${textOfResult(result)}\n\n[s]kip it, [f]orce it, or leave it to resolve by [h]and? [s]`,
  );
  if (answer?.startsWith("h")) terminal.remark("Left open, to be resolved by hand.");
  return answer?.startsWith("f") ?? false;
}

/** A result as JSON for a program, or in words for a person. */
function answer(terminal: Terminal, result: Result, show: Show): void {
  if (terminal.json) terminal.printJson(result);
  else if (result.success) show(terminal, result);
  else terminal.complain(`suture: ${textOfResult(result)}`);
}

/** Prints the output; at a terminal and in a dry run, the diff instead of the excerpt. */
function showOutput(terminal: Terminal, result: Result): void {
  const diff = typeof result.diff === "string" ? result.diff : "";
  const { summary, excerpt } = outputForPerson(result);
  if (diff === "" || !(terminal.watched || result.dryRun)) {
    terminal.print(summary + excerpt);
    return;
  }
  terminal.print(summary);
  terminal.printPainted(paintDiff(diff, terminal));
}
