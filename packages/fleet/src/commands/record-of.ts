import { type Call, isSet, optionText as textOf } from "suture/service";
import type { Action } from "../people/actions.ts";

/** The actions that are kept in the record of who did what, in the words of that record. */
const recorded: Readonly<Record<string, string>> = {
  add: "added",
  import: "imported",
  remove: "removed",
  move: "moved",
  pause: "paused",
  resume: "resumed",
  retry: "retried",
  cancel: "cancelled the jobs of",
  drain: "drained",
  approve: "approved the edits of",
  stop: "stopped the rollout of",
  settings: "replaced the settings of",
  budget: "set the budget of",
  grant: "granted",
  revoke: "revoked",
  gc: "deleted old runs of",
};

/** The actions whose first operand is an organisation or a repository. */
const onPlaces = ["approve", "stop", "settings", "budget"];

/** The options that say what an action was for. */
const telling = ["all", "cause", "most", "usd", "tokens", "days", "clones", "sink"];

/** What a call does, for the record; undefined if it changes nothing. */
export function recordOf(name: string, call: Call): Omit<Action, "who"> | undefined {
  const { operands, options } = call;
  if (!Object.hasOwn(recorded, name) || onlyReads(name, call)) return undefined;
  // The file of settings says nothing about the place that they are for.
  const named = name === "settings" ? operands.slice(0, 1) : operands;
  const given = telling.flatMap((option) =>
    isSet(options, option)
      ? [`--${option}`, ...(option === "all" ? [] : [textOf(options, option) ?? ""])]
      : [],
  );
  const target = [...(named.length === 0 ? ["the fleet"] : named), ...given].join(" ").slice(0, 500);
  const did = name === "drain" && isSet(options, "resume") ? "resumed" : recorded[name]!;
  return { did, target, organisation: organisationOf(name, named) };
}

function onlyReads(name: string, { operands, options }: Call): boolean {
  if (name === "settings") return operands.length < 2;
  return name === "budget" && !isSet(options, "usd") && !isSet(options, "tokens");
}

function organisationOf(name: string, named: readonly string[]): string | null {
  const [first = "*"] = named;
  const cut = first.lastIndexOf("/");
  if (named.length === 1 && cut > 0) return first.slice(0, cut);
  return onPlaces.includes(name) && first !== "*" ? first : null;
}
