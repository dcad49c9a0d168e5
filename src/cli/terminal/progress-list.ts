import type { RunProgress } from "../../agents/run/agent-run.ts";
import { usageLine } from "../../wording/usage-line.ts";
import type { Terminal } from "./terminal.ts";
import { visible } from "./terminal.ts";

/** Shows the progress of a run: a live list at a terminal, and a line for each step anywhere else. */
export type ProgressList = { readonly report: (event: RunProgress) => void; close(): void };

export function openProgressList(terminal: Terminal, now: () => number = Date.now): ProgressList {
  return terminal.live ? openLiveList(terminal, terminal.live, now) : openLines(terminal);
}

/** Prints each step once; details only with `--verbose`. */
function openLines(terminal: Terminal): ProgressList {
  const doing = new Map<string, string>();
  return {
    report: (event) => {
      const { kind, subject, text } = event;
      if (kind !== "step") {
        say(terminal, event);
        return;
      }
      if (doing.get(subject) === text) return;
      doing.set(subject, text);
      terminal.remark(`… ${subject}: ${text}`);
    },
    close: () => {},
  };
}

function say(terminal: Terminal, { kind, text }: RunProgress): void {
  if (kind === "detail" && !terminal.verbose) return;
  if (kind === "failed") terminal.complain(text);
  else terminal.remark(text);
}

type ProgressRow = { readonly text: string; readonly usage?: RunProgress["usage"]; readonly since: number };

const frames = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
const frameMs = 120;

/** A row for each piece of work with its step, tokens, cost and seconds. A finished row becomes a line above the list. */
function openLiveList(
  terminal: Terminal,
  show: (lines: readonly string[]) => void,
  now: () => number,
): ProgressList {
  const rows = new Map<string, ProgressRow>();
  let frame = 0;
  let timer: NodeJS.Timeout | undefined;
  const draw = (): void => {
    frame = (frame + 1) % frames.length;
    show([...rows].map(([subject, row]) => `${frames[frame]} ${rowText(subject, row, now())}`));
  };
  const report = (event: RunProgress): void => {
    const { kind, subject, text, usage } = event;
    if (kind === "step") {
      const known = rows.get(subject);
      rows.set(subject, { text, since: known?.since ?? now(), usage: usage ?? known?.usage });
      timer ??= setInterval(draw, frameMs).unref();
      draw();
      return;
    }
    if ((kind === "done" || kind === "failed") && rows.delete(subject)) draw();
    say(terminal, event);
  };
  return {
    report,
    close: () => {
      clearInterval(timer);
      rows.clear();
      show([]);
    },
  };
}

function rowText(subject: string, { text, usage, since }: ProgressRow, time: number): string {
  const spent = usage && usage.inputTokens + usage.outputTokens > 0 ? `  ${usageLine(usage)}` : "";
  return `${visible(subject)}  ${visible(text).replaceAll("\n", " ")}${spent}  ${Math.floor((time - since) / 1000)} s`;
}
