import { countStats } from "../../../docs/record/stats.ts";
import { printStats } from "../../../wording/stats.ts";
import { openReader } from "../../../workspace/workspace.ts";
import { type Call, type Command, exit, textOf } from "../../command.ts";
import { usageError } from "../../usage-error.ts";
import { decline } from "../../with-project.ts";

export const command: Command = {
  name: "stats",
  group: "history",
  summary: "how much was edited, kept and paid for",
  usage: ["[--since WHEN]"],
  operands: [0, 0],
  options: [{ name: "since", value: "WHEN", text: "a date (2026-01-31), or how long ago (12h, 7d, 4w)" }],
  examples: [
    ["everything", "suture stats"],
    ["the last month, for a program", "suture stats --since 4w --json"],
  ],
  run,
};

async function run({ options, terminal }: Call): Promise<number> {
  const asked = textOf(options, "since");
  const since = asked === undefined ? null : parseSince(asked, Date.now());
  if (asked !== undefined && since === null)
    return usageError(
      terminal,
      `--since takes a date or how long ago, not ${JSON.stringify(asked)}`,
      "Such as 2026-01-31, 12h, 7d or 4w.",
    );
  const reader = await openReader(textOf(options, "root") ?? ".");
  if (!reader.ok) return decline(terminal, "stats", reader.refusal);
  try {
    const stats = await countStats(reader.value, since === null ? {} : { since });
    if (!stats.ok) return decline(terminal, "stats", stats.refusal);
    if (terminal.json) terminal.printJson(stats.value);
    else terminal.print(printStats(stats.value));
    return exit.done;
  } finally {
    await reader.value.close();
  }
}

const units = { h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** A moment as the journal writes it; null where the words name none. */
export function parseSince(text: string, now: number): string | null {
  const ago = /^(\d{1,5})([hdw])$/.exec(text);
  if (ago) return new Date(now - Number(ago[1]) * units[ago[2] as keyof typeof units]).toISOString();
  const time = /^\d{4}-\d{2}-\d{2}(T[\d:.]+Z?)?$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isFinite(time) ? new Date(time).toISOString() : null;
}
