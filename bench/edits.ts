/**
 * Edits, beside the peers in the same run: `npm run bench:edits -- --mirror DIR [--only PART,…] [--cases N]`.
 * Changes of real histories are tried on the files they were made for and on others, where git's clean merge is right;
 * deletions with a misquoted word, edits with the mistakes that models make, clean commits through the tools, layout,
 * the size of answers, and the growth of time.
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { measureAltered } from "./edits/altered.ts";
import { measureClean } from "./edits/clean.ts";
import { measureDrifted, measureHistories } from "./edits/drifted.ts";
import { measureImperfect } from "./edits/imperfect-run.ts";
import { measureLayout } from "./edits/layout-rung.ts";
import { measureLinear } from "./edits/linear.ts";
import { measureScenarios } from "./edits/scenarios.ts";
import { openSetting, type Setting } from "./edits/setting.ts";
import { measureSlips } from "./edits/slips.ts";
import { measureStale } from "./edits/stale.ts";
import type { Tally } from "./edits/tally.ts";
import { measureTasks } from "./edits/tasks.ts";
import { measureUndrifted } from "./edits/undrifted.ts";
import { measureWire } from "./edits/wire.ts";

type Part = {
  readonly about: string;
  readonly needsClones: boolean;
  /** How many cases of each clone, unless the caller says. */
  readonly cases: number;
  readonly run: (setting: Setting) => Tally | Promise<Tally | boolean> | boolean;
};

const parts: Readonly<Record<string, Part>> = {
  undrifted: {
    about: "Listed changes on the files they were made for",
    needsClones: true,
    cases: 0,
    run: measureUndrifted,
  },
  drifted: {
    about: "Listed changes on other versions of their files",
    needsClones: true,
    cases: 0,
    run: measureDrifted,
  },
  histories: {
    about: "Changes of clones that are not on the list, on other versions of their files",
    needsClones: true,
    cases: 12,
    run: measureHistories,
  },
  altered: {
    about: 'Deletions with one misquoted word: right is a refusal that does not say "already applied"',
    needsClones: true,
    cases: 8,
    run: measureAltered,
  },
  imperfect: {
    about: "Calls with the mistakes that models make",
    needsClones: true,
    cases: 2,
    run: measureImperfect,
  },
  clean: {
    about: "Diffs of commits through apply_patch, with consent",
    needsClones: true,
    cases: 10,
    run: measureClean,
  },
  layout: {
    about: "Hunks quoted in another layout: right keeps every byte of the lines that the caller repeats",
    needsClones: true,
    cases: 12,
    run: measureLayout,
  },
  slips: {
    about: "Hunks through edit_file with slips in white space: as the tool is, and with fit: white-space",
    needsClones: true,
    cases: 150,
    run: measureSlips,
  },
  stale: {
    about: "Hunks after another writer has changed the file that the session has read, without a version",
    needsClones: true,
    cases: 4,
    run: measureStale,
  },
  scenarios: {
    about:
      "The scenarios of a public benchmark over MCP, most of them with another writer, without a version",
    needsClones: true,
    cases: 0,
    run: measureScenarios,
  },
  tasks: {
    about: "Commits as tasks over MCP, and with a tool that replaces one exact and unique text",
    needsClones: true,
    cases: 0,
    run: measureTasks,
  },
  wire: { about: "Bytes of the answers over MCP", needsClones: false, cases: 0, run: measureWire },
  linear: { about: "Time to plan many edits of one file", needsClones: false, cases: 0, run: measureLinear },
};

const { values } = parseArgs({
  options: {
    mirror: { type: "string", default: process.env.MIRROR ?? "" },
    lists: { type: "string", default: fileURLToPath(new URL("../../shared/bench/replay", import.meta.url)) },
    only: { type: "string" },
    cases: { type: "string" },
    contexts: { type: "string", default: "0,1,3,10" },
    round: { type: "string", default: "0" },
    peers: { type: "string" },
    "no-peers": { type: "boolean", default: false },
  },
});

const asked = values.only?.split(",") ?? Object.keys(parts);
const unknown = asked.filter((name) => !(name in parts));
if (unknown.length > 0)
  throw new Error(`there is no part ${unknown.join(", ")}: ${Object.keys(parts).join(", ")}`);
for (const name of asked) await runPart(name, parts[name]!);

async function runPart(name: string, part: Part): Promise<void> {
  console.log(`\n${part.about} (--only ${name})\n`);
  if (part.needsClones && !existsSync(values.mirror)) {
    console.log("Nothing measured: the folder of clones (--mirror, MIRROR) is not there.");
    return;
  }
  const measured = await part.run(
    openSetting({
      mirror: values.mirror,
      lists: values.lists,
      contexts: values.contexts.split(",").map(Number),
      cases: Number(values.cases ?? part.cases),
      round: Number(values.round),
      hasPeers: !values["no-peers"],
      peers: values.peers,
    }),
  );
  const isMet = typeof measured === "boolean" ? measured : !hasWrong(measured);
  if (typeof measured !== "boolean") measured.print();
  if (!isMet) process.exitCode = 1;
}

/** Wrong results of Suture; those of the peers are only shown. */
function hasWrong(tally: Tally): boolean {
  const isPeer = (row: string): boolean => /git apply|GNU patch|jsdiff|diff-match-patch|peer /.test(row);
  return tally.count("wrong", (row) => !isPeer(row)) > 0;
}
